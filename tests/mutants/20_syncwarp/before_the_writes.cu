// expect: RACE line 18
// Why: the lanes meet, and then part and write; the writes come after the barrier, like the
// reads.

__global__ void cross(const int *in, int *out, int n) {
  __shared__ int slot[256];
  int t = threadIdx.x, lane = t % 32;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < n ? in[i] : 0;

  __syncwarp();
  if (lane < 16) {
    slot[t] = 2 * value;
  } else {
    slot[t] = -value;
  }

  if (i < n) out[i] = slot[t - lane + 31 - lane];
}
