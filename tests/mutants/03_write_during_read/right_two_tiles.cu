// expect: PASS
// Why: with two tiles in turn one barrier is enough. A tile is loaded again two turns later, and
// between lies the other turn's barrier, which no thread passes before all have read this tile.

__global__ void distances(const int *mine, int n, const int *table, int m, int *out) {
  __shared__ int tiles[2][128];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int own = i < n ? mine[i] : 0;
  int sum = 0;

  for (int first = 0, turn = 0; first < m; first += blockDim.x, turn ^= 1) {
    int length = min((int)blockDim.x, m - first);
    int *tile = tiles[turn];

    if (t < length) tile[t] = table[first + t];
    __syncthreads();
    for (int k = 0; k < length; k++) sum += abs(own - tile[k]);
  }

  if (i < n) out[i] = sum;
}
