// expect: BARRIER
// Why: threads of the last, shorter stretch that have no item skip the barrier and exit; the
// others wait for them. Nothing races before, since nobody gets past the barrier.

__global__ void reverse_tiles(const int *in, int *out, int n) {
  __shared__ int tile[256];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);

  if (t < length) {
    tile[t] = in[first + t];
    __syncthreads();
    out[first + t] = tile[length - 1 - t];
  }
}
