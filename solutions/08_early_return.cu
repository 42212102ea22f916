// 08 - Early return: reference answer
//
// Instead of leaving, a thread without a number stays and does nothing. Each piece of work between
// two barriers gets its own `if`; the barriers stand between the ifs, where all threads pass.

__global__ void sort_stretches(const int *in, int *out, int n) {
  __shared__ int number[256], sorted[256];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int i = first + t;
  int length = min((int)blockDim.x, n - first);
  bool here = i < n; // is there a number for me?

  if (here) number[t] = in[i];
  __syncthreads(); // the numbers are complete

  if (here) {
    int place = 0;
    // Up to length, not blockDim.x: beyond it nobody has put a number.
    for (int k = 0; k < length; k++)
      place += number[k] < number[t] || (number[k] == number[t] && k < t);
    sorted[place] = number[t];
  }
  __syncthreads(); // everybody has a place

  if (here) out[i] = sorted[t];
}
