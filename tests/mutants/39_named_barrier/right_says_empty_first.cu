// expect: PASS
// Right: the consumers say at the start that the slots are empty, those that a chunk will come
// into; so the producer asks every time.
#define SAMPLES 128
#define FULL(s) (1 + (s))
#define EMPTY(s) (3 + (s))

__device__ void arrive(int id, int threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
__device__ void wait(int id, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
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
  __shared__ int slot[2][SAMPLES];
  int chunks = (words + 31) / 32;
  int s = 0;

  if (threadIdx.x < 32) {
    for (int c = blockIdx.x; c < chunks; c += gridDim.x) {
      int w = c * 32 + threadIdx.x;
      wait(EMPTY(s), blockDim.x);
      unpack(w < words ? packed[w] : 0, &slot[s][4 * threadIdx.x]);
      arrive(FULL(s), blockDim.x);
      s = 1 - s;
    }
  } else {
    if (blockIdx.x < chunks) arrive(EMPTY(0), blockDim.x);
    if (blockIdx.x + gridDim.x < chunks) arrive(EMPTY(1), blockDim.x);
    for (int c = blockIdx.x; c < chunks; c += gridDim.x) {
      wait(FULL(s), blockDim.x);
      for (int i = threadIdx.x - 32; i < SAMPLES; i += blockDim.x - 32) {
        int at = c * SAMPLES + i;
        if (at < 4 * words) out[at] = moving_sum(slot[s], i);
      }
      if (c + 2 * gridDim.x < chunks) arrive(EMPTY(s), blockDim.x);
      s = 1 - s;
    }
  }
}
