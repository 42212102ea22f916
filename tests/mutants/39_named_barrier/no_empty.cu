// expect: TRAP|RACE
// The producer never asks whether a slot is empty. It may fill it while it is read [RACE], and run
// ahead so far that it comes to FULL a second time before the consumers have come once [TRAP].
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
      unpack(w < words ? packed[w] : 0, &slot[s][4 * threadIdx.x]);
      arrive(FULL(s), blockDim.x);
      s = 1 - s;
    }
  } else {
    for (int c = blockIdx.x; c < chunks; c += gridDim.x) {
      wait(FULL(s), blockDim.x);
      for (int i = threadIdx.x - 32; i < SAMPLES; i += blockDim.x - 32) {
        int at = c * SAMPLES + i;
        if (at < 4 * words) out[at] = moving_sum(slot[s], i);
      }
      s = 1 - s;
    }
  }
}
