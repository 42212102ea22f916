// expect: DEADLOCK line 6
// run: --grid 2 --block 1 --arg buf:i32:2:zero
// With NVRTC an atomic is a function without lines of its own: the line is the caller's.
__global__ void meet(int *flag) {
  int me = blockIdx.x;
  while (atomicCAS(&flag[1 - me], 1, 0) == 0) {
  }
  atomicExch(&flag[me], 1);
}
