/* flow.c - where diverged threads may meet again: the immediate post-dominator of every branch.
 *
 * Basic blocks, then dominators of the reversed graph by Lengauer and Tarjan (1979) with path
 * compression: O(m log n) whatever the text looks like, and no recursion. Loops without an exit get
 * a virtual edge to the function's end, from the last block of the loop. */
#include "ptx/parse.h"
#include <string.h>

enum { NONE = -1 };

struct graph {
  const struct ptx_func *f;
  u32 n;         /* blocks; number n is the function's end */
  u32 *first;    /* first instruction of each block, first[n] = code_count */
  i32 *block_of; /* instruction -> block */
  u32 *succ_at;  /* edges of block b: succ[succ_at[b] .. succ_at[b + 1]) */
  i32 *succ;
  u32 *pred_at;
  i32 *pred;
  u8 *reached, *ends; /* from the entry; can come to the end */
};

static bool leaves(const struct ptx_insn *in) {
  return in->op == OP_ret || in->op == OP_exit || in->op == OP_trap;
}

static bool jumps(const struct ptx_insn *in) { return in->op == OP_bra || in->op == OP_brx; }

static i32 bra_target(const struct ptx_insn *in) { return in->operands[0].index; }

static void find_blocks(struct arena *a, struct graph *g) {
  const struct ptx_func *f = g->f;
  u8 *leader = NEWN(a, u8, f->code_count + 1);
  leader[0] = 1;
  for (u32 i = 0; i < f->code_count; i++) {
    const struct ptx_insn *in = &f->code[i];
    if (in->op == OP_bra) leader[bra_target(in)] = 1;
    for (u32 t = 0; t < in->target_count; t++) leader[in->targets[t]] = 1;
    if (jumps(in) || leaves(in)) leader[i + 1] = 1;
  }
  g->block_of = NEWN(a, i32, f->code_count + 1);
  g->first = NEWN(a, u32, f->code_count + 1);
  for (u32 i = 0; i < f->code_count; i++) {
    if (leader[i]) g->first[g->n++] = i;
    g->block_of[i] = (i32)g->n - 1;
  }
  g->block_of[f->code_count] = (i32)g->n;
  g->first[g->n] = f->code_count;
}

/* The block's successors into out (at least 1 + target_count + 1 wide); returns how many. */
static u32 successors(const struct graph *g, u32 block, i32 *out) {
  const struct ptx_insn *in = &g->f->code[g->first[block + 1] - 1];
  u32 n = 0;
  if (leaves(in)) out[n++] = (i32)g->n;
  if (in->op == OP_bra) out[n++] = g->block_of[bra_target(in)];
  if (in->op == OP_brx)
    for (u32 t = 0; t < in->target_count; t++) out[n++] = g->block_of[in->targets[t]];
  if (in->guard >= 0 || (!leaves(in) && !jumps(in))) out[n++] = (i32)block + 1;
  if (n == 0) out[n++] = (i32)g->n; /* a branch table without entries */
  return n;
}

static void find_edges(struct arena *a, struct graph *g) {
  size_t edges = 0;
  for (u32 b = 0; b < g->n; b++) edges += 2 + g->f->code[g->first[b + 1] - 1].target_count;
  g->succ_at = NEWN(a, u32, g->n + 2);
  g->succ = NEWN(a, i32, edges);
  for (u32 b = 0, at = 0; b < g->n; b++) g->succ_at[b + 1] = at += successors(g, b, g->succ + at);
  g->succ_at[g->n + 1] = g->succ_at[g->n];
}

/* Blocks that `from` reaches along the edges, into seen; order of completion into done. */
struct walk {
  i32 *stack;
  u32 *edge; /* next edge of each block to look at */
  i32 *done;
  u32 done_count;
};

