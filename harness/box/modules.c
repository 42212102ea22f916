/* modules.c - PTX that a machine keeps, and its kernels as the grader is told of them: the same for
 * the virtual machine (machine.c) and a GPU (gpu.c). */
#include <stdlib.h>
#include <string.h>
#include "box/box.h"

struct slot {
  struct arena keep;
  struct strbuf text;
  size_t bytes;
  struct ptx_module *module;
};
static struct slot slots[BOX_SLOTS];

void box_put_ok(struct strbuf *out, bool ok, const struct diag *why) {
  box_put_u32(out, ok);
  box_put_diag(out, why);
}

static bool is_kernel(const struct ptx_func *f) {
  return f->is_entry && !f->is_extern && f->arg_count <= BOX_PARAMS_MAX &&
         f->entry_param_bytes <= BOX_PARAM_BYTES_MAX;
}

/* Kernels count in the order of the module: the same on both sides. */
static const struct ptx_func *kernel_at(const struct ptx_module *m, u32 n) {
  u32 seen = 0;
  for (u32 i = 0; i < m->func_count; i++)
    if (is_kernel(&m->funcs[i]) && seen++ == n) return &m->funcs[i];
  return NULL;
}

static void put_kernel(struct strbuf *out, const struct ptx_func *f) {
  box_put_text(out, f->name);
  box_put_text(out, f->demangled);
  box_put_u32(out, f->entry_param_bytes);
  box_put_u32(out, f->arg_count);
  for (u32 i = 0; i < f->arg_count; i++) {
    const struct ptx_param *p = &f->params[f->ret_count + i];
    box_put_u32(out, (u32)p->type);
    box_put_u32(out, p->size_bytes);
    box_put_u32(out, p->offset_bytes);
  }
}

void box_load(struct box_reader *in, struct strbuf *out) {
  struct diag why = {0};
  u32 n = box_get_below(in, BOX_SLOTS), count = 0;
  str ptx = box_get_text(in);
  if (!box_done(in)) exit(4);
  struct slot *s = &slots[n];
  arena_free(&s->keep);
  s->module = NULL;
  s->text.n = 0;
  s->bytes = ptx.n;
  strbuf_add(&s->text, ptx.p, ptx.n);
  strbuf_add(&s->text, "", 1); /* compilers' texts end with a NUL that does not count */
  bool ok = ptx_parse(&s->keep, (str){s->text.p, ptx.n}, &s->module, &why);
  box_put_ok(out, ok, &why);
  if (!ok) s->module = NULL;
  while (s->module && count < BOX_KERNELS_MAX && kernel_at(s->module, count)) count++;
  box_put_u32(out, count);
  for (u32 i = 0; i < count; i++) put_kernel(out, kernel_at(s->module, i));
}

const struct ptx_module *box_module(u32 slot) { return slots[slot].module; }
str box_module_text(u32 slot) { return (str){slots[slot].text.p, slots[slot].bytes}; }

bool box_get_launch(struct box_reader *in, struct arena *keep, const struct ptx_module *m,
                    struct vm_launch *l) {
  *l = (struct vm_launch){.kernel = kernel_at(m, box_get_u32(in))};
  for (int i = 0; i < 3; i++) l->grid[i] = box_get_u32(in);
  for (int i = 0; i < 3; i++) l->block[i] = box_get_u32(in);
  for (int i = 0; i < 3; i++) l->cluster[i] = box_get_u32(in);
  l->shared_bytes = box_get_u32(in);
  l->cooperative = box_get_below(in, 2);
  str params = box_get_text(in);
  if (!box_done(in) || !l->kernel || params.n != l->kernel->entry_param_bytes) return false;
  l->params = (const u8 *)str_copy(keep, params).p;
  l->param_bytes = (u32)params.n;
  return true;
}

void box_put_outcome(struct strbuf *out, enum vm_outcome o, const struct diag *why,
                     const struct vm_counters *counters) {
  box_put_u32(out, (u32)o);
  box_put_diag(out, why);
  box_put_text(out, (str){(const char *)counters, sizeof *counters});
}
