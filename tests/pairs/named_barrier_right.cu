// expect: PASS
// run: --kernel k --grid 1 --block 64 --arg buf:i32:32
// a producer arrives, a consumer waits
__global__ void k(int *out) {
  __shared__ int s;
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0) s = 7;
    asm volatile("bar.arrive 1, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[threadIdx.x - 32] = s;
  }
}
