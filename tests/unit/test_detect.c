/* test_detect.c - findings and verdicts: from faults to words, call stacks to lines, policies,
 * precedence. */
#include <check.h>
#include <string.h>
#include "fake_vm.h"

static struct fake f;
static struct vm_object *s;

static void start(const struct detect_policy *p) {
  fake_init(&f, 2, 64, p);
  s = fake_shared(&f, "tile", 256, 4, 0);
}
static bool says(const char *text, const char *part) {
  if (strstr(text, part)) return true;
  fprintf(stderr, "'%s' lacks '%s'\n", text, part);
  return false;
}

START_TEST(vocabulary) {
  enum verdict_kind k;
  for (u32 i = 0; i < V_COUNT; i++) {
    ck_assert(verdict_find(str_of(verdict_text((enum verdict_kind)i)), &k));
    ck_assert_uint_eq(k, i);
  }
  ck_assert(!verdict_find(STR("race"), &k));
  ck_assert(!verdict_find(STR(""), &k));
}
END_TEST

START_TEST(precedence) {
  struct finding race = {.kind = V_RACE}, trap = {.kind = V_TRAP}, hang = {.kind = V_HANG},
                 wrong = {.kind = V_WRONG}, note = {.kind = V_BOUNDS, .severity = SEVERITY_NOTE},
                 gap = {.kind = V_INTERNAL};
  ck_assert_int_eq(detect_verdict(NULL, 0), V_PASS);
  ck_assert_int_eq(detect_verdict((const struct finding *[]){&note}, 1), V_PASS);
  ck_assert_int_eq(detect_verdict((const struct finding *[]){&wrong, &hang}, 2), V_HANG);
  ck_assert_int_eq(detect_verdict((const struct finding *[]){&race, &trap, &note}, 3), V_TRAP);
  ck_assert_int_eq(detect_verdict((const struct finding *[]){&race, &note}, 2), V_RACE);
  ck_assert_int_eq(detect_verdict((const struct finding *[]){&race, &gap}, 2), V_INTERNAL);
}
END_TEST

START_TEST(policy_words) {
  struct detect_policy p = {0};
  struct diag why = {0};
  ck_assert(detect_policy_parse("", &p, &why));
  ck_assert(!p.strict_exit && !p.strict_volatile && !p.strict_same_value);
  ck_assert(detect_policy_parse("volatile, exit", &p, &why));
  ck_assert(p.strict_exit && p.strict_volatile && !p.strict_same_value);
  ck_assert(detect_policy_parse("same-value", &p, &why));
  ck_assert(p.strict_same_value);
  ck_assert(!detect_policy_parse("volatile,everything", &p, &why));
  ck_assert(says(why.text, "everything"));
  ck_assert(says(why.next, "same-value"));
}
END_TEST

/* ---- stuck ---- */
static struct vm_wait wait_at(u32 block, u32 warp, u32 mask, enum vm_wait_kind kind, u32 line) {
  return (struct vm_wait){.who = fake_who(&f, block, warp),
                          .mask = mask,
                          .kind = kind,
                          .pos = fake_at(&f, line),
                          .expected = 64,
                          .arrived = 32};
}
static void stuck(enum vm_fault_kind kind, const struct vm_wait *w, u32 n) {
  struct vm_fault v = {.kind = kind,
                       .who = w[0].who,
                       .mask = w[0].mask,
                       .pos = w[0].pos,
                       .waits = w,
                       .wait_count = n,
                       .text = "stuck"};
  fake_fault(&f, &v);
}

START_TEST(two_barriers) {
  start(NULL);
  struct vm_wait w[] = {wait_at(0, 0, ~0u, VM_WAIT_BARRIER, 10),
                        wait_at(0, 1, ~0u, VM_WAIT_BARRIER, 15)};
  stuck(VM_FAULT_BARRIER, w, 2);
  const struct finding *x = fake_finding(&f, 0);
  ck_assert_int_eq(x->kind, V_BARRIER);
  ck_assert_uint_eq(x->access_count, 2);
  ck_assert_uint_eq(x->accesses[0].line, 10);
  ck_assert_uint_eq(x->accesses[1].line, 15);
  ck_assert_uint_eq(x->accesses[1].others, 31);
  ck_assert(says(x->message, "32 at k.cu:10, 32 at k.cu:15"));
  ck_assert(says(x->waits, "warp 1 waits at barrier 0, k.cu:15"));
  fake_free(&f);
}
END_TEST

