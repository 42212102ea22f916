/* test_end_to_end.c - the program as a learner meets it: exit statuses, what is repeated byte for
 * byte, hints, reset, colours, usage errors. What hostile files do is test_hostile.c's business. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "cli/sandbox.h"

Suite *suite_end_to_end(void);

static bool says(const struct output *o, const char *text) {
  return strstr(o->out, text) || strstr(o->err, text);
}
#define SAYS(o, text)                                                                              \
  ck_assert_msg(says(&(o), text), "'%s' is missing in:\n%s%s", text, (o).out, (o).err)
#define STATUS(o, want)                                                                            \
  ck_assert_msg((o).status == (want), "exit status %d, not %d:\n%s%s", (o).status, (want),         \
                (o).out, (o).err)

/* ---- exit statuses ---- */
START_TEST(status_0_when_all_pass) {
  sandbox_make();
  struct output o = sandbox_run("check 01 02 --root $S --source $S/solutions");
  STATUS(o, 0);
  SAYS(o, "01_lost_update");
}
END_TEST

START_TEST(status_1_when_something_fails) {
  sandbox_make();
  struct output o = sandbox_run("check 01 02 --root $S");
  STATUS(o, 1);
  SAYS(o, "RACE");
  SAYS(o, "make check P=01 SEED=1");
  SAYS(o, "docs/findings.md#race");
}
END_TEST

START_TEST(status_2_when_something_was_not_judged) {
  sandbox_make();
  sandbox_text("mine/01_lost_update.cu/file", "");
  sandbox_text("mine/02_read_before_write.cu", "int");
  struct output o = sandbox_run("check 01 02 --root $S --source $S/mine");
  STATUS(o, 2); /* wins over the 1 of the other */
  SAYS(o, "COMPILE");
}
END_TEST

/* The run on the README's first screen, line by line. What depends on the machine or on how many
 * puzzles there are may differ. */
START_TEST(readme_shows_a_real_run) {
  static struct arena keep;
  struct diag why = {0};
  str text, line;
  u32 compared = 0;
  sandbox_make();
  struct output o = sandbox_run("check 02 --root $S");
  ck_assert(file_read(&keep, "README.md", 1 << 20, &text, &why));
  while (str_line(&text, &line) && !str_eqz(line, "```")) {}
  while (str_line(&text, &line) && !str_eqz(line, "```")) {
    if (!line.n || str_starts(line, "[") || str_starts(line, "  build") ||
        str_starts(line, "  Progress"))
      continue;
    SAYS(o, str_copy(&keep, line).p);
    compared++;
  }
  ck_assert_uint_gt(compared, 8);
}
END_TEST

