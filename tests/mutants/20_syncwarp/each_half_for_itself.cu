// expect: RACE line 17
// Why: each half waits for its own 16 lanes, and the partner is always in the other half.

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

  __syncwarp(lane < 16 ? 0x0000ffffu : 0xffff0000u);
  if (i < n) out[i] = slot[t - lane + 31 - lane];
}
