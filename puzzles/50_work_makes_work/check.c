/* 50_work_makes_work: irregular trees, walked by a kernel that ends itself. Each node once, with
 * the sum that its parent left there. */
#include "puzzle/puzzle.h"

static const struct {
  int nodes, threads, blocks, reach;
} cases[] = {
    {1, 33, 2, 1},  {31, 5, 2, 1},   {32, 32, 1, 8},  {33, 7, 3, 4},      {100, 18, 2, 100},
    {255, 3, 4, 6}, {256, 1, 6, 50}, {600, 5, 3, 30}, {1000, 33, 1, 300},
};

struct tree {
  int nodes;
  int32_t *name, *parent; /* of the k-th node made; the parent as its number in this order */
  int32_t *first, *child, *weight;
};

/* The parent of node k is one of the `reach` before it: 1 is a chain, many is a bush. Now and then
 * a node gets a whole crowd of leaves. */
static void grow(struct pz *pz, struct tree *t, int nodes, int reach) {
  size_t n = (size_t)nodes;
  *t = (struct tree){nodes,
                     pz_host(pz, n * 4),
                     pz_host(pz, n * 4),
                     pz_host(pz, (n + 1) * 4),
                     pz_host(pz, n * 4),
                     pz_random_i32(pz, n, 1, 1000)};
  for (int k = 0; k < nodes; k++) { /* names in random order */
    int j = (int)pz_random(pz, (uint32_t)k + 1);
    t->name[k] = t->name[j];
    t->name[j] = k;
  }
  for (int k = 1, crowd = 0; k < nodes; k++) {
    int most = k < reach ? k : reach;
    if (crowd > 0) {
      t->parent[k] = t->parent[k - 1];
      crowd--;
    } else {
      t->parent[k] = k - 1 - (int)pz_random(pz, (uint32_t)most);
      if (reach > 1 && pz_random(pz, 20) == 0) crowd = 5 + (int)pz_random(pz, 20);
    }
    t->first[t->name[t->parent[k]] + 1]++;
  }
  for (int v = 0; v < nodes; v++) t->first[v + 1] += t->first[v];
  int32_t *used = pz_host(pz, n * sizeof *used);
  for (int k = 1; k < nodes; k++) {
    int p = t->name[t->parent[k]];
    t->child[t->first[p] + used[p]++] = t->name[k];
  }
}

static void expect_walked(struct pz *pz, const struct tree *t, struct pz_buf *visits,
                          struct pz_buf *sum, uint32_t root_sum) {
  size_t n = (size_t)t->nodes;
  int32_t *got = pz_host(pz, n * sizeof *got);
  pz_get(pz, visits, got);
  int seen = 0, bad = -1;
  for (int v = t->nodes - 1; v >= 0; v--) {
    seen += got[v] > 0;
    if (got[v] != 1) bad = v;
  }
  if (bad >= 0)
    pz_expect(pz, false,
              "node %d was visited %d times instead of once; %d of the %d nodes were reached", bad,
              (int)got[bad], seen, t->nodes);
  uint32_t *want = pz_host(pz, n * sizeof *want);
  want[t->name[0]] = root_sum;
  for (int k = 1; k < t->nodes; k++) /* parents come first */
    want[t->name[k]] = 3 * want[t->name[t->parent[k]]] + (uint32_t)t->weight[t->name[k]];
  pz_expect_u32(pz, sum, want);
}

static void run(struct pz *pz, int c) {
  struct tree t;
  int threads = cases[c].threads * cases[c].blocks;
  size_t n = (size_t)cases[c].nodes, slots = n + (size_t)threads;
  pz_shape(pz, "nodes=%d threads=%d blocks=%d", cases[c].nodes, cases[c].threads, cases[c].blocks);
  grow(pz, &t, cases[c].nodes, cases[c].reach);
  int root = t.name[0];
  const int32_t one = 1;
  int32_t *filled = pz_host(pz, slots * sizeof *filled);
  for (size_t i = 0; i < slots; i++) filled[i] = i == 0 ? root : -1;
  uint32_t *sums = pz_host(pz, n * sizeof *sums); /* a sum that nobody computes is 0: wrong */
  sums[root] = pz_random(pz, 1000) + 1;

  struct pz_buf *sum = pz_in(pz, "sum", PZ_U32, n, sums);
  struct pz_buf *visits = pz_zero(pz, "visits", PZ_I32, n);
  struct pz_buf *tail = pz_in(pz, "tail", PZ_I32, 1, &one);
  struct pz_buf *pending = pz_in(pz, "pending", PZ_I32, 1, &one);
  pz_launch(pz, "walk", pz_dim((unsigned)cases[c].blocks), pz_dim((unsigned)cases[c].threads), 0,
            PZ_BUF(pz_in(pz, "first", PZ_I32, n + 1, t.first)),
            PZ_BUF(pz_in(pz, "child", PZ_I32, n, t.child)),
            PZ_BUF(pz_in(pz, "weight", PZ_I32, n, t.weight)), PZ_BUF(sum), PZ_BUF(visits),
            PZ_BUF(pz_in(pz, "queue", PZ_I32, slots, filled)),
            PZ_BUF(pz_zero(pz, "head", PZ_I32, 1)), PZ_BUF(tail), PZ_BUF(pending), PZ_END);
  expect_walked(pz, &t, visits, sum, sums[root]);
  const int32_t all = cases[c].nodes;
  int32_t left = 0;
  pz_expect_i32(pz, tail, &all);
  pz_get(pz, pending, &left); /* who counts otherwise than up and down does not end at 0 */
  pz_expect(pz, left != 1, "pending stands at 1, as at the start: nobody has counted in it");
}

PZ_PUZZLE(.title = "Work makes work", .cases = sizeof cases / sizeof *cases, .run = run,
          .small_cases = 7, .max_steps = 8000000,
          .learned =
              "An empty queue is not the end: somebody may be about to fill it. Count what is "
              "pending, up before it can be seen, down when it is done, and leave at 0.")
