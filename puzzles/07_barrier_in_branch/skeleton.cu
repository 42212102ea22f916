// expect: BARRIER
//
// 07 - Barrier in a branch
//
// Each block folds its stretch of the input in the middle, like a strip of paper, and adds what
// comes to lie together: first and last, second and last but one, ... Then every item is replaced
// by the sum of its pair.
//   1 2 3 4 5  ->  pairs 1+5, 2+4, 3  ->  6 6 3 6 6
// (The middle one of an odd number lies alone and counts once.)
//
// Only the first half of the threads adds. One barrier stands where not all threads pass.

__global__ void fold(const int *in, int *out, int n) {
  __shared__ int strip[256], pair[128];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);
  int half = (length + 1) / 2;

  if (t < length) strip[t] = in[first + t];

  // TODO (move 1 line)
  if (t < half) {
    int other = length - 1 - t;

    __syncthreads(); // the strip is complete
    pair[t] = strip[t] + (other > t ? strip[other] : 0);
  }

  __syncthreads(); // the pairs are complete
  if (t < length) out[first + t] = pair[t < half ? t : length - 1 - t];
}
