/* barrier.c - barriers, collectives and loops that never end: from the machine's wait-for rows to a
 * finding in words. The machine decides that nobody can go on; here it is only told. */
#include <stdio.h>
#include <string.h>
#include "detect/parts.h"

enum { MAX_LINES = 16 };

static bool same_place(const struct vm_wait *a, const struct vm_wait *b) {
  if (a->kind != b->kind || a->pos.insn != b->pos.insn || a->barrier != b->barrier) return false;
  if (a->calls && b->calls) return vm_same_calls(a, b);
  if (!a->frame || !b->frame) return a->frame == b->frame;
  return vm_stack_id(a->frame) == vm_stack_id(b->frame);
}

static void where_of(struct detect *d, const struct vm_wait *w, struct detect_where *out) {
  struct detect_calls calls;
  detect_calls_of(w->frame, &calls);
  if (w->calls)
    detect_where_of(d, w->pos, w->calls, w->call_count, out);
  else
    detect_where_of(d, w->pos, calls.at, calls.count, out);
}

static void line_of(struct detect *d, const struct vm_wait *w, char *out, size_t size) {
  struct detect_where where;
  where_of(d, w, &where);
  detect_line_text(&where, out, size);
  size_t n = strlen(out);
  if (where.stack_count && where.stack[0].line) /* a helper's line alone says little */
    snprintf(out + n, size - n, " (called from line %u)", where.stack[0].line);
}

/* What the waiting threads execute, in CUDA's words. */
static const char *call_of(const struct vm_wait *w) {
  const struct ptx_insn *in = w->pos.insn;
  if (w->kind == VM_WAIT_WARP_SYNC) return "__syncwarp()";
  if (w->kind == VM_WAIT_BARRIER) return w->barrier ? "a named barrier" : "__syncthreads()";
  switch (in ? in->op : OP_unknown) {
  case OP_shfl: return detect_shuffle_text(in);
  case OP_vote: return "a warp vote (__ballot_sync, __all_sync, __any_sync)";
  case OP_match: return ptx_has(in, MOD_ALL) ? "__match_all_sync()" : "__match_any_sync()";
  case OP_redux: return "a warp reduction (__reduce_add_sync and its like)";
  default: return "a warp-wide operation";
  }
}

static const char *op_of(const struct vm_wait *w) {
  switch (w->kind) {
  case VM_WAIT_BARRIER: return "barrier";
  case VM_WAIT_WARP_SYNC: return "warp barrier";
  case VM_WAIT_COLLECTIVE: return "warp-wide operation";
  case VM_WAIT_EXITED: return "exit";
  case VM_SPINNING: return "spinning";
  case VM_WAIT_OTHER: return "waiting";
  case VM_RUNNING: break;
  }
  return "running";
}

/* Lanes of the warp that the launch has: a mask may well name more. */
static u32 existing(const struct detect *d, const struct vm_wait *w) {
  const u32 *b = d->launch.block;
  u64 threads = (u64)b[0] * b[1] * b[2], first = (u64)w->who.warp * VM_LANES;
  return threads >= first + VM_LANES ? ~0u : threads > first ? (1u << (threads - first)) - 1 : 0;
}

/* ---- the wait-for report ---- */
static void stands(struct detect *d, const struct vm_wait *w, struct strbuf *out) {
  char line[300];
  line_of(d, w, line, sizeof line);
  switch (w->kind) {
  case VM_WAIT_BARRIER: strbuf_printf(out, "at barrier %u, %s", w->barrier, line); break;
  case VM_WAIT_WARP_SYNC:
  case VM_WAIT_COLLECTIVE: strbuf_printf(out, "in %s, %s", call_of(w), line); break;
  case VM_WAIT_EXITED:
    strbuf_printf(out, "%s exited, %s", w->mask & (w->mask - 1) ? "have" : "has", line);
    break;
  case VM_SPINNING: strbuf_printf(out, "loop at %s", line); break;
  case VM_RUNNING:
  case VM_WAIT_OTHER: strbuf_printf(out, "stand at %s", line); break;
  }
}

