// expect: RACE line 18
// Why: the mask holds those who happen to be together. Where a schedule keeps the lanes apart,
// each lane or half waits for itself alone and reads slots that are still unwritten.

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

  __syncwarp(__activemask());
  if (i < n) out[i] = slot[t - lane + 31 - lane];
}
