// expect: PASS
// Why: another way to count the groups: a thread takes care of the group that its two cells
// begin, and a thread in the middle of a group rests. The same additions, other threads.

__global__ void exclusive_scan(const int *in, int *out, int n) {
  __shared__ int sum[1024];
  int t = threadIdx.x;
  int size = 2 * blockDim.x;
  int first = blockIdx.x * size;
  int left = 2 * t;

  sum[left] = first + left < n ? in[first + left] : 0;
  sum[left + 1] = first + left + 1 < n ? in[first + left + 1] : 0;

  for (int d = 1; d < size; d *= 2) {
    if (left % (2 * d) == 0) sum[left + 2 * d - 1] += sum[left + d - 1];
    __syncthreads();
  }
  if (t == 0) sum[size - 1] = 0;
  for (int d = size / 2; d > 0; d /= 2) {
    if (left % (2 * d) == 0) {
      int told = sum[left + 2 * d - 1];
      sum[left + 2 * d - 1] = told + sum[left + d - 1];
      sum[left + d - 1] = told;
    }
    __syncthreads();
  }

  if (first + left < n) out[first + left] = sum[left];
  if (first + left + 1 < n) out[first + left + 1] = sum[left + 1];
}
