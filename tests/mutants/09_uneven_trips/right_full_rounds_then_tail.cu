// expect: PASS
// Right: only full rounds are in the loop (a common bound), and the ragged rest follows it,
// guarded, with the barrier below it.
#define MAX_WORKERS 256

__global__ void carousel(const int *item, int *total, int n) {
  __shared__ int box[MAX_WORKERS];
  const int *row = item + blockIdx.x * n;
  int t = threadIdx.x;
  int workers = blockDim.x;

  box[t] = 0;
  int full = n / workers;
  for (int round = 0; round < full; round++) {
    box[(t + round) % workers] += row[round * workers + t];
    __syncthreads();
  }
  int last = full * workers + t;
  if (last < n) box[(t + full) % workers] += row[last];

  __syncthreads();
  total[blockIdx.x * workers + t] = box[t];
}
