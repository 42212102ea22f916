// expect: RULE
// One thread books all items.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void book(const int *key, const int *amount, int *sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int mine = -1; // no account: lanes past the end of the data
  int value = 0;
  if (i < n) {
    mine = key[i];
    value = amount[i];
  }

  if (i == 0)
    for (int k = 0; k < n; k++) sums[key[k]] += amount[k];
}
