// expect: PASS
// Why: the tree from the other end: pairs of neighbours, then pairs of pairs. In a step of
// distance d only multiples of 2d write, and only the odd multiples of d are read.

__global__ void block_sums(const int *in, int *out, int n) {
  __shared__ int sum[1024];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  sum[t] = i < n ? in[i] : 0;
  __syncthreads();

  for (int d = 1; d < blockDim.x; d *= 2) {
    if (t % (2 * d) == 0 && t + d < blockDim.x) sum[t] += sum[t + d];
    __syncthreads();
  }

  if (t == 0) out[blockIdx.x] = sum[0];
}
