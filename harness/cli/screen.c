/* screen.c - text on a terminal of any size: wraps it to the width, shows a part of it above a
 * status line, and draws the whole frame with one write so that nothing flickers. Colours (SGR
 * sequences of our own report) pass; in a locale without UTF-8 everything becomes ASCII. */
#include <stdlib.h>
#include <string.h>
#include "cli/watch.h"

static u32 body_rows(const struct terminal *t) { return t->rows - 2; }

static void begin_line(struct screen *s) {
  s->starts = base_grow(s->starts, &s->cap, s->count + 1u, sizeof *s->starts);
  s->starts[s->count++] = s->text.n;
}

/* Bytes of the character at p: an SGR sequence (no column), or UTF-8. */
static size_t character(const char *p, const char *end, bool *takes_column) {
  size_t n = 1;
  *takes_column = true;
  if (*p == '\033') {
    *takes_column = false;
    while (p + n < end && p[n] != 'm' && n < 16) n++;
    return p + n < end ? n + 1 : n;
  }
  if ((*p & 0xc0) == 0xc0)
    while (p + n < end && (p[n] & 0xc0) == 0x80) n++;
  return n;
}

static const char *ascii_of(const char *p, size_t n) {
  static const struct {
    const char *from, *to;
  } table[] = {{"…", "..."}, {"–", "-"},  {"—", "-"}, {"·", "|"}, {"→", "->"}, {"←", "<-"},
               {"“", "\""},  {"”", "\""}, {"’", "'"}, {"‘", "'"}, {"≤", "<="}, {"≥", ">="},
               {"×", "x"},   {"≠", "!="}, {"−", "-"}, {"⌈", "["}, {"⌉", "]"}};
  for (size_t i = 0; i < COUNT_OF(table); i++)
    if (strlen(table[i].from) == n && memcmp(p, table[i].from, n) == 0) return table[i].to;
  return "?";
}

static void put(struct strbuf *b, const char *p, size_t n, bool utf8) {
  if (n > 1 && *p != '\033' && !utf8) {
    const char *plain = ascii_of(p, n);
    strbuf_add(b, plain, strlen(plain));
  } else if (*p == '\t') {
    strbuf_add(b, "  ", 2);
  } else if (n == 1 && ((unsigned char)*p < ' ' || (unsigned char)*p >= 0x7f)) {
    strbuf_add(b, "?", 1); /* a control character, or no UTF-8 */
  } else {
    strbuf_add(b, p, n);
  }
}

static size_t columns_of(const char *p, const char *end, bool utf8) {
  size_t n, columns = 0;
  bool takes;
  for (; p < end; p += n) {
    n = character(p, end, &takes);
    if (takes) columns += *p == '\t' ? 2 : n > 1 && !utf8 ? strlen(ascii_of(p, n)) : 1;
  }
  return columns;
}

/* One line of the text as one or more of the screen; the rest is indented a little deeper. */
static void add_line(struct screen *s, const struct terminal *t, str line) {
  const char *p = line.p, *end = line.p + line.n;
  size_t indent = 0, column = 0;
  while (indent < line.n && line.p[indent] == ' ') indent++;
  if (indent) indent = indent + 2 < t->columns / 2 ? indent + 2 : 2;
  begin_line(s);
  while (p < end) {
    const char *word = p;
    size_t n;
    bool takes;
    while (word < end && *word == ' ') word++;
    while (word < end && *word != ' ') word++;
    size_t wide = columns_of(p, word, t->utf8);
    if (column + wide > t->columns && column > indent) {
      while (p < word && *p == ' ') p++;
      begin_line(s);
      strbuf_printf(&s->text, "%*s", (int)indent, "");
      column = indent;
    }
    for (; p < word; p += n) {
      n = character(p, word, &takes);
      if (takes && column >= t->columns) { /* a word longer than a line */
        begin_line(s);
        column = 0;
      }
      put(&s->text, p, n, t->utf8);
      column += columns_of(p, p + n, t->utf8);
    }
  }
}

void screen_set(struct screen *s, const struct terminal *t, str text) {
  str line;
  s->text.n = 0;
  s->count = 0;
  while (str_line(&text, &line)) add_line(s, t, line);
  while (s->count && s->starts[s->count - 1] == s->text.n) s->count--; /* empty ones at the end */
  screen_scroll(s, t, 0);
}

void screen_scroll(struct screen *s, const struct terminal *t, int lines) {
  i64 top = (i64)s->top + lines, last = (i64)s->count - (i64)body_rows(t);
  if (top > last) top = last;
  s->top = top > 0 ? (u32)top : 0;
}

bool screen_is_cut(const struct screen *s, const struct terminal *t) {
  return s->count > body_rows(t);
}

static void put_row(const struct screen *s, u32 row, struct strbuf *frame) {
  strbuf_printf(frame, "\033[K"); /* first: behind a full line it would take the last character */
  if (row < s->count) {
    size_t end = row + 1 < s->count ? s->starts[row + 1] : s->text.n;
    strbuf_add(frame, s->text.p + s->starts[row], end - s->starts[row]);
  }
  strbuf_printf(frame, "\r\n");
}

/* `more` under the text, then the status line, cut at the width. */
static void put_status(const struct screen *s, const struct terminal *t, const char *status,
                       struct strbuf *frame) {
  u32 shown = s->top + body_rows(t), below = s->count > shown ? s->count - shown : 0;
  const char *p = status, *end = status + strlen(status);
  size_t n, column = 0;
  bool takes;
  strbuf_printf(frame, "\033[0m\033[K");
  if (screen_is_cut(s, t))
    strbuf_printf(frame, "-- %u more line%s below, %u above: j k or arrows --", below,
                  below == 1 ? "" : "s", s->top);
  strbuf_printf(frame, "\r\n\033[K%s", t->color ? "\033[7m" : "");
  for (; p < end && column < t->columns; p += n, column++) {
    n = character(p, end, &takes);
    put(frame, p, n, t->utf8);
  }
  if (t->color)
    for (; column < t->columns; column++) strbuf_add(frame, " ", 1);
  strbuf_printf(frame, "\033[0m");
}

void screen_draw(struct screen *s, const struct terminal *t, const char *status) {
  struct strbuf frame = {0};
  screen_scroll(s, t, 0);
  strbuf_printf(&frame, "\033[H");
  for (u32 i = 0; i < body_rows(t); i++) put_row(s, s->top + i, &frame);
  put_status(s, t, status, &frame);
  terminal_write(frame.p, frame.n);
  strbuf_free(&frame);
}

void screen_free(struct screen *s) {
  strbuf_free(&s->text);
  free(s->starts);
  *s = (struct screen){0};
}
