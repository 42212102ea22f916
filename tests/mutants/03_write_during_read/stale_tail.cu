// expect: UNINIT
// Why: the last tile may be shorter. Its tail holds numbers of the tile before, which would count
// twice; a table shorter than one tile (the first shape is one) leaves the tail undefined, and
// that reaches the output.

__global__ void distances(const int *mine, int n, const int *table, int m, int *out) {
  __shared__ int tile[128];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int own = i < n ? mine[i] : 0;
  int sum = 0;

  for (int first = 0; first < m; first += blockDim.x) {
    if (first + t < m) tile[t] = table[first + t];
    __syncthreads();
    for (int k = 0; k < blockDim.x; k++) sum += abs(own - tile[k]);
    __syncthreads();
  }

  if (i < n) out[i] = sum;
}
