/* test_race_rule.c - what counts as a race: strong and weak accesses, scopes, bytes, policies,
 * folding. */
#include <check.h>
#include <string.h>
#include "race_world.h"

/* ---- strong against weak and strong ---- */
START_TEST(atomics_do_not_race) {
  start(2, 64);
  for (u32 i = 0; i < 3; i++)
    for (u32 b = 0; b < 2; b++)
      fake_warp(&f, h, b, i % 2, ALL, 0, 0,
                (struct fake_op){.kind = VM_RMW, .sem = VM_RELAXED, .line = 1});
  expect(0, 0);
}
END_TEST
START_TEST(atomic_against_plain) {
  start(1, 64);
  fake_atomic(&f, s, 0, 0, 0, VM_RELAXED, GPU, 1);
  fake_read(&f, s, 0, 40, 0, 2);
  ck_assert_ptr_nonnull(strstr(fake_finding(&f, 0)->message, "atomic"));
  fake_write(&f, s, 0, 41, 4, 3);
  fake_atomic(&f, s, 0, 0, 4, VM_RELAXED, GPU, 4);
  fake_read(&f, s, 0, 41, 8, 5);
  fake_atomic(&f, s, 0, 0, 8, VM_RELAXED, GPU, 6);
  expect(3, 0);
}
END_TEST
START_TEST(plain_after_atomics_and_barrier) {
  start(1, 64);
  fake_warp(&f, s, 0, 0, ALL, 0, 0, (struct fake_op){.kind = VM_RMW, .sem = VM_RELAXED, .line = 1});
  fake_warp(&f, s, 0, 1, ALL, 0, 0, (struct fake_op){.kind = VM_RMW, .sem = VM_RELAXED, .line = 1});
  fake_barrier(&f, 0);
  fake_warp(&f, s, 0, 1, ALL, 0, 4, op(VM_READ, 2));
  fake_warp(&f, s, 0, 1, ALL, 0, 4, op(VM_WRITE, 3));
  expect(0, 0);
}
END_TEST
START_TEST(plain_must_be_after_all_of_a_set) { /* two unordered strong writes; the reader is after
                                                  only one */
  start(1, 96);
  fake_strong_write(&f, s, 0, 0, 0, VM_RELAXED, GPU, 1);
  fake_strong_write(&f, s, 0, 40, 0, VM_RELAXED, GPU, 2);
  fake_named(&f, 0, 1, 0, (u32[]){0, ALL, ALL}, NULL);
  fake_read(&f, s, 0, 70, 0, 3);
  ck_assert_uint_eq(fake_finding(&f, 0)->accesses[0].line, 1);
  expect(1, 0);
}
END_TEST
START_TEST(weak_write_stays_under_strong_ones) { /* the plain write is not hidden by a later ordered
                                                    strong one */
  start(2, 64);
  fake_write(&f, g, 0, 0, 0, 1);
  fake_strong_write(&f, g, 0, 0, 0, VM_RELAXED, GPU, 2);
  fake_strong_read(&f, g, 1, 0, 0, VM_RELAXED, GPU, 3);
  ck_assert_uint_eq(fake_finding(&f, 0)->accesses[0].line, 1);
  expect(1, 0);
}
END_TEST
START_TEST(block_scope_between_blocks) {
  start(2, 32);
  fake_atomic(&f, h, 0, 0, 0, VM_RELAXED, CTA, 1);
  fake_atomic(&f, h, 0, 1, 0, VM_RELAXED, CTA, 1);
  ck_assert_uint_eq(fake_count(&f, SEVERITY_ERROR), 0);
  fake_atomic(&f, h, 1, 0, 0, VM_RELAXED, GPU, 2);
  ck_assert_ptr_nonnull(strstr(fake_finding(&f, 0)->message, "scope"));
  expect(1, 0);
}
END_TEST
START_TEST(sizes_differ) {
  start(2, 32);
  fake_thread(&f, h, 0, 0, 0,
              (struct fake_op){.kind = VM_RMW, .sem = VM_RELAXED, .size = 8, .line = 1});
  fake_thread(&f, h, 1, 0, 0,
              (struct fake_op){.kind = VM_RMW, .sem = VM_RELAXED, .size = 8, .line = 1});
  ck_assert_uint_eq(fake_count(&f, SEVERITY_ERROR), 0);
  fake_atomic(&f, h, 1, 1, 4, VM_RELAXED, GPU, 2);
  ck_assert_ptr_nonnull(strstr(fake_finding(&f, 0)->message, "sizes"));
  expect(1, 0);
}
END_TEST

