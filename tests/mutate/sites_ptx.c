/* sites_ptx.c - instructions of PTX that synchronize, and their qualifiers. */
#include <ctype.h>
#include <string.h>
#include "mutate/sites_parts.h"

/* Instructions that can go. Loops that try until they succeed (mbarrier.try_wait) cannot. */
static const char *const removable[] = {
    "bar.",           "barrier.",        "fence.",         "membar.",
    "cp.async.wait",  "cp.async.commit", "cp.async.bulk.", "cp.async.mbarrier.arrive",
    "mbarrier.arrive"};
static const char *const qualified[] = {"ld.", "st.", "atom.", "red.", "mbarrier.", "barrier."};
static const char *const scoped[] = {"ld.", "st.", "atom.", "red.", "fence.", "membar."};

static const struct {
  const char *from, *to;
} weaker[] = {{".acquire", ".relaxed"},
              {".release", ".relaxed"},
              {".acq_rel", ".relaxed"},
              {".acq_rel", ".acquire"},
              {".acq_rel", ".release"}},
  smaller[] = {{".gpu", ".cta"}, {".cluster", ".cta"}, {".sys", ".cta"}, {".gl", ".cta"}};

static bool starts(const char *p, const char *const *list, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (strncmp(p, list[i], strlen(list[i])) == 0) return true;
  return false;
}
#define STARTS(p, list) starts(p, list, COUNT_OF(list))

/* Where the qualifier stands in the opcode, as a whole part of it; 0: nowhere. */
static size_t find_part(const char *p, size_t from, size_t to, const char *part) {
  size_t n = strlen(part);
  for (size_t i = from; i + n <= to; i++)
    if (memcmp(p + i, part, n) == 0 && !site_word_char(p[i + n]) && p[i + n] != ':') return i;
  return 0;
}

static void replace_part(struct site_scan *s, enum site_kind kind, size_t from, size_t to,
                         const char *part, const char *by) {
  size_t at = find_part(s->ptx, from, to, part);
  if (at)
    site_add(s, kind, at, at + strlen(part), by,
             arena_printf(s->a, "%s -> %s", site_text(s, from, to), by));
}

/* One statement without its label: from..to, and the ';' behind it. */
static void statement(struct site_scan *s, size_t from, size_t to) {
  size_t op = from, end;
  const char *p = s->ptx;
  if (p[op] == '@') {
    while (op < to && !isspace((unsigned char)p[op])) op++;
    while (op < to && isspace((unsigned char)p[op])) op++;
  }
  for (end = op; end < to && (site_word_char(p[end]) || p[end] == '.' || p[end] == ':');) end++;
  bool bulk_copy = strncmp(p + op, "cp.async.bulk.", 14) == 0 &&
                   strncmp(p + op + 14, "wait", 4) != 0 && strncmp(p + op + 14, "commit", 6) != 0;
  if (STARTS(p + op, removable) && !bulk_copy)
    site_add(s, SITE_WAIT, from, s->text.p[to] == ';' ? to + 1 : to, "", site_text(s, op, to));
  for (size_t i = 0; STARTS(p + op, qualified) && i < COUNT_OF(weaker); i++)
    replace_part(s, SITE_ORDER, op, end, weaker[i].from, weaker[i].to);
  /* .mmio knows no scope but .sys. */
  bool has_scope = STARTS(p + op, scoped) && !find_part(p, op, end, ".mmio");
  for (size_t i = 0; has_scope && i < COUNT_OF(smaller); i++)
    replace_part(s, SITE_SCOPE, op, end, smaller[i].from, smaller[i].to);
}

/* Past what stands in front of an instruction: blanks, braces, labels, lines without an end. */
static size_t past_front(const char *p, size_t i, size_t n) {
  static const char *const heads[] = {".visible", ".entry", ".func", ".weak", ".extern"};
  static const char *const lines[] = {".version", ".target", ".address_size", ".pragma"};
  for (;;) {
    size_t k = i;
    while (i < n && (isspace((unsigned char)p[i]) || strchr("{};", p[i]))) i++;
    if (i < n && STARTS(p + i, lines))
      while (i < n && p[i] != '\n') i++;
    else if (i < n && STARTS(p + i, heads))
      while (i < n && p[i] != '{' && p[i] != ';') i++;
    size_t word = i;
    while (word < n && (site_word_char(p[word]) || strchr("$%=", p[word]))) word++;
    if (word > i && word < n && p[word] == ':' && p[word + 1] != ':') i = word + 1;
    if (i == k) return i;
  }
}

void site_scan_ptx(struct site_scan *s) {
  size_t n = s->text.n;
  for (size_t i = 0; (i = past_front(s->ptx, i, n)) < n;) {
    size_t end = i;
    while (end < n && s->ptx[end] != ';') end++;
    statement(s, i, end);
    i = end;
  }
}
