// expect: BARRIER line 17
// The barrier is inside the guard: common bound, but only threads with an item arrive.
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
    if (i < n) {
      box[(t + round) % workers] += row[i];
      __syncthreads(); // turn
    }
    round++;
  }

  __syncthreads();
  total[blockIdx.x * workers + t] = box[t];
}
