// expect: RACE
// 38_semaphore - blocks write one after the other, in the order of their tickets.
//
// total[c] is the sum of column c of a table of floats. The rows are cut into slices, the
// columns into tiles as wide as a block; each block adds up one slice of one tile, all at the
// same time. But floats give the same sum only in the same order, so the blocks of a tile add
// theirs to total by turns: slice 0, slice 1, and so on. state[tile] says whose turn it is.
//
// Your task: semaphore_wait and semaphore_release, which whole blocks call. About 8 lines.

// Whose turn it is, as of now. Orders nothing else. Nothing to do here.
__device__ int semaphore_fetch(int *state) { return atomicAdd(state, 0); }

// Returns when it is this block's turn, for all of its threads: all that was done in the turns
// before can be read then.
__device__ void semaphore_wait(int *state, int turn) {
  // TODO (about 4 lines)
}

// Called when this thread has done its part of the turn. When all of the block have, sets the state
// to `next`, the turn that comes now.
__device__ void semaphore_release(int *state, int next) {
  // TODO (about 4 lines)
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
