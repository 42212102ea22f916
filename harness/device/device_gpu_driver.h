/* device_gpu_driver.h - inside device/: the entry points of the CUDA driver that we call, with the
 * few types they need. Source: the CUDA Driver API's reference; the numbers are its binary
 * interface. */
#ifndef WL_DEVICE_GPU_DRIVER_H
#define WL_DEVICE_GPU_DRIVER_H
#include "base/base.h"

typedef int cu_result; /* 0 = fine */
typedef int cu_device;
typedef void
    *cu_handle; /* context, module, function, stream, event: pointers that we only pass on */
typedef u64 cu_pointer;

enum { /* results that mean something to us */
       CU_NOT_READY = 600,
       CU_ILLEGAL_ADDRESS = 700,
       CU_OUT_OF_RESOURCES = 701,
       CU_TIMEOUT = 702,
       CU_ASSERT = 710,
       CU_HARDWARE_STACK = 714,
       CU_ILLEGAL_INSTRUCTION = 715,
       CU_MISALIGNED = 716,
       CU_INVALID_SPACE = 717,
       CU_INVALID_PC = 718,
       CU_LAUNCH_FAILED = 719,
       CU_COOPERATIVE_TOO_LARGE = 720,
       CU_INVALID_CLUSTER_SIZE = 912,
       CU_INVALID_VALUE = 1,
       CU_OUT_OF_MEMORY = 2,
       CU_NO_DEVICE = 100
};
enum { CU_ATTRIBUTE_SM_COUNT = 16, CU_ATTRIBUTE_MAJOR = 75, CU_ATTRIBUTE_MINOR = 76 };
enum { CU_FUNCTION_MAX_DYNAMIC_SHARED = 8 };
enum {
  CU_JIT_INFO_LOG = 3,
  CU_JIT_INFO_SIZE = 4,
  CU_JIT_ERROR_LOG = 5,
  CU_JIT_ERROR_SIZE = 6,
  CU_JIT_OPTIMIZATION = 7
};
enum { CU_LAUNCH_COOPERATIVE = 2, CU_LAUNCH_CLUSTER = 4 };
#define CU_PARAM_END  ((void *)0)
#define CU_PARAM_DATA ((void *)1)
#define CU_PARAM_SIZE ((void *)2)

struct cu_launch_attribute {
  u32 id, unused;
  union {
    char room[64];
    int cooperative;
    u32 cluster[3];
    void *align;
  } value;
};
struct cu_launch_config {
  u32 grid[3], block[3];
  u32 shared_bytes;
  cu_handle stream;
  struct cu_launch_attribute *attributes;
  u32 attribute_count;
};

/* One table: field, symbol in the library, parameters. */
#define CU_TABLE(C)                                                                                \
  C(init, "cuInit", (unsigned flags))                                                              \
  C(driver_version, "cuDriverGetVersion", (int *version))                                          \
  C(device_count, "cuDeviceGetCount", (int *count))                                                \
  C(device_get, "cuDeviceGet", (cu_device * device, int ordinal))                                  \
  C(device_name, "cuDeviceGetName", (char *name, int size, cu_device device))                      \
  C(device_attribute, "cuDeviceGetAttribute", (int *value, int attribute, cu_device device))       \
  C(context_retain, "cuDevicePrimaryCtxRetain", (cu_handle * context, cu_device device))           \
  C(context_current, "cuCtxSetCurrent", (cu_handle context))                                       \
  C(module_load, "cuModuleLoadDataEx",                                                             \
    (cu_handle * module, const void *image, unsigned count, int *options, void **values))          \
  C(module_unload, "cuModuleUnload", (cu_handle module))                                           \
  C(module_function, "cuModuleGetFunction",                                                        \
    (cu_handle * function, cu_handle module, const char *name))                                    \
  C(function_set, "cuFuncSetAttribute", (cu_handle function, int attribute, int value))            \
  C(alloc, "cuMemAlloc_v2", (cu_pointer * address, size_t size_bytes))                             \
  C(release, "cuMemFree_v2", (cu_pointer address))                                                 \
  C(to_device, "cuMemcpyHtoD_v2", (cu_pointer to, const void *from, size_t size_bytes))            \
  C(to_host, "cuMemcpyDtoH_v2", (void *to, cu_pointer from, size_t size_bytes))                    \
  C(fill, "cuMemsetD8_v2", (cu_pointer to, unsigned char byte, size_t size_bytes))                 \
  C(launch, "cuLaunchKernelEx",                                                                    \
    (const struct cu_launch_config *config, cu_handle function, void **params, void **extra))      \
  C(event_create, "cuEventCreate", (cu_handle * event, unsigned flags))                            \
  C(event_destroy, "cuEventDestroy_v2", (cu_handle event))                                         \
  C(event_record, "cuEventRecord", (cu_handle event, cu_handle stream))                            \
  C(event_query, "cuEventQuery", (cu_handle event))                                                \
  C(event_elapsed, "cuEventElapsedTime", (float *milliseconds, cu_handle from, cu_handle to))      \
  C(error_name, "cuGetErrorName", (cu_result result, const char **name))                           \
  C(error_text, "cuGetErrorString", (cu_result result, const char **text))

struct cu_driver {
#define C(field, symbol, params) cu_result(*field) params;
  CU_TABLE(C)
#undef C
  cu_device device;
  cu_handle context;
  char name[96], library[256];
  u32 version, major, minor, sm_count, count;
};
/* The driver with the first GPU's context current in this thread; the same on every call of a
 * process. false + why: library, entry point or GPU missing. Never call it in a process that forks
 * later. */
bool cu_open(const struct cu_driver **out, struct diag *why);
/* "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered" */
void cu_words(const struct cu_driver *d, cu_result r, char *out, size_t size);
#endif
