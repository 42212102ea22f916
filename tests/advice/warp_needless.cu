// expect: PASS
// run: --kernel k --grid 1 --block 64 --arg buf:i32:64:iota
// advice: 9 11
// shuffles bring the lanes together themselves, and they share no memory here
__global__ void k(int *a) {
  int t = threadIdx.x, v = a[t];
  for (int d = 16; d; d /= 2) {
    v += __shfl_xor_sync(0xffffffffu, v, d);
    __syncwarp();
  }
  __syncwarp();
  a[t] = v;
}
