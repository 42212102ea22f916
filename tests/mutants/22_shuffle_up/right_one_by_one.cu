// expect: PASS
// Right: the number walks up one lane at a time; all lanes take the same number of steps.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void difference(const int *in, int *out, int n, int offset) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int x = i < n ? in[i] : 0;
  int before = 0;

  int got = x;
  for (int k = 0; k < offset; k++) got = __shfl_up_sync(FULL, got, 1);
  if (lane >= offset) before = got;

  if (i < n) out[i] = x - before;
}
