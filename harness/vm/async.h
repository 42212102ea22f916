/* async.h - copies that finish later, and the mbarriers that say when. Private to vm/.
 *
 * A copy is issued by one lane and takes effect at some time up to the point where the program may
 * rely on it: a wait for its group, the completion of its mbarrier's phase, the end of its block.
 * `converged` performs it at once, `random` tosses a coin, the other schedules do it as late as
 * they can, so that a missing wait shows as a wrong value. */
#ifndef WL_VM_ASYNC_H
#define WL_VM_ASYNC_H
#include "vm/place.h"

/* ---- mbarriers ----
 * The word in memory is a view of this: pending count in bits 0-19, expected count in 20-39, the
 * phase's low bits above. Objects are known by (object, offset); a word that no longer holds what
 * the machine put there was overwritten by a plain store. */
struct vm_mbarrier {
  struct vm_mem *mem;
  u32 object_id; /* of mem when it was initialised: blocks reuse their memory */
  u64 offset;
  u64 phase;
  u32 expected, pending;
  i64 tx; /* bytes announced and not yet arrived; may be below zero for a while */
  u64 word;
};

/* ---- pending operations ---- */
enum vm_async_op {
  VM_COPY,
  VM_COPY_ADD,
  VM_COPY_MIN,
  VM_COPY_MAX,
  VM_COPY_INC,
  VM_COPY_DEC,
  VM_COPY_AND,
  VM_COPY_OR,
  VM_COPY_XOR,
  VM_COPY_ARRIVE /* no copy: arrives at an mbarrier when the lane's earlier copies are done */
};
struct vm_copy {
  struct vm_copy *next;
  u64 id;
  struct vm_warp *warp;
  u32 lane;
  const struct vm_insn *insn;
  struct vm_frame *frame;         /* only where it is performed at once; NULL later */
  u8 op, type;                    /* enum vm_async_op, enum ptx_type */
  bool is_bulk;                   /* cp.async.bulk and its like: groups of their own */
  bool has_group;                 /* completes by group (of the lane), else by mbarrier */
  u32 group;                      /* number of the lane's group */
  struct vm_mem *src, *dst, *bar; /* src NULL: the snapshot, or zeros */
  u32 src_id, dst_id, bar_id;     /* object ids at issue */
  u64 src_offset, dst_offset, bar_offset;
  u32 src_bytes, dst_bytes; /* the rest of dst becomes zero */
  u8 *snapshot;             /* source bytes once they have been read, then their validity */
};
struct vm_async_lane {
  u32 committed[2]; /* [is_bulk]: groups */
  /* cp.async only, for the counter of loads beside copies: */
  u32 newest;  /* one more than the newest group that has a copy in it; 0 = none */
  u32 awaited; /* groups below this one have been waited for */
};
struct vm_async { /* of one launch; made when the first such instruction runs */
  struct vm_copy *head, **tail, *free;
  struct vm_mbarrier *bars;
  size_t bar_cap;
  u32 bar_count;
  u64 next_id;
  struct vm_async_lane *lanes; /* [warp slot * 32 + lane] */
};
struct vm_async *vm_async_of(struct vm_machine *m);

/* async.c */
/* Takes over `c` (copied). Performs it now or keeps it, as the schedule says. */
void vm_async_issue(struct vm_exec *x, const struct vm_insn *in, struct vm_copy *c);
/* Copies of this lane set whose group is below limit[lane] are done now; `read_only`: their sources
 * have been read now, no more. */
void vm_async_wait(struct vm_exec *x, u32 mask, bool is_bulk, const u32 *limit, bool read_only);
/* Somebody waits for the mbarrier and it is not complete: whatever is under way to it arrives. */
void vm_async_force(struct vm_exec *x, struct vm_mem *bar, u64 offset);
struct vm_async_lane *vm_async_lane(struct vm_exec *x, u32 lane);
/* The lane has put a cp.async into its open group; it has waited for all groups below `limit`. */
void vm_async_began(struct vm_exec *x, u32 lane);
void vm_async_awaited(struct vm_exec *x, u32 lane, u32 limit);
void vm_async_event(struct vm_machine *m, enum vm_async_kind kind, const struct vm_copy *c);

bool vm_pick_st_async(struct vm_pick *p); /* ops_async.c */
bool vm_pick_red_async(struct vm_pick *p);

/* mbarrier.c */
void vm_mbarrier_block_end(struct vm_machine *m, struct vm_block *b); /* its own go with it */
struct vm_mbarrier *vm_mbarrier_find(struct vm_machine *m, const struct vm_mem *mem, u64 offset);
/* Both may complete the phase. arrive: false = a fault was raised for lane `lane`. */
void vm_mbarrier_add_pending(struct vm_exec *x,
                             struct vm_mbarrier *b); /* cp.async.mbarrier.arrive without .noinc */
void vm_mbarrier_complete_tx(struct vm_exec *x, const struct vm_insn *in, struct vm_mem *mem,
                             u64 offset, i64 bytes);
bool vm_mbarrier_arrive(struct vm_exec *x, const struct vm_insn *in, u32 lane,
                        struct vm_mbarrier *b, u32 count);
#endif
