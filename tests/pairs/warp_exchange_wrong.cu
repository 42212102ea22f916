// expect: RACE line 8
// run: --kernel k --grid 1 --block 32 --arg buf:i32:32:iota --arg buf:i32:32
// one warp is no excuse: its lanes do not move together
__global__ void k(const int *in, int *out) {
  __shared__ int s[32];
  int l = threadIdx.x;
  s[l] = in[l];
  out[l] = s[l ^ 1];
}
