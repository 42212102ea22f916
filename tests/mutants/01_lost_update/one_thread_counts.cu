// expect: RULE
// Thread 0 counts alone: no race, no atomic, and 5000 threads stand by.

__global__ void count_above(const int *reading, int n, int limit, int *count) {
  if (blockIdx.x || threadIdx.x) return;
  for (int i = 0; i < n; i++)
    if (reading[i] > limit) *count += 1;
}
