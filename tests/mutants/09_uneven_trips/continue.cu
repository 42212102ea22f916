// expect: BARRIER line 19
// `continue` skips the barrier as surely as `break` does: in the last round the threads without
// an item go on to the barrier below the loop.
#define MAX_WORKERS 256

__global__ void carousel(const int *item, int *total, int n) {
  __shared__ int box[MAX_WORKERS];
  const int *row = item + blockIdx.x * n;
  int t = threadIdx.x;
  int workers = blockDim.x;

  box[t] = 0;
  int round = 0;
  for (int first = 0; first < n; first += workers) {
    int i = first + t;
    if (i >= n) continue;
    box[(t + round) % workers] += row[i];
    round++;
    __syncthreads(); // turn
  }

  __syncthreads();
  total[blockIdx.x * workers + t] = box[t];
}
