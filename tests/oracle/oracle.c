/* oracle.c - see oracle.h. The order of the rules is that of PTX ISA 8.7 to 8.10. */
#include <inttypes.h>
#include <string.h>
#include "oracle/oracle.h"

/* ---- threads ---- */
/* Threads that never act are no events: at barriers they bring and take nothing. */
static i32 known_thread(const struct oracle *o, u32 warp_global, u32 lane) {
  for (u32 t = 0; t < o->thread_count; t++)
    if (o->ids[t] == warp_global * VM_LANES + lane) return (i32)t;
  return -1;
}

static u32 thread_of(const struct oracle *o, u32 warp_global, u32 lane) {
  i32 t = known_thread(o, warp_global, lane);
  if (t < 0) BUG("lane %u of warp %u should not act", lane, warp_global);
  return (u32)t;
}

u32 oracle_block(const struct oracle *o, u32 thread) {
  return o->ids[thread] / VM_LANES / o->launch.warps_per_block;
}

static u32 cluster_of(const struct oracle *o, u32 block) { /* one-dimensional grids */
  return block / (o->launch.cluster[0] ? o->launch.cluster[0] : 1);
}

/* Does the scope of an operation by `from` include thread `to`? (8.5) */
static bool includes(const struct oracle *o, enum vm_scope s, u32 from, u32 to) {
  u32 a = oracle_block(o, from), b = oracle_block(o, to);
  switch (s) {
  case VM_SCOPE_CTA: return a == b;
  case VM_SCOPE_CLUSTER: return cluster_of(o, a) == cluster_of(o, b);
  default: return true;
  }
}

static bool scopes_meet(const struct oracle *o, const struct oracle_event *a,
                        const struct oracle_event *b) {
  return includes(o, a->scope, a->thread, b->thread) && includes(o, b->scope, b->thread, a->thread);
}

static bool same_extent(const struct oracle_event *a, const struct oracle_event *b) {
  return a->object == b->object && a->offset == b->offset && a->size == b->size;
}

/* 8.7: both strong, scopes that include each other, complete overlap. Of one thread: always. */
static bool morally_strong(const struct oracle *o, const struct oracle_event *a,
                           const struct oracle_event *b) {
  return a->strong && b->strong && same_extent(a, b) &&
         (a->thread == b->thread || scopes_meet(o, a, b));
}

static void join(u32 *to, const u32 *from) {
  for (u32 t = 0; t < ORACLE_THREADS; t++)
    if (from[t] > to[t]) to[t] = from[t];
}

static struct oracle_event *new_event(struct oracle *o, u32 thread) {
  if (o->event_count == ORACLE_EVENTS) BUG("more than %u events", ORACLE_EVENTS);
  struct oracle_event *e = &o->events[o->event_count++];
  *e = (struct oracle_event){.thread = thread, .own = ++o->count[thread], .saw = -1};
  o->clock[thread][thread] = e->own;
  return e;
}

static u32 line_of(const struct oracle *o, struct vm_code_pos pos) {
  str file;
  u32 line = 0;
  if (pos.insn && pos.insn->loc >= 0) ptx_where(o->launch.module, pos.insn->loc, &file, &line);
  return line;
}

/* ---- memory ---- */
static i32 *writers_of(struct oracle *o, const struct vm_object *object) {
  for (u32 i = 0; i < o->memory_count; i++)
    if (o->memory[i].object == object) return o->memory[i].writer;
  if (o->memory_count == ORACLE_OBJECTS) BUG("more than %u objects", ORACLE_OBJECTS);
  i32 *w = NEWN(o->keep, i32, object->size_bytes);
  for (u64 i = 0; i < object->size_bytes; i++) w[i] = -1;
  o->memory[o->memory_count++] = (struct oracle_memory){
      object, str_copy(o->keep, str_of(object->name)).p, object->size_bytes, w};
  return w;
}

static void set_writer(struct oracle *o, u32 event) {
  const struct oracle_event *e = &o->events[event];
  i32 *w = writers_of(o, e->object);
  for (u32 i = 0; i < e->size; i++) w[e->offset + i] = (i32)event;
}

/* The one write that all bytes come from, if it and the read are morally strong. */
static i32 observed(struct oracle *o, const struct oracle_event *e) {
  const i32 *w = writers_of(o, e->object) + e->offset;
  for (u32 i = 1; i < e->size; i++)
    if (w[i] != w[0]) return -1;
  return w[0] >= 0 && morally_strong(o, &o->events[w[0]], e) ? w[0] : -1;
}

/* Observation order (8.9.2) goes back from a read through read-modify-writes. */
static i32 before_in_chain(const struct oracle *o, i32 write) {
  const struct oracle_event *w = &o->events[write];
  return w->reads ? w->saw : -1;
}

