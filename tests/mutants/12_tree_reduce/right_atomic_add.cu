// expect: PASS
// Everybody adds to sum[0] by an atomic: two barriers, however large the block is.

__global__ void block_sums(const int *in, int *out, int n) {
  __shared__ int sum[1024];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  sum[t] = i < n ? in[i] : 0;
  __syncthreads();

  if (t > 0) atomicAdd(&sum[0], sum[t]);
  __syncthreads();

  if (t == 0) out[blockIdx.x] = sum[0];
}
