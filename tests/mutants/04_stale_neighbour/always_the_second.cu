// expect: WRONG
// Why: the steps are right, but the result is always taken from array 1. After an even number of
// steps that is the state of the step before.

__global__ void smooth(const int *in, int *out, int n, int steps) {
  __shared__ int cell[2][1024];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);
  int left = max(t - 1, 0), right = min(t + 1, length - 1);

  if (t < length) cell[0][t] = in[first + t];
  __syncthreads();
  for (int s = 0; s < steps; s++) {
    const int *old = cell[s % 2];
    int *next = cell[1 - s % 2];
    if (t < length) next[t] = (old[left] + 2 * old[t] + old[right]) / 4;
    __syncthreads();
  }

  if (t < length) out[first + t] = cell[1][t];
}
