// expect: RULE
// Thread 0 sorts the stretch by insertion. No barrier is missing, since nobody else works.

__global__ void sort_stretches(const int *in, int *out, int n) {
  int first = blockIdx.x * blockDim.x;
  if (threadIdx.x || first >= n) return;
  int length = min((int)blockDim.x, n - first);
  for (int i = 0; i < length; i++) {
    int v = in[first + i], k = i;
    while (k > 0 && out[first + k - 1] > v) {
      out[first + k] = out[first + k - 1];
      k--;
    }
    out[first + k] = v;
  }
}
