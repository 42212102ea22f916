// expect: PASS
// Right: an inclusive scan of zeros and ones counts the same hands in five shuffles, and the last
// lane has them all.
#define FULL 0xffffffffu

__global__ void list_alarms(const int *in, int *where, int *found, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  bool rings = i < n && in[i] > 0;

  int upto = rings;
  for (int step = 1; step < 32; step *= 2) {
    int before = __shfl_up_sync(FULL, upto, step);
    if (lane >= step) upto += before;
  }
  int base = 0;
  if (lane == 31) base = atomicAdd(found, upto);
  base = __shfl_sync(FULL, base, 31);

  if (rings) where[base + upto - 1] = i;
}
