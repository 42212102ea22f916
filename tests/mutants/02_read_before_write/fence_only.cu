// expect: RACE line 13
// Why: a fence orders this thread's own accesses for whoever synchronizes with it; it waits for
// nobody, and nobody here synchronizes.

__global__ void reverse_tiles(const int *in, int *out, int n) {
  __shared__ int tile[256];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);

  if (t < length) tile[t] = in[first + t];
  __threadfence_block();
  if (t < length) out[first + t] = tile[length - 1 - t];
}
