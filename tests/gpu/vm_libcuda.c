/* vm_libcuda.c - a CUDA driver whose GPU is our own virtual machine: PTX really runs, so that what
 * the grader does with a GPU can be tested where there is none. Built as a shared object by
 * tests/grade/. Its file's name says how it misbehaves: "wrong" spoils a byte after each launch,
 * "hangs" never comes to an end, "crash" ends the process, "flaky" spoils only in every other
 * process. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "device/device_gpu_driver.h"
#include "vm/vm.h"

#define API __attribute__((visibility("default"))) int
enum { BLOCKS = 1024 };
static struct {
  struct arena keep;
  struct ptx_module *module;
  struct vm_machine *machine;
  u64 blocks[BLOCKS], bytes[BLOCKS];
  u32 count;
} now;

static bool is(const char *what) {
  Dl_info info;
  return dladdr(&now, &info) && info.dli_fname && strstr(info.dli_fname, what) != NULL;
}

API cuInit(unsigned flags);
API cuInit(unsigned flags) { return (void)flags, 0; }
API cuDriverGetVersion(int *v);
API cuDriverGetVersion(int *v) { return *v = 13000, 0; }
API cuDeviceGetCount(int *n);
API cuDeviceGetCount(int *n) { return *n = 2, 0; }
API cuDeviceGet(int *d, int i);
API cuDeviceGet(int *d, int i) { return *d = i, 0; }
API cuDeviceGetName(char *name, int size, int d);
API cuDeviceGetName(char *name, int size, int d) {
  return (void)d, snprintf(name, (size_t)size, "Virtual machine in disguise"), 0;
}
API cuDeviceGetAttribute(int *v, int a, int d);
API cuDeviceGetAttribute(int *v, int a, int d) {
  return (void)d, *v = a == CU_ATTRIBUTE_MAJOR ? 9 : a == CU_ATTRIBUTE_SM_COUNT ? 4 : 0, 0;
}
API cuDevicePrimaryCtxRetain(void **c, int d);
API cuDevicePrimaryCtxRetain(void **c, int d) { return (void)d, *c = &now, 0; }
API cuCtxSetCurrent(void *c);
API cuCtxSetCurrent(void *c) { return (void)c, 0; }

/* ---- one module at a time, as device_gpu.c has it ---- */
API cuModuleLoadDataEx(void **m, const void *image, unsigned n, int *options, void **values);
API cuModuleLoadDataEx(void **m, const void *image, unsigned n, int *options, void **values) {
  struct vm_config c = {.no_undefined = true, .optimized = true, .lenient_exit = true};
  struct diag why = {0};
  (void)n, (void)options, (void)values;
  *m = &now;
  if (!ptx_parse(&now.keep, str_of(image), &now.module, &why)) return 218;
  return vm_create(now.module, &c, &now.machine, &why) ? 0 : 218;
}
API cuModuleUnload(void *m);
API cuModuleUnload(void *m) {
  (void)m;
  vm_destroy(now.machine);
  arena_free(&now.keep);
  memset(&now, 0, sizeof now);
  return 0;
}
API cuModuleGetFunction(void **f, void *m, const char *name);
API cuModuleGetFunction(void **f, void *m, const char *name) {
  (void)m;
  for (u32 i = 0; i < now.module->func_count; i++)
    if (str_eqz(now.module->funcs[i].name, name)) return *f = &now.module->funcs[i], 0;
  return 500;
}
API cuFuncSetAttribute(void *f, int a, int v);
API cuFuncSetAttribute(void *f, int a, int v) { return (void)f, (void)a, (void)v, 0; }

