// expect: PASS
// Why: even more private: odd and even warps count in copies of their own, and the merge adds the
// copies up first. Fewer collisions while counting, the same two barriers.

#define BINS 256

__global__ void histogram(const unsigned char *data, int n, int *hist) {
  __shared__ int bin[2][BINS];
  int t = threadIdx.x;
  int threads = gridDim.x * blockDim.x;

  for (int b = t; b < 2 * BINS; b += blockDim.x) bin[b / BINS][b % BINS] = 0;
  __syncthreads();

  int *mine = bin[t / 32 % 2];
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += threads) atomicAdd(&mine[data[i]], 1);
  __syncthreads();

  for (int b = t; b < BINS; b += blockDim.x) atomicAdd(&hist[b], bin[0][b] + bin[1][b]);
}
