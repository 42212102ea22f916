// expect: PASS
// run: --grid 2 --block 1 --arg buf:i32:2:zero --expect 0=1*2
// The signal goes first.
__device__ int peek(int *f) {
  return atomicAdd(f, 0);
}
__global__ void meet(int *flag) {
  int me = blockIdx.x;
  atomicExch(&flag[me], 1);
  while (peek(&flag[1 - me]) == 0) {
  }
}
