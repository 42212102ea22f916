/* puzzle.h - the only header a check.c includes.
 *
 * A check.c describes cases (inputs, launches, reference results) and rules. It runs several times:
 * for each case, once for each schedule, each time on a fresh device, and once more on the
 * optimised build for the rules. It must therefore be a function of (case, seed) alone: no clock,
 * no globals that it writes.
 *
 *   static void run(struct pz *pz, int c) {
 *     static const int sizes[] = {1, 31, 32, 33, 100, 255, 256, 1000};
 *     int n = sizes[c];
 *     pz_shape(pz, "n=%d", n);
 *     const int *in = pz_random_i32(pz, n, -100, 100);          // host data, lives for this run
 *     struct pz_buf *a = pz_in(pz, "in", PZ_I32, n, in);        // device copy; "in" is what
 * reports call it struct pz_buf *o = pz_out(pz, "out", PZ_I32, n);          // undefined, poisoned
 *     pz_launch(pz, "reverse", pz_dim(1), pz_dim(256), 0, PZ_BUF(a), PZ_BUF(o), PZ_I(n), PZ_END);
 *     int *want = pz_host(pz, n * sizeof *want);
 *     for (int i = 0; i < n; i++) want[i] = in[n - 1 - i];
 *     pz_expect_i32(pz, o, want);
 *     pz_rule_max(pz, PZ_BARRIERS, 1, "one barrier is enough");
 *   }
 *   PZ_PUZZLE(.title = "Read before write", .cases = 8, .run = run)
 */
#ifndef WL_PUZZLE_H
#define WL_PUZZLE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pz;
struct pz_buf;
enum pz_type { PZ_U8, PZ_I8, PZ_U16, PZ_I16, PZ_I32, PZ_U32, PZ_I64, PZ_U64, PZ_F32, PZ_F64 };

struct pz_puzzle {
  const char *id;    /* "02_read_before_write": the folder's name, set by the build */
  const char *title; /* "Read before write" */
  int cases;         /* run is called with 0..cases-1 */
  void (*run)(struct pz *pz, int c);
  int small_cases; /* how many of the first cases are small enough for every schedule and 8 random
                    * seeds; the others run converged and with one random seed. 0 = all */
  uint64_t max_steps; /* warp instructions a launch may take; 0 = 4 million */
  bool
      allow_exit; /* threads that left early need not reach a barrier: a note instead of an error */
  bool timed; /* rules are judged under the cost model (schedule `timed`), so that pz_makespan works
               */
  const char *learned; /* one or two sentences shown when the puzzle is solved */
};
/* Registers the puzzle. One per check.c. */
#define PZ_PUZZLE(...)                                                                             \
  static const struct pz_puzzle pz_this = {.id = PZ_ID, __VA_ARGS__};                              \
  __attribute__((used, section("pz_puzzles"))) static const struct pz_puzzle *const pz_entry =     \
      &pz_this;

