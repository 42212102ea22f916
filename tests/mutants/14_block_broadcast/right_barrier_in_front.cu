// expect: PASS
// Why: the barrier that parts two calls stands at the beginning of a call instead of at its
// end. (The very first call would not need it.)

__device__ int broadcast(int val, int src_thread) {
  __shared__ int slot;
  __syncthreads();
  if (threadIdx.x == src_thread) slot = val;
  __syncthreads();
  return slot;
}

__global__ void rounds_of_speakers(const int *in, int *out, int n, const int *speaker, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i < n ? in[i] : 0;

  for (int r = 0; r < rounds; r++) x += broadcast(x, speaker[r]);

  if (i < n) out[i] = x;
}
