// expect: TRAP
// Why: the mask 1 names lane 0 only, and 31 lanes that it does not name run the shuffle.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void difference(const int *in, int *out, int n, int offset) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int x = i < n ? in[i] : 0;
  int before = 0;

  int got = __shfl_up_sync(1u, x, offset);
  if (lane >= offset) before = got;

  if (i < n) out[i] = x - before;
}
