// expect: RULE
// Thread 0 finds all sums of its block, one after the other.

__global__ void exclusive_scan(const int *in, int *out, int n) {
  int size = 2 * blockDim.x, first = blockIdx.x * size, s = 0;
  if (threadIdx.x) return;
  for (int k = first; k < min(first + size, n); k++) {
    out[k] = s;
    s += in[k];
  }
}
