/* parts.h - what the checks of this folder share: the list of checks, making findings, naming
 * places.
 *
 * Private to detect/ (and its tests). A check sees machine events and adds findings; it knows
 * nothing of other checks. */
#ifndef WL_DETECT_PARTS_H
#define WL_DETECT_PARTS_H
#include "detect/detect.h"

enum {
  DETECT_MAX_FINDINGS = 64,
  DETECT_MAX_CHECKS = 8,
  DETECT_MAX_CALLS = 16,
  DETECT_MAX_SYNCS = 32
};

/* A row of the list. `create` fills the hooks it wants (self is set by the caller to its result).
 */
struct detect_check {
  const char *name;
  void *(*create)(struct detect *d, struct vm_observer *hooks);
  void (*destroy)(void *self); /* NULL: nothing to free */
};
extern const struct detect_check detect_list[];
extern const u32 detect_list_count;

void *detect_race_create(struct detect *d, struct vm_observer *hooks);
void detect_race_destroy(void *self);
void *detect_barrier_create(struct detect *d, struct vm_observer *hooks);
void *detect_bounds_create(struct detect *d, struct vm_observer *hooks);
void *detect_uninit_create(struct detect *d, struct vm_observer *hooks);

struct detect {
  struct arena *keep;
  struct vm_machine *machine;
  struct detect_policy policy;
  struct vm_launch_info launch; /* copy; schedule is the machine's own constant */
  struct vm_observer observer;  /* the one the machine knows: passes on to the checks */
  struct vm_observer checks[DETECT_MAX_CHECKS];
  bool off[DETECT_MAX_CHECKS];
  const struct vm_observer *access[DETECT_MAX_CHECKS]; /* those that take accesses, and are on */
  u32 access_count;
  struct finding *errors[DETECT_MAX_FINDINGS], *notes[DETECT_MAX_FINDINGS];
  u32 error_count, note_count;
  u64 dropped;
  const struct finding *listed[DETECT_MAX_FINDINGS];
  struct detect_sync syncs[DETECT_MAX_SYNCS];
  u32 sync_count;
  bool syncs_unlisted, is_probe;
  const struct detect_sync *without;
  u64 unordered;
};

/* ---- findings (detect.c) ---- */
/* A blank finding of the running launch, in `keep`, not yet part of the list. */
struct finding *detect_finding(struct detect *d, enum verdict_kind kind, enum severity severity);
/* Adds it, or folds it into an earlier one with the same cause; returns the one that stands, NULL
 * when it was dropped. */
struct finding *detect_add(struct detect *d, struct finding *f);

/* ---- policies (policy.c): the one place that turns a doubtful case into error or note ---- */
enum detect_case {
  CASE_RACE,
  CASE_VOLATILE,
  CASE_SAME_VALUE,
  CASE_EXITED,
  CASE_UNINIT_STORE,
  CASE_LIBRARY /* the toolkit's own code does without */
};
enum severity detect_severity(const struct detect_policy *p, enum detect_case c);

/* ---- places and names (where.c) ---- */
struct detect_calls { /* call sites, innermost first */
  struct vm_code_pos at[DETECT_MAX_CALLS];
  u32 count;
};
void detect_calls_of(const struct vm_frame *frame, struct detect_calls *out);
bool detect_is_toolkit(str file); /* a header that comes with the compiler */
struct detect_where {
  const char *file; /* "" when unknown */
  u32 line;
  const struct finding_place *stack;
  u32 stack_count;
};
/* The learner's place of an instruction: its own line; for helpers without lines (intrinsics) or of
 * the toolkit the call site. The rest of the calls become the stack. */
void detect_where_of(struct detect *d, struct vm_code_pos pos, const struct vm_code_pos *calls,
                     u32 call_count, struct detect_where *out);
/* Does the instruction, or a call that leads to it, stand in a file of such a name? */
bool detect_passes_through(struct detect *d, struct vm_code_pos pos,
                           const struct vm_code_pos *calls, u32 call_count, const char *file);
/* Fills coordinates and place. */
void detect_access_at(struct detect *d, struct finding_access *a, const char *op, u32 block,
                      u32 warp, u32 lane, const struct detect_where *w);
void detect_access_in(struct detect *d, struct finding_access *a, const char *op,
                      const struct vm_who *who, u32 mask, const struct vm_frame *frame,
                      struct vm_code_pos pos);
void detect_thread_coords(const struct vm_launch_info *l, u32 block, u32 warp, u32 lane,
                          u32 thread[3], u32 at[3]);
/* "block 3", "block (1,2,0)" */
void detect_block_text(const struct vm_launch_info *l, u32 block, char *out, size_t size);
/* "thread (5,0,0) of block 0" */
void detect_thread_text(const struct vm_launch_info *l, u32 block, u32 warp, u32 lane, char *out,
                        size_t size);
/* Sets space, object, offset and element of a finding. */
void detect_object_at(struct detect *d, struct finding *f, const struct vm_object *o, u64 offset,
                      u32 size_bytes);
/* "tile[5]", "flag", "an unnamed object" */
void detect_object_text(const struct vm_object *o, u64 offset, u32 size_bytes, char *out,
                        size_t size);
const char *detect_space_text(enum ptx_space s);
/* "__shfl_up_sync()" and its like, as CUDA calls an instruction of that kind. */
const char *detect_shuffle_text(const struct ptx_insn *in);
/* "lanes 0-15, 20" */
void detect_lanes_text(u32 mask, char *out, size_t size);
/* "k.cu:12" or "an unknown line" */
void detect_line_text(const struct detect_where *w, char *out, size_t size);
/* "read", "volatile write", "atomic add": in `insn`'s words */
const char *detect_op_text(const struct ptx_insn *insn, enum vm_access_kind kind, enum vm_sem sem,
                           bool nc);
#endif
