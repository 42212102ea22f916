// expect: PASS
// Why: unlike the block barrier this one goes by its mask alone: lanes may come to it at
// different lines, and all 32 do.

__global__ void cross(const int *in, int *out, int n) {
  __shared__ int slot[256];
  int t = threadIdx.x, lane = t % 32;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < n ? in[i] : 0;

  if (lane < 16) {
    slot[t] = 2 * value;
    __syncwarp();
  } else {
    slot[t] = -value;
    __syncwarp();
  }
  if (i < n) out[i] = slot[t - lane + 31 - lane];
}
