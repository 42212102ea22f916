/* demangle.h - what the two halves of the demangler share. Private to ptx/.
 *
 * A recursive-descent reader of the Itanium C++ ABI's mangling, chapter 5.1. Gives up (bad = true,
 * the caller shows the mangled text) on expressions, decltype and anything that exceeds the
 * budgets. */
#ifndef WL_PTX_DEMANGLE_H
#define WL_PTX_DEMANGLE_H
#include "base/base.h"

enum {
  DM_MAX_NAME = 4096,    /* bytes of the mangled name */
  DM_MAX_TEXT = 8192,    /* bytes of any piece of the result */
  DM_MAX_WORK = 1 << 18, /* bytes put together on the way */
  DM_MAX_DEPTH = 96,
  DM_MAX_SUBS = 512,
  DM_MAX_ARGS = 64
};
enum dm_shape { DM_PLAIN, DM_FUNCTION, DM_ARRAY };
struct dm_piece { /* a type is written around the declarator: "void (*" ... ")(int)" */
  str pre, post;
  enum dm_shape shape;
};
struct dm_name {
  str full;               /* qualified */
  str last;               /* last component, without template arguments */
  bool templated;         /* ends with template arguments: a return type follows */
  bool no_return_type;    /* constructor, destructor, conversion */
  const char *qualifiers; /* of a member function: " const" */
  bool substituted;       /* nothing but an earlier component: not a new candidate */
};
struct dm {
  const char *p, *end;
  struct arena *scratch;
  bool bad;
  u32 depth, sub_count, arg_count;
  size_t work;
  struct dm_piece sub[DM_MAX_SUBS], arg[DM_MAX_ARGS];
};

/* "%.*s" pieces put together, within the budget; empty and bad beyond it. */
str dm_join(struct dm *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char dm_peek(const struct dm *d, u32 ahead); /* 0 at the end */
bool dm_eat(struct dm *d, char c);
bool dm_fail(struct dm *d);
u32 dm_number(struct dm *d);
bool dm_enter(struct dm *d); /* false beyond the depth; leave with d->depth-- */
void dm_remember(struct dm *d, struct dm_piece p);
/* S_, S0_, ..., Ss: false when it is none. */
bool dm_substitution(struct dm *d, struct dm_piece *out);

bool dm_type(struct dm *d, struct dm_piece *out);
str dm_type_text(const struct dm_piece *p, struct dm *d);
bool dm_type_list(struct dm *d, str *out); /* up to E, the end or a suffix; "v" alone is empty */
bool dm_template_args(struct dm *d, bool keep, str *out); /* behind the I; keep: T_ means these */
bool dm_template_param(struct dm *d, struct dm_piece *out);
bool dm_name(struct dm *d, struct dm_name *out);
bool dm_encoding(struct dm *d, struct dm_name *out); /* full: with parameters */
#endif
