/* launch.c - a check's launch: finds the kernel, packs the arguments into its parameter block, runs
 * it. A signature that does not fit is the learner's COMPILE; it never reads or writes past a
 * parameter. */
#include <string.h>
#include "puzzle/pz.h"

struct pz_dim3 pz_dim(unsigned x) {
  return (struct pz_dim3){x, 1, 1};
}
struct pz_dim3 pz_dim2(unsigned x, unsigned y) {
  return (struct pz_dim3){x, y, 1};
}
struct pz_dim3 pz_dim3_of(unsigned x, unsigned y, unsigned z) {
  return (struct pz_dim3){x, y, z};
}

enum { ARG_END, ARG_BUF, ARG_INT, ARG_FLOAT, ARG_NULL };

static bool is_float(enum ptx_type t) { return t == T_F32 || t == T_F64 || t == T_F16; }

/* "reverse(int const*, int*, int)" without the name, for a learner to compare with. */
static const char *signature(const struct ptx_func *f, struct arena *a) {
  return str_copy(a, f->demangled.n ? f->demangled : f->name).p;
}

static bool mismatch(struct pz *pz, const struct ptx_func *f, const char *what) {
  struct finding *n = finding_list_say(&pz->found, V_COMPILE,
                                       "The kernel's parameters do not fit the puzzle: %s. It is "
                                       "declared as %s.",
                                       what, signature(f, pz->arena));
  n->suggestion = "Keep the signature that the skeleton has.";
  pz->stopped = true;
  return false;
}

static const char *argument_words(const struct pz_arg *a, struct arena *arena) {
  switch (a->kind) {
  case ARG_BUF: return arena_printf(arena, "a pointer (%s)", a->u.buf->name);
  case ARG_INT: return "an integer";
  case ARG_FLOAT: return "a float or double";
  default: return "a null pointer";
  }
}

/* Writes one argument into its slot; false where the parameter is of another sort. */
static bool pack_one(u8 *slot, const struct ptx_param *p, const struct pz_arg *a) {
  if (a->kind == ARG_BUF || a->kind == ARG_NULL) {
    u64 address = a->kind == ARG_BUF ? a->u.buf->address : 0;
    if (p->size_bytes != sizeof address || is_float(p->type)) return false;
    memcpy(slot, &address, sizeof address);
    return true;
  }
  if (a->kind == ARG_FLOAT) {
    float single = (float)a->u.f;
    if (p->type == T_F32 && p->size_bytes == 4) return memcpy(slot, &single, 4), true;
    if (p->type == T_F64 && p->size_bytes == 8) return memcpy(slot, &a->u.f, 8), true;
    return false;
  }
  u32 n = p->size_bytes;
  if (is_float(p->type) || (n != 1 && n != 2 && n != 4 && n != 8)) return false;
  memcpy(slot, &a->u.i, n); /* little endian, two's complement: the low bytes are the value */
  return true;
}

static bool pack(struct pz *pz, const struct ptx_func *f, const struct pz_arg *args, u8 *block) {
  const struct ptx_param *params = f->params + f->ret_count;
  u32 given = 0;
  while (args[given].kind != ARG_END) given++;
  if (given != f->arg_count)
    return mismatch(
        pz, f, arena_printf(pz->arena, "it takes %u, the puzzle passes %u", f->arg_count, given));
  for (u32 i = 0; i < given; i++) {
    const struct ptx_param *p = &params[i];
    if (p->offset_bytes > f->entry_param_bytes ||
        p->size_bytes > f->entry_param_bytes - p->offset_bytes)
      BUG("parameter %u of %.*s lies outside its block", i, STR_A(f->name));
    if (!pack_one(block + p->offset_bytes, p, &args[i]))
      return mismatch(pz, f,
                      arena_printf(pz->arena, "parameter %u has %u bytes%s, the puzzle passes %s",
                                   i + 1, p->size_bytes,
                                   is_float(p->type) ? " (floating point)" : "",
                                   argument_words(&args[i], pz->arena)));
  }
  return true;
}

