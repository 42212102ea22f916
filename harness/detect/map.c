/* map.c - sparse clocks: which foreign blocks, warps and threads are known, and up to which epoch.
 * Maps are shared and never change once made. Who holds which map is clock.c's business.
 *
 * Inside, a map is a binary tree over the numbers of warps (Okasaki and Gill, "Fast mergeable
 * integer maps", 1998): a branch parts its keys by their highest bit that differs, a leaf has the
 * epochs of one warp's lanes. Nodes never change, so that maps which differ little share nearly all
 * of their nodes, and a join visits only what is not shared.
 *
 * That is not enough where thousands of threads pass one location's messages round: each finds all
 * of the others changed since its last visit. So a map may remember where it comes from: its root
 * is what `chain` had gathered at `version`, joined with `rest`. Of two maps of one chain the later
 * has all that the earlier got there, so that the join adds only the earlier one's rest. */
#include <stdlib.h>
#include <string.h>
#include "detect/race.h"

enum {
  REST_MAX = 2048
}; /* entries of a rest: with more of them, where it came from is forgotten */

/* ---- nodes ---- */
struct node {
  u32 refs, count; /* entries below */
  u64 key;         /* leaf: of the warp; branch: what its leaves have in common above `bit` */
  u32 bit;         /* branch: children differ in bit - 1; 0: a leaf */
  u32 newest;      /* largest epoch below */
};
struct branch {
  struct node n;
  struct node *child[2];
};
struct leaf {
  struct node n;
  u64 has;     /* which of 64 there are; 0 is the whole warp (or block), then its lanes */
  u32 epoch[]; /* of those, in order */
};
struct race_map {
  u32 refs, chain, version; /* chain 0: from nowhere in particular */
  struct node *root, *rest;
};

static struct branch *branch_of(struct node *n) { return (struct branch *)(void *)n; }
static const struct leaf *leaf_of(const struct node *n) { return (const void *)n; }

static struct node *node_ref(struct node *n) {
  if (n) n->refs++;
  return n;
}

static void node_drop(struct node *n) {
  if (!n || --n->refs) return;
  if (n->bit)
    for (u32 i = 0; i < 2; i++) node_drop(branch_of(n)->child[i]);
  held_free(n);
}

static u32 index_of(u64 has, u32 slot) {
  return (u32)__builtin_popcountll(has & ((1ull << slot) - 1));
}
static u32 leaf_at(const struct leaf *l, u32 slot) {
  return l->has >> slot & 1 ? l->epoch[index_of(l->has, slot)] : 0;
}

static struct leaf *leaf_new(u64 key, u64 has) {
  u32 n = (u32)__builtin_popcountll(has);
  struct leaf *l = held_zeroed(1, sizeof *l + n * sizeof l->epoch[0]);
  l->n = (struct node){.refs = 1, .count = n, .key = key};
  l->has = has;
  return l;
}

/* Does b say nothing that a does not? */
static bool leaf_contains(const struct leaf *a, const struct leaf *b) {
  u32 whole = leaf_at(a, 0), i = 0;
  if (b->n.newest <= whole) return true;
  for (u64 m = b->has; m; m &= m - 1, i++)
    if (b->epoch[i] > whole && b->epoch[i] > leaf_at(a, (u32)__builtin_ctzll(m))) return false;
  return true;
}

static struct node *leaf_join(struct node *x, struct node *y) {
  const struct leaf *a = leaf_of(x), *b = leaf_of(y);
  if (leaf_contains(a, b)) return node_ref(x);
  if (leaf_contains(b, a)) return node_ref(y);
  u32 whole = leaf_at(a, 0) > leaf_at(b, 0) ? leaf_at(a, 0) : leaf_at(b, 0), epochs[64];
  u64 has = 0;
  for (u64 m = a->has | b->has; m; m &= m - 1) {
    u32 slot = (u32)__builtin_ctzll(m), p = leaf_at(a, slot), q = leaf_at(b, slot);
    epochs[slot] = p > q ? p : q;
    if (slot == 0 || epochs[slot] > whole) has |= 1ull << slot;
  }
  struct leaf *l = leaf_new(x->key, has);
  u32 i = 0;
  for (u64 m = has; m; m &= m - 1) l->epoch[i++] = epochs[__builtin_ctzll(m)];
  l->n.newest = x->newest > y->newest ? x->newest : y->newest;
  return &l->n;
}

