/* lone.c - the loop for groups of a single lane: executes the compact form of lone.h, and calls the
 * instruction's handler wherever that does not say what to do.
 *
 * Steps are counted at jumps: between two the instructions from `from` to `i` have been executed.
 * m->steps is right whenever anything outside of this file is called. */
#include "vm/lone.h"
#include "vm/convert.h"

#define UNLIKELY(e)   __builtin_expect((e) != 0, 0)
#define AT(T, p, ref) (*(T *)(void *)((p) + (ref)))
#define KNOWN(ref)    AT(u32, heads, ref) /* the register's validity mask */
#define COLUMN(T)     (sizeof(T) == 8 ? column8 : sizeof(T) == 4 ? column4 : slots + lane * 2u)
#define LANE(T, ref)  AT(T, COLUMN(T), ref)
#define NEXT          goto *places[(++i)->op]
#define NEEDS(known)                                                                               \
  if (UNLIKELY(!((known)&bit))) goto handler;
/* Of two NaNs the handler says which one comes out. */
#define ODD(v) _Generic((v), double : (v) != (v), default : 0)
#define PUT(D, value)                                                                              \
  {                                                                                                \
    D result = (D)(value);                                                                         \
    if (UNLIKELY(ODD(result))) goto handler;                                                       \
    KNOWN(i->d) |= bit;                                                                            \
    LANE(D, i->d) = result;                                                                        \
    NEXT;                                                                                          \
  }
#define PUT_BIT(yes)                                                                               \
  {                                                                                                \
    u32 old = AT(u32, slots, i->d) & ~bit;                                                         \
    AT(u32, slots, i->d) = (yes) ? old | bit : old;                                                \
    KNOWN(i->d) |= bit;                                                                            \
    NEXT;                                                                                          \
  }
#define HAS_BIT(ref)  ((AT(u32, slots, ref) & bit) != 0)
#define COUNT_STEPS() (m->steps += (u64)(i - from) + 1)

#define CONSTANT(T, name)                                                                          \
  T name;                                                                                          \
  memcpy(&name, &i->imm, sizeof name);

typedef u32 packed32 __attribute__((aligned(1))); /* a launch's parameters lie anywhere */
typedef u64 packed64 __attribute__((aligned(1)));

/* Lanes for which all these bytes of the frame's parameters are defined. */
static inline u32 param_known(const struct vm_frame *f, u64 at, u32 size) {
  const u32 *v = vm_param_valid(f, (u32)at);
  u32 known = v[0] & v[1] & v[2] & v[3];
  return size == 4 ? known : known & v[4] & v[5] & v[6] & v[7];
}
static inline void know_param(const struct vm_frame *f, u64 at, u32 size, u32 bit) {
  u32 *v = vm_param_valid(f, (u32)at);
  for (u32 b = 0; b < size; b++) v[b] |= bit;
}

/* The group stands at a place where it waits for others, or they for it. */
static inline bool meets(const struct vm_warp *w, const struct vm_group *g,
                         const struct vm_insn *in) {
  if (g->top < 0) return false;
  const struct vm_reconv *r = &w->reconv[g->top];
  return r->frame == g->frame && r->at == in;
}

#define LOAD(T, function)                                                                          \
  {                                                                                                \
    const struct vm_repeat *again;                                                                 \
    if (repeats(x, i, slots, lane, sizeof(T), &at, &again)) {                                      \
      T v = AT(const T, again->data, at);                                                          \
      LANE(T, i->d) = v;                                                                           \
      KNOWN(i->d) |= bit;                                                                          \
      if (x->group->watch)                                                                         \
        vm_watch_lone(x, &code[i - ones], again->mem, (u32)at + again->grant.from, sizeof(T), v);  \
      NEXT;                                                                                        \
    }                                                                                              \
    if (UNLIKELY(!function(x, i))) goto handler;                                                   \
    NEXT;                                                                                          \
  }

/* `at`: where in the thread's local memory an access goes that went there before; to another place:
 * `otherwise`. */
#define LOCAL(size, otherwise)                                                                     \
  NEEDS(i->flags &VM_ONE_FIXED ? bit : KNOWN(i->a))                                                \
  at = i->imm + (i->flags & VM_ONE_FIXED ? 0 : LANE(u64, i->a)) -                                  \
       (i->space == SP_GENERIC ? VM_WINDOW(VM_HI_LOCAL) : 0);                                      \
  if (UNLIKELY(at < VM_LOCAL_START || at >= frame->local_top || (size) > frame->local_top - at ||  \
               at & ((size)-1)))                                                                   \
    goto otherwise;

