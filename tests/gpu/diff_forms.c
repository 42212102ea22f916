/* diff_forms.c - each form alone on two thousand sets of operands, many of them special.
 * Approximate forms within their error, everything else bit by bit, except where the ISA leaves
 * open which NaN comes out. */
#include <string.h>
#include "gpu/diff.h"

enum { SHOWN = 3 };

static u32 batches(struct diff *d) { return (d->form_count + DIFF_BATCH - 1) / DIFF_BATCH; }

static void kernels(struct arena *a, struct diff *d, u32 first, u32 count, struct lab_kernel *k) {
  for (u32 i = 0; i < count; i++) {
    u8 *in = arena_alloc(a, FORM_THREADS * FORM_IN);
    k[i] = (struct lab_kernel){.name = arena_printf(a, "f%u", first + i),
                               .grid = FORM_THREADS / FORM_BLOCK,
                               .block = FORM_BLOCK,
                               .in = in,
                               .in_bytes = FORM_THREADS * FORM_IN,
                               .out_bytes = FORM_THREADS * (FORM_OUT + 32)};
    k[i].out = arena_alloc(a, k[i].out_bytes);
    gen_form_inputs(&d->forms[first + i], d->first, in);
  }
}
static void module(struct diff *d, u32 first, u32 count, struct strbuf *b) {
  char name[16];
  gen_header(b);
  for (u32 i = first; i < first + count; i++) {
    snprintf(name, sizeof name, "f%u", i);
    if (!d->shared->excluded[i]) gen_form(b, &d->forms[i], name);
  }
}

/* Which forms of the batch the assembler does not take, one by one. */
static bool find_refused(struct diff *d, u32 first, u32 count, struct strbuf *out) {
  for (u32 i = first; i < first + count; i++) {
    struct strbuf b = {0};
    struct diag why = {0};
    struct lab_kernel none = {0};
    bool dead = false;
    module(d, i, 1, &b);
    if (!diff_other(d, (str){b.p, b.n}, &none, 0, &dead, &why)) {
      const char *line = strstr(why.text, "error");
      d->shared->excluded[i] = 1;
      DIFF_ADD(d, refused, 1);
      strbuf_printf(out, "refused: %s  (%.*s)\n", d->forms[i].text,
                    line ? (int)strcspn(line, "\n") : 80, line ? line : why.text);
    }
    strbuf_free(&b);
  }
  return true;
}

static void show(struct strbuf *out, const struct form *f, const struct lab_kernel *vm, u32 t,
                 u32 o, u64 a, u64 b) {
  struct arena s = {0};
  strbuf_printf(out, "    thread %u:", t);
  for (u32 i = 0; i < f->ins; i++) {
    u64 v;
    memcpy(&v, vm->in + (size_t)t * FORM_IN + i * 8, 8);
    strbuf_printf(out, " %s",
                  value_text(&s, f->width[f->outs + i], (enum value_type)f->type[f->outs + i], v));
  }
  strbuf_printf(out, "\n      $%u: machine %s", o,
                value_text(&s, f->width[o], (enum value_type)f->type[o], a));
  strbuf_printf(out, ", GPU %s\n", value_text(&s, f->width[o], (enum value_type)f->type[o], b));
  arena_free(&s);
}

static void compare(struct diff *d, u32 index, const struct lab_kernel *vm,
                    const struct lab_kernel *gpu, struct strbuf *out) {
  const struct form *f = &d->forms[index];
  u32 differing = 0;
  DIFF_ADD(d, compared, 1);
  for (u32 t = 0; t < FORM_THREADS; t++)
    for (u32 o = 0; o < f->outs; o++) {
      u64 a, b;
      memcpy(&a, vm->out + (size_t)t * FORM_OUT + o * 8, 8);
      memcpy(&b, gpu->out + (size_t)t * FORM_OUT + o * 8, 8);
      if (form_same(f, o, a, b, &d->shared->ulps[index])) continue;
      if (differing == 0) strbuf_printf(out, "DIFFERS: %s\n", f->text);
      if (differing++ < SHOWN) show(out, f, vm, t, o, a, b);
    }
  if (differing) strbuf_printf(out, "    %u of %u threads differ\n", differing, FORM_THREADS);
  if (differing)
    DIFF_ADD(d, differing, 1);
  else
    DIFF_ADD(d, equal, 1);
}

static bool work(struct diff *d, u32 batch, struct strbuf *out) {
  struct arena a = {0};
  struct strbuf b = {0};
  struct diag why = {0};
  u32 first = batch * DIFF_BATCH,
      count = d->form_count - first < DIFF_BATCH ? d->form_count - first : DIFF_BATCH;
  struct lab_kernel *vm = NEWN(&a, struct lab_kernel, count),
                    *gpu = NEWN(&a, struct lab_kernel, count), none = {0};
  bool dead = false;
  module(d, first, count, &b);
  if (!diff_other(d, (str){b.p, b.n}, &none, 0, &dead, &why)) find_refused(d, first, count, out);
  b.n = 0;
  module(d, first, count, &b);
  kernels(&a, d, first, count, vm);
  kernels(&a, d, first, count, gpu);
  u32 n = 0; /* the accepted ones, moved together */
  for (u32 i = 0; i < count; i++)
    if (!d->shared->excluded[first + i]) vm[n] = vm[i], gpu[n] = gpu[i], n++;
  str ptx = {b.p, b.n};
  if (n && !(lab_vm(ptx, vm, n, VM_CONVERGED, 1, true, &why) &&
             diff_other(d, ptx, gpu, n, &dead, &why))) {
    strbuf_printf(out, "FAILED: forms %u to %u: line %u: %.500s\n", first, first + count - 1,
                  why.line, why.text);
    DIFF_ADD(d, failed, 1);
    n = 0;
  }
  for (u32 i = 0; i < n; i++) {
    u32 index = 0;
    for (const char *p = vm[i].name + 1; *p; p++) index = index * 10 + (u32)(*p - '0');
    if (vm[i].failed || gpu[i].failed) {
      d->shared->excluded[index] = 1;
      DIFF_ADD(d, failed, 1);
      strbuf_printf(out, "FAILED: %s: on the %s: %s\n", d->forms[index].text,
                    vm[i].failed ? "machine" : "GPU", vm[i].failed ? vm[i].why : gpu[i].why);
    } else {
      compare(d, index, &vm[i], &gpu[i], out);
    }
  }
  strbuf_free(&b);
  arena_free(&a);
  return !dead;
}

static void end(struct diff *d) {
  printf("largest distance of approximate forms beyond their absolute bound, in units of the last "
         "place:\n");
  for (u32 i = 0; i < d->form_count; i++)
    if ((d->forms[i].flags & APPROX) && !d->shared->excluded[i])
      printf("  %-34s %-10.6g (allowed %.6g%s)\n", d->forms[i].text, d->shared->ulps[i],
             d->forms[i].ulps, d->forms[i].error > 0 ? ", or the absolute bound" : "");
}

const struct diff_mode diff_forms = {
    "forms", "every form of an instruction on special and random operands", batches, work, end};
