// 16 - Exclusive scan: reference answer

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

  // Before the whole stretch lies nothing. Thread 0 made the last step up alone and makes the first
  // step down alone, so the root is in its hands all the time.
  if (t == 0) sum[size - 1] = 0;

  // Before a step, the right end of each group of 2d cells says what lies before the group, and
  // the cell in its middle still has the sum of the left half from the way up. Groups do not
  // overlap, so within a step no thread touches another one's cells; from one step to the next they
  // change hands, and therefore each step starts with a barrier.
  for (int d = size / 2; d > 0; d /= 2) {
    __syncthreads();
    int right = (t + 1) * 2 * d - 1;
    if (right < size) {
      int left_half = sum[right - d];
      sum[right - d] = sum[right]; // the left half starts where the group starts
      sum[right] += left_half;     // the right half comes after the left one
    }
  }

  __syncthreads();
  for (int k = t; k < size; k += blockDim.x)
    if (first + k < n) out[first + k] = sum[k];
}
