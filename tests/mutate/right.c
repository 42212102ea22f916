/* right.c - collects the programs that must pass, and runs a launch of one. Judges nothing. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "mutate/right.h"

enum { TEXT_MAX = 4 << 20, WORDS_MAX = 120 };

static struct right *add(struct right_list *r, const char *file, const struct pz_puzzle *p) {
  if (r->count == RIGHT_MAX) BUG("more than %d right programs: raise RIGHT_MAX", RIGHT_MAX);
  struct right *n = &r->items[r->count++];
  *n = (struct right){.file = file, .puzzle = p};
  return n;
}

/* The launches of a file stand together: one program. Launches that are to fail are left out. */
static void take(struct right_list *r, const struct exec_cases *all) {
  struct right *last = NULL;
  for (u32 i = 0; i < all->count; i++) {
    const struct exec_case *c = &all->list[i];
    if (c->want.kinds != 1u << V_PASS) continue;
    if (!last || strcmp(last->file, c->file) != 0) last = add(r, c->file, NULL);
    if (last->launch_count == RIGHT_LAUNCHES)
      BUG("%s has more than %d launches: raise RIGHT_LAUNCHES", c->file, RIGHT_LAUNCHES);
    last->launches[last->launch_count++] = c;
  }
}

/* ---- launches of exec ---- */
static bool first_line(struct right_list *r, const char *file, str *line, struct diag *why) {
  str text;
  *line = STR("");
  if (!file_read(&r->keep, file, TEXT_MAX, &text, why)) return false;
  str_line(&text, line);
  return true;
}

/* The first line of a kernel of kernels2 names its compilers. */
static bool keep_takers(struct right_list *r, struct exec_cases *all, const char *with,
                        struct diag *why) {
  u32 kept = 0;
  for (u32 i = 0; i < all->count; i++) {
    str line;
    if (!first_line(r, all->list[i].file, &line, why)) return false;
    if (str_has(line, with) || (str_has(line, "rdc") && strcmp(with, "nvrtc") == 0))
      all->list[kept++] = all->list[i];
  }
  all->count = kept;
  return true;
}

static bool read_launches(struct right_list *r, const char *with, struct diag *why) {
  static const struct {
    const char *folder, *ending; /* no ending: the folder has a table */
    bool add_dumps;
  } rows[] = {{"tests/kernels", NULL, true},   {"tests/kernels2", NULL, true},
              {"tests/patterns", ".cu", true}, {"tests/pairs", ".cu", false},
              {"tests/cases", ".cu", false},   {"tests/litmus", ".ptx", false}};
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    struct exec_cases *all = NEW(&r->keep, struct exec_cases);
    bool table = !rows[i].ending;
    if (table ? !exec_cases_table(all, rows[i].folder, why)
              : !exec_cases_folder(all, rows[i].folder, rows[i].ending, with, why))
      return false;
    if (table && !keep_takers(r, all, with, why)) return false;
    for (u32 k = 0; rows[i].add_dumps && k < all->count; k++) all->list[k].add_dumps = true;
    take(r, all);
  }
  return true;
}

/* ---- answers to puzzles ---- */
static int is_kernel(const struct dirent *d) {
  size_t n = strlen(d->d_name);
  return d->d_name[0] != '.' && n > 3 && strcmp(d->d_name + n - 3, ".cu") == 0;
}

static bool read_answers(struct right_list *r, const struct pz_puzzle *p, struct diag *why) {
  const char *dir = arena_printf(&r->keep, "tests/mutants/%s", p->id);
  struct dirent **names = NULL;
  struct expectation e;
  bool ok = true;
  add(r, arena_printf(&r->keep, "solutions/%s.cu", p->id), p);
  int n = scandir(dir, &names, is_kernel, alphasort);
  for (int i = 0; i < n; i++) {
    const char *path = arena_printf(&r->keep, "%s/%s", dir, names[i]->d_name);
    str line;
    free(names[i]);
    ok = ok && first_line(r, path, &line, why) && expect_parse(line, &e, why);
    if (ok && e.kinds == 1u << V_PASS) add(r, path, p);
  }
  free(names);
  return ok;
}

bool right_read(struct right_list *out, enum compiler with, struct diag *why) {
  for (u32 i = 0; i < pz_puzzle_count(); i++)
    if (!read_answers(out, pz_puzzle_at(i), why)) return false;
  return read_launches(out, compiler_name(with), why);
}

/* ---- running one ---- */
static u32 split(char *text, char **words, u32 n) {
  for (char *w; (w = strsep(&text, " "));)
    if (*w && n < WORDS_MAX - 4 * CASE_DUMPS - 1) words[n++] = w;
  return n;
}

static const char *read_back(struct arena *a, FILE *f) {
  long size = fseek(f, 0, SEEK_END) == 0 ? ftell(f) : 0;
  char *text = NEWN(a, char, size + 1);
  rewind(f);
  text[fread(text, 1, (size_t)size, f)] = 0;
  return text;
}

static const char *with_commas(struct arena *a, const char *values) {
  struct strbuf b = {0};
  for (const char *p = values; *(p += strspn(p, " "));) {
    size_t n = strcspn(p, " ");
    strbuf_printf(&b, "%s%.*s", b.n ? "," : "", (int)n, p);
    p += n;
  }
  const char *text = str_copy(a, (str){b.p, b.n}).p;
  strbuf_free(&b);
  return text;
}

const char *right_exec(struct arena *a, const char *path, const struct exec_case *launch,
                       enum compiler with, const char *extra) {
  char *words[WORDS_MAX] = {0};
  u32 n = split(arena_printf(a, "exec %s --format json --compiler %s", path, compiler_name(with)),
                words, 0);
  n = split(arena_printf(a, "%s %s", launch->options, extra), words, n);
  for (u32 i = 0; launch->add_dumps && i < launch->dump_count; i++) {
    words[n++] = arena_printf(a, "--dump");
    const struct exec_dump_want *d = &launch->dumps[i];
    const char *field = d->field ? arena_printf(a, ".%u", d->field - 1) : "";
    words[n++] = arena_printf(a, "%u%s%s", d->arg, field, d->count);
    if (strstr(d->values, "null")) continue;  /* undefined there */
    words[n++] = arena_printf(a, "--expect"); /* a dump shows the last run's values only */
    words[n++] = arena_printf(a, "%u%s=%s", d->arg, field, with_commas(a, d->values));
  }
  FILE *out = tmpfile();
  struct options o = {.keep = a};
  struct diag why = {0};
  if (!out) BUG("no temporary file");
  fflush(stdout);
  dup2(fileno(out), STDOUT_FILENO);
  if (!cli_options((int)n, words, FOR_EXEC, &o, &why)) return arena_printf(a, "%s", why.text);
  cli_exec(&o);
  fflush(stdout);
  const char *json = read_back(a, out);
  fclose(out);
  return json;
}
