// expect: PASS
// Each worker works out which items its box gets, and needs neither box nor barrier.

#define MAX_WORKERS 256

__global__ void carousel(const int *item, int *total, int n) {
  int t = threadIdx.x, w = blockDim.x, s = 0;
  for (int r = 0; r * w < n; r++) {
    int who = ((t - r) % w + w) % w;
    if (r * w + who < n) s += item[blockIdx.x * n + r * w + who];
  }
  total[blockIdx.x * w + t] = s;
}
