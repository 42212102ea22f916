/* learn.c - the verbs around a puzzle: list, hint, reset, solution. They read and copy files; none
 * of them judges. */
#include <ctype.h>
#include <string.h>
#include "cli/cli.h"

enum { TEXT_MAX = 1 << 20, HINTS = 3 };

struct lesson {
  struct project project;
  struct state state;
  const struct pz_puzzle *puzzle;
};

static bool open_lesson(struct lesson *l, struct options *o, bool wants_puzzle, struct diag *why) {
  if (!project_open(o, &l->project, why)) return false;
  state_load(o->keep, &l->state);
  if (o->arg_count != (wants_puzzle ? 1u : 0u)) {
    diag_set(why, wants_puzzle ? "which puzzle? Give one" : "this verb takes no puzzle");
    if (wants_puzzle) diag_next(why, "for example P=07 with make, or warplings hint 07");
    return false;
  }
  if (!wants_puzzle) return true;
  int i = pz_puzzle_find(o->args[0], why);
  if (i < 0) return false;
  l->puzzle = pz_puzzle_at((u32)i);
  return true;
}

int cli_list(struct options *o) {
  struct lesson l = {0};
  struct diag why = {0};
  u32 solved = 0;
  if (!open_lesson(&l, o, false, &why)) return cli_fail(&why);
  for (u32 i = 0; i < pz_puzzle_count(); i++) {
    const struct pz_puzzle *p = pz_puzzle_at(i);
    const struct state_row *r = state_of(&l.state, p->id);
    bool touched = state_touched(&l.state, &l.project, p->id);
    bool pass = r->judged && r->verdict == V_PASS;
    const char *how = pass ? "solved" : touched ? "tried" : "untouched";
    solved += pass;
    printf("  %-28s %-10s %-9s %s\n", p->id, how, r->judged ? verdict_text(r->verdict) : "-",
           p->title ? p->title : "");
  }
  report_progress(stdout, report_use_color(stdout), solved, pz_puzzle_count());
  fputc('\n', stdout);
  return EXIT_PASS;
}

/* Section n (from 1) of the lines that start with "## ". */
static bool section(str text, u32 n, str *title, str *body) {
  str rest = text, line;
  u32 at = 0;
  const char *from = NULL;
  while (str_line(&rest, &line)) {
    if (!str_starts(line, "## ")) continue;
    if (++at == n) {
      *title = str_trim((str){line.p + 3, line.n - 3});
      from = rest.p;
    } else if (at == n + 1) {
      *body = str_trim((str){from, (size_t)(line.p - from)});
      return true;
    }
  }
  if (!from) return false;
  *body = str_trim((str){from, (size_t)(text.p + text.n - from)});
  return true;
}

int cli_hint(struct options *o) {
  struct lesson l = {0};
  struct diag why = {0};
  str text, title, body;
  if (!open_lesson(&l, o, true, &why)) return cli_fail(&why);
  struct state_row *r = state_of(&l.state, l.puzzle->id);
  if (!file_read(o->keep, project_file(&l.project, l.puzzle->id, "hints.md"), TEXT_MAX, &text,
                 &why))
    return cli_fail(&why);
  u32 n = r->hints < HINTS ? r->hints + 1 : HINTS;
  if (!section(text, n, &title, &body)) {
    diag_set(&why, "%s has no hint %u", l.puzzle->id, n);
    return cli_fail(&why);
  }
  printf("%s, hint %u of %d: " STR_F "\n\n" STR_F "\n\n", l.puzzle->id, n, HINTS, STR_A(title),
         STR_A(body));
  if (n < HINTS)
    printf("The next call gives hint %u.\n", n + 1);
  else
    printf("That was the last one.\n");
  r->hints = n;
  return state_save(&l.state, &why) ? EXIT_PASS : cli_fail(&why);
}

int cli_reset(struct options *o) {
  struct lesson l = {0};
  struct diag why = {0};
  str own;
  if (!open_lesson(&l, o, true, &why)) return cli_fail(&why);
  const char *id = l.puzzle->id, *mine = project_file(&l.project, id, "puzzle.cu"), *backup = NULL;
  struct state_row *r = state_of(&l.state, id);
  str skeleton;
  if (!file_read(o->keep, project_file(&l.project, id, "skeleton.cu"), TEXT_MAX, &skeleton, &why))
    return cli_fail(&why);
  if (file_exists(mine)) {
    if (!file_read(o->keep, mine, TEXT_MAX, &own, &why)) return cli_fail(&why);
    for (u32 n = 1; !backup || file_exists(backup); n++)
      backup = arena_printf(o->keep, "%s.bak-%u", mine, n);
    if (!file_write(backup, own, &why)) return cli_fail(&why);
  }
  if (!file_write(mine, skeleton, &why)) return cli_fail(&why);
  *r = (struct state_row){.id = r->id, .skeleton = str_hash(skeleton)};
  printf("%s is the skeleton again.\n", mine);
  if (backup) printf("Your file is kept as %s.\n", backup);
  return state_save(&l.state, &why) ? EXIT_PASS : cli_fail(&why);
}

int cli_solution(struct options *o) {
  struct lesson l = {0};
  struct diag why = {0};
  str text;
  if (!open_lesson(&l, o, true, &why)) return cli_fail(&why);
  const char *id = l.puzzle->id;
  const struct state_row *r = state_of(&l.state, id);
  bool tried = (r->judged && r->verdict == V_PASS) || state_touched(&l.state, &l.project, id);
  if (!tried && !o->force) {
    diag_set(&why, "%s is untouched: the answer is more use after a try of your own", id);
    diag_next(&why, "edit puzzles/%s/puzzle.cu first, or warplings solution %s --force", id, id);
    return cli_fail(&why);
  }
  const char *path = arena_printf(o->keep, "solutions/%s.cu", id);
  if (!file_read(o->keep, path, TEXT_MAX, &text, &why)) return cli_fail(&why);
  printf(STR_F, STR_A(text));
  return EXIT_PASS;
}
