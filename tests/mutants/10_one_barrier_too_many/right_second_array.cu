// expect: PASS
// Why: what was mixed goes into a second array, so it overwrites nothing that is still being read:
// one barrier less than asked for.

#define LOUDEST 1000

__global__ void treat(const int *in, int *out, int n) {
  __shared__ int level[256], cut[256];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);
  int mirror = length - 1 - t, left = max(t - 1, 0), right = min(t + 1, length - 1);

  if (t < length) level[t] = in[first + t];
  __syncthreads();
  if (t < length) cut[t] = min(level[t] + level[mirror], LOUDEST);
  __syncthreads();
  if (t < length) out[first + t] = cut[left] + cut[t] + cut[right];
}