START_TEST(left_before_barrier) {
  start(NULL);
  struct vm_wait w[] = {wait_at(0, 0, 0xffff, VM_WAIT_BARRIER, 10),
                        wait_at(0, 0, 0xffff0000, VM_WAIT_EXITED, 5)};
  stuck(VM_FAULT_BARRIER, w, 2);
  const struct finding *x = fake_finding(&f, 0);
  ck_assert(says(x->message, "left the kernel (16 at k.cu:5)"));
  ck_assert_str_eq(x->accesses[1].op, "exit");
  ck_assert(says(x->suggestion, "let no thread return in front of it"));
  ck_assert_int_eq(x->severity, SEVERITY_ERROR);
  fake_free(&f);
}
END_TEST

START_TEST(exited_is_a_policy) {
  for (u32 strict = 0; strict < 2; strict++) {
    start(&(struct detect_policy){.strict_exit = strict});
    struct vm_wait w[] = {wait_at(0, 0, 0xffff, VM_WAIT_BARRIER, 10),
                          wait_at(0, 0, 0xffff0000, VM_WAIT_EXITED, 5)};
    stuck(VM_FAULT_EXITED, w, 2);
    w[0].kind = VM_WAIT_COLLECTIVE;
    w[0].member_mask = ~0u;
    stuck(VM_FAULT_EXITED, w, 2);
    ck_assert_uint_eq(fake_count(&f, strict ? SEVERITY_ERROR : SEVERITY_NOTE), 2);
    ck_assert_int_eq(fake_finding(&f, 0)->kind, V_BARRIER);
    ck_assert_int_eq(fake_finding(&f, 1)->kind, V_DEADLOCK);
    ck_assert_int_eq(detect_has_error(f.d), strict);
    fake_free(&f);
  }
}
END_TEST

START_TEST(missing_lanes) {
  start(NULL);
  f.code[12].op = OP_shfl;
  struct vm_wait w[] = {wait_at(0, 0, 0xffff0000, VM_WAIT_COLLECTIVE, 12),
                        wait_at(0, 0, 0xffff, VM_WAIT_BARRIER, 20),
                        wait_at(0, 1, ~0u, VM_WAIT_BARRIER, 20)};
  w[0].member_mask = ~0u;
  stuck(VM_FAULT_DEADLOCK, w, 3);
  const struct finding *x = fake_finding(&f, 0);
  ck_assert_int_eq(x->kind, V_DEADLOCK);
  ck_assert(says(x->message, "lanes 16-31 wait in __shfl_sync()"));
  ck_assert(says(x->message, "lanes 0-15 never come"));
  ck_assert(says(x->waits,
                 "with mask 0xffffffff; missing: lanes 0-15; lanes 0-15: at barrier 0, k.cu:20"));
  fake_free(&f);
}
END_TEST

START_TEST(spinning_for_ever) {
  start(NULL);
  struct vm_wait w[] = {wait_at(1, 0, 1, VM_SPINNING, 14)};
  w[0].object = s;
  w[0].offset = 8;
  w[0].size_bytes = 4;
  stuck(VM_FAULT_DEADLOCK, w, 1);
  const struct finding *x = fake_finding(&f, 0);
  ck_assert(says(x->message, "thread (0,0,0) of block 1 reads tile[2] over and over at k.cu:14"));
  ck_assert(says(x->message, "nobody left can change it"));
  ck_assert_int_eq(x->element, 2);
  ck_assert_ptr_null(strstr(x->message, "ended"));
  stuck(VM_FAULT_HANG, w, 1);
  x = fake_finding(&f, 1);
  ck_assert_int_eq(x->kind, V_HANG);
  ck_assert_ptr_null(strstr(x->waits, "nobody left"));
  fake_free(&f);
}
END_TEST

/* A flag may be another block's to raise: one that has ended, or that found no room yet. */
START_TEST(spinning_for_other_blocks) {
  fake_init(&f, 9, 32, NULL);
  struct vm_wait w = wait_at(1, 0, 1, VM_SPINNING, 14);
  struct vm_fault v = {.kind = VM_FAULT_DEADLOCK,
                       .who = w.who,
                       .mask = w.mask,
                       .pos = w.pos,
                       .waits = &w,
                       .wait_count = 1,
                       .blocks_ended = 1,
                       .blocks_to_come = 6};
  fake_fault(&f, &v);
  const struct finding *x = fake_finding(&f, 0);
  ck_assert(says(x->message, " 1 of the 9 blocks has ended."));
  ck_assert(says(x->message, " 6 of the 9 blocks cannot begin before another block ends."));
  fake_free(&f);
}
END_TEST

START_TEST(long_reports_end) {
  start(NULL);
  struct vm_wait w[60];
  for (u32 i = 0; i < 60; i++) w[i] = wait_at(i % 2, 0, 1u << i % 32, VM_WAIT_BARRIER, i + 1);
  stuck(VM_FAULT_DEADLOCK, w, 60);
  ck_assert(says(fake_finding(&f, 0)->waits, "more groups"));
  ck_assert_uint_eq(fake_finding(&f, 0)->access_count, 4);
  fake_free(&f);
}
END_TEST

