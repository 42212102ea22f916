/* test_race_map.c - sparse clocks (detect/map.c) against a plain table that says the same. */
#include <check.h>
#include <string.h>
#include "detect/race.h"

enum { BLOCKS = 5, WARPS = 3, THREADS = BLOCKS * WARPS * VM_LANES, MAPS = 12, EPOCHS = 40 };

/* What a map should know of each thread. */
struct table {
  u32 epoch[BLOCKS][WARPS][VM_LANES];
};
static void rise(u32 *to, u32 epoch) {
  if (epoch > *to) *to = epoch;
}

static void table_item(struct table *t, const struct race_item *it) {
  u32 block = (u32)(it->key >> 12), warp = it->key >> 6 & 63, lane = it->key & 63;
  for (u32 w = 0; w < WARPS; w++)
    for (u32 l = 0; l < VM_LANES; l++)
      if ((!warp || w == warp - 1) && (!lane || l == lane - 1))
        rise(&t->epoch[block][w][l], it->epoch);
}
static void table_join(struct table *to, const struct table *from) {
  for (u32 i = 0; i < THREADS; i++) rise(&to->epoch[0][0][0] + i, (&from->epoch[0][0][0])[i]);
}

/* One assertion for all: each costs a system call. */
static void expect_equal(const struct race_map *m, const struct table *t) {
  u32 wrong = 0;
  for (u32 b = 0; b < BLOCKS; b++)
    for (u32 w = 0; w < WARPS; w++)
      for (u32 l = 0; l < VM_LANES; l++) {
        u32 e = t->epoch[b][w][l];
        wrong += e && !detect_map_knows(m, b, w, l, e);
        wrong += detect_map_knows(m, b, w, l, e + 1);
      }
  ck_assert_uint_eq(wrong, 0);
}

static struct race_item random_item(u64 *rng) {
  u32 b = rng_below(rng, BLOCKS), w = rng_below(rng, WARPS), l = rng_below(rng, VM_LANES);
  u32 wide = rng_below(rng, 8);
  u64 key = wide == 0   ? detect_key_block(b)
            : wide == 1 ? detect_key_warp(b, w)
                        : detect_key_thread(b, w, l);
  return (struct race_item){key, rng_below(rng, EPOCHS)};
}

static struct race_map *maps[MAPS];
static struct table tables[MAPS];

static void make(u32 to, u64 *rng) {
  struct race_item items[40];
  u32 n = rng_below(rng, COUNT_OF(items));
  tables[to] = (struct table){0};
  for (u32 i = 0; i < n; i++) {
    items[i] = random_item(rng);
    table_item(&tables[to], &items[i]);
  }
  detect_map_drop(maps[to]);
  maps[to] = detect_map_make(items, n);
}

/* Into slot `to`; from stays as it is. */
static void add(u32 to, u32 from) {
  detect_map_add(&maps[to], maps[from]);
  table_join(&tables[to], &tables[from]);
}

/* The last slots gather what others publish, as locations do: their chains and versions. */
enum { PLACES = 3, FIRST = MAPS - PLACES };
static u32 chains[PLACES], versions[PLACES], next_chain;

static void publish(u32 place, u32 from, bool afresh) {
  u32 to = FIRST + place;
  const struct race_map *was = maps[to];
  if (afresh) {
    detect_map_drop(maps[to]);
    maps[to] = NULL;
    was = NULL;
    tables[to] = (struct table){0};
    chains[place] = ++next_chain;
  }
  add(to, from);
  if (maps[to] != was) detect_map_stamp(&maps[to], chains[place], ++versions[place]);
}

START_TEST(as_a_table) {
  u64 rng = (u64)_i * 977 + 1, before = held_bytes();
  for (u32 p = 0; p < PLACES; p++) chains[p] = ++next_chain;
  for (u32 step = 0; step < 3000; step++) {
    u32 to = rng_below(&rng, FIRST), what = rng_below(&rng, 10);
    if (what < 2)
      make(to, &rng);
    else if (what < 4)
      add(to, rng_below(&rng, FIRST));
    else if (what < 7)
      add(to, FIRST + rng_below(&rng, PLACES));
    else
      publish(rng_below(&rng, PLACES), to, rng_below(&rng, 30) == 0);
    expect_equal(maps[to], &tables[to]);
    u32 any = rng_below(&rng, MAPS); /* those that share its parts have not changed */
    expect_equal(maps[any], &tables[any]);
  }
  for (u32 i = 0; i < MAPS; i++) {
    expect_equal(maps[i], &tables[i]);
    detect_map_drop(maps[i]);
  }
  ck_assert_uint_eq(held_bytes(), before);
}
END_TEST

