// expect: PASS
// Why: a barrier may stand in a branch if all threads of the block decide alike. length is the
// same for all of them, and a strip of one item has nobody to wait for.

__global__ void fold(const int *in, int *out, int n) {
  __shared__ int strip[256], pair[128];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);
  int half = (length + 1) / 2;
  int other = length - 1 - t;

  if (t < length) strip[t] = in[first + t];

  if (length > 1) __syncthreads();
  if (t < half) pair[t] = strip[t] + (other > t ? strip[other] : 0);

  __syncthreads();
  if (t < length) out[first + t] = pair[t < half ? t : other];
}
