// expect: RACE line 18
// Why: C looks like the barrier after mixing, but it comes after the store: a cell is overwritten
// while the thread opposite still reads it.

#define LOUDEST 1000

__global__ void treat(const int *in, int *out, int n) {
  __shared__ int level[256];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);
  int mirror = length - 1 - t, left = max(t - 1, 0), right = min(t + 1, length - 1);
  int mixed = 0, sum = 0;

  if (t < length) level[t] = in[first + t];
  __syncthreads();
  if (t < length) mixed = level[t] + level[mirror];
  if (t < length) level[t] = mixed;
  __syncthreads();
  if (t < length) level[t] = min(level[t], LOUDEST);
  __syncthreads();
  if (t < length) sum = level[left] + level[t] + level[right];
  if (t < length) out[first + t] = sum;
}
