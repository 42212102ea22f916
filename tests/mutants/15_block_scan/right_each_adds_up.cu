// expect: PASS
// Every thread adds up what lies before it: more additions, but all at once.

__global__ void block_scan(const int *in, int *out, int n) {
  __shared__ int sum[1024];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  sum[t] = i < n ? in[i] : 0;
  __syncthreads();

  for (int d = 1; d < blockDim.x; d *= 2) {
    if (d == 1) {
      int s = 0;
      for (int k = 0; k <= t; k++) s += sum[k];
      __syncthreads();
      sum[t] = s;
    }
  }

  if (i < n) out[i] = sum[t];
}
