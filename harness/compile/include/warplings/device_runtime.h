/* device_runtime.h - cuda_device_runtime_api.h for clang: what a kernel says to the one that is launched behind it. The
 * launches of kernels by kernels are the toolkit's. */
#ifndef WARPLINGS_DEVICE_RUNTIME
#define WARPLINGS_DEVICE_RUNTIME
WL_FN void cudaGridDependencySynchronize() { asm volatile("griddepcontrol.wait;" ::: "memory"); }
WL_FN void cudaTriggerProgrammaticLaunchCompletion() { asm volatile("griddepcontrol.launch_dependents;" ::: "memory"); }
#endif
