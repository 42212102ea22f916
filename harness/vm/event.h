/* event.h - the one seam between the machine and its observers (detect/).
 *
 * The machine reports what happened, one call for a whole warp instruction, in the total order in
 * which it happened; observers never touch machine state and never decide what runs next.
 * Everything pointed to is valid only during the call. */
#ifndef WL_VM_EVENT_H
#define WL_VM_EVENT_H
#include "ptx/ptx.h"

#define VM_LANES 32

/* ---- objects: what an address belongs to ---- */
enum vm_object_state { VM_LIVE, VM_FREED, VM_EXITED };
struct vm_object {
  u32 id; /* unique within a launch; shared variables: one object per block instance */
  enum ptx_space space; /* SP_GLOBAL, SP_SHARED, SP_LOCAL, SP_CONST, SP_PARAM */
  const char *name;     /* "tile", "in"; demangled. Buffers are named by the launcher */
  u64 base;             /* address in its own space's numbering (generic for global) */
  u64 size_bytes;
  u32 elem_bytes; /* declared element size, 1 where unknown (byte arrays): then see access size */
  const struct ptx_shape *shape; /* NULL: not known, or no variable */
  u32 block;                     /* shared: linear index of the owning block; else 0 */
  enum vm_object_state state;
  bool is_heap; /* device malloc */
  u8 *data;     /* host memory, size_bytes */
  void *shadow; /* the race detector's; the machine only zeroes it when the object is created.
                 * Objects of an exited block are handed to `released` before they go away. */
};

/* ---- threads ---- */
struct vm_code_pos { /* where an instruction stands */
  const struct ptx_func *func;
  const struct ptx_insn *insn;
};
/* A call stack: frame 0 is the innermost. Same pointer = same stack while the warp lives, and
 * stack_id identifies equal stacks (same call sites, same functions) across warps and blocks of a
 * launch. */
struct vm_frame;
u64 vm_stack_id(const struct vm_frame *f);
u32 vm_stack_depth(const struct vm_frame *f); /* 0 in the kernel itself */
struct vm_code_pos vm_stack_call(const struct vm_frame *f,
                                 u32 level); /* call site `level` frames out; level 0 =
                                              * the call that entered f */

struct vm_who {    /* a warp, as observers know it */
  u32 block;       /* linear block index in the grid */
  u32 warp;        /* within the block */
  u32 warp_global; /* block * warps_per_block + warp: unique in the launch */
  u32 live;        /* lanes that exist and have not exited */
  u32 exited;      /* lanes that existed and have exited */
};

/* ---- memory accesses ---- */
enum vm_sem { VM_WEAK, VM_RELAXED, VM_VOLATILE, VM_ACQUIRE, VM_RELEASE, VM_ACQ_REL };
enum vm_scope { VM_SCOPE_NONE, VM_SCOPE_CTA, VM_SCOPE_CLUSTER, VM_SCOPE_GPU, VM_SCOPE_SYS };
enum vm_access_kind {
  VM_READ = 1,
  VM_WRITE = 2,
  VM_RMW = 3 /* atom: reads and may write */,
  VM_RED = 7 /* no value returned */
};
#define VM_READS(k)  (((k)&1) != 0)
#define VM_WRITES(k) (((k)&2) != 0)
enum vm_pattern {
  VM_GATHER,     /* anything */
  VM_CONTIGUOUS, /* lane i (of all 32, all active) at addr[0] + i * size_bytes, all in one object */
  VM_UNIFORM,    /* all active lanes at the same address */
};
/* Under the `buffered` schedule others may see a store later than it is executed, and its own
 * thread reads it before they do; a load may return what was there before the newest stores. */
