// expect: PASS
// Right, with fewer trips: portions shrink with what is left. Large ones while there is time to
// balance, single jobs at the end. The size has to be known before the draw, so it is taken by
// compare-and-swap; who fails tries again with what is left by then.
#define FULL 0xffffffffu

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
  int lane = threadIdx.x % 32;
  int warps = gridDim.x * blockDim.x / 32;
  while (true) {
    int first = 0, chunk = 0;
    if (lane == 0) {
      first = atomicAdd(next, 0);
      while (first < jobs) {
        chunk = max(1, (jobs - first) / (3 * warps));
        int seen = atomicCAS(next, first, first + chunk);
        if (seen == first) break;
        first = seen;
      }
    }
    first = __shfl_sync(FULL, first, 0);
    chunk = __shfl_sync(FULL, chunk, 0);
    if (first >= jobs) break;
    for (int job = first; job < first + chunk; job++)
      read_job(book, from, pages, total, runs, job);
  }
}
