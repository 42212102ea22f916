/* test_race_lists.c - what a granule remembers of strong accesses (detect/strong.c): lists stay
 * short where nothing is lost by it, and no longer than that. */
#include <string.h>
#include "detect/race.h"
#include "race_world.h"

static const struct race_cell *cell_of(const struct vm_object *o) {
  const struct race *r = NULL;
  for (u32 i = 0; i < detect_list_count; i++)
    if (!strcmp(detect_list[i].name, "race")) r = f.d->checks[i].self;
  const struct race_shadow *sh = o->shadow;
  return &r->cells[sh->chunks[0]->cell[0]];
}
static u32 entries_by(u32 warp) {
  const struct race_cell *c = cell_of(h);
  u32 n = 0;
  for (u32 i = 0; i < c->entry_count; i++) n += c->entries[i].warp == warp;
  return n;
}
static void try_lock(u32 block, u32 thread, u32 line) { /* finds it taken */
  fake_thread(&f, h, block, thread, 0,
              (struct fake_op){.kind = VM_RMW, .sem = VM_RELAXED, .line = line, .fails = true});
}
static void add(u32 block, u32 line) { fake_atomic(&f, h, block, 0, 0, VM_RELAXED, GPU, line); }

/* ---- a lock that many try while it goes from hand to hand ---- */
enum { BLOCKS = 3, THREADS = 64, ROUNDS = 100 };
static void contend(void) {
  start(BLOCKS, THREADS);
  for (u32 round = 0; round < ROUNDS; round++) {
    u32 b = round % BLOCKS, t = round * 7 % THREADS;
    fake_atomic(&f, h, b, t, 0, VM_RELAXED, GPU, 1);
    fake_fence(&f, b, t, GPU);
    fake_write(&f, g, b, t, 0, 2);
    for (u32 i = 0; i < BLOCKS * THREADS; i++)
      if (i != b * THREADS + t) try_lock(i / THREADS, i % THREADS, 1);
    fake_fence(&f, b, t, GPU);
    fake_atomic(&f, h, b, t, 0, VM_RELAXED, GPU, 3);
  }
}
START_TEST(a_contended_lock) {
  contend();
  /* A write for each block; for each thread the last try, and one before that it may have told. */
  ck_assert_uint_le(cell_of(h)->entry_count, BLOCKS + 2 * BLOCKS * THREADS);
  expect(0, 0);
}
END_TEST
START_TEST(a_contended_lock_reset_by_a_store) {
  contend();
  fake_write(&f, h, 1, 5, 0, 4);
  ck_assert_uint_ge(fake_count(&f, SEVERITY_ERROR), 1);
  fake_free(&f);
}
END_TEST

/* ---- of two polls that saw different values, the first is needed by whoever knows only it ---- */
static void first_poll(void) {
  start(5, 64);
  add(0, 1); /* stays: block 0 does nothing more */
  try_lock(1, 0, 2);
}
static void next_poll(u32 writer) {
  add(writer, 1);
  try_lock(1, 0, 2);
}
START_TEST(nothing_said_between) {
  first_poll();
  next_poll(2);
  next_poll(3);
  ck_assert_uint_eq(entries_by(2), 1);
  expect(0, 0);
}
END_TEST
START_TEST(others_said_something) { /* which ends the epoch of their warp */
  first_poll();
  fake_fence(&f, 1, 9, GPU);
  fake_strong_write(&f, g, 1, 9, 0, VM_RELAXED, GPU, 3);
  next_poll(2);
  ck_assert_uint_eq(entries_by(2), 1);
  expect(0, 0);
}
END_TEST
START_TEST(said_between) {
  first_poll();
  fake_fence(&f, 1, 0, GPU);
  fake_strong_write(&f, g, 1, 0, 0, VM_RELAXED, GPU, 3);
  next_poll(2);
  ck_assert_uint_eq(entries_by(2), 2);
  expect(0, 0);
}
END_TEST
START_TEST(released_between) {
  first_poll();
  fake_strong_write(&f, g, 1, 0, 0, VM_RELEASE, GPU, 3);
  next_poll(2);
  ck_assert_uint_eq(entries_by(2), 2);
  expect(0, 0);
}
END_TEST
START_TEST(
    may_still_be_said) { /* a fence whose clock no write carries, until the next replaces it */
  first_poll();
  fake_fence(&f, 1, 0, GPU);
  next_poll(2);
  ck_assert_uint_eq(entries_by(2), 2);
  fake_fence(&f, 1, 0, GPU);
  next_poll(3);
  ck_assert_uint_eq(entries_by(2), 2);
  expect(0, 0);
}
END_TEST
START_TEST(barrier_between) {
  first_poll();
  fake_barrier(&f, 1);
  next_poll(2);
  ck_assert_uint_eq(entries_by(2), 2);
  expect(0, 0);
}
END_TEST
START_TEST(syncwarp_between) {
  first_poll();
  fake_syncwarp(&f, 1, 0, 3);
  next_poll(2);
  ck_assert_uint_eq(entries_by(2), 2);
  expect(0, 0);
}
END_TEST
START_TEST(arrival_between) { /* bar.arrive, whose barrier opens later */
  first_poll();
  fake_arrive(&f, 1, 0, 1, 5, 0);
  next_poll(2);
  ck_assert_uint_eq(entries_by(2), 2);
  expect(0, 0);
}
END_TEST