/* Takes over both. Within a block, what the block's own entry says already is left out. */
static struct node *branch_new(u32 bit, struct node *low, struct node *high) {
  if (bit <= 6) {
    struct node *first = low;
    while (first->bit) first = branch_of(first)->child[0];
    if (!(first->key & 63) && first->newest >= high->newest) {
      node_drop(high);
      return low;
    }
  }
  struct branch *b = held_zeroed(1, sizeof *b);
  b->n = (struct node){.refs = 1,
                       .count = low->count + high->count,
                       .key = low->key >> bit << bit,
                       .bit = bit,
                       .newest = low->newest > high->newest ? low->newest : high->newest};
  b->child[0] = low;
  b->child[1] = high;
  return &b->n;
}

static bool covers(const struct node *branch, u64 key) {
  return (key ^ branch->key) >> branch->bit == 0;
}
static u32 side_of(const struct node *branch, u64 key) { return key >> (branch->bit - 1) & 1; }

static struct node *node_join(struct node *a, struct node *b);

/* b lies wholly on one side of a. */
static struct node *join_below(struct node *a, struct node *b) {
  struct branch *x = branch_of(a);
  u32 side = side_of(a, b->key);
  struct node *n = node_join(x->child[side], b);
  if (n == x->child[side]) {
    node_drop(n);
    return node_ref(a);
  }
  struct node *other = node_ref(x->child[!side]);
  return side ? branch_new(a->bit, other, n) : branch_new(a->bit, n, other);
}

/* A new reference; a or b itself where that says it all. */
static struct node *node_join(struct node *a, struct node *b) {
  if (!b || a == b) return node_ref(a);
  if (!a) return node_ref(b);
  if (!a->bit && !b->bit && a->key == b->key) return leaf_join(a, b);
  if (a->bit > b->bit && covers(a, b->key)) return join_below(a, b);
  if (b->bit > a->bit && covers(b, a->key)) return join_below(b, a);
  if (a->bit && a->bit == b->bit && a->key == b->key) {
    struct branch *x = branch_of(a), *y = branch_of(b);
    struct node *low = node_join(x->child[0], y->child[0]);
    struct node *high = node_join(x->child[1], y->child[1]);
    struct node *same = low == x->child[0] && high == x->child[1]   ? a
                        : low == y->child[0] && high == y->child[1] ? b
                                                                    : NULL;
    if (!same) return branch_new(a->bit, low, high);
    node_drop(low);
    node_drop(high);
    return node_ref(same);
  }
  u32 bit = 64 - (u32)__builtin_clzll(a->key ^ b->key);
  bool a_first = a->key < b->key;
  return branch_new(bit, node_ref(a_first ? a : b), node_ref(a_first ? b : a));
}

static u32 node_find(const struct node *n, u64 key, u32 slot) {
  while (n && n->bit) {
    if (!covers(n, key)) return 0;
    n = ((const struct branch *)(const void *)n)->child[side_of(n, key)];
  }
  return n && n->key == key ? leaf_at(leaf_of(n), slot) : 0;
}

/* ---- maps ---- */
struct race_map *detect_map_ref(struct race_map *m) {
  if (m) m->refs++;
  return m;
}

void detect_map_drop(struct race_map *m) {
  if (!m || --m->refs) return;
  node_drop(m->root);
  node_drop(m->rest);
  held_free(m);
}

