// expect: RACE line 13
// Why: the barrier parts nothing from nothing; the fill and the read still stand in the same
// stretch between barriers.

__global__ void reverse_tiles(const int *in, int *out, int n) {
  __shared__ int tile[256];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);

  __syncthreads();
  if (t < length) tile[t] = in[first + t];
  if (t < length) out[first + t] = tile[length - 1 - t];
}