/* ---- usage errors: status 2, nothing on stdout, a word on stderr ---- */
static const struct {
  const char *words, *says;
} wrong_usage[] = {
    {"fly", "no verb"},
    {"check 99 --root $S", "99"},
    {"check zebra --root $S", "zebra"},
    {"check --frobnicate --root $S", "--frobnicate"},
    {"check --seed x --root $S", "--seed"},
    {"check --format xml --root $S", "--format"},
    {"check --schedule sideways --root $S", "--schedule"},
    {"check --root $S/nowhere", "--root"},
    {"check --root $S --source $S/nowhere", "--source"},
    {"hint 99 --root $S", "99"},
    {"reset --root $S", "which puzzle"},
    {"list 01 --root $S", "no puzzle"},
    {"next 01 --root $S", "no puzzle"},
    {"watch --root $S", "needs a terminal"},
    {"watch 99 --root $S", "99"},
    {"exec", "needs a file"},
    {"exec a.cu b.cu --grid 1 --block 1", "one file"},
    {"exec README.md --grid 1 --block 1", ".cu or .ptx"},
    {"exec $S/none.cu --grid 1 --block 1", "none.cu"},
    {"exec tests/pairs/trap_right.cu --block 32", "--grid"},
    {"exec tests/pairs/trap_right.cu --grid 1", "--block"},
    {"exec tests/pairs/trap_right.cu --grid 0 --block 32", "--grid"},
    {"exec tests/pairs/trap_right.cu --grid 1,2,3,4 --block 32", "--grid"},
    {"exec tests/pairs/trap_right.cu --grid 1 --block 32", "parameter"},
    {"exec tests/pairs/trap_right.cu --grid 1 --block 32 --arg i32:1 --arg i32:2", "parameter"},
    {"exec tests/pairs/trap_right.cu --grid 1 --block 32 --arg f32:1", "does not fit"},
    {"exec tests/pairs/trap_right.cu --grid 1 --block 32 --arg blob", "blob"},
    {"exec tests/pairs/trap_right.cu --grid 1 --block 32 --arg i32:12x", "12x"},
    {"exec tests/pairs/trap_right.cu --grid 1 --block 32 --arg u8:256", "256"},
    {"exec tests/pairs/trap_right.cu --grid 1 --block 32 --arg buf", "buf"},
    {"exec tests/pairs/trap_right.cu --grid 1 --block 32 --arg buf:i32", "buf:i32"},
    {"exec tests/pairs/trap_right.cu --grid 1 --block 32 --arg buf:i33:4", "buf:i33"},
    {"exec tests/pairs/trap_right.cu --grid 1 --block 32 --arg buf:i32:-4", "buf:i32:-4"},
    {"exec tests/pairs/trap_right.cu --grid 1 --block 32 --arg buf:i32:99999999999999999999",
     "buf:i32:9"},
    {"exec tests/pairs/trap_right.cu --grid 1 --block 32 --arg buf:i32:4:random", "random"},
    {"exec tests/pairs/trap_right.cu --grid 1 --block 32 --arg buf:i32:2:=1,2,3",
     "more than 2 values"},
    {"exec tests/pairs/trap_right.cu --grid 1 --block 32 --arg buf:i32:2:=1,,2", "buf:i32:2"},
    {"exec tests/pairs/trap_right.cu --grid 1 --block 32 --arg buf:i32:32:iota --dump 1", "--dump"},
    {"exec tests/pairs/trap_right.cu --grid 1 --block 32 --arg buf:i32:32:iota --dump x", "--dump"},
    {"exec tests/pairs/trap_right.cu --grid 1 --block 32 --arg buf:i32:32:iota --kernel other",
     "other"},
    {"exec tests/pairs/trap_right.cu --grid 1 --block 32 --arg buf:i32:32:iota --strict everything",
     "everything"},
    {"exec tests/pairs/trap_right.cu --grid 1 --block 32 --arg buf:i32:32:iota --build fast",
     "--build"},
    {"exec tests/pairs/trap_right.cu --grid 1 --block 32 --arg buf:i32:32:iota --max-steps 0",
     "--max-steps"},
    {"exec tests/kernels/k26_spinlock.cu --grid 1 --block 32 --arg buf:i32:1:zero --arg "
     "buf:i32:1:zero",
     "--kernel"},
};

START_TEST(usage_errors) {
  sandbox_make();
  struct output o = sandbox_run("%s", wrong_usage[_i].words);
  STATUS(o, 2);
  ck_assert_msg(o.out_bytes == 0, "%s\nprints on stdout:\n%s", wrong_usage[_i].words, o.out);
  ck_assert_msg(strstr(o.err, wrong_usage[_i].says), "%s\n'%s' is missing in: %s",
                wrong_usage[_i].words, wrong_usage[_i].says, o.err);
}
END_TEST

START_TEST(no_verb_at_all) {
  sandbox_make();
  struct output o = sandbox_run(" ");
  STATUS(o, 2);
  SAYS(o, "usage:");
}
END_TEST

/* ---- help ---- */
static const char *const verbs[] = {"check", "next",     "list",   "hint",      "reset",
                                    "watch", "solution", "doctor", "selfcheck", "exec"};