/* Lanes that the members of a warp-wide operation wait for, and where those are. */
static void missing_lanes(struct detect *d, const struct vm_fault *f, const struct vm_wait *w,
                          struct strbuf *out) {
  u32 here = 0;
  for (u32 i = 0; i < f->wait_count; i++) {
    const struct vm_wait *o = &f->waits[i];
    if (o->who.warp_global == w->who.warp_global && same_place(o, w) &&
        o->member_mask == w->member_mask)
      here |= o->mask;
  }
  u32 absent = w->member_mask & ~here & existing(d, w);
  if (!absent) return;
  char lanes[200];
  detect_lanes_text(absent, lanes, sizeof lanes);
  strbuf_printf(out, "; missing: %s", lanes);
  for (u32 i = 0; i < f->wait_count; i++) {
    const struct vm_wait *o = &f->waits[i];
    if (o->who.warp_global != w->who.warp_global || !(o->mask & absent)) continue;
    detect_lanes_text(o->mask & absent, lanes, sizeof lanes);
    strbuf_printf(out, "; %s: ", lanes);
    stands(d, o, out);
  }
}

/* What a phase lacks: arrivals, bytes. */
static void at_mbarrier(const struct vm_fault *f, const struct vm_wait *w, const char *object,
                        const char *line, bool many, struct strbuf *out) {
  strbuf_printf(out, " wait%s for phase %u of the mbarrier %s at %s: %u of %u arrivals have come",
                many ? "" : "s", w->generation, object, line, w->arrived, w->expected);
  if (w->missing_bytes > 0)
    strbuf_printf(out, ", and %lld of the bytes announced with expect_tx have not been copied",
                  (long long)w->missing_bytes);
  else if (w->missing_bytes < 0)
    strbuf_printf(out, ", and %lld bytes were copied that no expect_tx had announced",
                  -(long long)w->missing_bytes);
  if (f->kind != VM_FAULT_HANG) strbuf_printf(out, "; nobody is left to bring the rest");
}

static void spinning(struct detect *d, const struct vm_fault *f, const struct vm_wait *w,
                     const char *line, struct strbuf *out) {
  char thread[96], object[160];
  detect_thread_text(&d->launch, w->who.block, w->who.warp,
                     w->mask ? (u32)__builtin_ctz(w->mask) : 0, thread, sizeof thread);
  u32 others = (u32)__builtin_popcount(w->mask);
  strbuf_printf(out, "%s", thread);
  if (others > 1) strbuf_printf(out, " and %u more", others - 1);
  if (!w->object) {
    strbuf_printf(out, " loop%s at %s and never get%s on", others > 1 ? "" : "s", line,
                  others > 1 ? "" : "s");
    return;
  }
  detect_object_text(w->object, w->offset, w->size_bytes, object, sizeof object);
  if (w->is_mbarrier) {
    at_mbarrier(f, w, object, line, others > 1, out);
    return;
  }
  strbuf_printf(out, " read%s %s over and over at %s; its value is %llu", others > 1 ? "" : "s",
                object, line, (unsigned long long)w->value);
  if (w->size_bytes == 4 && w->value >> 31 == 1) strbuf_printf(out, " (or %d)", (int)w->value);
  strbuf_printf(out, "%s", f->kind == VM_FAULT_HANG ? "" : ", and nobody left can change it");
}

/* Rows [i, j) are warps side by side that do the same. */
static u32 run_end(const struct vm_fault *f, u32 i) {
  const struct vm_wait *a = &f->waits[i];
  u32 j = i + 1;
  for (; j < f->wait_count; j++) {
    const struct vm_wait *b = &f->waits[j];
    if (b->who.block != a->who.block || b->who.warp != a->who.warp + (j - i) || !same_place(a, b))
      break;
    if (b->mask != a->mask || b->member_mask != a->member_mask || b->barrier != a->barrier ||
        a->kind == VM_SPINNING)
      break;
  }
  return j;
}

