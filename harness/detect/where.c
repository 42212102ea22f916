/* where.c - naming things in the learner's words: source lines, call stacks, threads, objects.
 * Reads the module's tables, knows nothing about why a place is named. */
#include <stdio.h>
#include <string.h>
#include "detect/parts.h"

/* ---- places ---- */
void detect_calls_of(const struct vm_frame *frame, struct detect_calls *out) {
  out->count = 0;
  if (!frame) return;
  u32 depth = vm_stack_depth(frame);
  for (u32 i = 0; i < depth && i < DETECT_MAX_CALLS; i++)
    out->at[out->count++] = vm_stack_call(frame, i);
}

struct level { /* one line of a stack before it is cut */
  str file, function;
  u32 line;
};
enum { MAX_LEVELS = 40 };

/* Headers that come with compilers: their lines say nothing to a learner. */
bool detect_is_toolkit(str file) {
  static const char *const marks[] = {"cooperative_groups",
                                      "cuda_",
                                      "/cuda/",
                                      "libcu",
                                      "/sm_",
                                      "crt/",
                                      "/nv/",
                                      "device_atomic_functions",
                                      "__nv_nvrtc_builtin"};
  for (u32 i = 0; i < COUNT_OF(marks); i++)
    if (str_has(file, marks[i])) return true;
  return str_starts(file, "sm_");
}

/* The levels of one instruction: its line and, where text was inlined, the lines it was inlined at.
 */
static u32 add_levels(const struct ptx_module *m, struct vm_code_pos pos, struct level *out,
                      u32 n) {
  if (!pos.insn || !pos.func) return n;
  str function = pos.func->demangled;
  i32 loc = pos.insn->loc;
  for (u32 guard = 0; loc >= 0 && (u32)loc < m->loc_count && n < MAX_LEVELS && guard < 16;
       guard++) {
    const struct ptx_loc *l = &m->locs[loc];
    struct level v = {.function = l->function.n ? l->function : function};
    ptx_where(m, loc, &v.file, &v.line);
    if (v.line) out[n++] = v;
    loc = l->inlined_at;
  }
  return n;
}

/* Some compilers do not say where a header's text was inlined. Then the last line of the learner's
 * own before it, in the order of the code, stands for the call. */
static bool own_line_before(const struct ptx_module *m, struct vm_code_pos pos, struct level *out) {
  if (!pos.func || !pos.insn) return false;
  for (const struct ptx_insn *in = pos.insn; in-- > pos.func->code;) {
    struct level l[MAX_LEVELS];
    u32 n = add_levels(m, (struct vm_code_pos){pos.func, in}, l, 0);
    if (n == 0 || detect_is_toolkit(l[n - 1].file)) continue;
    *out = l[n - 1];
    return true;
  }
  return false;
}

static const char *short_function(struct detect *d, str f) {
  /* "k(float*, int)" says too much for a stack: cut at the parameters. */
  for (size_t i = 1; i < f.n; i++)
    if (f.p[i] == '(') {
      f.n = i;
      break;
    }
  return str_copy(d->keep, f).p;
}

void detect_where_of(struct detect *d, struct vm_code_pos pos, const struct vm_code_pos *calls,
                     u32 call_count, struct detect_where *out) {
  *out = (struct detect_where){.file = ""};
  const struct ptx_module *m = d->launch.module;
  if (!m) return;
  struct level levels[MAX_LEVELS];
  u32 n = add_levels(m, pos, levels, 0);
  for (u32 i = 0; i < call_count; i++) n = add_levels(m, calls[i], levels, n);
  if (n == 0) return;
  u32 first = 0;
  while (first < n && detect_is_toolkit(levels[first].file)) first++;
  if (first == n && n < MAX_LEVELS &&
      own_line_before(m, call_count ? calls[call_count - 1] : pos, &levels[n]))
    n++;
  if (first == n) first = 0;
  out->file = str_copy(d->keep, levels[first].file).p;
  out->line = levels[first].line;
  u32 rest = n - first - 1;
  if (rest == 0) return;
  struct finding_place *stack = NEWN(d->keep, struct finding_place, rest);
  for (u32 i = 0; i < rest; i++) {
    const struct level *v = &levels[first + 1 + i];
    stack[i].file = str_copy(d->keep, v->file).p;
    stack[i].line = v->line;
    stack[i].function = short_function(d, v->function);
  }
  out->stack = stack;
  out->stack_count = rest;
}

