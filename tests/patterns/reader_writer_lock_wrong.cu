// expect: RACE
// run: --kernel run --grid 4 --block 1 --arg buf:i32:1:zero --arg buf:i32:2:zero --arg buf:i32:1:zero
// on: pair
// run: --kernel run --grid 8 --block 32 --arg buf:i32:1:zero --arg buf:i32:2:zero --arg buf:i32:1:zero
// on: pair
// "A reader has written nothing, so it has nothing to release." But its reads must be over before
// the next writer comes in.
__device__ void enter(int *state, bool write) {
  for (;;) {
    int seen = write ? 0 : atomicAdd(state, 0);
    if (seen >= 0 && atomicCAS(state, seen, write ? -1 : seen + 1) == seen) break;
  }
  __threadfence();
}
__device__ void leave(int *state, bool write) {
  if (write) __threadfence();
  atomicAdd(state, write ? 1 : -1);
}

__global__ void run(int *state, int *pair, int *torn) {
  bool write = blockIdx.x & 1;
  enter(state, write);
  if (write) {
    pair[0] += 1;
    pair[1] += 1;
  } else if (pair[0] != pair[1]) {
    atomicAdd(torn, 1);
  }
  leave(state, write);
}
