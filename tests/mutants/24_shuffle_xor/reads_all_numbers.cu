// expect: RULE
// Every lane reads the 32 numbers of its warp from global memory.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void butterfly(const int *in, int *sum, int *largest, int *smallest) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int total = 0, high = in[i], low = in[i];
  for (int k = 0; k < 32; k++) {
    int o = in[i / 32 * 32 + k];
    total += o;
    high = max(high, o);
    low = min(low, o);
  }
  sum[i] = total;
  largest[i] = high;
  smallest[i] = low;
}
