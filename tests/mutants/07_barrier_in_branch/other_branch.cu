// expect: BARRIER
// Why: the barrier was moved into the other branch: now the upper half waits in it, and the lower
// half at the end.

__global__ void fold(const int *in, int *out, int n) {
  __shared__ int strip[256], pair[128];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);
  int half = (length + 1) / 2;
  int other = length - 1 - t;

  if (t < length) strip[t] = in[first + t];

  if (t >= half) __syncthreads();
  if (t < half) pair[t] = strip[t];

  __syncthreads();
  if (t < length) out[first + t] = pair[t < half ? t : other];
}
