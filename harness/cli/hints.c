/* hints.c - hints.md: three numbered hints, and sections "## If RACE" tied to a verdict. Decides
 * which one comes next; writes no file. */
#include <inttypes.h>
#include "cli/cli.h"

enum { TEXT_MAX = 1 << 20 };

static bool finish(struct hints *h, const char *from, const char *to) {
  if (h->count) h->items[h->count - 1].body = str_trim((str){from, (size_t)(to - from)});
  return true;
}

/* "If RACE": tied to that verdict; anything else is one of the numbered ones. */
static bool add(struct hints *h, str title, struct diag *why) {
  struct hint *n = &h->items[h->count];
  *n = (struct hint){.title = title};
  if (!str_starts(title, "If ")) {
    n->number = ++h->numbered;
  } else {
    str name = str_trim((str){title.p + 3, title.n - 3});
    bool known = verdict_find(name, &n->verdict);
    if (!known || n->verdict == V_PASS || n->verdict == V_INTERNAL || n->verdict == V_SKIP) {
      diag_set(why, "'## " STR_F "': a section is tied to a verdict that a wrong answer can get",
               STR_A(title));
      return false;
    }
    if (hints_for(h, n->verdict)) {
      diag_set(why, "'## " STR_F "' is there twice", STR_A(title));
      return false;
    }
  }
  h->count++;
  return true;
}

bool hints_read(str text, struct hints *h, struct diag *why) {
  str rest = text, line;
  const char *from = text.p;
  *h = (struct hints){0};
  while (str_line(&rest, &line)) {
    if (!str_starts(line, "## ")) continue;
    finish(h, from, line.p);
    if (h->count == COUNT_OF(h->items)) {
      diag_set(why, "more than %zu sections", COUNT_OF(h->items));
      return false;
    }
    if (!add(h, str_trim((str){line.p + 3, line.n - 3}), why)) return false;
    from = rest.p;
  }
  return finish(h, from, text.p + text.n);
}

const struct hint *hints_for(const struct hints *h, enum verdict_kind verdict) {
  for (u32 i = 0; i < h->count; i++)
    if (!h->items[i].number && h->items[i].verdict == verdict) return &h->items[i];
  return NULL;
}

static const struct hint *numbered(const struct hints *h, u32 number) {
  for (u32 i = 0; i < h->count; i++)
    if (h->items[i].number == number) return &h->items[i];
  return NULL;
}

static void print(FILE *out, const char *id, const struct hint *h, bool has_next, u32 next) {
  bool named = !str_starts(h->title, "Hint "); /* "Hint 2" says nothing new */
  if (h->number)
    fprintf(out, "%s, hint %u of %d%s" STR_F "\n\n" STR_F "\n\n", id, h->number, HINTS,
            named ? ": " : "", STR_A(named ? h->title : STR("")), STR_A(h->body));
  else
    fprintf(out, "%s, now that it says %s:\n\n" STR_F "\n\n", id, verdict_text(h->verdict),
            STR_A(h->body));
  if (has_next)
    fprintf(out, "The next call gives hint %u.\n", next);
  else
    fputs("That was the last one.\n", out);
}

bool hint_next(FILE *out, struct state *s, const struct project *p, const char *id,
               struct diag *why) {
  struct state_row *r = state_of(s, id);
  const char *path = project_file(p, id, "hints.md");
  struct hints h;
  str text;
  if (!file_read(p->keep, path, TEXT_MAX, &text, why)) return false;
  if (!hints_read(text, &h, why)) {
    diag_at(why, path, 0, 0, "%s", arena_printf(p->keep, "%s", why->text));
    return false;
  }
  u32 bit = 1u << r->verdict;
  const struct hint *tied = r->judged && !(r->told & bit) ? hints_for(&h, r->verdict) : NULL;
  u32 next = r->hints < HINTS ? r->hints + 1 : HINTS;
  if (tied) {
    r->told |= bit;
    print(out, id, tied, true, next);
    return true;
  }
  const struct hint *one = numbered(&h, next);
  if (!one) {
    diag_set(why, "%s has no hint %u", id, next);
    return false;
  }
  r->hints = next;
  print(out, id, one, next < HINTS, next + 1);
  return true;
}
