// expect: BARRIER line 29
// Why: the count is a barrier, and it stands where only threads with a cell come: the others have
// ended by then.

enum { DRY, WALL, WET };

__global__ void flood(const int *in, int *out, int n, int *minutes, int *wet) {
  __shared__ int cell[256];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);
  int left = max(t - 1, 0), right = min(t + 1, length - 1);
  int passed = 0;

  if (t < length) cell[t] = in[first + t];
  __syncthreads();

  while (true) {
    bool floods = t < length && cell[t] == DRY && (cell[left] == WET || cell[right] == WET);
    __syncthreads();

    if (floods) cell[t] = WET;
    if (!__syncthreads_or(floods)) break;
    passed++;
  }

  if (t < length) {
    out[first + t] = cell[t];
    int count = __syncthreads_count(cell[t] == WET);
    if (t == 0) {
      minutes[blockIdx.x] = passed;
      wet[blockIdx.x] = count;
    }
  }
}
