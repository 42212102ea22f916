// expect: PASS
// Why: each thread adds its own pair, so every pair is added twice, and there is no branch around
// anything but the accesses to memory. One barrier is left.

__global__ void fold(const int *in, int *out, int n) {
  __shared__ int strip[256];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);
  int other = length - 1 - t;

  if (t < length) strip[t] = in[first + t];
  __syncthreads();
  if (t < length) out[first + t] = strip[t] + (other != t ? strip[other] : 0);
}
