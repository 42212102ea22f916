// expect: PASS
// run: --kernel k --grid 2 --block 1 --arg buf:i32:1:zero --arg buf:i32:1 --arg buf:i32:1
// system scope covers the device
__global__ void k(int *flag, int *data, int *out) {
  if (blockIdx.x == 0) {
    *data = 42;
    __threadfence_system();
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence_system();
    *out = *data;
  }
}
