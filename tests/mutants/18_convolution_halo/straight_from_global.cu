// expect: RULE
// Why: right, but with radius 8 every number is read 17 times.

__global__ void smooth(const int *in, int *out, int n, int radius) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (int d = -radius; d <= radius; d++)
    if (i + d >= 0 && i + d < n) sum += (radius + 1 - abs(d)) * in[i + d];
  out[i] = sum;
}
