/* listed.h - the removals that no verdict shows, each with its reason: redundant.tsv and
 * not-observable.tsv; and those that show in few schedules: rare.tsv. Columns (tabs): file, what is
 * removed and its number there, perhaps the compiler that alone is meant, the reason. */
#ifndef WL_TEST_LISTED_H
#define WL_TEST_LISTED_H
#include "base/base.h"

enum { LISTED_MAX = 1024 };
enum listed_in { REDUNDANT, NOT_OBSERVABLE, RARE, LISTS };
struct listed {
  const char *file, *what, *with, *reason; /* with: "" both compilers */
  enum listed_in in;
  u32 line; /* in its list */
  bool used;
};
struct listed_all {
  struct listed items[LISTED_MAX];
  u32 count;
};
const char *listed_name(enum listed_in in);
bool listed_read(struct arena *keep, struct listed_all *out, struct diag *why);
/* NULL: not listed. */
struct listed *listed_find(struct listed_all *all, const char *file, const char *what,
                           const char *with);
#endif
