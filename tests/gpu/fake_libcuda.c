/* fake_libcuda.c - a CUDA driver that has no GPU: memory is the host's, kernels do nothing. Built
 * as a shared object by tests that name it in WARPLINGS_CUDA_DRIVER. Kernels whose names say so
 * misbehave, and so does the whole driver where FAKE_CUDA says so: "nodevice", "badinit", "hang"
 * (in cuInit). */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "device/device_gpu_driver.h"

#define API __attribute__((visibility("default"))) int
struct function {
  char name[64];
};
static struct function functions[64];
static int function_count, sticky, hanging;
static void *blocks[256]; /* reachable: what a dead GPU keeps is no leak */

static int is(const char *what) {
  const char *mode = getenv("FAKE_CUDA");
  return mode && strcmp(mode, what) == 0;
}

API cuInit(unsigned flags);
API cuInit(unsigned flags) {
  (void)flags;
  while (is("hang")) sleep(1);
  return is("badinit") ? 999 : is("nodevice") ? CU_NO_DEVICE : 0;
}
API cuDriverGetVersion(int *v);
API cuDriverGetVersion(int *v) { return *v = 12080, 0; }
API cuDeviceGetCount(int *n);
API cuDeviceGetCount(int *n) { return *n = 1, 0; }
API cuDeviceGet(int *d, int i);
API cuDeviceGet(int *d, int i) { return *d = i, 0; }
API cuDeviceGetName(char *name, int size, int d);
API cuDeviceGetName(char *name, int size, int d) {
  (void)d;
  strncpy(name, "Fake GPU", (size_t)size - 1);
  return 0;
}
API cuDeviceGetAttribute(int *v, int a, int d);
API cuDeviceGetAttribute(int *v, int a, int d) {
  (void)d;
  return *v = a == CU_ATTRIBUTE_MAJOR ? 9 : a == CU_ATTRIBUTE_SM_COUNT ? 3 : 0, 0;
}
API cuDevicePrimaryCtxRetain(void **c, int d);
API cuDevicePrimaryCtxRetain(void **c, int d) { return (void)d, *c = functions, 0; }
API cuCtxSetCurrent(void *c);
API cuCtxSetCurrent(void *c) { return (void)c, 0; }

/* ---- modules: text with "bad_ptx" in it is refused, in the assembler's manner ---- */
API cuModuleLoadDataEx(void **m, const void *image, unsigned n, int *options, void **values);
API cuModuleLoadDataEx(void **m, const void *image, unsigned n, int *options, void **values) {
  *m = functions;
  if (!strstr(image, "bad_ptx")) return 0;
  for (unsigned i = 0; i < n; i++)
    if (options[i] == CU_JIT_ERROR_LOG)
      strcpy(values[i],
             "ptxas application ptx input, line 7; error   : Unknown symbol 'bad_ptx'\n");
  return 218;
}
API cuModuleUnload(void *m);
API cuModuleUnload(void *m) { return (void)m, 0; }
API cuModuleGetFunction(void **f, void *m, const char *name);
API cuModuleGetFunction(void **f, void *m, const char *name) {
  (void)m;
  struct function *at = &functions[function_count++ % 64];
  strncpy(at->name, name, sizeof at->name - 1);
  *f = at;
  return strstr(name, "absent") ? 500 : 0;
}
API cuFuncSetAttribute(void *f, int a, int v);
API cuFuncSetAttribute(void *f, int a, int v) {
  return (void)f, a == CU_FUNCTION_MAX_DYNAMIC_SHARED && v > 227 << 10 ? CU_INVALID_VALUE : 0;
}

