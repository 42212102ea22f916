// expect: RACE
//
// 15 - Block scan
//
// Running totals: out[i] is the sum of in[i] and all items before it in the same block (an
// "inclusive scan"). Each block has a stretch of in as long as it has threads; every block starts
// again from nothing.
//
// The steps are the right ones: first everybody adds the cell 1 to the left, then 2 to the left,
// then 4, 8, ... But look at who reads a cell in a step, and who writes it.

__global__ void block_scan(const int *in, int *out, int n) {
  __shared__ int sum[1024];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  sum[t] = i < n ? in[i] : 0;
  __syncthreads();

  // TODO (5 to 8 lines change)
  for (int d = 1; d < blockDim.x; d *= 2) {
    if (t >= d) sum[t] += sum[t - d];
    __syncthreads();
  }

  if (i < n) out[i] = sum[t];
}
