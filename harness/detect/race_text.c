/* race_text.c - what to say about two accesses that nothing orders: one finding for each cause.
 * Whether they race was decided in cell.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "detect/race.h"

enum { PAIRS_MAX = 1024 };

struct tale { /* the conflict in words */
  const struct race_conflict *c;
  char earlier[96], later[96], object[160];
  bool wrote_first, writes_now, same_block, same_warp, same_thread;
  enum race_hint hint;
  struct race_seen seen;
};

/* ---- pieces ---- */
static const char *verb(u8 flags) {
  bool read = flags & ENTRY_READ, write = flags & ENTRY_WRITE;
  return read && write ? "changed" : write ? "wrote" : "read";
}

static const char *manner(u8 flags) {
  if (flags & ENTRY_VOLATILE) return " (volatile)";
  return flags & ENTRY_STRONG ? " atomically" : "";
}

static u8 flags_now(const struct race_lane_access *x) {
  u32 f = (x->reads ? ENTRY_READ : 0u) | (x->writes ? ENTRY_WRITE : 0u) |
          (x->strong ? ENTRY_STRONG : 0u);
  if (x->a->sem == VM_VOLATILE) f |= ENTRY_VOLATILE;
  return (u8)f;
}

static void missing(const struct tale *t, struct strbuf *out) {
  if (t->c->is_copy)
    strbuf_printf(out,
                  "the asynchronous copy runs on its own until it is waited for, and no wait%s "
                  "lies between them",
                  t->same_thread ? "" : ", with a barrier after it,");
  else if (t->c->same_instruction)
    strbuf_printf(
        out, "it is the same store, executed by both at once, and which value stays is chance");
  else if (t->same_warp)
    strbuf_printf(out, "no __syncthreads() or __syncwarp() that both take part in lies between "
                       "them, and the lanes of a warp do not run in lock step");
  else if (t->same_block)
    strbuf_printf(out, "no __syncthreads() lies between them");
  else
    strbuf_printf(out,
                  "they are in different blocks, and __syncthreads() does not reach across blocks");
}

static const char *named_line(struct race *r, u32 site, char *out, size_t size) {
  if (site)
    detect_line_text(detect_site_where(r, site), out, size);
  else
    snprintf(out, size, "an unknown line");
  return out;
}

static void hint_text(struct race *r, const struct tale *t, struct strbuf *out) {
  char a[300], b[300];
  if (t->hint == HINT_NONE || t->hint == HINT_FENCE_ALONE) return;
  named_line(r, t->seen.writer_site, a, sizeof a);
  named_line(r, t->seen.reader_site, b, sizeof b);
  if (t->hint == HINT_NO_ACQUIRE)
    strbuf_printf(
        out,
        " The second thread did see the signal (%s), but between that and this access it has no "
        "__threadfence() that would make the earlier work visible.",
        b);
  else if (t->hint == HINT_NO_RELEASE)
    strbuf_printf(
        out,
        " The signal that the second thread saw was given at %s, with no __threadfence() between "
        "the work and the signal.",
        a);
  else
    strbuf_printf(
        out,
        " The signal given at %s and seen at %s has a scope that does not reach from one thread to "
        "the other.",
        a, b);
}

static void say_mixed(const struct tale *t, struct strbuf *out) {
  bool a = t->c->flags & ENTRY_STRONG, b = t->c->x->strong;
  if (a == b) return;
  strbuf_printf(out,
                " One of the two is %s: that protects it only against accesses of its kind, not "
                "against plain ones.",
                (a ? t->c->flags : flags_now(t->c->x)) & ENTRY_VOLATILE ? "volatile" : "atomic");
}

