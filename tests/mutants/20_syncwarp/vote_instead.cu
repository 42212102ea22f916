// expect: RACE line 18
// Why: a vote gathers the lanes, so the values come out right in the run, but it orders no
// memory: on a GPU the write may still be under way.

__global__ void cross(const int *in, int *out, int n) {
  __shared__ int slot[256];
  int t = threadIdx.x, lane = t % 32;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < n ? in[i] : 0;

  if (lane < 16) {
    slot[t] = 2 * value;
  } else {
    slot[t] = -value;
  }

  __any_sync(0xffffffffu, value != 0);
  if (i < n) out[i] = slot[t - lane + 31 - lane];
}
