/* test_docs.c - what the pages say exists and runs: links, anchors, make targets, verbs, options,
 * commands. */
#include <check.h>
#include <ctype.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include "cli/sandbox.h"
#include "detect/detect.h"

Suite *suite_docs(void);

enum { PAGE_MAX = 1 << 20 };
static struct arena keep; /* of the test's own process */
static struct strbuf wrong;

static str page(const char *path) {
  struct diag why = {0};
  str s = {"", 0};
  if (!file_read(&keep, path, PAGE_MAX, &s, &why)) ck_abort_msg("%s: %s", path, why.text);
  return s;
}

static void for_pages(void (*visit)(const char *path, str text)) {
  static const char *const patterns[] = {"README.md", "docs/*.md", "puzzles/*/README.md"};
  for (size_t i = 0; i < COUNT_OF(patterns); i++) {
    glob_t g;
    ck_assert_msg(glob(patterns[i], 0, NULL, &g) == 0, "no %s", patterns[i]);
    for (size_t k = 0; k < g.gl_pathc; k++) visit(g.gl_pathv[k], page(g.gl_pathv[k]));
    globfree(&g);
  }
  if (wrong.n) ck_abort_msg("%s", wrong.p);
}

/* ---- links ---- */
/* "## One change, in one place" -> "one-change-in-one-place", as web views of a repository do. */
static void slug(str heading, char *out, size_t size) {
  size_t n = 0;
  for (size_t i = 0; i < heading.n && n + 1 < size; i++) {
    unsigned char c = (unsigned char)heading.p[i];
    if (isalnum(c) || c == '-' || c == '_' || c >= 0x80)
      out[n++] = (char)tolower(c);
    else if (c == ' ')
      out[n++] = '-';
  }
  out[n] = 0;
}

static bool has_anchor(str text, const char *anchor) {
  char own[256];
  str line;
  bool code = false;
  while (str_line(&text, &line)) {
    if (str_starts(line, "```")) code = !code;
    if (code || !str_starts(line, "#")) continue;
    while (line.n && *line.p == '#') line = (str){line.p + 1, line.n - 1};
    slug(str_trim(line), own, sizeof own);
    if (strcmp(own, anchor) == 0) return true;
  }
  return false;
}

static void check_link(const char *path, const char *target) {
  char file[1024], *anchor;
  const char *slash = strrchr(path, '/');
  if (strstr(target, "://") || str_starts(str_of(target), "mailto:")) return;
  if (*target == '#')
    snprintf(file, sizeof file, "%s%s", path, target);
  else
    snprintf(file, sizeof file, "%.*s%s", slash ? (int)(slash - path + 1) : 0, path, target);
  anchor = strchr(file, '#');
  if (anchor) *anchor++ = 0;
  glob_t g; /* folders count as well */
  bool there = glob(file, 0, NULL, &g) == 0;
  if (there) globfree(&g);
  if (!there)
    strbuf_printf(&wrong, "\n  %s: the link to %s leads nowhere", path, target);
  else if (anchor && !has_anchor(page(file), anchor))
    strbuf_printf(&wrong, "\n  %s: %s has no heading #%s", path, file, anchor);
}

static void links_of(const char *path, str text) {
  const char *end = text.p + text.n;
  for (const char *p = text.p; (p = strstr(p, "](")) && p < end;) {
    char target[512];
    p += 2;
    size_t n = strcspn(p, ") \n");
    if (p[n] != ')' || n == 0 || n >= sizeof target) continue;
    memcpy(target, p, n);
    target[n] = 0;
    check_link(path, target);
  }
}

START_TEST(links_resolve) { for_pages(links_of); }
END_TEST

/* The program prints docs/findings.md#VERDICT. */
START_TEST(every_verdict_has_a_section) {
  str text = page("docs/findings.md");
  for (int k = 0; k < V_COUNT; k++) {
    char anchor[32];
    slug(str_of(verdict_text((enum verdict_kind)k)), anchor, sizeof anchor);
    if (!has_anchor(text, anchor))
      strbuf_printf(&wrong, "\n  docs/findings.md has no section %s", anchor);
  }
  if (wrong.n) ck_abort_msg("%s", wrong.p);
}
END_TEST

