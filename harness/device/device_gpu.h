/* device_gpu.h - a GPU through the CUDA driver's interface, found at run time. Needs no toolkit, no
 * cuda.h, no link-time dependency.
 *
 * It runs kernels and says what came out. It sees neither races nor undefined values: those are the
 * virtual machine's business. CUDA does not survive fork: open a GPU only in a process that is at
 * its end afterwards (a pool worker), and probe through gpu_probe, which uses a child of its own.
 */
#ifndef WL_DEVICE_GPU_H
#define WL_DEVICE_GPU_H
#include "detect/detect.h"

/* Names another driver library: the project's tests put a fake one there. */
#define GPU_DRIVER_VARIABLE "WARPLINGS_CUDA_DRIVER"

struct gpu_found {
  bool ok;
  char name[96];    /* "NVIDIA H200" */
  u32 driver;       /* 12080: the CUDA version that the driver speaks, 1000 * major + 10 * minor */
  u32 major, minor; /* compute capability */
  u32 sm_count;
  u32 count;         /* how many GPUs there are; the rest is about the first */
  char library[256]; /* the driver's library, as a path */
  char missing[256]; /* !ok: what is not there, and what would help */
};
/* What there is, asked in a child process: this one stays free of CUDA and may fork. */
void gpu_probe(struct gpu_found *out);

struct gpu_config {   /* zero means default */
  u32 timeout_ms;     /* wall clock for one launch, 5,000 */
  bool fast_assembly; /* assemble without optimising: short-lived generated kernels */
};
struct gpu;
/* Loads PTX text. false + why: no GPU here, or the driver's assembler does not take the text (its
 * own words are in why). `keep` owns the bookkeeping and the strings of findings. */
bool gpu_open(struct arena *keep, str ptx, const struct gpu_config *config, struct gpu **out,
              struct diag *why);
void gpu_close(struct gpu *g); /* NULL is fine */

/* Memory, 256-aligned, between red zones that every launch's end inspects. Contents start as bytes
 * 0xd7. 0 = does not fit. `name` is copied. */
u64 gpu_alloc(struct gpu *g, const char *name, u64 size_bytes, struct diag *why);
bool gpu_free(struct gpu *g, u64 address, struct diag *why);
bool gpu_write(struct gpu *g, u64 address, const void *from, u64 size_bytes, struct diag *why);
bool gpu_read(struct gpu *g, u64 address, void *to, u64 size_bytes, struct diag *why);

/* Runs to the end. VM_STOPPED: findings say why; after most faults, and always after a hang, the
 * GPU is dead for this process (gpu_dead) and everything else fails until the process ends: its end
 * is what stops a kernel that hangs. Leave with _exit. */
enum vm_outcome gpu_launch(struct gpu *g, const struct vm_launch *launch, struct diag *why);
bool gpu_dead(const struct gpu *g);
double gpu_milliseconds(const struct gpu *g); /* of the last launch, by the GPU's own clock */
const char *gpu_name(const struct gpu *g);
const struct finding *const *gpu_findings(const struct gpu *g, u32 *count);
#endif
