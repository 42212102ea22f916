// expect: BARRIER line 18
// The bound is common, but a thread without an item leaves the loop before the barrier.
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
    if (i >= n) break;
    box[(t + round) % workers] += row[i];
    round++;
    __syncthreads(); // turn
  }

  __syncthreads();
  total[blockIdx.x * workers + t] = box[t];
}
