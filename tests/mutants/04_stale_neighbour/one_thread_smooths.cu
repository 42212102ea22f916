// expect: RULE
// Thread 0 does the step for its whole block: in order, and alone.

__global__ void smooth(const int *in, int *out, int n, int steps) {
  __shared__ int cell[1024];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);
  int left = max(t - 1, 0), right = min(t + 1, length - 1); // where my neighbours live

  if (t < length) cell[t] = in[first + t];
  __syncthreads();

  for (int s = 0; s < steps; s++) {
    if (t == 0) {
      int l = cell[0];
      for (int k = 0; k < length; k++) {
        int own = cell[k];
        cell[k] = (l + 2 * own + cell[min(k + 1, length - 1)]) / 4;
        l = own;
      }
    }
    __syncthreads();
  }

  if (t < length) out[first + t] = cell[t];
}
