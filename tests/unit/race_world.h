/* race_world.h - what the tests of the race detector share: one device with two global buffers and
 * a shared array. */
#ifndef WL_TEST_RACE_WORLD_H
#define WL_TEST_RACE_WORLD_H
#include <check.h>
#include "fake_vm.h"

static struct fake f;
static struct vm_object *g, *h, *s; /* global data, global flag, shared data of block 0 */

static inline void start(u32 blocks, u32 threads) {
  fake_init(&f, blocks, threads, NULL);
  g = fake_global(&f, "data", 4096, 4);
  h = fake_global(&f, "flag", 64, 4);
  s = fake_shared(&f, "tile", 4096, 4, 0);
}
static inline void start_with(u32 blocks, u32 threads, struct detect_policy p) {
  fake_init(&f, blocks, threads, &p);
  g = fake_global(&f, "data", 4096, 4);
  h = fake_global(&f, "flag", 64, 4);
  s = fake_shared(&f, "tile", 4096, 4, 0);
}
static inline void expect(u32 errors, u32 notes) {
  ck_assert_uint_eq(fake_count(&f, SEVERITY_ERROR), errors);
  ck_assert_uint_eq(fake_count(&f, SEVERITY_NOTE), notes);
  fake_free(&f);
}
#define CTA VM_SCOPE_CTA
#define GPU VM_SCOPE_GPU
#define ALL (~0u)
static inline struct fake_op op(enum vm_access_kind kind, u32 line) {
  return (struct fake_op){.kind = kind, .line = line};
}

#endif
