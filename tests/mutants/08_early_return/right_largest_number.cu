// expect: PASS
// Why: threads without a number take part with one that sorts behind all others: the largest there
// is, and in case of a tie the higher thread. Only memory outside the block needs guards.

__global__ void sort_stretches(const int *in, int *out, int n) {
  __shared__ int number[256], sorted[256];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int i = first + t;
  int length = min((int)blockDim.x, n - first);

  number[t] = i < n ? in[i] : 0x7fffffff;
  __syncthreads();

  int place = 0;
  for (int k = 0; k < (int)blockDim.x; k++)
    place += number[k] < number[t] || (number[k] == number[t] && k < t);
  sorted[place] = number[t];
  __syncthreads();

  if (i < n) out[i] = sorted[t];
}
