/* test_race_order.c - order between blocks: launches, fences, releases, chains of atomics,
 * observation. */
#include <check.h>
#include <string.h>
#include "race_world.h"

/* ---- between blocks ---- */
START_TEST(blocks_race) {
  start(2, 32);
  fake_write(&f, g, 0, 0, 0, 1);
  fake_barrier(&f, 0);
  fake_barrier(&f, 1);
  fake_read(&f, g, 1, 0, 0, 2);
  ck_assert_ptr_nonnull(strstr(fake_finding(&f, 0)->message, "different blocks"));
  expect(1, 0);
}
END_TEST
START_TEST(ended_block_is_not_ordered) {
  start(2, 32);
  fake_write(&f, g, 0, 0, 0, 1);
  fake_block_end(&f, 0);
  fake_read(&f, g, 1, 0, 0, 2);
  expect(1, 0);
}
END_TEST
START_TEST(launches_are_ordered) {
  start(2, 32);
  fake_write(&f, g, 0, 0, 0, 1);
  fake_warp(&f, g, 1, 0, ALL, 128, 4, op(VM_READ, 1));
  fake_atomic(&f, h, 0, 0, 0, VM_RELAXED, GPU, 1);
  fake_launch(&f);
  fake_read(&f, g, 1, 0, 0, 2);
  fake_warp(&f, g, 0, 0, ALL, 128, 4, op(VM_WRITE, 1));
  fake_write(&f, h, 1, 5, 0, 2);
  fake_launch(&f);
  fake_write(&f, g, 1, 0, 0, 2);
  expect(0, 0);
}
END_TEST
/* data, fence, flag / flag, fence, data with each piece left out in turn. */
static u32 message_passing(bool release, bool acquire, enum vm_scope fence, enum vm_scope flag,
                           u32 reader_block) {
  start(2, 64);
  fake_write(&f, g, 0, 0, 0, 1);
  if (release) fake_fence(&f, 0, 0, fence);
  fake_strong_write(&f, h, 0, 0, 0, VM_RELAXED, flag, 2);
  fake_strong_read(&f, h, reader_block, 40, 0, VM_RELAXED, flag, 3);
  if (acquire) fake_fence(&f, reader_block, 40, fence);
  fake_read(&f, g, reader_block, 40, 0, 4);
  return fake_count(&f, SEVERITY_ERROR);
}
START_TEST(fences_on_both_sides) {
  ck_assert_uint_eq(message_passing(true, true, GPU, GPU, 1), 0);
  fake_free(&f);
  ck_assert_uint_eq(message_passing(true, true, VM_SCOPE_SYS, VM_SCOPE_SYS, 1), 0);
  fake_free(&f);
  ck_assert_uint_eq(message_passing(true, true, CTA, GPU, 0), 0);
  fake_free(&f);
  ck_assert_uint_eq(message_passing(true, true, CTA, CTA, 0), 0);
  fake_free(&f);
}
END_TEST
START_TEST(fence_missing_at_reader) {
  ck_assert_uint_eq(message_passing(true, false, GPU, GPU, 1), 1);
  ck_assert_ptr_nonnull(
      strstr(fake_finding(&f, 0)->suggestion, "after the read that saw the signal"));
  fake_free(&f);
}
END_TEST
START_TEST(fence_missing_at_writer) {
  ck_assert_uint_eq(message_passing(false, true, GPU, GPU, 1), 1);
  ck_assert_ptr_nonnull(strstr(fake_finding(&f, 0)->suggestion, "before giving the signal"));
  fake_free(&f);
}
END_TEST
/* A lock that two lanes of one warp take in turn: what is missing is a fence, not a barrier. The
 * writer's own acquire, older than what it writes, does not count as its release. */