/* Takes over root and rest. */
static struct race_map *map_new(struct node *root, struct node *rest, u32 chain, u32 version) {
  struct race_map *m = held_zeroed(1, sizeof *m);
  bool forget = rest && rest->count > REST_MAX;
  *m = (struct race_map){.refs = 1, .root = root};
  if (!chain || forget) {
    node_drop(rest);
  } else {
    m->chain = chain;
    m->version = version;
    m->rest = rest;
  }
  return m;
}

/* Items of one warp in a row become one leaf. */
static struct node *nodes_of(const struct race_item *items, u32 count) {
  struct node *root = NULL;
  for (u32 i = 0; i < count;) {
    u64 key = items[i].key >> 6, has = 0;
    u32 epochs[64];
    for (; i < count && items[i].key >> 6 == key; i++) {
      u32 slot = items[i].key & 63;
      if (!items[i].epoch || (has >> slot & 1 && epochs[slot] >= items[i].epoch)) continue;
      has |= 1ull << slot;
      epochs[slot] = items[i].epoch;
    }
    if (!has) continue;
    struct leaf *l = leaf_new(key, has);
    u32 n = 0;
    for (u64 m = has; m; m &= m - 1) {
      u32 e = l->epoch[n++] = epochs[__builtin_ctzll(m)];
      if (e > l->n.newest) l->n.newest = e;
    }
    struct node *joined = node_join(root, &l->n);
    node_drop(root);
    node_drop(&l->n);
    root = joined;
  }
  return root;
}

struct race_map *detect_map_make(const struct race_item *items, u32 count) {
  struct node *root = nodes_of(items, count);
  return root ? map_new(root, NULL, 0, 0) : NULL;
}

void detect_map_stamp(struct race_map **m, u32 chain, u32 version) {
  if ((*m)->refs > 1) {
    struct race_map *own = map_new(node_ref((*m)->root), NULL, 0, 0);
    detect_map_drop(*m);
    *m = own;
  }
  node_drop((*m)->rest);
  (*m)->rest = NULL;
  (*m)->chain = chain;
  (*m)->version = version;
}

/* Of one chain, a not before b. */
static struct race_map *join_in_chain(struct race_map *a, struct race_map *b) {
  struct node *root = node_join(a->root, b->rest);
  if (root == a->root) { /* often: b's rest has since come to the chain as well */
    node_drop(root);
    return detect_map_ref(a);
  }
  return map_new(root, node_join(a->rest, b->rest), a->chain, a->version);
}

struct race_map *detect_map_join(struct race_map *a, struct race_map *b) {
  if (!b || a == b) return detect_map_ref(a);
  if (!a) return detect_map_ref(b);
  if (a->chain && a->chain == b->chain)
    return a->version >= b->version ? join_in_chain(a, b) : join_in_chain(b, a);
  struct node *root = node_join(a->root, b->root);
  if (root == a->root || root == b->root) {
    node_drop(root);
    return detect_map_ref(root == a->root ? a : b);
  }
  /* Stay with the one whose history the other's entries are few beside. */
  const struct race_map *main = !b->chain || (a->chain && a->root->count > b->root->count) ? a : b;
  struct node *rest = node_join(main->rest, main == a ? b->root : a->root);
  return map_new(root, rest, main->chain, main->version);
}

void detect_map_add(struct race_map **to, struct race_map *from) {
  if (!from) return;
  struct race_map *joined = detect_map_join(*to, from);
  detect_map_drop(*to);
  *to = joined;
}

u32 detect_map_find(const struct race_map *m, u64 key) {
  return m ? node_find(m->root, key >> 6, key & 63) : 0;
}

bool detect_map_knows(const struct race_map *m, u32 block, u32 warp, u32 lane, u32 epoch) {
  if (!m || m->root->newest < epoch) return false;
  return detect_map_find(m, detect_key_warp(block, warp)) >= epoch ||
         detect_map_find(m, detect_key_thread(block, warp, lane)) >= epoch ||
         detect_map_find(m, detect_key_block(block)) >= epoch;
}
