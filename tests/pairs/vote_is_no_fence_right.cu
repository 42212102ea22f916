// expect: PASS
// run: --kernel k --grid 1 --block 32 --arg buf:i32:32:iota --arg buf:i32:32
// a vote and then __syncwarp
__global__ void k(const int *in, int *out) {
  __shared__ int s[32];
  int l = threadIdx.x;
  s[l] = in[l];
  int all = __all_sync(0xffffffffu, in[l] >= 0);
  __syncwarp();
  if (all) out[l] = s[31 - l];
}
