// expect: UNINIT line 8
// run: --kernel k --grid 1 --block 32 --arg buf:i32:32:zero
// asks a lane that takes no part
__global__ void k(int *out) {
  int t = threadIdx.x;
  if (t < 16) {
    int v = __shfl_sync(0x0000ffffu, t, 20);
    if (v > 3) out[t] = 1;
  }
}