/* ---- message ---- */
static void say_unordered(struct race *r, const struct tale *t, struct strbuf *out) {
  const struct race_conflict *c = t->c;
  u8 now = flags_now(c->x);
  if (c->policy == CASE_SAME_VALUE)
    strbuf_printf(out, "%s and %s both wrote the same value to %s without order: ", t->earlier,
                  t->later, t->object);
  else if (t->wrote_first && t->writes_now && !(now & ENTRY_READ) && !(c->flags & ENTRY_STRONG))
    strbuf_printf(out, "%s and %s both wrote %s, and nothing orders them: ", t->earlier, t->later,
                  t->object);
  else
    strbuf_printf(out, "%s %s %s%s and %s %s it%s, and nothing orders the two: ", t->earlier,
                  verb(c->flags), t->object, manner(c->flags), t->later,
                  !t->wrote_first && !(now & ENTRY_STRONG) ? "overwrote" : verb(now), manner(now));
  missing(t, out);
  strbuf_printf(out, ".");
  if (c->policy == CASE_SAME_VALUE) {
    strbuf_printf(out,
                  " The outcome is the same whoever is last, but the language calls it a race.");
    return;
  }
  if (c->policy == CASE_VOLATILE) {
    strbuf_printf(out, " Volatile accesses behave like relaxed atomics here: no error, but they "
                       "order no other memory.");
    return;
  }
  say_mixed(t, out);
  hint_text(r, t, out);
}

static const char *message(struct race *r, const struct tale *t) {
  struct strbuf out = {0};
  const struct race_conflict *c = t->c;
  switch (c->why) {
  case WHY_UNORDERED: say_unordered(r, t, &out); break;
  case WHY_SCOPE:
    strbuf_printf(&out,
                  "%s and %s both access %s atomically, but at least one of them with a scope that "
                  "does not reach the "
                  "other's block: for the other it is a plain access.",
                  t->earlier, t->later, t->object);
    break;
  case WHY_EXTENT:
    strbuf_printf(&out,
                  "%s and %s access %s atomically but with different sizes or starts: such "
                  "accesses are not atomic "
                  "towards each other, and nothing orders them.",
                  t->earlier, t->later, t->object);
    break;
  case WHY_READONLY:
    strbuf_printf(&out,
                  "%s %s %s and %s %s it in the same launch, but the read goes through the "
                  "read-only cache, which "
                  "may hold an old value whatever the order.",
                  t->earlier, t->wrote_first ? "wrote" : "read", t->object, t->later,
                  t->wrote_first ? "read" : "wrote");
    break;
  case WHY_PROXY:
    strbuf_printf(&out,
                  "%s wrote %s, and %s issued a bulk copy that %s it. Bulk copies go through the "
                  "async proxy: %s ordinary stores only across a fence.proxy.async, and none "
                  "lies between the two.%s",
                  t->earlier, t->object, t->later, t->writes_now ? "overwrites" : "reads",
                  t->writes_now ? "they come after" : "they see",
                  c->policy == CASE_LIBRARY ? " The copy stands in the toolkit's memcpy_async()."
                                            : "");
    break;
  }
  const char *text = str_copy(r->d->keep, (str){out.p, out.n}).p;
  strbuf_free(&out);
  return text;
}

/* ---- suggestion: the single most useful one ---- */
static const char *advise_block(const struct tale *t) {
  if (t->wrote_first && !t->writes_now)
    return t->same_warp ? "Put a barrier between the write and the read: __syncthreads() where "
                          "every thread of the block reaches it; "
                          "__syncwarp() is enough only if no other warp ever touches this variable."
                        : "Put __syncthreads() between the write and the read, where every thread "
                          "of the block reaches it. If one "
                          "stands there already, the write belongs to the next round or call: the "
                          "missing barrier is the one after the read.";
  if (!t->wrote_first)
    return t->same_warp ? "Put a barrier between the read and the next write: __syncthreads() "
                          "where every thread of the block reaches it; "
                          "__syncwarp() is enough only if no other warp ever touches this "
                          "variable. A loop that writes, reads and writes "
                          "again needs two in each round."
                        : "Put __syncthreads() between the read and the next write; a loop that "
                          "writes, reads and writes again needs "
                          "a second barrier in each round.";
  return t->same_warp ? "Give each lane an element of its own, or let one lane write, or put a "
                        "barrier between the writes."
                      : "Give each thread an element of its own, or use an atomic, or put "
                        "__syncthreads() between the writes.";
}

/* x += 1: the read and the write of one location by the same statement, through the same address.
 */
