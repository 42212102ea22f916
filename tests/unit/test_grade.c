/* test_grade.c - the grader's parts: the sandbox against a program that means harm, frames and
 * records that are not whole, the course file, the roster, marks. What a class comes to:
 * tests/grade/. */
#define _GNU_SOURCE
#include <check.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "box/box.h"
#include "grade/grade.h"
#include "grade/jail.h"
#include "report/escape.h"
#include "report/report.h"

Suite *suite_grade(void);

static struct arena keep;
static u32 user; /* the sandboxed one; 0 when we are no root */

/* ---- the sandbox ---- */
/* Not below the project: another user has to reach it. */
static const char *program_path(void) {
  static char path[64];
  snprintf(path, sizeof path, "/tmp/warplings-hostile-%u", (unsigned)getuid());
  return path;
}

static struct jail_settings settings(enum grade_sandbox sandbox) {
  const char *program = program_path();
  struct jail_settings s = {.sandbox = sandbox};
  struct diag why = {0};
  ck_assert_msg(user || jail_user_claim(4000, &user, &why), "%s", why.text);
  s.uid = user;
  s.program[JAIL_VM] = s.program[JAIL_BOX] = program;
  return s;
}

static void make_hostile(void) {
  const char *cc = getenv("CC"), *to = program_path();
  char command[512];
  struct stat a, b;
  if (stat(to, &a) == 0 && stat("tests/grade/hostile.c", &b) == 0 && a.st_mtime > b.st_mtime)
    return;
  snprintf(command, sizeof command,
           "%s -std=gnu11 -O1 -static -o %s.new tests/grade/hostile.c && chmod 755 %s.new && mv "
           "%s.new %s",
           cc && *cc ? cc : "cc", to, to, to, to);
  ck_assert_msg(system(command) == 0, "cannot compile hostile.c");
}

/* Sandboxes that are to be had here; the others are tested where they are. */
static bool have(enum grade_sandbox s) {
  if (s == SANDBOX_BWRAP) return access("/usr/bin/bwrap", X_OK) == 0;
  return s != SANDBOX_UID || geteuid() == 0;
}

static u32 processes_of(u32 uid) {
  DIR *d = opendir("/proc");
  u32 n = 0;
  for (struct dirent *e; d && (e = readdir(d));) {
    struct stat s;
    if (e->d_name[0] >= '1' && e->d_name[0] <= '9' && fstatat(dirfd(d), e->d_name, &s, 0) == 0 &&
        s.st_uid == uid)
      n++;
  }
  closedir(d);
  return n;
}

static bool any_children(void) {
  char path[64], c;
  snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
  FILE *f = fopen(path, "r");
  bool any = f && fread(&c, 1, 1, f) == 1;
  if (f) fclose(f);
  return any;
}

static bool starved; /* what the last jail that was too slow is said to be */

/* Asks for one kind of harm. true: an answer came, in *text. */
static bool harm(enum grade_sandbox sandbox, const char *what, u32 ms, char text[4096],
                 struct diag *why) {
  struct jail j = {0};
  struct jail_settings s = settings(sandbox);
  struct strbuf request = {0}, reply = {0};
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  make_hostile();
  ck_assert_msg(jail_start(&j, &s, JAIL_VM, why), "%s", why->text);
  struct jail_budget time = jail_budget(&j, 10000);
  ck_assert_msg(jail_ask(&j, BOX_HELLO, &request, 0, &time, &reply, why), "%s: %s",
                grade_sandbox_name(sandbox), why->text);
  strbuf_printf(&request, "%s", what);
  time = jail_budget(&j, ms);
  bool ok = jail_ask(&j, BOX_LOAD, &request, 4095, &time, &reply, why);
  if (ok) snprintf(text, 4096, "%.*s", (int)reply.n, reply.p ? reply.p : "");
  starved = j.too_slow && j.starved;
  jail_stop(&j);
  strbuf_free(&request);
  strbuf_free(&reply);
  ck_assert_msg(!any_children(), "%s leaves processes behind in %s", what,
                grade_sandbox_name(sandbox));
  if (user) ck_assert_uint_eq(processes_of(user), 0);
  return ok;
}

#define EACH(sandbox)                                                                              \
  for (enum grade_sandbox sandbox = SANDBOX_BWRAP; sandbox < SANDBOX_COUNT; sandbox++)             \
    if (have(sandbox))

