// expect: BARRIER
// Why: only warps without any number leave. That is tidier inside a warp, but the barrier is for
// the block.

__global__ void sort_stretches(const int *in, int *out, int n) {
  __shared__ int number[256], sorted[256];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int i = first + t;
  int length = min((int)blockDim.x, n - first);
  int warp_first = first + t / 32 * 32;

  if (warp_first >= n) return;

  if (i < n) number[t] = in[i];
  __syncthreads();

  if (i < n) {
    int place = 0;
    for (int k = 0; k < length; k++)
      place += number[k] < number[t] || (number[k] == number[t] && k < t);
    sorted[place] = number[t];
  }
  __syncthreads();

  if (i < n) out[i] = sorted[t];
}
