// expect: RACE
//
// 20 - Syncwarp
//
// The lanes of each warp exchange values crosswise: lane 0 with lane 31, lane 1 with lane 30, ...
// Before that the lower 16 lanes double their value, and the upper 16 lanes negate theirs. A lane
// without an item offers 0.
//   out of lane 0 = what lane 31 prepared, and so on
//
// The block has whole warps only. One line is missing.

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

  // TODO (1 line)

  if (i < n) out[i] = slot[t - lane + 31 - lane];
}