/* ---- commands ---- */
static bool is_target(const char *word) {
  static str makefile;
  char rule[128];
  if (!makefile.n) makefile = page("Makefile");
  int n = snprintf(rule, sizeof rule, "\n%s:", word);
  return n < (int)sizeof rule && str_has(makefile, rule);
}

static bool is_verb(const char *word) {
  char row[128];
  snprintf(row, sizeof row, "{\"%s\", FOR_", word);
  return str_has(page("harness/cli/main.c"), row);
}

static bool is_option(const char *word) {
  char row[128];
  snprintf(row, sizeof row, "{\"%s\", O_", word);
  return strcmp(word, "help") == 0 || str_has(page("harness/cli/options.c"), row);
}

/* The next word of a command: letters, digits, - and _; what follows it is left in *p. */
static bool word(const char **p, char *out, size_t size) {
  size_t n = 0;
  while (**p == ' ') ++*p;
  while (isalnum((unsigned char)(*p)[n]) || ((*p)[n] && strchr("-_", (*p)[n]))) n++;
  if (!n || n >= size) return false;
  memcpy(out, *p, n);
  out[n] = 0;
  *p += n;
  return true;
}

static void make_command(const char *path, const char *p) {
  char w[64];
  while (word(&p, w, sizeof w)) {
    if (*p == '=') { /* P=07: a setting */
      p += strcspn(p, " `\n");
      continue;
    }
    if (!is_target(w)) strbuf_printf(&wrong, "\n  %s: make %s: there is no such target", path, w);
  }
}

static void program_command(const char *path, const char *p, const char *end) {
  char w[64];
  if (!word(&p, w, sizeof w) || w[0] == '-') return;
  if (!is_verb(w)) strbuf_printf(&wrong, "\n  %s: warplings %s: there is no such verb", path, w);
  for (; (p = strstr(p, "--")) && p < end; p++) {
    p += 2;
    if (word(&p, w, sizeof w) && !is_option(w))
      strbuf_printf(&wrong, "\n  %s: --%s: there is no such option", path, w);
  }
}

static void file_of_command(const char *path, const char *line, const char *end) {
  for (const char *p = line; (p = strstr(p, "tests/")) && p < end; p++) {
    size_t n = strcspn(p, " `\n)");
    char file[256];
    snprintf(file, sizeof file, "%.*s", (int)n, p);
    if (!strpbrk(file, "*.") || strpbrk(file, "*N")) continue; /* a folder, a pattern */
    if (!file_exists(file)) strbuf_printf(&wrong, "\n  %s: there is no %s", path, file);
  }
}

static void commands_of(const char *path, str text) {
  const char *start = text.p;
  str line;
  bool in_shell = false, in_code = false;
  while (str_line(&text, &line)) {
    if (str_starts(line, "```")) {
      in_code = !in_code;
      in_shell = in_code && str_starts(line, "```sh");
      continue;
    }
    if (!in_shell) continue;
    const char *end = line.p + line.n;
    if (str_starts(line, "make "))
      make_command(path, line.p + 5);
    else if (str_starts(line, "build/warplings "))
      program_command(path, line.p + 16, end);
    else if (line.n)
      strbuf_printf(&wrong, "\n  %s: neither make nor build/warplings: " STR_F, path, STR_A(line));
    file_of_command(path, line.p, end);
  }
  /* Inline: `make hint P=07`. */
  for (const char *p = start; (p = strstr(p, "`make ")); p++) make_command(path, p + 6);
}

START_TEST(commands_exist) { for_pages(commands_of); }
END_TEST

/* ---- the commands run: no usage error, no crash, nothing that could not be judged ---- */
static u32 commands_run_count;

static void run_program(const char *path, str line) {
  bool learns =
      str_starts(line, "build/warplings check") || str_starts(line, "build/warplings next");
  const char *root = learns && !str_has(line, "--source") ? "--root $S/all" : "";
  struct output o = sandbox_run(STR_F " %s", (int)(line.n - 16), line.p + 16, root);
  if (o.status > 1)
    strbuf_printf(&wrong, "\n  %s: " STR_F ": ends with %d: %s", path, STR_A(line), o.status,
                  o.err);
}

