// expect: RACE line 17
// Why: nothing orders a lane's write against the read by the lane across. In the usual order of
// the hardware the values are right all the same.

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

  if (i < n) out[i] = slot[t - lane + 31 - lane];
}
