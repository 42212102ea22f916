// expect: UNINIT
// Why: in the last block cells without an item stay as they were: undefined, and the tree adds
// them in.

__global__ void block_sums(const int *in, int *out, int n) {
  __shared__ int sum[1024];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n) sum[t] = in[i];
  __syncthreads();

  for (int width = blockDim.x; width > 1; width = (width + 1) / 2) {
    int half = (width + 1) / 2;
    if (t + half < width) sum[t] += sum[t + half];
    __syncthreads();
  }

  if (t == 0) out[blockIdx.x] = sum[0];
}
