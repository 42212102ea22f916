/* buffers.c - host data, random inputs and device buffers of one run. Owns no policy: what a
 * buffer's contents mean is expect.c's business. */
#include <string.h>
#include "puzzle/pz.h"

u32 pz_type_bytes(enum pz_type t) {
  switch (t) {
  case PZ_U8:
  case PZ_I8: return 1;
  case PZ_U16:
  case PZ_I16: return 2;
  case PZ_I32:
  case PZ_U32:
  case PZ_F32: return 4;
  case PZ_I64:
  case PZ_U64:
  case PZ_F64: return 8;
  }
  BUG("no such pz_type: %d", (int)t);
}

void pz_internal(struct pz *pz, const struct diag *why) {
  struct finding *f = finding_list_say(&pz->found, V_INTERNAL, "%s", why->text);
  f->suggestion = why->next[0] ? str_copy(pz->arena, str_of(why->next)).p : "";
  pz->stopped = true;
}

void pz_shape(struct pz *pz, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(pz->shape, sizeof pz->shape, fmt, ap);
  va_end(ap);
}

void *pz_host(struct pz *pz, size_t size_bytes) {
  return arena_alloc(pz->arena, size_bytes ? size_bytes : 1);
}

/* ---- random data. Bounds turn up often: that is where kernels go wrong. ---- */
static i64 draw(struct pz *pz, i64 lo, i64 hi) {
  u64 span = (u64)hi - (u64)lo;
  u64 r = rng_next(&pz->rng);
  if (r % 32 == 0) return lo;
  if (r % 32 == 1) return hi;
  return (i64)((u64)lo + (r >> 8) % (span + 1));
}

int32_t *pz_random_i32(struct pz *pz, size_t n, int32_t lo, int32_t hi) {
  int32_t *v = pz_host(pz, n * sizeof *v);
  for (size_t i = 0; i < n; i++) v[i] = (int32_t)draw(pz, lo, hi);
  return v;
}

uint32_t *pz_random_u32(struct pz *pz, size_t n, uint32_t lo, uint32_t hi) {
  uint32_t *v = pz_host(pz, n * sizeof *v);
  for (size_t i = 0; i < n; i++) v[i] = (uint32_t)draw(pz, lo, hi);
  return v;
}

static double unit(struct pz *pz) { return (double)(rng_next(&pz->rng) >> 11) * 0x1p-53; }

float *pz_random_f32(struct pz *pz, size_t n, float lo, float hi) {
  float *v = pz_host(pz, n * sizeof *v);
  for (size_t i = 0; i < n; i++) v[i] = (float)((double)lo + ((double)hi - (double)lo) * unit(pz));
  return v;
}

double *pz_random_f64(struct pz *pz, size_t n, double lo, double hi) {
  double *v = pz_host(pz, n * sizeof *v);
  for (size_t i = 0; i < n; i++) v[i] = lo + (hi - lo) * unit(pz);
  return v;
}

uint32_t pz_random(struct pz *pz, uint32_t below) { return below ? rng_below(&pz->rng, below) : 0; }

int pz_vary(struct pz *pz, int usual, int lo, int hi) {
  return pz->hidden && lo < hi ? (int)draw(pz, lo, hi) : usual;
}

int pz_rounds(struct pz *pz, int most) {
  const int fixed = 2;
  return pz->is_drawn || most < fixed ? most : fixed;
}

/* ---- device buffers ---- */
struct pz_buf *pz_out(struct pz *pz, const char *name, enum pz_type t, size_t n) {
  struct pz_buf *b = NEW(pz->arena, struct pz_buf);
  *b = (struct pz_buf){.name = name, .type = t, .n = n};
  struct diag why = {0};
  b->address = device_alloc(pz->device, name, n * pz_type_bytes(t), pz_type_bytes(t), &why);
  if (!b->address) pz_internal(pz, &why);
  return b;
}

void pz_put(struct pz *pz, struct pz_buf *b, const void *from) {
  struct diag why = {0};
  if (pz->stopped || b->n == 0) return;
  if (!device_write(pz->device, b->address, from, b->n * pz_type_bytes(b->type), &why))
    pz_internal(pz, &why);
}

void pz_get(struct pz *pz, struct pz_buf *b, void *to) {
  struct diag why = {0};
  size_t size = b->n * pz_type_bytes(b->type);
  memset(to, 0, size); /* a stopped run reads as zeros */
  if (pz->stopped || b->n == 0) return;
  if (!device_read(pz->device, b->address, to, size, &why)) pz_internal(pz, &why);
}

struct pz_buf *pz_in(struct pz *pz, const char *name, enum pz_type t, size_t n, const void *from) {
  struct pz_buf *b = pz_out(pz, name, t, n);
  pz_put(pz, b, from);
  return b;
}

struct pz_buf *pz_zero(struct pz *pz, const char *name, enum pz_type t, size_t n) {
  return pz_in(pz, name, t, n, pz_host(pz, n * pz_type_bytes(t)));
}

struct pz_buf *pz_part(struct pz *pz, struct pz_buf *b, size_t from, size_t n) {
  if (from > b->n || n > b->n - from)
    BUG("check of %s: pz_part(%s, %zu, %zu) of %zu elements", pz->puzzle->id, b->name, from, n,
        b->n);
  struct pz_buf *part = NEW(pz->arena, struct pz_buf);
  *part = *b;
  part->n = n;
  part->address = b->address + from * pz_type_bytes(b->type);
  return part;
}
