// expect: PASS
// Right: the slots and barriers follow from the number of the round; three slots, six barriers,
// so the producer may be further ahead. And barrier.arrive, the form that lanes come to one by
// one.
#define SAMPLES 128
#define FULL(s) (1 + (s))
#define EMPTY(s) (4 + (s))

__device__ void arrive(int id, int threads) {
  asm volatile("barrier.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
__device__ void wait(int id, int threads) {
  asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

__device__ void unpack(unsigned word, int *four) {
  for (int i = 0; i < 4; i++) four[i] = word >> 8 * i & 255;
}

__device__ int moving_sum(const int *sample, int i) {
  int sum = 0;
  for (int k = 0; k < 4 && k <= i; k++) sum += sample[i - k];
  return sum;
}

__global__ void smooth(const unsigned *packed, int *out, int words) {
  __shared__ int slot[3][SAMPLES];
  int chunks = (words + 31) / 32;
  int s = 0;

  if (threadIdx.x < 32) {
    int filled = 0;
    for (int c = blockIdx.x; c < chunks; c += gridDim.x) {
      int w = c * 32 + threadIdx.x;
      if (filled >= 3) wait(EMPTY(s), blockDim.x);
      unpack(w < words ? packed[w] : 0, &slot[s][4 * threadIdx.x]);
      arrive(FULL(s), blockDim.x);
      filled++;
      s = (s + 1) % 3;
    }
  } else {
    for (int c = blockIdx.x; c < chunks; c += gridDim.x) {
      wait(FULL(s), blockDim.x);
      for (int i = threadIdx.x - 32; i < SAMPLES; i += blockDim.x - 32) {
        int at = c * SAMPLES + i;
        if (at < 4 * words) out[at] = moving_sum(slot[s], i);
      }
      if (c + 3 * gridDim.x < chunks) arrive(EMPTY(s), blockDim.x);
      s = (s + 1) % 3;
    }
  }
}
