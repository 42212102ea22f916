// expect: PASS
// Why: two slots in turn and one barrier a round. Who writes a slot again comes two rounds later,
// and the barrier of the round in between parts it from the old reads.

__device__ int broadcast(int val, int src_thread, int *slot) {
  if (threadIdx.x == src_thread) *slot = val;
  __syncthreads();
  return *slot;
}

__global__ void rounds_of_speakers(const int *in, int *out, int n, const int *speaker, int rounds) {
  __shared__ int slots[2];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i < n ? in[i] : 0;

  for (int r = 0; r < rounds; r++) x += broadcast(x, speaker[r], &slots[r % 2]);

  if (i < n) out[i] = x;
}
