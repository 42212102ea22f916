// expect: WRONG
// __ffs counts from 1. The lane after the lowest one need not be of the group, and then nobody
// reports, or one lane reports for two groups and the other lanes for none.
#define FULL 0xffffffffu

__global__ void book(const int *key, const int *amount, int *sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int mine = -1;
  int value = 0;
  if (i < n) {
    mine = key[i];
    value = amount[i];
  }

  unsigned peers = __match_any_sync(FULL, mine);
  int sum = __reduce_add_sync(peers, value);
  int leader = __ffs(peers);
  if (i < n && lane == leader) atomicAdd(&sums[mine], sum);
}
