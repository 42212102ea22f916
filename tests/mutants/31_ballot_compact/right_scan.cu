// expect: PASS
// Places by a scan of the warp instead of a ballot.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void list_alarms(const int *in, int *where, int *found, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  bool rings = i < n && in[i] > 0;

  int upto = rings;
  for (int d = 1; d < 32; d *= 2) {
    int o = __shfl_up_sync(FULL, upto, d);
    if (lane >= d) upto += o;
  }
  int base = 0;
  if (lane == 31) base = atomicAdd(found, upto);
  base = __shfl_sync(FULL, base, 31);
  if (rings) where[base + upto - 1] = i;
}