static void walk_from(struct walk *w, i32 from, const u32 *at, const i32 *to, u8 *seen) {
  u32 depth = 0;
  if (seen[from]) return;
  seen[from] = 1;
  w->edge[from] = at[from];
  w->stack[depth++] = from;
  while (depth) {
    i32 b = w->stack[depth - 1];
    if (w->edge[b] == at[b + 1]) {
      if (w->done) w->done[w->done_count++] = b;
      depth--;
      continue;
    }
    i32 t = to[w->edge[b]++];
    if (seen[t]) continue;
    seen[t] = 1;
    w->edge[t] = at[t];
    w->stack[depth++] = t;
  }
}

/* Predecessors, of reached blocks only; extra[b]: b also has an edge to the end. */
static void find_preds(struct arena *a, struct graph *g, const u8 *extra) {
  u32 n = g->n;
  u32 *at = NEWN(a, u32, n + 2), *fill = NEWN(a, u32, n + 2);
  for (u32 b = 0; b < n; b++) {
    if (!g->reached[b]) continue;
    for (u32 e = g->succ_at[b]; e < g->succ_at[b + 1]; e++) at[g->succ[e] + 1]++;
    if (extra[b]) at[n + 1]++;
  }
  for (u32 b = 0; b <= n; b++) at[b + 1] += at[b];
  memcpy(fill, at, (n + 2) * sizeof *at);
  g->pred = NEWN(a, i32, at[n + 1]);
  for (u32 b = 0; b < n; b++) {
    if (!g->reached[b]) continue;
    for (u32 e = g->succ_at[b]; e < g->succ_at[b + 1]; e++) g->pred[fill[g->succ[e]]++] = (i32)b;
    if (extra[b]) g->pred[fill[n]++] = (i32)b;
  }
  g->pred_at = at;
}

/* Endless loops: those parts of the graph that cannot come to the end. In the order of completion
 * of a backward walk, last first, each block not yet connected lies in a loop that nothing leaves.
 */
static void connect_endless(struct arena *a, struct graph *g, struct walk *w, u8 *extra) {
  u32 n = g->n;
  u8 *seen = NEWN(a, u8, n + 1), *in_loop = NEWN(a, u8, n + 1);
  memcpy(seen, g->ends, n + 1);
  w->done = NEWN(a, i32, n + 1);
  for (u32 b = 0; b < n; b++)
    if (g->reached[b]) walk_from(w, (i32)b, g->pred_at, g->pred, seen);
  i32 *order = w->done, *loop = NEWN(a, i32, n + 1);
  u32 count = w->done_count;
  while (count--) {
    i32 b = order[count], last = b;
    if (g->ends[b]) continue;
    w->done = loop;
    w->done_count = 0;
    walk_from(w, b, g->succ_at, g->succ, in_loop);
    for (u32 i = 0; i < w->done_count; i++)
      if (loop[i] > last) last = loop[i];
    extra[last] = 1;
    w->done = NULL;
    walk_from(w, last, g->pred_at, g->pred, g->ends);
  }
  w->done = NULL;
}

/* ---- dominators of the reversed graph; blocks are named by their number in the walk ---- */

struct dom {
  i32 *number, *vertex; /* block -> number, number -> block */
  i32 *parent, *semi, *ancestor, *label, *idom, *bucket, *next, *path;
  i32 count;
};

static void number_blocks(struct arena *a, const struct graph *g, struct dom *d) {
  u32 n = g->n + 1;
  i32 **arrays[] = {&d->number, &d->vertex, &d->parent, &d->semi, &d->ancestor,
                    &d->label,  &d->idom,   &d->bucket, &d->next, &d->path};
  for (size_t i = 0; i < COUNT_OF(arrays); i++) {
    *arrays[i] = NEWN(a, i32, n);
    memset(*arrays[i], 0xff, n * sizeof(i32));
  }
  u32 *edge = NEWN(a, u32, n);
  i32 *stack = NEWN(a, i32, n), depth = 0, end = (i32)g->n;
  d->vertex[0] = end;
  d->number[end] = d->count++;
  edge[end] = g->pred_at[end];
  stack[depth++] = end;
  while (depth) {
    i32 b = stack[depth - 1];
    if (edge[b] == g->pred_at[b + 1]) {
      depth--;
      continue;
    }
    i32 t = g->pred[edge[b]++];
    if (d->number[t] >= 0) continue;
    d->parent[d->count] = d->number[b];
    d->vertex[d->count] = t;
    d->number[t] = d->count++;
    edge[t] = g->pred_at[t];
    stack[depth++] = t;
  }
}

