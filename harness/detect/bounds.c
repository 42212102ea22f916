/* bounds.c - what ends a launch at one thread: addresses outside of everything, traps, and the
 * suite's own gaps. The machine has found them; here they become findings. */
#include <stdio.h>
#include <string.h>
#include "detect/parts.h"

/* Where the address lies, seen from the nearest object. */
static void say_distance(const struct vm_fault *v, struct strbuf *m) {
  const struct vm_object *o = v->object;
  if (!o || !o->name || !*o->name) return;
  unsigned long long size = (unsigned long long)o->size_bytes;
  u32 e = o->elem_bytes > 1 ? o->elem_bytes : v->size_bytes ? v->size_bytes : 1;
  if (v->offset < 0 && v->offset % e == 0)
    strbuf_printf(m, " That would be %s[%lld], before its start.", o->name,
                  (long long)v->offset / (long long)e);
  else if (v->offset < 0)
    strbuf_printf(m, " It starts %lld bytes before %s (%llu bytes).", -(long long)v->offset,
                  o->name, size);
  else if ((u64)v->offset >= o->size_bytes)
    strbuf_printf(m, " That would be %s[%llu]; %s has %llu element%s.", o->name,
                  (unsigned long long)v->offset / e, o->name, size / e, size / e == 1 ? "" : "s");
  else
    strbuf_printf(m, " It starts at byte %lld of %s (%llu bytes).", (long long)v->offset, o->name,
                  size);
}

static const char *bounds_advice(const struct vm_fault *v) {
  if (strstr(v->text, "align"))
    return "An access of n bytes needs an address that is a multiple of n.";
  if (v->object && v->object->state == VM_FREED) return "Free memory only after its last use.";
  if (v->object && v->offset >= 0 && (u64)v->offset >= v->object->size_bytes)
    return "The index is too large: compare it with the number of elements before the access (the "
           "last block often has threads "
           "to spare), or see how it is computed.";
  if (v->object && v->offset < 0)
    return "The index is below 0: test it before the access, or see how it is computed.";
  return "Check how the address is made.";
}

static void bounds(struct detect *d, const struct vm_fault *v, struct finding *f,
                   struct strbuf *m) {
  const char *op = v->is_atomic ? "atomic operation" : v->is_write ? "write" : "read";
  f->accesses[0].op = op;
  f->space = detect_space_text(v->space);
  char thread[96];
  detect_thread_text(&d->launch, v->who.block, v->who.warp,
                     v->mask ? (u32)__builtin_ctz(v->mask) : 0, thread, sizeof thread);
  thread[0] = 'T';
  if (!v->size_bytes && !v->address) {
    strbuf_printf(m, "%s: %s.", thread, v->text);
  } else {
    strbuf_printf(m, "%s: %s of %u bytes at address 0x%llx: %s.", thread, op, v->size_bytes,
                  (unsigned long long)v->address, v->text);
    say_distance(v, m);
  }
  if (v->object) {
    detect_object_at(d, f, v->object, v->offset < 0 ? 0 : (u64)v->offset, v->size_bytes);
    if (v->offset < 0) f->element = -1;
  }
  f->suggestion = bounds_advice(v);
}

static void trap(struct detect *d, const struct vm_fault *v, struct finding *f, struct strbuf *m) {
  char thread[96];
  detect_thread_text(&d->launch, v->who.block, v->who.warp,
                     v->mask ? (u32)__builtin_ctz(v->mask) : 0, thread, sizeof thread);
  thread[0] = 'T';
  strbuf_printf(m, "%s: %s.", thread, v->text);
  if (strstr(v->text, "mask"))
    f->suggestion =
        "Name exactly the lanes that execute the call; each of them must be in its own mask.";
  else if (strstr(v->text, "multiple of 32"))
    f->suggestion = "Count whole warps.";
}

static void gap(struct detect *d, const struct vm_fault *v, struct finding *f, struct strbuf *m) {
  if (v->kind == VM_FAULT_LIMIT) {
    strbuf_printf(m,
                  "The machine's own limit was reached: %s. That is a limit of this suite, not a "
                  "fault of the kernel.",
                  v->text);
    if (strstr(v->text, "memory limit"))
      f->suggestion = "Run it with fewer blocks or smaller buffers, or raise --memory-limit.";
    return;
  }
  if (v->kind == VM_FAULT_BEYOND) {
    strbuf_printf(m,
                  "%s. The virtual machine does not model that, so this kernel cannot be judged "
                  "here; it may be right.",
                  v->text);
    f->suggestion = v->instead;
    return;
  }
  str insn = v->pos.insn ? v->pos.insn->text : STR("?");
  strbuf_printf(m, "The machine does not support the instruction %.*s yet", (int)insn.n, insn.p);
  if (f->accesses[0].line) strbuf_printf(m, " (%s:%u)", f->accesses[0].file, f->accesses[0].line);
  if (*v->text && !str_eqz(insn, v->text)) strbuf_printf(m, ": %s", v->text);
  strbuf_printf(m, ". That is a gap of this suite, not a fault of the kernel.");
  f->suggestion = "Please report it, with the kernel; until then write it without that "
                  "instruction, or run it on a GPU.";
  (void)d;
}

static void on_fault(void *self, const struct vm_fault *v) {
  struct detect *d = self;
  enum verdict_kind kind;
  switch (v->kind) {
  case VM_FAULT_TRAP: kind = V_TRAP; break;
  case VM_FAULT_BOUNDS: kind = V_BOUNDS; break;
  case VM_FAULT_UNSUPPORTED:
  case VM_FAULT_BEYOND:
  case VM_FAULT_LIMIT: kind = V_INTERNAL; break;
  default: return;
  }
  /* What was proved before the suite ran into its own limit stands. */
  bool proved = v->kind == VM_FAULT_LIMIT && detect_has_error(d);
  struct finding *f = detect_finding(d, kind, proved ? SEVERITY_NOTE : SEVERITY_ERROR);
  struct strbuf m = {0};
  f->access_count = 1;
  detect_access_in(d, &f->accesses[0],
                   kind == V_TRAP              ? "trap"
                   : v->kind == VM_FAULT_LIMIT ? "limit"
                                               : "instruction",
                   &v->who, v->mask, v->frame, v->pos);
  if (kind == V_BOUNDS)
    bounds(d, v, f, &m);
  else if (kind == V_TRAP)
    trap(d, v, f, &m);
  else
    gap(d, v, f, &m);
  f->message = str_copy(d->keep, (str){m.p, m.n}).p;
  strbuf_free(&m);
  detect_add(d, f);
}

void *detect_bounds_create(struct detect *d, struct vm_observer *hooks) {
  hooks->fault = on_fault;
  return d;
}
