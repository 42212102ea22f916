// expect: PASS
// run: --kernel k --grid 1 --block 45 --arg buf:i32:45:iota --arg buf:i32:45
// lanes that never existed are waited for by nobody
__global__ void k(const int *in, int *out) {
  __shared__ int s[45];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncwarp();
  int left = t & 31 ? s[t - 1] : 0;
  __syncthreads();
  out[t] = left + s[44 - t];
}
