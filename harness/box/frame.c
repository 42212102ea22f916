/* frame.c - see frame.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "box/frame.h"

void box_put_u32(struct strbuf *b, u32 v) { strbuf_add(b, (const char *)&v, sizeof v); }
void box_put_u64(struct strbuf *b, u64 v) { strbuf_add(b, (const char *)&v, sizeof v); }

void box_put_text(struct strbuf *b, str s) {
  box_put_u64(b, s.n);
  strbuf_add(b, s.p, s.n);
}

void box_put_diag(struct strbuf *b, const struct diag *d) {
  box_put_text(b, str_of(d->file));
  box_put_u32(b, d->line);
  box_put_text(b, str_of(d->text));
  box_put_text(b, str_of(d->next));
}

static str cut(struct box_reader *r, u64 n) {
  if (r->bad || n > r->rest.n) {
    r->bad = true;
    return (str){"", 0};
  }
  str part = {r->rest.p, (size_t)n};
  r->rest = (str){r->rest.p + n, r->rest.n - (size_t)n};
  return part;
}

u32 box_get_u32(struct box_reader *r) {
  u32 v = 0;
  str s = cut(r, sizeof v);
  if (s.n == sizeof v) memcpy(&v, s.p, sizeof v);
  return v;
}

u64 box_get_u64(struct box_reader *r) {
  u64 v = 0;
  str s = cut(r, sizeof v);
  if (s.n == sizeof v) memcpy(&v, s.p, sizeof v);
  return v;
}

u32 box_get_below(struct box_reader *r, u32 limit) {
  u32 v = box_get_u32(r);
  if (v < limit) return v;
  r->bad = true;
  return 0;
}

str box_get_text(struct box_reader *r) { return cut(r, box_get_u64(r)); }

const char *box_get_line(struct box_reader *r, struct arena *keep, size_t max_bytes) {
  str s = box_get_text(r);
  if (s.n > max_bytes) s.n = max_bytes;
  if (s.n == 0) return "";
  char *copy = arena_alloc(keep, s.n + 1);
  for (size_t i = 0; i < s.n; i++) copy[i] = s.p[i] ? s.p[i] : ' ';
  return copy;
}

void box_get_diag(struct box_reader *r, struct diag *d) {
  struct arena a = {0};
  const char *file = box_get_line(r, &a, sizeof d->file - 1);
  u32 line = box_get_u32(r);
  const char *text = box_get_line(r, &a, sizeof d->text - 1);
  const char *next = box_get_line(r, &a, sizeof d->next - 1);
  diag_at(d, file, line, 0, "%s", text);
  diag_next(d, "%s", next);
  arena_free(&a);
}

bool box_done(const struct box_reader *r) { return !r->bad && r->rest.n == 0; }

static bool read_all(void *to, size_t n) {
  char *p = to;
  while (n) {
    ssize_t k = read(STDIN_FILENO, p, n);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return false;
    p += k;
    n -= (size_t)k;
  }
  return true;
}

static int answers = STDOUT_FILENO;

bool box_answer_apart(void) {
  int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (fd < 0 || null < 0 || dup2(null, STDOUT_FILENO) < 0) return false;
  answers = fd;
  return true;
}

static void write_all(const void *from, size_t n) {
  const char *p = from;
  while (n) {
    ssize_t k = write(answers, p, n);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) exit(3); /* nobody listens any more */
    p += k;
    n -= (size_t)k;
  }
}

bool box_receive(struct strbuf *into, u32 *type, u64 max_bytes) {
  struct box_head h;
  char piece[65536];
  into->n = 0;
  if (!read_all(&h, sizeof h)) return false;
  if (h.magic != BOX_MAGIC || h.bytes > max_bytes) exit(4);
  for (u64 left = h.bytes; left;) {
    size_t n = left < sizeof piece ? (size_t)left : sizeof piece;
    if (!read_all(piece, n)) return false;
    strbuf_add(into, piece, n);
    left -= n;
  }
  *type = h.type;
  return true;
}

void box_send(u32 type, const struct strbuf *body) {
  struct box_head h = {.magic = BOX_MAGIC, .type = type, .bytes = body->n};
  write_all(&h, sizeof h);
  write_all(body->p, body->n);
}
