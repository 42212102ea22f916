// expect: RACE line 16
// Why: the value goes through a register, but nothing makes a thread wait before it writes its
// cell until its right neighbour has read it.

__global__ void block_scan(const int *in, int *out, int n) {
  __shared__ int sum[1024];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  sum[t] = i < n ? in[i] : 0;
  __syncthreads();

  for (int d = 1; d < blockDim.x; d *= 2) {
    int total = sum[t];
    if (t >= d) total += sum[t - d];
    sum[t] = total;
    __syncthreads();
  }

  if (i < n) out[i] = sum[t];
}