/* ---- bytes ---- */
START_TEST(bytes_are_exact) {
  start(1, 64);
  struct fake_op b = {.kind = VM_WRITE, .size = 1, .line = 1},
                 c = {.kind = VM_READ, .size = 1, .line = 2};
  fake_thread(&f, s, 0, 0, 1, b);
  fake_thread(&f, s, 0, 40, 2, b);
  fake_thread(&f, s, 0, 41, 3, c);
  fake_thread(&f, s, 0, 40, 2, c);
  ck_assert_uint_eq(fake_count(&f, SEVERITY_ERROR), 0);
  fake_thread(&f, s, 0, 41, 1, c);
  ck_assert_uint_eq(fake_count(&f, SEVERITY_ERROR), 1);
  ck_assert_uint_eq(fake_finding(&f, 0)->offset, 1);
  fake_read(&f, s, 0, 42, 0, 5); /* the word overlaps both bytes */
  expect(3 - 1, 0);              /* line 1 against line 5, folded for its two writers */
}
END_TEST
START_TEST(bytes_over_barriers) {
  start(1, 64);
  for (u32 i = 0; i < 3; i++) {
    fake_warp(&f, s, 0, 0, ALL, 0, 1, (struct fake_op){.kind = VM_WRITE, .size = 1, .line = 1});
    fake_barrier(&f, 0);
    fake_warp(&f, s, 0, 1, ALL, 0, 1, (struct fake_op){.kind = VM_READ, .size = 1, .line = 2});
    fake_warp(&f, s, 0, 0, 0xff, 0, 4, op(VM_READ, 3));
    fake_barrier(&f, 0);
  }
  expect(0, 0);
}
END_TEST
START_TEST(mixed_sizes) {
  start(1, 64);
  fake_thread(&f, s, 0, 0, 16, (struct fake_op){.kind = VM_WRITE, .size = 16, .line = 1});
  fake_thread(&f, s, 0, 40, 32, (struct fake_op){.kind = VM_WRITE, .size = 8, .line = 2});
  ck_assert_uint_eq(fake_count(&f, SEVERITY_ERROR), 0);
  fake_thread(&f, s, 0, 40, 30, (struct fake_op){.kind = VM_READ, .size = 2, .line = 3});
  ck_assert_uint_eq(fake_finding(&f, 0)->offset, 30);
  ck_assert_int_eq(fake_finding(&f, 0)->element, 7);
  expect(1, 0);
}
END_TEST
START_TEST(wide_reads_and_writes) {
  start(1, 64);
  fake_warp(&f, s, 0, 0, ALL, 0, 16, (struct fake_op){.kind = VM_WRITE, .size = 16, .line = 1});
  fake_barrier(&f, 0);
  fake_warp(&f, s, 0, 1, ALL, 0, 16, (struct fake_op){.kind = VM_READ, .size = 16, .line = 2});
  fake_write(&f, s, 0, 0, 12, 3);
  ck_assert_uint_eq(fake_finding(&f, 0)->accesses[0].thread[0], 32);
  expect(1, 0);
}
END_TEST

