// expect: PASS
// run: --kernel k --grid 2 --block 64 --arg buf:i32:128
// the second barrier keeps the second fill from overtaking the first use, the third orders fill and use
__global__ void k(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  int v = s[63 - t];
  int w = v * 2;
  __syncthreads();
  s[t] = w;
  __syncthreads();
  out[blockIdx.x * 64 + t] = v + s[(t + 1) % 64];
}
