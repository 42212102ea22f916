/* history.h - what memory was a moment ago: loads that come early, under the `buffered` schedule.
 * Private to vm/; a part of buffer.h's machinery, in a file of its own.
 *
 * A load may be performed before it is executed, as far back as its thread's last acquire, barrier
 * or fence. Then it returns what memory held at that time. */
#ifndef WL_VM_HISTORY_H
#define WL_VM_HISTORY_H
#include "vm/buffer.h"

enum { VM_PAST_MAX = 128, VM_LOOKS = 512 };

struct vm_past { /* bytes that a store replaced */
  u64 landed;    /* when the store came to be in memory, on the buffer's clock (next_seq) */
  u64 shared_at; /* when its block could see it; 0: not before it landed */
  u64 step;
  struct vm_mem *mem;
  u64 offset;
  u32 id, bucket;          /* of the object: memory is used again */
  u32 size, thread, block; /* thread: who stored */
  bool is_joint; /* several lanes of its instruction did: bytes are of before all of them */
  struct vm_bytes bytes;
};
struct vm_look { /* what a thread must not read anything older than, in 8 bytes of memory */
  struct vm_mem *mem;
  u64 piece, landed, *horizon;
  u32 thread;
};
struct vm_history {
  struct vm_past ring[VM_PAST_MAX];
  u32 first, count; /* oldest first */
  u32 in_bucket[VM_BUFFER_BUCKETS];
  struct vm_look looks[VM_LOOKS];
  u64 *horizon; /* by warp slot * 32 + lane: what landed before is seen */
  u32 patience; /* steps after which nothing older is returned */
  u32 keenness; /* of 8 loads so many come early where they may; 0 = none in this launch */
};

void vm_history_start(struct vm_machine *m);
void vm_history_block_end(struct vm_machine *m, const struct vm_block *b);
/* May a load still return something older than what is in memory? */
bool vm_history_hides(struct vm_machine *m);
/* Bytes of memory have been replaced just now: p->bytes were there. */
void vm_history_add(struct vm_machine *m, const struct vm_past *p);
/* A lane is about to change memory itself: *out is for vm_history_add afterwards. */
void vm_history_take(struct vm_exec *x, u32 lane, struct vm_mem *mem, u64 offset, u32 size,
                     struct vm_past *out);
/* Later loads of these lanes are performed after what they have done so far. */
void vm_history_acquire(struct vm_exec *x, u32 mask);
/* The lane has read (or changed) what is there now. */
void vm_history_saw(struct vm_exec *x, u32 lane, struct vm_mem *mem, u64 offset, u32 size);
/* Lets the load of one lane come early where it may and chance will: true, and what it returns. */
bool vm_history_early(struct vm_exec *x, u32 lane, struct vm_mem *mem, u64 offset, u32 size,
                      struct vm_bytes *out);
#endif
