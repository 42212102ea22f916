// expect: DEADLOCK
// Why: the others ask the dealer, who is in the other branch, has nothing to ask, and goes on to
// the next shuffle to wait for them there.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void pass_cards(const int *card, const int *dealer, int *hand, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int seat = threadIdx.x % 32;
  int players = min(32, n - (i - seat)); // at this table
  if (players <= 0) return;              // an empty table: the whole warp leaves
  int leader = dealer[i / 32];

  int mine = i < n ? card[i] : 0;
  int cut = 0;
  if (seat == leader) cut = mine % players; // only the dealer knows it so far

  if (seat != leader) cut = __shfl_sync(FULL, cut, leader);
  int got = __shfl_sync(FULL, mine, (seat + cut) % players);

  if (i < n) hand[i] = got;
}
