// expect: BARRIER line 27
// 09_uneven_trips - a barrier in a loop needs the same number of trips from every thread.
//
// A block runs one carousel: as many boxes as the block has threads ("workers"). In round r,
// worker t puts item r * workers + t into box (t + r) % workers, if there is such an item. The
// barrier at the end of the round is the moment in which the carousel turns by one place. After
// the last round worker t writes down the total of box t. Block b serves the items row[0..n) of
// its own row.
//
// Your task: the last round may have fewer items than there are workers. Make every worker turn
// the carousel equally often all the same. About 4 lines change.
#define MAX_WORKERS 256

__global__ void carousel(const int *item, int *total, int n) {
  __shared__ int box[MAX_WORKERS];
  const int *row = item + blockIdx.x * n;
  int t = threadIdx.x;
  int workers = blockDim.x;

  box[t] = 0; // in round 0 worker t stands at box t, so nobody else needs to see this yet

  // TODO (about 4 lines): this loop has a different number of trips for different workers.
  int round = 0;
  for (int i = t; i < n; i += workers) {
    box[(t + round) % workers] += row[i];
    round++;
    __syncthreads(); // the carousel turns
  }

  __syncthreads(); // all rounds are over
  total[blockIdx.x * workers + t] = box[t];
}
