/* machine.h - the machine's own structures: memory, blocks, warps, frames, groups. Private to vm/.
 */
#ifndef WL_VM_MACHINE_H
#define WL_VM_MACHINE_H
#include "vm/exec.h"

/* ---- addresses ----
 * One 64-bit generic space. Global and constant addresses are their own generic addresses; shared,
 * local and parameter addresses are offsets in windows of 4 GiB, so that cvta adds or removes the
 * window. */
#define VM_HI_SHARED   0x7e00u
#define VM_HI_LOCAL    0x7d00u
#define VM_HI_PARAM    0x7c00u
#define VM_GLOBAL_BASE 0x700000000000ull
#define VM_CODE_BASE   0x10000ull /* addresses of functions: VM_CODE_BASE + 16 * index */
#define VM_WINDOW(hi)  ((u64)(hi) << 32)
#define VM_REDZONE     256u
#define VM_SHARED_START                                                                            \
  1024u /* indexes a little below the first shared variable stay in the window */
#define VM_LOCAL_START 256u /* local offset of the first frame: small addresses stay illegal */
#define VM_LOCAL_MAX   (512u << 10) /* bytes of local memory a thread may use */
#define VM_POISON      0xd7
#define VM_MEMORY_MAX  0xffffff00ull /* offsets within an object have 32 bits */
/* Shared addresses of another block of the cluster: its rank + 1 above the offset; 0 there = the
 * own block. */
#define VM_RANK_SHIFT  24
#define VM_RANK_OFFSET ((1u << VM_RANK_SHIFT) - 1)

struct vm_mem { /* an object with its validity; vm_object first: observers see that part */
  struct vm_object o;
  u8 *valid;      /* one bit a byte; NULL = not tracked */
  u8 *undef;      /* bytes that hold a stored but undefined value; NULL until the first */
  bool all_valid; /* every byte defined: nothing to look up */
  bool is_mapped; /* data and valid come from mmap */
  u64 mapped_bytes;
  u32 *bars; /* shared: by offset / 8, the mbarrier there + 1; NULL until the first; mbarrier.c */
};
struct vm_partial {
  u64 bits[VM_LANES]; /* the defined bits of each lane that is not wholly defined */
};

/* ---- code ---- */
struct vm_code {
  const struct ptx_func *func;
  struct vm_insn *insns; /* NULL until first needed */
  struct vm_one *ones;   /* for single lanes, same indexes: see lone.h; NULL until first needed */
  u32 count;
  u32 *index_of; /* PTX instruction -> decoded index (of its meeting point where it has one) */
  u32 first_pos;
  i32 *reg_ref;                  /* register -> operand reference */
  u32 slot_bytes;                /* all register slots */
  u32 param_offset, param_bytes; /* rows of 32 lanes x 4 bytes inside the frame; see vm_params */
  u32 frame_bytes;
  u8 *pool;
  size_t pool_bytes, pool_cap;
  u32 *local_offset; /* by variable index of the module: offset within the frame's local area */
  u32 local_bytes;
  i32 local_ref; /* hidden u64 slot: the frame's local_base in every lane; 0 = none */
};

/* ---- frames: a call instance of a warp. Lanes with equal call stacks share it, whenever they got
 * there ---- */
struct vm_frame {
  struct vm_frame *parent, *child, *sibling;
  const struct vm_code *code;
  const struct vm_insn *call; /* in the parent's code; NULL in the kernel */
  u64 stack_id;
  u32 depth;
  u32 lanes; /* lanes whose stack holds this frame */
  u32 carry;
  u32 local_base, local_top; /* bytes */
  struct vm_slot
      param_origin; /* where the latest undefined value in the parameter rows came from */
  u32 bytes;        /* allocation size, for the free list */
  u8 *slots;        /* code->slot_bytes, then parameter rows */
};
/* Parameter memory of a frame: row r holds bytes 4r..4r+3 of every lane; a u32 lane mask a byte
 * says which are defined. */