struct vm_late {
  u32 early;            /* loads: lanes that read something older */
  u32 delayed;          /* strong stores: lanes whose store others will see at `visible` */
  u32 forwarded;        /* loads: lanes that read their own delayed store */
  u64 ticket[VM_LANES]; /* of the delayed ones: unique in the launch, not zero */
};
struct vm_access {
  const struct vm_who *who;
  const struct vm_frame *frame;
  struct vm_code_pos pos;
  u32 pos_id; /* number of the instruction in the launch's code: resolve with vm_pos_of */
  u32 mask;   /* lanes that access */
  u32 lost;   /* of those, lanes whose address is an undefined value: UNINIT was told */
  u32 wrote;  /* of those, lanes whose write half happened (failed CAS does not write) */
  enum vm_access_kind kind;
  enum vm_sem sem;
  enum vm_scope scope;
  bool nc;        /* ld.global.nc, ldu: the location must not be written in this launch */
  u32 size_bytes; /* per lane: 1, 2, 4, 8, 16; vectors as one access */
  enum vm_pattern pattern;
  struct vm_object *object;         /* the object of all lanes; NULL: per lane, see objects */
  struct vm_object *const *objects; /* [32], used where object is NULL */
  const u32 *offset;    /* [32] byte offset within the lane's object, which is smaller than 4 GiB;
                         * inactive lanes hold anything */
  const u8 *const *now; /* [32] or NULL: host address of each lane's bytes; writes: before the
                         * store; NULL: use object->data + offset */
  const u8
      *value; /* writes that are plain stores: 32 * size_bytes new bytes, lane-major; else NULL */
  const u8 *order; /* [popcount(mask)] lane numbers in the order in which lanes acted (atomics);
                      NULL: ascending */
  const struct vm_late *late; /* NULL except under `buffered` */
  u64 step;                   /* virtual time: warp instructions executed so far in the launch */
};

/* A single running lane, for the quick hooks below. */
struct vm_lone {
  u32 lane, bit;
  u32 thread; /* warp_global * 32 + lane */
  u64 stack;  /* vm_stack_id of its frame */
};

/* What an observer may allow a lane for one of its loads: within a part of the object no event is
 * needed, and none is asked for, as long as *stamp is as_of, and *newest at most `most` or each 4
 * bytes that are read have their `when` at most that, or the lane's thread for `writer`. Instead
 * the machine sets their bits. */
struct vm_grant {
  const u64 *stamp;
  const u32 *newest;
  const u32 *const *when, *const *writer; /* where the arrays are, which may come later */
  u64 as_of, *bits;                       /* bits NULL: nothing is allowed */
  u32 most;
  u32 from, size_bytes; /* the part, by offset: bit 0 is for its first 4 bytes */
  u32 index;            /* of these in the arrays */
};

/* ---- synchronization ---- */
enum vm_sync_kind {
  VM_SYNC_FENCE,      /* lanes in mask executed a fence of `scope` */
  VM_SYNC_WARP,       /* bar.warp.sync completed: lanes in mask joined */
  VM_SYNC_RENDEZVOUS, /* shfl/vote/match/redux/elect completed: scheduling only, no memory order */
  VM_SYNC_ARRIVE,     /* a warp's lanes arrived at block barrier `barrier` (contribute) */
  VM_SYNC_OPEN,       /* block barrier completed: generation ends; waiters then leave (join) */
  VM_SYNC_EXIT,       /* lanes exited */
  VM_SYNC_BLOCK_START,
  VM_SYNC_BLOCK_END,
};
struct vm_sync {
  enum vm_sync_kind kind;
  const struct vm_who *who; /* the acting warp; BLOCK_*: warp 0 */
  u32 mask;                 /* lanes of that warp */
  const struct vm_frame *frame;
  struct vm_code_pos pos;
  u32 pos_id;
  enum vm_scope scope; /* FENCE */
  bool fence_sc;       /* FENCE: .sc (no edges of its own: policy) */
  u32 barrier;         /* ARRIVE, OPEN: id 0..15 */
  u32 generation;      /* ARRIVE, OPEN */
  bool leaves;         /* ARRIVE: bar.arrive, does not wait (never joins) */
  bool is_full; /* OPEN: every live thread of the block took part and waits: a full block barrier */
  u32 warp_count;     /* OPEN: warps of the block */
  const u32 *arrived; /* OPEN: [warp_count] lanes that arrived in this generation */
  const u32 *waiting; /* OPEN: [warp_count] lanes among them that waited (sync/red, not arrive) */
  const u32 *exited;  /* OPEN, RENDEZVOUS/WARP ([1]): lanes that had exited without arriving, and
                         were not waited for */
  u64 step;
};

