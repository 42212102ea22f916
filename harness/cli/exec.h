/* exec.h - between exec.c (options, reporting) and exec_run.c (compiling and running, in a child).
 */
#ifndef WL_EXEC_RUN_H
#define WL_EXEC_RUN_H
#include "cli/cli.h"

enum { SOURCE_MAX = 64 << 20 };
enum { EXEC_VERDICT = 'V', EXEC_USAGE = 'U' }; /* first byte of the child's answer */

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
  int status;
};

/* pool_task.work: judges and writes EXEC_VERDICT + verdict, or EXEC_USAGE + what was asked wrongly.
 */
void exec_run(void *self, u32 i, struct strbuf *result);
#endif
