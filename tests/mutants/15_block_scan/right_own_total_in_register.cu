// expect: PASS
// Why: a thread keeps its own total in a register; the arrays are only there for the
// neighbours. The barrier on top of a step makes the totals of the last step visible.

__global__ void block_scan(const int *in, int *out, int n) {
  __shared__ int sum[2][1024];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  int now = 0;
  int total = i < n ? in[i] : 0;
  for (int d = 1; d < blockDim.x; d *= 2) {
    sum[now][t] = total;
    __syncthreads();
    if (t >= d) total += sum[now][t - d];
    now = 1 - now;
  }

  if (i < n) out[i] = total;
}