/* ---- memory ---- */
API cuMemAlloc_v2(u64 *p, size_t n);
API cuMemAlloc_v2(u64 *p, size_t n) {
  unsigned i = 0;
  while (i < COUNT_OF(blocks) && blocks[i]) i++;
  if (n > 1 << 28 || i == COUNT_OF(blocks)) return CU_OUT_OF_MEMORY;
  blocks[i] = aligned_alloc(256, (n + 255) & ~(size_t)255);
  return *p = (u64)(uintptr_t)blocks[i], 0;
}
API cuMemFree_v2(u64 p);
API cuMemFree_v2(u64 p) {
  for (unsigned i = 0; i < COUNT_OF(blocks); i++)
    if (blocks[i] == (void *)(uintptr_t)p) blocks[i] = NULL;
  return free((void *)(uintptr_t)p), 0;
}
API cuMemcpyHtoD_v2(u64 to, const void *from, size_t n);
API cuMemcpyHtoD_v2(u64 to, const void *from, size_t n) {
  return memcpy((void *)(uintptr_t)to, from, n), sticky;
}
API cuMemcpyDtoH_v2(void *to, u64 from, size_t n);
API cuMemcpyDtoH_v2(void *to, u64 from, size_t n) {
  return memcpy(to, (void *)(uintptr_t)from, n), sticky;
}
API cuMemsetD8_v2(u64 to, unsigned char b, size_t n);
API cuMemsetD8_v2(u64 to, unsigned char b, size_t n) {
  return memset((void *)(uintptr_t)to, b, n), sticky;
}

/* ---- launches: the first parameter of "past_end" and "before" is a pointer, the second its size
 * ---- */
static void damage(const char *name, void **extra) {
  u64 params[2];
  if (!extra) return;
  memcpy(params, extra[1], sizeof params);
  if (strstr(name, "past_end")) ((u8 *)(uintptr_t)params[0])[params[1]] = 1;
  if (strstr(name, "before")) ((u8 *)(uintptr_t)params[0])[-1] = 1;
  if (strstr(name, "increment"))
    for (u64 i = 0; i < params[1]; i++) ((u8 *)(uintptr_t)params[0])[i]++;
}
API cuLaunchKernelEx(const struct cu_launch_config *c, void *f, void **params, void **extra);
API cuLaunchKernelEx(const struct cu_launch_config *c, void *f, void **params, void **extra) {
  const char *name = ((struct function *)f)->name;
  u32 cooperative = 0, cluster = 0;
  (void)params;
  for (u32 i = 0; i < c->attribute_count; i++) {
    if (c->attributes[i].id == CU_LAUNCH_COOPERATIVE)
      cooperative = (u32)c->attributes[i].value.cooperative;
    if (c->attributes[i].id == CU_LAUNCH_CLUSTER)
      cluster = c->attributes[i].value.cluster[0] * c->attributes[i].value.cluster[1];
  }
  if (c->block[0] * c->block[1] * c->block[2] > 1024) return CU_INVALID_VALUE;
  if (strstr(name, "wants_cooperative") && !cooperative) return CU_INVALID_VALUE;
  if (strstr(name, "wants_cluster") && cluster != 4) return CU_INVALID_CLUSTER_SIZE;
  if (strstr(name, "illegal")) sticky = CU_ILLEGAL_ADDRESS;
  if (strstr(name, "asserts")) sticky = CU_ASSERT;
  hanging = strstr(name, "hangs") != NULL;
  damage(name, extra);
  return 0;
}
API cuEventCreate(void **e, unsigned flags);
API cuEventCreate(void **e, unsigned flags) { return (void)flags, *e = functions, 0; }
API cuEventDestroy_v2(void *e);
API cuEventDestroy_v2(void *e) { return (void)e, 0; }
API cuEventRecord(void *e, void *s);
API cuEventRecord(void *e, void *s) { return (void)e, (void)s, 0; }
API cuEventQuery(void *e);
API cuEventQuery(void *e) { return (void)e, hanging ? CU_NOT_READY : sticky; }
API cuEventElapsedTime(float *ms, void *a, void *b);
API cuEventElapsedTime(float *ms, void *a, void *b) { return (void)a, (void)b, *ms = 0.25f, 0; }
API cuGetErrorName(int r, const char **name);
API cuGetErrorName(int r, const char **name) {
  *name = r == CU_ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS"
          : r == 218              ? "CUDA_ERROR_INVALID_PTX"
                                  : "CUDA_ERROR_FAKE";
  return 0;
}
API cuGetErrorString(int r, const char **text);
API cuGetErrorString(int r, const char **text) {
  return (void)r, *text = "as the fake was told", 0;
}
