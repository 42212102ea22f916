// expect: PASS
// run: --kernel k --grid 9 --block 7 --arg buf:i32:1:zero --arg buf:i32:1:zero --schedule adversarial --seed 6 --max-steps 1000000
// Blocks by turns; each goes round a loop with a barrier in it until its turn has come. Such a loop
// never gives way by itself: a schedule that puts a block last must still let it come to its turn.
__global__ void k(int *turn, int *sum) {
  bool mine = false;
  do {
    if (threadIdx.x == 0) {
      mine = atomicAdd(turn, 0) == blockIdx.x;
      __threadfence();
    }
  } while (!__syncthreads_or(mine));
  if (threadIdx.x == 0) {
    *sum += 1;
    __threadfence();
    atomicExch(turn, blockIdx.x + 1);
  }
}
