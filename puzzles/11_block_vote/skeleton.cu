// expect: BARRIER
//
// 11 - Block vote
//
// Each block looks after one stretch of a river bed. A cell is dry, a wall, or wet. Every minute
// each dry cell next to a wet one becomes wet; walls stay, and nothing comes in at the ends of the
// stretch. When a minute changes nothing, the flood is over.
//
// Wanted: the bed as it is then (out), and for each block the minutes in which something changed
// and the number of wet cells at the end.
//   ~ . . # . .   minute 1:   ~ ~ . # . .   minute 2:   ~ ~ ~ # . .   2 minutes, 3 wet cells
//
// "Something changed" is about the block. The loop below asks only about one thread's own cell.

enum { DRY, WALL, WET };

__global__ void flood(const int *in, int *out, int n, int *minutes, int *wet) {
  __shared__ int cell[256];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);
  int left = max(t - 1, 0), right = min(t + 1, length - 1);
  int passed = 0;

  if (t < length) cell[t] = in[first + t];
  __syncthreads();

  // TODO (about 3 lines change): let the block decide together, and count together.
  while (true) {
    bool floods = t < length && cell[t] == DRY && (cell[left] == WET || cell[right] == WET);
    __syncthreads(); // all have looked

    if (floods) cell[t] = WET;
    __syncthreads(); // all have changed what they change

    if (!floods) break;
    passed++;
  }

  if (t < length) out[first + t] = cell[t];
  int count = t < length && cell[t] == WET;
  if (t == 0) {
    minutes[blockIdx.x] = passed;
    wet[blockIdx.x] = count;
  }
}
