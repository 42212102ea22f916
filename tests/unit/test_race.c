/* test_race.c - races within a block on hand-made events: for every kind of order a pair, with it
 * (silent) and without it (a race); and the fast paths. */
#include <check.h>
#include <string.h>
#include "race_world.h"

/* ---- within a block ---- */
START_TEST(barrier_orders) {
  start(1, 64);
  fake_warp(&f, s, 0, 0, ALL, 0, 4, op(VM_WRITE, 1));
  fake_barrier(&f, 0);
  fake_warp(&f, s, 0, 1, ALL, 0, 4, op(VM_READ, 2));
  fake_barrier(&f, 0);
  fake_warp(&f, s, 0, 0, ALL, 4, 4, op(VM_WRITE, 3));
  expect(0, 0);
}
END_TEST
START_TEST(no_barrier_read_after_write) {
  start(1, 64);
  fake_warp(&f, s, 0, 0, ALL, 0, 4, op(VM_WRITE, 1));
  fake_warp(&f, s, 0, 1, ALL, 0, 4, op(VM_READ, 2));
  const struct finding *r = fake_finding(&f, 0);
  ck_assert_int_eq(r->kind, V_RACE);
  ck_assert_str_eq(r->space, "shared");
  ck_assert_str_eq(r->object, "tile");
  ck_assert_int_eq(r->element, 0);
  ck_assert_uint_eq(r->access_count, 2);
  ck_assert_uint_eq(r->accesses[0].line, 1);
  ck_assert_uint_eq(r->accesses[1].line, 2);
  ck_assert_str_eq(r->accesses[0].op, "write");
  ck_assert_str_eq(r->accesses[1].op, "read");
  ck_assert_uint_eq(r->accesses[1].thread[0], 32);
  ck_assert_uint_eq(r->accesses[1].others, 31);
  ck_assert_str_eq(r->accesses[0].file, "k.cu");
  ck_assert_ptr_nonnull(strstr(r->message, "no __syncthreads() lies between"));
  expect(1, 0);
}
END_TEST
START_TEST(no_barrier_write_after_read) { /* the second barrier of a loop */
  start(1, 64);
  fake_warp(&f, s, 0, 0, ALL, 0, 4, op(VM_WRITE, 1));
  fake_barrier(&f, 0);
  fake_warp(&f, s, 0, 1, ALL, 0, 4, op(VM_READ, 2));
  fake_warp(&f, s, 0, 0, ALL, 0, 4, op(VM_WRITE, 1));
  ck_assert_ptr_nonnull(strstr(fake_finding(&f, 0)->suggestion, "second barrier"));
  ck_assert_ptr_nonnull(strstr(fake_finding(&f, 0)->message, "overwrote"));
  expect(1, 0);
}
END_TEST
START_TEST(no_barrier_write_write) {
  start(1, 64);
  fake_write(&f, s, 0, 0, 8, 1);
  fake_write(&f, s, 0, 40, 8, 2);
  ck_assert_int_eq(fake_finding(&f, 0)->element, 2);
  expect(1, 0);
}
END_TEST
START_TEST(same_thread_is_ordered) {
  start(1, 64);
  for (u32 i = 0; i < 3; i++) {
    fake_write(&f, s, 0, 5, 8, 1);
    fake_read(&f, s, 0, 5, 8, 2);
    fake_warp(&f, s, 0, 1, ALL, 128, 4, op(VM_READ, 3));
    fake_warp(&f, s, 0, 1, ALL, 128, 4, op(VM_WRITE, 4));
    fake_warp(&f, g, 0, 1, ALL, 128, 4, op(VM_READ, 3));
    fake_warp(&f, g, 0, 1, ALL, 128, 4, op(VM_WRITE, 4));
  }
  expect(0, 0);
}
END_TEST
START_TEST(disjoint_elements_are_silent) {
  start(2, 64);
  for (u32 b = 0; b < 2; b++)
    for (u32 w = 0; w < 2; w++)
      fake_warp(&f, g, b, w, ALL, (b * 64 + w * 32) * 4, 4, op(VM_WRITE, 1));
  expect(0, 0);
}
END_TEST
/* No lock step: another lane's write in the instruction before is not ordered. */
START_TEST(lanes_of_a_warp_race) {
  start(1, 32);
  fake_warp(&f, s, 0, 0, ALL, 0, 4, op(VM_WRITE, 1));
  fake_warp(&f, s, 0, 0, 0x7fffffff, 4, 4, op(VM_READ, 2));
  ck_assert_ptr_nonnull(strstr(fake_finding(&f, 0)->message, "__syncwarp()"));
  expect(1, 0);
}
END_TEST
START_TEST(syncwarp_orders) {
  start(1, 32);
  fake_warp(&f, s, 0, 0, ALL, 0, 4, op(VM_WRITE, 1));
  fake_syncwarp(&f, 0, 0, ALL);
  fake_warp(&f, s, 0, 0, 0x7fffffff, 4, 4, op(VM_READ, 2));
  fake_syncwarp(&f, 0, 0, ALL);
  fake_warp(&f, s, 0, 0, ALL, 0, 4, op(VM_WRITE, 3));
  expect(0, 0);
}
END_TEST
START_TEST(syncwarp_does_not_reach_other_warps) {
  start(1, 64);
  fake_warp(&f, s, 0, 0, ALL, 0, 4, op(VM_WRITE, 1));
  fake_syncwarp(&f, 0, 0, ALL);
  fake_syncwarp(&f, 0, 1, ALL);
  fake_warp(&f, s, 0, 1, ALL, 0, 4, op(VM_READ, 2));
  expect(1, 0);
}
END_TEST
START_TEST(partial_syncwarp) {
  start(1, 32);
  fake_write(&f, s, 0, 0, 0, 1);
  fake_write(&f, s, 0, 20, 4, 2);
  fake_syncwarp(&f, 0, 0, 0xffff);
  fake_read(&f, s, 0, 5, 0, 3);  /* in the mask: ordered */
  fake_read(&f, s, 0, 5, 4, 4);  /* lane 20 was not in it */
  fake_read(&f, s, 0, 21, 0, 5); /* nor is the reader */
  expect(2, 0);
}
END_TEST
START_TEST(partial_syncwarp_chains) { /* 0 -> 1 -> 2 through two syncs; 3 took part in none */
  start(1, 32);
  fake_write(&f, s, 0, 0, 0, 1);
  fake_syncwarp(&f, 0, 0, 3);
  fake_syncwarp(&f, 0, 0, 6);
  fake_read(&f, s, 0, 2, 0, 2);
  ck_assert_uint_eq(fake_count(&f, SEVERITY_ERROR), 0);
  fake_syncwarp(&f, 0, 0, ALL);
  fake_read(&f, s, 0, 3, 0, 4);
  ck_assert_uint_eq(fake_count(&f, SEVERITY_ERROR), 0);
  fake_write(&f, s, 0, 0, 4, 5);
  fake_syncwarp(&f, 0, 0, 3);
  fake_syncwarp(&f, 0, 0, 6);
  fake_read(&f, s, 0, 3, 4, 6);
  expect(1, 0);
}
END_TEST
START_TEST(shuffle_orders_nothing) {
  start(1, 32);
  fake_write(&f, s, 0, 0, 0, 1);
  fake_shuffle(&f, 0, 0, ALL);
  fake_read(&f, s, 0, 1, 0, 2);
  expect(1, 0);
}
END_TEST
START_TEST(syncwarp_without_exited_lanes) { /* what a lane did before it left is not ordered by
                                               those that stay */
  start(1, 32);
  fake_write(&f, s, 0, 0, 0, 1);
  fake_write(&f, s, 0, 1, 4, 2);
  fake_exit(&f, 0, 0, 1);
  fake_syncwarp(&f, 0, 0, ~1u);
  fake_read(&f, s, 0, 2, 4, 3);
  ck_assert_uint_eq(fake_count(&f, SEVERITY_ERROR), 0);
  fake_read(&f, s, 0, 2, 0, 4);
  expect(1, 0);
}
END_TEST
START_TEST(barrier_without_exited_threads) {
  start(1, 64);
  fake_write(&f, s, 0, 0, 0, 1);
  fake_write(&f, s, 0, 1, 4, 2);
  fake_exit(&f, 0, 0, 1);
  fake_barrier(&f, 0);
  fake_read(&f, s, 0, 40, 4, 3);
  fake_write(&f, s, 0, 40, 4, 3);
  fake_barrier(&f, 0);
  fake_read(&f, s, 0, 2, 4, 3);
  ck_assert_uint_eq(fake_count(&f, SEVERITY_ERROR), 0);
  fake_read(&f, s, 0, 40, 0, 4);
  expect(1, 0);
}
END_TEST