/* ---- among many that reach each other, one that does not ---- */
static void many(void) {
  start(8, 32);
  for (u32 b = 1; b < 8; b++) {
    add(b, 1);
    try_lock(b, 1, 1);
  }
}
START_TEST(all_alike) {
  many();
  add(0, 2);
  ck_assert_uint_eq(cell_of(h)->kinds, 0);
  expect(0, 0);
}
END_TEST
START_TEST(scope_too_small) {
  many();
  fake_atomic(&f, h, 0, 0, 0, VM_RELAXED, CTA, 2);
  ck_assert(cell_of(h)->kinds & CELL_UNLIKE);
  expect(1, 0);
}
END_TEST
START_TEST(scope_too_small_before) {
  start(8, 32);
  fake_atomic(&f, h, 0, 0, 0, VM_RELAXED, CTA, 2);
  for (u32 b = 1; b < 8; b++) add(b, 1);
  ck_assert_uint_ge(fake_count(&f, SEVERITY_ERROR), 1);
  fake_free(&f);
}
END_TEST
START_TEST(other_extent) {
  many();
  fake_thread(&f, h, 0, 0, 0,
              (struct fake_op){.kind = VM_RMW, .sem = VM_RELAXED, .line = 2, .size = 8});
  expect(1, 0);
}
END_TEST
START_TEST(plain_write_among_atomics) {
  many();
  fake_write(&f, h, 0, 0, 0, 2);
  ck_assert_uint_ge(fake_count(&f, SEVERITY_ERROR), 1);
  fake_free(&f);
}
END_TEST
START_TEST(plain_read_among_atomics) {
  many();
  fake_read(&f, h, 0, 0, 0, 2);
  ck_assert_uint_ge(fake_count(&f, SEVERITY_ERROR), 1);
  fake_free(&f);
}
END_TEST
START_TEST(volatile_after_stores) { /* both volatile: a note */
  start(8, 32);
  for (u32 b = 1; b < 8; b++) fake_strong_write(&f, h, b, 0, 0, VM_VOLATILE, VM_SCOPE_SYS, 1);
  fake_strong_read(&f, h, 0, 0, 0, VM_VOLATILE, VM_SCOPE_SYS, 2);
  ck_assert_uint_eq(fake_count(&f, SEVERITY_ERROR), 0);
  ck_assert_uint_ge(fake_count(&f, SEVERITY_NOTE), 1);
  fake_free(&f);
}
END_TEST

Suite *suite_race_lists(void);
Suite *suite_race_lists(void) {
  const TTest *const tests[] = {
      a_contended_lock,
      a_contended_lock_reset_by_a_store,
      nothing_said_between,
      others_said_something,
      said_between,
      released_between,
      may_still_be_said,
      barrier_between,
      syncwarp_between,
      arrival_between,
      all_alike,
      scope_too_small,
      scope_too_small_before,
      other_extent,
      plain_write_among_atomics,
      plain_read_among_atomics,
      volatile_after_stores,
  };
  Suite *suite = suite_create("race_lists");
  TCase *t = tcase_create("race_lists");
  for (u32 i = 0; i < COUNT_OF(tests); i++) tcase_add_test(t, tests[i]);
  suite_add_tcase(suite, t);
  return suite;
}