static void report_row(struct detect *d, const struct vm_fault *f, u32 i, u32 j,
                       struct strbuf *out) {
  const struct vm_wait *w = &f->waits[i];
  char block[64], lanes[200], line[300];
  line_of(d, w, line, sizeof line);
  if (w->kind == VM_SPINNING) {
    spinning(d, f, w, line, out);
    return;
  }
  detect_block_text(&d->launch, w->who.block, block, sizeof block);
  detect_lanes_text(w->mask, lanes, sizeof lanes);
  if (j - i > 1)
    strbuf_printf(out, "%s warps %u-%u ", block, w->who.warp, w->who.warp + (j - i) - 1);
  else
    strbuf_printf(out, "%s warp %u ", block, w->who.warp);
  bool whole = w->mask == existing(d, w);
  if (!whole) strbuf_printf(out, "%s ", lanes);
  bool one = j - i == 1 && (whole || !(w->mask & (w->mask - 1)));
  const char *s = one ? "s" : "";
  switch (w->kind) {
  case VM_WAIT_BARRIER:
    strbuf_printf(out, "wait%s at barrier %u, %s", s, w->barrier, line);
    if (w->barrier) /* whole warps arrive at __syncthreads(), barrier 0: a count says nothing there
                       about who stands where */
      strbuf_printf(out, " (%u of %u threads have arrived)", w->arrived, w->expected);
    break;
  case VM_WAIT_WARP_SYNC:
  case VM_WAIT_COLLECTIVE:
    strbuf_printf(out, "wait%s at %s in %s with mask 0x%08x", s, line, call_of(w), w->member_mask);
    missing_lanes(d, f, w, out);
    break;
  case VM_WAIT_EXITED: strbuf_printf(out, "%s exited at %s", one ? "has" : "have", line); break;
  default: strbuf_printf(out, "stand%s at %s", s, line); break;
  }
}

static const char *wait_report(struct detect *d, const struct vm_fault *f) {
  struct strbuf out = {0};
  u32 lines = 0, i = 0;
  while (i < f->wait_count && lines < MAX_LINES) {
    u32 j = run_end(f, i);
    report_row(d, f, i, j, &out);
    strbuf_printf(&out, "\n");
    lines++;
    i = j;
  }
  if (i < f->wait_count)
    strbuf_printf(&out, "... and %u more groups of threads\n", f->wait_count - i);
  while (out.n && out.p[out.n - 1] == '\n') out.n--;
  const char *text = out.n ? str_copy(d->keep, (str){out.p, out.n}).p : "";
  strbuf_free(&out);
  return text;
}

/* ---- accesses: the different places where threads stand, those that wait first ---- */
static void add_place(struct detect *d, struct finding *f, const struct vm_wait *w) {
  struct detect_where where;
  where_of(d, w, &where);
  u32 n = (u32)__builtin_popcount(w->mask);
  for (u32 i = 0; i < f->access_count; i++) {
    struct finding_access *a = &f->accesses[i];
    if (a->line == where.line && strcmp(a->file, where.file) == 0 && strcmp(a->op, op_of(w)) == 0) {
      a->others += n;
      return;
    }
  }
  if (f->access_count == COUNT_OF(f->accesses)) return;
  struct finding_access *a = &f->accesses[f->access_count++];
  detect_access_at(d, a, op_of(w), w->who.block, w->who.warp,
                   w->mask ? (u32)__builtin_ctz(w->mask) : 0, &where);
  a->others = n ? n - 1 : 0;
}

static void add_places(struct detect *d, struct finding *f, const struct vm_fault *v) {
  for (u32 i = 0; i < v->wait_count; i++)
    if (v->waits[i].kind != VM_WAIT_EXITED) add_place(d, f, &v->waits[i]);
  for (u32 i = 0; i < v->wait_count; i++)
    if (v->waits[i].kind == VM_WAIT_EXITED) add_place(d, f, &v->waits[i]);
  if (f->access_count) return;
  f->access_count = 1;
  detect_access_in(d, &f->accesses[0], "running", &v->who, v->mask, v->frame, v->pos);
}

/* ---- messages ---- */
static const struct vm_wait *first_of(const struct vm_fault *f, enum vm_wait_kind kind) {
  for (u32 i = 0; i < f->wait_count; i++)
    if (f->waits[i].kind == kind) return &f->waits[i];
  return NULL;
}

