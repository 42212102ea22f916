// expect: RACE line 10
// run: --kernel k --grid 4 --block 32 --arg buf:i32:4:iota --arg buf:i32:4 --arg buf:u32:1:zero --arg buf:i32:1
// the last block adds up without a fence after the counter
__global__ void k(const int *in, int *part, unsigned *done, int *out) {
  if (threadIdx.x != 0) return;
  part[blockIdx.x] = in[blockIdx.x];
  __threadfence();
  if (atomicAdd(done, 1u) == gridDim.x - 1) {
    int sum = 0;
    for (int i = 0; i < gridDim.x; i++) sum += part[i];
    *out = sum;
  }
}
