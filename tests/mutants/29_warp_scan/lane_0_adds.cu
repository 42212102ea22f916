// expect: RULE
// Lane 0 finds the totals of all 32 items, by itself.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void running_totals(const float *in, float *inclusive, float *exclusive, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 32) return;
  float s = 0;
  for (int k = i; k < min(i + 32, n); k++) {
    exclusive[k] = s;
    s += in[k];
    inclusive[k] = s;
  }
}
