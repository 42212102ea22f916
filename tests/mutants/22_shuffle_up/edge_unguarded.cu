// expect: WRONG
// Why: a low lane gets its own number back, so the difference is 0 and not the number.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void difference(const int *in, int *out, int n, int offset) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int x = i < n ? in[i] : 0;
  int before = 0;

  before = __shfl_up_sync(FULL, x, offset);

  if (i < n) out[i] = x - before;
}
