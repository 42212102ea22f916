/* expect.c - output buffers against the CPU reference. Says which element, what was found and what
 * was wanted, and how many differ; never stops at "wrong".
 *
 * Three different outcomes: never written and not the wanted value are WRONG, written with an
 * undefined value is UNINIT. NaN matches nothing. */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "puzzle/pz.h"

union number {
  i64 i;
  u64 u;
  double f;
};
enum class { SIGNED, UNSIGNED, FLOATING };

static enum class class_of(enum pz_type t) {
  if (t == PZ_F32 || t == PZ_F64) return FLOATING;
  return t == PZ_U8 || t == PZ_U16 || t == PZ_U32 || t == PZ_U64 ? UNSIGNED : SIGNED;
}

static union number load(enum pz_type t, const void *array, size_t i) {
  const u8 *p = (const u8 *)array + i * pz_type_bytes(t);
  union number v = {0};
  float f;
  switch (t) {
  case PZ_I8: v.i = *(const int8_t *)p; break;
  case PZ_I16: v.i = *(const int16_t *)(const void *)p; break;
  case PZ_I32: v.i = *(const int32_t *)(const void *)p; break;
  case PZ_F32:
    memcpy(&f, p, 4);
    v.f = (double)f;
    break;
  case PZ_U8:
  case PZ_U16:
  case PZ_U32:
  case PZ_U64:
  case PZ_I64:
  case PZ_F64: memcpy(&v, p, pz_type_bytes(t)); break;
  }
  return v;
}

static const char *show(struct arena *a, enum pz_type t, union number v) {
  switch (class_of(t)) {
  case SIGNED: return arena_printf(a, "%" PRId64, v.i);
  case UNSIGNED: return arena_printf(a, "%" PRIu64, v.u);
  case FLOATING: break;
  }
  if (isnan(v.f)) return "NaN";
  return arena_printf(a, t == PZ_F32 ? "%.9g" : "%.17g", v.f);
}

static bool matches(enum pz_type t, union number got, union number want, double rel_tol,
                    double abs_tol) {
  if (class_of(t) != FLOATING) return got.u == want.u;
  if (isnan(got.f) || isnan(want.f)) return false;
  if (got.f == want.f) return true; /* infinities too: their difference is NaN */
  return fabs(got.f - want.f) <= abs_tol + rel_tol * fabs(want.f);
}

struct tally { /* elements by outcome, and the first of each */
  size_t unwritten, undefined, differ;
  size_t first_unwritten, first_undefined, first_differ;
};

static bool all_set(const u8 *flags, size_t n) { return memchr(flags, 0, n) == NULL; }

static void count(size_t *n, size_t *first, size_t i) {
  if ((*n)++ == 0) *first = i;
}

/* Where an undefined value came from is known to the checks: the note about the store that carried
 * it into this buffer. */
static void borrow_origin(struct pz *pz, struct finding *f) {
  u32 n = 0;
  u64 dropped = 0;
  const struct finding *const *all = device_findings(pz->device, &n, &dropped);
  char use[200];
  snprintf(use, sizeof use, "store to %s", f->object);
  for (u32 i = 0; i < n; i++) {
    if (all[i]->kind != V_UNINIT || !all[i]->access_count ||
        strcmp(all[i]->accesses[0].op, use) != 0)
      continue;
    memcpy(f->accesses, all[i]->accesses, sizeof f->accesses);
    f->access_count = all[i]->access_count;
    f->suggestion = all[i]->suggestion;
    const char *origin = strstr(all[i]->message, " It ");
    if (origin) f->message = arena_printf(pz->arena, "%s%s", f->message, origin);
    return;
  }
}

static struct finding *place(struct finding *f, const struct pz_buf *b, size_t i) {
  f->space = "global";
  f->object = b->name;
  f->element = (i64)i;
  f->offset = i * pz_type_bytes(b->type);
  return f;
}

static const char *plural(size_t n) { return n == 1 ? "" : "s"; }

