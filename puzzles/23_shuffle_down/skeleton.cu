// expect: WRONG
//
// 23 - Shuffle down
//
// Each thread smooths its reading: it writes the average of its own reading and the next
// width - 1 readings of its warp, rounded down. Near the end of the warp, and near the end of the
// data, there are fewer: the average is over those that exist. `width` is from 1 to 8, the same
// for all threads. Afterwards the block counts how many of its averages lie above `limit`.
//   width 3:    x    3  6  9  0  0 ...     last three lanes    8  4  6
//               out  6  5  3 ...                               6  5  6
//
// The block has whole warps only.
#define FULL 0xffffffffu // all 32 lanes take part

__global__ void smooth(const int *in, int *out, int *high, int n, int width, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int x = i < n ? in[i] : 0;
  int sum = x, count = 1; // the own reading

  // TODO (about 6 lines): add the readings of the next width - 1 lanes, and count them

  int average = sum / count;
  if (i < n) out[i] = average;
  int above = __syncthreads_count(i < n && average > limit);
  if (threadIdx.x == 0) high[blockIdx.x] = above;
}
