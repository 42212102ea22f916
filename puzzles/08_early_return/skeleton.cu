// expect: BARRIER
//
// 08 - Early return
//
// Each block sorts its own stretch of the input. Every thread takes one number and counts how many
// numbers of the stretch belong in front of it: that is the number's place.
//   7 3 9 3   ->   places 2 0 3 1   ->   3 3 7 9
// (Of two equal numbers the earlier one stays in front.)
//
// The grid has more threads than there are numbers: the last stretch may be shorter than its block,
// and there may even be blocks without any number. Threads without a number go home at once. That
// would be good manners, if nobody waited for them.

__global__ void sort_stretches(const int *in, int *out, int n) {
  __shared__ int number[256], sorted[256];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int i = first + t;
  int length = min((int)blockDim.x, n - first); // how many numbers this block has; at most 0: none

  // TODO (about 6 lines change)
  if (i >= n) return;

  number[t] = in[i];
  __syncthreads(); // the numbers are complete

  int place = 0;
  for (int k = 0; k < length; k++)
    place += number[k] < number[t] || (number[k] == number[t] && k < t);
  sorted[place] = number[t];
  __syncthreads(); // everybody has a place

  out[i] = sorted[t];
}
