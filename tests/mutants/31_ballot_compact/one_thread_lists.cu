// expect: RULE
// One thread lists the sensors of the whole grid.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void list_alarms(const int *in, int *where, int *found, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  bool rings = i < n && in[i] > 0;

  if (i == 0) {
    int f = 0;
    for (int k = 0; k < n; k++)
      if (in[k] > 0) where[f++] = k;
    *found = f;
  }
}