/* ---- one thread ---- */
static struct vm_fault fault(enum vm_fault_kind kind, const char *text) {
  struct vm_fault v = {.kind = kind, .who = fake_who(&f, 1, 1), .mask = 8, .pos = fake_at(&f, 9)};
  snprintf(v.text, sizeof v.text, "%s", text);
  return v;
}

START_TEST(out_of_bounds) {
  start(NULL);
  struct vm_fault v = fault(VM_FAULT_BOUNDS, "outside of every allocation");
  v.address = 0x1234;
  v.size_bytes = 4;
  v.is_write = true;
  v.space = SP_SHARED;
  v.object = s;
  v.offset = 256 + 8;
  fake_fault(&f, &v);
  const struct finding *x = fake_finding(&f, 0);
  ck_assert_int_eq(x->kind, V_BOUNDS);
  ck_assert(says(x->message, "Thread (35,0,0) of block 1: write of 4 bytes"));
  ck_assert(says(x->message, "tile[66]; tile has 64 elements"));
  ck_assert_int_eq(x->element, 66);
  ck_assert_str_eq(x->space, "shared");
  v.offset = -4;
  v.pos = fake_at(&f, 10);
  fake_fault(&f, &v);
  x = fake_finding(&f, 1);
  ck_assert(says(x->message, "tile[-1], before its start"));
  ck_assert_int_eq(x->element, -1);
  fake_free(&f);
}
END_TEST

START_TEST(traps_and_gaps) {
  start(NULL);
  struct vm_fault v = fault(VM_FAULT_TRAP, "assertion failed: n > 0");
  fake_fault(&f, &v);
  ck_assert_int_eq(fake_finding(&f, 0)->kind, V_TRAP);
  ck_assert(says(fake_finding(&f, 0)->message, "assertion failed: n > 0"));
  f.code[9].text = STR("wgmma.fence");
  v = fault(VM_FAULT_UNSUPPORTED, "unknown instruction");
  fake_fault(&f, &v);
  ck_assert_int_eq(fake_finding(&f, 1)->kind, V_INTERNAL);
  ck_assert(says(fake_finding(&f, 1)->message, "wgmma.fence yet (k.cu:9)"));
  ck_assert(says(fake_finding(&f, 1)->message, "gap of this suite"));
  v = fault(VM_FAULT_LIMIT, "too much of everything");
  fake_fault(&f, &v);
  ck_assert_int_eq(fake_finding(&f, 2)->kind, V_INTERNAL);
  ck_assert(says(fake_finding(&f, 2)->message, "too much of everything"));
  u32 n;
  const struct finding *const *all = detect_findings(f.d, &n, NULL);
  ck_assert_int_eq(detect_verdict(all, n), V_INTERNAL);
  fake_free(&f);
}
END_TEST

START_TEST(undefined_values) {
  start(NULL);
  struct vm_fault v = fault(VM_FAULT_UNINIT, "");
  v.what = "branch condition";
  v.origin = fake_at(&f, 3);
  v.origin_object = s;
  v.origin_offset = 16;
  fake_fault(&f, &v);
  const struct finding *x = fake_finding(&f, 0);
  ck_assert_int_eq(x->kind, V_UNINIT);
  ck_assert(says(x->message, "branch condition"));
  ck_assert(says(x->message, "tile[4] (shared memory) at k.cu:3"));
  ck_assert_uint_eq(x->accesses[0].line, 9);
  ck_assert_uint_eq(x->accesses[1].line, 3);
  f.code[4].op = OP_shfl;
  v.pos = fake_at(&f, 20);
  v.origin = fake_at(&f, 4);
  v.origin_object = NULL;
  fake_fault(&f, &v);
  ck_assert(says(fake_finding(&f, 1)->message, "from a lane that took no part"));
  v.kind = VM_FAULT_UNINIT_STORE;
  v.pos = fake_at(&f, 21);
  v.origin = fake_at(&f, 22);
  fake_fault(&f, &v);
  ck_assert_int_eq(fake_finding(&f, 2)->severity, SEVERITY_NOTE);
  fake_free(&f);
}
END_TEST

