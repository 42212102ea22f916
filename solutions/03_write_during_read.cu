// 03 - Write during read: reference answer

__global__ void distances(const int *mine, int n, const int *table, int m, int *out) {
  __shared__ int tile[128];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int own = i < n ? mine[i] : 0;
  int sum = 0;

  for (int first = 0; first < m; first += blockDim.x) {
    int length = min((int)blockDim.x, m - first);

    if (t < length) tile[t] = table[first + t];
    // Load to use: whoever reads tile[k] below has waited for the thread that wrote it.
    __syncthreads();
    for (int k = 0; k < length; k++) sum += abs(own - tile[k]);
    // Use to next load: the tile is overwritten only when every thread has read it. All threads
    // of the block take the same number of turns, since m and blockDim.x are the same for all, so
    // all meet at both barriers.
    __syncthreads();
  }

  if (i < n) out[i] = sum;
}
