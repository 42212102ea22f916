// 09_uneven_trips - a reference answer.
//
// The loop counts with `first`, the number of the round's first item. It is computed from n and
// blockDim alone, so it is the same in every thread: all make the same trips and meet at the same
// barrier. Only the work is guarded by the thread's own item number.
//
// Why no race: in one round the boxes (t + round) % workers are different for different t.
// Between two rounds lies a barrier, which also orders the last round before the totals are read.
#define MAX_WORKERS 256

__global__ void carousel(const int *item, int *total, int n) {
  __shared__ int box[MAX_WORKERS];
  const int *row = item + blockIdx.x * n;
  int t = threadIdx.x;
  int workers = blockDim.x;

  box[t] = 0; // round 0 uses box t in thread t: the same thread, so no barrier

  int round = 0;
  for (int first = 0; first < n; first += workers) {
    int i = first + t;
    if (i < n) box[(t + round) % workers] += row[i];
    round++;
    __syncthreads(); // outside the if: threads without an item turn the carousel, too
  }

  total[blockIdx.x * workers + t] = box[t];
}