/* ---- memory ---- */
API cuMemAlloc_v2(u64 *p, size_t n);
API cuMemAlloc_v2(u64 *p, size_t n) {
  struct diag why = {0};
  *p = now.count < BLOCKS ? vm_alloc(now.machine, "block", n, 1, &why) : 0;
  if (!*p) return CU_OUT_OF_MEMORY;
  now.blocks[now.count] = *p;
  now.bytes[now.count++] = n;
  return 0;
}
API cuMemFree_v2(u64 p);
API cuMemFree_v2(u64 p) {
  struct diag why = {0};
  for (u32 i = 0; i < now.count; i++)
    if (now.blocks[i] == p) now.bytes[i] = 0;
  return vm_free(now.machine, p, &why) ? 0 : CU_INVALID_VALUE;
}
API cuMemcpyHtoD_v2(u64 to, const void *from, size_t n);
API cuMemcpyHtoD_v2(u64 to, const void *from, size_t n) {
  struct diag why = {0};
  return vm_write(now.machine, to, from, n, &why) ? 0 : CU_ILLEGAL_ADDRESS;
}
API cuMemcpyDtoH_v2(void *to, u64 from, size_t n);
API cuMemcpyDtoH_v2(void *to, u64 from, size_t n) {
  struct diag why = {0};
  return vm_read(now.machine, from, to, n, &why) ? 0 : CU_ILLEGAL_ADDRESS;
}
API cuMemsetD8_v2(u64 to, unsigned char b, size_t n);
API cuMemsetD8_v2(u64 to, unsigned char b, size_t n) {
  char *bytes = malloc(n);
  memset(bytes, b, n);
  int r = cuMemcpyHtoD_v2(to, bytes, n);
  free(bytes);
  return r;
}

/* ---- launches ---- */
/* Between the red zones of 256 bytes, where a check compares. */
static void spoil(void) {
  for (u32 i = 0; i < now.count; i++) {
    u8 byte = 0;
    if (now.bytes[i] <= 512 || cuMemcpyDtoH_v2(&byte, now.blocks[i] + 256, 1)) continue;
    byte ^= 0x5a;
    cuMemcpyHtoD_v2(now.blocks[i] + 256, &byte, 1);
  }
}
API cuLaunchKernelEx(const struct cu_launch_config *c, void *f, void **params, void **extra);
API cuLaunchKernelEx(const struct cu_launch_config *c, void *f, void **params, void **extra) {
  struct vm_launch l = {.kernel = f, .shared_bytes = c->shared_bytes};
  struct vm_counters counters = {0};
  struct diag why = {0};
  (void)params;
  if (is("crash")) abort();
  printf("text among the answers\n"); /* as a kernel's printf */
  fflush(stdout);
  memcpy(l.grid, c->grid, sizeof l.grid);
  memcpy(l.block, c->block, sizeof l.block);
  for (u32 i = 0; i < c->attribute_count; i++) {
    if (c->attributes[i].id == CU_LAUNCH_COOPERATIVE) l.cooperative = true;
    if (c->attributes[i].id == CU_LAUNCH_CLUSTER)
      memcpy(l.cluster, c->attributes[i].value.cluster, sizeof l.cluster);
  }
  if (extra) {
    l.params = extra[1];
    l.param_bytes = (u32) * (size_t *)extra[3];
  }
  enum vm_outcome o = vm_run(now.machine, &l, &counters, &why);
  if (is("wrong") || (is("flaky") && getpid() % 2)) spoil();
  return o == VM_DONE ? 0 : o == VM_REFUSED ? CU_INVALID_VALUE : CU_LAUNCH_FAILED;
}
API cuEventCreate(void **e, unsigned flags);
API cuEventCreate(void **e, unsigned flags) { return (void)flags, *e = &now, 0; }
API cuEventDestroy_v2(void *e);
API cuEventDestroy_v2(void *e) { return (void)e, 0; }
API cuEventRecord(void *e, void *s);
API cuEventRecord(void *e, void *s) { return (void)e, (void)s, 0; }
API cuEventQuery(void *e);
API cuEventQuery(void *e) { return (void)e, is("hangs") ? CU_NOT_READY : 0; }
API cuEventElapsedTime(float *ms, void *a, void *b);
API cuEventElapsedTime(float *ms, void *a, void *b) { return (void)a, (void)b, *ms = 0.25f, 0; }
API cuGetErrorName(int r, const char **name);
API cuGetErrorName(int r, const char **name) { return (void)r, *name = "CUDA_ERROR_FAKE", 0; }
API cuGetErrorString(int r, const char **text);
API cuGetErrorString(int r, const char **text) { return (void)r, *text = "as told", 0; }