static inline u32 local_known(const struct vm_warp *w, u32 at, u32 size) {
  const u32 *v = w->local_valid[at / 4];
  u32 known = v[0] & v[1] & v[2] & v[3];
  return size == 4 ? known : known & v[4] & v[5] & v[6] & v[7];
}
static inline void know_local(const struct vm_warp *w, u32 at, u32 size, u32 bit) {
  u32 *v = w->local_valid[at / 4];
  for (u32 b = 0; b < size; b++) v[b] |= bit;
}

/* The last writes there are old, or the thread's own. */
static inline bool wrote(const struct vm_grant *g, u64 off, u32 size, u32 thread) {
  const u32 *when = *g->when + g->index + off / 4, *writer = *g->writer + g->index + off / 4;
  for (u32 k = 0; k < size / 4; k++)
    if (when[k] > g->most && writer[k] != thread) return false;
  return true;
}

/* Is this load like one that was granted? Then it is noted and counted. *at: from the part's start.
 */
static inline bool repeats(const struct vm_exec *x, const struct vm_one *i, const u8 *slots,
                           u32 lane, u32 size, u64 *at, const struct vm_repeat **out) {
  struct vm_machine *m = x->m;
  u64 address = i->imm;
  if (!(i->flags & VM_ONE_FIXED)) {
    if (!(AT(const u32, slots, i->a - sizeof(struct vm_slot)) & x->lone.bit)) return false;
    address += i->flags & VM_ONE_WIDE ? AT(const u64, slots + lane * 8u, i->a)
                                      : AT(const u32, slots + lane * 4u, i->a);
  }
  struct vm_repeat *r = vm_repeat_of(m, i->pos_id, address);
  u64 off = *at = address - r->address;
  if (r->run != m->lone_run || r->pos_id != i->pos_id || r->thread != x->lone.thread ||
      r->stack != x->lone.stack || off > r->last || off & (size - 1) ||
      *r->grant.stamp != r->grant.as_of)
    return false;
  if (*r->grant.newest > r->grant.most && !wrote(&r->grant, off, size, x->lone.thread))
    return false;
  if (x->undefined && !r->mem->all_valid && !vm_lone_defined(r->mem, r->grant.from + off, size))
    return false;
  if (r->grant.bits) r->grant.bits[off / 256] |= (size == 8 ? 3ull : 1ull) << off / 4 % 64;
  ++*r->counter;
  x->group->loaded = true;
  *out = r;
  return true;
}

static void begin(struct vm_exec *x) {
  if (!x->frame->code->ones) {
    struct vm_code *c = &x->m->codes[x->frame->code->func - x->m->module->funcs];
    c->ones = NEWN(&x->m->arena, struct vm_one, c->count);
  }
  u32 lane = (u32)__builtin_ctz(x->mask);
  u32 thread = x->warp->who.warp_global * VM_LANES + lane;
  if (!x->m->repeats) x->m->repeats = held_zeroed(VM_REPEATS, sizeof *x->m->repeats);
  x->lone =
      (struct vm_lone){.lane = lane, .bit = x->mask, .thread = thread, .stack = x->frame->stack_id};
}

