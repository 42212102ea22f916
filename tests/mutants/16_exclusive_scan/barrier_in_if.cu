// expect: RACE|BARRIER
// Why: only threads with a group wait. Each waits in the first step in which it has one, so they
// meet at the barrier in different steps: nobody is stuck, but it parts the wrong things.

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

  for (int d = size / 2; d > 0; d /= 2) {
    int right = (t + 1) * 2 * d - 1;
    if (right < size) {
      __syncthreads();
      int left_half = sum[right - d];
      sum[right - d] = sum[right];
      sum[right] += left_half;
    }
  }

  __syncthreads();
  for (int k = t; k < size; k += blockDim.x)
    if (first + k < n) out[first + k] = sum[k];
}
