// expect: RACE|BARRIER
// Why: only the speaker waits. The others run past, read a slot that may not be written yet, and
// never come to the barrier; the race is found first and takes precedence.

__device__ int broadcast(int val, int src_thread) {
  __shared__ int slot;
  if (threadIdx.x == src_thread) {
    slot = val;
    __syncthreads();
  }
  int told = slot;
  __syncthreads();
  return told;
}

__global__ void rounds_of_speakers(const int *in, int *out, int n, const int *speaker, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i < n ? in[i] : 0;

  for (int r = 0; r < rounds; r++) x += broadcast(x, speaker[r]);

  if (i < n) out[i] = x;
}
