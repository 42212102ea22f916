// 14 - Block broadcast: reference answer

__device__ int broadcast(int val, int src_thread) {
  __shared__ int slot; // one for the block, and the same one in every call

  // Only the speaker writes; the barriers stand outside the if, so that all threads meet there.
  if (threadIdx.x == src_thread) slot = val;

  // Nobody reads before the speaker has written.
  __syncthreads();
  int told = slot;

  // Nobody leaves, and so nobody writes in the next call, before all have read. This barrier looks
  // useless within one call; it is what makes the function safe to call again.
  __syncthreads();
  return told;
}

__global__ void rounds_of_speakers(const int *in, int *out, int n, const int *speaker, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i < n ? in[i] : 0;

  for (int r = 0; r < rounds; r++) x += broadcast(x, speaker[r]);

  if (i < n) out[i] = x;
}