/* ---- synchronizes (8.8, 8.9.4) ---- */
/* A release pattern that ends with write w may begin with f. */
static bool begins_release(const struct oracle_event *f, const struct oracle_event *w) {
  if (f->thread != w->thread || f->own > w->own || !f->releases) return false;
  return f->is_fence ? f->own < w->own : f->writes && same_extent(f, w);
}

/* Acquire pattern: strong read r, and `last`, an acquire operation on the same location (maybe r
 * itself) or a fence after it. */
static void acquire_through(struct oracle *o, const struct oracle_event *r,
                            const struct oracle_event *last) {
  for (i32 w = r->saw; w >= 0; w = before_in_chain(o, w))
    for (u32 i = 0; i < o->event_count; i++) {
      const struct oracle_event *f = &o->events[i];
      if (begins_release(f, &o->events[w]) && scopes_meet(o, f, last))
        join(o->clock[last->thread], f->clock);
    }
}

static void acquire(struct oracle *o, const struct oracle_event *last) {
  for (u32 i = 0; i < o->event_count; i++) {
    const struct oracle_event *r = &o->events[i];
    if (r->thread != last->thread || r->own > last->own) continue;
    if (!r->reads || !r->strong || r->is_red || r->is_fence) continue;
    if (last->is_fence || same_extent(r, last)) acquire_through(o, r, last);
  }
}

/* ---- causality (8.9.5) and races (8.7.1) ---- */
bool oracle_is_before(const struct oracle_event *x, const struct oracle_event *y) {
  return y->clock[x->thread] >= x->own;
}

/* Some read observed x, and comes before y. */
static bool is_seen_before(const struct oracle *o, u32 x, const struct oracle_event *y) {
  for (u32 i = 0; i < o->event_count; i++) {
    const struct oracle_event *z = &o->events[i];
    if (z == y || !z->reads || !oracle_is_before(z, y)) continue;
    for (i32 w = z->saw; w >= 0; w = before_in_chain(o, w))
      if ((u32)w == x) return true;
  }
  return false;
}

static bool is_ordered(const struct oracle *o, u32 x, const struct oracle_event *y) {
  return oracle_is_before(&o->events[x], y) || is_seen_before(o, x, y);
}

/* On one device the whole system reaches no farther than the device. */
static bool same_reach(enum vm_scope a, enum vm_scope b) {
  return a == b || (a >= VM_SCOPE_GPU && b >= VM_SCOPE_GPU);
}

/* n is a strong write to the same location, as strong as e, that coherence puts after it: by the
 * same thread, or a read-modify-write of the same block that observed e. */
static bool coherence_puts_after(const struct oracle *o, u32 n, u32 e) {
  const struct oracle_event *a = &o->events[e], *b = &o->events[n];
  if (!b->strong || !b->writes || !same_extent(a, b) || !same_reach(a->scope, b->scope))
    return false;
  if (a->thread == b->thread) return b->own > a->own;
  if (oracle_block(o, a->thread) != oracle_block(o, b->thread)) return false;
  for (i32 w = b->reads ? b->saw : -1; w >= 0; w = before_in_chain(o, w))
    if ((u32)w == e) return true;
  return false;
}

static bool is_excused(const struct oracle *o, u32 x, const struct oracle_event *y) {
  for (u32 n = x + 1; o->events[x].strong && &o->events[n] < y; n++)
    if (coherence_puts_after(o, n, x) && (is_ordered(o, n, y) || is_excused(o, n, y))) return true;
  return false;
}

static void check(struct oracle *o, u32 second) {
  const struct oracle_event *y = &o->events[second];
  for (u32 x = 0; x < second; x++) {
    const struct oracle_event *e = &o->events[x];
    if (e->is_fence || e->thread == y->thread || e->object != y->object) continue;
    if (!(e->writes || y->writes)) continue;
    if (e->offset >= y->offset + y->size || y->offset >= e->offset + e->size) continue;
    bool strong = morally_strong(o, e, y), is_volatile = strong && e->is_volatile && y->is_volatile;
    if ((strong && !is_volatile) || is_ordered(o, x, y)) continue;
    if (o->race_count == ORACLE_RACES) BUG("more than %u races", ORACLE_RACES);
    o->races[o->race_count++] = (struct oracle_race){x, second, is_excused(o, x, y), is_volatile};
  }
}

/* ---- the machine's events ---- */
/* Elements of a vector are accesses of their own (8.2.2). */
static u32 element_size(const struct vm_access *a) {
  const struct ptx_insn *in = a->pos.insn;
  u32 n = in && in->type_count ? ptx_type_bytes((enum ptx_type)in->types[in->type_count - 1]) : 0;
  return n && in && ptx_has(in, MOD_V2) ? n : a->size_bytes;
}

