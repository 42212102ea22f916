// expect: RACE line 15
// The barrier in the loop was thrown out to be rid of the uneven trips. Now thread t may work at
// box t + 1 in round 1 while thread t + 1 is still there in round 0.
#define MAX_WORKERS 256

__global__ void carousel(const int *item, int *total, int n) {
  __shared__ int box[MAX_WORKERS];
  const int *row = item + blockIdx.x * n;
  int t = threadIdx.x;
  int workers = blockDim.x;

  box[t] = 0;
  int round = 0;
  for (int i = t; i < n; i += workers) {
    box[(t + round) % workers] += row[i]; // nothing orders two rounds
    round++;
  }

  __syncthreads();
  total[blockIdx.x * workers + t] = box[t];
}
