/* sites.h - where a program synchronizes, and the text without it. Works on source text, CUDA C++
 * or PTX; compiles nothing. */
#ifndef WL_TEST_SITES_H
#define WL_TEST_SITES_H
#include "base/base.h"

enum { SITES_MAX = 256 };
enum site_kind {
  SITE_WAIT,  /* barriers, fences, waits, arrivals, commits */
  SITE_ORDER, /* acquire and release */
  SITE_SCOPE, /* matters between blocks only */
  SITE_HELPER /* a call of a function that has one of the first two */
};
struct site {
  enum site_kind kind;
  size_t from, to;     /* this text ... */
  const char *instead; /* ... is replaced by this one; line breaks in it are kept */
  const char *what; /* as the lists name it: "__syncthreads()", "memory_order_release -> relaxed" */
  u32 nth;          /* among those of the file with the same name, from 1 */
  u32 line;
  str kernel; /* that it stands in; empty: in none, or in PTX */
};
struct sites {
  struct site list[SITES_MAX];
  u32 count;
};
/* Every barrier, fence, wait, commit, call of a helper that has one, acquire and release
 * qualifier and scope. A qualifier of two sides gives three sites: both off, either off. */
void sites_find(struct arena *a, str text, bool is_ptx, struct sites *out);
str sites_without(struct arena *a, str text, const struct site *s);
#endif
