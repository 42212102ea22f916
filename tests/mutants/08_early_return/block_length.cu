// expect: UNINIT
// Why: the work is guarded, but a thread compares its number with the whole block, also with cells
// that nobody filled.

__global__ void sort_stretches(const int *in, int *out, int n) {
  __shared__ int number[256], sorted[256];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int i = first + t;
  int length = min((int)blockDim.x, n - first);

  if (i < n) number[t] = in[i];
  __syncthreads();

  if (i < n) {
    int place = 0;
    for (int k = 0; k < (int)blockDim.x; k++)
      place += number[k] < number[t] || (number[k] == number[t] && k < t);
    sorted[place] = number[t];
  }
  __syncthreads();

  if (i < n) out[i] = sorted[t];
}
