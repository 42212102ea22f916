// expect: BOUNDS line 15
// The trips are equal, but the work is not guarded: in a ragged last round the last block reads
// past the end of the items. (Earlier blocks would read the next row and be WRONG.)
#define MAX_WORKERS 256

__global__ void carousel(const int *item, int *total, int n) {
  __shared__ int box[MAX_WORKERS];
  const int *row = item + blockIdx.x * n;
  int t = threadIdx.x;
  int workers = blockDim.x;

  box[t] = 0;
  int round = 0;
  for (int first = 0; first < n; first += workers) {
    box[(t + round) % workers] += row[first + t]; // past the end
    round++;
    __syncthreads();
  }

  __syncthreads();
  total[blockIdx.x * workers + t] = box[t];
}
