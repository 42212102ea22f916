/* exec.h - between exec.c (options, reporting) and exec_run.c (compiling and running, in a child).
 */
#ifndef WL_EXEC_RUN_H
#define WL_EXEC_RUN_H
#include "cli/cli.h"

enum { SOURCE_MAX = 64 << 20 };
enum { EXEC_VERDICT = 'V', EXEC_USAGE = 'U' }; /* first byte of the child's answer */

struct exec_expect { /* --expect: how a buffer begins */
  struct exec_dump of;
  const u8 *want;
  u32 count;
};

struct exec {
  const struct options *o;
  const char *path, *cache_dir;
  bool is_ptx, debug, release;
  str source;
  struct detect_policy policy;
  struct pz_plan plan;
  struct exec_arg args[LIST_MAX];
  u32 arg_count, buffer_count;
  struct exec_dump dumps[LIST_MAX];
  u32 dump_count;
  struct exec_expect expects[LIST_MAX];
  u32 expect_count;
  int status;
};

/* pool_task.work: judges and writes EXEC_VERDICT + verdict, or EXEC_USAGE + what was asked wrongly.
 */
void exec_run(void *self, u32 i, struct strbuf *result);

/* ---- exec_types.c ---- */
/* Do the arguments fit the kernel? Also the parameters' names, from the source or "arg0". false +
 * why: what it takes. */
bool exec_args_fit(struct arena *a, const struct exec *e, const struct ptx_func *f,
                   const char **names, struct diag *why);

/* ---- exec_values.c: buffers after a run ---- */
bool exec_expect_parse(struct arena *keep, const char *spec, const struct exec_arg *args, u32 count,
                       struct exec_expect *out, struct diag *why);
struct exec_held { /* elements, and which of their bytes are defined and were ever written */
  u8 *data, *known, *written;
  u32 count, size;
};
struct exec_values {                         /* zero-initialised but for keep and found */
  struct arena *keep;                        /* of the answer */
  struct finding_list *found;                /* where WRONG goes */
  double tolerance;                          /* < 0: by type */
  struct exec_held *first, *last, *expected; /* dumps of the first and the last run; scratch */
  bool *differs; /* a dump that has been seen to depend on the schedule */
  bool first_run;
  struct pz_step first_step;
};
/* Before the first run of a build. */
void exec_values_start(struct exec_values *v, const struct exec *e);
/* After a run: compares what is expected where the launch completed, keeps what is to be printed.
 */
bool exec_values_take(struct exec_values *v, const struct exec *e, struct device *d,
                      const u64 *addresses, const char **names, const struct pz_step *s,
                      bool completed, struct diag *why);
/* The last run's dumps as text. */
void exec_values_print(struct exec_values *v, const struct exec *e, const char **names,
                       struct verdict *out);
#endif
