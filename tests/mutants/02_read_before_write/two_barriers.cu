// expect: RULE
// Why: right values, but the barrier at the end parts nothing: the block never touches the tile
// again.

__global__ void reverse_tiles(const int *in, int *out, int n) {
  __shared__ int tile[256];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);

  if (t < length) tile[t] = in[first + t];
  __syncthreads();
  if (t < length) out[first + t] = tile[length - 1 - t];
  __syncthreads();
}
