/* builtin.c - functions that compilers leave to the device: vprintf, __assertfail, malloc, free. */
#include "vm/machine.h"
#include <ctype.h>
#include <stdlib.h>

/* Argument i of a call, one lane, as 64 bits. */
static u64 arg(struct vm_exec *x, const struct vm_insn *in, u32 i, u32 lane) {
  const struct ptx_insn *ptx = in->ptx;
  if (i >= ptx->call_arg_count || ptx->call_args[i].kind != OPD_PARAM) return 0;
  const struct ptx_param *p = &x->frame->code->func->params[ptx->call_args[i].index];
  u64 v = vm_param_row(x->frame, p->offset_bytes / 4)[lane];
  if (p->size_bytes > 4) v |= (u64)vm_param_row(x->frame, p->offset_bytes / 4 + 1)[lane] << 32;
  return v;
}
static void result(struct vm_exec *x, const struct vm_insn *in, u32 lane, u64 v) {
  const struct ptx_insn *ptx = in->ptx;
  if (!ptx->call_ret_count || ptx->call_rets[0].kind != OPD_PARAM) return;
  const struct ptx_param *p = &x->frame->code->func->params[ptx->call_rets[0].index];
  vm_param_row(x->frame, p->offset_bytes / 4)[lane] = (u32)v;
  if (p->size_bytes > 4) vm_param_row(x->frame, p->offset_bytes / 4 + 1)[lane] = (u32)(v >> 32);
  for (u32 b = 0; b < p->size_bytes; b++)
    *vm_param_valid(x->frame, p->offset_bytes + b) |= vm_bit(lane);
}

static bool lane_string(struct vm_exec *x, u32 lane, u64 address, char *out, u32 max) {
  for (u32 i = 0; i + 1 < max; i++) {
    if (!vm_peek(x, lane, address + i, &out[i], 1)) return false;
    if (!out[i]) return true;
  }
  out[max - 1] = 0;
  return true;
}

static void print_text(struct vm_machine *m, const char *s, size_t n) {
  size_t room =
      m->config.printf_max_bytes -
      (m->printed.n < m->config.printf_max_bytes ? m->printed.n : m->config.printf_max_bytes);
  size_t take = n < room ? n : room;
  strbuf_add(&m->printed, s, take);
  m->printed_dropped += n - take;
}

/* One conversion of a printf format, from % to its letter; false: not one. */
static bool conversion(const char *f, char *spec, size_t max, const char **end) {
  size_t n = 0;
  const char *p = f;
  do {
    if (n + 2 >= max || !*p) return false;
    spec[n++] = *p++;
  } while (p == f + 1 ? strchr("-+ #0123456789.lhzjtL%cdiouxXeEfFgGaAsp", *p) &&
                            !strchr("%cdiouxXeEfFgGaAsp", *p)
                      : *p && !strchr("%cdiouxXeEfFgGaAsp", *p));
  if (!*p || strchr(spec, '*') || strchr(spec, 'n')) return false;
  spec[n++] = *p++;
  spec[n] = 0;
  *end = p;
  return true;
}

static void print_one(struct vm_exec *x, u32 lane, const char *spec, u64 *args) {
  char out[600], text[256];
  size_t n = strlen(spec);
  char c = spec[n - 1];
  bool wide = strstr(spec, "l") || strstr(spec, "z") || strstr(spec, "j");
  int k;
  char clean[32], *q = clean; /* the host's own length modifiers */
  for (const char *p = spec; *p && q < clean + 20; p++)
    if (!strchr("lhzjtL", *p)) *q++ = *p;
  *q = 0;
  u32 bytes = strchr("sp", c) || wide || strchr("eEfFgGaA", c) ? 8 : 4;
  u64 v = 0;
  *args = (*args + bytes - 1) & ~(u64)(bytes - 1);
  if (c != '%' && !vm_peek(x, lane, *args, &v, bytes)) return;
  if (c != '%') *args += bytes;
  if (q[-1] != '%' && strchr("diouxX", c)) {
    char letter = q[-1];
    q[-1] = 'l';
    *q++ = 'l';
    *q++ = letter;
    *q = 0;
  }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  if (c == '%')
    k = snprintf(out, sizeof out, "%%");
  else if (c == 's')
    k = snprintf(out, sizeof out, clean,
                 lane_string(x, lane, v, text, sizeof text) ? text : "(bad string)");
  else if (c == 'p')
    k = snprintf(out, sizeof out, "0x%llx", (unsigned long long)v);
  else if (c == 'c')
    k = snprintf(out, sizeof out, clean, (int)v);
  else if (strchr("di", c))
    k = snprintf(out, sizeof out, clean, wide ? (long long)v : (long long)(i32)v);
  else if (strchr("ouxX", c))
    k = snprintf(out, sizeof out, clean, (unsigned long long)(wide ? v : (u32)v));
  else {
    double d;
    memcpy(&d, &v, 8);
    k = snprintf(out, sizeof out, clean, d);
  }
#pragma GCC diagnostic pop
  if (k > 0) print_text(x->m, out, (size_t)k < sizeof out ? (size_t)k : sizeof out - 1);
}