/* ---- policies ---- */
START_TEST(same_value) {
  start(1, 64);
  fake_put(&f, s, 0, 0, 0, 5, 1);
  fake_put(&f, s, 0, 40, 0, 5, 2);
  expect(0, 1);
  start_with(1, 64, (struct detect_policy){.strict_same_value = true});
  fake_put(&f, s, 0, 0, 0, 5, 1);
  fake_put(&f, s, 0, 40, 0, 5, 2);
  expect(1, 0);
  start(1, 64);
  fake_put(&f, s, 0, 0, 0, 5, 1);
  fake_put(&f, s, 0, 40, 0, 6, 2);
  expect(1, 0);
}
END_TEST
START_TEST(same_value_in_one_instruction) {
  u32 same[VM_LANES], differ[VM_LANES];
  for (u32 i = 0; i < VM_LANES; i++) same[i] = 9, differ[i] = i;
  start(1, 32);
  fake_warp(&f, s, 0, 0, ALL, 0, 0, (struct fake_op){.kind = VM_WRITE, .line = 1, .value = same});
  expect(0, 1);
  start(1, 32);
  fake_warp(&f, s, 0, 0, ALL, 0, 0, (struct fake_op){.kind = VM_WRITE, .line = 1, .value = differ});
  ck_assert_ptr_nonnull(strstr(fake_finding(&f, 0)->message, "same store"));
  expect(1, 0);
}
END_TEST
START_TEST(same_value_hides_nothing) {
  start(1, 96);
  fake_put(&f, s, 0, 0, 0, 0, 1); /* flag = 0 by thread 0, no barrier */
  fake_put(&f, s, 0, 0, 0, 1, 2); /* then flag = 1 by thread 0 and thread 40 */
  fake_put(&f, s, 0, 40, 0, 1, 2);
  ck_assert_uint_eq(fake_count(&f, SEVERITY_ERROR), 1);
  fake_free(&f);
  start(1, 96);
  fake_put(&f, s, 0, 0, 0, 1, 1);
  fake_put(&f, s, 0, 40, 0, 1, 1);
  fake_named(&f, 0, 1, 0, (u32[]){0, ALL, ALL}, NULL);
  fake_read(&f, s, 0, 70, 0, 2); /* ordered after thread 40's, not after thread 0's */
  expect(1, 0);                  /* the note about line 1 is covered by the error there */
}
END_TEST
START_TEST(same_value_bytes) { /* bool done: one byte */
  u8 one[VM_LANES];
  memset(one, 1, sizeof one);
  struct fake_op w = {.kind = VM_WRITE, .size = 1, .line = 2, .value = one};
  u8 zero[VM_LANES] = {0};
  struct fake_op init = {.kind = VM_WRITE, .size = 1, .line = 1, .value = zero};
  start(1, 64);
  fake_thread(&f, s, 0, 0, 0, init);
  fake_barrier(&f, 0);
  fake_warp(&f, s, 0, 0, ALL, 0, 0, w);
  fake_warp(&f, s, 0, 1, ALL, 0, 0, w);
  expect(0, 1);
  start(1, 64);
  fake_thread(&f, s, 0, 0, 0, init); /* no barrier after it */
  fake_warp(&f, s, 0, 0, ALL, 0, 0, w);
  fake_warp(&f, s, 0, 1, ALL, 0, 0, w);
  ck_assert_uint_ge(fake_count(&f, SEVERITY_ERROR), 1);
  fake_free(&f);
}
END_TEST
START_TEST(volatile_policy) {
  start(2, 32);
  fake_strong_write(&f, h, 0, 0, 0, VM_VOLATILE, VM_SCOPE_SYS, 1);
  fake_strong_read(&f, h, 1, 0, 0, VM_VOLATILE, VM_SCOPE_SYS, 2);
  expect(0, 1);
  start_with(2, 32, (struct detect_policy){.strict_volatile = true});
  fake_strong_write(&f, h, 0, 0, 0, VM_VOLATILE, VM_SCOPE_SYS, 1);
  fake_strong_read(&f, h, 1, 0, 0, VM_VOLATILE, VM_SCOPE_SYS, 2);
  expect(1, 0);
  start(2, 32);
  fake_strong_write(&f, h, 0, 0, 0, VM_VOLATILE, VM_SCOPE_SYS, 1);
  fake_read(&f, h, 1, 0, 0, 2);
  expect(1, 0);
}
END_TEST
START_TEST(readonly_cache) {
  start(2, 32);
  struct fake_op nc = {.kind = VM_READ, .nc = true, .line = 2};
  fake_warp(&f, g, 0, 0, ALL, 0, 4, nc);
  fake_warp(&f, g, 1, 0, ALL, 0, 4, nc);
  ck_assert_uint_eq(fake_count(&f, SEVERITY_ERROR), 0);
  fake_write(&f, h, 0, 0, 0, 1);
  fake_thread(&f, h, 0, 0, 0, nc); /* even the same thread */
  ck_assert_uint_eq(fake_count(&f, SEVERITY_ERROR), 1);
  fake_write(&f, g, 0, 5, 20, 3); /* read by itself through the cache before; block 1 races too */
  ck_assert_uint_ge(fake_count(&f, SEVERITY_ERROR), 2);
  fake_free(&f);
  start(2, 32);
  fake_write(&f, h, 0, 0, 0, 1);
  fake_launch(&f);
  fake_thread(&f, h, 0, 0, 0, nc);
  fake_launch(&f);
  fake_write(&f, h, 0, 0, 0, 1);
  expect(0, 0);
}
END_TEST
START_TEST(folding) {
  start(1, 64);
  for (u32 i = 0; i < 50; i++) {
    fake_write(&f, s, 0, 0, i * 4, 1);
    fake_read(&f, s, 0, 40, i * 4, 2);
  }
  ck_assert_uint_eq(fake_finding(&f, 0)->repeats, 49);
  fake_write(&f, g, 0, 0, 0, 1); /* another object: another finding */
  fake_read(&f, g, 0, 40, 0, 2);
  ck_assert_str_eq(fake_finding(&f, 1)->object, "data");
  expect(2, 0);
}
END_TEST
START_TEST(many_findings) {
  start(1, 64);
  for (u32 i = 0; i < 100; i++) {
    fake_write(&f, s, 0, 0, i * 4, 2 * i);
    fake_read(&f, s, 0, 40, i * 4, 2 * i - (i > 0) + 1);
  }
  u32 n;
  u64 dropped;
  detect_findings(f.d, &n, &dropped);
  ck_assert_uint_eq(n, 64);
  ck_assert_uint_eq(dropped, 36);
  expect(64, 0);
}
END_TEST

Suite *suite_race_rule(void);
Suite *suite_race_rule(void) {
  const TTest *const tests[] = {
      atomics_do_not_race,
      atomic_against_plain,
      plain_after_atomics_and_barrier,
      plain_must_be_after_all_of_a_set,
      weak_write_stays_under_strong_ones,
      block_scope_between_blocks,
      sizes_differ,
      bytes_are_exact,
      bytes_over_barriers,
      mixed_sizes,
      wide_reads_and_writes,
      same_value,
      same_value_in_one_instruction,
      same_value_hides_nothing,
      same_value_bytes,
      volatile_policy,
      readonly_cache,
      folding,
      many_findings,
  };
  Suite *suite = suite_create("race_rule");
  TCase *t = tcase_create("race_rule");
  for (u32 i = 0; i < COUNT_OF(tests); i++) tcase_add_test(t, tests[i]);
  suite_add_tcase(suite, t);
  return suite;
}
