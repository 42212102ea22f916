// expect: RULE
// Why: right, but after E nobody writes level again: two reads never collide, and out is another
// array.

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
  __syncthreads();
  if (t < length) level[t] = mixed;
  if (t < length) level[t] = min(level[t], LOUDEST);
  __syncthreads();
  if (t < length) sum = level[left] + level[t] + level[right];
  __syncthreads();
  if (t < length) out[first + t] = sum;
}
