// expect: PASS
// Why: one array and two barriers a step: first all read into a register, then all write.

__global__ void block_scan(const int *in, int *out, int n) {
  __shared__ int sum[1024];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  sum[t] = i < n ? in[i] : 0;
  __syncthreads();

  for (int d = 1; d < blockDim.x; d *= 2) {
    int left = t >= d ? sum[t - d] : 0;
    __syncthreads();
    sum[t] += left;
    __syncthreads();
  }

  if (i < n) out[i] = sum[t];
}
