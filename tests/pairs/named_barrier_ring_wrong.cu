// expect: TRAP
// run: --grid 1 --block 128 --arg buf:i32:384:iota --arg buf:i32:64 --arg i32:6
// Warps 0 and 1 load, warps 2 and 3 use; two buffers, four named barriers.
__device__ void syncOn(int id) { asm volatile("bar.sync %0, 128;" ::"r"(id) : "memory"); }
__device__ void arriveOn(int id) { asm volatile("bar.arrive %0, 128;" ::"r"(id) : "memory"); }
__global__ void ring(const int *in, int *out, int rounds) {
  __shared__ int buf[2][64];
  int t = threadIdx.x;
  if (t < 64) {
    for (int r = 0; r < rounds; r++) {
      buf[r % 2][t] = in[r * 64 + t];
      arriveOn(1 + r % 2);
    }
  } else {
    int sum = 0;
    for (int r = 0; r < rounds; r++) {
      syncOn(1 + r % 2);
      sum += buf[r % 2][127 - t];
    }
    out[t - 64] = sum;
  }
}
