// expect: RULE
// Why: right, but everybody puts a number on the table where only one has something to say.

__device__ int broadcast(int val, int src_thread) {
  __shared__ int slot[1024];
  slot[threadIdx.x] = val;
  __syncthreads();
  int told = slot[src_thread];
  __syncthreads();
  return told;
}

__global__ void rounds_of_speakers(const int *in, int *out, int n, const int *speaker, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i < n ? in[i] : 0;

  for (int r = 0; r < rounds; r++) x += broadcast(x, speaker[r]);

  if (i < n) out[i] = x;
}
