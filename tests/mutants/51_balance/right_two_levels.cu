// expect: PASS
// Right: two levels. A lock in shared memory lets one warp of the block at a time look at the block's
// portion; who finds it used up fetches the next one for the whole block.
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
  __shared__ int lock, at, end;
  int lane = threadIdx.x % 32;
  int chunk = 2 * max(1, jobs / (32 * (int)gridDim.x)); // even: two jobs a visit
  if (threadIdx.x == 0) lock = at = end = 0;
  __syncthreads();
  while (true) {
    int job = 0;
    if (lane == 0) {
      while (atomicCAS(&lock, 0, 1) != 0) {}
      __threadfence_block(); // what the last holder wrote
      if (at == end) {
        at = atomicAdd(next, chunk);
        end = at + chunk;
      }
      job = at;
      at += 2;
      __threadfence_block(); // before the next holder comes
      atomicExch(&lock, 0);
    }
    job = __shfl_sync(FULL, job, 0);
    if (job >= jobs) break;
    read_job(book, from, pages, total, runs, job);
    if (job + 1 < jobs) read_job(book, from, pages, total, runs, job + 1);
  }
}
