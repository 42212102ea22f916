/* test_race_async.c - asynchronous copies and mbarriers: waited for, and not. */
#include <check.h>
#include <string.h>
#include "race_world.h"

static u64 next_id;
/* Thread `thread` copies 16 bytes of data to tile. */
static u64 copy(u32 thread, u64 from, u64 to, u32 group, bool by_group) {
  u64 id = ++next_id;
  fake_async(&f, 0, thread,
             (struct vm_async_event){.kind = VM_ASYNC_ISSUE,
                                     .pos_id = 50,
                                     .id = id,
                                     .group = group,
                                     .by_group = by_group,
                                     .src = {g, from, 16},
                                     .dst = {s, to, 16}});
  return id;
}
static void wait_below(u32 thread, u32 group, bool reads_only) {
  fake_async(&f, 0, thread,
             (struct vm_async_event){.kind = reads_only ? VM_ASYNC_WAIT_READ : VM_ASYNC_WAIT,
                                     .pos_id = 51,
                                     .group = group,
                                     .by_group = true});
}
static void bar(u32 thread, enum vm_async_kind kind, u64 id, enum vm_sem sem) {
  fake_async(&f, 0, thread,
             (struct vm_async_event){
                 .kind = kind, .pos_id = 52, .id = id, .sem = sem, .bar = {s, 1024, 8}});
}
static u32 errors(void) { return fake_count(&f, SEVERITY_ERROR); }

START_TEST(own_wait) {
  start(1, 64);
  copy(0, 0, 0, 0, true);
  wait_below(0, 1, false);
  fake_read(&f, s, 0, 0, 4, 1);
  ck_assert_uint_eq(errors(), 0);
  copy(0, 16, 16, 1, true);
  fake_read(&f, s, 0, 0, 16, 2); /* not waited for: even its issuer races with it */
  ck_assert_uint_eq(errors(), 1);
  ck_assert_ptr_nonnull(strstr(fake_finding(&f, 0)->message, "waited for"));
  ck_assert_uint_eq(fake_finding(&f, 0)->accesses[0].thread[0], 0);
  ck_assert_uint_eq(fake_finding(&f, 0)->accesses[0].line, 50);
  fake_free(&f);
}
END_TEST
START_TEST(wait_leaves_later_groups) {
  start(1, 64);
  copy(0, 0, 0, 0, true);
  copy(0, 16, 16, 1, true);
  wait_below(0, 1, false);
  fake_read(&f, s, 0, 0, 0, 1);
  ck_assert_uint_eq(errors(), 0);
  fake_read(&f, s, 0, 0, 16, 1);
  expect(1, 0);
}
END_TEST
START_TEST(others_need_a_barrier_after_the_wait) {
  for (u32 right = 0; right < 2; right++) {
    start(1, 64);
    copy(0, 0, 0, 0, true);
    if (!right) fake_barrier(&f, 0); /* before the wait: helps nobody */
    wait_below(0, 1, false);
    if (right) fake_barrier(&f, 0);
    fake_read(&f, s, 0, 40, 0, 1);
    ck_assert_uint_eq(errors(), !right);
    fake_free(&f);
  }
}
END_TEST
START_TEST(ring_of_two) { /* a double buffer over many rounds, with and without the barrier before
                             it is filled again */
  for (u32 right = 0; right < 2; right++) {
    start(1, 64);
    copy(0, 0, 0, 0, true);
    for (u32 i = 0; i < 6; i++) {
      copy(0, 0, (i + 1) % 2 * 16, i + 1, true);
      wait_below(0, i + 1, false);
      fake_barrier(&f, 0);
      fake_read(&f, s, 0, 40, i % 2 * 16, 1);
      if (right) fake_barrier(&f, 0);
    }
    ck_assert_uint_eq(errors(), !right);
    fake_free(&f);
  }
}
END_TEST
START_TEST(source_is_read) {
  start(1, 64);
  copy(0, 0, 0, 0, true);
  fake_write(&f, g, 0, 0, 4, 1); /* the copy may not have read it yet */
  ck_assert_uint_eq(errors(), 1);
  copy(0, 32, 32, 1, true);
  wait_below(0, 2, true);
  fake_write(&f, g, 0, 0, 36, 2);
  ck_assert_uint_eq(errors(), 1);
  fake_read(&f, s, 0, 0, 32, 3); /* only the reads are done */
  expect(2, 0);
}
END_TEST
START_TEST(copies_are_unordered) {
  start(1, 64);
  copy(0, 0, 0, 0, true);
  copy(0, 32, 16, 0, true);
  ck_assert_uint_eq(errors(), 0);
  copy(0, 64, 8, 0, true);
  ck_assert_uint_ge(errors(), 1);
  fake_free(&f);
}
END_TEST
START_TEST(copy_after_unordered_write) {
  start(1, 64);
  fake_write(&f, s, 0, 40, 0, 1);
  copy(0, 0, 0, 0, true);
  expect(1, 0);
}
END_TEST
START_TEST(reductions_do_not_race) {
  start(2, 64);
  for (u32 b = 0; b < 2; b++)
    fake_async(&f, b, 0,
               (struct vm_async_event){.kind = VM_ASYNC_ISSUE,
                                       .pos_id = 50,
                                       .id = ++next_id,
                                       .is_bulk = true,
                                       .by_group = true,
                                       .is_reduction = true,
                                       .dst = {g, 0, 16}});
  ck_assert_uint_eq(errors(), 0);
  fake_read(&f, g, 1, 40, 0, 1);
  ck_assert_uint_ge(errors(), 1);
  fake_free(&f);
}
END_TEST
START_TEST(launch_ends_copies) {
  start(1, 64);
  copy(0, 0, 0, 0, true);
  fake_launch(&f);
  fake_write(&f, g, 0, 0, 0, 1);
  fake_read(&f, s, 0, 40, 0, 1);
  expect(0, 0);
}
END_TEST

