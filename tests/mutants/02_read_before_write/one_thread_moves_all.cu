// expect: RULE
// Thread 0 moves the whole stretch of its block, and needs no barrier for it.

__global__ void reverse_tiles(const int *in, int *out, int n) {
  if (threadIdx.x) return;
  int first = blockIdx.x * blockDim.x, length = min((int)blockDim.x, n - first);
  for (int k = 0; k < length; k++) out[first + k] = in[first + length - 1 - k];
}
