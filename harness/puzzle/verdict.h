/* verdict.h - the outcome of judging one kernel: plain data, made by judge.c (puzzles) or exec
 * (anybody's kernel), carried between processes by wire.c, printed by report/. */
#ifndef WL_VERDICT_H
#define WL_VERDICT_H
#include "device/device.h"

struct verdict_evidence {   /* what a verdict rests on */
  u32 shapes, shapes_total; /* cases judged in full; cases that the puzzle has */
  u32 schedules;            /* different schedules (random ones count by seed) */
  u32 runs;                 /* shapes x schedules, each on a fresh device */
  const char *shape_names;  /* "n=1, n=31": those judged in full, bounded; "" when none */
  const char *failed_shape; /* the case in which the error was found; "" when none */
  const char *compiler;     /* "NVRTC 13.0"; "" when nothing was compiled */
  const char *gpu;          /* "ok, 6 shapes, NVIDIA H200, 0.021 ms"; "" when none ran */
  double gpu_ms;            /* of the best round; 0 when none was whole */
  bool race_checked, values_checked;
  u32 hidden;         /* hidden cases judged in full: the grader's */
  bool hidden_failed; /* the error was found in a hidden case, after all public ones had passed */
  bool values_right;  /* every public case's values are right, whatever else is wrong (known only
                         when grading) */
};
struct verdict_dump { /* exec --dump: one buffer as text, one string for each element */
  u32 arg;            /* parameter number, from 0 */
  u32 field;          /* a buffer in a struct: the field's number + 1 */
  const char *name, *type;
  const char **values; /* "7", "1.5", "nan"; "?" = undefined, "-" = never written */
  u32 count;
};
struct verdict {
  enum verdict_kind kind;
  struct finding *findings; /* errors first */
  u32 finding_count;
  u64 dropped; /* findings beyond the limit */
  struct verdict_evidence evidence;
  bool has_counters;
  struct vm_counters counters; /* of the last launch that was counted */
  bool has_time_line;
  struct vm_time_line time_line; /* of the last launch that was timed */
  const char *log;               /* the compiler's words, "" when it had none */
  const char *printed;           /* what the kernel printed in the first run, bounded */
  u64 printed_dropped;
  struct verdict_dump *dumps;
  u32 dump_count;
  double milliseconds; /* wall clock: never in output that must repeat byte for byte */
};

/* A growing list of findings that folds what it already has. */
struct finding_list {
  struct arena *keep; /* owns copies */
  struct finding **items;
  size_t cap;
  u32 count;
  u64 dropped;
};
void finding_list_free(struct finding_list *l);
/* Copies f, strings and all. The same cause again (kind, severity, object, lines) is not added. */
void finding_list_add(struct finding_list *l, const struct finding *f);
/* A finding of our own: no place, a message. Returns the copy, to be filled in further. */
struct finding *finding_list_say(struct finding_list *l, enum verdict_kind kind, const char *fmt,
                                 ...) __attribute__((format(printf, 3, 4)));
bool finding_list_has_error(const struct finding_list *l);

/* Sets kind and findings (errors first) from the list. Strings stay in l->keep. */
void verdict_conclude(struct verdict *v, struct arena *keep, const struct finding_list *l);
/* An INTERNAL or SKIP verdict with one finding made from a diag. */
void verdict_unjudged(struct verdict *v, struct arena *keep, enum verdict_kind kind,
                      const struct diag *why);
/* Every string set, so that writers need no NULL checks. */
void verdict_init(struct verdict *v);

/* Between processes: a length-prefixed, checked binary form. Bytes that do not parse to the last
 * one are refused with a reason. */
void verdict_write(struct strbuf *out, const struct verdict *v);
bool verdict_read(struct arena *keep, str bytes, struct verdict *out, struct diag *why);

/* Counters by name, for reports and rules: one table. */
struct verdict_counter {
  const char *name; /* "block_barriers": JSON key */
  const char *text; /* "block barriers" */
  size_t offset;    /* into struct vm_counters */
};
extern const struct verdict_counter verdict_counters[];
extern const u32 verdict_counter_count;
u64 verdict_counter_get(const struct vm_counters *c, u32 row);
#endif