static inline u32 *vm_param_row(const struct vm_frame *f, u32 row) {
  return (u32 *)(void *)(f->slots + f->code->param_offset + row * 128u);
}
static inline u32 *vm_param_valid(const struct vm_frame *f, u32 byte) {
  return (u32 *)(void *)(f->slots + f->code->param_offset + f->code->param_bytes * 32u) + byte;
}

/* A load of a single lane that may be repeated without further questions: see lone_access.c. */
struct vm_repeat {
  struct vm_grant grant;
  u64 run, stack; /* m->lone_run when it was made; for whom */
  u64 address;    /* of the first byte, as the instruction computes it */
  const u8 *data;
  struct vm_mem *mem;
  u64 *counter;
  u32 thread, pos_id;
  u32 last; /* highest distance from `address` */
};
enum { VM_REPEATS = 512, VM_REPEAT_SHIFT = 12 };

/* ---- groups: lanes of one warp at the same place ---- */
enum vm_state {
  VM_FREE, /* slot unused */
  VM_READY,
  VM_PARKED,     /* at its meeting point: ready, only less preferred */
  VM_IN_ALIGN,   /* at an aligned barrier, until all live lanes of the warp stand there */
  VM_IN_BARRIER, /* arrived at a block barrier */
  VM_IN_WARPSYNC,
  VM_IN_COLLECTIVE,
  VM_IN_CLUSTER, /* barrier.cluster.wait */
};
struct vm_reconv { /* a place where diverged lanes may meet again */
  struct vm_frame *frame;
  const struct vm_insn *at;
  u32 lanes;  /* still expected */
  i32 parent; /* index, -1 = none */
  u32 refs;   /* groups and nodes that point here */
};
struct vm_group {
  enum vm_state state;
  u32 mask;
  struct vm_frame *frame;
  const struct vm_insn
      *next;             /* where it goes on; while waiting: behind the instruction it waits at */
  i32 top;               /* meeting point, index into warp->reconv, -1 = none */
  u32 member_mask;       /* WARPSYNC, COLLECTIVE */
  u32 barrier, expected; /* IN_ALIGN, IN_BARRIER */
  u64 priority;          /* adversarial schedule; 0 = not drawn yet */
  u32 passed_over;       /* adversarial schedule: how often since it ran last */
  bool yielded;          /* gave way; others go first */
  bool switched;         /* was interrupted before `next`: do not interrupt there again */
  u64 ran_at;
  /* spinning: see spin.c */
  u32 turns, quiet_turns;
  u32 leaves, leave_in; /* busy loops: how often it has left; at which place from here it leaves */
  u32 impatience;       /* how often that was inside of a turn */
  bool watch, loaded, changed, saw_time, was_sync;
  bool published; /* by an atomic or a strong store that changed memory */
  u64 load_hash, last_hash;
  const struct vm_insn *via; /* the branch it took last */
  const struct vm_insn *last_edge, *anchor_edge;
  u64 spin_hash, spin_progress, stuck_at, anchor_hash;
  struct vm_mem *spin_mem;
  u64 spin_offset, spin_value;
  u32 spin_size;
  const struct vm_insn *spin_insn;
  const struct vm_insn
      *spin_calls[VM_SPIN_CALLS]; /* it may stand in a function that has returned */
  u32 spin_lane, spin_call_count;
  struct vm_wait_at { /* failed waits at an mbarrier while nothing changed, see mbarrier.c */
    u64 progress, since, offset;
    u32 fails;
    bool timed; /* the loop asks for the time */
    struct vm_mem *mem;
    const struct vm_insn *insn;
  } wait;
};

struct vm_warp_time { /* timed schedule: see timing.c */
  u64 at, born, turn;
  bool asleep;
};
struct vm_warp {
  struct vm_who who;
  struct vm_block *block;
  u32 full;  /* lanes that exist */
  u32 ready; /* groups READY or PARKED */
  u32 used;  /* a bit for each group that is not FREE */
  struct vm_group groups[VM_LANES];
  struct vm_frame *root;
  u32 exit_pos[VM_LANES];
  /* local memory, interleaved: row r, lane l at local[r * 32 + l] */
  u32 *local;
  u32 (*local_valid)[4]; /* [row][byte of the word]: lane masks */
  u32 local_rows;
  struct vm_reconv *reconv;
  size_t reconv_cap;
  u32 reconv_count;
  i32 reconv_free;
  u64 shuffles;
  u32 executed[VM_LANES]; /* count_traffic: instructions of each lane */
  struct vm_warp_time time;
  u32 touched; /* count_traffic: lanes with an access since their last fence */
};

