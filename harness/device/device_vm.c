/* device_vm.c - the device interface: the virtual machine with its checks, a GPU, or a machine in
 * another process. Thin on purpose: it ties one machine to one set of checks, hands on to
 * device_gpu.c or to who was named in the configuration, and adds nothing. */
#include <stdlib.h>
#include <string.h>
#include "device/device.h"
#include "device/device_gpu.h"

struct device { /* elsewhere, gpu, or the other two */
  const struct device_elsewhere *elsewhere;
  struct gpu *gpu;
  struct vm_machine *machine;
  struct detect *checks;
  double milliseconds;
};

static const char *const kind_names[DEVICE_KIND_COUNT] = {[DEVICE_VM] = "vm", [DEVICE_GPU] = "gpu"};

const char *device_kind_name(enum device_kind k) { return kind_names[k]; }

bool device_kind_find(const char *name, enum device_kind *out) {
  for (u32 k = 0; k < DEVICE_KIND_COUNT; k++)
    if (strcmp(name, kind_names[k]) == 0) {
      *out = (enum device_kind)k;
      return true;
    }
  return false;
}

bool device_create(struct arena *keep, const struct ptx_module *module,
                   const struct device_config *config, struct device **out, struct diag *why) {
  struct device *d = NEW(keep, struct device);
  if (config->elsewhere) {
    *out = d;
    d->elsewhere = config->elsewhere;
    return d->elsewhere->create(d->elsewhere->self, keep, module, config, why);
  }
  if (config->kind == DEVICE_GPU) {
    *out = d;
    return gpu_open(keep, config->ptx, NULL, &d->gpu, why);
  }
  struct vm_config c = config->vm;
  c.no_lone |= getenv("WARPLINGS_NO_LONE") != NULL; /* for tests: changes no result */
  if (!vm_create(module, &c, &d->machine, why)) return false;
  d->checks = detect_create(keep, d->machine, &config->policy);
  if (config->no_race) detect_disable(d->checks, "race");
  *out = d;
  return true;
}

/* The checks go first: they free what they hung on the machine's objects. */
void device_destroy(struct device *d) {
  if (!d) return;
  if (d->elsewhere) {
    d->elsewhere->destroy(d->elsewhere->self);
    return;
  }
  gpu_close(d->gpu);
  if (!d->machine) return;
  detect_destroy(d->checks);
  vm_destroy(d->machine);
}

