// expect: RACE
// 39_named_barrier - a pipeline inside a block: one warp unpacks, the others use what it unpacked.
//
// Each word of `packed` holds four samples of 8 bits. A chunk is 32 words, 128 samples; the block
// takes every gridDim.x-th chunk. Warp 0, the producer, unpacks chunk after chunk, and puts them
// into the two slots in turn. The other warps, the consumers, write the moving sums to `out`.
//
// Your task: let the two sides tell each other "slot s is full" and "slot s is empty", with four
// named barriers. Who only has something to tell arrives and goes on; who needs to know waits.
#define SAMPLES 128 // in a chunk
#define FULL(s) (1 + (s))  // barrier 1 or 2: slot s has been filled
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
  __shared__ int slot[2][SAMPLES];
  int chunks = (words + 31) / 32;
  int s = 0; // the slot of the chunk at hand

  if (threadIdx.x < 32) { // the producer
    for (int c = blockIdx.x; c < chunks; c += gridDim.x) {
      int w = c * 32 + threadIdx.x;
      // TODO (about 6 lines in all): when may the slot be filled? Whom does it concern that it is?
      unpack(w < words ? packed[w] : 0, &slot[s][4 * threadIdx.x]);
      s = 1 - s;
    }
  } else { // the consumers
    for (int c = blockIdx.x; c < chunks; c += gridDim.x) {
      for (int i = threadIdx.x - 32; i < SAMPLES; i += blockDim.x - 32) {
        int at = c * SAMPLES + i;
        if (at < 4 * words) out[at] = moving_sum(slot[s], i);
      }
      s = 1 - s;
    }
  }
}