i32 oracle_source(const struct oracle *o, const struct oracle_event *read, u32 within) {
  u64 at = read->offset + within;
  if (o->program->has_sums) return -2;
  for (u32 i = 0; i < o->event_count; i++) {
    const struct oracle_event *w = &o->events[i];
    if (w != read && w->writes && w->object == read->object && w->offset <= at &&
        at < w->offset + w->size &&
        o->program->stores[w->line - PROGRAM_FIRST_LINE] == read->read[within])
      return (i32)i;
  }
  return -1;
}

/* What a load saw that came early, by its value. Where that is not known: nothing. */
static i32 observed_early(const struct oracle *o, const struct oracle_event *e) {
  i32 w = oracle_source(o, e, 0);
  for (u32 i = 1; i < e->size; i++)
    if (oracle_source(o, e, i) != w) return -1;
  return w >= 0 && morally_strong(o, &o->events[w], e) ? w : -1;
}

static void access_element(struct oracle *o, const struct vm_access *a, u32 lane, u32 within) {
  const struct vm_object *object = a->object ? a->object : a->objects[lane];
  if (object->space != SP_GLOBAL && object->space != SP_SHARED) return;
  u32 t = thread_of(o, a->who->warp_global, lane), index = o->event_count;
  struct oracle_event *e = new_event(o, t);
  e->line = line_of(o, a->pos);
  e->reads = VM_READS(a->kind);
  e->writes = VM_WRITES(a->kind) && (a->kind == VM_WRITE || a->wrote >> lane & 1);
  e->strong = a->sem != VM_WEAK || a->kind == VM_RMW || a->kind == VM_RED;
  e->is_red = a->kind == VM_RED;
  e->is_volatile = a->sem == VM_VOLATILE;
  e->acquires = e->reads && !e->is_red && (a->sem == VM_ACQUIRE || a->sem == VM_ACQ_REL);
  e->releases = e->writes && (a->sem == VM_RELEASE || a->sem == VM_ACQ_REL);
  e->scope = a->scope;
  e->object = object;
  e->offset = a->offset[lane] + within;
  e->size = element_size(a);
  const u8 *now = a->now ? a->now[lane] : object->data ? object->data + a->offset[lane] : NULL;
  if (e->reads && now) memcpy(e->read, now + within, e->size);
  bool own = a->late && a->late->forwarded >> lane & 1;
  e->is_early = a->late && a->late->early >> lane & 1;
  if (e->strong && e->reads && !own) e->saw = e->is_early ? observed_early(o, e) : observed(o, e);
  if (e->acquires) acquire(o, e);
  memcpy(e->clock, o->clock[t], sizeof e->clock);
  check(o, index);
  if (!e->writes) return;
  if (a->late && a->late->delayed >> lane & 1)
    o->delayed[o->delayed_count++] = (struct oracle_delayed){a->late->ticket[lane], index};
  else
    set_writer(o, index);
}

static void on_access(void *self, const struct vm_access *a) {
  u32 n = (u32)__builtin_popcount(a->mask), m = a->mask;
  for (u32 i = 0; i < n; i++, m &= m - 1)
    for (u32 at = 0; at < a->size_bytes; at += element_size(a))
      access_element(self, a, a->order ? a->order[i] : (u32)__builtin_ctz(m), at);
}

/* Of plain stores nobody hears when others see them: they count at once, so that the thread's own
 * strong store before it does not replace it. */
static void becomes_visible(struct oracle *o, u32 event) {
  const struct oracle_event *e = &o->events[event];
  set_writer(o, event);
  for (u32 k = event + 1; k < o->event_count; k++) {
    const struct oracle_event *n = &o->events[k];
    if (n->thread == e->thread && n->writes && !n->strong && n->object == e->object &&
        n->offset < e->offset + e->size && e->offset < n->offset + n->size)
      set_writer(o, k);
  }
}

static void on_visible(void *self, u64 ticket) {
  struct oracle *o = self;
  for (u32 i = 0; i < o->delayed_count; i++) /* elements of a vector have one ticket */
    if (o->delayed[i].ticket == ticket) becomes_visible(o, o->delayed[i].event);
}

static void fence(struct oracle *o, const struct vm_sync *s) {
  for (u32 m = s->mask; m; m &= m - 1) {
    u32 t = thread_of(o, s->who->warp_global, (u32)__builtin_ctz(m));
    struct oracle_event *e = new_event(o, t);
    e->is_fence = true;
    e->line = line_of(o, s->pos);
    e->scope = s->scope;
    e->acquires = !s->pos.insn || !ptx_has(s->pos.insn, MOD_RELEASE);
    e->releases = !s->pos.insn || !ptx_has(s->pos.insn, MOD_ACQUIRE);
    if (e->acquires) acquire(o, e);
    memcpy(e->clock, o->clock[t], sizeof e->clock);
  }
}

