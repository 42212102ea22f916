// expect: UNINIT
// Why: in a shorter last stretch the mirror image lies beyond the items, in cells that nobody
// filled.

__global__ void reverse_tiles(const int *in, int *out, int n) {
  __shared__ int tile[256];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);

  if (t < length) tile[t] = in[first + t];
  __syncthreads();
  if (t < length) out[first + t] = tile[blockDim.x - 1 - t];
}
