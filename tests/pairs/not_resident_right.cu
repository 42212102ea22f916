// expect: PASS
// run: --kernel k --grid 2 --block 32 --sms 1 --blocks-per-sm 2 --arg buf:i32:1:zero --arg buf:i32:2
// there is room for both blocks
__global__ void k(int *flag, int *out) {
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0)
      while (atomicAdd(flag, 0) == 0) {
      }
    else
      atomicExch(flag, 1);
    out[blockIdx.x] = 1;
  }
}
