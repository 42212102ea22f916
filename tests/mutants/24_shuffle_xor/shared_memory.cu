// expect: RULE
// Right values without any shuffle, but through shared memory, which this puzzle does without.
__global__ void butterfly(const int *in, int *sum, int *largest, int *smallest) {
  __shared__ int number[1024];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  int first = t - t % 32;
  number[t] = in[i];
  __syncwarp();

  int total = 0, high = number[first], low = number[first];
  for (int k = 0; k < 32; k++) {
    int other = number[first + k];
    total += other;
    high = max(high, other);
    low = min(low, other);
  }

  sum[i] = total;
  largest[i] = high;
  smallest[i] = low;
}
