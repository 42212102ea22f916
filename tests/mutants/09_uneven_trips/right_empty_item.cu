// expect: PASS
// Right: who has no item adds zero. Every thread makes ceil(n / workers) trips.
#define MAX_WORKERS 256

__global__ void carousel(const int *item, int *total, int n) {
  __shared__ int box[MAX_WORKERS];
  const int *row = item + blockIdx.x * n;
  int t = threadIdx.x;
  int workers = blockDim.x;

  box[t] = 0;
  int rounds = (n + workers - 1) / workers;
  for (int round = 0; round < rounds; round++) {
    int i = round * workers + t;
    int weight = 0;
    if (i < n) weight = row[i];
    box[(t + round) % workers] += weight;
    __syncthreads();
  }

  __syncthreads();
  total[blockIdx.x * workers + t] = box[t];
}