static void gather(const struct oracle *o, u32 warp_global, u32 mask, u32 *clock) {
  for (u32 m = mask; m; m &= m - 1) {
    i32 t = known_thread(o, warp_global, (u32)__builtin_ctz(m));
    if (t >= 0) join(clock, o->clock[t]);
  }
}

static void spread(struct oracle *o, u32 warp_global, u32 mask, const u32 *clock) {
  for (u32 m = mask; m; m &= m - 1) {
    i32 t = known_thread(o, warp_global, (u32)__builtin_ctz(m));
    if (t >= 0) join(o->clock[t], clock);
  }
}

static void barrier(struct oracle *o, const struct vm_sync *s) {
  u32 clock[ORACLE_THREADS] = {0}, first = s->who->block * o->launch.warps_per_block;
  for (u32 w = 0; w < s->warp_count; w++) gather(o, first + w, s->waiting[w], clock);
  for (u32 i = 0; i < o->arrival_count; i++) {
    const struct oracle_arrival *a = &o->arrivals[i];
    if (a->block == s->who->block && a->barrier == s->barrier && a->generation == s->generation)
      join(clock, a->clock);
  }
  for (u32 w = 0; w < s->warp_count; w++) spread(o, first + w, s->waiting[w], clock);
}

static void on_sync(void *self, const struct vm_sync *s) {
  struct oracle *o = self;
  u32 clock[ORACLE_THREADS] = {0};
  switch (s->kind) {
  case VM_SYNC_FENCE: fence(o, s); break;
  case VM_SYNC_WARP:
    gather(o, s->who->warp_global, s->mask, clock);
    spread(o, s->who->warp_global, s->mask, clock);
    break;
  case VM_SYNC_ARRIVE:
    if (!s->leaves) break;
    if (o->arrival_count == COUNT_OF(o->arrivals)) BUG("too many bar.arrive");
    struct oracle_arrival *a = &o->arrivals[o->arrival_count++];
    *a = (struct oracle_arrival){s->who->block, s->barrier, s->generation, {0}};
    gather(o, s->who->warp_global, s->mask, a->clock);
    break;
  case VM_SYNC_OPEN: barrier(o, s); break;
  default: break;
  }
}

static void on_start(void *self, const struct vm_launch_info *l) {
  ((struct oracle *)self)->launch = *l;
}

struct oracle *oracle_create(struct arena *keep, struct vm_machine *m, const struct program *p) {
  struct oracle *o = NEW(keep, struct oracle);
  o->program = p;
  memcpy(o->ids, p->ids, p->thread_count * sizeof *p->ids);
  o->thread_count = p->thread_count;
  o->keep = keep;
  o->events = NEWN(keep, struct oracle_event, ORACLE_EVENTS);
  o->races = NEWN(keep, struct oracle_race, ORACLE_RACES);
  o->observer = (struct vm_observer){.self = o,
                                     .launch_start = on_start,
                                     .access = on_access,
                                     .sync = on_sync,
                                     .visible = on_visible};
  vm_observe(m, &o->observer);
  return o;
}

static const char *name_of(const struct oracle *o, const struct vm_object *object) {
  for (u32 i = 0; i < o->memory_count; i++)
    if (o->memory[i].object == object) return o->memory[i].name;
  return "?"; /* plain reads only */
}

void oracle_print(const struct oracle *o, struct strbuf *out) {
  static const char *const scopes[] = {"", "cta", "cluster", "gpu", "sys"};
  for (u32 i = 0; i < o->event_count; i++) {
    const struct oracle_event *e = &o->events[i];
    strbuf_printf(
        out, "%3u: block %u warp %u lane %u line %u %s%s%s%s%s %s", i, oracle_block(o, e->thread),
        o->ids[e->thread] / VM_LANES % o->launch.warps_per_block, o->ids[e->thread] % VM_LANES,
        e->line, e->is_fence ? "fence" : "", e->reads ? "read" : "", e->writes ? "write" : "",
        e->acquires ? " acquires" : "", e->releases ? " releases" : "",
        e->strong || e->is_fence ? scopes[e->scope] : "weak");
    if (e->object)
      strbuf_printf(out, " %s[%" PRIu64 "..%" PRIu64 "]", name_of(o, e->object), e->offset,
                    e->offset + e->size - 1);
    if (e->reads && e->object) strbuf_printf(out, " =%02x", e->read[0]);
    if (e->saw >= 0) strbuf_printf(out, " saw %d", e->saw);
    if (e->is_early) strbuf_printf(out, " early");
    strbuf_printf(out, "\n");
  }
  for (u32 i = 0; i < o->race_count; i++)
    strbuf_printf(out, "race %u - %u%s%s\n", o->races[i].first, o->races[i].second,
                  o->races[i].is_excused ? " (excused)" : "",
                  o->races[i].is_volatile ? " (volatile)" : "");
}
