// expect: BARRIER line 18
// The trips are made equal within each warp only. Blocks of one warp pass; with several warps a
// warp whose 32 items all lie past the end makes one trip less than the first warp.
#define MAX_WORKERS 256

__global__ void carousel(const int *item, int *total, int n) {
  __shared__ int box[MAX_WORKERS];
  const int *row = item + blockIdx.x * n;
  int t = threadIdx.x;
  int workers = blockDim.x;

  box[t] = 0;
  int lane = t % 32;
  int round = 0;
  for (int first = t - lane; first < n; first += workers) {
    if (first + lane < n) box[(t + round) % workers] += row[first + lane];
    round++;
    __syncthreads(); // turn
  }

  __syncthreads();
  total[blockIdx.x * workers + t] = box[t];
}