enum {
  PRINTF_STEPS = 100
}; /* printing takes time: endless printing must not outlast the step budget */

static void builtin_vprintf(struct vm_exec *x, const struct vm_insn *in) {
  x->m->steps += PRINTF_STEPS;
  x->m->slept += PRINTF_STEPS;
  VM_EACH(l, x->mask) {
    char format[1024], spec[32];
    if (!lane_string(x, l, arg(x, in, 0, l), format, sizeof format)) {
      vm_fault_now(x, in, VM_FAULT_BOUNDS, vm_bit(l),
                   "the format string of printf is not readable");
      return;
    }
    u64 args = arg(x, in, 1, l);
    if (x->m->printed.n >= x->m->config.printf_max_bytes) { /* full: count, do not format */
      x->m->printed_dropped += strlen(format);
      result(x, in, l, 0);
      continue;
    }
    for (const char *f = format; *f;) {
      const char *end;
      if (*f == '%' && conversion(f, spec, sizeof spec, &end)) {
        print_one(x, l, spec, &args);
        f = end;
      } else {
        print_text(x->m, f++, 1);
      }
    }
    result(x, in, l, 0);
  }
  x->group->changed = true; /* output is progress */
  x->m->progress++;
}

static void builtin_assertfail(struct vm_exec *x, const struct vm_insn *in) {
  u32 l = (u32)__builtin_ctz(x->mask);
  char what[200] = "?", file[100] = "?", func[100] = "?";
  lane_string(x, l, arg(x, in, 0, l), what, sizeof what);
  lane_string(x, l, arg(x, in, 1, l), file, sizeof file);
  lane_string(x, l, arg(x, in, 3, l), func, sizeof func);
  vm_fault_now(x, in, VM_FAULT_TRAP, x->mask, "assertion failed: %s", what);
}

/* CUDA's default heap: 8 MiB, then NULL. Small pieces cost more than they hold, as there: or a
 * million of them would hide in it. */
enum { HEAP_BYTES = 8 << 20, HEAP_HEAD = 16, MALLOC_STEPS = 20, MALLOC_STEP_BYTES = 256 };
static u64 heap_cost(u64 n) { return ((n + HEAP_HEAD - 1) & ~(u64)(HEAP_HEAD - 1)) + HEAP_HEAD; }

static void builtin_malloc(struct vm_exec *x, const struct vm_insn *in) {
  VM_EACH(l, x->mask) {
    u64 n = arg(x, in, 0, l);
    struct vm_mem *mem = NULL;
    struct diag why = {0};
    u64 time = MALLOC_STEPS + (n < HEAP_BYTES ? n : HEAP_BYTES) / MALLOC_STEP_BYTES;
    x->m->steps += time; /* it takes time, and each address is remembered */
    x->m->slept += time;
    if (n <= HEAP_BYTES && x->m->heap_bytes + heap_cost(n) <= HEAP_BYTES)
      mem = vm_mem_new(x->m, SP_GLOBAL, "malloc'ed memory", n ? n : 1, 1, &why);
    if (mem) {
      mem->o.is_heap = true;
      x->m->heap_bytes += heap_cost(mem->o.size_bytes);
    }
    result(x, in, l, mem ? mem->o.base : 0);
  }
  x->m->progress++;
}

static void builtin_free(struct vm_exec *x, const struct vm_insn *in) {
  VM_EACH(l, x->mask) {
    u64 a = arg(x, in, 0, l);
    if (!a) continue;
    struct vm_mem *mem = vm_mem_find(x->m, a);
    if (!mem || mem->o.base != a || !mem->o.is_heap) {
      vm_fault_now(x, in, VM_FAULT_BOUNDS, vm_bit(l), "free of 0x%llx, which malloc did not return",
                   (unsigned long long)a);
      return;
    }
    if (mem->o.state != VM_LIVE) {
      vm_fault_now(x, in, VM_FAULT_BOUNDS, vm_bit(l), "free of memory that was freed before");
      return;
    }
    x->m->heap_bytes -= heap_cost(mem->o.size_bytes);
    vm_mem_free(x->m, mem);
  }
  x->m->progress++;
}

vm_builtin_fn *vm_builtin(str name) {
  static const struct {
    const char *name;
    vm_builtin_fn *fn;
  } list[] = {{"vprintf", builtin_vprintf},
              {"__assertfail", builtin_assertfail},
              {"malloc", builtin_malloc},
              {"free", builtin_free}};
  for (size_t i = 0; i < COUNT_OF(list); i++)
    if (str_eqz(name, list[i].name)) return list[i].fn;
  return NULL;
}
