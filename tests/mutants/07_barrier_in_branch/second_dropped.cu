// expect: RACE line 19
// Why: the first barrier is right now, and the second one fell victim to the tidying: the upper
// half reads pairs that the lower half may not have added yet.

__global__ void fold(const int *in, int *out, int n) {
  __shared__ int strip[256], pair[128];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);
  int half = (length + 1) / 2;
  int other = length - 1 - t;

  if (t < length) strip[t] = in[first + t];

  __syncthreads();
  if (t < half) {
    pair[t] = strip[t] + (other > t ? strip[other] : 0);
  }
  if (t < length) out[first + t] = pair[t < half ? t : other];
}
