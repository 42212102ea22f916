/* vm.h - the machine: loads a module, owns device memory, runs launches, reports events.
 *
 * Never prints, never judges: it counts, and tells observers what happened (event.h).
 * Deterministic: same module, launches, configuration and seed give the same events in the same
 * order. */
#ifndef WL_VM_H
#define WL_VM_H
#include "vm/event.h"

/* Rows of one table, vm/sched.c. */
enum vm_schedule_kind {
  VM_CONVERGED,
  VM_REVERSED,
  VM_SPLIT,
  VM_SPLIT_REVERSED,
  VM_RANDOM,
  VM_ADVERSARIAL,
  VM_BUFFERED,
  VM_TIMED, /* by the cost model: whoever can start earliest */
  VM_SCHEDULE_COUNT
};
const char *vm_schedule_name(enum vm_schedule_kind k);
bool vm_schedule_find(const char *name, enum vm_schedule_kind *out);

/* The cost model of the `timed` schedule, in cycles; zero means default. docs/counters.md */
enum vm_cost_kind {
  VM_COST_PORTS,       /* issue ports of an SM, at most 16; 4 */
  VM_COST_ARITHMETIC,  /* until a result can be used; 4 */
  VM_COST_SHARED,      /* latency of shared memory, and of a shuffle; 30 */
  VM_COST_GLOBAL,      /* latency of a load from global memory; 400 */
  VM_COST_ATOMIC,      /* latency of an atomic on global memory; 500 */
  VM_COST_ATOMIC_PASS, /* how long an address is busy with one atomic; 4 */
  VM_COST_BARRIER,     /* 20 */
  VM_COST_FENCE,       /* wider than a block; 200 */
  VM_COST_COUNT
};
struct vm_cost {
  u32 cycles[VM_COST_COUNT];
};
/* "global", 300. false: no such name, or a value out of range (1 to 1,000,000). */
bool vm_cost_set(struct vm_cost *c, str name, u32 value);
const char *vm_cost_name(u32 i); /* NULL behind the last */

struct vm_config {          /* zero means default */
  u32 sm_count;             /* 4 */
  u32 blocks_per_sm;        /* 4 */
  u32 threads_per_sm;       /* 2048 */
  u32 shared_per_block_max; /* bytes, 227 KiB */
  u64 max_steps;            /* warp instructions per launch, 100 million */
  u64 max_memory_bytes;     /* of the process: modules, device memory, machine and checks; the limit
                             * in force (held_limit, 2 GiB) */
  u32 printf_max_bytes;     /* 64 KiB; the rest is dropped and counted */
  enum vm_schedule_kind schedule;
  u64 seed;
  struct vm_cost cost;
  bool no_undefined;  /* optimised builds: do not track undefined values */
  bool optimized;     /* barrier identity is the source line chain instead of (call stack, pc) */
  bool count_traffic; /* count sectors and wavefronts: costs time */
  bool lenient_exit;  /* exec without --strict exit: threads that exited are not waited for, note
                       * only;  otherwise the launch ends with BARRIER or DEADLOCK there */
  bool no_lone;       /* tests: single lanes run like others, see lone.h; nothing else changes */
};

struct vm_counters { /* of one launch; all exact */
  u64 warp_instructions, thread_instructions;
  u64 block_barriers;     /* barrier generations completed, summed over blocks (ids 0..15) */
  u64 max_block_barriers; /* the most in any one block */
  u64 max_full_barriers;  /* the same, of those at which all threads of the block waited */
  u64 warp_syncs;         /* warp-level bar.warp.sync instructions executed */
  u64 shuffles, votes, matches, reduxes; /* warp-level instructions executed */
  u64 max_warp_shuffles;                 /* the most shuffles in any one warp */
  u64 global_loads, global_stores, shared_loads, shared_stores, local_loads,
      local_stores;                                   /* thread-level accesses */
  u64 global_atomics, shared_atomics;                 /* thread-level operations (atom and red) */
  u64 global_atomic_requests, shared_atomic_requests; /* warp-level instructions */
  u64 fences;                                         /* warp-level */
  /* Only with config.count_traffic, see docs/counters.md. A request is one warp instruction. */
  u64 global_load_requests, global_load_sectors, global_store_requests,
      global_store_sectors; /* sectors of 32 bytes */
  u64 shared_load_requests, shared_load_wavefronts, shared_store_requests, shared_store_wavefronts;
  u64 overlapped_shared_loads; /* thread-level, while a cp.async of the block is not awaited yet */
  /* passes: for each request and sector the most lanes that want one word */
  u64 global_atomic_transactions, shared_atomic_transactions;
  u64 global_load_bytes, global_store_bytes; /* that active lanes asked for; no atomics */
  u64 max_thread_instructions;               /* the most that any one thread executed */
  u64 redundant_fences; /* its lanes had made no access since their last fence */
  u64 shared_bytes;     /* static + dynamic shared memory of one block */
  u64 steps;            /* virtual time at the end of the launch */
  u64 divergent_branches;
  /* Only under the timed schedule, in cycles of the cost model. */
  u64 makespan;             /* until the last warp is done */
  u64 idle_sm_cycles;       /* no warp works, summed over the SMs, up to the makespan */
  u64 worked_warp_cycles;   /* warps that execute or wait for memory */
  u64 resident_warp_cycles; /* warps from their start to their exit */
};

