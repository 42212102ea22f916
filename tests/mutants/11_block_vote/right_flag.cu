// expect: PASS+note
// Why: the vote by hand. The flag needs three borders: cleared before it is set (the barrier after
// looking), set before it is read, read before it is cleared again. Several threads may store the
// same 1 at once, which gets a note and no more.

enum { DRY, WALL, WET };

__global__ void flood(const int *in, int *out, int n, int *minutes, int *wet) {
  __shared__ int cell[256], changed;
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);
  int left = max(t - 1, 0), right = min(t + 1, length - 1);
  int passed = 0;

  if (t < length) cell[t] = in[first + t];
  __syncthreads();

  while (true) {
    if (t == 0) changed = 0;
    bool floods = t < length && cell[t] == DRY && (cell[left] == WET || cell[right] == WET);
    __syncthreads();

    if (floods) cell[t] = WET;
    if (floods) changed = 1;
    __syncthreads();
    int go_on = changed;
    __syncthreads();
    if (!go_on) break;
    passed++;
  }

  if (t < length) out[first + t] = cell[t];
  int count = __syncthreads_count(t < length && cell[t] == WET);
  if (t == 0) {
    minutes[blockIdx.x] = passed;
    wet[blockIdx.x] = count;
  }
}