static void run_make(const char *path,
                     str line) { /* what it would do: the targets themselves run elsewhere */
  char command[400];
  snprintf(command, sizeof command, "make -n " STR_F " >build/docs.out 2>&1", (int)(line.n - 5),
           line.p + 5);
  if (system(command) != 0)
    strbuf_printf(&wrong, "\n  %s: make -n refuses: " STR_F, path, STR_A(line));
}

static void run_commands_of(const char *path, str text) {
  str line;
  bool in_shell = false, in_code = false;
  while (str_line(&text, &line)) {
    if (str_starts(line, "```")) {
      in_code = !in_code;
      in_shell = in_code && str_starts(line, "```sh");
      continue;
    }
    if (!in_shell || !line.n) continue;
    if (str_starts(line, "build/warplings "))
      run_program(path, line);
    else if (str_starts(line, "make "))
      run_make(path, line);
    else
      continue;
    commands_run_count++;
  }
}

/* A shell block with one command and, below it, a block that begins with "[exec]": what the command
 * prints, line by line, but for the compiler's name and the path of the program. */
static u32 outputs_compared;

static bool may_differ(str line) {
  return str_starts(line, "  build ") || str_starts(line, "  replay ");
}

static void compare_output(const char *path, str command, str text) {
  struct output o = sandbox_run(STR_F, (int)(command.n - 16), command.p + 16);
  str got = str_of(o.out), want, is;
  while (str_line(&text, &want) && !str_starts(want, "```")) {
    bool more = str_line(&got, &is);
    if (more && (str_eq(want, is) || (may_differ(want) && may_differ(is)))) continue;
    strbuf_printf(&wrong, "\n  %s: " STR_F "\n    says   " STR_F "\n    shown  " STR_F, path,
                  STR_A(command), STR_A(more ? is : STR("(no more)")), STR_A(want));
    return;
  }
  while (str_line(&got, &is)) /* an empty line at the end is none */
    if (is.n) strbuf_printf(&wrong, "\n  %s: not shown: " STR_F, path, STR_A(is));
  outputs_compared++;
}

static void outputs_of(const char *path, str text) {
  str line, command = {"", 0};
  while (str_line(&text, &line)) {
    if (str_starts(line, "build/warplings exec ")) command = line;
    if (str_starts(line, "[exec] ") && command.n) {
      size_t back = line.n + 1; /* the whole block again */
      compare_output(path, command, (str){text.p - back, text.n + back});
      command.n = 0;
    }
  }
}

START_TEST(outputs_are_real) {
  sandbox_make();
  for_pages(outputs_of);
  ck_assert_uint_ge(outputs_compared, 3);
}
END_TEST

START_TEST(commands_run) {
  char copy[600];
  const char *s = sandbox_make();
  snprintf(copy, sizeof copy,
           "mkdir -p %s/all && cp -r puzzles solutions %s/all && rm -f %s/all/puzzles/*/puzzle.cu*",
           s, s, s);
  ck_assert_int_eq(system(copy), 0);
  for_pages(run_commands_of);
  ck_assert_uint_gt(commands_run_count, 8);
}
END_TEST

/* What make can do, all of it, is in the README. */
START_TEST(every_target_is_in_the_readme) {
  str readme = page("README.md"), makefile = page("Makefile"), line;
  while (str_line(&makefile, &line)) {
    size_t n = 0;
    while (n < line.n && islower((unsigned char)line.p[n])) n++;
    if (!n || line.p[n] != ':' || !str_has(line, "## ")) continue;
    char want[64];
    snprintf(want, sizeof want, "`make %.*s", (int)n, line.p);
    if (!str_has(readme, want))
      strbuf_printf(&wrong, "\n  README.md does not list make %.*s", (int)n, line.p);
  }
  if (wrong.n) ck_abort_msg("%s", wrong.p);
}
END_TEST

Suite *suite_docs(void) {
  Suite *s = suite_create("docs");
  TCase *t = tcase_create("docs");
  tcase_add_test(t, links_resolve);
  tcase_add_test(t, every_verdict_has_a_section);
  tcase_add_test(t, commands_exist);
  tcase_add_test(t, commands_run);
  tcase_add_test(t, outputs_are_real);
  tcase_set_timeout(t, 120);
  tcase_add_test(t, every_target_is_in_the_readme);
  suite_add_tcase(s, t);
  return s;
}
