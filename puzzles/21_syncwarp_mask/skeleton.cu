// expect: DEADLOCK line 28
//
// 21 - Syncwarp with a mask
//
// Each warp has two crews. The rowers, lanes 0 to 15, add up their 16 numbers in a tree through
// shared memory; each of them reports the sum. The cooks, lanes 16 to 31, report how many digits
// their own number has, each alone. Threads without an item have the number 0. Afterwards the
// block counts how many of its items got an even result.
//
// The block has whole warps only. The two __syncwarp() below wait for too many lanes.

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
      __syncwarp(); // TODO (change this line): who has to be here?
      if (lane < step) pile[t] += pile[t + step];
    }
    __syncwarp(); // TODO (and this one)
    result = pile[t - lane];
  } else {
    result = digits(value);
  }

  if (i < n) out[i] = result;
  int count = __syncthreads_count(i < n && result % 2 == 0);
  if (t == 0) even[blockIdx.x] = count;
}
