// expect: PASS
// run: --kernel block_sum --grid 8 --block 128 --arg buf:i32:1024:iota --arg buf:i32:8
// advice: 16 23
// a barrier wherever one might be missing: right, and slower than it need be
__device__ int warp_sum(int v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  return v;
}

__global__ void block_sum(const int *in, int *out) {
  __shared__ int part[4];
  int t = threadIdx.x, v = warp_sum(in[blockIdx.x * blockDim.x + t]);
  if (t % 32 == 0) part[t / 32] = v;
  __syncthreads();
  v = t < 4 ? part[t] : 0;
  __syncthreads();
  if (t < 32) {
    v = warp_sum(v);
  }
  if (t == 0) {
    out[blockIdx.x] = v;
  }
  __threadfence();
}
