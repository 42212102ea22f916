// expect: RACE line 8
// Why: __syncwarp() brings the news to the warp of the speaker only.

__device__ int broadcast(int val, int src_thread) {
  __shared__ int slot;
  if (threadIdx.x == src_thread) slot = val;
  __syncwarp();
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
