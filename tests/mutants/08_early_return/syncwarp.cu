// expect: RACE
// Why: threads that have ended do not disturb a __syncwarp() between the others as long as whole
// warps leave, but __syncwarp() parts nothing between the warps of a block.

__global__ void sort_stretches(const int *in, int *out, int n) {
  __shared__ int number[256], sorted[256];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int i = first + t;
  int length = min((int)blockDim.x, n - first);
  int warp_first = first + t / 32 * 32;

  if (warp_first >= n) return;
  if (i < n) number[t] = in[i];
  __syncwarp();

  if (i < n) {
    int place = 0;
    for (int k = 0; k < length; k++)
      place += number[k] < number[t] || (number[k] == number[t] && k < t);
    sorted[place] = number[t];
  }
  __syncwarp();

  if (i < n) out[i] = sorted[t];
}
