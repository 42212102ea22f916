// expect: RACE
// Why: the mask is right, but in the loop only lanes below `step` come to the meeting that names
// all 16. The others go on to the meeting behind the loop; both have the same mask, so lanes of
// different steps meet.

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
      if (lane < step) {
        __syncwarp(0xffffu);
        pile[t] += pile[t + step];
      }
    }
    __syncwarp(0xffffu);
    result = pile[t - lane];
  } else {
    result = digits(value);
  }

  if (i < n) out[i] = result;
  int count = __syncthreads_count(i < n && result % 2 == 0);
  if (t == 0) even[blockIdx.x] = count;
}