/* Before an instruction of these lanes, where costs are counted (config.count_traffic). */
static inline void vm_count_lanes(struct vm_warp *w, u32 mask) {
  for (u32 l = 0; l < VM_LANES; l++) w->executed[l] += mask >> l & 1;
}

struct vm_barrier {
  u32 generation;
  u32 expected; /* threads, 0 = all live threads of the block */
  bool counted; /* an explicit count was given */
  bool in_use;  /* somebody arrived in this generation */
  u32 arrived_threads;
  u32 *arrived, *waiting; /* [warps] lanes */
  u64 identity;           /* of the first arrival: (call stack, pc) or source lines */
  bool mixed;             /* another arrival had another identity */
  u32 red_popc;
  bool red_and, red_or;
};
struct vm_block {
  bool live;
  u32 index; /* linear in the grid */
  u32 ctaid[3];
  u32 sm, slot;
  u32 warp_count, warps_left;
  struct vm_warp *warps;
  struct vm_mem *shared; /* [m->shared_count], base order */
  u64 barriers_done, full_barriers_done;
  u32 lanes_copying; /* that issued a cp.async and have not waited for it; see async.h */
  struct vm_barrier barrier[16];
  struct vm_cluster *cluster; /* without clusters: of this block alone; see cluster.c */
  u32 rank;                   /* in the cluster */
};

enum { VM_CHANGE_POINTS = 3 };
enum vm_stop {
  VM_GO,
  VM_STOP_BLOCKED, /* group waits, parked, or exited: pick another */
  VM_STOP_YIELD,
  VM_STOP_SWITCH, /* the schedule interrupts */
  VM_STOP_MEMORY, /* over the memory limit, see run.c */
  VM_STOP_FAULT,  /* the launch is over */
};

struct vm_shared_var { /* the launch's shared variables, by offset */
  const struct ptx_var *var;
  const char *name;
  u32 base, size_bytes;
};

struct vm_machine {
  const struct ptx_module *module;
  struct vm_config config;
  struct arena arena; /* lifetime of the machine */
  const struct vm_observer *observers[8];
  u32 observer_count;
  bool has_access;                 /* some observer takes accesses */
  const struct vm_observer *again; /* the only one, if it takes single lanes' quickly; or NULL */

  /* memory */
  struct vm_mem **mems; /* global and constant objects, by base */
  size_t mem_cap;
  u32 mem_count;
  u64 next_address;
  u64 *var_address; /* by module variable: address in its own space; shared: see shared_base */
  u32 next_object_id;
  u64 heap_bytes;

  /* code */
  struct vm_code *codes; /* by function */
  u32 pos_count;
  struct vm_mem **cache; /* by pos_id: the object an instruction touched last (global) */
  u32 *shared_cache;     /* by pos_id: index of the shared variable touched last */
  u8 *reported;          /* by pos_id: undefined-value report already made in this launch */

