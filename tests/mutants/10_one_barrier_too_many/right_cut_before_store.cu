// expect: PASS
// Why: store and cut have become one step, without any barrier question between them. The three
// borders are the same.

#define LOUDEST 1000

__global__ void treat(const int *in, int *out, int n) {
  __shared__ int level[256];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);
  int mirror = length - 1 - t, left = max(t - 1, 0), right = min(t + 1, length - 1);
  int mixed = 0;

  if (t < length) level[t] = in[first + t];
  __syncthreads();
  if (t < length) mixed = min(level[t] + level[mirror], LOUDEST);
  __syncthreads();
  if (t < length) level[t] = mixed;
  __syncthreads();
  if (t < length) out[first + t] = level[left] + level[t] + level[right];
}
