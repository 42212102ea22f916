// expect: PASS
// Why: a thread keeps its own value in a variable and puts it on show for the neighbours: write,
// barrier, read, barrier. The same two halves, the other way round.

__global__ void smooth(const int *in, int *out, int n, int steps) {
  __shared__ int cell[1024];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);
  int left = max(t - 1, 0), right = min(t + 1, length - 1);
  int own = t < length ? in[first + t] : 0;

  for (int s = 0; s < steps; s++) {
    if (t < length) cell[t] = own;
    __syncthreads();
    if (t < length) own = (cell[left] + 2 * own + cell[right]) / 4;
    __syncthreads();
  }

  if (t < length) out[first + t] = own;
}
