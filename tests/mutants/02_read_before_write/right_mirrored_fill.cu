// expect: PASS
// Why: the mirror is in the fill instead of the read; the barrier between them is the same.

__global__ void reverse_tiles(const int *in, int *out, int n) {
  __shared__ int tile[256];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);

  if (t < length) tile[length - 1 - t] = in[first + t];
  __syncthreads();
  if (t < length) out[first + t] = tile[t];
}
