// expect: PASS
// Right: the mask names the players, computed alike in all lanes, and only players run the
// shuffles.

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

  unsigned at_table = FULL >> (32 - players);
  if (seat >= players) return;
  cut = __shfl_sync(at_table, cut, leader);
  int got = __shfl_sync(at_table, mine, (seat + cut) % players);

  if (i < n) hand[i] = got;
}
