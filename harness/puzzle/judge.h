/* judge.h - judges one file against one puzzle, in this process. cli/ wraps it in a child process.
 */
#ifndef WL_JUDGE_H
#define WL_JUDGE_H
#include "compile/compile.h"
#include "puzzle/puzzle.h"
#include "puzzle/verdict.h"

/* The puzzles linked into this program, in order of their ids. */
u32 pz_puzzle_count(void);
const struct pz_puzzle *pz_puzzle_at(u32 i);
/* "07_name", "07", "7", a unique prefix or a unique part of the name. -1: none or several, why
 * says. */
int pz_puzzle_find(const char *name, struct diag *why);

/* ---- the plan: which schedules a kernel has to survive ---- */
struct pz_plan {    /* zero means default */
  u64 seed;         /* random schedules take seed, seed + 1, ... */
  u32 random_count; /* 8 */
  bool only;        /* just `schedule` with `seed` */
  enum vm_schedule_kind schedule;
};
struct pz_step {
  enum vm_schedule_kind schedule;
  u64 seed;
  bool is_small_only; /* large cases skip it */
};
/* Step i of the plan; false behind its end. Converged comes first: the order a learner expects. */
bool pz_plan_step(const struct pz_plan *p, u32 i, struct pz_step *out);

/* Compiling and running somewhere else: the grader's sandbox. This process then sees neither the
 * PTX nor the machine. */
struct pz_workshop {
  void *self;
  /* As compile_ptx, but a module comes instead of the text: kernels and their parameters are all
   * that a judge needs. NULL with out->ok: the compiler's PTX could not be read, why says so. */
  bool (*build)(void *self, struct arena *keep, enum build kind, struct compile_result *out,
                const struct ptx_module **module, struct diag *why);
  const struct device_elsewhere *machine;
};

struct pz_request { /* zero means default */
  const char *path; /* the learner's file, named in messages as given */
  enum compiler compiler;
  enum device_kind device;
  struct pz_plan plan;
  bool both_builds;      /* the whole plan on the optimised build as well, not only the rules */
  const char *cache_dir; /* for compiled PTX; NULL: none */
  /* ---- grading ---- */
  const struct pz_workshop *workshop; /* NULL: here */
  u64 input_seed;                     /* of the inputs; 0: plan.seed */
  u32 hidden_cases;  /* further cases whose sizes and data follow from input_seed: see pz_vary */
  bool gpu_only;     /* the machine's proof is on file: only the runs on the GPU */
  bool wants_values; /* after a RACE: are the values of all cases right? evidence.values_right */
};
/* Why a file could not be compiled: COMPILE where the reason lies in the file's contents (empty,
 * too large, not text), INTERNAL where it does not (no compiler, not a regular file). */
enum verdict_kind pz_uncompiled(const char *path, const struct diag *why);
/* Always fills in *out: compile errors, faults and the suite's own gaps are verdicts too. */
void pz_judge(struct arena *keep, const struct pz_puzzle *p, const struct pz_request *r,
              struct verdict *out);
#endif
