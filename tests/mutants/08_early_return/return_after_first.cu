// expect: BARRIER
// Why: all come to the first barrier now, but the threads without a number still do not come to the
// second one.

__global__ void sort_stretches(const int *in, int *out, int n) {
  __shared__ int number[256], sorted[256];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int i = first + t;
  int length = min((int)blockDim.x, n - first);

  if (i < n) number[t] = in[i];
  __syncthreads();

  if (i >= n) return;
  int place = 0;
  for (int k = 0; k < length; k++)
    place += number[k] < number[t] || (number[k] == number[t] && k < t);
  sorted[place] = number[t];
  __syncthreads();

  out[i] = sorted[t];
}
