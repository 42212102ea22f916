// expect: RACE line 15
// Why: the second barrier keeps the turns apart, but inside a turn a thread reads cells that
// others may not have loaded yet.

__global__ void distances(const int *mine, int n, const int *table, int m, int *out) {
  __shared__ int tile[128];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int own = i < n ? mine[i] : 0;
  int sum = 0;

  for (int first = 0; first < m; first += blockDim.x) {
    int length = min((int)blockDim.x, m - first);
    if (t < length) tile[t] = table[first + t];
    for (int k = 0; k < length; k++) sum += abs(own - tile[k]);
    __syncthreads();
  }

  if (i < n) out[i] = sum;
}
