// expect: WRONG
// Every lane of a group has the sum and adds it: the account gets it as many times as the group
// has lanes.
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
  if (i < n) atomicAdd(&sums[mine], sum);
}
