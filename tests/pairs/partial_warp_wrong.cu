// expect: RACE
// run: --kernel k --grid 1 --block 45 --arg buf:i32:45:iota --arg buf:i32:45
// the last warp has 13 lanes; __syncwarp does not reach the other warp
__global__ void k(const int *in, int *out) {
  __shared__ int s[45];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncwarp();
  out[t] = s[44 - t];
}
