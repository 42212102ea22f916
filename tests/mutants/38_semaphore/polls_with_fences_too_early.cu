// expect: RACE
// Every thread looks for itself, with a fence after each look that was in vain: the look that ends
// the waiting has none after it.
__device__ int semaphore_fetch(int *state) { return atomicAdd(state, 0); }

__device__ void semaphore_wait(int *state, int turn) {
  while (semaphore_fetch(state) != turn) __threadfence();
}

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
