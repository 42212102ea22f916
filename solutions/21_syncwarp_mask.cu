// 21 - Syncwarp with a mask: reference answer
#define ROWERS 0x0000ffffu // lanes 0 to 15

__device__ int digits(int x) { // of a number that is not negative
  int count = 1;
  for (; x >= 10; x /= 10) count++;
  return count;
}

__global__ void two_crews(const int *in, int *out, int *even, int n) {
  __shared__ int pile[256];
  int t = threadIdx.x, lane = t % 32;
  int i = blockIdx.x * blockDim.x + t;
  int value = i < n ? in[i] : 0;
  int result;

  if (lane < 16) {
    // The 16 rowers meet before each step of the tree and once after the last: what is read in a
    // step was written by another rower in the step before. The mask names those 16 and nobody
    // else. All 16 come each time, since the meeting stands outside of `if (lane < step)`.
    pile[t] = value;
    for (int step = 8; step > 0; step /= 2) {
      __syncwarp(ROWERS);
      if (lane < step) pile[t] += pile[t + step];
    }
    __syncwarp(ROWERS);
    result = pile[t - lane];
  } else {
    // Nobody waits for these lanes before the barrier of the block, and they wait for nobody.
    result = digits(value);
  }

  if (i < n) out[i] = result;
  int count = __syncthreads_count(i < n && result % 2 == 0);
  if (t == 0) even[blockIdx.x] = count;
}
