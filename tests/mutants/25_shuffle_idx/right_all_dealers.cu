// expect: PASS
// Right: the branch in front is gone: every lane works out a cut of its own, and the broadcast
// keeps that of the dealer.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void pass_cards(const int *card, const int *dealer, int *hand, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int seat = threadIdx.x % 32;
  int players = min(32, n - (i - seat)); // at this table
  if (players <= 0) return;              // an empty table: the whole warp leaves
  int leader = dealer[i / 32];

  int mine = i < n ? card[i] : 0;
  int cut;

  cut = __shfl_sync(FULL, mine % players, leader);
  int source = seat + cut;
  if (source >= players) source -= players;
  int got = __shfl_sync(FULL, mine, source);

  if (i < n) hand[i] = got;
}
