/* exec_case.c - reads test cases: first lines of kernel files, rows of a table. Runs nothing. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include "exec/exec_case.h"

enum { FILE_MAX_BYTES = 4 << 20, NAMES_MAX = 512 };

static bool no(struct diag *why, const char *file, const char *what) {
  diag_set(why, "%s: %s", file, what);
  return false;
}

static struct exec_case *next_case(struct exec_cases *all, const char *file) {
  if (all->count == CASE_MAX) BUG("more than %d cases: raise CASE_MAX", CASE_MAX);
  struct exec_case *c = &all->list[all->count++];
  *c = (struct exec_case){.file = file, .name = file, .options = ""};
  return c;
}

static bool after(str *s, const char *prefix) {
  if (!str_starts(*s, prefix)) return false;
  *s = str_trim((str){s->p + strlen(prefix), s->n - strlen(prefix)});
  return true;
}

/* K is a number, or K.F: field F of a struct. "K values" or "K:COUNT values", the two divided by
 * `mark`. */
static bool add_dump(struct arena *a, struct exec_case *c, str s, char mark) {
  char *text = (char *)(uintptr_t)str_copy(a, str_trim(s)).p, *end;
  char *values = strchr(text, mark);
  if (!values || c->dump_count == CASE_DUMPS) return false;
  *values++ = 0;
  struct exec_dump_want *d = &c->dumps[c->dump_count++];
  d->arg = (u32)strtoul(text, &end, 10);
  if (*end == '.') d->field = (u32)strtoul(end + 1, &end, 10) + 1;
  d->count = end;
  d->values = values;
  return end != text && (*end == 0 || *end == ':');
}

/* A further "// run:" line: the same file and expectation, other arguments. */
static struct exec_case *another_launch(struct exec_cases *all, const struct exec_case *c,
                                        str options) {
  struct exec_case *n = next_case(all, c->file);
  n->want = c->want;
  n->on = c->on;
  n->advice = c->advice;
  n->options = str_copy(&all->keep, options).p;
  n->name = arena_printf(&all->keep, "%s (%s)", n->file, n->options);
  return n;
}

