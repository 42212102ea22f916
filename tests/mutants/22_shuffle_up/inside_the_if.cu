// expect: DEADLOCK
// Why: the low lanes have nothing to get, but the others get their numbers and wait for them. The
// low lanes write their output and end.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void difference(const int *in, int *out, int n, int offset) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int x = i < n ? in[i] : 0;
  int before = 0;

  if (lane >= offset) before = __shfl_up_sync(FULL, x, offset);

  if (i < n) out[i] = x - before;
}