  /* the launch */
  const struct vm_launch *launch;
  struct vm_launch_info info;
  struct arena launch_arena;
  u32 launches;
  struct vm_shared_var *shared;
  u32 shared_count;
  u32 *shared_base; /* by module variable: offset, or ~0 where this kernel does not have it */
  u32 dynamic_base;
  struct vm_block *blocks; /* resident slots */
  u32 block_slots, sm_count, blocks_per_sm;
  u32 *dispatch_order; /* NULL: ascending */
  u32 dispatched, finished, block_count;
  struct vm_warp **all_warps; /* resident warps in slot order */
  u32 warp_total, cursor;
  u32 cluster_size, cluster[3]; /* blocks in a cluster; 1 without */
  struct vm_async
      *async;            /* copies and mbarriers of the launch, see async.h; NULL until the first */
  u64 envreg_workspace;  /* cooperative grid barrier, 0 = not cooperative */
  u64 grid_barrier;      /* made by the first cooperative launch */
  struct vm_mem **words; /* of cluster barriers, by cluster slot; see cluster.c */
  size_t word_cap;
  u32 word_count;
  struct vm_exec x;
  struct vm_repeat *repeats; /* [VM_REPEATS]; NULL until first needed */
  u64 lone_run;              /* counts launches and objects that went: repeats of before are void */
  u32 nothing;               /* 0: for grants that need none */
  u64 never;                 /* 0 */
  struct vm_counters counters;
  u64 steps, max_steps; /* virtual time: instructions executed, and slept */
  u64 slept;
  u64 skipped;  /* time that clocks show besides: everybody waited for it, see mbarrier.c */
  u64 progress; /* bumped whenever something changed that another thread could notice */
  u64 turn;     /* stamps for ran_at */
  u64 rng;
  bool
      random; /* random or adversarial: may interrupt before strong accesses, fences, collectives */
  bool may_switch; /* random, or a busy loop is about to give way inside of a turn */
  bool adversarial, split, reversed, timed;
  struct vm_timing *timing; /* timed: see timing.c; kept until the next launch */
  struct vm_buffer *buffer; /* the `buffered` schedule's delayed stores, see buffer.h; else NULL */
  u64 switch_points, change_at[VM_CHANGE_POINTS], lowest; /* adversarial: see sched.c */
  bool stopped;
  bool over_memory;                 /* the limit was passed: the launch ends at the next step */
  struct vm_frame *free_frames[32]; /* by power of two */
  struct strbuf printed;
  u64 printed_dropped;
};

/* memory.c */
struct vm_mem *vm_mem_find(struct vm_machine *m,
                           u64 address); /* the object that holds it, or NULL */
struct vm_mem *vm_mem_nearest(struct vm_machine *m, u64 address);
struct vm_mem *vm_mem_new(struct vm_machine *m, enum ptx_space space, const char *name,
                          u64 size_bytes, u32 elem_bytes, struct diag *why);
void vm_mem_init(struct vm_mem *mem, u64 size_bytes, bool track, u8 fill);
void vm_mem_release(struct vm_machine *m, struct vm_mem *mem);
/* The same memory as another object: observers have seen the last of the old one. */
void vm_mem_renew(struct vm_machine *m, struct vm_mem *mem);
/* Its bytes go, the record stays: the address is recognised as freed. */
void vm_mem_free(struct vm_machine *m, struct vm_mem *mem);
bool vm_bits_all(const u8 *bits, u64 from, u64 count);
void vm_bits_put(u8 *bits, u64 from, u64 count, bool value);
/* One lane's bytes at a generic address, for builtins (printf, assert): host pointer or NULL. `max`
 * gets the bytes readable from there. Local memory is interleaved: use vm_peek. */
bool vm_peek(struct vm_exec *x, u32 lane, u64 address, void *to, u32 bytes);
bool vm_local_grow(struct vm_warp *w, u32 bytes);

/* load.c */
bool vm_load(struct vm_machine *m, struct diag *why);
bool vm_layout_shared(struct vm_machine *m, const struct ptx_func *kernel, u32 dynamic_bytes,
                      struct diag *why);
/* decode.c */
/* One value operand that may be wider than the type (ld, st, cvt): its reference and register
 * width; -1 for "_". */
bool vm_item(struct vm_pick *p, const struct ptx_operand *o, enum ptx_type t, bool is_dst, i32 *ref,
             u32 *width);
bool vm_pick_ld_param(struct vm_pick *p);
bool vm_pick_ld_func_param(struct vm_pick *p); /* [reg] in a device function */
bool vm_pick_st_param(struct vm_pick *p);
void vm_decode(struct vm_machine *m, struct vm_code *c);