static void kernel_missing(struct pz *pz, const char *name) {
  struct strbuf names = {0};
  u32 count = 0;
  for (u32 i = 0; i < pz->module->func_count; i++) {
    const struct ptx_func *f = &pz->module->funcs[i];
    if (!f->is_entry || ++count > 8) continue;
    strbuf_printf(&names, "%s%s", count > 1 ? ", " : "", signature(f, pz->arena));
  }
  struct finding *n = finding_list_say(
      &pz->found, V_COMPILE, "There is no __global__ function named %s in this file; it has %.*s.",
      name, names.n ? (int)names.n : 4, names.n ? names.p : "none");
  n->suggestion = "Keep the kernel's name as the skeleton has it.";
  strbuf_free(&names);
  pz->stopped = true;
}

static bool launched(struct pz *pz, enum vm_outcome outcome, const struct diag *why) {
  if (outcome == VM_DONE) return true;
  pz->stopped = true;
  if (outcome == VM_REFUSED) {
    struct finding *f =
        finding_list_say(&pz->found, V_TRAP, "The device refuses this launch: %s.", why->text);
    if (why->next[0]) f->suggestion = str_copy(pz->arena, str_of(why->next)).p;
  } else if (!device_has_error(pz->device)) {
    finding_list_say(&pz->found, V_INTERNAL, "The launch stopped and no check said why.");
  }
  return false;
}

void pz_gpu(struct pz *pz, unsigned sms, unsigned blocks_per_sm) {
  device_resize(pz->device, sms, blocks_per_sm);
}

void pz_stamp(struct pz *pz) {
  for (; pz->stamped < pz->found.count; pz->stamped++)
    pz->found.items[pz->stamped]->launch_index = pz->launches ? pz->launches - 1 : 0;
}

/* False: the check is at fault, or the answer's kernels are; a finding says so. */
static bool start(struct pz *pz, const char *kernel, struct vm_launch *l, const struct pz_arg *args,
                  enum vm_outcome *outcome, struct diag *why) {
  if (pz->stopped) return false;
  const struct ptx_func *f = ptx_kernel(pz->module, str_of(kernel), why);
  if (!f || !f->is_entry) {
    kernel_missing(pz, kernel);
    return false;
  }
  u8 *params = NEWN(pz->arena, u8, f->entry_param_bytes + 8);
  if (!pack(pz, f, args, params)) return false;
  l->kernel = f;
  l->params = params;
  l->param_bytes = f->entry_param_bytes;
  memset(&pz->counters, 0, sizeof pz->counters);
  pz_stamp(pz);
  pz->launches++;
  *outcome = device_launch(pz->device, l, &pz->counters, why);
  pz->has_time_line = device_time_line(pz->device, &pz->time_line);
  return true;
}

bool pz_launch_(struct pz *pz, const char *kernel, struct pz_dim3 grid, struct pz_dim3 block,
                unsigned shared_bytes, bool cooperative, const struct pz_arg *args) {
  struct diag why = {0};
  struct vm_launch l = {.grid = {grid.x, grid.y, grid.z},
                        .block = {block.x, block.y, block.z},
                        .shared_bytes = shared_bytes,
                        .cooperative = cooperative};
  enum vm_outcome outcome;
  return start(pz, kernel, &l, args, &outcome, &why) && launched(pz, outcome, &why);
}

const char *pz_refusal_(struct pz *pz, const char *kernel, struct pz_dim3 grid,
                        struct pz_dim3 block, unsigned shared_bytes, bool cooperative,
                        const struct pz_arg *args) {
  struct diag why = {0};
  struct vm_launch l = {.grid = {grid.x, grid.y, grid.z},
                        .block = {block.x, block.y, block.z},
                        .shared_bytes = shared_bytes,
                        .cooperative = cooperative};
  enum vm_outcome outcome;
  if (!start(pz, kernel, &l, args, &outcome, &why)) return NULL;
  if (outcome == VM_REFUSED) return str_copy(pz->arena, str_of(why.text)).p;
  launched(pz, outcome, &why);
  return NULL;
}
