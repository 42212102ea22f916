// expect: RACE line 22
// run: --grid 1 --block 64 --arg buf:i32:200:iota --arg buf:i32:8 --arg i32:200 --arg i32:8
// The k largest of n: k rounds of an argmax over the block, who was taken drops out.
__global__ void topk(const int *in, int *out, int n, int k) {
  __shared__ int best[2], bestAt[2];
  __shared__ int taken[256];
  int t = threadIdx.x, lane = t & 31, warp = t >> 5;
  for (int i = t; i < 256; i += blockDim.x) taken[i] = 0;
  for (int r = 0; r < k; r++) {
    int v = -1, at = -1;
    for (int i = t; i < n; i += blockDim.x)
      if (!taken[i] && in[i] > v) { v = in[i]; at = i; }
    for (int o = 16; o; o >>= 1) {
      int v2 = __shfl_down_sync(~0u, v, o), at2 = __shfl_down_sync(~0u, at, o);
      if (v2 > v) { v = v2; at = at2; }
    }
    if (lane == 0) { best[warp] = v; bestAt[warp] = at; }
    __syncthreads();
    if (t == 0) {
      int w = best[1] > best[0];
      out[r] = best[w];
      taken[bestAt[w]] = 1;
    }
  }
}
