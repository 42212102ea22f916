/* check.c - 25 Shuffle by index: a leader's decision for all, then a rotation, in each warp. The
 * last warp has fewer players in most cases. */
#include "puzzle/puzzle.h"

#define WARP 32

struct shape {
  int n, block;
};
static const struct shape shapes[] = {{1, 32},    {31, 32},   {32, 32},  {33, 64},   {100, 96},
                                      {255, 160}, {256, 256}, {300, 96}, {1000, 96}, {6000, 224}};
enum { CASES = sizeof shapes / sizeof shapes[0] };

static int players_at(int n, int table) {
  int left = n - table * WARP;
  return left < WARP ? left : WARP;
}

static void run(struct pz *pz, int c) {
  int n = pz_vary(pz, shapes[c].n, 1, 700), block = shapes[c].block,
      blocks = (n + block - 1) / block;
  int tables = (n + WARP - 1) / WARP;
  pz_shape(pz, "n=%d block=%d", n, block);
  int32_t *cards = pz_random_i32(pz, (size_t)n, 1, 999);
  int32_t *seats = pz_host(pz, (size_t)tables * sizeof *seats);
  int32_t *want = pz_host(pz, (size_t)n * sizeof *want);
  for (int k = 0; k < tables; k++) {
    int players = players_at(n, k), first = k * WARP;
    /* Not on seat 0 and no cut at 0, where that can be, so that a wrong lane shows. */
    seats[k] = players > 1 ? 1 + (int)pz_random(pz, (uint32_t)players - 1) : 0;
    int32_t *card = &cards[first + seats[k]];
    if (players > 1 && *card % players == 0) *card += 1;
    for (int s = 0; s < players; s++)
      want[first + s] = cards[first + (s + *card % players) % players];
  }

  struct pz_buf *card = pz_in(pz, "card", PZ_I32, (size_t)n, cards);
  struct pz_buf *dealer = pz_in(pz, "dealer", PZ_I32, (size_t)tables, seats);
  struct pz_buf *hand = pz_out(pz, "hand", PZ_I32, (size_t)n);
  pz_launch(pz, "pass_cards", pz_dim((unsigned)blocks), pz_dim((unsigned)block), 0, PZ_BUF(card),
            PZ_BUF(dealer), PZ_BUF(hand), PZ_I(n), PZ_END);
  pz_expect_i32(pz, hand, want);

  pz_rule_max(pz, PZ_SHARED_BYTES, 0, "a shuffle needs no memory between the lanes");
  pz_rule_max(pz, PZ_GLOBAL_LOADS, (uint64_t)(n + tables * WARP),
              "every card is in a register of the warp already: let a shuffle look it up");
  pz_rule_max(pz, PZ_MAX_WARP_SHUFFLES, 2, "one shuffle for the dealer's cut, one for the cards");
}

PZ_PUZZLE(.title = "Shuffle by index", .cases = CASES, .small_cases = CASES - 2, .run = run,
          .learned = "All lanes name the same source: a broadcast. Each names its own: a lookup in "
                     "the registers of the warp. Who is asked has to take part.")
