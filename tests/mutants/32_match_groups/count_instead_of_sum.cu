// expect: WRONG
// The size of the group times the leader's own amount is the sum only if all amounts are equal.
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
  int sum = __popc(peers) * value;
  int leader = __ffs(peers) - 1;
  if (i < n && lane == leader) atomicAdd(&sums[mine], sum);
}