/* ---- named barriers ---- */
START_TEST(named_barrier_orders_its_warps) {
  start(1, 96);
  fake_write(&f, s, 0, 0, 0, 1);
  fake_named(&f, 0, 1, 0, (u32[]){ALL, ALL, 0}, NULL);
  fake_read(&f, s, 0, 40, 0, 2);
  ck_assert_uint_eq(fake_count(&f, SEVERITY_ERROR), 0);
  fake_read(&f, s, 0, 70, 0, 3); /* warp 2 was not there */
  expect(1, 0);
}
END_TEST
START_TEST(arrive_contributes) {
  start(1, 64);
  fake_write(&f, s, 0, 0, 0, 1);
  fake_arrive(&f, 0, 0, ALL, 1, 0);
  fake_named(&f, 0, 1, 0, (u32[]){0, ALL}, (u32[]){ALL, 0});
  fake_read(&f, s, 0, 40, 0, 2);
  expect(0, 0);
}
END_TEST
START_TEST(arrive_does_not_wait) {
  start(1, 64);
  fake_arrive(&f, 0, 0, ALL, 1, 0);
  fake_write(&f, s, 0, 0, 0, 1); /* after the arrival */
  fake_write(&f, s, 0, 40, 4, 2);
  fake_named(&f, 0, 1, 0, (u32[]){0, ALL}, (u32[]){ALL, 0});
  fake_read(&f, s, 0, 40, 0, 3);
  fake_read(&f, s, 0, 0, 4, 4); /* who only arrives learns nothing */
  expect(2, 0);
}
END_TEST
START_TEST(named_barrier_pair) { /* producer and consumer with two barriers, over several rounds */
  start(1, 64);
  for (u32 i = 0; i < 4; i++) {
    fake_warp(&f, s, 0, 0, ALL, 0, 4, op(VM_WRITE, 1));
    fake_arrive(&f, 0, 0, ALL, 1, i);
    fake_named(&f, 0, 1, i, (u32[]){0, ALL}, (u32[]){ALL, 0});
    fake_warp(&f, s, 0, 1, ALL, 0, 4, op(VM_READ, 2));
    fake_arrive(&f, 0, 1, ALL, 2, i);
    fake_named(&f, 0, 2, i, (u32[]){ALL, 0}, (u32[]){0, ALL});
  }
  expect(0, 0);
}
END_TEST