START_TEST(fence_missing_within_a_warp) {
  for (u32 writer_lacks = 0; writer_lacks < 2; writer_lacks++) {
    start(1, 32);
    fake_fence(&f, 0, 0, GPU);
    fake_write(&f, g, 0, 0, 0, 1);
    if (!writer_lacks) fake_fence(&f, 0, 0, GPU);
    fake_strong_write(&f, h, 0, 0, 0, VM_RELAXED, GPU, 2);
    fake_strong_read(&f, h, 0, 1, 0, VM_RELAXED, GPU, 3);
    if (writer_lacks) fake_fence(&f, 0, 1, GPU);
    fake_read(&f, g, 0, 1, 0, 4);
    ck_assert_uint_eq(fake_count(&f, SEVERITY_ERROR), 1);
    ck_assert_ptr_nonnull(
        strstr(fake_finding(&f, 0)->suggestion,
               writer_lacks ? "before giving the signal" : "after the read that saw the signal"));
    fake_free(&f);
  }
}
END_TEST
/* One thread sees the signal and has no fence before the barrier; the one that reads has a fence of
 * its own behind it, which follows no signal. Within a block the shared counter that it has seen is
 * no signal either. */
START_TEST(fence_behind_the_barrier) {
  start(2, 64);
  fake_write(&f, g, 0, 0, 0, 1);
  fake_fence(&f, 0, 0, GPU);
  fake_strong_write(&f, h, 0, 0, 0, VM_RELAXED, GPU, 2);
  fake_strong_write(&f, h, 1, 1, 8, VM_RELAXED, GPU, 3);
  fake_strong_read(&f, h, 1, 40, 8, VM_RELAXED, GPU, 3);
  fake_strong_read(&f, h, 1, 0, 0, VM_RELAXED, GPU, 4);
  fake_barrier(&f, 1);
  fake_fence(&f, 1, 40, GPU);
  fake_read(&f, g, 1, 40, 0, 5);
  ck_assert_uint_eq(fake_count(&f, SEVERITY_ERROR), 1);
  ck_assert_ptr_nonnull(strstr(fake_finding(&f, 0)->suggestion, "before the barrier of its block"));
  fake_free(&f);
}
END_TEST
START_TEST(fence_scope_too_small) {
  ck_assert_uint_eq(message_passing(true, true, CTA, GPU, 1), 1);
  ck_assert_ptr_nonnull(strstr(fake_finding(&f, 0)->suggestion, "device scope"));
  fake_free(&f);
}
END_TEST
START_TEST(flag_scope_too_small) { /* the flag itself races, and the data with it */
  ck_assert_uint_eq(message_passing(true, true, GPU, CTA, 1), 2);
  ck_assert_ptr_nonnull(strstr(fake_finding(&f, 0)->message, "scope"));
  fake_free(&f);
}
END_TEST
START_TEST(fence_before_data_is_no_release) {
  start(2, 32);
  fake_fence(&f, 0, 0, GPU);
  fake_write(&f, g, 0, 0, 0, 1);
  fake_strong_write(&f, h, 0, 0, 0, VM_RELAXED, GPU, 2);
  fake_strong_read(&f, h, 1, 0, 0, VM_RELAXED, GPU, 3);
  fake_fence(&f, 1, 0, GPU);
  fake_read(&f, g, 1, 0, 0, 4);
  expect(1, 0);
}
END_TEST
START_TEST(release_and_acquire_operations) {
  start(2, 32);
  fake_write(&f, g, 0, 0, 0, 1);
  fake_strong_write(&f, h, 0, 0, 0, VM_RELEASE, GPU, 2);
  fake_write(&f, g, 0, 0, 4, 3); /* after the release: not carried */
  fake_strong_read(&f, h, 1, 0, 0, VM_ACQUIRE, GPU, 4);
  fake_read(&f, g, 1, 0, 0, 5);
  ck_assert_uint_eq(fake_count(&f, SEVERITY_ERROR), 0);
  fake_read(&f, g, 1, 0, 4, 6);
  expect(1, 0);
}
END_TEST
START_TEST(acquire_before_release_sees_nothing) {
  start(2, 32);
  fake_write(&f, g, 0, 0, 0, 1);
  fake_strong_read(&f, h, 1, 0, 0, VM_ACQUIRE, GPU, 4);
  fake_strong_write(&f, h, 0, 0, 0, VM_RELEASE, GPU, 2);
  fake_read(&f, g, 1, 0, 0, 5);
  expect(1, 0);
}
END_TEST
START_TEST(relaxed_read_then_acquire_of_the_same) {
  start(2, 32);
  fake_write(&f, g, 0, 0, 0, 1);
  fake_strong_write(&f, h, 0, 0, 0, VM_RELEASE, GPU, 2);
  fake_strong_read(&f, h, 1, 0, 0, VM_RELAXED, GPU, 3);
  fake_strong_write(&f, h, 0, 1, 0, VM_RELAXED, GPU, 4); /* replaces the message */
  fake_strong_read(&f, h, 1, 0, 0, VM_ACQUIRE, GPU, 5);
  fake_read(&f, g, 1, 0, 0, 6);
  expect(0, 0);
}
END_TEST
START_TEST(replaced_message_is_lost) {
  start(2, 32);
  fake_write(&f, g, 0, 0, 0, 1);
  fake_strong_write(&f, h, 0, 0, 0, VM_RELEASE, GPU, 2);
  fake_strong_write(&f, h, 0, 1, 0, VM_RELAXED, GPU, 4);
  fake_strong_read(&f, h, 1, 0, 0, VM_ACQUIRE, GPU, 5);
  fake_read(&f, g, 1, 0, 0, 6);
  expect(1, 0);
}
END_TEST
START_TEST(own_release_is_carried_on) { /* PTX 8.7: a release operation, then a strong write, on one
                                           location */
  start(2, 32);
  fake_write(&f, g, 0, 0, 0, 1);
  fake_strong_write(&f, h, 0, 0, 0, VM_RELEASE, GPU, 2);
  fake_strong_write(&f, h, 0, 0, 0, VM_RELAXED, GPU, 3);
  fake_strong_read(&f, h, 1, 0, 0, VM_ACQUIRE, GPU, 5);
  fake_read(&f, g, 1, 0, 0, 6);
  expect(0, 0);
}
END_TEST
START_TEST(read_modify_writes_carry_on) {
  start(3, 32);
  fake_write(&f, g, 0, 0, 0, 1);
  fake_fence(&f, 0, 0, GPU);
  fake_atomic(&f, h, 0, 0, 0, VM_RELAXED, GPU, 2);
  fake_atomic(&f, h, 1, 0, 0, VM_RELAXED, GPU, 2);
  fake_atomic(&f, h, 2, 0, 0, VM_RELAXED, GPU, 2);
  fake_fence(&f, 2, 0, GPU);
  fake_read(&f, g, 2, 0, 0, 3);
  expect(0, 0);
}
END_TEST
START_TEST(weak_store_clears_messages) {
  start(2, 32);
  fake_write(&f, g, 0, 0, 0, 1);
  fake_fence(&f, 0, 0, GPU);
  fake_atomic(&f, h, 0, 0, 0, VM_RELAXED, GPU, 2);
  fake_write(&f, h, 0, 0, 0, 2);
  fake_launch(&f); /* nothing of this is left anyway: a fresh start */
  fake_write(&f, g, 0, 0, 0, 1);
  fake_fence(&f, 0, 0, GPU);
  fake_atomic(&f, h, 0, 0, 0, VM_RELAXED, GPU, 2);
  fake_write(&f, h, 0, 0, 0, 3);
  fake_atomic(&f, h, 1, 0, 0, VM_RELAXED, GPU,
              4); /* races with the plain store, and learns nothing */
  fake_fence(&f, 1, 0, GPU);
  fake_read(&f, g, 1, 0, 0, 5);
  expect(2, 0);
}
END_TEST
START_TEST(red_publishes_but_does_not_acquire) {
  start(2, 32);
  fake_write(&f, g, 0, 0, 0, 1);
  fake_fence(&f, 0, 0, GPU);
  fake_thread(&f, h, 0, 0, 0, (struct fake_op){.kind = VM_RED, .sem = VM_RELAXED, .line = 2});
  fake_atomic(&f, h, 1, 0, 0, VM_RELAXED, GPU, 3);
  fake_fence(&f, 1, 0, GPU);
  fake_read(&f, g, 1, 0, 0, 4);
  ck_assert_uint_eq(fake_count(&f, SEVERITY_ERROR), 0);
  fake_free(&f);
  start(2, 32);
  fake_write(&f, g, 0, 0, 0, 1);
  fake_fence(&f, 0, 0, GPU);
  fake_atomic(&f, h, 0, 0, 0, VM_RELAXED, GPU, 2);
  fake_thread(&f, h, 1, 0, 0, (struct fake_op){.kind = VM_RED, .sem = VM_RELAXED, .line = 3});
  fake_fence(&f, 1, 0, GPU);
  fake_read(&f, g, 1, 0, 0, 4);
  expect(1, 0);
}
END_TEST
START_TEST(failed_cas_reads_only) {
  start(2, 32);
  fake_write(&f, g, 0, 0, 0, 1);
  fake_thread(&f, h, 0, 0, 0,
              (struct fake_op){.kind = VM_RMW, .sem = VM_RELEASE, .line = 2, .fails = true});
  fake_thread(&f, h, 1, 0, 0, (struct fake_op){.kind = VM_RMW, .sem = VM_ACQUIRE, .line = 3});
  fake_read(&f, g, 1, 0, 0, 4);
  ck_assert_uint_eq(fake_count(&f, SEVERITY_ERROR), 1);
  fake_free(&f);
  start(2, 32);
  fake_write(&f, g, 0, 0, 0, 1);
  fake_strong_write(&f, h, 0, 0, 0, VM_RELEASE, GPU, 2);
  fake_thread(&f, h, 1, 0, 0,
              (struct fake_op){.kind = VM_RMW, .sem = VM_ACQUIRE, .line = 3, .fails = true});
  fake_read(&f, g, 1, 0, 0, 4);
  expect(0, 0);
}
END_TEST
START_TEST(cumulative_through_barrier) {
  start(2, 64);
  fake_warp(&f, g, 0, 1, ALL, 0, 4, op(VM_WRITE, 1));
  fake_barrier(&f, 0);
  fake_fence(&f, 0, 0, GPU);
  fake_atomic(&f, h, 0, 0, 0, VM_RELAXED, GPU, 2);
  fake_atomic(&f, h, 1, 0, 0, VM_RELAXED, GPU, 2);
  fake_fence(&f, 1, 0, GPU);
  fake_barrier(&f, 1);
  fake_warp(&f, g, 1, 1, ALL, 0, 4, op(VM_READ, 3));
  fake_warp(&f, g, 1, 1, ALL, 0, 4, op(VM_WRITE, 3));
  expect(0, 0);
}
END_TEST
START_TEST(cumulative_needs_the_barrier) {
  start(2, 64);
  fake_warp(&f, g, 0, 1, ALL, 0, 4, op(VM_WRITE, 1));
  fake_fence(&f, 0, 0, GPU);
  fake_atomic(&f, h, 0, 0, 0, VM_RELAXED, GPU, 2);
  fake_atomic(&f, h, 1, 0, 0, VM_RELAXED, GPU, 2);
  fake_fence(&f, 1, 0, GPU);
  fake_read(&f, g, 1, 0, 0, 3);
  expect(1, 0);
}
END_TEST
START_TEST(cumulative_through_syncwarp) {
  start(2, 32);
  fake_write(&f, g, 0, 7, 0, 1);
  fake_syncwarp(&f, 0, 0, 0xff);
  fake_fence(&f, 0, 0, GPU);
  fake_atomic(&f, h, 0, 0, 0, VM_RELAXED, GPU, 2);
  fake_atomic(&f, h, 1, 0, 0, VM_RELAXED, GPU, 2);
  fake_fence(&f, 1, 0, GPU);
  fake_syncwarp(&f, 1, 0, 3);
  fake_read(&f, g, 1, 1, 0, 3);
  ck_assert_uint_eq(fake_count(&f, SEVERITY_ERROR), 0);
  fake_read(&f, g, 1, 2, 0, 3);
  expect(1, 0);
}
END_TEST
START_TEST(transitive_through_a_third) {
  start(3, 32);
  fake_write(&f, g, 0, 0, 0, 1);
  fake_strong_write(&f, h, 0, 0, 0, VM_RELEASE, GPU, 2);
  fake_strong_read(&f, h, 1, 0, 0, VM_ACQUIRE, GPU, 3);
  fake_strong_write(&f, h, 1, 0, 4, VM_RELEASE, GPU, 4);
  fake_strong_read(&f, h, 2, 0, 4, VM_ACQUIRE, GPU, 5);
  fake_write(&f, g, 2, 0, 0, 6);
  expect(0, 0);
}
END_TEST
START_TEST(grid_barrier) { /* many rounds: each block writes its element, all read all */
  start(8, 64);
  for (u32 round = 0; round < 5; round++) {
    for (u32 b = 0; b < 8; b++) {
      fake_write(&f, g, b, 33, b * 4, 1);
      fake_barrier(&f, b);
      fake_fence(&f, b, 0, GPU);
      fake_atomic(&f, h, b, 0, 0, VM_RELAXED, GPU, 2);
    }
    for (u32 b = 0; b < 8; b++) {
      fake_strong_read(&f, h, b, 0, 0, VM_VOLATILE, VM_SCOPE_SYS, 3);
      fake_fence(&f, b, 0, GPU);
      fake_barrier(&f, b);
      for (u32 k = 0; k < 8; k++) fake_read(&f, g, b, 40, k * 4, 4);
    }
    for (u32 b = 0; b < 8; b++) {
      fake_barrier(&f, b);
      fake_fence(&f, b, 0, GPU);
      fake_atomic(&f, h, b, 0, 4, VM_RELAXED, GPU, 5);
    }
    for (u32 b = 0; b < 8; b++) {
      fake_strong_read(&f, h, b, 0, 4, VM_VOLATILE, VM_SCOPE_SYS, 6);
      fake_fence(&f, b, 0, GPU);
      fake_barrier(&f, b);
    }
  }
  expect(0, 0);
}
END_TEST
START_TEST(spin_lock) {
  for (u32 with_fences = 0; with_fences < 2; with_fences++) {
    start(4, 32);
    for (u32 round = 0; round < 12; round++) {
      u32 b = round % 4, t = round % 3;
      fake_thread(&f, h, (b + 1) % 4, 0, 0,
                  (struct fake_op){.kind = VM_RMW, .sem = VM_RELAXED, .line = 1, .fails = true});
      fake_atomic(&f, h, b, t, 0, VM_RELAXED, GPU, 1);
      if (with_fences) fake_fence(&f, b, t, GPU);
      fake_read(&f, g, b, t, 0, 2);
      fake_write(&f, g, b, t, 0, 3);
      if (with_fences) fake_fence(&f, b, t, GPU);
      fake_atomic(&f, h, b, t, 0, VM_RELAXED, GPU, 4);
    }
    ck_assert_int_eq(fake_count(&f, SEVERITY_ERROR) == 0, with_fences == 1);
    fake_free(&f);
  }
}
END_TEST