START_TEST(help_of_every_verb) {
  char want[64];
  sandbox_make();
  struct output o = sandbox_run("--help");
  STATUS(o, 0);
  SAYS(o, verbs[_i]);
  o = sandbox_run("%s --help", verbs[_i]);
  STATUS(o, 0);
  snprintf(want, sizeof want, "usage: warplings %s", verbs[_i]);
  SAYS(o, want);
  SAYS(o, "--root");
}
END_TEST

START_TEST(doctor_finds_something) {
  sandbox_make();
  struct output o = sandbox_run("doctor --root $S");
  ck_assert_int_le(o.status, 2);
  SAYS(o, "NVRTC");
  SAYS(o, "clang");
}
END_TEST

/* ---- the same seed, the same bytes ---- */
static const char *const repeated[] = {
    "check 01 02 --root $S --seed 7",
    "check 01 02 --root $S --seed 7 --format tap",
    "check 01 02 --root $S --seed 7 --jobs 1 --format json",
    "check 01 02 --root $S --seed 7 --source $S/solutions --counters",
    "exec tests/pairs/flag_release_wrong.cu --grid 2 --block 1 --arg buf:i32:1:zero --arg "
    "buf:i32:1 --arg buf:i32:1 --seed 7",
    "exec tests/kernels/k02_atomic_counter.cu --kernel k2 --grid 2 --block 64 --arg buf:i32:1:zero "
    "--arg buf:i32:128 "
    "--schedule random --seed 7 --dump 1 --counters --format json",
    "exec tests/kernels/k35_ring_mpmc.cu --grid 4 --block 1 --arg buf:u32:130:zero --arg "
    "buf:i32:1:zero --arg i32:0 --seed 3",
};

/* How long it took may differ: blanks the numbers behind that word. */
static void hide_times(char *s) {
  for (char *p = s; (p = strstr(p, "\"milliseconds\": "));)
    for (p += strlen("\"milliseconds\": "); *p && *p != '}' && *p != ','; p++) *p = '#';
}

START_TEST(same_seed_same_bytes) {
  sandbox_make();
  struct output a = sandbox_run("%s", repeated[_i]);
  if (strncmp(repeated[_i], "check", 5) == 0)
    a = sandbox_run("%s", repeated[_i]); /* the first also made the files */
  struct output b = sandbox_run("%s", repeated[_i]);
  ck_assert_int_le(a.status, 1);
  hide_times(a.out);
  hide_times(b.out);
  ck_assert_int_eq(a.status, b.status);
  ck_assert_str_eq(a.out, b.out);
  ck_assert_str_eq(a.err, b.err);
  ck_assert_uint_gt(a.out_bytes, 40);
}
END_TEST

START_TEST(another_seed_other_order) {
  sandbox_make();
  const char *words = "exec tests/kernels/k02_atomic_counter.cu --kernel k2 --grid 2 --block 64 "
                      "--arg buf:i32:1:zero "
                      "--arg buf:i32:128 --schedule random --dump 1 --seed";
  struct output a = sandbox_run("%s 1", words), b = sandbox_run("%s 2", words);
  ck_assert_str_ne(a.out, b.out);
}
END_TEST

/* The printed replay command shows the same finding. */
START_TEST(replay_repeats_the_finding) {
  sandbox_make();
  struct output o =
      sandbox_run("exec tests/pairs/flag_release_wrong.cu --grid 2 --block 1 --arg buf:i32:1:zero "
                  "--arg buf:i32:1 --arg buf:i32:1");
  STATUS(o, 1);
  char *replay = strstr(o.out, "replay");
  ck_assert_ptr_nonnull(replay);
  replay = strstr(replay, " exec ");
  ck_assert_ptr_nonnull(replay);
  replay[strcspn(replay, "\n")] = 0;
  struct output again = sandbox_run("%s", replay);
  STATUS(again, 1);
  SAYS(again, "RACE");
  SAYS(again, "flag_release_wrong.cu:6");
}
END_TEST