static void say(struct pz *pz, const struct pz_buf *b, const struct tally *t, const u8 *got,
                const void *want) {
  struct arena *a = pz->arena;
  if (t->undefined) {
    size_t i = t->first_undefined;
    struct finding *f = finding_list_say(
        &pz->found, V_UNINIT, "%s[%zu] was written with an undefined value (%zu of %zu element%s).",
        b->name, i, t->undefined, b->n, plural(b->n));
    borrow_origin(pz, place(f, b, i));
  }
  if (!t->unwritten && !t->differ) return;
  bool missing = t->unwritten && (!t->differ || t->first_unwritten < t->first_differ);
  size_t i = missing ? t->first_unwritten : t->first_differ;
  const char *should = show(a, b->type, load(b->type, want, i));
  struct finding *f;
  if (missing)
    f = finding_list_say(&pz->found, V_WRONG, "%s[%zu] was never written; it should be %s.",
                         b->name, i, should);
  else
    f = finding_list_say(&pz->found, V_WRONG, "%s[%zu] is %s; it should be %s.", b->name, i,
                         show(a, b->type, load(b->type, got, i)), should);
  f->message = arena_printf(
      a, "%s %zu of %zu element%s %s wrong%s.", f->message, t->differ + t->unwritten, b->n,
      plural(b->n), t->differ + t->unwritten == 1 ? "is" : "are",
      t->unwritten && t->differ ? arena_printf(a, ", %zu of them never written", t->unwritten)
                                : "");
  place(f, b, i);
}

static void expect(struct pz *pz, const struct pz_buf *b, const void *want, double rel_tol,
                   double abs_tol) {
  struct diag why = {0};
  u32 size = pz_type_bytes(b->type);
  if (pz->stopped || b->n == 0) return;
  u8 *got = pz_host(pz, b->n * size);
  u8 *defined = pz_host(pz, b->n * size), *written = pz_host(pz, b->n * size);
  if (!device_read(pz->device, b->address, got, b->n * size, &why) ||
      !device_written(pz->device, b->address, written, b->n * size, &why) ||
      !device_defined(pz->device, b->address, defined, b->n * size, &why)) {
    pz_internal(pz, &why);
    return;
  }
  struct tally t = {0};
  for (size_t i = 0; i < b->n; i++) {
    if (!all_set(written + i * size, size))
      count(&t.unwritten, &t.first_unwritten, i);
    else if (!pz->optimized && !all_set(defined + i * size, size))
      count(&t.undefined, &t.first_undefined, i);
    else if (!matches(b->type, load(b->type, got, i), load(b->type, want, i), rel_tol, abs_tol))
      count(&t.differ, &t.first_differ, i);
  }
  say(pz, b, &t, got, want);
}

/* A check that compares with the wrong type is a bug of the suite. */
static void need_type(const struct pz *pz, const struct pz_buf *b, enum pz_type one,
                      enum pz_type other) {
  if (b->type != one && b->type != other)
    BUG("check of %s compares %s with reference data of another type", pz->puzzle->id, b->name);
}

void pz_expect_i32(struct pz *pz, struct pz_buf *b, const int32_t *want) {
  need_type(pz, b, PZ_I32, PZ_I32);
  expect(pz, b, want, 0, 0);
}
void pz_expect_u32(struct pz *pz, struct pz_buf *b, const uint32_t *want) {
  need_type(pz, b, PZ_U32, PZ_U32);
  expect(pz, b, want, 0, 0);
}
void pz_expect_i64(struct pz *pz, struct pz_buf *b, const int64_t *want) {
  need_type(pz, b, PZ_I64, PZ_I64);
  expect(pz, b, want, 0, 0);
}
void pz_expect_u64(struct pz *pz, struct pz_buf *b, const uint64_t *want) {
  need_type(pz, b, PZ_U64, PZ_U64);
  expect(pz, b, want, 0, 0);
}
void pz_expect_u8(struct pz *pz, struct pz_buf *b, const uint8_t *want) {
  need_type(pz, b, PZ_U8, PZ_I8);
  expect(pz, b, want, 0, 0);
}
void pz_expect_f32(struct pz *pz, struct pz_buf *b, const float *want, double rel_tol,
                   double abs_tol) {
  need_type(pz, b, PZ_F32, PZ_F32);
  expect(pz, b, want, rel_tol, abs_tol);
}
void pz_expect_f64(struct pz *pz, struct pz_buf *b, const double *want, double rel_tol,
                   double abs_tol) {
  need_type(pz, b, PZ_F64, PZ_F64);
  expect(pz, b, want, rel_tol, abs_tol);
}

double pz_sum_tolerance_f32(size_t n, double sum_abs) {
  return (double)n * 0x1p-24 * fabs(sum_abs);
}

void pz_expect(struct pz *pz, bool cond, const char *fmt, ...) {
  if (pz->stopped || cond) return;
  va_list ap;
  va_start(ap, fmt);
  finding_list_say(&pz->found, V_WRONG, "%s", arena_vprintf(pz->arena, fmt, ap));
  va_end(ap);
}
