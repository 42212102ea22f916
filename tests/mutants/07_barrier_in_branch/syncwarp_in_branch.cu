// expect: DEADLOCK
// Why: __syncwarp() wants all 32 lanes of the warp. Those of the upper half are alive, but wait
// at the block barrier below; no thread can ever move. Two kinds of waiting, so it is not
// BARRIER.

__global__ void fold(const int *in, int *out, int n) {
  __shared__ int strip[256], pair[128];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);
  int half = (length + 1) / 2;
  int other = length - 1 - t;

  if (t < length) strip[t] = in[first + t];

  if (t < half) {
    __syncwarp();
    pair[t] = strip[t] + (other > t ? strip[other] : 0);
  }

  __syncthreads();
  if (t < length) out[first + t] = pair[t < half ? t : other];
}
