// expect: TRAP
// run: --kernel k --grid 1 --block 64 --arg buf:i32:32
// a count that is no multiple of 32
__global__ void k(int *out) {
  __shared__ int s;
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0) s = 7;
    asm volatile("bar.arrive 1, 48;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 48;" ::: "memory");
    out[threadIdx.x - 32] = s;
  }
}
