/* diff.h - inside the differential test: what its modes share. */
#ifndef WL_TEST_GPU_DIFF_H
#define WL_TEST_GPU_DIFF_H
#include "gpu/gen.h"
#include "gpu/lab.h"

enum { DIFF_WORKERS = 32, DIFF_BATCH = 64 };
struct diff_shared {         /* between worker processes: plain counters, changed atomically */
  u32 next;                  /* batch to take */
  u32 current[DIFF_WORKERS]; /* batch that a worker is at, + 1 */
  u32 compared, equal, differing, failed, refused, reduced;
  u32 gpu_us, open_us; /* kernels' time by the GPU; loading and assembling */
  u8 excluded[FORMS_MAX];
  double ulps[FORMS_MAX]; /* of approximate forms */
};
struct diff {
  struct diff_shared *shared;
  const struct form *forms;
  u32 form_count;
  u64 first, count; /* random: seeds */
  bool on_gpu;      /* false: the machine against itself, to try the program out */
  u32 sm;           /* 90: the GPU's compute capability */
  bool plain;       /* the driver's assembler does not optimise */
  u32 reduce_max;   /* how many programs are reduced */
};
#define DIFF_ADD(d, field, n) __atomic_fetch_add(&(d)->shared->field, (u32)(n), __ATOMIC_RELAXED)

/* A mode: `batches` pieces of work, each in some worker process. false: the GPU is dead in this
 * process. */
struct diff_mode {
  const char *name, *help;
  u32 (*batches)(struct diff *d);
  bool (*work)(struct diff *d, u32 batch, struct strbuf *out);
  void (*end)(struct diff *d);
};
extern const struct diff_mode diff_forms, diff_random, diff_table, diff_ops, diff_prepare;

/* The GPU, or with --self the machine under another schedule. */
bool diff_other(struct diff *d, str ptx, struct lab_kernel *k, u32 count, bool *dead,
                struct diag *why);
#endif
