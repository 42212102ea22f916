// expect: WRONG
//
// 14 - Block broadcast
//
// In every round one thread of the block is the speaker. It tells all threads of the block its
// number x, and everybody, the speaker too, adds that to their own x. speaker[r] says who speaks
// in round r; it is a threadIdx.x, the same one in every block.
//
// The rounds are there. The function that tells everybody is not.

// Called by all threads of the block with the same src_thread. Returns, in every thread, the val
// that thread src_thread called it with.
__device__ int broadcast(int val, int src_thread) {
  // TODO (about 5 lines), with at most 8 bytes of shared memory
  return val;
}

__global__ void rounds_of_speakers(const int *in, int *out, int n, const int *speaker, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i < n ? in[i] : 0;

  for (int r = 0; r < rounds; r++) x += broadcast(x, speaker[r]);

  if (i < n) out[i] = x;
}
