// expect: PASS
// Right: lanes past the end of the data take the key of item 0 with an amount of 0. That may cost
// an operation for a key which the warp does not have otherwise.
#define FULL 0xffffffffu

__global__ void book(const int *key, const int *amount, int *sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int mine = key[0];
  int value = 0;
  if (i < n) {
    mine = key[i];
    value = amount[i];
  }

  unsigned peers = __match_any_sync(FULL, mine);
  int sum = __reduce_add_sync(peers, value);
  if (lane == __ffs(peers) - 1) atomicAdd(&sums[mine], sum);
}
