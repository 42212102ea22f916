// expect: UNINIT
// Why: threads with t < d write nothing, and the next step reads their cells of the second array,
// which were never written.

__global__ void block_scan(const int *in, int *out, int n) {
  __shared__ int sum[2][1024];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  int now = 0;
  sum[now][t] = i < n ? in[i] : 0;
  __syncthreads();

  for (int d = 1; d < blockDim.x; d *= 2) {
    if (t >= d) sum[1 - now][t] = sum[now][t] + sum[now][t - d];
    now = 1 - now;
    __syncthreads();
  }

  if (i < n) out[i] = sum[now][t];
}
