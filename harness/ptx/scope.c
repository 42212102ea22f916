/* scope.c - names: one hash table for the module and the open blocks, innermost first, and the uses
 * of labels that wait for their block to close (a label may be used before it is defined, and
 * inline assembly repeats labels block by block). Reads no tokens. */
#include "ptx/parse.h"
#include <string.h>

void *ptx_list_add(struct ptx_list *l, size_t elem_bytes) {
  l->p = held_grow(l->p, &l->cap, l->n + 1, elem_bytes);
  return memset((char *)l->p + l->n++ * elem_bytes, 0, elem_bytes);
}

void *ptx_list_keep(struct arena *keep, const struct ptx_list *l, size_t elem_bytes) {
  void *p = arena_array(keep, l->n, elem_bytes);
  if (l->n) memcpy(p, l->p, l->n * elem_bytes);
  return p;
}

void ptx_list_free(struct ptx_list *l) {
  held_free(l->p);
  *l = (struct ptx_list){0};
}

static struct ptx_sym *sym_at(const struct ptx_parser *p, i32 i) {
  return AT(p->syms, struct ptx_sym, i);
}

static bool is_labelish(u8 kind) {
  return kind == SYM_LABEL || kind == SYM_PROTO || kind == SYM_TARGETS;
}

static void chain(struct ptx_parser *p, i32 i) {
  struct ptx_sym *s = sym_at(p, i);
  i32 *head = &p->bucket[s->hash & (p->bucket_count - 1)];
  s->next = *head;
  *head = i;
}

static void grow_buckets(struct ptx_parser *p) {
  if (p->bucket && p->syms.n <= p->bucket_count) return;
  size_t cap = 0;
  held_free(p->bucket);
  p->bucket =
      held_grow(NULL, &cap, p->bucket_count ? p->bucket_count * 2 : 1024, sizeof *p->bucket);
  p->bucket_count = (u32)cap;
  memset(p->bucket, 0xff, cap * sizeof *p->bucket);
  /* in order of declaration: the innermost stays first in its chain */
  for (size_t i = 0; i < p->syms.n; i++) chain(p, (i32)i);
}

/* The innermost symbol of that name; labels live in a name space of their own. */
static struct ptx_sym *find(const struct ptx_parser *p, str name, u32 hash, bool labels) {
  if (!p->bucket) return NULL;
  for (i32 i = p->bucket[hash & (p->bucket_count - 1)]; i >= 0;) {
    struct ptx_sym *s = sym_at(p, i);
    if (s->hash == hash && is_labelish(s->kind) == labels && s->kind != SYM_REGS &&
        str_eq(s->name, name))
      return s;
    i = s->next;
  }
  return NULL;
}

static struct ptx_sym *find_range(const struct ptx_parser *p, str prefix, u32 hash, u64 number) {
  if (!p->bucket) return NULL;
  for (i32 i = p->bucket[hash & (p->bucket_count - 1)]; i >= 0;) {
    struct ptx_sym *s = sym_at(p, i);
    if (s->hash == hash && s->kind == SYM_REGS && number < s->count && str_eq(s->name, prefix))
      return s;
    i = s->next;
  }
  return NULL;
}

bool ptx_declare(struct ptx_parser *p, const struct ptx_tok *name, enum ptx_sym_kind kind,
                 i32 index, u32 count) {
  struct ptx_sym *old = kind == SYM_REGS ? find_range(p, name->text, name->hash, 0)
                                         : find(p, name->text, name->hash, is_labelish((u8)kind));
  if (old && old->depth == p->depth)
    return ptx_fail_line(p, name->line, "'" STR_F "' is declared twice in the same block",
                         (int)(name->text.n < 200 ? name->text.n : 200), name->text.p);
  struct ptx_sym *s = ADD(p->syms, struct ptx_sym);
  *s = (struct ptx_sym){.name = name->text,
                        .hash = name->hash,
                        .kind = (u8)kind,
                        .depth = (u8)p->depth,
                        .index = index,
                        .count = count};
  bool rebuilt = !p->bucket || p->syms.n > p->bucket_count;
  grow_buckets(p);
  if (!rebuilt) chain(p, (i32)p->syms.n - 1);
  return true;
}

const struct ptx_sym *ptx_lookup(const struct ptx_parser *p, str name, u32 hash) {
  return find(p, name, hash, false);
}

