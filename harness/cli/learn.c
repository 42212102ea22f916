/* learn.c - the verbs around a puzzle: list, hint, reset, solution. They read and copy files; none
 * of them judges. Which hint comes next is hints.c's business. */
#include <ctype.h>
#include <string.h>
#include "cli/cli.h"

enum { TEXT_MAX = 1 << 20 };

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

void list_print(FILE *out, bool color, struct state *s, const struct project *p) {
  u32 solved = 0, outdated = 0;
  for (u32 i = 0; i < pz_puzzle_count(); i++) {
    const struct pz_puzzle *z = pz_puzzle_at(i);
    const struct state_row *r = state_of(s, z->id);
    bool pass = r->judged && r->verdict == V_PASS, old = state_outdated(s, p, z->id);
    const char *how = pass ? "solved" : state_touched(s, p, z->id) ? "tried" : "untouched";
    solved += pass;
    outdated += old;
    fprintf(out, "%s %-28s %-10s %-9s %s\n", old ? "*" : " ", z->id, how,
            r->judged ? verdict_text(r->verdict) : "-", z->title ? z->title : "");
  }
  if (outdated)
    fprintf(out, "* the skeleton has changed since your puzzle.cu was made from it. make reset "
                 "P=NN\n  takes the new one and keeps yours beside it.\n");
  report_progress(out, color, solved, pz_puzzle_count());
  fputc('\n', out);
}

int cli_list(struct options *o) {
  struct lesson l = {0};
  struct diag why = {0};
  if (!open_lesson(&l, o, false, &why)) return cli_fail(&why);
  list_print(stdout, report_use_color(stdout), &l.state, &l.project);
  return EXIT_PASS;
}

int cli_hint(struct options *o) {
  struct lesson l = {0};
  struct diag why = {0};
  bool is_named = o->arg_count > 0; /* else: for the puzzle that `next` would judge */
  if (!open_lesson(&l, o, is_named, &why)) return cli_fail(&why);
  int next = is_named ? -1 : state_next(&l.state);
  if (next >= 0) l.puzzle = pz_puzzle_at((u32)next);
  if (!l.puzzle) {
    diag_set(&why, "every puzzle is solved: a hint for which one?");
    diag_next(&why, "for example P=07 with make, or warplings hint 07");
    return cli_fail(&why);
  }
  if (!hint_next(stdout, &l.state, &l.project, l.puzzle->id, &why)) return cli_fail(&why);
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
  bool is_same = false;
  if (!file_read(o->keep, project_file(&l.project, id, "skeleton.cu"), TEXT_MAX, &skeleton, &why))
    return cli_fail(&why);
  if (file_exists(mine)) {
    if (!file_read(o->keep, mine, TEXT_MAX, &own, &why)) return cli_fail(&why);
    is_same = str_eq(own, skeleton);
    for (u32 n = 1; !is_same && (!backup || file_exists(backup)); n++)
      backup = arena_printf(o->keep, "%s.bak-%u", mine, n);
    if (backup && !file_write(backup, own, &why)) return cli_fail(&why);
  }
  if (!file_write(mine, skeleton, &why)) return cli_fail(&why);
  *r = (struct state_row){.id = r->id, .skeleton = str_hash(skeleton)};
  printf(is_same ? "%s was the skeleton as it is.\n" : "%s is the skeleton again.\n", mine);
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
