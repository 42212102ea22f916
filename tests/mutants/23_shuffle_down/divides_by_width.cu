// expect: WRONG
// Why: at the edges the sum is over fewer readings than width.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void smooth(const int *in, int *out, int *high, int n, int width, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int x = i < n ? in[i] : 0;
  int sum = x; // the own reading

  for (int k = 1; k < width; k++) {
    int got = __shfl_down_sync(FULL, x, k);
    if (lane + k < 32 && i + k < n) { sum += got; }
  }

  int average = sum / width;
  if (i < n) out[i] = average;
  int above = __syncthreads_count(i < n && average > limit);
  if (threadIdx.x == 0) high[blockIdx.x] = above;
}