bool detect_passes_through(struct detect *d, struct vm_code_pos pos,
                           const struct vm_code_pos *calls, u32 call_count, const char *file) {
  struct level levels[MAX_LEVELS];
  const struct ptx_module *m = d->launch.module;
  if (!m) return false;
  u32 n = add_levels(m, pos, levels, 0);
  for (u32 i = 0; i < call_count; i++) n = add_levels(m, calls[i], levels, n);
  for (u32 i = 0; i < n; i++)
    if (str_has(levels[i].file, file)) return true;
  return false;
}

void detect_line_text(const struct detect_where *w, char *out, size_t size) {
  if (w->line)
    snprintf(out, size, "%s:%u", w->file, w->line);
  else
    snprintf(out, size, "an unknown line");
}

/* ---- threads ---- */
void detect_thread_coords(const struct vm_launch_info *l, u32 block, u32 warp, u32 lane,
                          u32 thread[3], u32 at[3]) {
  u32 bx = l->block[0] ? l->block[0] : 1, by = l->block[1] ? l->block[1] : 1;
  u32 gx = l->grid[0] ? l->grid[0] : 1, gy = l->grid[1] ? l->grid[1] : 1;
  u32 t = warp * VM_LANES + lane;
  thread[0] = t % bx;
  thread[1] = t / bx % by;
  thread[2] = t / bx / by;
  at[0] = block % gx;
  at[1] = block / gx % gy;
  at[2] = block / gx / gy;
}

void detect_block_text(const struct vm_launch_info *l, u32 block, char *out, size_t size) {
  u32 t[3], b[3];
  detect_thread_coords(l, block, 0, 0, t, b);
  if (l->grid[1] <= 1 && l->grid[2] <= 1)
    snprintf(out, size, "block %u", block);
  else
    snprintf(out, size, "block (%u,%u,%u)", b[0], b[1], b[2]);
}

void detect_thread_text(const struct vm_launch_info *l, u32 block, u32 warp, u32 lane, char *out,
                        size_t size) {
  u32 t[3], b[3];
  char where[64];
  detect_thread_coords(l, block, warp, lane, t, b);
  detect_block_text(l, block, where, sizeof where);
  snprintf(out, size, "thread (%u,%u,%u) of %s", t[0], t[1], t[2], where);
}

void detect_access_at(struct detect *d, struct finding_access *a, const char *op, u32 block,
                      u32 warp, u32 lane, const struct detect_where *w) {
  a->op = op;
  detect_thread_coords(&d->launch, block, warp, lane, a->thread, a->block);
  a->warp = warp;
  a->lane = lane;
  a->file = w->file;
  a->line = w->line;
  a->stack = w->stack;
  a->stack_count = w->stack_count;
}

void detect_access_in(struct detect *d, struct finding_access *a, const char *op,
                      const struct vm_who *who, u32 mask, const struct vm_frame *frame,
                      struct vm_code_pos pos) {
  struct detect_calls calls;
  struct detect_where w;
  detect_calls_of(frame, &calls);
  detect_where_of(d, pos, calls.at, calls.count, &w);
  u32 lane = mask ? (u32)__builtin_ctz(mask) : 0;
  detect_access_at(d, a, op, who->block, who->warp, lane, &w);
  a->others = mask ? (u32)__builtin_popcount(mask) - 1 : 0;
}

void detect_lanes_text(u32 mask, char *out, size_t size) {
  size_t n = (size_t)snprintf(out, size, "lane%s ", mask & (mask - 1) ? "s" : "");
  const char *comma = "";
  for (u32 i = 0; i < VM_LANES && n < size; i++) {
    if (!(mask >> i & 1)) continue;
    u32 j = i;
    while (j + 1 < VM_LANES && mask >> (j + 1) & 1) j++;
    if (i == j)
      n += (size_t)snprintf(out + n, size - n, "%s%u", comma, i);
    else
      n += (size_t)snprintf(out + n, size - n, "%s%u-%u", comma, i, j);
    comma = ", ";
    i = j;
  }
}

/* ---- objects ---- */
const char *detect_space_text(enum ptx_space s) {
  switch (s) {
  case SP_GLOBAL: return "global";
  case SP_SHARED: return "shared";
  case SP_LOCAL: return "local";
  case SP_CONST: return "constant";
  case SP_PARAM: return "parameter";
  default: return "";
  }
}

