// expect: PASS
// run: --kernel k --grid 1 --block 64 --arg buf:i32:64
// room for one more
__global__ void k(int *out) {
  __shared__ int s[65];
  int t = threadIdx.x;
  s[t + 1] = t;
  if (t == 0) s[0] = 0;
  __syncthreads();
  out[t] = s[t];
}
