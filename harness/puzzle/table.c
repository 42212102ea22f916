/* table.c - the puzzles of this program, found through a linker section, and names for them. Zero
 * puzzles are fine: the section's ends are weak. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "puzzle/judge.h"

extern const struct pz_puzzle *const __start_pz_puzzles[] __attribute__((weak));
extern const struct pz_puzzle *const __stop_pz_puzzles[] __attribute__((weak));

enum { PUZZLES_MAX = 512 };
static const struct pz_puzzle *sorted[PUZZLES_MAX];
static u32 sorted_count;

static int by_id(const void *a, const void *b) {
  const struct pz_puzzle *const *x = a, *const *y = b;
  return strcmp((*x)->id, (*y)->id);
}

u32 pz_puzzle_count(void) {
  if (sorted_count == 0 && __start_pz_puzzles) {
    size_t n = (size_t)(__stop_pz_puzzles - __start_pz_puzzles);
    if (n > PUZZLES_MAX) BUG("%zu puzzles: raise PUZZLES_MAX", n);
    for (size_t i = 0; i < n; i++) sorted[i] = __start_pz_puzzles[i];
    qsort(sorted, n, sizeof *sorted, by_id);
    sorted_count = (u32)n;
  }
  return sorted_count;
}

const struct pz_puzzle *pz_puzzle_at(u32 i) { return i < pz_puzzle_count() ? sorted[i] : NULL; }

static bool is_number(const char *s) {
  size_t n = strlen(s);
  return n > 0 && n <= 4 && strspn(s, "0123456789") == n;
}

enum how { EXACT, NUMBER, NAME, PREFIX, PART };

static bool named(const char *id, const char *name, enum how how) {
  switch (how) {
  case EXACT: return strcmp(id, name) == 0;
  case NUMBER: return is_number(name) && isdigit((unsigned char)*id) && atoi(id) == atoi(name);
  case NAME: return strchr(id, '_') && strcmp(strchr(id, '_') + 1, name) == 0;
  case PREFIX: return !is_number(name) && strncmp(id, name, strlen(name)) == 0;
  case PART: return !is_number(name) && *name && strstr(id, name) != NULL;
  }
  return false;
}

int pz_puzzle_find(const char *name, struct diag *why) {
  for (int how = EXACT; how <= PART; how++) {
    int found = -1, matches = 0;
    struct strbuf which = {0};
    for (u32 i = 0; i < pz_puzzle_count(); i++)
      if (named(sorted[i]->id, name, (enum how)how)) {
        found = (int)i;
        strbuf_printf(&which, "%s%s", matches++ ? ", " : "", sorted[i]->id);
      }
    if (matches > 1) {
      diag_set(why, "'%s' may be any of: %.*s", name, (int)which.n, which.p);
      diag_next(why, "give more of the name, or its number");
    }
    strbuf_free(&which);
    if (matches) return matches == 1 ? found : -1;
  }
  diag_set(why, "there is no puzzle '%s'", name);
  diag_next(why, "make list shows them all");
  return -1;
}