u64 vm_lone_run(struct vm_exec *x) {
  static const void *const places[VM_LONE_COUNT] = {
#define NAME(name) &&at_##name,
#include "vm/lone_names.def"
  };
  begin(x);
  struct vm_machine *m = x->m;
  struct vm_frame *frame = x->frame;
  const u32 lane = x->lone.lane, bit = x->lone.bit;
  u8 *const slots = x->base[0], *const heads = slots - sizeof(struct vm_slot);
  u8 *const column4 = slots + lane * 4u, *const column8 = slots + lane * 8u;
  const struct vm_insn *code = x->code;
  const struct vm_one *ones = frame->code->ones, *i = ones + (x->next - code), *from = i;
  u64 before = m->steps - m->slept, at;
  goto *places[i->op];

#include "vm/lone_shapes.h"
#include "vm/lone_ops.def"

at_new:
  vm_lone_translate(x, (u32)(i - ones));
  goto *places[i->op];
at_block_word:
  PUT(u32, AT(u32, (u8 *)x->block, i->imm))
at_word:
  PUT(u32, *(const u32 *)(uintptr_t)i->imm)
at_fill_pred:
  PUT_BIT(i->flags)
at_fill16:
  PUT(u16, i->imm)
at_fill32:
  PUT(u32, i->imm)
at_fill64:
  PUT(u64, i->imm)
at_local_address:
  PUT(u64, frame->local_base + i->imm)
at_kernel_param4:
  NEEDS(-(u32)(i->imm + 4 <= m->launch->param_bytes))
  PUT(u32, AT(const packed32, m->launch->params, i->imm))
at_kernel_param8:
  NEEDS(-(u32)(i->imm + 8 <= m->launch->param_bytes))
  PUT(u64, AT(const packed64, m->launch->params, i->imm))
at_get_param4:
  NEEDS(param_known(frame, i->imm, 4))
  PUT(u32, vm_param_row(frame, (u32)i->imm / 4)[lane])
at_get_param8:
  NEEDS(param_known(frame, i->imm, 8))
  PUT(u64, vm_param_row(frame, (u32)i->imm / 4)[lane] |
               (u64)vm_param_row(frame, (u32)i->imm / 4 + 1)[lane] << 32)
at_set_param4:
  NEEDS(KNOWN(i->d))
  vm_param_row(frame, (u32)i->imm / 4)[lane] = LANE(u32, i->d);
  know_param(frame, i->imm, 4, bit);
  NEXT;
at_set_param8:
  NEEDS(KNOWN(i->d))
  vm_param_row(frame, (u32)i->imm / 4)[lane] = (u32)LANE(u64, i->d);
  vm_param_row(frame, (u32)i->imm / 4 + 1)[lane] = (u32)(LANE(u64, i->d) >> 32);
  know_param(frame, i->imm, 8, bit);
  NEXT;
at_local_load4:
  LOCAL(4, at_load4)
  NEEDS(local_known(x->warp, (u32)at, 4) | -(u32)!x->undefined)
  m->counters.local_loads++;
  PUT(u32, x->warp->local[at / 4 * VM_LANES + lane])
at_local_load8:
  LOCAL(8, at_load8)
  NEEDS(local_known(x->warp, (u32)at, 8) | -(u32)!x->undefined)
  m->counters.local_loads++;
  PUT(u64, x->warp->local[at / 4 * VM_LANES + lane] |
               (u64)x->warp->local[(at / 4 + 1) * VM_LANES + lane] << 32)
at_local_store4:
  LOCAL(4, at_store4)
  NEEDS(KNOWN(i->d))
  x->warp->local[at / 4 * VM_LANES + lane] = LANE(u32, i->d);
  know_local(x->warp, (u32)at, 4, bit);
  m->counters.local_stores++;
  NEXT;
at_local_store8:
  LOCAL(8, at_store8)
  NEEDS(KNOWN(i->d))
  x->warp->local[at / 4 * VM_LANES + lane] = (u32)LANE(u64, i->d);
  x->warp->local[(at / 4 + 1) * VM_LANES + lane] = (u32)(LANE(u64, i->d) >> 32);
  know_local(x->warp, (u32)at, 8, bit);
  m->counters.local_stores++;
  NEXT;
at_load4:
  LOAD(u32, vm_lone_load4)
at_load8:
  LOAD(u64, vm_lone_load8)
at_load_small:
  if (UNLIKELY(!vm_lone_load_small(x, i))) goto handler;
  NEXT;
at_store4:
  if (UNLIKELY(!vm_lone_store4(x, i))) goto handler;
  NEXT;
at_store8:
  if (UNLIKELY(!vm_lone_store8(x, i))) goto handler;
  NEXT;
at_store_small:
  if (UNLIKELY(!vm_lone_store_small(x, i))) goto handler;
  NEXT;
at_bra_if:
  NEEDS(KNOWN(i->a))
  if (HAS_BIT(i->a) == i->flags) NEXT; /* flags: !p */
at_bra:
  COUNT_STEPS();
  x->group->via = &code[i - ones];
  from = ones + i->b;
  if (from <= i) {
    x->next = code + i->b;
    vm_back_edge(x, &code[i - ones]);
    if (x->stop) goto out;
  }
  i = from;
  goto *places[i->op];
at_meet:
  if (UNLIKELY(meets(x->warp, x->group, &code[i - ones]))) goto handler;
  NEXT;
at_handler:
handler:
  COUNT_STEPS();
  x->next = &code[i - ones + 1];
  code[i - ones].fn(x, &code[i - ones]);
  if (x->stop || x->frame != frame || x->mask != bit) goto out;
  i = from = ones + (x->next - code);
  goto *places[i->op];
out:
  return m->steps - m->slept - before;
}
