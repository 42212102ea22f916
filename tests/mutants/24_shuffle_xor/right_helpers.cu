// expect: PASS
// Right: one helper function for each value, and no loop.
#define FULL 0xffffffffu

__device__ int meet_sum(int x, int step) { return x + __shfl_xor_sync(FULL, x, step); }
__device__ int meet_max(int x, int step) { return max(x, __shfl_xor_sync(FULL, x, step)); }
__device__ int meet_min(int x, int step) { return min(x, __shfl_xor_sync(FULL, x, step)); }

__global__ void butterfly(const int *in, int *sum, int *largest, int *smallest) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = in[i];
  sum[i] = meet_sum(meet_sum(meet_sum(meet_sum(meet_sum(x, 1), 2), 4), 8), 16);
  largest[i] = meet_max(meet_max(meet_max(meet_max(meet_max(x, 1), 2), 4), 8), 16);
  smallest[i] = meet_min(meet_min(meet_min(meet_min(meet_min(x, 1), 2), 4), 8), 16);
}
