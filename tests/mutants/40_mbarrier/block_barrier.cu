// expect: RULE
// Right, but the whole block meets for each serving: the kitchen stops until the slowest guest is
// done with the serving before.
#define SERVING 64

__global__ void count_below(const int *price, const int *limit, int *count, int n) {
  __shared__ int belt[2][SERVING];
  int guests = blockDim.x - 32;
  int servings = (n + SERVING - 1) / SERVING;
  int guest = threadIdx.x - 32;
  int mine = guest >= 0 ? limit[blockIdx.x * guests + guest] : 0, below = 0;
  for (int s = blockIdx.x, place = 0; s < servings; s += gridDim.x, place = 1 - place) {
    if (guest < 0)
      for (int k = threadIdx.x; k < SERVING; k += 32)
        if (s * SERVING + k < n) belt[place][k] = price[s * SERVING + k];
    __syncthreads();
    if (guest >= 0)
      for (int k = 0; k < SERVING && s * SERVING + k < n; k++) below += belt[place][k] < mine;
  }
  if (guest >= 0) count[blockIdx.x * guests + guest] = below;
}
