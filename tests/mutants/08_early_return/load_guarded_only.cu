// expect: RACE line 19
// Why: all come to the barriers, and load and output are guarded. But the threads without a number
// still look for a place, with a number that was never set, and it decides an address. UNINIT is
// reported as well; the verdict is RACE, since two threads may end up with the same place.

__global__ void sort_stretches(const int *in, int *out, int n) {
  __shared__ int number[256], sorted[256];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int i = first + t;
  int length = min((int)blockDim.x, n - first);

  if (i < n) number[t] = in[i];
  __syncthreads();

  int place = 0;
  for (int k = 0; k < length; k++)
    place += number[k] < number[t] || (number[k] == number[t] && k < t);
  sorted[place] = number[t];
  __syncthreads();

  if (i < n) out[i] = sorted[t];
}
