// 10 - One barrier too many: reference answer
//
// A barrier is needed between two steps if a cell is touched by different threads in them, and one
// of the two touches is a write. So for each pair of steps: which cells, by whom?

#define LOUDEST 1000

__global__ void treat(const int *in, int *out, int n) {
  __shared__ int level[256];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);
  int mirror = length - 1 - t, left = max(t - 1, 0), right = min(t + 1, length - 1);
  int mixed = 0, sum = 0;

  if (t < length) level[t] = in[first + t];
  __syncthreads(); // A: I wrote my cell, the thread opposite reads it

  if (t < length) mixed = level[t] + level[mirror];
  __syncthreads(); // B: I read the cell of the thread opposite, which is about to overwrite it

  // No barrier C: both steps touch level[t] only, which is mine. What one thread does stays in
  // order.
  if (t < length) level[t] = mixed;
  if (t < length) level[t] = min(level[t], LOUDEST);
  __syncthreads(); // D: I wrote my cell, my neighbours read it

  // No barrier E: after reading level nobody writes it again, and out is another array, in which
  // each thread has a cell of its own.
  if (t < length) sum = level[left] + level[t] + level[right];
  if (t < length) out[first + t] = sum;

  // No barrier F: nothing comes after it. The end of the kernel is a border in itself.
}
