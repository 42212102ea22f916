// expect: PASS
// run: --kernel k --grid 1 --block 64 --arg buf:i32:256:iota --arg buf:i32:64 --arg i32:4
// a second barrier at the end of the round
__global__ void k(const int *in, int *out, int rounds) {
  __shared__ int tile[64];
  int t = threadIdx.x, sum = 0;
  for (int r = 0; r < rounds; r++) {
    tile[t] = in[r * 64 + t];
    __syncthreads();
    sum += tile[63 - t];
    __syncthreads();
  }
  out[t] = sum;
}
