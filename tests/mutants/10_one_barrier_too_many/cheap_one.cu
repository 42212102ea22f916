// expect: RACE line 22
// Why: neighbours are mostly in the same warp, so __syncwarp() is tempting. Cells 31 and 32 are
// neighbours as well.

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
  __syncwarp();
  if (t < length) sum = level[left] + level[t] + level[right];
  if (t < length) out[first + t] = sum;
}
