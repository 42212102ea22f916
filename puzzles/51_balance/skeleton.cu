// expect: RULE
// 51_balance - how much should a warp take at a time?
//
// A job is read by a whole warp: pages[job] pages of 32 words, one word a lane. The grid is as many
// blocks as the GPU holds, so these warps are all there will ever be. Below every warp gets an
// equal *number* of jobs. The jobs are not equal.
//
// Your task: let the warps take their jobs from the counter *next (0 at the start), in portions of
// a size that suits any number of jobs and of warps: the last warp done at most 1.1 times as late
// as with perfectly equal work, and at most 48 atomic operations for each warp.
#define FULL 0xffffffffu // all 32 lanes take part

// All 32 lanes of a warp call this together. Leave it as it is.
__device__ void read_job(const int *book, const int *from, const int *pages, int *total, int *runs,
                         int job) {
  int lane = threadIdx.x % 32;
  const int *word = book + from[job] * 32 + lane;
  int count = pages[job];
  int sum = 0;
  for (int page = 0; page < count; page++) sum += word[page * 32];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(FULL, sum, step);
  if (lane == 0) {
    total[job] = sum;
    runs[job] += 1; // the check looks here: every job exactly once
  }
}

// The check measures with this what a job costs. Leave it as it is, too.
__global__ void one_job(const int *book, const int *from, const int *pages, int *total, int *runs) {
  read_job(book, from, pages, total, runs, 0);
}

__global__ void serve(const int *book, const int *from, const int *pages, int *total, int *runs,
                      int *next, int jobs) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int warps = gridDim.x * blockDim.x / 32;

  // TODO (about 8 lines): portions from the counter instead of fixed shares
  int share = (jobs + warps - 1) / warps;
  int first = warp * share;
  for (int job = first; job < first + share && job < jobs; job++)
    read_job(book, from, pages, total, runs, job);
}
