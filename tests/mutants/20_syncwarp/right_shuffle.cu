// expect: PASS
// Why: a shuffle hands the value over from register to register. No memory is shared, so none has
// to be ordered.

__global__ void cross(const int *in, int *out, int n) {
  __shared__ int slot[256];
  int t = threadIdx.x, lane = t % 32;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < n ? in[i] : 0;

  int mine = lane < 16 ? 2 * value : -value;
  int across = __shfl_sync(0xffffffffu, mine, 31 - lane);

  slot[t] = across;
  if (i < n) out[i] = slot[t];
}
