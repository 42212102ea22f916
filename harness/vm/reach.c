/* reach.c - what the machine knows of but does not model, and what a kernel can use instead; names
 * words that are no PTX. Everything here is decided by the text of an instruction or the name of a
 * function; executing one ends the launch with VM_FAULT_BEYOND. */
#include "vm/machine.h"

#define TENSOR_COPY                                                                                \
  "is a tensor copy: it needs a tensor map, which only a host program can encode",                 \
      "Use cp.async.bulk with plain addresses (cuda::memcpy_async with a barrier), one for each "  \
      "row."
#define TEXTURE                                                                                    \
  "works on textures and surfaces, which only a host program can bind",                            \
      "Read global memory instead: the buffer that the texture would show."
#define ASYNC_STORE                                                                                \
  "is an asynchronous operation on global memory (sm_100)",                                        \
      "Use st.release or red.release with the same scope."
#define NO_GRAPHS                                                                                  \
  "belongs to CUDA graphs, which only a host program can build",                                   \
      "Launch the kernels one after the other, or run this program on a GPU."
#define NO_CHILDREN                                                                                \
  "belongs to launches from the device (dynamic parallelism): a kernel here cannot start another", \
      "Let a queue of work items, or a loop over launches in the host, take the place of the "     \
      "child grids."

static const struct vm_reach instructions[] = {
    {"wgmma.", "is a product of a whole warpgroup (sm_90a)",
     "Use mma.sync or wmma (nvcuda::wmma), which are judged; the synchronization around them can "
     "stay."},
    {"tcgen05.", "works on the tensor memory of sm_100a",
     "Use mma.sync or wmma (nvcuda::wmma), which are judged."},
    {"mma.sp", "is a product of sparse matrices", "Use mma.sync with the full matrix."},
    {"multimem.", "works on memory of several GPUs at once (multicast objects)",
     "Use red or atom on the memory of one GPU."},
    {"cp.async.bulk.tensor.", TENSOR_COPY},
    {"cp.async.bulk.prefetch.tensor.", TENSOR_COPY},
    {"cp.reduce.async.bulk.tensor.", TENSOR_COPY},
    {"tensormap.", TENSOR_COPY},
    {"prefetch.tensormap", TENSOR_COPY},
    {"prefetch.param.tensormap", TENSOR_COPY},
    {"prefetch.const.tensormap", TENSOR_COPY},
    {"clusterlaunchcontrol.", "takes over blocks that have not started yet (sm_100)",
     "Use a global counter (atomicAdd) to hand out the work."},
    {"st.async.mmio.", ASYNC_STORE},
    {"st.async.release.", ASYNC_STORE},
    {"red.async.mmio.", ASYNC_STORE},
    {"red.async.release.", ASYNC_STORE},
    {".cp_mask", "copies bytes by a mask (sm_100)",
     "Copy whole ranges, or store the bytes with st."},
    {".block_scale", "is a product of scaled blocks (sm_120a)",
     "Use mma.sync with .kind::f8f6f4 and multiply the results by the scales."},
    {"tex.", TEXTURE},
    {"tld4.", TEXTURE},
    {"txq.", TEXTURE},
    {"istypep.", TEXTURE},
    {"suld.", TEXTURE},
    {"sust.", TEXTURE},
    {"sured.", TEXTURE},
    {"suq.", TEXTURE},
};
static const struct vm_reach functions[] = {
    {"__cudaCDP2", NO_CHILDREN},
    {"cudaLaunchDevice", NO_CHILDREN},
    {"cudaGetParameterBuffer", NO_CHILDREN},
    {"cudaGraph", NO_GRAPHS},
    {"cudaGetCurrentGraphExec", NO_GRAPHS},
};

static bool names(str text, const char *prefix) {
  return *prefix == '.' ? str_has(text, prefix) : str_starts(text, prefix);
}
static const struct vm_reach *find(const struct vm_reach *rows, size_t n, str name) {
  for (size_t i = 0; i < n; i++)
    if (names(name, rows[i].prefix)) return &rows[i];
  return NULL;
}
const struct vm_reach *vm_reach_insn(str text) {
  return find(instructions, COUNT_OF(instructions), text);
}
const struct vm_reach *vm_reach_function(str name) {
  return find(functions, COUNT_OF(functions), name);
}

void vm_op_beyond(struct vm_exec *x, const struct vm_insn *in) {
  const struct vm_reach *r = in->more;
  str name = in->ptx->text;
  if (in->op == OP_call) name = x->m->module->funcs[in->ptx->operands[0].index].name;
  struct vm_fault f = {.kind = VM_FAULT_BEYOND,
                       .who = x->warp->who,
                       .mask = x->mask,
                       .frame = x->frame,
                       .pos = vm_pos_of(x->m, in->pos_id),
                       .instead = r->instead};
  snprintf(f.text, sizeof f.text, "%.*s %s", (int)(name.n < 200 ? name.n : 200), name.p, r->what);
  vm_emit_fault(x->m, &f);
  x->stop = VM_STOP_FAULT;
}

/* ---- words that the tables do not have ---- */
static bool is_word(str w) {
  for (u32 m = 0; m < MOD_COUNT; m++)
    if (str_eqz(w, ptx_mod_text[m])) return true;
  for (u32 t = 1; t < T_COUNT; t++)
    if (str_eqz(w, ptx_type_text((enum ptx_type)t))) return true;
  return false;
}
static str next_word(str *rest) {
  const char *dot = memchr(rest->p, '.', rest->n);
  str w = {rest->p, dot ? (size_t)(dot - rest->p) : rest->n};
  size_t eaten = dot ? w.n + 1 : w.n;
  rest->p += eaten;
  rest->n -= eaten;
  return w;
}
bool vm_pick_unknown(struct vm_pick *p) {
  str rest = p->in->text, op = next_word(&rest);
  char text[96];
  bool known = false;
  for (u32 i = 1; i < OP_COUNT; i++) known |= str_eqz(op, ptx_ops[i].text);
  if (!known) return vm_no(p, "there is no such instruction");
  while (rest.n) {
    str w = next_word(&rest);
    if (is_word(w)) continue;
    snprintf(text, sizeof text, "the modifier .%.*s is not known", (int)(w.n < 60 ? w.n : 60), w.p);
    return vm_no(p, text);
  }
  return vm_no(p, "more types than any instruction has");
}