u64 device_alloc(struct device *d, const char *name, u64 size_bytes, u32 elem_bytes,
                 struct diag *why) {
  if (d->elsewhere)
    return d->elsewhere->alloc(d->elsewhere->self, name, size_bytes, elem_bytes, why);
  if (d->gpu) return gpu_alloc(d->gpu, name, size_bytes, why);
  return vm_alloc(d->machine, name, size_bytes, elem_bytes, why);
}
bool device_free(struct device *d, u64 address, struct diag *why) {
  if (d->elsewhere) return d->elsewhere->release(d->elsewhere->self, address, why);
  if (d->gpu) return gpu_free(d->gpu, address, why);
  return vm_free(d->machine, address, why);
}
bool device_write(struct device *d, u64 address, const void *from, u64 size_bytes,
                  struct diag *why) {
  if (d->elsewhere) return d->elsewhere->write(d->elsewhere->self, address, from, size_bytes, why);
  if (d->gpu) return gpu_write(d->gpu, address, from, size_bytes, why);
  return vm_write(d->machine, address, from, size_bytes, why);
}
bool device_clear(struct device *d, u64 address, u64 size_bytes, struct diag *why) {
  static const u8 zeros[1 << 16];
  if (d->machine) return !size_bytes || vm_clear(d->machine, address, why);
  for (u64 at = 0; at < size_bytes; at += sizeof zeros) {
    u64 n = size_bytes - at < sizeof zeros ? size_bytes - at : sizeof zeros;
    if (!device_write(d, address + at, zeros, n, why)) return false;
  }
  return true;
}
bool device_read(struct device *d, u64 address, void *to, u64 size_bytes, struct diag *why) {
  if (d->elsewhere)
    return d->elsewhere->view(d->elsewhere->self, DEVICE_BYTES, address, to, size_bytes, why);
  if (d->gpu) return gpu_read(d->gpu, address, to, size_bytes, why);
  return vm_read(d->machine, address, to, size_bytes, why);
}
bool device_defined(struct device *d, u64 address, u8 *out, u64 size_bytes, struct diag *why) {
  if (d->elsewhere)
    return d->elsewhere->view(d->elsewhere->self, DEVICE_DEFINED, address, out, size_bytes, why);
  if (d->gpu) return memset(out, 1, size_bytes), true;
  return vm_defined(d->machine, address, out, size_bytes, why);
}
bool device_written(struct device *d, u64 address, u8 *out, u64 size_bytes, struct diag *why) {
  if (d->elsewhere)
    return d->elsewhere->view(d->elsewhere->self, DEVICE_WRITTEN, address, out, size_bytes, why);
  if (d->gpu) return memset(out, 1, size_bytes), true;
  return vm_written(d->machine, address, out, size_bytes, why);
}
enum vm_outcome device_launch(struct device *d, const struct vm_launch *launch,
                              struct vm_counters *counters, struct diag *why) {
  if (d->elsewhere) return d->elsewhere->launch(d->elsewhere->self, launch, counters, why);
  if (d->gpu) {
    enum vm_outcome o = gpu_launch(d->gpu, launch, why);
    d->milliseconds += gpu_milliseconds(d->gpu);
    return o;
  }
  return vm_run(d->machine, launch, counters, why);
}
void device_resize(struct device *d, u32 sm_count, u32 blocks_per_sm) {
  if (d->elsewhere) d->elsewhere->resize(d->elsewhere->self, sm_count, blocks_per_sm);
  if (d->machine) vm_resize(d->machine, sm_count, blocks_per_sm);
}
bool device_time_line(const struct device *d, struct vm_time_line *out) {
  if (d->elsewhere) return d->elsewhere->time_line(d->elsewhere->self, out);
  return d->machine && vm_timing_of(d->machine, out);
}
const struct detect_sync *device_syncs(const struct device *d, u32 *count, bool *all) {
  *count = 0;
  *all = false;
  return d->checks ? detect_syncs(d->checks, count, all) : NULL;
}
void device_probe(struct device *d, const struct detect_sync *without) {
  if (d->checks) detect_probe(d->checks, without);
}
u64 device_unordered(const struct device *d) { return d->checks ? detect_unordered(d->checks) : 0; }
const struct finding *const *device_findings(const struct device *d, u32 *count, u64 *dropped) {
  *dropped = 0;
  if (d->elsewhere) return d->elsewhere->findings(d->elsewhere->self, count, dropped);
  if (d->gpu) return gpu_findings(d->gpu, count);
  return detect_findings(d->checks, count, dropped);
}
bool device_has_error(const struct device *d) {
  u32 n = 0;
  u64 dropped = 0;
  if (d->elsewhere) {
    const struct finding *const *f = d->elsewhere->findings(d->elsewhere->self, &n, &dropped);
    for (u32 i = 0; i < n; i++)
      if (f[i]->severity == SEVERITY_ERROR) return true;
    return false;
  }
  if (d->gpu) return gpu_findings(d->gpu, &n), n > 0;
  return detect_has_error(d->checks);
}
/* What a GPU prints goes to the process's own output; what a hidden input made a kernel print stays
 * in the other process. */
str device_printed(const struct device *d, u64 *dropped) {
  *dropped = 0;
  return d->gpu || d->elsewhere ? STR("") : vm_printed(d->machine, dropped);
}
const char *device_gpu(const struct device *d, double *milliseconds) {
  if (d->elsewhere) return d->elsewhere->gpu(d->elsewhere->self, milliseconds);
  *milliseconds = d->milliseconds;
  return d->gpu ? gpu_name(d->gpu) : NULL;
}
