// expect: DEADLOCK
// Why: the lanes without an item leave in front of a shuffle that names them.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void difference(const int *in, int *out, int n, int offset) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int x = i < n ? in[i] : 0;
  int before = 0;

  if (i >= n) return;
  int got = __shfl_up_sync(FULL, x, offset);
  if (lane >= offset) before = got;

  if (i < n) out[i] = x - before;
}
