// 39_named_barrier - a reference answer.
//
// Every slot has two barriers, and at each of the four one side waits while the other only
// arrives. The count is always the whole block: 32 producers and all consumers.
//
// A slot's barriers are used in strict turn, full, empty, full, empty: the producer arrives at
// "full" for the next time only after "empty", and there the consumers arrive only after they have
// passed the last "full". So nobody can come to a barrier twice in one round.
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
    int filled = 0;
    for (int c = blockIdx.x; c < chunks; c += gridDim.x) {
      int w = c * 32 + threadIdx.x;
      // Both slots start empty: nobody will say so. From the third chunk on somebody used it.
      if (filled >= 2) wait(EMPTY(s), blockDim.x);
      unpack(w < words ? packed[w] : 0, &slot[s][4 * threadIdx.x]);
      arrive(FULL(s), blockDim.x); // and on to the other slot
      filled++;
      s = 1 - s;
    }
  } else {
    for (int c = blockIdx.x; c < chunks; c += gridDim.x) {
      wait(FULL(s), blockDim.x);
      for (int i = threadIdx.x - 32; i < SAMPLES; i += blockDim.x - 32) {
        int at = c * SAMPLES + i;
        if (at < 4 * words) out[at] = moving_sum(slot[s], i);
      }
      // After the last look at the slot. If no chunk will come into it, nobody waits to hear that.
      if (c + 2 * gridDim.x < chunks) arrive(EMPTY(s), blockDim.x);
      s = 1 - s;
    }
  }
}
