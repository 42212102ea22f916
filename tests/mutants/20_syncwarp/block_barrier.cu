// expect: RULE
// Why: right, but it makes every warp of the block wait for all others, and none of them exchange
// anything.

__global__ void cross(const int *in, int *out, int n) {
  __shared__ int slot[256];
  int t = threadIdx.x, lane = t % 32;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < n ? in[i] : 0;

  if (lane < 16) {
    slot[t] = 2 * value;
  } else {
    slot[t] = -value;
  }

  __syncthreads();
  if (i < n) out[i] = slot[t - lane + 31 - lane];
}
