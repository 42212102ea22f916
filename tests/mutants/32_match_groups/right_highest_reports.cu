// expect: PASS
// Right: the highest lane of each group reports, and the lanes past the end, which have no key,
// vote themselves out before the match.
#define FULL 0xffffffffu

__global__ void book(const int *key, const int *amount, int *sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  unsigned present = __ballot_sync(FULL, i < n);
  if (i >= n) return;

  unsigned peers = __match_any_sync(present, key[i]);
  int sum = __reduce_add_sync(peers, amount[i]);
  int leader = 31 - __clz(peers);
  if (lane == leader) atomicAdd(&sums[key[i]], sum);
}
