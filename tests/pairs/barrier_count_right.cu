// expect: PASS
// run: --kernel k --grid 1 --block 64 --arg buf:i32:32
// the non-aligned form, 64 threads
__global__ void k(int *out) {
  __shared__ int s;
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0) s = 7;
    asm volatile("barrier.arrive 1, 64;" ::: "memory");
  } else {
    asm volatile("barrier.sync 1, 64;" ::: "memory");
    out[threadIdx.x - 32] = s;
  }
}