/* ---- observation ---- */
START_TEST(last_block_resets_counter) {
  start(4, 32);
  for (u32 b = 0; b < 4; b++) {
    fake_write(&f, g, b, 0, b * 4, 1);
    fake_fence(&f, b, 0, GPU);
    fake_atomic(&f, h, b, 0, 0, VM_RELAXED, GPU, 2);
  }
  fake_fence(&f, 3, 0, GPU);
  fake_read(&f, g, 3, 0, 0, 3);
  fake_write(&f, h, 3, 0, 0, 4); /* a plain store: it has seen all the others' additions */
  expect(0, 0);
}
END_TEST
START_TEST(reset_without_fence_is_observed_too) {
  start(4, 64);
  for (u32 b = 0; b < 4; b++) fake_atomic(&f, h, b, 0, 0, VM_RELAXED, GPU, 2);
  fake_barrier(&f, 3);
  fake_write(&f, h, 3, 33, 0, 4); /* another thread of that block, after the barrier */
  expect(0, 0);
}
END_TEST
START_TEST(early_reset_races) { /* block 1 is not the last */
  start(4, 32);
  fake_atomic(&f, h, 1, 0, 0, VM_RELAXED, GPU, 2);
  fake_atomic(&f, h, 2, 0, 0, VM_RELAXED, GPU, 2);
  fake_write(&f, h, 1, 0, 0, 4);
  expect(1, 0);
}
END_TEST
START_TEST(reset_by_bystander_races) {
  start(4, 64);
  for (u32 b = 0; b < 4; b++) fake_atomic(&f, h, b, 0, 0, VM_RELAXED, GPU, 2);
  fake_write(&f, h, 3, 33, 0, 4); /* no barrier after thread 0's read */
  expect(1, 0);
}
END_TEST
START_TEST(observation_is_for_the_location_only) {
  start(2, 32);
  fake_write(&f, g, 0, 0, 0, 1);
  fake_atomic(&f, h, 0, 0, 0, VM_RELAXED, GPU, 2);
  fake_atomic(&f, h, 1, 0, 0, VM_RELAXED, GPU, 2);
  fake_write(&f, g, 1, 0, 0, 3);
  expect(1, 0);
}
END_TEST
START_TEST(poll_is_not_observed) { /* somebody still polls the counter when it is reset */
  start(3, 32);
  fake_atomic(&f, h, 0, 0, 0, VM_RELAXED, GPU, 2);
  fake_strong_read(&f, h, 2, 0, 0, VM_RELAXED, GPU, 3);
  fake_atomic(&f, h, 1, 0, 0, VM_RELAXED, GPU, 2);
  fake_write(&f, h, 1, 0, 0, 4);
  expect(1, 0);
}
END_TEST
START_TEST(poll_again_does_not_hide_the_first) {
  start(2, 64);
  fake_strong_write(&f, h, 0, 0, 0, VM_RELAXED, GPU, 1);
  fake_strong_read(&f, h, 1, 0, 0, VM_RELAXED, GPU, 2);
  fake_barrier(&f, 1);
  fake_strong_read(&f, h, 1, 0, 0, VM_RELAXED, GPU, 2);
  fake_strong_read(&f, h, 1, 0, 0, VM_RELAXED, GPU, 2);
  fake_read(&f, h, 1, 40, 0, 3); /* ordered after the first poll, which saw the write */
  expect(0, 0);
}
END_TEST

