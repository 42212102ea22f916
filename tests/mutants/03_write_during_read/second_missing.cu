// expect: RACE line 14
// Why: a quick thread loads the next tile while a slow one still reads this one. It takes a table
// of two tiles to show.

__global__ void distances(const int *mine, int n, const int *table, int m, int *out) {
  __shared__ int tile[128];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int own = i < n ? mine[i] : 0;
  int sum = 0;

  for (int first = 0; first < m; first += blockDim.x) {
    int length = min((int)blockDim.x, m - first);
    if (t < length) tile[t] = table[first + t];
    __syncthreads();
    for (int k = 0; k < length; k++) sum += abs(own - tile[k]);
  }

  if (i < n) out[i] = sum;
}
