// expect: RACE
// Why: two buffers, so two steps without a barrier? No: the second step reads what the first
// one wrote.

__global__ void block_scan(const int *in, int *out, int n) {
  __shared__ int sum[2][1024];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  int now = 0;
  sum[now][t] = i < n ? in[i] : 0;
  __syncthreads();

  for (int d = 1; d < blockDim.x; d *= 2) {
    int total = sum[now][t];
    if (t >= d) total += sum[now][t - d];
    sum[1 - now][t] = total;
    now = 1 - now;
    if (now == 0) __syncthreads();
  }

  if (i < n) out[i] = sum[now][t];
}