/* ---- the fast paths must agree ---- */
START_TEST(whole_warp_reader_is_named) {
  start(1, 64);
  fake_warp(&f, s, 0, 1, ALL, 0, 4, op(VM_READ, 1));
  fake_warp(&f, s, 0, 1, ALL, 4, 4, op(VM_READ, 2));
  fake_write(&f, s, 0, 3, 40, 3); /* element 10: lane 10 read it at line 1, lane 9 at line 2 */
  ck_assert_uint_eq(fake_count(&f, SEVERITY_ERROR), 2);
  ck_assert_uint_eq(fake_finding(&f, 0)->accesses[0].thread[0], 42);
  ck_assert_uint_eq(fake_finding(&f, 0)->accesses[0].line, 1);
  ck_assert_uint_eq(fake_finding(&f, 1)->accesses[0].thread[0], 41);
  ck_assert_uint_eq(fake_finding(&f, 1)->accesses[0].line, 2);
  expect(2, 0);
}
END_TEST
START_TEST(broadcast_readers) {
  start(1, 64);
  fake_warp(&f, s, 0, 0, ALL, 0, 0, op(VM_READ, 1));
  fake_warp(&f, s, 0, 1, ALL, 0, 0, op(VM_READ, 1));
  fake_write(&f, s, 0, 0, 0, 2);
  ck_assert_uint_eq(fake_finding(&f, 0)->accesses[0].others + fake_finding(&f, 0)->repeats, 30 + 1);
  expect(1, 0);
}
END_TEST
START_TEST(gather_readers) {
  start(1, 64);
  fake_warp(&f, s, 0, 0, ALL, 0, 8, op(VM_READ, 1));
  fake_write(&f, s, 0, 40, 4, 2); /* between */
  ck_assert_uint_eq(fake_count(&f, SEVERITY_ERROR), 0);
  fake_write(&f, s, 0, 40, 16, 2);
  ck_assert_uint_eq(fake_finding(&f, 0)->accesses[0].lane, 2);
  expect(1, 0);
}
END_TEST
START_TEST(tree_reduction) {
  for (u32 wrong = 0; wrong < 2; wrong++) {
    start(1, 64);
    fake_warp(&f, s, 0, 0, ALL, 0, 4, op(VM_WRITE, 1));
    fake_warp(&f, s, 0, 1, ALL, 128, 4, op(VM_WRITE, 1));
    for (u32 half = 32; half; half /= 2) {
      if (!(wrong && half == 8)) fake_barrier(&f, 0);
      u32 mask = half == 32 ? ALL : (1u << half) - 1;
      fake_warp(&f, s, 0, 0, mask, half * 4, 4, op(VM_READ, 2));
      fake_warp(&f, s, 0, 0, mask, 0, 4, op(VM_READ, 2));
      fake_warp(&f, s, 0, 0, mask, 0, 4, op(VM_WRITE, 3));
    }
    ck_assert_uint_eq(fake_count(&f, SEVERITY_ERROR), wrong);
    fake_free(&f);
  }
}
END_TEST
START_TEST(many_readers_of_global) { /* more than the log holds */
  start(4, 64);
  for (u32 i = 0; i < 3000; i++)
    fake_warp(&f, g, i % 4, i / 4 % 2, ALL, i % 7 * 4, 4, op(VM_READ, 1));
  ck_assert_uint_eq(fake_count(&f, SEVERITY_ERROR), 0);
  fake_write(&f, g, 0, 0, 2048, 2);
  ck_assert_uint_eq(fake_count(&f, SEVERITY_ERROR), 0);
  fake_write(&f, g, 0, 0, 36, 2);
  ck_assert_uint_ge(fake_count(&f, SEVERITY_ERROR), 1);
  fake_free(&f);
}
END_TEST
START_TEST(read_then_own_write_in_place) {
  start(2, 64);
  for (u32 round = 0; round < 300; round++)
    for (u32 b = 0; b < 2; b++)
      for (u32 w = 0; w < 2; w++) {
        fake_warp(&f, g, b, w, ALL, (b * 64 + w * 32) * 4, 4, op(VM_READ, 1));
        fake_warp(&f, g, b, w, ALL, (b * 64 + w * 32) * 4, 4, op(VM_WRITE, 2));
      }
  ck_assert_uint_eq(fake_count(&f, SEVERITY_ERROR), 0);
  fake_read(&f, g, 0, 0, 128 + 4, 3);
  expect(1, 0);
}
END_TEST

