/* init.c - initial values of variables: numbers, nested braces, addresses (as relocations, because
 * only the machine knows where things lie). */
#include "ptx/parse.h"
#include <stdlib.h>
#include <string.h>

struct fill { /* the values of one variable while they are read */
  const struct ptx_decl *d;
  u32 elem_bytes;
  u64 limit; /* elements; UINT64_MAX for name[] */
  struct strbuf bytes;
  struct ptx_list relocs;
};

/* The bytes of element `at`, grown with zeros up to there. */
static char *element(struct ptx_parser *p, struct fill *f, u64 at) {
  if (at >= f->limit) {
    ptx_fail(p, "more values than the variable has elements");
    return NULL;
  }
  u64 end = (at + 1) * f->elem_bytes;
  if (end > PTX_MAX_INIT_BYTES || p->init_bytes + end > PTX_MAX_INIT_BYTES) {
    ptx_fail(p, "initial values of more than %d MiB", PTX_MAX_INIT_BYTES >> 20);
    return NULL;
  }
  if (end > f->bytes.n) {
    f->bytes.p = base_grow(f->bytes.p, &f->bytes.cap, end, 1);
    memset(f->bytes.p + f->bytes.n, 0, end - f->bytes.n);
    f->bytes.n = end;
  }
  return f->bytes.p + end - f->elem_bytes;
}

static u64 bits_for(enum ptx_type t, const struct ptx_const *c) {
  double d;
  float s;
  u32 single;
  if (!c->is_float) {
    if (t != T_F32 && t != T_F64) return c->bits;
    d = (double)(i64)c->bits; /* .f32 x = 1; */
  } else if (c->is_f32) {
    if (t != T_F64) return c->bits;
    single = (u32)c->bits;
    memcpy(&s, &single, sizeof s);
    d = (double)s;
  } else {
    if (t != T_F32) return c->bits;
    memcpy(&d, &c->bits, sizeof d);
  }
  if (t == T_F32) {
    s = (float)d;
    memcpy(&single, &s, sizeof single);
    return single;
  }
  u64 bits;
  memcpy(&bits, &d, sizeof bits);
  return bits;
}

static bool store_const(struct ptx_parser *p, struct fill *f, u64 at, const struct ptx_const *c) {
  char *to = element(p, f, at);
  if (!to) return false;
  if (c->is_float && f->elem_bytes < 4)
    return ptx_fail(p, "a floating-point literal does not fit this type");
  u64 bits = bits_for(f->d->type, c);
  memcpy(to, &bits, f->elem_bytes < 8 ? f->elem_bytes : 8); /* little-endian, like the device */
  return true;
}

/* sym, sym+8, generic(sym), generic(sym)+8 */
static bool symbol(struct ptx_parser *p, struct ptx_reloc *r) {
  struct ptx_tok name;
  if (!ptx_expect_word(p, "a name", &name)) return false;
  if (str_eqz(name.text, "generic") && ptx_accept(p, '(')) {
    r->generic = true;
    if (!ptx_expect_word(p, "a name", &name)) return false;
    if (!ptx_expect(p, ')')) return false;
  }
  r->symbol = name.text;
  while (ptx_is(p, '+') || ptx_is(p, '-')) {
    bool minus = ptx_is(p, '-');
    struct ptx_const c;
    ptx_next(p);
    if (!ptx_const_unary(p, &c)) return false;
    r->addend = (i64)((u64)r->addend + (minus ? -c.bits : c.bits));
  }
  return true;
}

static bool store_symbol(struct ptx_parser *p, struct fill *f, u64 at) {
  struct ptx_reloc r = {0};
  if (!symbol(p, &r) || !element(p, f, at)) return false;
  if (f->elem_bytes != 4 && f->elem_bytes != 8)
    return ptx_fail(p, "an address does not fit this type");
  r.offset_bytes = (u32)(at * f->elem_bytes);
  r.size_bytes = f->elem_bytes;
  *ADD(f->relocs, struct ptx_reloc) = r;
  return true;
}

