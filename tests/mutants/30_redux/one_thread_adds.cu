// expect: RULE
// One thread does the sums of the whole grid.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void till(const int *in, const unsigned *flags, int *total, int *largest,
                     unsigned *kinds, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int paid = 0;
  unsigned bought = 0;
  if (i < n) {
    paid = in[i];
    bought = flags[i];
  }

  if (i == 0)
    for (int k = 0; k < n; k++) {
      *total += in[k];
      *largest = max(*largest, in[k]);
      *kinds |= flags[k];
    }
}