Suite *suite_race_order(void);
Suite *suite_race_order(void) {
  const TTest *const tests[] = {
      blocks_race,
      ended_block_is_not_ordered,
      launches_are_ordered,
      fences_on_both_sides,
      fence_behind_the_barrier,
      fence_missing_at_reader,
      fence_missing_within_a_warp,
      fence_missing_at_writer,
      fence_scope_too_small,
      flag_scope_too_small,
      fence_before_data_is_no_release,
      release_and_acquire_operations,
      acquire_before_release_sees_nothing,
      relaxed_read_then_acquire_of_the_same,
      replaced_message_is_lost,
      own_release_is_carried_on,
      read_modify_writes_carry_on,
      weak_store_clears_messages,
      red_publishes_but_does_not_acquire,
      failed_cas_reads_only,
      cumulative_through_barrier,
      cumulative_needs_the_barrier,
      cumulative_through_syncwarp,
      transitive_through_a_third,
      grid_barrier,
      spin_lock,
      last_block_resets_counter,
      reset_without_fence_is_observed_too,
      early_reset_races,
      reset_by_bystander_races,
      observation_is_for_the_location_only,
      poll_is_not_observed,
      poll_again_does_not_hide_the_first,
  };
  Suite *suite = suite_create("race_order");
  TCase *t = tcase_create("race_order");
  for (u32 i = 0; i < COUNT_OF(tests); i++) tcase_add_test(t, tests[i]);
  suite_add_tcase(suite, t);
  return suite;
}
