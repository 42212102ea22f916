/* device_vm.c - the virtual machine and its checks behind the device interface. Thin on purpose: it
 * ties one machine to one set of checks and adds nothing to what they say. */
#include <string.h>
#include "device/device.h"

struct device {
  struct vm_machine *machine;
  struct detect *checks;
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
  if (config->kind != DEVICE_VM) {
    diag_set(why, "the GPU backend is not built yet");
    diag_next(why, "leave out --backend (or BACKEND=): the virtual machine needs no GPU");
    return false;
  }
  struct device *d = NEW(keep, struct device);
  if (!vm_create(module, &config->vm, &d->machine, why)) return false;
  d->checks = detect_create(keep, d->machine, &config->policy);
  if (config->no_race) detect_disable(d->checks, "race");
  *out = d;
  return true;
}

/* The checks go first: they free what they hung on the machine's objects. */
void device_destroy(struct device *d) {
  if (!d) return;
  detect_destroy(d->checks);
  vm_destroy(d->machine);
}

u64 device_alloc(struct device *d, const char *name, u64 size_bytes, u32 elem_bytes,
                 struct diag *why) {
  return vm_alloc(d->machine, name, size_bytes, elem_bytes, why);
}
bool device_free(struct device *d, u64 address, struct diag *why) {
  return vm_free(d->machine, address, why);
}
bool device_write(struct device *d, u64 address, const void *from, u64 size_bytes,
                  struct diag *why) {
  return vm_write(d->machine, address, from, size_bytes, why);
}
bool device_read(struct device *d, u64 address, void *to, u64 size_bytes, struct diag *why) {
  return vm_read(d->machine, address, to, size_bytes, why);
}
bool device_defined(struct device *d, u64 address, u8 *out, u64 size_bytes, struct diag *why) {
  return vm_defined(d->machine, address, out, size_bytes, why);
}
bool device_written(struct device *d, u64 address, u8 *out, u64 size_bytes, struct diag *why) {
  return vm_written(d->machine, address, out, size_bytes, why);
}
enum vm_outcome device_launch(struct device *d, const struct vm_launch *launch,
                              struct vm_counters *counters, struct diag *why) {
  return vm_run(d->machine, launch, counters, why);
}
const struct finding *const *device_findings(const struct device *d, u32 *count, u64 *dropped) {
  return detect_findings(d->checks, count, dropped);
}
bool device_has_error(const struct device *d) { return detect_has_error(d->checks); }
str device_printed(const struct device *d, u64 *dropped) { return vm_printed(d->machine, dropped); }
