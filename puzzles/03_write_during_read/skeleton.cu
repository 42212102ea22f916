// expect: RACE
//
// 03 - Write during read
//
// Thread i holds one number, mine[i]. How far is it from all m numbers of the table, added up?
// out[i] = |mine[i] - table[0]| + |mine[i] - table[1]| + ... + |mine[i] - table[m-1]|
//
// The table does not fit into shared memory. The block takes it in tiles: every thread loads one
// number, then every thread uses the whole tile, and so on with the next one.
//
// The barrier between loading and using is there. Something else is missing.

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
    // TODO (1 line)
  }

  if (i < n) out[i] = sum;
}
