// expect: WRONG
// Why: every step reads the items again; the arrays never change roles. (With one step, and in
// blocks of one thread, even the array at the end is the wrong one.)

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
    __syncthreads();
  }

  if (i < n) out[i] = sum[now][t];
}
