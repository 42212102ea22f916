// expect: BOUNDS
// Why: clamping the index makes the load safe, and the threads without a number handle the last one
// again. But out[i] still goes past the end.

__global__ void sort_stretches(const int *in, int *out, int n) {
  __shared__ int number[256], sorted[256];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int i = first + t;
  int length = min((int)blockDim.x, n - first);

  number[t] = in[min(i, n - 1)];
  __syncthreads();
  int place = 0;
  for (int k = 0; k < length; k++)
    place += number[k] < number[t] || (number[k] == number[t] && k < t);
  sorted[place] = number[t];
  __syncthreads();

  out[i] = sorted[t];
}