START_TEST(users_are_not_shared) {
  struct diag why = {0};
  u32 mine = 0, other = 0;
  int fds[2];
  if (geteuid() != 0) return;
  ck_assert(jail_user_claim(4000, &mine, &why) && pipe(fds) == 0);
  if (fork() == 0) { /* another process gets another user, though it was born with our claim */
    bool ok = jail_user_claim(4000, &other, &why);
    _exit(ok && write(fds[1], &other, sizeof other) == sizeof other ? 0 : 1);
  }
  ck_assert(read(fds[0], &other, sizeof other) == sizeof other);
  ck_assert(mine >= 61200 && other >= 61200 && mine != other);
  jail_user_release();
}
END_TEST

START_TEST(sees_nothing) {
  struct diag why = {0};
  char text[4096] = "";
  if (UNDER_ASAN || !have(SANDBOX_BWRAP)) return; /* such builds protect nobody: jail.h */
  ck_assert_msg(harm(SANDBOX_BWRAP, "report", 5000, text, &why), "%s", why.text);
  ck_assert_str_eq(text, "");
}
END_TEST

START_TEST(another_user_at_least) {
  struct diag why = {0};
  char text[4096] = "";
  if (!have(SANDBOX_UID)) return;
  ck_assert_msg(harm(SANDBOX_UID, "report", 5000, text, &why), "%s", why.text);
  ck_assert_msg(!strstr(text, "is root") && !strstr(text, "has descriptor"), "%s", text);
}
END_TEST

START_TEST(nobody_survives) {
  EACH(s) {
    struct diag why = {0};
    char text[4096] = "";
    bool answered = harm(s, "daemons", 5000, text, &why);
    ck_assert_msg(answered || s == SANDBOX_BWRAP, "%s", why.text);
    memset(&why, 0, sizeof why);
    text[0] = 0;
    /* As root without another user there is no limit to hit: 5,000 is where it stops by itself. */
    if (s == SANDBOX_NONE && geteuid() == 0) continue;
    if (harm(s, "bomb", 20000, text, &why)) ck_assert_int_lt(atoi(text), 2000);
  }
}
END_TEST

START_TEST(memory_has_an_end) {
  if (UNDER_ASAN) return; /* it takes terabytes of addresses: jail.h */
  EACH(s) {
    struct diag why = {0};
    char text[4096] = "";
    if (harm(s, "memory", 20000, text, &why)) ck_assert_int_le(atoi(text), 1100);
  }
}
END_TEST

START_TEST(bad_answers_are_faults) {
  static const char *const kinds[][2] = {{"silent", "took too long"},
                                         {"leaves", "ended without an answer"},
                                         {"crashes", "ended without an answer"},
                                         {"floods", "no answer"},
                                         {"other", "no answer"},
                                         {"huge", "more than is allowed"},
                                         {"short", "ended without an answer"},
                                         {"babbles", "took too long"}};
  EACH(s)
  for (size_t i = 0; i < COUNT_OF(kinds); i++) {
    struct diag why = {0};
    char text[4096];
    ck_assert_msg(!harm(s, kinds[i][0], 1500, text, &why), "%s passes for an answer", kinds[i][0]);
    ck_assert_msg(strstr(why.text, kinds[i][1]) != NULL, "%s: %s", kinds[i][0], why.text);
  }
}
END_TEST

/* Who works through his time was too slow; who was not let work was not. */
START_TEST(time_is_worked_time) {
  EACH(s) {
    struct diag why = {0};
    char text[4096];
    ck_assert(!harm(s, "spins", 700, text, &why));
    ck_assert_msg(strstr(why.text, "took too long") && !starved, "%s: %s", grade_sandbox_name(s),
                  why.text);
    ck_assert(!harm(s, "silent", 700, text, &why));
    ck_assert_msg(strstr(why.text, "too busy") && starved, "%s: %s", grade_sandbox_name(s),
                  why.text);
  }
}
END_TEST

