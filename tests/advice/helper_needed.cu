// expect: PASS
// run: --kernel k --grid 1 --block 64 --arg buf:i32:64
// the same array twice: the one between the calls is needed
__device__ void swap_over(int *s, int t, int *v) {
  s[t] = *v;
  __syncthreads();
  *v = s[63 - t];
}
__global__ void k(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x, v = t;
  swap_over(s, t, &v);
  __syncthreads();
  swap_over(s, t, &v);
  out[t] = v;
}
