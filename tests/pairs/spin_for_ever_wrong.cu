// expect: DEADLOCK
// run: --kernel k --grid 2 --block 32 --arg buf:i32:1:zero --arg buf:i32:2
// waits for a flag that nobody raises
__global__ void k(volatile int *flag, int *out) {
  if (threadIdx.x == 0) {
    if (blockIdx.x == 1)
      while (*flag != 2) {
      }
    else
      *flag = 1;
    out[blockIdx.x] = 1;
  }
}
