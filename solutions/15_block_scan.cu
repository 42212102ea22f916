// 15 - Block scan: reference answer

__global__ void block_scan(const int *in, int *out, int n) {
  __shared__ int sum[2][1024];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  int now = 0; // the array that holds the totals; the other one is free
  sum[now][t] = i < n ? in[i] : 0;
  __syncthreads();

  // After the step of d, cell t holds the sum of the last 2d cells up to t, or of all of them if
  // there are fewer.
  for (int d = 1; d < blockDim.x; d *= 2) {
    int total = sum[now][t];
    if (t >= d) total += sum[now][t - d];
    // Every thread writes, also one that added nothing: the next step reads this array only.
    sum[1 - now][t] = total;
    now = 1 - now;
    // One barrier does two jobs: the next step reads what this step wrote, and it overwrites what
    // this step read.
    __syncthreads();
  }

  if (i < n) out[i] = sum[now][t];
}
