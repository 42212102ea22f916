// expect: RACE
// run: --kernel k --grid 9 --block 7 --arg buf:i32:1:zero --arg buf:i32:1:zero --schedule adversarial --seed 6 --max-steps 1000000
// As the right one, but without a fence behind the turn: the sum of the block before may not be
// seen.
__global__ void k(int *turn, int *sum) {
  bool mine = false;
  do {
    if (threadIdx.x == 0) {
      mine = atomicAdd(turn, 0) == blockIdx.x;
    }
  } while (!__syncthreads_or(mine));
  if (threadIdx.x == 0) {
    *sum += 1;
    __threadfence();
    atomicExch(turn, blockIdx.x + 1);
  }
}