static bool is_update(const struct race *r, const struct race_conflict *c) {
  const struct race_site *a = &r->sites[c->site], *b = &r->sites[c->x->site];
  const struct ptx_insn *p = a->pos.insn, *q = b->pos.insn;
  if (!p || !q || p == q || a->pos.func != b->pos.func || a->stack != b->stack) return false;
  const struct ptx_insn *load = p->op == OP_ld ? p : q, *store = p->op == OP_ld ? q : p;
  if (load->op != OP_ld || store->op != OP_st || load->operand_count < 2 ||
      store->operand_count < 2)
    return false;
  const struct ptx_operand *from = &load->operands[1], *to = &store->operands[0];
  const struct ptx_module *m = r->d->launch.module;
  return from->is_addr && to->is_addr && from->kind == to->kind && from->index == to->index &&
         from->imm == to->imm && load->loc >= 0 && store->loc >= 0 &&
         m->locs[load->loc].line == m->locs[store->loc].line &&
         m->locs[load->loc].file == m->locs[store->loc].file;
}

static const char *advise(const struct race *r, const struct tale *t) {
  const struct race_conflict *c = t->c;
  if (c->why == WHY_PROXY)
    return "After the stores let each thread execute fence.proxy.async (fence_proxy_async), then a "
           "barrier, then issue the copy.";
  if (c->is_copy)
    return "Wait for the copy (__pipeline_wait_prior(), cp.async.wait_group or its mbarrier); "
           "where other threads use the data, "
           "put a barrier after the wait.";
  if (c->policy == CASE_VOLATILE)
    return "An atomic (cuda::atomic_ref or atomicAdd) does it in one step and says so.";
  if (c->why == WHY_SCOPE)
    return "Use device scope on both sides: atomicAdd instead of atomicAdd_block, "
           "thread_scope_device.";
  if (c->why == WHY_EXTENT) return "Access the location with one type everywhere.";
  if (c->why == WHY_READONLY)
    return "Read it with a plain load: no __ldg() and no const __restrict__ for data that the "
           "kernel also writes.";
  if (c->same_instruction)
    return "Let one thread store (if (threadIdx.x == 0) ...), give each thread an element of its "
           "own, or use an atomic.";
  if (is_update(r, c))
    return "The statement reads, changes and writes back, and another thread gets in between: use "
           "an atomic, such as "
           "atomicAdd(), that does all of it in one step.";
  if (t->hint == HINT_NO_ACQUIRE)
    return "Put __threadfence() after the read that saw the signal, before using the data.";
  if (t->hint == HINT_NO_RELEASE)
    return "Put __threadfence() after writing the data, before giving the signal.";
  if (t->hint == HINT_SCOPE)
    return "Use device scope for the signal and for both fences: __threadfence(), not "
           "__threadfence_block().";
  if (c->x->strong != ((c->flags & ENTRY_STRONG) != 0) && !t->same_block)
    return "Make both accesses atomic, or order them: a flag with __threadfence() on both sides, "
           "or a second launch.";
  if (t->same_block) return advise_block(t);
  if (t->hint == HINT_FENCE_ALONE)
    return "A fence helps in the thread that sees the signal, before the barrier of its block, and "
           "in the one that gives the signal, after the barrier of its block: put __threadfence() "
           "there.";
  return "Use an atomic, or a flag with __threadfence() on both sides, or split the kernel in two "
         "launches.";
}

/* ---- the finding ---- */
static void tell(struct race *r, const struct race_conflict *c, struct tale *t) {
  const struct race_lane_access *x = c->x;
  const struct vm_launch_info *l = &r->d->launch;
  u32 block = c->warp / r->warps_per_block;
  *t = (struct tale){.c = c, .wrote_first = c->flags & ENTRY_WRITE, .writes_now = x->writes};
  t->same_block = block == x->v.b->block;
  t->same_warp = c->warp == x->v.warp_global;
  t->same_thread = t->same_warp && c->lane == x->v.lane;
  detect_thread_text(l, block, c->warp % r->warps_per_block, c->lane, t->earlier,
                     sizeof t->earlier);
  detect_thread_text(l, x->v.b->block, x->v.warp, x->v.lane, t->later, sizeof t->later);
  t->earlier[0] = 'T';
  detect_object_text(x->s->object, c->offset, x->a->size_bytes, t->object, sizeof t->object);
  if (c->why == WHY_UNORDERED && c->policy == CASE_RACE)
    t->hint = detect_message_hint(x, c->warp, c->lane, c->epoch, &t->seen);
}

