// expect: BARRIER line 16
// Each thread computes its own number of trips. In a ragged last round some make one trip less
// and wait below the loop for those that wait inside it: one block, two barriers.
#define MAX_WORKERS 256

__global__ void carousel(const int *item, int *total, int n) {
  __shared__ int box[MAX_WORKERS];
  const int *row = item + blockIdx.x * n;
  int t = threadIdx.x;
  int workers = blockDim.x;

  box[t] = 0;
  int trips = t < n ? (n - t + workers - 1) / workers : 0;
  for (int round = 0; round < trips; round++) {
    box[(t + round) % workers] += row[round * workers + t];
    __syncthreads(); // turn
  }

  __syncthreads();
  total[blockIdx.x * workers + t] = box[t];
}
