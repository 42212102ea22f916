// expect: PASS
// Why: a barrier as the first thing in a turn parts the use of the turn before from this load
// just as well.

__global__ void distances(const int *mine, int n, const int *table, int m, int *out) {
  __shared__ int tile[128];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int own = i < n ? mine[i] : 0;
  int sum = 0;

  for (int first = 0; first < m; first += blockDim.x) {
    int length = min((int)blockDim.x, m - first);

    __syncthreads();
    if (t < length) tile[t] = table[first + t];
    __syncthreads();
    for (int k = 0; k < length; k++) sum += abs(own - tile[k]);
  }

  if (i < n) out[i] = sum;
}
