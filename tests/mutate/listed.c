/* listed.c - reads the lists. Whether their entries are true is for mutate_main.c to see. */
#include <string.h>
#include "mutate/listed.h"

static const char *const files[LISTS] = {[REDUNDANT] = "tests/mutate/redundant.tsv",
                                         [NOT_OBSERVABLE] = "tests/mutate/not-observable.tsv",
                                         [RARE] = "tests/mutate/rare.tsv"};

const char *listed_name(enum listed_in in) { return files[in]; }

static bool read_row(struct listed_all *out, char *rest, struct listed *l) {
  const char *column[5] = {0};
  u32 n = 0;
  while (n < COUNT_OF(column) && rest) column[n++] = strsep(&rest, "\t");
  if (n < 3 || n > 4 || out->count == LISTED_MAX) return false;
  l->file = column[0];
  l->what = column[1];
  l->with = n == 4 ? column[2] : "";
  l->reason = column[n - 1];
  if (!*l->file || !*l->what || strlen(l->reason) < 10) return false;
  out->items[out->count++] = *l;
  return true;
}

bool listed_read(struct arena *keep, struct listed_all *out, struct diag *why) {
  for (int in = 0; in < LISTS; in++) {
    str text, line;
    struct listed l = {.in = (enum listed_in)in};
    if (!file_read(keep, files[in], 1 << 20, &text, why)) return false;
    while (str_line(&text, &line)) {
      l.line++;
      if (line.n == 0 || line.p[0] == '#') continue;
      if (read_row(out, (char *)(uintptr_t)str_copy(keep, line).p, &l)) continue;
      diag_at(why, files[in], l.line, 0,
              "not 'file, what, reason' or 'file, what, compiler, reason', with tabs");
      return false;
    }
  }
  return true;
}

struct listed *listed_find(struct listed_all *all, const char *file, const char *what,
                           const char *with) {
  for (u32 i = 0; i < all->count; i++) {
    struct listed *l = &all->items[i];
    if (strcmp(l->file, file) == 0 && strcmp(l->what, what) == 0 &&
        (!*l->with || strcmp(l->with, with) == 0))
      return l;
  }
  return NULL;
}
