// expect: PASS
// run: --kernel k --grid 1 --block 32 --arg buf:i32:32:iota --arg buf:i32:32:zero
// cleared first
__global__ void k(const int *in, int *out) {
  __shared__ int seen[32];
  int t = threadIdx.x;
  seen[t] = 0;
  if (in[t] % 4 == 0) seen[t] = 1;
  __syncthreads();
  if (seen[31 - t]) out[t] = 1;
}
