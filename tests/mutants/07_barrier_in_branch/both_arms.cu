// expect: BARRIER
// Why: the two barriers are two places. The lower half waits at one, the upper half at the other;
// whether whole warps or single lanes take the arms makes no difference.

__global__ void fold(const int *in, int *out, int n) {
  __shared__ int strip[256], pair[128];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);
  int half = (length + 1) / 2;
  int other = length - 1 - t;

  if (t < length) strip[t] = in[first + t];

  if (t < half) {
    __syncthreads();
    pair[t] = strip[t] + (other > t ? strip[other] : 0);
  } else {
    __syncthreads();
  }

  __syncthreads();
  if (t < length) out[first + t] = pair[t < half ? t : other];
}
