// expect: RULE
// Right, with a barrier of the whole block for each chunk: the producer fills one slot while the
// consumers use the other, but then all wait for the slowest.
#define SAMPLES 128

__device__ void unpack(unsigned word, int *four) {
  for (int i = 0; i < 4; i++) four[i] = word >> 8 * i & 255;
}

__device__ int moving_sum(const int *sample, int i) {
  int sum = 0;
  for (int k = 0; k < 4 && k <= i; k++) sum += sample[i - k];
  return sum;
}

__global__ void smooth(const unsigned *packed, int *out, int words) {
  __shared__ int slot[2][SAMPLES];
  int chunks = (words + 31) / 32;
  int s = 0;

  for (int c = blockIdx.x; c < chunks + gridDim.x; c += gridDim.x) {
    if (threadIdx.x < 32) {
      int w = c * 32 + threadIdx.x;
      unpack(w < words ? packed[w] : 0, &slot[s][4 * threadIdx.x]);
    } else if (c >= gridDim.x) {
      int last = c - gridDim.x;
      for (int i = threadIdx.x - 32; i < SAMPLES; i += blockDim.x - 32) {
        int at = last * SAMPLES + i;
        if (at < 4 * words) out[at] = moving_sum(slot[1 - s], i);
      }
    }
    s = 1 - s;
    __syncthreads();
  }
}