/* The vertex of least semidominator on the way up to the root of v's tree. */
static i32 eval(struct dom *d, i32 v) {
  i32 depth = 0;
  if (d->ancestor[v] == NONE) return v;
  for (i32 u = v; d->ancestor[d->ancestor[u]] != NONE; u = d->ancestor[u]) d->path[depth++] = u;
  while (depth--) { /* outermost first */
    i32 u = d->path[depth], up = d->ancestor[u];
    if (d->semi[d->label[up]] < d->semi[d->label[u]]) d->label[u] = d->label[up];
    d->ancestor[u] = d->ancestor[up];
  }
  return d->label[v];
}

static void semidominator(const struct graph *g, struct dom *d, const u8 *extra, i32 w) {
  i32 b = d->vertex[w];
  for (u32 e = g->succ_at[b]; e < g->succ_at[b + 1]; e++) {
    i32 v = d->number[g->succ[e]];
    if (v < 0) continue;
    i32 s = d->semi[eval(d, v)];
    if (s < d->semi[w]) d->semi[w] = s;
  }
  if (extra[b]) d->semi[w] = 0;
}

static void dominators(const struct graph *g, struct dom *d, const u8 *extra) {
  for (i32 i = 0; i < d->count; i++) d->semi[i] = d->label[i] = i;
  for (i32 w = d->count - 1; w > 0; w--) {
    semidominator(g, d, extra, w);
    d->next[w] = d->bucket[d->semi[w]];
    d->bucket[d->semi[w]] = w;
    i32 up = d->parent[w];
    d->ancestor[w] = up;
    for (i32 v = d->bucket[up]; v != NONE; v = d->next[v]) {
      i32 u = eval(d, v);
      d->idom[v] = d->semi[u] < d->semi[v] ? u : up;
    }
    d->bucket[up] = NONE;
  }
  for (i32 w = 1; w < d->count; w++)
    if (d->idom[w] != d->semi[w]) d->idom[w] = d->idom[d->idom[w]];
}

static void set_reconvergence(const struct graph *g, const struct dom *d) {
  for (u32 b = 0; b < g->n; b++) {
    struct ptx_insn *in = &g->f->code[g->first[b + 1] - 1];
    if (d->number[b] <= 0 || !(in->op == OP_brx || (jumps(in) && in->guard >= 0))) continue;
    i32 meet = d->vertex[d->idom[d->number[b]]];
    if ((u32)meet < g->n) in->reconverge = (i32)g->first[meet];
  }
}

void ptx_flow(struct ptx_func *f) {
  bool branches = false;
  for (u32 i = 0; i < f->code_count && !branches; i++)
    branches = f->code[i].op == OP_brx || (f->code[i].op == OP_bra && f->code[i].guard >= 0);
  if (!branches) return;
  struct arena a = {0};
  struct graph g = {.f = f};
  struct dom d = {0};
  find_blocks(&a, &g);
  find_edges(&a, &g);
  u8 *extra = NEWN(&a, u8, g.n + 1);
  g.reached = NEWN(&a, u8, g.n + 1);
  g.ends = NEWN(&a, u8, g.n + 1);
  struct walk w = {NEWN(&a, i32, g.n + 1), NEWN(&a, u32, g.n + 1), NULL, 0};
  walk_from(&w, 0, g.succ_at, g.succ, g.reached);
  find_preds(&a, &g, extra);
  walk_from(&w, (i32)g.n, g.pred_at, g.pred, g.ends);
  connect_endless(&a, &g, &w, extra);
  find_preds(&a, &g, extra);
  number_blocks(&a, &g, &d);
  dominators(&g, &d, extra);
  set_reconvergence(&g, &d);
  arena_free(&a);
}
