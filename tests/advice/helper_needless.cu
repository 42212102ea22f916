// expect: PASS
// run: --kernel k --grid 1 --block 64 --arg buf:i32:64
// advice: 14
// a barrier in a helper is judged over all its calls; the one in front of a call is not needed
__device__ void swap_over(int *s, int t, int *v) {
  s[t] = *v;
  __syncthreads();
  *v = s[63 - t];
}
__global__ void k(int *out) {
  __shared__ int s[64], r[64];
  int t = threadIdx.x, v = t;
  swap_over(s, t, &v);
  __syncthreads();
  swap_over(r, t, &v);
  out[t] = v;
}
