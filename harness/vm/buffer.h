/* buffer.h - stores that other threads do not see yet: the `buffered` schedule. Private to vm/.
 *
 * A delayed store stands here instead of in memory. Its own thread reads it; it is
 *   private      at first: nobody else sees it,
 *   with the block  after a barrier or block-scope fence: threads of its block see it (the first
 * that looks makes it land), other blocks do not, landed       in memory, for everybody, and gone
 * from here. It lands at a time drawn at random, in an order that need not be the program's, except
 * where the memory model says otherwise: one location's stores in order; nothing overtakes a fence
 * or a release. Observers hear of the access when it is executed, and of a strong store once more
 * when others can see it (vm_observer.visible). */
#ifndef WL_VM_BUFFER_H
#define WL_VM_BUFFER_H
#include "vm/place.h"

enum { VM_DELAYED_MAX = 192, VM_DELAYED_BYTES = 32, VM_BUFFER_BUCKETS = 256 };

/* Bytes and what is defined of them, taken from memory and put back. */
struct vm_bytes {
  u32 valid, undef;
  u8 data[VM_DELAYED_BYTES];
};

struct vm_delayed {
  u64 seq;            /* in the order of execution; also what observers know a strong store by */
  u64 shared_at, due; /* shared_at: when it came to be with the block, 0 = private */
  struct vm_mem *mem;
  u64 offset;
  u32 size, thread, block; /* thread: warp in the grid * 32 + lane; block: in the grid */
  u32 after[2];            /* fences that its thread had executed before it */
  bool is_strong, landing;
  struct vm_bytes bytes;
};

struct vm_history;
struct vm_buffer {
  struct vm_history *history;              /* history.h */
  struct vm_delayed *list[VM_DELAYED_MAX]; /* by seq */
  u32 count;
  u32 in_bucket[VM_BUFFER_BUCKETS]; /* how many lie in 32-byte pieces of memory with this hash */
  struct vm_delayed pool[VM_DELAYED_MAX];
  struct vm_delayed *free[VM_DELAYED_MAX];
  u32 free_count;
  u64 next_seq, rng;
  u32 patience, keenness; /* longest delay in steps; of 8 stores so many are delayed */
  u32 (*fences)[2];       /* by warp slot * 32 + lane */
  vm_fn **inner;          /* by pos_id: the handler that a wrapper stands for */
};

/* buffer.c: what may land when */
void vm_buffer_make(struct vm_machine *m);  /* with the machine */
void vm_buffer_start(struct vm_machine *m); /* with a launch */
void vm_buffer_tick(struct vm_machine *m);  /* somebody else is about to run: some stores land */
/* Its shared memory goes away. That a block has ended orders nothing: other stores stay. */
void vm_buffer_block_end(struct vm_machine *m, const struct vm_block *b);
void vm_buffer_end(struct vm_machine *m); /* all land */
bool vm_buffer_is_empty(const struct vm_machine *m);
/* All of the lanes' stores land, and what is with their block: for what reads memory past ld. */
void vm_buffer_settle(struct vm_exec *x, u32 mask);
/* Lanes of the running warp release to their block, or farther. */
void vm_buffer_release(struct vm_exec *x, u32 mask, u32 how);
/* They executed a fence that only orders: later stores come after earlier ones. */
void vm_buffer_mark(struct vm_exec *x, u32 mask, u32 how);
/* A lane is about to act on memory itself: what must come before that lands. */
void vm_buffer_clear_way(struct vm_exec *x, u32 lane, const struct vm_mem *mem, u64 offset,
                         u32 size);
u32 vm_buffer_thread(const struct vm_exec *x, u32 lane);
/* May something here concern these bytes? Never no where the answer is yes. */
bool vm_buffer_may_hold(const struct vm_buffer *b, const struct vm_mem *mem, u64 offset);
bool vm_buffer_overlaps(const struct vm_delayed *d, const struct vm_mem *mem, u64 offset, u32 size);
/* A new entry, which the caller fills; makes room first. */
struct vm_delayed *vm_buffer_add(struct vm_exec *x, u32 lane, struct vm_mem *mem, u64 offset,
                                 u32 size);
void vm_buffer_make_room(struct vm_machine *m, u32 count);
void vm_buffer_land(struct vm_machine *m, struct vm_delayed *d);

void vm_bytes_take(const struct vm_mem *mem, u64 offset, u32 size, struct vm_bytes *out);
void vm_bytes_put(struct vm_mem *mem, u64 offset, u32 size, const struct vm_bytes *in);

/* buffer_ops.c: ld, st, atom, fences and barriers under this schedule */
void vm_buffer_wrap(struct vm_machine *m, struct vm_insn *in);
#endif
