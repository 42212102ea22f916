// expect: PASS
// Right: each group adds up by shuffles, from the lowest of its lanes to the highest. The groups
// differ in their number of turns, but all lanes of one group take the same.
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
  int sum = 0;
  for (unsigned left = peers; left != 0; left &= left - 1) {
    sum += __shfl_sync(peers, value, __ffs(left) - 1);
  }
  int leader = __ffs(peers) - 1;
  if (i < n && lane == leader) atomicAdd(&sums[mine], sum);
}
