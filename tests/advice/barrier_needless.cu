// expect: PASS
// run: --kernel k --grid 2 --block 64 --arg buf:i32:128
// advice: 12 15
// the first barrier orders fill and use; the others come when nobody shares anything any more
__global__ void k(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  int v = s[63 - t];
  int w = v * 2;
  __syncthreads();
  v = v + w;
  out[blockIdx.x * 64 + t] = v;
  __syncthreads();
}