/* ---- asynchronous copies and mbarriers: what a detector needs to order them ----
 * A copy (cp.async, cp.async.bulk, cp.reduce.async.bulk, st.async) acts like a thread of its own,
 * forked from its lane at ISSUE. Its accesses are those of src and dst in the event; no vm_access
 * is reported for them. It is joined
 *   - by a lane, at WAIT: all copies of the lane (of that kind: bulk or not) with group < `group`;
 * at WAIT_READ only the reads of their sources are;
 *   - by an mbarrier, at ARRIVE_TX or ARRIVE_ASYNC with its id: what the copy did (ARRIVE_ASYNC:
 * and what the lane did before ARRIVE_ISSUED, and all its earlier non-bulk copies) is released into
 * the phase, and acquired by TEST_OK on a later phase; DONE tells when the effect happened in this
 * run: a schedule's choice, no ordering. mbarrier operations also come as vm_access of the
 * mbarrier's word (init, inval: weak writes; arrive: release RMW; a successful wait: acquire read),
 * so that a detector which knows nothing of phases still sees their edges. Bulk copies go through
 * the async proxy: their accesses are ordered after generic ones of the same thread by PROXY only.
 */
enum vm_async_kind {
  VM_ASYNC_ISSUE,         /* copy `id` begins */
  VM_ASYNC_COMMIT,        /* `lane` closed its group number `group` */
  VM_ASYNC_READ,          /* copy `id` has read its source */
  VM_ASYNC_DONE,          /* copy `id` has taken effect */
  VM_ASYNC_WAIT,          /* `lane` waited for its groups below `group` */
  VM_ASYNC_WAIT_READ,     /* as WAIT, but only for the reads of their sources */
  VM_ASYNC_ARRIVE_TX,     /* copy `id` completed its bytes on the mbarrier */
  VM_ASYNC_ARRIVE_ISSUED, /* cp.async.mbarrier.arrive `id` was executed */
  VM_ASYNC_ARRIVE_ASYNC,  /* ... and took place: it releases what the lane had done when ISSUED */
  VM_MBARRIER_INIT,
  VM_MBARRIER_INVAL,
  VM_MBARRIER_ARRIVE,   /* `lane` arrived in `phase` with `count`, `drops`: for good */
  VM_MBARRIER_EXPECT,   /* `lane` announced `count` bytes in `phase` */
  VM_MBARRIER_PHASE,    /* `phase` is complete; the next one begins */
  VM_MBARRIER_TEST_OK,  /* `lane` saw that `phase` is complete */
  VM_ASYNC_PROXY_FENCE, /* lanes in mask executed fence.proxy.* */
};
struct vm_async_range {
  struct vm_object *object; /* NULL: none (a register, zeros) */
  u64 offset, size_bytes;
};
struct vm_async_event {
  enum vm_async_kind kind;
  const struct vm_who *who;
  u32 mask,
      lane; /* the lane that issued, arrived or waited; mask: its bit, or all lanes (PROXY_FENCE) */
  const struct vm_frame *frame; /* NULL for effects that come later than their instruction */
  struct vm_code_pos pos;       /* the instruction that issued, arrived or waited */
  u32 pos_id;
  u64 id; /* of the copy or asynchronous arrival, unique in the launch */
  bool is_bulk;
  bool by_group;     /* ISSUE: joined through its group; else through mbarrier `bar` */
  bool is_reduction; /* dst is read and written, element by element, relaxed at GPU scope */
  u32 group;
  struct vm_async_range src, dst, bar;
  u64 phase;
  u32 count;
  bool drops;
  enum vm_sem sem; /* ARRIVE: VM_RELEASE or VM_RELAXED; TEST_OK: VM_ACQUIRE or VM_RELAXED */
  enum vm_scope scope;
  u64 step;
};

