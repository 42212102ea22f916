// expect: RULE
// Right: the scan of puzzle 15, in two buffers, with a barrier for each step.
#define FULL 0xffffffffu

__global__ void block_scan(const int *in, int *inclusive, int *exclusive, int *totals, int n) {
  __shared__ int sum[2][1024];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int mine = i < n ? in[i] : 0;
  int from = 0;

  sum[0][t] = mine;
  __syncthreads();
  for (int step = 1; step < blockDim.x; step *= 2) {
    sum[1 - from][t] = sum[from][t] + (t >= step ? sum[from][t - step] : 0);
    from = 1 - from;
    __syncthreads();
  }

  if (i < n) {
    inclusive[i] = sum[from][t];
    exclusive[i] = sum[from][t] - mine;
  }
  if (t == 0) totals[blockIdx.x] = sum[from][blockDim.x - 1];
}
