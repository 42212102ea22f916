// expect: PASS
// run: --kernel k --grid 2 --block 32 --arg buf:i32:1:zero --arg buf:i32:2
// waits for the flag that is raised
__global__ void k(int *flag, int *out) {
  if (threadIdx.x == 0) {
    if (blockIdx.x == 1)
      while (atomicAdd(flag, 0) != 1) {
      }
    else
      atomicExch(flag, 1);
    out[blockIdx.x] = 1;
  }
}
