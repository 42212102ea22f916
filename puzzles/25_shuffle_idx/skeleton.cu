// expect: WRONG
//
// 25 - Shuffle by index
//
// Each warp is a table of players, each lane a seat, and each player holds one card. One seat of
// the table has the dealer, and the dealer alone decides where the deck is cut. Then all pass
// their cards around: seat s gets the card of seat s + cut; counting goes on at seat 0 after the
// last player. The last table may have fewer than 32 players; nobody sits on its other seats.
//   5 players, cut 2:   card   8 1 4 7 3      new hand   4 7 3 8 1
//
// dealer[k] is the dealer's seat at table k. The block has whole warps only.
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

  // TODO (about 3 lines): all hear where the deck is cut, and get the card that they should
  int got = mine;

  if (i < n) hand[i] = got;
}
