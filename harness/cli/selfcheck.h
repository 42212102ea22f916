/* selfcheck.h - between selfcheck.c (judging) and selfcheck_files.c (reading what is on file). */
#ifndef WL_SELFCHECK_H
#define WL_SELFCHECK_H
#include "cli/cli.h"

enum trial_file { SKELETON, SOLUTION, MUTANT };
struct trial { /* one file and the verdict that it must get, with each compiler */
  u32 puzzle;
  enum trial_file what;
  const char *path;
  struct expectation expect;
};
struct selfcheck {
  struct arena *keep;
  const struct options *o;
  const struct project *project;
  struct trial *trials;
  size_t cap;
  u32 trial_count;
  struct job *jobs;
  u32 *job_trial; /* each job's trial */
  u32 job_count;
  u32 problems, problems_before, judged_here;
  u64 runs;
};
/* Adds the trials of one puzzle; what is missing or malformed is a problem, printed at once. */
void selfcheck_read(struct selfcheck *s, u32 puzzle);
#endif
