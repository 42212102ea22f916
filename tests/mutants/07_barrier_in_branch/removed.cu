// expect: RACE line 15
// Why: nothing parts filling the strip from adding; a thread of the lower half reads a cell that
// one of the upper half is about to write.

__global__ void fold(const int *in, int *out, int n) {
  __shared__ int strip[256], pair[128];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);
  int half = (length + 1) / 2;
  int other = length - 1 - t;

  if (t < length) strip[t] = in[first + t];

  if (t < half) pair[t] = strip[t] + (other > t ? strip[other] : 0);

  __syncthreads();
  if (t < length) out[first + t] = pair[t < half ? t : other];
}
