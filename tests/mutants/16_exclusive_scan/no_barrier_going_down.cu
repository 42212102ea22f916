// expect: RACE
// Why: one barrier before the way down is not enough: each step reads what the step before
// wrote.

__global__ void exclusive_scan(const int *in, int *out, int n) {
  __shared__ int sum[1024];
  int t = threadIdx.x;
  int size = 2 * blockDim.x;
  int first = blockIdx.x * size;

  for (int k = t; k < size; k += blockDim.x) sum[k] = first + k < n ? in[first + k] : 0;

  for (int d = 1; d < size; d *= 2) {
    __syncthreads();
    int right = (t + 1) * 2 * d - 1;
    if (right < size) sum[right] += sum[right - d];
  }

  if (t == 0) sum[size - 1] = 0;

  __syncthreads();
  for (int d = size / 2; d > 0; d /= 2) {
    int right = (t + 1) * 2 * d - 1;
    if (right < size) {
      int left_half = sum[right - d];
      sum[right - d] = sum[right];
      sum[right] += left_half;
    }
  }

  __syncthreads();
  for (int k = t; k < size; k += blockDim.x)
    if (first + k < n) out[first + k] = sum[k];
}
