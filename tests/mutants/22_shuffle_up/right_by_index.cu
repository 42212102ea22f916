// expect: PASS
// Right: `__shfl_sync` names the source lane outright. The low lanes ask for any lane at all, and
// use nothing.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void difference(const int *in, int *out, int n, int offset) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int x = i < n ? in[i] : 0;
  int before = 0;

  int got = __shfl_sync(FULL, x, lane - offset);
  before = lane < offset ? 0 : got;

  if (i < n) out[i] = x - before;
}