/* ---- a machine that lies ---- */
static const char *make_liar(void) {
  static char path[64]; /* other users read it: not in a folder of ours */
  struct strbuf bytes = {0}, command = {0};
  struct verdict v;
  const char *cc = getenv("CC");
  snprintf(path, sizeof path, "/tmp/warplings-liar-%u", (unsigned)getpid());
  verdict_init(&v);
  verdict_write(&bytes, &v);
  strbuf_printf(&command,
                "%s -std=gnu11 -O1 -static -Iharness -o %s -D'EMPTY=", cc && *cc ? cc : "cc", path);
  for (size_t i = 0; i < bytes.n; i++) strbuf_printf(&command, "%u,", (unsigned char)bytes.p[i]);
  strbuf_printf(&command,
                "' tests/grade/liar.c harness/box/frame.c harness/base/*.c && chmod 755 %s", path);
  ck_assert_msg(system(command.p) == 0, "cannot compile liar.c");
  strbuf_free(&bytes);
  strbuf_free(&command);
  return path;
}

/* Where the program under test has its companions; NULL: not told. */
static const char *real_box(void) {
  const char *program = getenv("WARPLINGS"), *slash = program ? strrchr(program, '/') : NULL;
  const char *path =
      slash ? arena_printf(&keep, "%.*s/warplings-box", (int)(slash - program), program)
            : "build/warplings-box";
  /* Absolute: jails have folders of their own. */
  char *whole = realpath(path, NULL), *kept = whole ? arena_printf(&keep, "%s", whole) : NULL;
  free(whole);
  return kept;
}

enum { ROUND = 60 };
START_TEST(lies_never_pass) {
  struct diag why = {0};
  struct jail_settings s = {.sandbox = SANDBOX_NONE};
  str source;
  u32 kinds[V_COUNT] = {0};
  char last[256] = "";
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  s.program[JAIL_BOX] = real_box();
  if (!s.program[JAIL_BOX] || compile_default() == COMPILER_AUTO) return;
  s.program[JAIL_VM] = make_liar();
  ck_assert(file_read(&keep, "solutions/01_lost_update.cu", 1 << 20, &source, &why));
  struct shop *shop = shop_open(&keep, &s);
  int p = pz_puzzle_find("01_lost_update", &why);
  ck_assert_int_ge(p, 0);
  /* A machine with much else to do may let the liar starve: then more rounds, in processes anew. */
  for (u64 seed = 1; seed <= ROUND || (seed <= 3 * ROUND && kinds[V_WRONG] <= 2); seed++) {
    if (seed > 1 && seed % ROUND == 1) {
      shop_close(shop);
      shop = shop_open(&keep, &s);
    }
    struct arena scratch = {0};
    struct verdict v;
    struct pz_request r = {.path = "01_lost_update.cu", .wants_values = true, .hidden_cases = 2};
    r.input_seed = r.plan.seed = seed;
    r.workshop = shop_file(shop, r.path, source, COMPILER_AUTO, 20000);
    pz_judge(&scratch, pz_puzzle_at((u32)p), &r, &v);
    ck_assert_msg(v.kind != V_PASS, "seed %llu passes", (unsigned long long)seed);
    ck_assert_msg(v.kind == V_INTERNAL || v.kind == V_WRONG || v.kind == V_COMPILE ||
                      v.kind == V_UNINIT || v.kind == V_TRAP,
                  "seed %llu: %s", (unsigned long long)seed, verdict_text(v.kind));
    kinds[v.kind]++;
    const struct finding *f = v.kind == V_INTERNAL ? report_reason(&v) : NULL;
    if (f) snprintf(last, sizeof last, "%.255s", f->message);
    arena_free(&scratch);
  }
  shop_close(shop);
  unlink(s.program[JAIL_VM]);
  /* It got through often enough to be found out by its values, and was caught spoiling. */
  ck_assert_msg(kinds[V_WRONG] > 2 && kinds[V_INTERNAL] > 10, "WRONG %u, INTERNAL %u, as %s",
                kinds[V_WRONG], kinds[V_INTERNAL], last);
  ck_assert(!any_children());
}
END_TEST

/* ---- frames ---- */
START_TEST(frames_that_are_not_whole) {
  struct strbuf b = {0};
  struct diag d = {0}, got = {0};
  diag_set(&d, "text");
  box_put_u32(&b, 7);
  box_put_text(&b, STR("hello"));
  box_put_diag(&b, &d);
  for (size_t n = 0; n <= b.n; n++) {
    struct box_reader r = {.rest = {b.p, n}};
    u32 v = box_get_u32(&r);
    str s = box_get_text(&r);
    box_get_diag(&r, &got);
    ck_assert(box_done(&r) == (n == b.n));
    if (n == b.n) ck_assert(v == 7 && str_eqz(s, "hello") && strcmp(got.text, "text") == 0);
  }
  u64 most = UINT64_MAX; /* a length that would wrap */
  struct box_reader r = {.rest = {(const char *)&most, sizeof most}};
  box_get_text(&r);
  ck_assert(r.bad);
  strbuf_free(&b);
}
END_TEST

