// expect: BARRIER
// run: --kernel k --grid 1 --block 64 --arg buf:i32:64
// the same barrier of a helper, reached through two different calls
__device__ void put(int *s, int t, int v) {
  s[t] = v;
  __syncthreads();
}
__global__ void k(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t < 32) put(s, t, 1);
  else put(s, t, 2);
  out[t] = s[63 - t];
}
