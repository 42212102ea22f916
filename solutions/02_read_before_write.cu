// 02 - Read before write: reference answer

__global__ void reverse_tiles(const int *in, int *out, int n) {
  __shared__ int tile[256];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);

  if (t < length) tile[t] = in[first + t];

  // No thread passes before all threads of the block have come this far, and what they wrote
  // before is visible to all of them after. It stands outside the ifs, so that threads without an
  // item come here too. One barrier is enough: the tile is filled once and never written again.
  __syncthreads();

  if (t < length) out[first + t] = tile[length - 1 - t];
}