/* ---- a case ---- */
/* Names the case in reports: "n=33 block=96". Call first. */
void pz_shape(struct pz *pz, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ---- host data: lives for this run, zeroed; never NULL ---- */
void *pz_host(struct pz *pz, size_t size_bytes);
/* Non-uniform random data from the case's seed; inclusive bounds. Each call draws anew, in order.
 */
int32_t *pz_random_i32(struct pz *pz, size_t n, int32_t lo, int32_t hi);
uint32_t *pz_random_u32(struct pz *pz, size_t n, uint32_t lo, uint32_t hi);
float *pz_random_f32(struct pz *pz, size_t n, float lo, float hi);
double *pz_random_f64(struct pz *pz, size_t n, double lo, double hi);
uint32_t pz_random(struct pz *pz, uint32_t below); /* one number, 0..below-1 */
/* A size of this case: `usual`, or in a grader's hidden cases a number in lo..hi (inclusive) that
 * follows from the course's secret seed: a kernel made for the sizes on show fails there. Draw
 * before the data. */
int pz_vary(struct pz *pz, int usual, int lo, int hi);
/* How often to do the same with other data, in one case: `most` times where the schedule leaves
 * something to chance, so that each round is another order of things; else 2 at most. */
int pz_rounds(struct pz *pz, int most);

/* ---- device buffers: freed after the run ---- */
struct pz_buf *pz_in(struct pz *pz, const char *name, enum pz_type t, size_t n, const void *from);
struct pz_buf *pz_out(struct pz *pz, const char *name, enum pz_type t,
                      size_t n); /* undefined, poisoned */
struct pz_buf *pz_zero(struct pz *pz, const char *name, enum pz_type t, size_t n);
/* Writes host data into a buffer between launches; reads it back (raw, whatever is defined). */
void pz_put(struct pz *pz, struct pz_buf *b, const void *from);
void pz_get(struct pz *pz, struct pz_buf *b, void *to);

/* The size of the virtual GPU for the launches to come: SMs, and resident blocks on each (4 and 4
 * unless told; threads and shared memory may allow fewer). A real GPU keeps its own. */
void pz_gpu(struct pz *pz, unsigned sms, unsigned blocks_per_sm);

/* ---- launches ---- */
struct pz_dim3 {
  unsigned x, y, z;
};
struct pz_dim3 pz_dim(unsigned x);
struct pz_dim3 pz_dim2(unsigned x, unsigned y);
struct pz_dim3 pz_dim3_of(unsigned x, unsigned y, unsigned z);
struct pz_arg {
  int kind;
  union {
    struct pz_buf *buf;
    int64_t i;
    double f;
  } u;
};
/* Arguments in parameter order; each must fit the kernel's parameter (size is checked: COMPILE
 * otherwise). */
#define PZ_BUF(b) ((struct pz_arg){1, {.buf = (b)}})
#define PZ_I(v)                                                                                    \
  ((struct pz_arg){2, {.i = (v)}}) /* any integer parameter: char to long long, bool */
#define PZ_F(v) ((struct pz_arg){3, {.f = (v)}}) /* float or double parameter */
#define PZ_NULL ((struct pz_arg){4, {.i = 0}})
#define PZ_END  ((struct pz_arg){0, {.i = 0}})
/* Runs the kernel of that name to its end. false: it did not finish (a finding says why) or an
 * earlier launch of this run did not; the check may then return at once or go on: later launches
 * and expectations do nothing. */
bool pz_launch_(struct pz *pz, const char *kernel, struct pz_dim3 grid, struct pz_dim3 block,
                unsigned shared_bytes, bool cooperative, const struct pz_arg *args);
#define pz_launch(pz, kernel, grid, block, shared, ...)                                            \
  pz_launch_((pz), (kernel), (grid), (block), (shared), false, (const struct pz_arg[]){__VA_ARGS__})
#define pz_launch_cooperative(pz, kernel, grid, block, shared, ...)                                \
  pz_launch_((pz), (kernel), (grid), (block), (shared), true, (const struct pz_arg[]){__VA_ARGS__})
/* A launch that the device must refuse: its reason, in words. NULL if it took it (the kernel has
 * then run, and findings stand as after any launch) or if an earlier launch of this run did not
 * finish. The run goes on after a refusal. */
const char *pz_refusal_(struct pz *pz, const char *kernel, struct pz_dim3 grid,
                        struct pz_dim3 block, unsigned shared_bytes, bool cooperative,
                        const struct pz_arg *args);
#define pz_refusal_cooperative(pz, kernel, grid, block, shared, ...)                               \
  pz_refusal_((pz), (kernel), (grid), (block), (shared), true, (const struct pz_arg[]){__VA_ARGS__})

/* ---- expectations: compare a whole buffer with n reference elements ----
 * An element never written is WRONG ("never written"), a written but undefined one is UNINIT; NaN
 * never matches. */
void pz_expect_i32(struct pz *pz, struct pz_buf *b, const int32_t *want);
void pz_expect_u32(struct pz *pz, struct pz_buf *b, const uint32_t *want);
void pz_expect_i64(struct pz *pz, struct pz_buf *b, const int64_t *want);
void pz_expect_u64(struct pz *pz, struct pz_buf *b, const uint64_t *want);
void pz_expect_u8(struct pz *pz, struct pz_buf *b, const uint8_t *want);
/* |got - want| <= abs_tol + rel_tol * |want|; derive the tolerance from the number of roundings,
 * see pz_sum_tolerance. */
void pz_expect_f32(struct pz *pz, struct pz_buf *b, const float *want, double rel_tol,
                   double abs_tol);
void pz_expect_f64(struct pz *pz, struct pz_buf *b, const double *want, double rel_tol,
                   double abs_tol);
/* Bound on the error of summing n floats in any order, given the sum of their absolute values:
 * n * 2^-24 * sum_abs (n * 2^-53 for doubles). Absolute. */
double pz_sum_tolerance_f32(size_t n, double sum_abs);
/* Anything else: cond false -> WRONG with this text ("task 7 ran 2 times"). */
void pz_expect(struct pz *pz, bool cond, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Only part of a buffer is specified: elements [from, from + n) of b. */
struct pz_buf *pz_part(struct pz *pz, struct pz_buf *b, size_t from, size_t n);

/* ---- rules: beyond right values, from the machine's counters ----
 * Judged on the optimised build under the converged schedule; ignored in other runs. Counters are
 * those of the last launch of this run. */
enum pz_counter {
  PZ_BARRIERS,          /* block barriers: the most that any block executed */
  PZ_FULL_BARRIERS,     /* of those, the ones at which every thread of the block waits */
  PZ_WARP_SYNCS,        /* __syncwarp, warp-level, all warps */
  PZ_SHUFFLES,          /* warp-level shuffles (32-bit; a 64-bit one counts two), all warps */
  PZ_MAX_WARP_SHUFFLES, /* the most in any one warp */
  PZ_GLOBAL_LOADS,
  PZ_GLOBAL_STORES, /* thread-level accesses: each active lane counts one */
  PZ_SHARED_LOADS,
  PZ_SHARED_STORES,
  PZ_GLOBAL_ATOMICS,
  PZ_SHARED_ATOMICS, /* thread-level operations */
  PZ_GLOBAL_ATOMIC_REQUESTS,
  PZ_SHARED_ATOMIC_REQUESTS, /* warp-level instructions */
  PZ_FENCES,                 /* warp-level */
  PZ_SHARED_BYTES,           /* static + dynamic shared memory of a block */
  /* Requests are warp instructions; sectors 32-byte pieces of global memory that they touch;
   * wavefronts passes through the banks of shared memory (as many as the requests when no banks
   * conflict). docs/counters.md */
  PZ_GLOBAL_LOAD_REQUESTS,
  PZ_GLOBAL_LOAD_SECTORS,
  PZ_GLOBAL_STORE_REQUESTS,
  PZ_GLOBAL_STORE_SECTORS,
  PZ_SHARED_LOAD_REQUESTS,
  PZ_SHARED_LOAD_WAVEFRONTS,
  PZ_SHARED_STORE_REQUESTS,
  PZ_SHARED_STORE_WAVEFRONTS,
  PZ_OVERLAPPED_SHARED_LOADS, /* PZ_SHARED_LOADS while a cp.async of the block is under way: issued,
                               * and not yet waited for by its thread */
  PZ_WARP_INSTRUCTIONS,
  PZ_THREAD_INSTRUCTIONS,
  PZ_MAX_THREAD_INSTRUCTIONS, /* the most that any one thread executed */
  /* Passes that atomics take: for each request and 32-byte sector the most lanes that want one
   * word. A warp's atomics on one word: 32; on neighbouring words: 4. */
  PZ_GLOBAL_ATOMIC_TRANSACTIONS,
  PZ_SHARED_ATOMIC_TRANSACTIONS,
  /* Puzzles with .timed only: cycles of the cost model (docs/counters.md). */
  PZ_MAKESPAN,           /* until the last warp is done */
  PZ_IDLE_SM_CYCLES,     /* summed over the SMs: no warp of it works */
  PZ_WORKED_WARP_CYCLES, /* summed over the warps: not those that wait at barriers */
  PZ_COUNTER_COUNT
};
uint64_t pz_count(struct pz *pz, enum pz_counter c); /* 0 in runs where rules are not judged */
void pz_rule_max(struct pz *pz, enum pz_counter c, uint64_t most,
                 const char *why); /* counter > most -> RULE */
void pz_rule_min(struct pz *pz, enum pz_counter c, uint64_t least, const char *why);
/* Any other rule: cond false -> RULE with this text. */
void pz_rule(struct pz *pz, bool cond, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* The work of the last launch is shared out among `workers` threads: those that have something to
 * do, such as the smaller of items and threads. A sixteenth of them at work side by side is enough,
 * so that trees and stragglers do no harm; one thread that works for its block or for all is not.
 * Nothing is asked below 200 workers. Not for queues: how evenly they share out depends on the
 * schedule. */
void pz_rule_shared_out(struct pz *pz, uint64_t workers, const char *why);
/* The last launch's makespan may be at most `most` times `ideal_cycles`. The message says how much
 * it was, and how long the busiest and the idlest SM worked. .timed puzzles. */
void pz_rule_makespan(struct pz *pz, double ideal_cycles, double most, const char *why);
#endif
