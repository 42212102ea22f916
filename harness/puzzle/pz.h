/* pz.h - inside puzzle/: the state of one run of one case, shared by buffers.c, launch.c, expect.c,
 * rules.c and judge.c. check.c files see none of it. */
#ifndef WL_PZ_H
#define WL_PZ_H
#include "puzzle/puzzle.h"
#include "puzzle/verdict.h"

struct pz_buf {
  const char *name;
  enum pz_type type;
  size_t n;
  u64 address; /* 0: the device had no room, a finding says so */
};

struct pz {
  struct arena *arena; /* everything of this run */
  const struct pz_puzzle *puzzle;
  struct device *device;
  const struct ptx_module *module;
  struct finding_list
      found; /* what the check itself found: WRONG, UNINIT, RULE, COMPILE, INTERNAL */
  u64 rng;   /* input data: a function of (seed, case) */
  int case_index;
  char shape[160];
  bool hidden;      /* a case whose sizes nobody has seen: pz_vary */
  bool is_drawn;    /* the schedule leaves something to chance */
  bool optimized;   /* the rules are judged in this run */
  bool wants_rules; /* the check asked for a rule or a counter: an optimised run is needed */
  bool stopped;     /* a launch did not finish: later launches and expectations do nothing */
  u32 launches;
  u32 stamped;                 /* findings of `found` that have their launch; see pz_stamp */
  struct vm_counters counters; /* of the last launch */
  bool has_time_line;
  struct vm_time_line time_line; /* of the last launch, where it was timed */
};

u32 pz_type_bytes(enum pz_type t);
/* What the check has found since the last call belongs to the launch done last: to be called in
 * front of the next one and at the end. */
void pz_stamp(struct pz *pz);
/* The suite's own failure inside a run: INTERNAL, and nothing further happens in it. */
void pz_internal(struct pz *pz, const struct diag *why);
#endif
