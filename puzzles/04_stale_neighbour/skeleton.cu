// expect: RACE
//
// 04 - Stale neighbour
//
// Each block smooths its own stretch of the input, as many times as `steps` says. In one step
// every cell becomes a mix of what it and its two neighbours were BEFORE the step:
//   new = (left + 2 * own + right) / 4
// At either end of the stretch the missing neighbour counts as the cell itself.
//
// The block does all steps in place, in one array. A step reads and writes that array, and the
// step below does both at once.

__global__ void smooth(const int *in, int *out, int n, int steps) {
  __shared__ int cell[1024];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);
  int left = max(t - 1, 0), right = min(t + 1, length - 1); // where my neighbours live

  if (t < length) cell[t] = in[first + t];
  __syncthreads();

  for (int s = 0; s < steps; s++) {
    // TODO (about 4 lines): nobody may see a neighbour that is already one step ahead.
    if (t < length) cell[t] = (cell[left] + 2 * cell[t] + cell[right]) / 4;
    __syncthreads();
  }

  if (t < length) out[first + t] = cell[t];
}
