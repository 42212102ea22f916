/* test_hand_in.c - whose entry it is and which puzzle's file, by their names; files of several
 * students that are the same. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "grade/grade.h"

Suite *suite_hand_in(void);

static struct arena keep;

START_TEST(names_of_course_systems) {
  static const struct {
    const char *name, *student, *number, *rest, *system;
    bool timed, ignored;
  } rows[] = {
      {"alice", "alice", "", "", "", 0, 0},
      {"alice.zip", "alice", "", "", "", 0, 0},
      {"alice.TAR.GZ", "alice", "", "", "", 0, 0},
      {"alice@2026-11-02T20:15.zip", "alice", "", "", "", 1, 0},
      {"alice@uni.example.zip", "alice@uni.example", "", "", "", 0, 0},
      {"Jane Doe_12345_assignsubmission_file_", "Jane Doe_12345", "12345", "", "Moodle", 0, 0},
      {"Jane Doe_12345_assignsubmission_file", "Jane Doe_12345", "12345", "", "Moodle", 0, 0},
      {"Jane_Doe_9_assignsubmission_file_a_b.zip", "Jane_Doe_9", "9", "a_b.zip", "Moodle", 0, 0},
      {"Jane Doe_12345_assignsubmission_onlinetext_", "Jane Doe_12345", "12345", "", "Moodle", 0,
       1},
      {"_assignsubmission_file_", "_assignsubmission_file_", "", "", "", 0, 0},
      {"x_assignsubmission_file_", "x_assignsubmission_file_", "", "", "", 0, 0},
      {"doejane_1234_5678_hw.zip", "doejane_1234", "1234", "hw.zip", "Canvas", 0, 0},
      {"doejane_LATE_1234_5678_07_barrier_in_branch-1.cu", "doejane_1234", "1234",
       "07_barrier_in_branch-1.cu", "Canvas", 0, 0},
      {"doe_jane", "doe_jane", "", "", "", 0, 0},
      {"group_1_2", "group_1_2", "", "", "", 0, 0},
      {"Sheet 3_jdoe_attempt_2026-11-02-20-15-33_hw.zip", "jdoe", "", "hw.zip", "Blackboard", 1, 0},
      {"jdoe_attempt_2026-11-02", "jdoe_attempt_2026-11-02", "", "", "", 0, 0},
  };
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    struct name n;
    name_read(&keep, rows[i].name, &n);
    ck_assert_str_eq(n.student, rows[i].student);
    ck_assert_str_eq(n.number, rows[i].number);
    ck_assert_str_eq(n.rest, rows[i].rest);
    ck_assert_str_eq(n.system, rows[i].system);
    ck_assert_msg((n.time != 0) == rows[i].timed && n.ignored == rows[i].ignored, "%s",
                  rows[i].name);
  }
  ck_assert(name_is_strange_archive("a.rar") && name_is_strange_archive("a.7Z"));
  ck_assert(!name_is_strange_archive("a.tar.gz") && !name_is_strange_archive("a.csv"));
}
END_TEST

START_TEST(names_of_files) {
  static const struct {
    const char *path;
    u32 fit;
  } rows[] = {{"07_barrier_in_branch.cu", 0},
              {"a/07_barrier_in_branch/puzzle.cu", 0},
              {"07_Barrier_In_Branch.CU", 1},
              {"07_barrier_in_branch/Puzzle.cu", 1},
              {"07_barrier_in_branch (1).cu", 2},
              {"07_barrier_in_branch(12).cu", 2},
              {"07_barrier_in_branch-2.cu", 2},
              {"07_barrier_in_branch/puzzle (1).cu", 2},
              {"07_barrier_in_branch (1)/puzzle.cu", 2},
              {"puzzle.cu", NAME_NO_FIT},
              {"07_barrier_in_branch-.cu", NAME_NO_FIT},
              {"07_barrier_in_branch().cu", NAME_NO_FIT},
              {"07_barrier_in_branch2.cu", NAME_NO_FIT},
              {"._07_barrier_in_branch.cu", NAME_NO_FIT},
              {"07_barrier_in_branch.cu.txt", NAME_NO_FIT},
              {".cu", NAME_NO_FIT},
              {"(1).cu", NAME_NO_FIT},
              {"", NAME_NO_FIT}};
  for (size_t i = 0; i < COUNT_OF(rows); i++)
    ck_assert_msg(name_fits(rows[i].path, "07_barrier_in_branch") == rows[i].fit, "%s: %u",
                  rows[i].path, name_fits(rows[i].path, "07_barrier_in_branch"));
}
END_TEST

/* A record counts for the same puzzle and the same bytes, and only when something was judged. */
START_TEST(shared_records) {
  char dir[] = "/tmp/warplings-shared-XXXXXX", one[65], other[65];
  struct diag why = {0};
  ck_assert(mkdtemp(dir) != NULL);
  const char *path = arena_printf(&keep, "%s/record", dir);
  grade_sha256(STR("x"), one);
  grade_sha256(STR("y"), other);
  struct record r = {.puzzle = "01_a", .name = "alice.cu", .source_sha256 = one, .tries = 1};
  verdict_init(&r.v);
  r.v.kind = V_RACE;
  struct record same = {.puzzle = "01_a", .name = "bob.cu", .source_sha256 = one};
  ck_assert(!share_read(&keep, path, &same));
  ck_assert(share_write(path, &r, &why) && share_read(&keep, path, &same));
  ck_assert(same.v.kind == V_RACE && strcmp(same.name, "bob.cu") == 0);
  struct record stored;
  ck_assert(record_read(&keep, path, &stored) && strcmp(stored.name, "") == 0);
  struct record bytes = {.puzzle = "01_a", .name = "", .source_sha256 = other};
  struct record puzzle = {.puzzle = "02_b", .name = "", .source_sha256 = one};
  ck_assert(!share_read(&keep, path, &bytes) && !share_read(&keep, path, &puzzle));
  r.v.kind = V_INTERNAL;
  ck_assert(share_write(path, &r, &why) && !share_read(&keep, path, &same));
  unlink(path);
  rmdir(dir);
}
END_TEST

START_TEST(which_are_shared) {
  static const char *keys[] = {"0a", "3c", "9f"};
  struct plan p = {.shared = keys, .shared_count = 3}, none = {0};
  ck_assert(plan_shares(&p, "0a") && plan_shares(&p, "3c") && plan_shares(&p, "9f"));
  ck_assert(!plan_shares(&p, "00") && !plan_shares(&p, "4") && !plan_shares(&p, "ff"));
  ck_assert(!plan_shares(&none, "0a"));
}
END_TEST

Suite *suite_hand_in(void) {
  Suite *s = suite_create("hand_in");
  TCase *t = tcase_create("names");
  tcase_add_test(t, names_of_course_systems);
  tcase_add_test(t, names_of_files);
  tcase_add_test(t, shared_records);
  tcase_add_test(t, which_are_shared);
  suite_add_tcase(s, t);
  return s;
}
