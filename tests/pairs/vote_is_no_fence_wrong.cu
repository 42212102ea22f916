// expect: RACE line 8
// run: --kernel k --grid 1 --block 32 --arg buf:i32:32:iota --arg buf:i32:32
// a vote brings the lanes together but orders no memory
__global__ void k(const int *in, int *out) {
  __shared__ int s[32];
  int l = threadIdx.x;
  s[l] = in[l];
  if (__all_sync(0xffffffffu, in[l] >= 0)) out[l] = s[31 - l];
}
