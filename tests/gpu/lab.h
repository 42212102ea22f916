/* lab.h - runs the kernels of one module, on the virtual machine or on a GPU, and hands back
 * memory. */
#ifndef WL_TEST_GPU_LAB_H
#define WL_TEST_GPU_LAB_H
#include "device/device.h"
#include "device/device_gpu.h"

struct lab_kernel { /* parameters: pointer to in, pointer to out */
  const char *name;
  u32 grid, block;
  const u8 *in;
  u64 in_bytes;
  u8 *out; /* contents before, contents afterwards */
  u64 out_bytes;
  u64 limit_steps; /* of the virtual machine; 0 = default */
  bool failed;     /* this one did not come to its end */
  char why[400];
};
struct lab_times {
  double open_ms, run_ms;
};
/* All kernels, in their order. A kernel that fails says so in `why`; false: nothing could be run,
 * why says so. `checked`: every check of the debug build; any finding fails the kernel. */
bool lab_vm(str ptx, struct lab_kernel *k, u32 count, enum vm_schedule_kind schedule, u64 seed,
            bool checked, struct diag *why);
/* plain: assembled without optimising. *dead: the process cannot use the GPU any more. */
bool lab_gpu(str ptx, struct lab_kernel *k, u32 count, bool plain, struct lab_times *times,
             bool *dead, struct diag *why);
double lab_now_ms(void);
#endif
