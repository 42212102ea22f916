// expect: RULE
// Every thread adds up all items before its own, from global memory: O(n * n) in disguise.

__global__ void exclusive_scan(const int *in, int *out, int n) {
  int size = 2 * blockDim.x, first = blockIdx.x * size;
  for (int k = first + threadIdx.x; k < min(first + size, n); k += blockDim.x) {
    int s = 0;
    for (int j = first; j < k; j++) s += in[j];
    out[k] = s;
  }
}
