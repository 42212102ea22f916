// expect: WRONG
// Why: down moves values to lower lanes: each lane gets the number after its own.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void difference(const int *in, int *out, int n, int offset) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int x = i < n ? in[i] : 0;
  int before = 0;

  int got = __shfl_down_sync(FULL, x, offset);
  if (lane >= offset) before = got;

  if (i < n) out[i] = x - before;
}
