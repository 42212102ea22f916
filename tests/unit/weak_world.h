/* weak_world.h - tiny programs of two to four threads, as tables: what may come out of them under a
 * weak memory model, and how to run them under the `buffered` schedule. */
#ifndef WL_TEST_WEAK_WORLD_H
#define WL_TEST_WEAK_WORLD_H
#include "detect/detect.h"

enum weak_place {         /* where the threads are */
                  APART,  /* each in a block of its own */
                  WARPS,  /* one block, a warp each (its first lane) */
                  LANES,  /* one warp */
                  PAIRED, /* threads 0 and 1 are warps of block 0; 2 and 3 of block 1 */
};
enum weak_want { SHOWN, NEVER }; /* by some seed; by none */
enum { WEAK_THREADS = 4, WEAK_SEEDS = 500 };
#define ANY (-1)

struct weak_case {
  const char *name;
  enum weak_place place;
  const char *space; /* of x, y and z: "global", "shared" */
  const char
      *thread[WEAK_THREADS]; /* code: x y z are addresses, %a %b results; NULL: no such one */
  i32 a[WEAK_THREADS], b[WEAK_THREADS]; /* the outcome in question; ANY */
  enum weak_want want;
  bool races; /* weak accesses: a RACE is found besides */
  u32 x, y;   /* what these hold in the end; 0 = anything */
};
/* Runs every seed; fails the test where the outcome comes although it never may, never although it
 * should, or a finding says what it should not. */
void weak_check(const struct weak_case *c);
/* One run of a module's kernel without parameters, `buffered` or as `like` says:
 * its verdict. */
enum verdict_kind weak_run(const struct ptx_module *module, u32 blocks, u32 threads, u64 seed,
                           const struct vm_config *like, const struct detect_policy *policy);
#endif
