// expect: RACE line 13
// Why: __syncwarp() orders the 32 threads of a warp. From 64 threads on the tile's two ends
// belong to different warps.

__global__ void reverse_tiles(const int *in, int *out, int n) {
  __shared__ int tile[256];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);

  if (t < length) tile[t] = in[first + t];
  __syncwarp();
  if (t < length) out[first + t] = tile[length - 1 - t];
}
