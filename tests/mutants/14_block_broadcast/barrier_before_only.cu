// expect: RACE line 9
// Why: the barrier in front parts this call from the last one, but the write and the reads of
// one call stand together behind it.

__device__ int broadcast(int val, int src_thread) {
  __shared__ int slot;
  __syncthreads();
  if (threadIdx.x == src_thread) slot = val;
  return slot;
}

__global__ void rounds_of_speakers(const int *in, int *out, int n, const int *speaker, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i < n ? in[i] : 0;

  for (int r = 0; r < rounds; r++) x += broadcast(x, speaker[r]);

  if (i < n) out[i] = x;
}
