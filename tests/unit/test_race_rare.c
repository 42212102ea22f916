/* test_race_rare.c - orders that need many threads, sizes or scopes on one location to matter: each
 * was once a wrong verdict that the comparison with the oracle (tests/oracle/) found. */
#include <check.h>
#include "race_world.h"

Suite *suite_race_rare(void);

/* The owner clears a flag plainly, then releases it: that comes before the acquire itself. */
START_TEST(acquire_of_what_was_cleared) {
  start(2, 32);
  fake_write(&f, h, 0, 0, 0, 1);
  fake_strong_write(&f, h, 0, 0, 0, VM_RELEASE, GPU, 2);
  fake_strong_read(&f, h, 1, 0, 0, VM_ACQUIRE, GPU, 3);
  expect(0, 0);
  start(2, 32);
  fake_write(&f, h, 0, 0, 0, 1);
  fake_strong_write(&f, h, 0, 0, 0, VM_RELEASE, GPU, 2);
  fake_strong_read(&f, h, 1, 0, 0, VM_RELAXED, GPU, 3);
  expect(1, 0);
}
END_TEST
START_TEST(acquire_by_an_atomic) {
  start(2, 32);
  fake_write(&f, h, 0, 0, 0, 1);
  fake_fence(&f, 0, 0, GPU);
  fake_atomic(&f, h, 0, 0, 0, VM_RELAXED, GPU, 2);
  fake_atomic(&f, h, 1, 0, 0, VM_ACQ_REL, GPU, 3);
  expect(0, 0);
  start(2, 32);
  fake_write(&f, h, 0, 0, 0, 1);
  fake_fence(&f, 0, 0, GPU);
  fake_atomic(&f, h, 0, 0, 0, VM_RELAXED, GPU, 2);
  fake_atomic(&f, h, 1, 0, 0, VM_ACQ_REL, CTA, 3);
  expect(2, 0);
}
END_TEST

/* Thread 0 of block 1 has seen block 0's addition. That a neighbour then adds as well takes nothing
 * away from that: an atomic of block scope by thread 0 may follow; by the neighbour it may not. */
static void mixed_scopes(u32 thread) {
  start(2, 64);
  fake_atomic(&f, h, 0, 0, 0, VM_RELAXED, GPU, 1);
  fake_thread(&f, h, 1, 0, 0,
              (struct fake_op){.kind = VM_RED, .sem = VM_RELAXED, .scope = GPU, .line = 2});
  fake_thread(&f, h, 1, 40, 0,
              (struct fake_op){.kind = VM_RED, .sem = VM_RELAXED, .scope = GPU, .line = 3});
  fake_atomic(&f, h, 1, thread, 0, VM_RELAXED, CTA, 4);
}
START_TEST(own_look_at_a_chain) {
  mixed_scopes(0);
  expect(0, 0);
  mixed_scopes(41);
  expect(1, 0);
}
END_TEST
/* The same through a partner that has synchronised with who saw it. */
START_TEST(look_at_a_chain_passed_on) {
  for (u32 partner = 1; partner <= 2; partner++) {
    start(2, 32);
    fake_atomic(&f, h, 0, 0, 0, VM_RELAXED, GPU, 1);
    fake_strong_read(&f, h, 1, 0, 0, VM_RELAXED, GPU, 2);
    fake_syncwarp(&f, 1, 0, 3);
    fake_atomic(&f, h, 1, 0, 0, VM_RELAXED, GPU, 3);
    fake_atomic(&f, h, 1, partner, 0, VM_RELAXED, CTA, 4);
    expect(partner == 1 ? 0 : 1, 0);
  }
}
END_TEST

/* Relaxed reads of many flags, then an acquire operation on the first of them. */
START_TEST(acquire_after_many_reads) {
  for (u32 acquired = 0; acquired < 2; acquired++) {
    start(2, 32);
    fake_write(&f, g, 0, 0, 0, 1);
    fake_fence(&f, 0, 0, GPU);
    for (u32 i = 0; i < 12; i++) fake_strong_write(&f, h, 0, 0, 4 * i, VM_RELAXED, GPU, 2);
    for (u32 i = 0; i < 12; i++) fake_strong_read(&f, h, 1, 0, 4 * i, VM_RELAXED, GPU, 3);
    fake_strong_read(&f, h, 1, 0, acquired ? 0 : 60, VM_ACQUIRE, GPU, 4);
    fake_read(&f, g, 1, 0, 0, 5);
    expect(acquired ? 0 : 1, 0);
  }
}
END_TEST
/* The acquire pattern is a strong read, then an acquire operation on the location, whatever has
 * been stored there meanwhile. */
START_TEST(acquire_after_an_own_plain_store) {
  start(2, 32);
  fake_write(&f, g, 0, 0, 0, 1);
  fake_strong_write(&f, h, 0, 0, 0, VM_RELEASE, GPU, 2);
  fake_strong_read(&f, h, 1, 0, 0, VM_RELAXED, GPU, 3);
  fake_write(&f, h, 1, 0, 0, 4);
  fake_strong_read(&f, h, 1, 0, 0, VM_ACQUIRE, GPU, 5);
  fake_read(&f, g, 1, 0, 0, 6);
  expect(0, 0);
}
END_TEST

/* volatile against volatile is told, whatever strong access its thread makes in between. */
START_TEST(volatile_is_not_forgotten) {
  start(2, 32);
  fake_strong_read(&f, h, 0, 0, 0, VM_VOLATILE, VM_SCOPE_SYS, 1);
  fake_strong_write(&f, h, 0, 0, 0, VM_RELAXED, GPU, 2);
  fake_strong_write(&f, h, 1, 0, 0, VM_VOLATILE, VM_SCOPE_SYS, 3);
  expect(0, 1);
}
END_TEST

Suite *suite_race_rare(void) {
  Suite *suite = suite_create("race_rare");
  TCase *t = tcase_create("race_rare");
  tcase_add_test(t, acquire_of_what_was_cleared);
  tcase_add_test(t, acquire_by_an_atomic);
  tcase_add_test(t, own_look_at_a_chain);
  tcase_add_test(t, look_at_a_chain_passed_on);
  tcase_add_test(t, acquire_after_many_reads);
  tcase_add_test(t, acquire_after_an_own_plain_store);
  tcase_add_test(t, volatile_is_not_forgotten);
  suite_add_tcase(suite, t);
  return suite;
}