static u32 element_bytes(const struct vm_object *o, u32 size_bytes) {
  if (o->elem_bytes > 1) return o->elem_bytes;
  return size_bytes ? size_bytes : 1;
}

/* "[3][4]"; false: no rows, or not known. */
static bool index_text(const struct vm_object *o, u64 offset, char *out, size_t size) {
  const struct ptx_shape *s = o->shape;
  u64 at = s ? offset / s->elem_bytes : 0, row = 1;
  size_t n = 0;
  if (!s || o->size_bytes <= offset) return false;
  for (u32 i = 1; i < s->count; i++) row *= s->dim[i];
  for (u32 i = 0; i < s->count && n < size; i++) {
    n += (size_t)snprintf(out + n, size - n, "[%llu]", (unsigned long long)(at / row));
    at %= row;
    if (i + 1 < s->count) row /= s->dim[i + 1];
  }
  return true;
}

void detect_object_at(struct detect *d, struct finding *f, const struct vm_object *o, u64 offset,
                      u32 size_bytes) {
  if (!o) return;
  f->space = detect_space_text(o->space);
  f->object = o->name ? str_copy(d->keep, str_of(o->name)).p : "";
  f->offset = offset;
  f->element = (i64)(offset / element_bytes(o, size_bytes));
  char index[80];
  if (index_text(o, offset, index, sizeof index)) f->index = str_copy(d->keep, str_of(index)).p;
}

void detect_object_text(const struct vm_object *o, u64 offset, u32 size_bytes, char *out,
                        size_t size) {
  if (!o || !o->name || !*o->name) {
    snprintf(out, size, "%s memory", o ? detect_space_text(o->space) : "unknown");
    return;
  }
  u32 e = element_bytes(o, size_bytes);
  char index[80];
  if (index_text(o, offset, index, sizeof index))
    snprintf(out, size, "%s%s", o->name, index);
  else if (o->size_bytes == e)
    snprintf(out, size, "%s", o->name);
  else
    snprintf(out, size, "%s[%llu]", o->name, (unsigned long long)(offset / e));
}

/* ---- what an access is called ---- */
static const char *atomic_text(const struct ptx_insn *in, enum vm_access_kind kind) {
  static const struct {
    enum ptx_mod mod;
    const char *text;
  } ops[] = {
      {MOD_ADD, "atomic add"},       {MOD_CAS, "atomic compare-and-swap"},
      {MOD_EXCH, "atomic exchange"}, {MOD_MIN, "atomic min"},
      {MOD_MAX, "atomic max"},       {MOD_INC, "atomic increment"},
      {MOD_DEC, "atomic decrement"}, {MOD_AND, "atomic and"},
      {MOD_OR, "atomic or"},         {MOD_XOR, "atomic xor"},
  };
  if (in)
    for (u32 i = 0; i < COUNT_OF(ops); i++)
      if (ptx_has(in, ops[i].mod)) return ops[i].text;
  return kind == VM_RED ? "atomic update" : "atomic operation";
}

const char *detect_op_text(const struct ptx_insn *insn, enum vm_access_kind kind, enum vm_sem sem,
                           bool nc) {
  if (insn && (insn->op == OP_cp || ptx_has(insn, MOD_ASYNC))) return "asynchronous copy";
  if (insn && insn->op == OP_mbarrier) return "mbarrier operation";
  if (kind == VM_RMW || kind == VM_RED) return atomic_text(insn, kind);
  bool write = VM_WRITES(kind);
  switch (sem) {
  case VM_WEAK: return write ? "write" : nc ? "read-only read" : "read";
  case VM_VOLATILE: return write ? "volatile write" : "volatile read";
  case VM_ACQUIRE: return "atomic read (acquire)";
  case VM_RELEASE: return "atomic write (release)";
  case VM_RELAXED:
  case VM_ACQ_REL: break;
  }
  return write ? "atomic write" : "atomic read";
}

const char *detect_shuffle_text(const struct ptx_insn *in) {
  if (ptx_has(in, MOD_UP)) return "__shfl_up_sync()";
  if (ptx_has(in, MOD_DOWN)) return "__shfl_down_sync()";
  if (ptx_has(in, MOD_BFLY)) return "__shfl_xor_sync()";
  return "__shfl_sync()";
}
