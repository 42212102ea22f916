/* timing.h - the cost model's entry points for the run loop and the memory handlers; see timing.c.
 * Only for m->timed launches. */
#ifndef WL_VM_TIMING_H
#define WL_VM_TIMING_H
#include "vm/machine.h"

struct vm_traffic { /* one memory request */
  u64 address;      /* of its first lane: which unit serves an atomic */
  u32 passes;       /* sectors, passes through the banks, or passes of an atomic */
  bool is_shared, is_atomic;
  bool is_waited_for; /* it gives the warp a value */
};

void vm_timing_start(struct vm_machine *m); /* of a launch; forgets the one before */
void vm_timing_end(struct vm_machine *m);   /* fills m->counters */
void vm_timing_free(struct vm_machine *m);
void vm_timing_born(struct vm_machine *m, struct vm_warp *w);
void vm_timing_gone(struct vm_machine *m, struct vm_warp *w);
void vm_timing_traffic(struct vm_machine *m, const struct vm_traffic *traffic);
struct vm_warp *vm_timing_pick(struct vm_machine *m); /* who can start first; NULL: nobody */
u64 vm_timing_run(struct vm_machine *m);              /* m->x; returns thread instructions */
#endif
