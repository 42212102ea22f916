// expect: RULE
// Thread 0 adds up: no step, no barrier, and no tree.

__global__ void block_sums(const int *in, int *out, int n) {
  __shared__ int sum[1024];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  sum[t] = i < n ? in[i] : 0;
  __syncthreads();

  if (t == 0)
    for (int k = 1; k < blockDim.x; k++) sum[0] += sum[k];

  if (t == 0) out[blockIdx.x] = sum[0];
}
