// expect: RACE
// run: --kernel pipe --grid 1 --block 64 --arg buf:i32:320:iota --arg buf:i32:320 --arg i32:10
// on: buffer
// run: --kernel pipe --grid 2 --block 64 --arg buf:i32:192:iota --arg buf:i32:192 --arg i32:3
// on: buffer
// The consumer says that the buffer is empty, and then empties it.
__device__ void arrive(int id) {
  asm volatile("barrier.arrive %0, 64;" ::"r"(id) : "memory");
}
__device__ void wait(int id) {
  asm volatile("barrier.sync %0, 64;" ::"r"(id) : "memory");
}

__global__ void pipe(const int *in, int *out, int rounds) {
  __shared__ int buffer[2][32];
  int lane = threadIdx.x % 32, first = blockIdx.x * rounds * 32;
  bool produces = threadIdx.x < 32;
  for (int r = 0; r < rounds; r++) {
    int b = r % 2, at = first + r * 32;
    if (produces) {
      if (r >= 2) wait(3 + b);
      buffer[b][31 - lane] = in[at + lane];
      arrive(1 + b);
    } else {
      wait(1 + b);
      if (r + 2 < rounds) arrive(3 + b);
      out[at + lane] = buffer[b][31 - lane];
    }
  }
}
