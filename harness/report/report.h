/* report.h - verdicts as text for people and machines. Writers lay out; they never compute a
 * verdict.
 *
 * A format is a file in this folder and a row in report_formats (report.c). Text from a learner's
 * file or kernel reaches a terminal, JSON, XML or TAP only through escape.c. */
#ifndef WL_REPORT_H
#define WL_REPORT_H
#include "puzzle/verdict.h"

struct report_item { /* one judged puzzle */
  const char *id;    /* "07_barrier_in_branch" */
  const char *title;
  const char *learned; /* shown when it passes; "" */
  const char *path;    /* the judged file */
  u32 number, total;   /* 7 of 52 */
  const char *replay;  /* the command that gives this verdict again */
  const char *note;    /* one sentence about the file, shown in text; NULL or "": none */
  bool first_pass;     /* solved just now: text shows `learned` even without details */
  const struct verdict *v;
};
struct report_style {
  FILE *out;
  bool color;
  bool times;      /* wall-clock times in text */
  bool editor;     /* text: findings as file:line: error: lines as well */
  bool detail_all; /* text: details for every item, not only the first that fails */
  bool counters;   /* text: the table of counters */
  u32 width;       /* text: columns to wrap at; 0: 96 */
  const char *backend;
  u64 seed;
};
struct report { /* zero-initialised + style is ready */
  struct report_style style;
  struct report_item *items; /* malloc'ed, grows */
  size_t cap;
  u32 count, passed;
  bool detailed; /* text: the first failure has been shown in full */
};
struct report_format {
  const char *name;
  void (*item)(struct report *r,
               const struct report_item *it); /* as each becomes known; may be NULL */
  void (*end)(struct report *r);
  void (*one)(const struct report_style *s,
              const struct report_item *it); /* exec; NULL: not offered */
};
extern const struct report_format report_formats[];
extern const u32 report_format_count;
bool report_format_find(const char *name, const struct report_format **out);

/* Items in the order in which they are to appear; the item's strings must outlive the report. */
void report_add(struct report *r, const struct report_format *f, const struct report_item *it);
void report_end(struct report *r, const struct report_format *f);
void report_free(struct report *r);
/* Pieces of two formats, for a class of many files: `check` writes with them too. */
struct report_junit { /* a suite */
  const char *name;
  u32 number;                   /* from 0 */
  i64 time;                     /* seconds since 1970 */
  const char *(*properties)[2]; /* name, value */
  u32 property_count;
};
void report_junit_begin(FILE *out);
void report_junit_suite(FILE *out, const struct report_junit *s, const struct report_item *items,
                        u32 count);
void report_junit_end(FILE *out);
void report_tap_begin(FILE *out, u32 count);
void report_tap_point(FILE *out, u32 number, const char *name, const struct report_item *it);

/* Exit status of the program for these verdicts: 0, 1, or 2. */
int report_exit(enum verdict_kind k);
/* The finding that decided the verdict; NULL where there is none. */
const struct finding *report_reason(const struct verdict *v);
/* "[#####>-----]  6/52" for the text report. */
void report_progress(FILE *out, bool color, u32 solved, u32 total);
bool report_use_color(FILE *out); /* a terminal, and NO_COLOR is not set */
/* A label, then text wrapped behind it. */
void report_paragraph(const struct report_style *s, const char *label, const char *text);
#endif
