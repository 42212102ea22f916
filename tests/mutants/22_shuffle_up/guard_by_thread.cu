// expect: WRONG
// Why: the edge is where the warp begins, not only where the block begins: the guard lets the low
// lanes of the second warp through.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void difference(const int *in, int *out, int n, int offset) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int x = i < n ? in[i] : 0;
  int before = 0;

  int got = __shfl_up_sync(FULL, x, offset);
  if (threadIdx.x >= offset) before = got;

  if (i < n) out[i] = x - before;
}