static bool from_file(struct exec_cases *all, const char *path, struct diag *why) {
  str text, line;
  if (!file_read(&all->keep, path, FILE_MAX_BYTES, &text, why)) return false;
  struct exec_case *c = next_case(all, path);
  if (!str_line(&text, &line) || !expect_parse(line, &c->want, why))
    return no(why, path, "no '// expect:' line");
  if (!str_line(&text, &line) || !after(&line, "// run:"))
    return no(why, path, "no '// run:' line");
  c->options = str_copy(&all->keep, line).p;
  while (str_line(&text, &line) && str_starts(line, "//")) {
    if (after(&line, "// run:")) c = another_launch(all, c, line);
    if (after(&line, "// advice:")) c->advice = str_copy(&all->keep, line).p;
    if (after(&line, "// on:")) c->on = str_copy(&all->keep, line).p;
    if (!after(&line, "// dump ")) continue;
    char *colon = memchr(line.p, ' ', line.n); /* "0: 1 2": the colon belongs to the number */
    if (!colon || colon[-1] != ':')
      return no(why, path, "a '// dump K: values' line is not well-formed");
    struct strbuf b = {0};
    strbuf_printf(&b, "%.*s=%.*s", (int)(colon - 1 - line.p), line.p,
                  (int)(line.p + line.n - colon), colon);
    bool ok = add_dump(&all->keep, c, (str){b.p, b.n}, '=');
    strbuf_free(&b);
    if (!ok) return no(why, path, "a '// dump K: values' line is not well-formed");
  }
  return true;
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static str word(str *s) {
  size_t n = 0;
  *s = str_trim(*s);
  while (n < s->n && s->p[n] != ' ') n++;
  str w = {s->p, n};
  *s = (str){s->p + n, s->n - n};
  return w;
}

/* FOLDER/LATER: a name, perhaps the compiler that alone is concerned, the reason. */
static bool is_later(struct arena *a, const char *folder, const char *name, const char *with) {
  struct diag none = {0};
  str text, line;
  if (!file_read(a, arena_printf(a, "%s/LATER", folder), FILE_MAX_BYTES, &text, &none))
    return false;
  while (str_line(&text, &line)) {
    str listed = word(&line), second = word(&line);
    bool one = str_eqz(second, "nvrtc") || str_eqz(second, "clang");
    if (listed.n == 0 || strncmp(name, listed.p, listed.n) != 0 || name[listed.n] != '.') continue;
    if (!one || str_eqz(second, with)) return true;
  }
  return false;
}

bool exec_cases_folder(struct exec_cases *out, const char *folder, const char *ending,
                       const char *with, struct diag *why) {
  const char *names[NAMES_MAX];
  size_t count = 0;
  DIR *d = opendir(folder);
  if (!d) return no(why, folder, "no such folder");
  for (struct dirent *e; (e = readdir(d)) && count < NAMES_MAX;) {
    size_t n = strlen(e->d_name), k = strlen(ending);
    if (n > k && strcmp(e->d_name + n - k, ending) == 0)
      names[count++] = arena_printf(&out->keep, "%s", e->d_name);
  }
  closedir(d);
  qsort(names, count, sizeof *names, by_name);
  for (size_t i = 0; i < count; i++) {
    if (is_later(&out->keep, folder, names[i], with)) {
      printf("exec: NOT RUN with %s: %s/%s (%s/LATER says why)\n", with, folder, names[i], folder);
      out->later++;
    } else if (!from_file(out, arena_printf(&out->keep, "%s/%s", folder, names[i]), why)) {
      return false;
    }
  }
  return count > 0 || no(why, folder, "no cases");
}

static bool from_row(struct exec_cases *all, const char *folder, const char *table, u32 row,
                     str line, struct diag *why) {
  const char *column[7];
  char *rest = (char *)(uintptr_t)str_copy(&all->keep, line).p;
  for (u32 i = 0; i < COUNT_OF(column); i++) {
    column[i] = strsep(&rest, "\t");
    if (!column[i] || !*column[i])
      return no(why, table, arena_printf(&all->keep, "line %u: 7 columns are needed", row));
  }
  if (rest || (strcmp(column[4], "yes") != 0 && strcmp(column[4], "no") != 0))
    return no(why, table, arena_printf(&all->keep, "line %u: not 7 well-formed columns", row));
  struct exec_case *c = next_case(all, arena_printf(&all->keep, "%s/%s", folder, column[0]));
  c->name = arena_printf(&all->keep, "%s:%u (%s %s)", table, row, column[0], column[1]);
  c->options = arena_printf(&all->keep, "--kernel %s %s", column[1], column[2]);
  c->add_dumps = true;
  c->host_only = strcmp(column[4], "no") == 0;
  if (!expect_parse(str_of(arena_printf(&all->keep, "// expect: %s", column[3])), &c->want, why))
    return false;
  char *dumps = arena_printf(&all->keep, "%s", column[5]);
  for (char *d; strcmp(column[5], "-") != 0 && (d = strsep(&dumps, ";"));)
    if (!add_dump(&all->keep, c, str_of(d), '='))
      return no(why, table, arena_printf(&all->keep, "line %u: buffers are not well-formed", row));
  return true;
}

bool exec_cases_table(struct exec_cases *out, const char *folder, struct diag *why) {
  const char *table = arena_printf(&out->keep, "%s/table.tsv", folder);
  str text, line;
  u32 row = 0;
  if (!file_read(&out->keep, table, FILE_MAX_BYTES, &text, why)) return false;
  while (str_line(&text, &line)) {
    row++;
    if (line.n && line.p[0] != '#' && !from_row(out, folder, table, row, line, why)) return false;
  }
  return out->count > 0 || no(why, table, "no cases");
}
