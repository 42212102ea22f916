// expect: RULE
// No producer, no slots: every thread unpacks what it needs.

#define SAMPLES  128       // in a chunk
#define FULL(s)  (1 + (s)) // barrier 1 or 2: slot s has been filled
#define EMPTY(s) (3 + (s)) // barrier 3 or 4: slot s may be filled again

// Barrier `id` opens when `threads` threads have come, those that arrive and those that wait, taken
// together. A multiple of 32; the same number for all of them. Then it is ready for the next time.
__device__ void arrive(int id, int threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
__device__ void wait(int id, int threads) { // arrives, too
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

__device__ void unpack(unsigned word, int *four) {
  for (int i = 0; i < 4; i++) four[i] = word >> 8 * i & 255;
}

__device__ int moving_sum(const int *sample, int i) { // of i and up to three before it
  int sum = 0;
  for (int k = 0; k < 4 && k <= i; k++) sum += sample[i - k];
  return sum;
}

__global__ void smooth(const unsigned *packed, int *out, int words) {
  int chunks = (words + 31) / 32;
  for (int c = blockIdx.x; c < chunks; c += gridDim.x)
    for (int i = threadIdx.x; i < SAMPLES; i += blockDim.x) {
      int at = c * SAMPLES + i, sum = 0;
      if (at >= 4 * words) continue;
      for (int k = 0; k < 4 && k <= i; k++) sum += packed[(at - k) / 4] >> 8 * ((at - k) % 4) & 255;
      out[at] = sum;
    }
}