/* Of barriers: the places at the first one's number. */
static u32 places_of(struct detect *d, const struct vm_fault *f, enum vm_wait_kind kind,
                     struct strbuf *out) {
  u32 n = 0;
  const struct vm_wait *first = first_of(f, kind);
  for (u32 i = 0; i < f->wait_count; i++) {
    const struct vm_wait *w = &f->waits[i];
    bool seen = w->kind != kind || w->barrier != first->barrier;
    for (u32 j = 0; j < i && !seen; j++) seen = same_place(&f->waits[j], w);
    if (seen) continue;
    u32 threads = 0;
    char line[300];
    for (u32 j = i; j < f->wait_count; j++)
      if (same_place(&f->waits[j], w)) threads += (u32)__builtin_popcount(f->waits[j].mask);
    line_of(d, w, line, sizeof line);
    if (n < 4) strbuf_printf(out, "%s%u at %s", n ? ", " : "", threads, line);
    n++;
  }
  return n;
}

static void say_barrier(struct detect *d, const struct vm_fault *v, struct strbuf *m) {
  char block[64];
  detect_block_text(&d->launch, v->who.block, block, sizeof block);
  if (first_of(v, VM_WAIT_EXITED)) {
    strbuf_printf(m, "Threads of %s wait at __syncthreads() (", block);
    places_of(d, v, VM_WAIT_BARRIER, m);
    strbuf_printf(m, "), but others of the block have left the kernel (");
    places_of(d, v, VM_WAIT_EXITED, m);
    strbuf_printf(m, ") and never reach it.");
    return;
  }
  strbuf_printf(m, "All threads of %s wait at a __syncthreads(), but not at the same one: ", block);
  places_of(d, v, VM_WAIT_BARRIER, m);
  strbuf_printf(m, ". A barrier must be the same for every thread of the block.");
}

static void say_collective(struct detect *d, const struct vm_fault *v, const struct vm_wait *w,
                           struct strbuf *m) {
  char lanes[200], missing[200], block[64];
  u32 absent = w->member_mask & existing(d, w);
  for (u32 i = 0; i < v->wait_count; i++)
    if (v->waits[i].who.warp_global == w->who.warp_global && same_place(&v->waits[i], w))
      absent &= ~v->waits[i].mask;
  detect_lanes_text(w->mask, lanes, sizeof lanes);
  detect_lanes_text(absent, missing, sizeof missing);
  detect_block_text(&d->launch, w->who.block, block, sizeof block);
  strbuf_printf(m, "In %s, warp %u, %s wait%s in %s for all lanes of the mask 0x%08x", block,
                w->who.warp, lanes, w->mask & (w->mask - 1) ? "" : "s", call_of(w), w->member_mask);
  if (absent)
    strbuf_printf(m, ", but %s never come%s.", missing, absent & (absent - 1) ? "" : "s");
  else
    strbuf_printf(m, ", but not all of them with the same mask.");
}

/* Who spins waits for somebody; where that is not among those who wait, it is in one of these. */
static void other_blocks(const struct detect *d, const struct vm_fault *v, struct strbuf *m) {
  u32 all = d->launch.block_count;
  const char *of = all == 1 ? "block" : "blocks";
  if (v->blocks_ended)
    strbuf_printf(m, " %u of the %u %s %s ended.", v->blocks_ended, all, of,
                  v->blocks_ended == 1 ? "has" : "have");
  if (v->blocks_to_come)
    strbuf_printf(m, " %u of the %u %s cannot begin before another block ends.", v->blocks_to_come,
                  all, of);
}

