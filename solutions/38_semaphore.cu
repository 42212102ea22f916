// 38_semaphore - a reference answer.

__device__ int semaphore_fetch(int *state) { return atomicAdd(state, 0); }

// Thread 0 looks until the number is up, and fences: what it reads and writes from here on comes
// after what was written before the number was called. The barrier makes that true for the block:
// the other threads go on only after thread 0, and know what it knows.
__device__ void semaphore_wait(int *state, int turn) {
  if (threadIdx.x == 0) {
    while (semaphore_fetch(state) != turn) {}
    __threadfence();
  }
  __syncthreads();
}

// The barrier: all threads of the block have written, and thread 0 knows it. The fence: that is
// there before the next number is. One thread calls it, and sets it, by an atomic: others look.
__device__ void semaphore_release(int *state, int next) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicExch(state, next);
  }
}

__global__ void column_sums(const float *table, float *total, int *state, int *tickets, int rows,
                            int columns, int slices) {
  __shared__ int ticket;
  if (threadIdx.x == 0) ticket = atomicAdd(tickets, 1); // who starts first has the first turns
  __syncthreads();
  int tiles = gridDim.x / slices;
  int tile = ticket % tiles;
  int slice = ticket / tiles;
  int c = tile * blockDim.x + threadIdx.x;

  float mine = 0;
  if (c < columns)
    for (int r = slice * rows / slices; r < (slice + 1) * rows / slices; r++)
      mine += table[r * columns + c];

  semaphore_wait(&state[tile], slice);
  if (c < columns) total[c] = slice == 0 ? mine : total[c] + mine;
  semaphore_release(&state[tile], slice + 1 < slices ? slice + 1 : 0); // 0: for the next launch
}
