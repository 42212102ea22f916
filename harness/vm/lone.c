/* lone.c - the loop for groups of a single lane: executes the compact form of lone.h, and calls the
 * instruction's handler wherever that does not say what to do.
 *
 * Steps are counted at jumps: between two the instructions from `from` to `i` have been executed.
 * m->steps is right whenever anything outside of this file is called. */
#include "vm/lone.h"
#include "vm/lanes.h"

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
    u64 at;                                                                                        \
    if (repeats(x, i, slots, lane, sizeof(T), &at, &again)) {                                      \
      T v = AT(const T, again->data, at);                                                          \
      LANE(T, i->d) = v;                                                                           \
      KNOWN(i->d) |= bit;                                                                          \
      if (x->group->watch)                                                                         \
        vm_watch_lone(x, &code[i - ones], again->mem, (u32)(at + again->grant.from), sizeof(T),    \
                      v);                                                                          \
      NEXT;                                                                                        \
    }                                                                                              \
    if (UNLIKELY(!function(x, i))) goto handler;                                                   \
    NEXT;                                                                                          \
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
  if (r->run != m->lone_run || r->pos_id != i->pos_id || off > r->last || off & (size - 1) ||
      *r->grant.stamp != r->grant.as_of || *r->grant.newest > r->grant.most)
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
  struct vm_code *c = &x->m->codes[x->frame->code->func - x->m->module->funcs];
  if (!c->ones) c->ones = NEWN(&x->m->arena, struct vm_one, c->count);
  u32 lane = (u32)__builtin_ctz(x->mask);
  u32 thread = x->warp->who.warp_global * VM_LANES + lane;
  if (!x->m->repeats) x->m->repeats = held_zeroed(VM_REPEATS, sizeof *x->m->repeats);
  if (x->lone.thread != thread || x->lone.stack != x->frame->stack_id) x->m->lone_run++;
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
  u64 before = m->steps - m->slept;
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
at_fill32:
  PUT(u32, i->imm)
at_fill64:
  PUT(u64, i->imm)
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
