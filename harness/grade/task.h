/* task.h - between task.c (what the virtual machine proves) and gpu.c (what a GPU adds). */
#ifndef WL_GRADE_TASK_H
#define WL_GRADE_TASK_H
#include "grade/grade.h"

struct tasking {
  struct arena *keep;
  const struct plan *plan;
  const struct submission *submission;
  const struct intake *intake;
  const char *out_dir;
  struct shop *shop;
  struct task_result *result;
  int shares; /* share_open's; -1: nothing is shared */
};
typedef bool task_work(struct tasking *t, struct diag *why);
/* Takes a submission in, under its lock and for a user of its own, and works on it; NULL: no more
 * than that. */
enum task_end task_with(const struct plan *p, u32 index, const char *out_dir,
                        const struct jail_settings *settings, task_work *work,
                        struct task_result *r, struct diag *why);
const struct pz_puzzle *task_puzzle(const struct plan *p, u32 i);

/* ---- gpu.c ---- */
/* The GPU's word on a file that has passed; record: the path of its machine's record. */
void gpu_outcome(struct arena *keep, const struct plan *p, const char *record, struct outcome *o);
#endif
