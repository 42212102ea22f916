// expect: RACE line 7
// Why: the threads read the slot whenever they come by.

__device__ int broadcast(int val, int src_thread) {
  __shared__ int slot;
  if (threadIdx.x == src_thread) slot = val;
  return slot;
}

__global__ void rounds_of_speakers(const int *in, int *out, int n, const int *speaker, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i < n ? in[i] : 0;

  for (int r = 0; r < rounds; r++) x += broadcast(x, speaker[r]);

  if (i < n) out[i] = x;
}
