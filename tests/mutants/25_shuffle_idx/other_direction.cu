// expect: WRONG
// Why: this gives the card of seat s - cut: here the cards move up, and they should move down.
// (Right by chance where the cut is half of the players.)

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

  cut = __shfl_sync(FULL, cut, leader);
  int got = __shfl_sync(FULL, mine, (seat + players - cut) % players);

  if (i < n) hand[i] = got;
}
