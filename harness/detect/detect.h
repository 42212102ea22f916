/* detect.h - findings, and the list of checks that make them from machine events.
 *
 * A check is a file in this folder and a row in detect_list (detect.c). Checks observe
 * (vm/event.h); they never touch the machine. */
#ifndef WL_DETECT_H
#define WL_DETECT_H
#include "vm/vm.h"

/* One vocabulary everywhere; the order is the order of precedence (first present wins). */
enum verdict_kind {
  V_PASS,
  V_INTERNAL,
  V_COMPILE,
  V_TRAP,
  V_BOUNDS,
  V_RACE,
  V_BARRIER,
  V_DEADLOCK,
  V_UNINIT,
  V_HANG,
  V_WRONG,
  V_RULE,
  V_SKIP,
  V_COUNT
};
const char *verdict_text(enum verdict_kind k);
bool verdict_find(str text, enum verdict_kind *out);

enum severity { SEVERITY_ERROR, SEVERITY_NOTE };

struct finding_place {  /* one level of a call stack: innermost first */
  const char *file;     /* as the compiler was told */
  u32 line;             /* 0 = unknown */
  const char *function; /* demangled, short */
};
struct finding_access {
  const char
      *op; /* "read", "write", "atomic add", "volatile read", "barrier", "exit", "fence", ... */
  u32 thread[3], block[3];
  u32 warp, lane;
  u32 others; /* further threads of the same instruction for which the same holds: "and 30 more" */
  const char *file;
  u32 line;
  const struct finding_place
      *stack; /* callers, innermost first; empty when not in a helper function */
  u32 stack_count;
  u64 value; /* valid when has_value */
  bool has_value;
};
struct finding {
  enum verdict_kind kind;
  enum severity severity;
  const char *space;  /* "shared", "global", "local", "constant"; "" where there is none */
  const char *object; /* "tile"; "" where there is none */
  u64 offset;         /* bytes from the object's start */
  i64 element;        /* index by element or access size, -1 = unknown */
  const char *index;  /* "[3][4]" where the array has rows, else "": then element says it */
  struct finding_access accesses[4]; /* the first is the one to look at first */
  u32 access_count;
  const char *message;    /* one or two sentences, complete in themselves, no place names needed */
  const char *suggestion; /* the single most useful next step; "" when there is none */
  const char *waits;      /* BARRIER, DEADLOCK: the wait-for report, several lines; "" else */
  const char *schedule;
  u64 seed;
  u32 launch_index;
  u32 repeats; /* further findings with the same cause (same kind, lines, object) folded into this
                  one */
};

/* Policies: one place (detect/policy.c), one page (docs/findings.md). Zero means default. */
struct detect_policy {
  bool strict_volatile;   /* unordered volatile against volatile: error instead of note */
  bool strict_same_value; /* both write the same value: error instead of note */
  bool strict_exit; /* threads that exited are missing at a barrier or collective: error instead of
                       note */
};
/* Parses "volatile,same-value,exit" into *p. */
bool detect_policy_parse(const char *list, struct detect_policy *p, struct diag *why);

/* A set of checks on one machine, for one run (one schedule). */
struct detect;
struct detect *detect_create(struct arena *keep, struct vm_machine *m,
                             const struct detect_policy *policy);
void detect_destroy(struct detect *d); /* frees shadow memory; findings stay, in `keep` */
/* Findings so far, folded by cause, errors first in order of occurrence; strings in `keep`.
 * At most 64 are kept; *dropped counts the rest. */
const struct finding *const *detect_findings(const struct detect *d, u32 *count, u64 *dropped);
bool detect_has_error(const struct detect *d);
enum verdict_kind detect_verdict(const struct finding *const *f,
                                 u32 count); /* PASS when there are only notes */

/* ---- advice: which synchronisation the run could have done without ---- */
enum detect_sync_kind { DETECT_SYNC_BLOCK, DETECT_SYNC_WARP, DETECT_SYNC_FENCE };
struct detect_sync { /* barriers, warp syncs or fences of one source line */
  enum detect_sync_kind kind;
  const char *file;
  u32 line;
  u64 times;     /* how often it took place */
  u64 chances;   /* ... where it could have mattered: enough threads or blocks */
  bool doubtful; /* nothing can be said about it from order alone, see needless.c */
  bool is_left_out;
};
/* Those of the launches so far; *all: nothing speaks against trusting the list (too long, the host
 * may listen). Strings in `keep`. */
const struct detect_sync *detect_syncs(const struct detect *d, u32 *count, bool *all);
/* Before the first launch: this run only asks what would be unordered without that line's
 * synchronisation (NULL: with all of it). The machine runs as ever; findings are of no use. */
void detect_probe(struct detect *d, const struct detect_sync *without);
/* Then: a number that stands for everything in conflict that was unordered. Equal runs with equal
 * numbers: the synchronisation left out ordered nothing by itself. */
u64 detect_unordered(const struct detect *d);

/* Turn race checking off (bench only). Before the first launch. */
void detect_disable(struct detect *d, const char *check);
#endif
