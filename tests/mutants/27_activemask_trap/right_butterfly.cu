// expect: PASS
// Right: the hits are added up by shuffles, and who has none writes 0.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void count_hits(const int *in, int *crowd, int *total, int n, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  bool hit = i < n && in[i] > limit;
  int together = 0;

  int sum = hit;
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(FULL, sum, step);
  if (hit) together = sum;
  if (lane == 0) atomicAdd(total, sum);

  if (i < n) crowd[i] = together;
}
