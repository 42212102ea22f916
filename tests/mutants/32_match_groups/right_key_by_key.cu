// expect: PASS
// Right, without a match: the whole warp deals with one key after the other, that of the lowest
// lane which is not done yet.
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

  unsigned todo = __ballot_sync(FULL, i < n);
  while (todo != 0) {
    int leader = __ffs(todo) - 1;
    int current = __shfl_sync(FULL, mine, leader);
    int sum = __reduce_add_sync(FULL, mine == current ? value : 0);
    if (lane == leader) atomicAdd(&sums[current], sum);
    todo &= ~__ballot_sync(FULL, mine == current);
  }
}
