// expect: DEADLOCK
// run: --kernel k --grid 1 --block 32 --arg buf:i32:32:iota
// a full-mask shuffle where only half of the lanes come by; the others wait for the block
__global__ void k(int *a) {
  int t = threadIdx.x, v = a[t];
  if (t < 16) v += __shfl_xor_sync(0xffffffffu, v, 8);
  __syncthreads();
  a[t] = v;
}
