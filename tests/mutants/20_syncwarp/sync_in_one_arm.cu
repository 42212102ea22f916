// expect: DEADLOCK
// Why: the lower lanes wait for all 32, and the upper lanes have gone on; they are alive at the
// barrier at the end, where they wait for the lower ones.

__global__ void cross(const int *in, int *out, int n) {
  __shared__ int slot[256];
  int t = threadIdx.x, lane = t % 32;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < n ? in[i] : 0;

  if (lane < 16) {
    slot[t] = 2 * value;
    __syncwarp();
    if (i < n) out[i] = slot[t - lane + 31 - lane];
  } else {
    slot[t] = -value;
  }
  __syncthreads();
  if (lane >= 16 && i < n) out[i] = slot[t - lane + 31 - lane];
}
