// expect: PASS
// run: --kernel k --grid 1 --block 96 --arg buf:i32:96 --arg i32:4
// one buffer: the barrier at the end is needed from the second round on only
__global__ void k(int *out, int rounds) {
  __shared__ int s[96];
  int t = threadIdx.x, v = t;
  for (int r = 0; r < rounds; r++) {
    s[t] = v;
    __syncthreads();
    v += s[(t + 33) % 96];
    __syncthreads();
  }
  out[t] = v;
}