/* ---- records ---- */
START_TEST(records_are_whole_or_nothing) {
  struct diag why = {0};
  struct record r = {.puzzle = "01_lost_update", .name = "a\nb.cu", .tries = 1}, got;
  char hex[65];
  str bytes;
  char dir[] = "/tmp/warplings-record-XXXXXX";
  ck_assert(mkdtemp(dir) != NULL);
  const char *path = arena_printf(&keep, "%s/record", dir);
  grade_sha256(STR("x"), hex);
  r.source_sha256 = hex;
  verdict_init(&r.v);
  r.v.kind = V_RACE;
  ck_assert_msg(record_write(path, &r, &why), "%s", why.text);
  ck_assert(record_read(&keep, path, &got));
  ck_assert(got.v.kind == V_RACE && strcmp(got.name, r.name) == 0 && got.tries == 1);
  ck_assert(file_read(&keep, path, 1 << 20, &bytes, &why));
  for (size_t i = 0; i < bytes.n; i += 7) { /* cut short, or one byte changed */
    char *copy = (char *)(uintptr_t)str_copy(&keep, bytes).p;
    ck_assert(file_write(path, (str){copy, i}, &why));
    ck_assert(!record_read(&keep, path, &got));
    copy[i] ^= 1;
    ck_assert(file_write(path, (str){copy, bytes.n}, &why));
    ck_assert_msg(!record_read(&keep, path, &got), "byte %zu", i);
  }
  unlink(path);
  rmdir(dir);
}
END_TEST

/* ---- the course ---- */
START_TEST(course_files) {
  static const char *const wrong[] = {"points 3\n",
                                      "puzzle 99\n",
                                      "puzzle 01 points=-1\n",
                                      "puzzle 01 points=1e9\n",
                                      "puzzle 01\npuzzle 1\n",
                                      "late 10 a day, 3 days\n",
                                      "late 10% a day\n",
                                      "deadline tomorrow\n",
                                      "hidden 1.5\n",
                                      "hidden 99\n",
                                      "secret short\n",
                                      "attempts all\n",
                                      "puzzle 01 race=120%\n",
                                      "compiler icc\n",
                                      "title\n"};
  struct course c;
  for (size_t i = 0; i < COUNT_OF(wrong); i++) {
    struct diag why = {0};
    ck_assert_msg(!course_read(&keep, "c", str_of(wrong[i]), &c, &why), "%s", wrong[i]);
    ck_assert(why.text[0] && why.line > 0);
  }
  struct diag why = {0};
  ck_assert_msg(
      course_read(&keep, "c",
                  STR("# a course\ntitle Sheet 3 # with a comment\nsecret some words here\n"
                      "deadline 2026-11-02T23:59\nlate 10% a day, 3 days\nattempts best\nhidden 5\n"
                      "all points=4 race=25%\npuzzle 02 points=10 bonus hidden=40%\npuzzle 01\n"),
                  &c, &why),
      "%s", why.text);
  ck_assert_str_eq(c.title, "Sheet 3");
  ck_assert(c.best && c.hidden_cases == 5 && c.count == 2 && c.late_days_max == 3);
  ck_assert(c.puzzles[0].points == 10 && c.puzzles[0].bonus && c.puzzles[0].hidden == 0.4);
  ck_assert(c.puzzles[1].points == 4 && c.puzzles[1].race == 0.25 && c.puzzles[1].hidden == 1);
  ck_assert(course_read(&keep, "", STR(""), &c, &why) && c.count == pz_puzzle_count());
}
END_TEST

START_TEST(rosters) {
  struct roster r;
  struct diag why = {0};
  str good = STR("email,student_id,last_name\r\n\"a,b\"\"c\",alice,\"Two\nlines\"\r\n,bob,B\n");
  ck_assert_msg(roster_read(&keep, "r", good, &r, &why), "%s", why.text);
  ck_assert_uint_eq(r.count, 2);
  ck_assert_str_eq(roster_find(&r, "alice")->email, "a,b\"c");
  ck_assert_str_eq(roster_find(&r, "alice")->last_name, "Two\nlines");
  ck_assert(!roster_find(&r, "carol"));
  static const char *const wrong[] = {"id,name\nx,y\n", "student_id\nalice\nalice\n",
                                      "student_id,deadline\nalice,soon\n", "student_id\n\"open\n"};
  for (size_t i = 0; i < COUNT_OF(wrong); i++)
    ck_assert_msg(!roster_read(&keep, "r", str_of(wrong[i]), &r, &why), "%s", wrong[i]);
}
END_TEST

