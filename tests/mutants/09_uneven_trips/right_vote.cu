// expect: PASS
// Right: the block votes whether anybody has an item left. All threads get the same answer, so
// all leave in the same trip, and the vote is itself the barrier between two rounds.
#define MAX_WORKERS 256

__global__ void carousel(const int *item, int *total, int n) {
  __shared__ int box[MAX_WORKERS];
  const int *row = item + blockIdx.x * n;
  int t = threadIdx.x;
  int workers = blockDim.x;

  box[t] = 0;
  int round = 0;
  int i = t;
  while (__syncthreads_or(i < n)) {
    if (i < n) box[(t + round) % workers] += row[i];
    i += workers;
    round++;
  }

  __syncthreads();
  total[blockIdx.x * workers + t] = box[t];
}
