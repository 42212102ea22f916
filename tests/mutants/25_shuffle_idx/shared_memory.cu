// expect: RULE
// Why: right, but the cards go over a board in shared memory.

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
  __shared__ int board[256];
  board[threadIdx.x] = mine;
  __syncwarp();
  int got = board[threadIdx.x - seat + (seat + cut) % players];

  if (i < n) hand[i] = got;
}