/* frame.c */
struct vm_frame *vm_frame_enter(struct vm_machine *m, struct vm_warp *w, struct vm_frame *parent,
                                const struct vm_insn *call, struct vm_code *code, u32 lanes);
void vm_frame_leave(struct vm_machine *m, struct vm_warp *w, struct vm_frame *f, u32 lanes);

/* run.c: also called from within an allocation; the step at hand goes on, the run loop sees to the
 * rest. `machine`: a struct vm_machine. */
void vm_over_memory(void *machine);
/* group.c */
struct vm_group *vm_group_new(struct vm_warp *w, u32 mask, struct vm_frame *f,
                              const struct vm_insn *next);
void vm_group_free(struct vm_warp *w, struct vm_group *g);
void vm_group_merge(struct vm_warp *w, struct vm_group *into, struct vm_group *from);
/* Takes `part` out of the group into a new one with the same state; the old one keeps the rest. */
struct vm_group *vm_group_split(struct vm_warp *w, struct vm_group *g, u32 part);
void vm_group_state(struct vm_warp *w, struct vm_group *g, enum vm_state s);
enum { VM_NEAR, VM_FAR }; /* scopes: the block; anything wider */
/* history.c: lanes leave a barrier, and know what it orders. Nothing to do but under `buffered`. */
void vm_history_wake(struct vm_machine *m, const struct vm_warp *w, u32 mask, u32 how);
/* Two ways apart: the running group keeps `stay` at `stay_at`, a new group takes the others to
 * `go_at`. */
void vm_diverge(struct vm_exec *x, u32 go, const struct vm_insn *go_at,
                const struct vm_insn *stay_at, const struct vm_insn *in);
/* The running group stands at a meeting point: true = it was parked or merged away, choose another.
 */
bool vm_meet(struct vm_exec *x, const struct vm_insn *at);
void vm_unpark(struct vm_warp *w,
               struct vm_group *g); /* goes on without the lanes that have not come */
void vm_reconv_exit(struct vm_warp *w, u32 lanes);
void vm_exec_load(struct vm_exec *x, struct vm_group *g); /* x := this group */
void vm_exec_mask(struct vm_exec *x, u32 mask);
/* Guarded control flow: the lanes of the running group outside x->mask go on behind `in`. */
void vm_leave_unguarded(struct vm_exec *x, const struct vm_insn *in);

/* sched.c */
bool vm_pick_next(struct vm_machine *m); /* loads m->x; false: nobody can run */
void vm_schedule_start(struct vm_machine *m);
void vm_demote(struct vm_machine *m,
               struct vm_group *g); /* adversarial: who gives way comes last */
bool vm_switch_here(struct vm_exec *x,
                    const struct vm_insn *in); /* random schedules: interrupt before `in`? */
void vm_lane_order(struct vm_machine *m, u32 mask, u8 *order);
/* spin.c */
void vm_spin_at(struct vm_exec *x, const struct vm_insn *in);
void vm_back_edge(struct vm_exec *x, const struct vm_insn *in);
bool vm_leaves_here(struct vm_group *g); /* a busy loop gives way at this place */
void vm_watch_load(struct vm_exec *x, const struct vm_insn *in, struct vm_mem *mem,
                   const u32 *offset, u32 bytes, const u8 *data, u32 stride);
#define VM_WATCH_FIRST 0x1234567 /* what load_hash begins with */
static inline u64 vm_watch_mix(u64 h, u64 v) {
  h = (h ^ v) * 0x9e3779b97f4a7c15ull;
  return h ^ h >> 29;
}
bool vm_all_stuck(struct vm_machine *m);

/* barrier.c */
void vm_barrier_recheck(struct vm_machine *m, struct vm_block *b,
                        struct vm_warp *w); /* lanes of w exited */
/* collective.c */
void vm_collective_recheck(struct vm_machine *m, struct vm_warp *w);
/* cluster.c */
bool vm_cluster_prepare(struct vm_machine *m,
                        struct diag *why);   /* size and shape from the kernel; sets m->cluster* */