/* ---- lines and stacks ---- */
START_TEST(intrinsics_stand_where_they_are_called) {
  start(NULL);
  const struct vm_frame *atomic = fake_frame(&f, NULL, 30),
                        *deep = fake_frame(&f, fake_frame(&f, NULL, 40), 50);
  fake_thread(&f, s, 0, 0, 0,
              (struct fake_op){.kind = VM_RMW, .sem = VM_RELAXED, .line = 1, .frame = atomic});
  fake_thread(&f, s, 0, 40, 0, (struct fake_op){.kind = VM_READ, .line = 2, .frame = deep});
  const struct finding *x = fake_finding(&f, 0);
  ck_assert_uint_eq(x->accesses[0].line, 30);
  ck_assert_uint_eq(x->accesses[0].stack_count, 0);
  ck_assert_uint_eq(x->accesses[1].line, 50);
  ck_assert_uint_eq(x->accesses[1].stack_count, 1);
  ck_assert_uint_eq(x->accesses[1].stack[0].line, 40);
  ck_assert_str_eq(x->accesses[1].stack[0].function, "k");
  fake_free(&f);
}
END_TEST

START_TEST(call_sites_are_told_apart) { /* one instruction in a helper, called from two lines */
  start(NULL);
  const struct vm_frame *a = fake_frame(&f, NULL, 30), *b = fake_frame(&f, NULL, 31);
  fake_thread(&f, s, 0, 0, 0, (struct fake_op){.kind = VM_WRITE, .line = 1, .frame = a});
  fake_thread(&f, s, 0, 1, 4, (struct fake_op){.kind = VM_WRITE, .line = 1, .frame = b});
  fake_read(&f, s, 0, 40, 0, 7);
  fake_read(&f, s, 0, 40, 4, 7);
  ck_assert_uint_eq(fake_count(&f, SEVERITY_ERROR), 2);
  ck_assert_uint_eq(fake_finding(&f, 0)->accesses[0].line, 30);
  ck_assert_uint_eq(fake_finding(&f, 1)->accesses[0].line, 31);
  fake_free(&f);
}
END_TEST

START_TEST(coordinates) {
  start(NULL);
  f.info.block[0] = 8;
  f.info.block[1] = 4;
  f.info.block[2] = 2;
  f.info.grid[0] = 1;
  f.info.grid[1] = 2;
  fake_launch(&f);
  struct vm_fault v = fault(VM_FAULT_TRAP, "x"); /* warp 1, lane 3 of block 1: thread 35 */
  fake_fault(&f, &v);
  const struct finding_access *a = &fake_finding(&f, 0)->accesses[0];
  ck_assert_uint_eq(a->thread[0], 3);
  ck_assert_uint_eq(a->thread[1], 0);
  ck_assert_uint_eq(a->thread[2], 1);
  ck_assert_uint_eq(a->block[1], 1);
  ck_assert(says(fake_finding(&f, 0)->message, "of block (0,1,0)"));
  fake_free(&f);
}
END_TEST

START_TEST(errors_come_first) {
  start(NULL);
  fake_put(&f, s, 0, 0, 0, 1, 1);
  fake_put(&f, s, 0, 40, 0, 1, 2); /* note */
  fake_write(&f, s, 0, 0, 8, 3);
  fake_read(&f, s, 0, 40, 8, 4); /* error */
  ck_assert_int_eq(fake_finding(&f, 0)->severity, SEVERITY_ERROR);
  ck_assert_int_eq(fake_finding(&f, 1)->severity, SEVERITY_NOTE);
  ck_assert(detect_has_error(f.d));
  ck_assert_str_eq(fake_finding(&f, 0)->schedule, "converged");
  ck_assert_uint_eq(fake_finding(&f, 0)->seed, 7);
  fake_free(&f);
}
END_TEST

START_TEST(race_can_be_off) {
  start(NULL);
  detect_disable(f.d, "race");
  struct vm_fault v = fault(VM_FAULT_TRAP, "x");
  fake_fault(&f, &v);
  ck_assert_uint_eq(fake_count(&f, SEVERITY_ERROR), 1);
  fake_barrier(&f, 0); /* and nobody minds */
  fake_free(&f);
}
END_TEST

Suite *suite_detect(void);
Suite *suite_detect(void) {
  const TTest *const tests[] = {vocabulary,
                                precedence,
                                policy_words,
                                two_barriers,
                                left_before_barrier,
                                exited_is_a_policy,
                                missing_lanes,
                                spinning_for_ever,
                                spinning_for_other_blocks,
                                long_reports_end,
                                out_of_bounds,
                                traps_and_gaps,
                                undefined_values,
                                intrinsics_stand_where_they_are_called,
                                call_sites_are_told_apart,
                                coordinates,
                                errors_come_first,
                                race_can_be_off};
  Suite *suite = suite_create("detect");
  TCase *t = tcase_create("detect");
  for (u32 i = 0; i < COUNT_OF(tests); i++) tcase_add_test(t, tests[i]);
  suite_add_tcase(suite, t);
  return suite;
}
