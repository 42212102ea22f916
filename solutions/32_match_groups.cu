// 32_match_groups - a reference answer.
//
// The match is for all 32 lanes. Those past the end of the data have a key that no item has, so
// they form a group of their own, which adds up zeros and does not report.
//
// From then on each group is on its own. All lanes of a group hold the same word, and it names
// just them: that is what a mask has to be. So they may add up without the rest of the warp.
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

  // Any lane of the group will do, as long as all agree on it. The lowest is easy to find.
  int leader = __ffs(peers) - 1;
  if (i < n && lane == leader) atomicAdd(&sums[mine], sum);
}