/* "%r17" is number 17 of "%r<43>"; "%r017" is not. */
static bool split_number(str name, str *prefix, u64 *number) {
  size_t n = name.n;
  while (n > 0 && name.n - n < 8 && name.p[n - 1] >= '0' && name.p[n - 1] <= '9') n--;
  size_t len = name.n - n;
  if (len == 0 || n == 0 || (name.p[n] == '0' && len > 1)) return false;
  *number = 0;
  for (size_t i = n; i < name.n; i++) *number = *number * 10 + (u64)(name.p[i] - '0');
  *prefix = (str){name.p, n};
  return true;
}

i32 ptx_lookup_reg(const struct ptx_parser *p, str name, u32 hash) {
  str prefix;
  u64 number = 0;
  const struct ptx_sym *range = NULL, *single = NULL;
  if (split_number(name, &prefix, &number))
    range = find_range(p, prefix, ptx_word_hash(prefix), number);
  if (!range || p->digit_names) single = find(p, name, hash, false);
  if (single && (!range || single->depth > range->depth))
    return single->kind == SYM_REG ? single->index : -1;
  return range ? range->index + (i32)number : -1;
}

struct ptx_fixup *ptx_fixup_add(struct ptx_parser *p, const struct ptx_tok *name,
                                enum ptx_sym_kind want) {
  struct ptx_fixup *f = ADD(p->fixups, struct ptx_fixup);
  *f = (struct ptx_fixup){
      .name = name->text, .hash = name->hash, .line = name->line, .want = (u8)want};
  f->insn = (u32)(p->code.n ? p->code.n - 1 : 0);
  return f;
}

bool ptx_scope_open(struct ptx_parser *p) {
  if (p->depth >= PTX_MAX_DEPTH)
    return ptx_fail(p, "blocks nested more than %d deep", PTX_MAX_DEPTH);
  p->depth++;
  p->scope[p->depth] = (struct ptx_scope){p->syms.n, p->fixups.n, p->param_cursor};
  return true;
}

static bool bind_table(struct ptx_parser *p, const struct ptx_fixup *f, const struct ptx_sym *s) {
  const struct ptx_targets *t = AT(p->targets, struct ptx_targets, s->index);
  struct ptx_insn *in = AT(p->code, struct ptx_insn, f->insn);
  p->target_total += t->n;
  if (p->target_total > PTX_MAX_TARGETS)
    return ptx_fail_line(p, f->line, "more than %d branch table entries", PTX_MAX_TARGETS);
  in->targets = t->v;
  in->target_count = t->n;
  return true;
}

/* Binds one use to a name of the closing block. */
static bool bind(struct ptx_parser *p, const struct ptx_fixup *f, const struct ptx_sym *s) {
  struct ptx_insn *in = f->want == SYM_LABEL ? NULL : AT(p->code, struct ptx_insn, f->insn);
  if (f->want == SYM_LABEL && s->kind == SYM_LABEL) {
    *f->slot = s->index;
    if (s->index > p->last_target) p->last_target = s->index;
    return true;
  }
  if (f->want == SYM_PROTO && s->kind == SYM_PROTO) {
    in->prototype = s->index;
    return true;
  }
  if (f->want == SYM_PROTO && s->kind == SYM_TARGETS) return true; /* .calltargets: no prototype */
  if (f->want == SYM_TARGETS && s->kind == SYM_TARGETS) return bind_table(p, f, s);
  return ptx_fail_line(p, f->line, "'" STR_F "' is not what is needed here",
                       (int)(f->name.n < 200 ? f->name.n : 200), f->name.p);
}

bool ptx_scope_close(struct ptx_parser *p) {
  struct ptx_scope *scope = &p->scope[p->depth];
  size_t kept = scope->fixups;
  for (size_t i = scope->fixups; i < p->fixups.n; i++) {
    const struct ptx_fixup *f = AT(p->fixups, struct ptx_fixup, i);
    const struct ptx_sym *s = find(p, f->name, f->hash, true);
    if (s && s->depth == p->depth) {
      if (!bind(p, f, s)) return false;
    } else { /* of an outer block, then */
      *AT(p->fixups, struct ptx_fixup, kept++) = *f;
    }
  }
  p->fixups.n = kept;
  while (p->syms.n > scope->syms) {
    const struct ptx_sym *s = sym_at(p, (i32)--p->syms.n);
    p->bucket[s->hash & (p->bucket_count - 1)] = s->next;
  }
  p->param_cursor = scope->param_cursor;
  p->depth--;
  return true;
}
