/* loc.c - .file and .loc: source positions, chains of inlined calls, names of inlined functions out
 * of .debug_str. Knows nothing about instructions. */
#include "ptx/parse.h"
#include <stdlib.h>
#include <string.h>

void ptx_locs_init(struct ptx_parser *p) {
  memset(p->loc_bucket, 0xff, sizeof p->loc_bucket);
  ADD(p->files, str)->p = "";
}

bool ptx_file_directive(struct ptx_parser *p) {
  u64 index;
  if (!ptx_const_int(p, PTX_MAX_FILES, "a file number", &index)) return false;
  if (p->lex.tok.kind != TK_STRING) return ptx_fail(p, "expected the name of a file");
  while (p->files.n <= index) ADD(p->files, str)->p = "";
  if (index) *AT(p->files, str, index) = p->lex.tok.text;
  ptx_next(p);
  while (ptx_accept(p, ',')) { /* time stamp, size */
    u64 ignored;
    if (!ptx_const_int(p, UINT64_MAX, "a number", &ignored)) return false;
  }
  return true;
}

static i32 *bucket(struct ptx_parser *p, u64 file, u64 line, u64 col) {
  u64 h = (file * 31 + line) * 0x9e3779b97f4a7c15u + col * 0xff51afd7ed558ccdu;
  return &p->loc_bucket[(h >> 40) % PTX_LOC_BUCKETS];
}

/* The most recent .loc with exactly that position. */
static i32 find(struct ptx_parser *p, u64 file, u64 line, u64 col) {
  for (i32 i = *bucket(p, file, line, col); i >= 0;
       i = AT(p->seen_locs, struct ptx_seen_loc, i)->next) {
    const struct ptx_loc *l = AT(p->locs, struct ptx_loc, i);
    if (l->file == file && l->line == line && AT(p->seen_locs, struct ptx_seen_loc, i)->col == col)
      return i;
  }
  return -1;
}

static bool position(struct ptx_parser *p, u64 *file, u64 *line, u64 *col) {
  return ptx_const_int(p, PTX_MAX_FILES, "a file number", file) &&
         ptx_const_int(p, INT32_MAX, "a line number", line) &&
         ptx_const_int(p, UINT32_MAX, "a column", col);
}

/* function_name $L__info_string0[+4], inlined_at 1 12 3 */
static bool inlining(struct ptx_parser *p, struct ptx_debug_name *name, i32 *inlined_at) {
  do {
    struct ptx_tok t;
    if (!ptx_expect_word(p, "'function_name' or 'inlined_at'", &t)) return false;
    if (str_eqz(t.text, "function_name")) {
      u64 offset = 0;
      if (!ptx_expect_word(p, "a label", &t)) return false;
      if (ptx_accept(p, '+') && !ptx_const_int(p, UINT32_MAX, "an offset", &offset)) return false;
      name->label = t.text;
      name->offset = (u32)offset;
    } else if (str_eqz(t.text, "inlined_at")) {
      u64 file, line, col;
      if (!position(p, &file, &line, &col)) return false;
      *inlined_at = find(p, file, line, col);
    } else {
      return ptx_fail_line(p, t.line, "expected 'function_name' or 'inlined_at'");
    }
  } while (ptx_accept(p, ','));
  return true;
}

bool ptx_loc_directive(struct ptx_parser *p) {
  u64 file, line, col;
  struct ptx_debug_name name = {.loc = -1};
  i32 inlined_at = -1;
  if (!position(p, &file, &line, &col)) return false;
  if (ptx_accept(p, ',') && !inlining(p, &name, &inlined_at)) return false;
  if (line == 0) return true; /* compiler-generated: stays with what stands before */
  i32 same = find(p, file, line, col);
  if (same >= 0 && !name.label.n && AT(p->locs, struct ptx_loc, same)->inlined_at == inlined_at) {
    p->loc = same;
    return true;
  }
  i32 at = (i32)p->locs.n, *head = bucket(p, file, line, col);
  *ADD(p->locs, struct ptx_loc) =
      (struct ptx_loc){.file = (u32)file, .line = (u32)line, .inlined_at = inlined_at};
  *ADD(p->seen_locs, struct ptx_seen_loc) = (struct ptx_seen_loc){(u32)col, *head};
  *head = at;
  if (name.label.n) {
    name.loc = at;
    *ADD(p->debug_names, struct ptx_debug_name) = name;
  }
  p->loc = at;
  return true;
}

/* ---- names: .section .debug_str { $L__info_string0: .b8 95,90,0 ... } ---- */

struct label_at {
  str name;
  size_t at;
};

static int by_name(const void *a, const void *b) {
  const struct label_at *x = a, *y = b;
  size_t n = x->name.n < y->name.n ? x->name.n : y->name.n;
  int c = memcmp(x->name.p, y->name.p, n);
  return c ? c : x->name.n < y->name.n ? -1 : x->name.n > y->name.n;
}

static void decode(str section, struct strbuf *bytes, struct ptx_list *labels) {
  struct ptx_lex l;
  for (ptx_lex_start(&l, section); l.tok.kind > TK_BAD; ptx_lex_next(&l)) {
    if (l.tok.kind == TK_WORD)
      *ADD(*labels, struct label_at) = (struct label_at){l.tok.text, bytes->n};
    else if (l.tok.kind == TK_NUM)
      strbuf_add(bytes, &(char){(char)l.tok.bits}, 1);
  }
  strbuf_add(bytes, "", 1);
}

static void name_locs(struct ptx_parser *p, const struct strbuf *bytes,
                      const struct ptx_list *labels) {
  str last_label = {0}, last_name = {0};
  u32 last_offset = 0;
  for (size_t i = 0; i < p->debug_names.n; i++) {
    const struct ptx_debug_name *d = AT(p->debug_names, struct ptx_debug_name, i);
    if (d->offset != last_offset || !str_eq(d->label, last_label)) {
      struct label_at key = {.name = d->label};
      const struct label_at *hit =
          labels->n ? bsearch(&key, labels->p, labels->n, sizeof key, by_name) : NULL;
      last_label = d->label, last_offset = d->offset, last_name = (str){0};
      if (hit && d->offset < bytes->n - hit->at) {
        str mangled = str_of(bytes->p + hit->at + d->offset);
        last_name = ptx_demangle(p->keep, str_copy(p->keep, mangled), true);
      }
    }
    AT(p->locs, struct ptx_loc, d->loc)->function = last_name;
  }
}

bool ptx_locs_finish(struct ptx_parser *p) {
  for (size_t i = 0; i < p->locs.n; i++) {
    struct ptx_loc *l = AT(p->locs, struct ptx_loc, i);
    if (l->file >= p->files.n) l->file = 0;
  }
  if (p->debug_names.n && p->debug_str.n) {
    struct strbuf bytes = {0};
    struct ptx_list labels = {0};
    decode(p->debug_str, &bytes, &labels);
    if (labels.n) qsort(labels.p, labels.n, sizeof(struct label_at), by_name);
    name_locs(p, &bytes, &labels);
    strbuf_free(&bytes);
    ptx_list_free(&labels);
  }
  return true;
}
