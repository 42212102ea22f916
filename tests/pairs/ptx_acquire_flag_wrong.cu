// expect: RACE line 16
// run: --grid 2 --block 32 --arg buf:i32:32:zero --arg buf:u32:1:zero --arg buf:i32:32
// Producer block, consumer block; red.release after a barrier, ld.acquire before one.
__global__ void handOver(int *data, unsigned *flag, int *out) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x;
    if (threadIdx.x == 0) asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(flag) : "memory");
  } else {
    if (threadIdx.x == 0) {
      unsigned v;
      do {
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(flag) : "memory");
      } while (v == 0);
    }
    __syncwarp();
    out[threadIdx.x] = data[31 - threadIdx.x];
  }
}