static void say_deadlock(struct detect *d, const struct vm_fault *v, struct strbuf *m) {
  const struct vm_wait *w = first_of(v, VM_WAIT_COLLECTIVE), *spin = first_of(v, VM_SPINNING);
  if (!w) w = first_of(v, VM_WAIT_WARP_SYNC);
  if (w && !spin) {
    say_collective(d, v, w, m);
  } else if (spin) {
    char line[300];
    line_of(d, spin, line, sizeof line);
    strbuf_printf(m, "Nobody can go on: ");
    spinning(d, v, spin, line, m);
    strbuf_printf(m, ".");
    other_blocks(d, v, m);
  } else if ((w = first_of(v, VM_WAIT_BARRIER))) {
    strbuf_printf(m, "Nobody can go on: %u of %u threads have arrived at barrier %u (", w->arrived,
                  w->expected, w->barrier);
    places_of(d, v, VM_WAIT_BARRIER, m);
    strbuf_printf(m, "), and the others never come.");
  } else {
    strbuf_printf(m, "Nobody can go on: %s.", v->text);
  }
}

static const char *advise(const struct vm_fault *v) {
  const struct vm_wait *barrier = first_of(v, VM_WAIT_BARRIER);
  bool exited = first_of(v, VM_WAIT_EXITED);
  const struct vm_wait *w = first_of(v, VM_WAIT_COLLECTIVE);
  if (!w) w = first_of(v, VM_WAIT_WARP_SYNC);
  if (v->kind == VM_FAULT_HANG)
    return "Look for a loop whose end condition never becomes true; more work needs more steps.";
  if (first_of(v, VM_SPINNING) && first_of(v, VM_SPINNING)->is_mbarrier)
    return "Compare the count given to mbarrier.init with who arrives in each phase, expect_tx "
           "with "
           "the bytes that are copied, and the parity that is waited for with the phase.";
  if (first_of(v, VM_SPINNING))
    return "Find who should change that value, and why it cannot: it has left, it waits itself, or "
           "it is not running yet.";
  if (w && exited)
    return "Move the call out of the branch, and let lanes without work stay until the last "
           "warp-wide operation; or leave them out of the mask.";
  if (w && w->kind == VM_WAIT_WARP_SYNC)
    return "Every lane named in the mask must come to a __syncwarp() with that same mask: move it "
           "out of the branch, or name only the lanes that come.";
  if (w)
    return "Every lane named in the mask must execute the very same call: move it out of the "
           "branch, or name only the lanes that take part.";
  if (barrier && barrier->barrier)
    return "A named barrier opens when as many threads have come to it as it was given, those that "
           "wait and those that only arrive. Find who should come to this one and does not, and "
           "whether the count is that of all who do.";
  if (barrier && exited)
    return "Move the barrier out of the branch or loop, and let no thread return in front of it: "
           "threads without work skip the work, not the barrier.";
  return "Move __syncthreads() out of the branch or loop, so that every thread of the block "
         "executes the same one.";
}

static void on_fault(void *self, const struct vm_fault *v) {
  struct detect *d = self;
  enum verdict_kind kind;
  enum severity severity = SEVERITY_ERROR;
  bool collective = first_of(v, VM_WAIT_COLLECTIVE) || first_of(v, VM_WAIT_WARP_SYNC);
  struct strbuf m = {0};
  switch (v->kind) {
  case VM_FAULT_BARRIER: kind = V_BARRIER; break;
  case VM_FAULT_DEADLOCK: kind = V_DEADLOCK; break;
  case VM_FAULT_HANG: kind = V_HANG; break;
  case VM_FAULT_EXITED:
    kind = collective ? V_DEADLOCK : V_BARRIER;
    severity = detect_severity(&d->policy, CASE_EXITED);
    break;
  default: return;
  }
  if (kind == V_HANG)
    strbuf_printf(&m, "The kernel did not end within its budget of steps.");
  else if (kind == V_BARRIER)
    say_barrier(d, v, &m);
  else
    say_deadlock(d, v, &m);
  struct finding *f = detect_finding(d, kind, severity);
  add_places(d, f, v);
  f->message = str_copy(d->keep, (str){m.p, m.n}).p;
  strbuf_free(&m);
  f->suggestion = advise(v);
  f->waits = wait_report(d, v);
  const struct vm_wait *spin = first_of(v, VM_SPINNING);
  if (spin && spin->object) detect_object_at(d, f, spin->object, spin->offset, spin->size_bytes);
  detect_add(d, f);
}

void *detect_barrier_create(struct detect *d, struct vm_observer *hooks) {
  hooks->fault = on_fault;
  return d;
}