/* ---- marks ---- */
static double points(const char *course, enum verdict_kind kind, bool values, bool hidden, i64 time,
                     bool *open) {
  struct plan p = {0};
  struct diag why = {0};
  struct mark m;
  ck_assert_msg(course_read(&keep, "c", str_of(course), &p.course, &why), "%s", why.text);
  struct outcome o = {.puzzle = &p.course.puzzles[0], .name = "x"};
  verdict_init(&o.v);
  o.v.kind = kind;
  o.v.evidence.values_right = values;
  o.v.evidence.hidden_failed = hidden;
  score_mark(&keep, &p, NULL, &p.course.puzzles[0], &o, time, &m);
  *open = m.open;
  return m.points;
}

START_TEST(marks) {
  static const char c[] = "deadline 2026-01-01T00:00Z\nlate 10% a day, 3 days\n"
                          "puzzle 01 points=8 race=50% rule=25% hidden=75%\n";
  i64 due = 0, day = 86400;
  bool open;
  ck_assert(course_time("2026-01-01T00:00Z", &due));
  const struct {
    enum verdict_kind kind;
    bool values, hidden;
    i64 late;
    double want;
  } rows[] = {{V_PASS, true, false, 0, 8},       {V_RACE, true, false, 0, 4},
              {V_RACE, false, false, 0, 0},      {V_RULE, true, false, 0, 2},
              {V_WRONG, true, false, 0, 0},      {V_WRONG, true, true, 0, 2},
              {V_COMPILE, false, false, 0, 0},   {V_PASS, true, false, 1, 7.2},
              {V_PASS, true, false, 86400, 7.2}, {V_PASS, true, false, 86401, 6.4},
              {V_RACE, true, false, 1, 3.6},     {V_PASS, true, false, 0, 8}};
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    double got = points(c, rows[i].kind, rows[i].values, rows[i].hidden, due + rows[i].late, &open);
    ck_assert_msg(got == rows[i].want && !open, "row %zu: %g, not %g", i, got, rows[i].want);
  }
  ck_assert(points(c, V_PASS, true, false, due + 3 * day, &open) == 5.6);
  ck_assert(points(c, V_PASS, true, false, due + 3 * day + 1, &open) == 0);
  /* What the suite could not judge is no zero. */
  points(c, V_INTERNAL, false, false, due, &open);
  ck_assert(open);
  points(c, V_SKIP, false, false, due, &open);
  ck_assert(open);
}
END_TEST

START_TEST(csv_cells) {
  static const char *const rows[][2] = {
      {"plain", "plain"},  {"=1+1", "\"'=1+1\""},    {"a,b", "\"a,b\""}, {"\"", "\"\"\"\""},
      {" -x", "\"' -x\""}, {"\xff", "\xef\xbf\xbd"}, {"", ""},           {"a\nb", "\"a\nb\""}};
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    escape_csv(f, rows[i][0]);
    fclose(f);
    ck_assert_str_eq(text, rows[i][1]);
    free(text);
  }
}
END_TEST

Suite *suite_grade(void) {
  Suite *s = suite_create("grade");
  TCase *parts = tcase_create("parts"), *jail = tcase_create("jail");
  tcase_add_test(parts, frames_that_are_not_whole);
  tcase_add_test(parts, records_are_whole_or_nothing);
  tcase_add_test(parts, course_files);
  tcase_add_test(parts, rosters);
  tcase_add_test(parts, marks);
  tcase_add_test(parts, csv_cells);
  suite_add_tcase(s, parts);
  tcase_set_timeout(jail, 120);
  tcase_add_test(jail, users_are_not_shared);
  tcase_add_test(jail, sees_nothing);
  tcase_add_test(jail, another_user_at_least);
  tcase_add_test(jail, nobody_survives);
  tcase_add_test(jail, memory_has_an_end);
  tcase_add_test(jail, bad_answers_are_faults);
  tcase_add_test(jail, time_is_worked_time);
  tcase_add_test(jail, lies_never_pass);
  suite_add_tcase(s, jail);
  return s;
}