/* What each SM did under the timed schedule. */
enum { VM_TIME_BUCKETS = 64, VM_TIME_SMS = 64 };
struct vm_sm_time {
  u64 worked;                  /* cycles in which at least one of its warps worked */
  u32 warps, warps_most;       /* resident: now, at most */
  u8 percent[VM_TIME_BUCKETS]; /* of its warps that worked, by time */
};
struct vm_time_line {
  u64 makespan, bucket_cycles;
  u32 sm_count; /* at most VM_TIME_SMS are told */
  struct vm_sm_time sm[VM_TIME_SMS];
};

struct vm_machine;
/* A fresh machine with the module loaded: its .global and .const variables initialised. The module
 * must outlive it. false + why: module cannot be loaded (too much memory, bad initialiser). */
bool vm_create(const struct ptx_module *module, const struct vm_config *config,
               struct vm_machine **out, struct diag *why);
void vm_destroy(struct vm_machine *m);
/* Observers in the order added; pointers are kept. At most 8. */
void vm_observe(struct vm_machine *m, const struct vm_observer *o);

/* Device memory. Returns 0 and why when it does not fit. Contents start undefined (poison bytes
 * 0xd7 with no validity). `name` is copied: what reports call the buffer. Aligned to 256, red zones
 * around. */
u64 vm_alloc(struct vm_machine *m, const char *name, u64 size_bytes, u32 elem_bytes,
             struct diag *why);
bool vm_free(struct vm_machine *m, u64 address, struct diag *why);
bool vm_write(struct vm_machine *m, u64 address, const void *from, u64 size_bytes,
              struct diag *why); /* makes bytes defined */
/* A whole object, by its address: zero, without touching its pages where it is large. */
bool vm_clear(struct vm_machine *m, u64 address, struct diag *why);
bool vm_read(struct vm_machine *m, u64 address, void *to, u64 size_bytes, struct diag *why);
/* Validity of each byte: out[i] = 1 where the byte was ever written with a defined value. */
bool vm_defined(struct vm_machine *m, u64 address, u8 *out, u64 size_bytes, struct diag *why);
/* Was the byte written at all (defined or not) by the host or a kernel? As vm_defined. */
bool vm_written(struct vm_machine *m, u64 address, u8 *out, u64 size_bytes, struct diag *why);
/* A module variable by plain or mangled name: address and size. */
bool vm_symbol(struct vm_machine *m, str name, u64 *address, u64 *size_bytes, struct diag *why);

struct vm_launch {
  const struct ptx_func *kernel;
  u32 grid[3], block[3]; /* zero components mean 1 */
  u32 cluster[3];        /* blocks of a cluster; all zero: what the kernel itself says */
  u32 shared_bytes;      /* dynamic */
  bool cooperative;
  const u8 *params; /* the kernel parameter block, C layout */
  u32 param_bytes;
};
enum vm_outcome {
  VM_DONE,    /* ran to its end (recorded findings may exist) */
  VM_STOPPED, /* a fault ended it; the observers were told */
  VM_REFUSED, /* the device refuses this launch (block too large, too much shared memory, ...): why
               */
};
enum vm_outcome vm_run(struct vm_machine *m, const struct vm_launch *launch,
                       struct vm_counters *counters, struct diag *why);
/* Of the last launch. false: it was not timed. */
bool vm_timing_of(const struct vm_machine *m, struct vm_time_line *out);
/* Another size for the launches to come; zero means default. */
void vm_resize(struct vm_machine *m, u32 sm_count, u32 blocks_per_sm);
/* What the kernels printed so far (printf), at most printf_max_bytes; *dropped counts lost bytes.
 */
str vm_printed(const struct vm_machine *m, u64 *dropped);
const struct vm_config *vm_config_of(const struct vm_machine *m); /* defaults filled in */
#endif
