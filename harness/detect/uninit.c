/* uninit.c - undefined values that decided something: what, and where the value came from. The
 * machine follows the values; see vm/undef.c. */
#include <stdio.h>
#include <string.h>
#include "detect/parts.h"

/* Bytes of one element: as loaded, where the object's type says nothing (arrays are plain bytes in
 * PTX). */
static u32 element_bytes(const struct vm_fault *v) {
  u32 size =
      v->origin.insn && v->origin.insn->type_count ? ptx_type_bytes(v->origin.insn->types[0]) : 0;
  return v->origin_object->elem_bytes > 1 || !size ? v->origin_object->elem_bytes : size;
}

static void say_origin(struct detect *d, const struct vm_fault *v, const struct detect_where *from,
                       struct strbuf *m) {
  char object[160], line[300];
  (void)d;
  detect_line_text(from, line, sizeof line);
  if (v->origin_object) {
    detect_object_text(v->origin_object, v->origin_offset, element_bytes(v), object, sizeof object);
    strbuf_printf(m, " It was read from %s (%s memory)", object,
                  detect_space_text(v->origin_object->space));
    if (from->line) strbuf_printf(m, " at %s", line);
    strbuf_printf(m, ", which nobody had written.");
    return;
  }
  u32 op = v->origin.insn ? v->origin.insn->op : (u32)OP_unknown;
  if (op == OP_shfl)
    strbuf_printf(m, " It came out of %s at %s, from a lane that took no part.",
                  detect_shuffle_text(v->origin.insn), line);
  else if (op == OP_ld || op == OP_ldu)
    strbuf_printf(m, " It was read at %s from a variable that had no value yet.", line);
  else if (from->line)
    strbuf_printf(m,
                  " It was in a register that nobody had set, last seen at %s: look for a variable "
                  "used there or in the next "
                  "lines that gets its value on some paths only.",
                  line);
  else
    strbuf_printf(m, " It comes from a variable that had no value yet.");
}

static const char *advise(const struct vm_fault *v) {
  if (v->origin_object && v->origin_object->space == SP_SHARED)
    return "Shared memory starts with arbitrary contents: write every element before it is read.";
  if (v->origin_object)
    return "Write every element before it is read; device buffers start with arbitrary contents.";
  if (v->origin.insn && v->origin.insn->op == OP_shfl)
    return "Read only from lanes that execute the same shuffle.";
  return "Give the variable a value on every path that leads here.";
}

static void on_fault(void *self, const struct vm_fault *v) {
  struct detect *d = self;
  bool store = v->kind == VM_FAULT_UNINIT_STORE;
  if (v->kind != VM_FAULT_UNINIT && !store) return;
  struct finding *f = detect_finding(
      d, V_UNINIT, store ? detect_severity(&d->policy, CASE_UNINIT_STORE) : SEVERITY_ERROR);
  struct detect_where from = {.file = ""};
  if (v->origin.insn)
    detect_where_of(d, v->origin, &v->origin_call, v->origin_call.insn != NULL, &from);
  f->access_count = 1;
  const char *use = v->what ? v->what : "use";
  if (store && v->object && v->object->name)
    use = arena_printf(d->keep, "store to %s", v->object->name);
  detect_access_in(d, &f->accesses[0], use, &v->who, v->mask, v->frame, v->pos);
  if (from.line &&
      (from.line != f->accesses[0].line || strcmp(from.file, f->accesses[0].file) != 0)) {
    f->access_count = 2;
    detect_access_at(d, &f->accesses[1], "origin", v->who.block, v->who.warp,
                     v->mask ? (u32)__builtin_ctz(v->mask) : 0, &from);
  }
  if (v->origin_object)
    detect_object_at(d, f, v->origin_object, v->origin_offset, element_bytes(v));
  char thread[96];
  detect_thread_text(&d->launch, v->who.block, v->who.warp,
                     v->mask ? (u32)__builtin_ctz(v->mask) : 0, thread, sizeof thread);
  struct strbuf m = {0};
  if (store)
    strbuf_printf(&m, "An undefined value is stored to global memory by %s.", thread);
  else
    strbuf_printf(&m, "An undefined value decides something in %s: %s.", thread,
                  v->what ? v->what : "a result");
  say_origin(d, v, &from, &m);
  f->message = str_copy(d->keep, (str){m.p, m.n}).p;
  strbuf_free(&m);
  f->suggestion = advise(v);
  detect_add(d, f);
}

void *detect_uninit_create(struct detect *d, struct vm_observer *hooks) {
  hooks->fault = on_fault;
  return d;
}
