// 11 - Block vote: reference answer
//
// __syncthreads_or is a barrier that carries one bit from everybody to everybody. All threads get
// the same answer, so all leave the loop in the same turn: the condition for the barriers in it.

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

  while (true) {
    bool floods = t < length && cell[t] == DRY && (cell[left] == WET || cell[right] == WET);
    __syncthreads(); // all have looked

    if (floods) cell[t] = WET;
    // Vote and barrier in one: it parts this minute's writes from the next one's reads as well.
    // Threads without a cell vote 0; they must come here all the same.
    if (!__syncthreads_or(floods)) break;
    passed++;
  }

  if (t < length) out[first + t] = cell[t];
  // Outside of any if: everybody is counted, so everybody comes.
  int count = __syncthreads_count(t < length && cell[t] == WET);
  if (t == 0) {
    minutes[blockIdx.x] = passed;
    wet[blockIdx.x] = count;
  }
}