/* Two builds: where one fails and the other passes, the report says so; else it does not. */
static const struct {
  const char *when; /* the condition under which the kernel traps */
  const char *says; /* NULL: nothing about builds */
  int status;
} builds[] = {
    {"OPTIMISED", "Only the optimised build shows this: the unoptimised one passed 64", 1},
    {"!OPTIMISED", "Only the unoptimised build shows this: the optimised one passed 64", 1},
    {"1", NULL, 1},
    {"0", NULL, 0},
};
START_TEST(only_one_build_shows_it) {
  sandbox_make();
  struct strbuf text = {0};
  strbuf_printf(
      &text,
      "#if defined(__OPTIMIZE__) || (defined(__CUDACC_RTC__) && !defined(__CUDACC_DEBUG__))\n"
      "#define OPTIMISED 1\n#else\n#define OPTIMISED 0\n#endif\n"
      "__global__ void k(int *out) {\n  if (%s) __trap();\n  out[0] = 1;\n}\n",
      builds[_i].when);
  sandbox_write("two.cu", text.p, text.n);
  strbuf_free(&text);
  struct output o =
      sandbox_run("exec $S/two.cu --grid 1 --block 1 --arg buf:i32:1 --build both --format json");
  STATUS(o, builds[_i].status);
  if (builds[_i].says)
    SAYS(o, builds[_i].says);
  else
    ck_assert_ptr_null(strstr(o.out, "build shows this"));
  SAYS(o, builds[_i].status ? "\"verdict\": \"TRAP\"" : "\"verdict\": \"PASS\"");
}
END_TEST

/* ---- learning ---- */
START_TEST(hints_come_one_by_one) {
  sandbox_make();
  for (int i = 1; i <= 4; i++) {
    char want[32];
    struct output o = sandbox_run("hint 01 --root $S");
    STATUS(o, 0);
    snprintf(want, sizeof want, "hint %d of 3", i < 3 ? i : 3);
    SAYS(o, want);
  }
  struct output o = sandbox_run("hint --root $S"); /* the first that is not solved */
  SAYS(o, "01_lost_update, hint 3 of 3");
  o = sandbox_run("hint 2 --root $S"); /* each puzzle counts for itself */
  SAYS(o, "hint 1 of 3");
}
END_TEST

START_TEST(reset_keeps_a_backup) {
  const char *mine = "puzzles/01_lost_update/puzzle.cu";
  sandbox_make();
  sandbox_run("check 01 --root $S");
  str skeleton = sandbox_read("puzzles/01_lost_update/skeleton.cu");
  ck_assert(str_eq(sandbox_read(mine), skeleton)); /* check made it */
  sandbox_text(mine, "// my first\n");
  struct output o = sandbox_run("reset 01 --root $S");
  STATUS(o, 0);
  SAYS(o, "puzzle.cu.bak-1");
  o = sandbox_run("reset 01 --root $S"); /* of what is reset already */
  STATUS(o, 0);
  SAYS(o, "as it is");
  ck_assert(str_eq(sandbox_read(mine), skeleton));
  ck_assert(str_eqz(sandbox_read("puzzles/01_lost_update/puzzle.cu.bak-1"), "// my first\n"));
  sandbox_text(mine, "// my second\n");
  sandbox_run("reset 01 --root $S");
  ck_assert(str_eqz(sandbox_read("puzzles/01_lost_update/puzzle.cu.bak-1"), "// my first\n"));
  ck_assert(str_eqz(sandbox_read("puzzles/01_lost_update/puzzle.cu.bak-2"), "// my second\n"));
}
END_TEST