void vm_cluster_slots(struct vm_machine *m); /* groups the block slots */
void vm_cluster_start(struct vm_block *b);
void vm_cluster_recheck(struct vm_machine *m, struct vm_block *b); /* lanes exited */
/* The block of b's cluster that a shared address names; NULL: none, or it has ended. */
struct vm_block *vm_cluster_block(struct vm_block *b, u32 address);
/* mbarrier.c */
/* Groups that wait at one in vain count as spinning, for the report. */
void vm_mbarrier_name_waits(struct vm_machine *m);
void vm_mbarrier_wait(struct vm_machine *m, const struct vm_mem *mem, u64 offset,
                      struct vm_wait *out);
/* async.c */
void vm_async_block_end(struct vm_machine *m, struct vm_block *b); /* what is under way lands */
void vm_async_end(struct vm_machine *m);                           /* of the launch */
/* slots.c */
u64 vm_slots_bytes(const struct vm_machine *m);
void vm_slots_make(struct vm_machine *m);
void vm_slots_free(struct vm_machine *m);
void vm_slots_order(struct vm_machine *m); /* random schedules: which block comes when */
/* run.c */
void vm_exit_lanes(struct vm_exec *x, u32 mask, const struct vm_insn *in);
void vm_emit_sync(struct vm_machine *m, const struct vm_sync *s);
void vm_fault_limit(struct vm_machine *m, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void vm_emit_fault(struct vm_machine *m, const struct vm_fault *f);
/* timing.c */
u64 vm_timing_now(const struct vm_machine *m);
/* Virtual time, as the kernel sees it. */
static inline u64 vm_now(const struct vm_machine *m) {
  return (m->timed ? vm_timing_now(m) : m->steps) + m->skipped;
}
/* stuck.c */
void vm_fault_waits(struct vm_machine *m, enum vm_fault_kind kind, struct vm_block *only,
                    const char *text);
u32 vm_collect_waits(struct vm_machine *m, struct vm_block *only, struct vm_wait *out, u32 max);
/* undef.c */
void vm_partial_set(struct vm_exec *x, struct vm_slot *h, const u64 bits[VM_LANES]);
/* Memory knows whole bytes: one with a defined bit counts as defined (bit-fields are set one after
 * the other). */
static inline bool vm_partial_byte(const struct vm_partial *p, u32 lane, u32 byte) {
  return (p->bits[lane] >> byte * 8 & 0xff) != 0;
}
void vm_uninit(struct vm_exec *x, const struct vm_insn *in, const u8 *slot_data, u32 lanes,
               const char *what);
void vm_uninit_store(struct vm_exec *x, const struct vm_insn *in, const u8 *slot_data, u32 lanes,
                     struct vm_object *to);
/* builtin.c */
typedef void vm_builtin_fn(struct vm_exec *x, const struct vm_insn *in);
vm_builtin_fn *vm_builtin(str name); /* NULL: no such builtin */
/* reach.c: instructions and functions that the machine knows of but does not model */
struct vm_reach {
  const char *prefix; /* of the instruction's text or the function's name; ".x": a modifier */
  const char *what;   /* "is a tensor copy: ..." */
  const char *instead;
};
const struct vm_reach *vm_reach_insn(str text); /* NULL: nothing to say about it */
const struct vm_reach *vm_reach_function(str name);
bool vm_pick_unknown(struct vm_pick *p); /* says which word is unknown; returns false */
/* ops: shared by decode */
vm_fn vm_op_guarded, vm_op_meet, vm_op_unsupported, vm_op_beyond, vm_op_end;

/* Values of one lane. */
static inline u32 vm_bit(u32 lane) { return 1u << lane; }
/* So few lanes that walking them beats computing all 32. */
static inline bool vm_few(u32 mask) { return __builtin_popcount(mask) <= 3; }
#define VM_EACH(lane, m)                                                                           \
  for (u32 lane##_rest = (m), lane; lane##_rest && (lane = (u32)__builtin_ctz(lane##_rest), true); \
       lane##_rest &= lane##_rest - 1)
#endif