START_TEST(wider_keys) {
  struct race_item items[] = {{detect_key_thread(2, 1, 7), 5}, {detect_key_warp(2, 1), 3}};
  struct race_map *m = detect_map_make(items, 2), *same = detect_map_ref(m);
  struct race_item block = {detect_key_block(2), 4};
  struct race_map *b = detect_map_make(&block, 1);
  ck_assert(detect_map_knows(m, 2, 1, 7, 5) && !detect_map_knows(m, 2, 1, 7, 6));
  ck_assert(detect_map_knows(m, 2, 1, 8, 3) && !detect_map_knows(m, 2, 1, 8, 4));
  ck_assert(!detect_map_knows(m, 2, 0, 7, 1) && !detect_map_knows(m, 1, 1, 7, 1));
  detect_map_add(&m, b);
  ck_assert(detect_map_knows(m, 2, 0, 31, 4) && detect_map_knows(m, 2, 1, 7, 5));
  ck_assert(!detect_map_knows(m, 2, 0, 31, 5) && !detect_map_knows(same, 2, 0, 31, 1));
  ck_assert_uint_eq(detect_map_find(m, detect_key_block(2)), 4);
  ck_assert_uint_eq(detect_map_find(m, detect_key_thread(2, 1, 7)), 5);
  ck_assert_uint_eq(detect_map_find(m, detect_key_thread(2, 1, 6)), 0);
  detect_map_drop(m);
  detect_map_drop(same);
  detect_map_drop(b);
}
END_TEST

/* 2,048 threads pass one location's messages round, and each keeps what it knew then: parts are
 * shared, and nobody's round copies what thousands of others have said. */
START_TEST(a_chain_is_shared) {
  enum { N = 2048, ROUNDS = 3, BYTES_EACH = 2500 };
  static struct race_map *known[N];
  struct race_map *wide = NULL;
  u64 before = held_bytes(), most;
  u32 version = 0;
  for (u32 round = 1; round <= ROUNDS; round++)
    for (u32 i = 0; i < N; i++) {
      struct race_item own = {detect_key_thread(i / 64, i / 32 % 2, i % 32), round};
      struct race_map *m = detect_map_make(&own, 1);
      detect_map_add(&known[i], wide);
      detect_map_add(&m, known[i]);
      detect_map_add(&wide, m);
      detect_map_stamp(&wide, 1, ++version);
      detect_map_drop(m);
    }
  for (u32 i = 0; i < N; i++) {
    u32 next = (i + 1) % N;
    ck_assert(i == 0 ||
              detect_map_knows(known[next], i / 64, i / 32 % 2, i % 32, ROUNDS) == (next > i));
    ck_assert(detect_map_knows(known[i], next / 64, next / 32 % 2, next % 32, ROUNDS - 1));
    ck_assert(detect_map_knows(wide, i / 64, i / 32 % 2, i % 32, ROUNDS));
  }
  most = held_bytes() - before;
  ck_assert_msg(most < (u64)N * BYTES_EACH, "%llu bytes", (unsigned long long)most);
  for (u32 i = 0; i < N; i++) detect_map_drop(known[i]);
  detect_map_drop(wide);
  ck_assert_uint_eq(held_bytes(), before);
}
END_TEST

Suite *suite_race_map(void);
Suite *suite_race_map(void) {
  Suite *s = suite_create("race_map");
  TCase *t = tcase_create("map");
  tcase_add_loop_test(t, as_a_table, 0, 6);
  tcase_add_test(t, wider_keys);
  tcase_add_test(t, a_chain_is_shared);
  tcase_set_timeout(t, 60);
  suite_add_tcase(s, t);
  return s;
}
