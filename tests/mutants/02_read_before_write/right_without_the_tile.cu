// expect: PASS
// Why: no thread needs another one's work: each reads its item straight from the mirrored place
// of the input, which nobody writes. Slower on a GPU, but right.

__global__ void reverse_tiles(const int *in, int *out, int n) {
  __shared__ int tile[256];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);

  if (t >= length) return;
  tile[t] = in[first + length - 1 - t];
  out[first + t] = tile[t];
}
