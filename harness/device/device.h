/* device.h - one interface to whatever runs a kernel. Today the virtual machine with its checks
 * (device_vm.c), or a GPU through the CUDA driver (device_gpu.c), which sees values only.
 *
 * A device is fresh when created and serves one run: allocate, write, launch, read, destroy. It
 * judges nothing; its findings come from detect/. */
#ifndef WL_DEVICE_H
#define WL_DEVICE_H
#include "detect/detect.h"

enum device_kind { DEVICE_VM, DEVICE_GPU, DEVICE_KIND_COUNT };
const char *device_kind_name(enum device_kind k);
bool device_kind_find(const char *name, enum device_kind *out);

struct device_elsewhere;
struct device_config { /* zero means default */
  enum device_kind kind;
  const struct device_elsewhere *elsewhere; /* not here: there the kind is made */
  struct vm_config vm;                      /* the machine's shape, schedule and seed */
  struct detect_policy policy;              /* what counts as an error */
  bool no_race;                             /* leave the race check out: optimised builds */
  str ptx;                                  /* GPU only: the text that the module was parsed from */
};

/* A machine in another process (grade/ keeps it in a sandbox). Each function as its namesake below;
 * whatever comes back is data from a process that is not trusted, checked by who fills this in. */
enum device_view { DEVICE_BYTES, DEVICE_DEFINED, DEVICE_WRITTEN };
struct device_elsewhere {
  void *self;
  bool (*create)(void *self, struct arena *keep, const struct ptx_module *module,
                 const struct device_config *config, struct diag *why);
  void (*destroy)(void *self);
  u64 (*alloc)(void *self, const char *name, u64 size_bytes, u32 elem_bytes, struct diag *why);
  bool (*release)(void *self, u64 address, struct diag *why);
  bool (*write)(void *self, u64 address, const void *from, u64 size_bytes, struct diag *why);
  bool (*view)(void *self, enum device_view what, u64 address, void *to, u64 size_bytes,
               struct diag *why);
  enum vm_outcome (*launch)(void *self, const struct vm_launch *launch,
                            struct vm_counters *counters, struct diag *why);
  void (*resize)(void *self, u32 sm_count, u32 blocks_per_sm);
  bool (*time_line)(void *self, struct vm_time_line *out);
  const struct finding *const *(*findings)(void *self, u32 *count, u64 *dropped);
  const char *(*gpu)(void *self, double *milliseconds);
};

struct device;
/* `keep` owns the device's bookkeeping and the strings of its findings; the module must outlive it.
 * false + why: no such device here, or the module cannot be loaded. */
bool device_create(struct arena *keep, const struct ptx_module *module,
                   const struct device_config *config, struct device **out, struct diag *why);
void device_destroy(struct device *d); /* NULL is fine; findings stay in `keep` */

/* Memory: as vm_alloc and its neighbours in vm/vm.h. Address 0 = does not fit, why says so. */
u64 device_alloc(struct device *d, const char *name, u64 size_bytes, u32 elem_bytes,
                 struct diag *why);
bool device_free(struct device *d, u64 address, struct diag *why);
bool device_write(struct device *d, u64 address, const void *from, u64 size_bytes,
                  struct diag *why);
/* A whole allocation becomes zero; costs the host nothing until it is touched. */
bool device_clear(struct device *d, u64 address, u64 size_bytes, struct diag *why);
bool device_read(struct device *d, u64 address, void *to, u64 size_bytes, struct diag *why);
/* One byte of out for each byte of memory: defined = its value is known, written = it was stored to
 * at all. A device that cannot tell (a GPU) says 1 everywhere. */
bool device_defined(struct device *d, u64 address, u8 *out, u64 size_bytes, struct diag *why);
bool device_written(struct device *d, u64 address, u8 *out, u64 size_bytes, struct diag *why);

enum vm_outcome device_launch(struct device *d, const struct vm_launch *launch,
                              struct vm_counters *counters, struct diag *why);
/* Another size of the virtual GPU for the launches to come, zero means default; a real one has its
 * own. */
void device_resize(struct device *d, u32 sm_count, u32 blocks_per_sm);
/* What each SM did in the last launch. false: it was not a timed one. */
bool device_time_line(const struct device *d, struct vm_time_line *out);
const struct finding *const *device_findings(const struct device *d, u32 *count, u64 *dropped);
bool device_has_error(const struct device *d);
/* Advice, see detect/detect.h; a GPU has none. Probe: before the first launch. */
const struct detect_sync *device_syncs(const struct device *d, u32 *count, bool *all);
void device_probe(struct device *d, const struct detect_sync *without);
u64 device_unordered(const struct device *d);
/* The GPU's name and how long its kernels took so far; NULL on the virtual machine. */
const char *device_gpu(const struct device *d, double *milliseconds);
str device_printed(const struct device *d, u64 *dropped); /* what the kernels printed */
#endif
