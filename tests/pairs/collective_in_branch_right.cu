// expect: PASS
// run: --kernel k --grid 1 --block 32 --arg buf:i32:32:iota
// advice: 8
// the mask names the lanes that come by
__global__ void k(int *a) {
  int t = threadIdx.x, v = a[t];
  if (t < 16) v += __shfl_xor_sync(0x0000ffffu, v, 8);
  __syncthreads();
  a[t] = v;
}
