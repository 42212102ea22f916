/* diag.c - why something could not be done: where, what, what next. Fills and prints struct diag;
 * who prints it, and when, is the caller's business. */
#include "base/base.h"
#include <string.h>

static void copy_text(char *to, size_t cap, const char *from) {
  size_t n = strnlen(from, cap - 1);
  memcpy(to, from, n);
  to[n] = 0;
}

/* The place of an earlier, less specific message must not survive. */
static void clear(struct diag *d) {
  d->file[0] = d->text[0] = d->next[0] = d->excerpt[0] = 0;
  d->line = d->col = 0;
  d->set = true;
}

void diag_set(struct diag *d, const char *fmt, ...) {
  if (!d) return;
  clear(d);
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(d->text, sizeof d->text, fmt, ap);
  va_end(ap);
}

void diag_at(struct diag *d, const char *file, u32 line, u32 col, const char *fmt, ...) {
  if (!d) return;
  clear(d);
  copy_text(d->file, sizeof d->file, file ? file : "");
  d->line = line;
  d->col = col;
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(d->text, sizeof d->text, fmt, ap);
  va_end(ap);
}

void diag_next(struct diag *d, const char *fmt, ...) {
  if (!d) return;
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(d->next, sizeof d->next, fmt, ap);
  va_end(ap);
}

/* Input may be hostile: control characters must not reach a terminal. */
static void put_clean(FILE *f, const char *s, bool keep_newlines) {
  for (; *s; s++) {
    unsigned char c = (unsigned char)*s;
    bool fine = (c >= ' ' && c != 127) || c == '\t' || (c == '\n' && keep_newlines);
    fputc(fine ? c : '?', f);
  }
}

static void put_excerpt(FILE *f, const struct diag *d) {
  fprintf(f, "%5u | ", d->line);
  put_clean(f, d->excerpt, false);
  fputc('\n', f);
  if (d->col == 0 || d->col > strlen(d->excerpt) + 1) return;
  fputs("      | ", f);
  for (u32 i = 0; i + 1 < d->col; i++) {
    unsigned char c = (unsigned char)d->excerpt[i];
    if ((c & 0xc0) == 0x80) continue; /* UTF-8 continuation bytes take no column */
    fputc(c == '\t' ? '\t' : ' ', f);
  }
  fputs("^\n", f);
}

void diag_print(FILE *f, const struct diag *d) {
  if (!d->set) return;
  if (d->file[0]) {
    put_clean(f, d->file, false);
    if (d->line) fprintf(f, ":%u", d->line);
    if (d->line && d->col) fprintf(f, ":%u", d->col);
    fputs(": ", f);
  } else if (d->line) {
    fprintf(f, "line %u: ", d->line);
  }
  put_clean(f, d->text, true);
  fputc('\n', f);
  if (d->excerpt[0]) put_excerpt(f, d);
  if (d->next[0]) {
    fputs("  next: ", f);
    put_clean(f, d->next, true);
    fputc('\n', f);
  }
}