/* 0xFF00(sym): byte 1 of the address. Consecutive bytes of one address become one relocation. */
static bool store_mask(struct ptx_parser *p, struct fill *f, u64 at, u64 mask) {
  struct ptx_reloc r = {.size_bytes = 1};
  u32 byte = 0;
  while (byte < 8 && mask != (u64)0xff << (byte * 8)) byte++;
  if (byte == 8 || f->elem_bytes != 1)
    return ptx_fail(p, "a mask must pick one byte of an address, in an array of bytes");
  ptx_next(p);
  if (!symbol(p, &r) || !ptx_expect(p, ')') || !element(p, f, at)) return false;
  r.offset_bytes = (u32)at;
  if (byte == 0) {
    *ADD(f->relocs, struct ptx_reloc) = r;
    return true;
  }
  struct ptx_reloc *last = f->relocs.n ? AT(f->relocs, struct ptx_reloc, f->relocs.n - 1) : NULL;
  if (!last || last->size_bytes != byte || last->offset_bytes + byte != r.offset_bytes ||
      last->generic != r.generic || last->addend != r.addend || !str_eq(last->symbol, r.symbol))
    return ptx_fail(p, "the bytes of an address must stand in order");
  last->size_bytes++;
  return true;
}

static bool scalar(struct ptx_parser *p, struct fill *f, u64 at) {
  if (p->lex.tok.kind == TK_WORD && !str_eqz(p->lex.tok.text, "WARP_SZ"))
    return store_symbol(p, f, at);
  struct ptx_const c;
  bool number = p->lex.tok.kind == TK_NUM && !p->lex.tok.is_float;
  u64 mask = p->lex.tok.bits;
  if (!ptx_const_expr(p, &c)) return false;
  if (number && ptx_is(p, '(')) return store_mask(p, f, at, mask);
  return store_const(p, f, at, &c);
}

/* The values between braces, from element `first`; level: how many dimensions lie outside. */
static bool braces(struct ptx_parser *p, struct fill *f, u32 level, u64 first) {
  u64 stride = f->d->vec, at = first;
  for (u32 i = level + 1; i < f->d->dim_count; i++) stride *= f->d->dim[i];
  if (level >= f->d->dim_count) stride = 1;
  if (++p->nesting > PTX_MAX_DEPTH) return ptx_fail(p, "braces nested too deep");
  while (!ptx_is(p, '}')) {
    if (ptx_accept(p, '{')) {
      if (!braces(p, f, level + 1, at)) return false;
      at += stride;
    } else {
      if (!scalar(p, f, at)) return false;
      at++;
    }
    if (at > (u64)1 << 42) return ptx_fail(p, "too many values");
    if (!ptx_accept(p, ',') && !ptx_is(p, '}')) return ptx_fail(p, "expected ',' or '}'");
  }
  ptx_next(p);
  p->nesting--;
  return true;
}

static bool finish(struct ptx_parser *p, struct fill *f, struct ptx_var *v) {
  u64 row = f->elem_bytes * (u64)f->d->vec; /* name[][3]: whole rows */
  for (u32 i = 1; i < f->d->dim_count; i++) row *= f->d->dim[i];
  if (v->unsized) {
    v->size_bytes = row ? (f->bytes.n + row - 1) / row * row : 0;
    v->unsized = false;
  }
  if (v->size_bytes > PTX_MAX_INIT_BYTES || p->init_bytes + v->size_bytes > PTX_MAX_INIT_BYTES)
    return ptx_fail(p, "initial values of more than %d MiB", PTX_MAX_INIT_BYTES >> 20);
  p->init_bytes += v->size_bytes;
  u8 *init = NEWN(p->keep, u8, v->size_bytes);
  if (f->bytes.n) memcpy(init, f->bytes.p, f->bytes.n < v->size_bytes ? f->bytes.n : v->size_bytes);
  v->init = init;
  v->relocs = ptx_list_keep(p->keep, &f->relocs, sizeof *v->relocs);
  v->reloc_count = (u32)f->relocs.n;
  return true;
}

bool ptx_initialiser(struct ptx_parser *p, const struct ptx_decl *d, struct ptx_var *v) {
  struct fill f = {.d = d, .elem_bytes = ptx_type_bytes(d->type)};
  f.limit = d->unsized ? UINT64_MAX : v->size_bytes / f.elem_bytes;
  bool ok = ptx_accept(p, '{') ? braces(p, &f, 0, 0) : scalar(p, &f, 0);
  ok = ok && finish(p, &f, v);
  strbuf_free(&f.bytes);
  ptx_list_free(&f.relocs);
  return ok;
}
