// expect: RACE
// Why: eight lanes meet eight lanes: each lane is named in its own mask, but in step 8 the lower
// eight read what the upper eight wrote, and nothing orders that.

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
    pile[t] = value;
    for (int step = 8; step > 0; step /= 2) {
      __syncwarp(lane < 8 ? 0x000000ffu : 0x0000ff00u);
      if (lane < step) pile[t] += pile[t + step];
    }
    __syncwarp(lane < 8 ? 0x000000ffu : 0x0000ff00u);
    result = pile[t - lane];
  } else {
    result = digits(value);
  }

  if (i < n) out[i] = result;
  int count = __syncthreads_count(i < n && result % 2 == 0);
  if (t == 0) even[blockIdx.x] = count;
}
