// expect: PASS
// run: --grid 2 --block 1 --arg buf:i32:2:zero --expect 0=0*2
// The signal goes first.
__global__ void meet(int *flag) {
  int me = blockIdx.x;
  atomicExch(&flag[me], 1);
  while (atomicCAS(&flag[1 - me], 1, 0) == 0) {
  }
}
