// expect: PASS
// run: --kernel k --grid 1 --block 32 --arg buf:i32:32:iota --arg buf:i32:32
// each half synchronizes with itself and reads from itself
__global__ void k(const int *in, int *out) {
  __shared__ int s[32];
  int l = threadIdx.x;
  s[l] = in[l];
  __syncwarp(l < 16 ? 0x0000ffffu : 0xffff0000u);
  out[l] = s[l ^ 8];
}
