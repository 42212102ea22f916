/* exec_case.h - a test case of `warplings exec`: a kernel file, how to run it, what must come out.
 * Read from the files of tests/cases, pairs, ops, litmus and patterns, and from
 * tests/kernels/table.tsv; run and judged elsewhere. */
#ifndef WL_TEST_EXEC_CASE_H
#define WL_TEST_EXEC_CASE_H
#include "cli/cli.h"

enum { CASE_MAX = 512, CASE_DUMPS = 8 };
struct exec_dump_want {
  u32 arg, field;     /* field: of a struct, number + 1 */
  const char *count;  /* ":COUNT" of --dump as text, "" for the whole buffer */
  const char *values; /* "5 A..B V*N" */
};
struct exec_case {
  const char *file;    /* tests/pairs/x_wrong.cu */
  const char *name;    /* for messages: file, or file and kernel and row */
  const char *options; /* as one would type them */
  struct expectation want;
  const char *on;     /* the objects that race: "a b" all of these, "a|b" some; NULL: not said */
  const char *advice; /* lines whose barriers or fences are needless; NULL: none is */
  bool advice_exact;  /* all of these are named; else perhaps some, in some launch */
  bool silent;        /* PASS means: not even a note */
  bool host_only;     /* a row that is not comparable on a GPU */
  bool add_dumps;     /* options have no --dump of their own */
  struct exec_dump_want dumps[CASE_DUMPS];
  u32 dump_count;
};
struct exec_cases {
  struct arena keep;
  struct exec_case list[CASE_MAX];
  u32 count;
  u32 later; /* skipped: named in the folder's file LATER */
};

/* Every file of the folder with that ending, in the order of their names; its first lines say what
 * to expect and how to run. Those that FOLDER/LATER names, for all compilers or for `with`, are
 * left out aloud. false: why names the file that says it wrongly. */
bool exec_cases_folder(struct exec_cases *out, const char *folder, const char *ending,
                       const char *with, struct diag *why);
/* One case for each row. */
bool exec_cases_table(struct exec_cases *out, const char *folder, struct diag *why);
#endif
