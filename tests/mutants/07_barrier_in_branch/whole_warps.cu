// expect: BARRIER
// Why: now whole warps enter or stay out, which helps inside a warp only. In a block of three
// warps the third one waits at the last barrier while two wait in the branch.

__global__ void fold(const int *in, int *out, int n) {
  __shared__ int strip[256], pair[128];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);
  int half = (length + 1) / 2;
  int other = length - 1 - t;

  if (t < length) strip[t] = in[first + t];

  if (t / 32 <= (half - 1) / 32) {
    __syncthreads();
    if (t < half) pair[t] = strip[t] + (other > t ? strip[other] : 0);
  }

  __syncthreads();
  if (t < length) out[first + t] = pair[t < half ? t : other];
}