/* ---- mbarriers ---- */
START_TEST(phase_orders) {
  for (u32 right = 0; right < 2; right++) {
    start(1, 64);
    bar(0, VM_MBARRIER_INIT, 0, VM_WEAK);
    fake_barrier(&f, 0);
    fake_write(&f, s, 0, 0, 0, 1);
    bar(0, VM_MBARRIER_ARRIVE, 0, right ? VM_RELEASE : VM_RELAXED);
    fake_write(&f, s, 0, 0, 4, 2);
    bar(0, VM_MBARRIER_PHASE, 0, VM_WEAK);
    bar(40, VM_MBARRIER_TEST_OK, 0, VM_ACQUIRE);
    fake_read(&f, s, 0, 40, 0, 3);
    ck_assert_uint_eq(errors(), !right);
    fake_read(&f, s, 0, 40, 4, 4); /* written after the arrival */
    ck_assert_uint_eq(errors(), 1u + !right);
    fake_free(&f);
  }
}
END_TEST
START_TEST(next_phase_is_not_acquired) { /* somebody has arrived in the next phase already */
  start(1, 96);
  bar(0, VM_MBARRIER_INIT, 0, VM_WEAK);
  fake_barrier(&f, 0);
  bar(0, VM_MBARRIER_ARRIVE, 0, VM_RELEASE);
  bar(40, VM_MBARRIER_ARRIVE, 0, VM_RELEASE);
  bar(0, VM_MBARRIER_PHASE, 0, VM_WEAK);
  bar(0, VM_MBARRIER_TEST_OK, 0, VM_ACQUIRE);
  fake_read(&f, s, 0, 0, 0, 1);
  bar(0, VM_MBARRIER_ARRIVE, 0, VM_RELEASE);
  bar(40, VM_MBARRIER_TEST_OK, 0, VM_ACQUIRE);
  fake_write(&f, s, 0, 40, 0, 2);
  expect(1, 0);
}
END_TEST
START_TEST(copy_through_mbarrier) {
  for (u32 right = 0; right < 2; right++) {
    start(1, 64);
    bar(0, VM_MBARRIER_INIT, 0, VM_WEAK);
    fake_barrier(&f, 0);
    u64 id = copy(0, 0, 0, 0, false);
    bar(0, VM_ASYNC_ARRIVE_TX, id, VM_WEAK);
    bar(0, VM_MBARRIER_PHASE, 0, VM_WEAK);
    if (right) bar(40, VM_MBARRIER_TEST_OK, 0, VM_ACQUIRE);
    fake_read(&f, s, 0, 40, 0, 1);
    ck_assert_uint_eq(errors(), !right);
    fake_barrier(&f, 0); /* from the one who knows to the rest */
    fake_read(&f, s, 0, 50, 0, 2);
    fake_barrier(&f, 0);
    fake_write(&f, s, 0, 51, 0, 3);
    ck_assert_uint_eq(errors(), right ? 0 : 3);
    fake_free(&f);
  }
}
END_TEST
/* It takes place later, but releases only what its thread had done when it executed it. */
START_TEST(arrival_of_its_own_time) {
  start(1, 64);
  bar(0, VM_MBARRIER_INIT, 0, VM_WEAK);
  fake_barrier(&f, 0);
  fake_write(&f, s, 0, 0, 0, 1);
  bar(0, VM_ASYNC_ARRIVE_ISSUED, ++next_id, VM_WEAK);
  fake_write(&f, s, 0, 0, 4, 2);
  bar(0, VM_ASYNC_ARRIVE_ASYNC, next_id, VM_WEAK);
  bar(0, VM_MBARRIER_PHASE, 0, VM_WEAK);
  bar(40, VM_MBARRIER_TEST_OK, 0, VM_ACQUIRE);
  fake_read(&f, s, 0, 40, 0, 3);
  ck_assert_uint_eq(errors(), 0);
  fake_read(&f, s, 0, 40, 4, 4);
  expect(1, 0);
}
END_TEST
START_TEST(copies_through_arrival) {
  start(1, 64);
  bar(0, VM_MBARRIER_INIT, 0, VM_WEAK);
  fake_barrier(&f, 0);
  copy(0, 0, 0, 0, true);
  copy(0, 16, 16, 0, true);
  bar(0, VM_ASYNC_ARRIVE_ISSUED, ++next_id, VM_WEAK);
  bar(0, VM_ASYNC_ARRIVE_ASYNC, next_id, VM_WEAK);
  copy(0, 32, 32, 0, true); /* after the arrival: not counted */
  bar(0, VM_MBARRIER_PHASE, 0, VM_WEAK);
  bar(40, VM_MBARRIER_TEST_OK, 0, VM_ACQUIRE);
  fake_read(&f, s, 0, 40, 0, 1);
  fake_read(&f, s, 0, 40, 16, 1);
  ck_assert_uint_eq(errors(), 0);
  wait_below(0, 1, false); /* the issuer waits too: nobody forgets */
  fake_read(&f, s, 0, 0, 32, 3);
  fake_read(&f, s, 0, 0, 0, 3);
  fake_read(&f, s, 0, 40, 16, 1);
  ck_assert_uint_eq(errors(), 0);
  fake_read(&f, s, 0, 40, 32, 2);
  expect(1, 0);
}
END_TEST

Suite *suite_race_async(void);
Suite *suite_race_async(void) {
  const TTest *const tests[] = {own_wait,
                                wait_leaves_later_groups,
                                others_need_a_barrier_after_the_wait,
                                ring_of_two,
                                source_is_read,
                                copies_are_unordered,
                                copy_after_unordered_write,
                                reductions_do_not_race,
                                launch_ends_copies,
                                phase_orders,
                                next_phase_is_not_acquired,
                                copy_through_mbarrier,
                                copies_through_arrival,
                                arrival_of_its_own_time};
  Suite *suite = suite_create("race_async");
  TCase *t = tcase_create("race_async");
  for (u32 i = 0; i < COUNT_OF(tests); i++) tcase_add_test(t, tests[i]);
  suite_add_tcase(suite, t);
  return suite;
}
