// expect: BARRIER
// Why: the threads without a number wait twice before they go, but at barriers of their own: these
// are two other places in the code, and the block does not meet at any of the four.

__global__ void sort_stretches(const int *in, int *out, int n) {
  __shared__ int number[256], sorted[256];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int i = first + t;
  int length = min((int)blockDim.x, n - first);

  if (i >= n) {
    __syncthreads();
    __syncthreads();
    return;
  }

  number[t] = in[i];
  __syncthreads();
  int place = 0;
  for (int k = 0; k < length; k++)
    place += number[k] < number[t] || (number[k] == number[t] && k < t);
  sorted[place] = number[t];
  __syncthreads();

  out[i] = sorted[t];
}
