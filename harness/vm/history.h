/* history.h - what memory was a moment ago: loads that come early, under the `buffered` schedule.
 * Private to vm/; a part of buffer.h's machinery, in a file of its own.
 *
 * A load may be performed before it is executed, as far back as its thread's last acquire, barrier
 * or fence: of block scope where the store comes from the own block, wider than that where it comes
 * from another. Then it returns what memory held at that time. */
#ifndef WL_VM_HISTORY_H
#define WL_VM_HISTORY_H
#include "vm/buffer.h"

enum { VM_PAST_MAX = 128, VM_LOOKS = 1024 };

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
struct vm_look { /* what a thread must not read anything older than, in 4 bytes of memory */
  struct vm_mem *mem;
  u64 piece, landed, *horizon;
  u32 thread;
};
struct vm_block_look { /* the same of a block, whose threads know it once they meet */
  struct vm_mem *mem;
  u64 piece, landed, first; /* first: when it was noted */
  u32 block, slot;
};
struct vm_history {
  struct vm_past ring[VM_PAST_MAX];
  u32 first, count; /* oldest first */
  u32 in_bucket[VM_BUFFER_BUCKETS];
  struct vm_look looks[VM_LOOKS];
  struct vm_block_look block_looks[VM_LOOKS];
  /* What landed before is seen; [VM_NEAR]: of stores of the own block, [VM_FAR]: of others.
   * horizon: by warp slot * 32 + lane. */
  u64 (*horizon)[2];
  u64 *block_far;   /* by block slot: what one of its threads has acquired, and the others with it
                     * when they meet */
  u64 *block_floor; /* the same, whether they meet or not: where block_looks had no room */
  u32 patience;     /* steps after which nothing older is returned */
  u32 keenness;     /* of 8 loads so many come early where they may; 0 = none in this launch */
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
/* Later loads of these lanes are performed after what they have done so far. how: VM_NEAR for what
 * their block has stored, VM_FAR for everything. */
void vm_history_acquire(struct vm_exec *x, u32 mask, u32 how);
/* The lane has read (or changed) what is there now. */
void vm_history_saw(struct vm_exec *x, u32 lane, struct vm_mem *mem, u64 offset, u32 size);
/* Lets the load of one lane come early where it may and chance will: true, and what it returns. */
bool vm_history_early(struct vm_exec *x, u32 lane, struct vm_mem *mem, u64 offset, u32 size,
                      struct vm_bytes *out);
#endif