START_TEST(a_learners_work_is_never_touched) {
  const char *mine = "puzzles/01_lost_update/puzzle.cu", *text = "// nothing that compiles\n!\n";
  sandbox_make();
  sandbox_text(mine, text);
  STATUS(sandbox_run("check 01 --root $S"), 1);
  sandbox_text("puzzles/01_lost_update/skeleton.cu", "// a new version\n");
  STATUS(sandbox_run("check 01 --root $S"), 1);
  ck_assert(str_eqz(sandbox_read(mine), text));
}
END_TEST

START_TEST(next_goes_on_when_one_is_solved) {
  sandbox_make();
  struct output o = sandbox_run("next --root $S");
  STATUS(o, 1);
  SAYS(o, "01_lost_update");
  str s = sandbox_read("solutions/01_lost_update.cu");
  sandbox_write("puzzles/01_lost_update/puzzle.cu", s.p, s.n);
  o = sandbox_run("next --root $S");
  STATUS(o, 0);
  o = sandbox_run("next --root $S");
  STATUS(o, 1);
  SAYS(o, "02_read_before_write");
  o = sandbox_run("list --root $S");
  STATUS(o, 0);
  SAYS(o, "solved");
}
END_TEST

START_TEST(solution_asks_to_try_first) {
  sandbox_make();
  struct output o = sandbox_run("solution 01 --root $S");
  ck_assert_int_ne(o.status, 0);
  ck_assert_ptr_null(strstr(o.out, "atomicAdd"));
  o = sandbox_run("solution 01 --force --root $S");
  STATUS(o, 0);
  SAYS(o, "atomicAdd");
}
END_TEST

START_TEST(a_damaged_state_is_no_state) {
  sandbox_make();
  sandbox_write(".warplings/state", "\0\377garbage\n\n01_lost_update", 26);
  STATUS(sandbox_run("list --root $S"), 0);
  STATUS(sandbox_run("check 01 --root $S"), 1);
}
END_TEST

/* ---- colours ---- */
START_TEST(colours_only_on_a_terminal) {
  sandbox_make();
  struct output o = sandbox_run("check 01 --root $S");
  ck_assert_ptr_null(strchr(o.out, '\033'));
  o = sandbox_run_on_terminal("", "check 01 --root $S");
  ck_assert_ptr_nonnull(strchr(o.out, '\033'));
  o = sandbox_run_on_terminal("NO_COLOR=1", "check 01 --root $S");
  ck_assert_int_eq(o.status, 1);
  ck_assert_ptr_null(strchr(o.out, '\033'));
}
END_TEST

Suite *suite_end_to_end(void) {
  Suite *s = suite_create("end_to_end");
  TCase *t = tcase_create("verbs");
  tcase_set_timeout(t, 120);
  tcase_add_test(t, status_0_when_all_pass);
  tcase_add_test(t, status_1_when_something_fails);
  tcase_add_test(t, status_2_when_something_was_not_judged);
  tcase_add_test(t, readme_shows_a_real_run);
  tcase_add_loop_test(t, usage_errors, 0, (int)COUNT_OF(wrong_usage));
  tcase_add_test(t, no_verb_at_all);
  tcase_add_loop_test(t, help_of_every_verb, 0, (int)COUNT_OF(verbs));
  tcase_add_test(t, doctor_finds_something);
  tcase_add_loop_test(t, same_seed_same_bytes, 0, (int)COUNT_OF(repeated));
  tcase_add_test(t, another_seed_other_order);
  tcase_add_test(t, replay_repeats_the_finding);
  tcase_add_loop_test(t, only_one_build_shows_it, 0, (int)COUNT_OF(builds));
  tcase_add_test(t, hints_come_one_by_one);
  tcase_add_test(t, reset_keeps_a_backup);
  tcase_add_test(t, a_learners_work_is_never_touched);
  tcase_add_test(t, next_goes_on_when_one_is_solved);
  tcase_add_test(t, solution_asks_to_try_first);
  tcase_add_test(t, a_damaged_state_is_no_state);
  tcase_add_test(t, colours_only_on_a_terminal);
  suite_add_tcase(s, t);
  return s;
}
