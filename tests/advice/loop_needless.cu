// expect: PASS
// run: --kernel k --grid 1 --block 96 --arg buf:i32:96 --arg i32:4
// advice: 12
// two buffers in turn: one barrier a round is enough, the second finds everything in order
__global__ void k(int *out, int rounds) {
  __shared__ int s[2][96];
  int t = threadIdx.x, v = t;
  for (int r = 0; r < rounds; r++) {
    s[r % 2][t] = v;
    __syncthreads();
    v += s[r % 2][(t + 33) % 96];
    __syncthreads();
  }
  out[t] = v;
}
