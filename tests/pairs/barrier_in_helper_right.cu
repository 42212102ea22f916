// expect: PASS
// run: --kernel k --grid 1 --block 64 --arg buf:i32:64 --expect 0=2*32,1*32
// one call for everybody
__device__ void put(int *s, int t, int v) {
  s[t] = v;
  __syncthreads();
}
__global__ void k(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  put(s, t, t < 32 ? 1 : 2);
  out[t] = s[63 - t];
}