/* A copy is named by the thread that issued it. */
static struct race_conflict with_issuer(const struct race *r, const struct race_conflict *c) {
  struct race_conflict out = *c;
  const struct race_copy *copy = detect_async_find(r, c->warp);
  if (!copy) return out;
  out.warp = copy->warp;
  out.lane = copy->lane;
  out.more = 0;
  out.is_copy = true;
  return out;
}

static struct finding *make(struct race *r, const struct race_conflict *c) {
  const struct race_lane_access *x = c->x;
  struct finding *f = detect_finding(r->d, V_RACE, detect_severity(&r->d->policy, c->policy));
  struct tale t;
  tell(r, c, &t);
  detect_object_at(r->d, f, x->s->object, c->offset, x->a->size_bytes);
  struct finding_access *first = &f->accesses[0], *second = &f->accesses[1];
  f->access_count = 2;
  detect_access_at(r->d, first, r->sites[c->site].op, c->warp / r->warps_per_block,
                   c->warp % r->warps_per_block, c->lane, detect_site_where(r, c->site));
  first->others = c->more;
  detect_access_at(r->d, second, r->sites[x->site].op, x->v.b->block, x->v.warp, x->v.lane,
                   detect_site_where(r, x->site));
  if (x->writes && x->a->value && x->a->size_bytes <= 8) {
    memcpy(&second->value, x->a->value + x->v.lane * x->a->size_bytes, x->a->size_bytes);
    second->has_value = true;
  }
  f->message = message(r, &t);
  f->suggestion = advise(r, &t);
  if (t.same_warp && !c->same_instruction) {
    t.same_warp = false;
    r->wide = held_grow(r->wide, &r->wide_cap, r->wide_count + 1u, sizeof *r->wide);
    r->wide[r->wide_count++] = (struct race_wide){f, message(r, &t), advise(r, &t)};
  }
  return f;
}

/* The same cause concerns threads of different warps too: then __syncwarp() would not mend it. */
static void widen(struct race *r, const struct race_conflict *c, const struct finding *f) {
  if (c->warp == c->x->v.warp_global) return;
  for (u32 i = 0; i < r->wide_count; i++)
    if (r->wide[i].finding == f) {
      r->wide[i].finding->message = r->wide[i].message;
      r->wide[i].finding->suggestion = r->wide[i].suggestion;
      r->wide[i] = r->wide[--r->wide_count];
      return;
    }
}

void detect_conflict(struct race *r, const struct race_conflict *c) {
  u64 h = str_hash(str_of(c->x->s->object->name ? c->x->s->object->name : ""));
  u64 key = (h ^ (u64)c->site << 32 ^ c->x->site) * 0x9e3779b97f4a7c15ull;
  key ^= (u64)c->why << 8 | (u64)c->policy << 4 | (c->flags & 3u) << 1 | c->same_instruction;
  if (r->current && r->current_key == key) {
    widen(r, c, r->current);
    u32 bit = 1u << c->x->v.lane;
    if (r->current_lanes & bit)
      r->current->repeats++;
    else
      r->current->accesses[1].others++;
    r->current_lanes |= bit;
    return;
  }
  for (u32 i = r->pair_count; i-- > 0;)
    if (r->pairs[i].key == key) {
      widen(r, c, r->pairs[i].finding);
      if (r->pairs[i].finding)
        r->pairs[i].finding->repeats++;
      else
        r->d->dropped++;
      return;
    }
  if (r->pair_count == PAIRS_MAX) {
    r->d->dropped++;
    return;
  }
  struct race_conflict named = with_issuer(r, c);
  struct finding *f = make(r, &named), *stands = detect_add(r->d, f);
  if (stands != f) widen(r, c, stands);
  r->pairs = held_grow(r->pairs, &r->pair_cap, r->pair_count + 1u, sizeof *r->pairs);
  r->pairs[r->pair_count++] = (struct race_pair){key, stands};
  r->current = stands == f ? f : NULL;
  r->current_key = key;
  r->current_lanes = 1u << c->x->v.lane;
}

void detect_conflict_done(struct race *r) { r->current = NULL; }
