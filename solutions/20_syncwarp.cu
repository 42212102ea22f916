// 20 - Syncwarp: reference answer

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

  // All 32 lanes come here, out of whichever arm, and none goes on before the last one is here.
  // What they wrote before is then visible to all of them: each slot is read by another lane than
  // the one that wrote it. Other warps use other slots, so there is no need to wait for them.
  __syncwarp();

  if (i < n) out[i] = slot[t - lane + 31 - lane];
}