/* One thread walks through an array, every third element, round after round: what it did not read
 * may be written, what it read may not, and a barrier orders all of it. */
START_TEST(walking_reader) {
  start(1, 64);
  for (u32 round = 0; round < 3; round++)
    for (u32 i = 0; i < 10; i++) fake_read(&f, s, 0, 3, i * 12, 1);
  for (u32 i = 0; i < 30; i++)
    if (i % 3 != 0) fake_write(&f, s, 0, 40, i * 4, 2);
  ck_assert_uint_eq(fake_count(&f, SEVERITY_ERROR), 0);
  fake_barrier(&f, 0);
  for (u32 i = 0; i < 10; i++) fake_read(&f, s, 0, 3, i * 12, 1);
  fake_barrier(&f, 0);
  for (u32 i = 0; i < 30; i++) fake_write(&f, s, 0, 40, i * 4, 3);
  ck_assert_uint_eq(fake_count(&f, SEVERITY_ERROR), 0);
  fake_barrier(&f, 0);
  for (u32 i = 0; i < 10; i++) fake_read(&f, s, 0, 3, i * 12, 1);
  fake_write(&f, s, 0, 40, 60, 4); /* in the middle */
  expect(1, 0);
}
END_TEST

START_TEST(walking_reader_ends) { /* the first and the last step count, what lies behind does not */
  start(1, 64);
  for (u32 i = 0; i < 5; i++) fake_read(&f, s, 0, 3, 16 + i * 8, 1);
  fake_write(&f, s, 0, 40, 12, 2);
  fake_write(&f, s, 0, 40, 56, 2);
  ck_assert_uint_eq(fake_count(&f, SEVERITY_ERROR), 0);
  fake_write(&f, s, 0, 40, 16, 3);
  expect(1, 0);
}
END_TEST

Suite *suite_race(void);
Suite *suite_race(void) {
  const TTest *const tests[] = {
      barrier_orders,
      no_barrier_read_after_write,
      no_barrier_write_after_read,
      no_barrier_write_write,
      same_thread_is_ordered,
      disjoint_elements_are_silent,
      lanes_of_a_warp_race,
      syncwarp_orders,
      syncwarp_does_not_reach_other_warps,
      partial_syncwarp,
      partial_syncwarp_chains,
      shuffle_orders_nothing,
      syncwarp_without_exited_lanes,
      barrier_without_exited_threads,
      named_barrier_orders_its_warps,
      arrive_contributes,
      arrive_does_not_wait,
      named_barrier_pair,
      whole_warp_reader_is_named,
      broadcast_readers,
      gather_readers,
      tree_reduction,
      many_readers_of_global,
      read_then_own_write_in_place,
      walking_reader,
      walking_reader_ends,
  };
  Suite *suite = suite_create("race");
  TCase *t = tcase_create("race");
  for (u32 i = 0; i < COUNT_OF(tests); i++) tcase_add_test(t, tests[i]);
  suite_add_tcase(suite, t);
  return suite;
}