/* ---- faults: what ends a launch, and what is undefined ---- */
enum vm_fault_kind {
  VM_FAULT_NONE,
  VM_FAULT_TRAP,        /* trap, assert, illegal use of a synchronization instruction: text says */
  VM_FAULT_BOUNDS,      /* outside any object, freed, misaligned, wrong space: text says */
  VM_FAULT_BARRIER,     /* all live threads of a block at barrier 0, not at the same one */
  VM_FAULT_DEADLOCK,    /* nobody can ever move again (or everyone spins for ever) */
  VM_FAULT_HANG,        /* step budget ran out */
  VM_FAULT_UNSUPPORTED, /* the suite's gap: an instruction, form or builtin that it does not have */
  VM_FAULT_BEYOND,      /* known, but not modelled: `instead` says what to do */
  VM_FAULT_LIMIT,       /* the suite's limit: memory for the machine, output of printf */
  VM_FAULT_UNINIT,      /* recorded, launch goes on: an undefined value decided something */
  VM_FAULT_UNINIT_STORE, /* recorded: undefined value stored to global memory (a note) */
  VM_FAULT_EXITED, /* recorded: a barrier or collective completed without threads that had exited */
};
enum { VM_SPIN_CALLS = 6 };
enum vm_wait_kind {
  VM_RUNNING,
  VM_SPINNING,
  VM_WAIT_BARRIER,
  VM_WAIT_WARP_SYNC,
  VM_WAIT_COLLECTIVE,
  VM_WAIT_EXITED,
  VM_WAIT_OTHER
};
struct vm_wait { /* lanes of one warp that stand in the same place: a row of the wait-for report */
  struct vm_who who;
  u32 mask;
  enum vm_wait_kind kind;
  const struct vm_frame *frame;
  struct vm_code_pos pos; /* where they stand; EXITED: the instruction that ended them */
  u32 member_mask;        /* WARP_SYNC, COLLECTIVE: lanes named */
  u32 barrier, generation, expected, arrived; /* BARRIER: threads expected and arrived */
  /* SPINNING: what they read, over and over, and the calls that led to the read, innermost first:
   * `frame` may be further out */
  const struct vm_code_pos *calls;
  u32 call_count;
  struct vm_object *object;
  u64 offset;
  u32 size_bytes;
  u64 value;
  bool is_mbarrier;  /* SPINNING at an mbarrier (the object): generation is its phase, expected and
                        arrived are filled in */
  i64 missing_bytes; /* then: announced with expect_tx, not yet arrived */
};
bool vm_same_calls(const struct vm_wait *a, const struct vm_wait *b);
struct vm_fault {
  enum vm_fault_kind kind;
  struct vm_who who;
  u32 mask; /* lanes concerned; lowest is the one to name */
  const struct vm_frame *frame;
  struct vm_code_pos pos;
  char text[400];      /* what happened, without place and thread */
  const char *instead; /* BEYOND: what the kernel can use instead */
  /* BOUNDS */
  u64 address; /* of the lowest lane */
  u32 size_bytes;
  bool is_write, is_atomic;
  enum ptx_space space;
  struct vm_object
      *object; /* UNINIT_STORE: where it went; BOUNDS: nearest or touched object, may be NULL */
  i64 offset;  /* from that object's start */
  /* UNINIT: where the value came from */
  struct vm_code_pos origin;
  struct vm_code_pos origin_call; /* the call that led there, where it is known */
  struct vm_object
      *origin_object; /* NULL: a register never set, a shuffle from a lane that took no part */
  u64 origin_offset;
  const char *what; /* "branch condition", "address", "lane mask", "atomic operand", ... */
  /* BARRIER, DEADLOCK, EXITED: who waits where */
  const struct vm_wait *waits;
  u32 wait_count;
  /* The same: of the launch's blocks, those that have ended and those that have not begun. */
  u32 blocks_ended, blocks_to_come;
};

struct vm_launch_info {
  const struct ptx_module *module;
  const struct ptx_func *kernel;
  u32 grid[3], block[3];
  u32 cluster[3]; /* 1, 1, 1: no clusters */
  u32 block_count, threads_per_block, warps_per_block;
  u32 launch_index; /* 0, 1, ... on this device */
  const char *schedule;
  u64 seed;
};

/* An observer: any hook may be NULL. */
struct vm_observer {
  void *self;
  void (*launch_start)(void *self, const struct vm_launch_info *l);
  void (*launch_end)(void *self);
  void (*access)(void *self, const struct vm_access *a); /* weak accesses: shared and global only */
  /* One lane's weak load (store) of 4 bytes or more, aligned, within a live object. Asked before
   * `access`: true: all that the access says is noted already, there will be no event; false:
   * nothing is, it comes. `value`: the new bytes. `grant`: comes with bits NULL. Asked only of an
   * observer that alone takes accesses. */
  bool (*read_again)(void *self, const struct vm_lone *l, u32 pos_id, const struct vm_object *o,
                     u32 offset, struct vm_grant *grant);
  bool (*write_again)(void *self, const struct vm_lone *l, u32 pos_id, const struct vm_object *o,
                      u32 offset, const u8 *value);
  void (*sync)(void *self, const struct vm_sync *s);
  void (*visible)(void *self, u64 ticket); /* a delayed strong store is in memory now */
  void (*async)(void *self, const struct vm_async_event *e); /* copies, mbarriers */
  void (*fault)(void *self, const struct vm_fault *f);
  void (*released)(void *self, struct vm_object *o); /* object goes away: free its shadow */
};

/* pos_id of an access or sync to its place in the code. */
struct vm_machine;
struct vm_code_pos vm_pos_of(const struct vm_machine *m, u32 pos_id);
#endif
