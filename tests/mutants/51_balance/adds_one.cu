// expect: WRONG
// The counter moves on by one, but a portion is done, so that portions overlap. Where two warps share
// a job they race; here it shows first that one and the same warp does a job twice.
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
  int chunk = max(2, jobs / (24 * warps));
  while (true) {
    int first = 0;
    if (lane == 0) first = atomicAdd(next, 1);
    first = __shfl_sync(FULL, first, 0);
    if (first >= jobs) break;
    for (int job = first; job < first + chunk && job < jobs; job++)
      read_job(book, from, pages, total, runs, job);
  }
}
