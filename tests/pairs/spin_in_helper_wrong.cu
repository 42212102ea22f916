// expect: DEADLOCK line 5
// run: --grid 2 --block 1 --arg buf:i32:2:zero
// The read that spins stands in a function that returns each time; it has the line, not the loop.
__device__ int peek(int *f) {
  return atomicAdd(f, 0);
}
__global__ void meet(int *flag) {
  int me = blockIdx.x;
  while (peek(&flag[1 - me]) == 0) {
  }
  atomicExch(&flag[me], 1);
}
