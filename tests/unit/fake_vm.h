/* fake_vm.h - machine events by hand, for the tests of detect/: no PTX, no scheduler; each call is
 * one event.
 *
 * A thread is named by its number in the block; the source line of an access is whatever the test
 * says. */
#ifndef WL_TEST_FAKE_VM_H
#define WL_TEST_FAKE_VM_H
#include "detect/detect.h"

enum { FAKE_LINES = 200, FAKE_OBJECTS = 8 };

struct fake {
  struct arena arena;
  struct vm_machine *machine;
  struct detect *d;
  struct ptx_module module;
  struct ptx_func kernel, helper;
  struct ptx_insn code[FAKE_LINES], bare; /* code[i] stands in line i; bare has no line */
  struct ptx_loc locs[FAKE_LINES];
  str files[2];
  struct vm_launch_info info;
  struct vm_object objects[FAKE_OBJECTS];
  u32 object_count, generation;
  u64 step;
  u32 exited[64]; /* by warp in the grid */
};

/* One block of `threads` threads, or several. */
void fake_init(struct fake *f, u32 blocks, u32 threads, const struct detect_policy *policy);
void fake_launch(struct fake *f); /* the next launch; ends the one before */
void fake_free(struct fake *f);
struct vm_object *fake_shared(struct fake *f, const char *name, u32 size_bytes, u32 elem_bytes,
                              u32 block);
struct vm_object *fake_global(struct fake *f, const char *name, u32 size_bytes, u32 elem_bytes);

struct fake_op { /* zero means: 32-bit plain access of the gpu scope */
  u32 line, size;
  enum vm_access_kind kind; /* required */
  enum vm_sem sem;
  enum vm_scope scope;
  bool nc, fails;    /* fails: a compare-and-swap that does not write */
  const void *value; /* lane-major */
  const struct vm_frame *frame;
};
/* A whole-warp instruction: lane i of the mask at offset base + i * stride. */
void fake_warp(struct fake *f, struct vm_object *o, u32 block, u32 warp, u32 mask, u64 base,
               u64 stride, struct fake_op op);
/* One thread. */
void fake_thread(struct fake *f, struct vm_object *o, u32 block, u32 thread, u64 offset,
                 struct fake_op op);
void fake_read(struct fake *f, struct vm_object *o, u32 block, u32 thread, u64 offset, u32 line);
void fake_write(struct fake *f, struct vm_object *o, u32 block, u32 thread, u64 offset, u32 line);
void fake_put(struct fake *f, struct vm_object *o, u32 block, u32 thread, u64 offset, u32 value,
              u32 line);
void fake_atomic(struct fake *f, struct vm_object *o, u32 block, u32 thread, u64 offset,
                 enum vm_sem sem, enum vm_scope scope, u32 line);
void fake_strong_read(struct fake *f, struct vm_object *o, u32 block, u32 thread, u64 offset,
                      enum vm_sem sem, enum vm_scope scope, u32 line);
void fake_strong_write(struct fake *f, struct vm_object *o, u32 block, u32 thread, u64 offset,
                       enum vm_sem sem, enum vm_scope scope, u32 line);

void fake_fence(struct fake *f, u32 block, u32 thread, enum vm_scope scope);
void fake_syncwarp(struct fake *f, u32 block, u32 warp, u32 mask);
void fake_shuffle(struct fake *f, u32 block, u32 warp, u32 mask);
void fake_barrier(struct fake *f, u32 block); /* __syncthreads of all threads that are left */
/* bar.sync id over the lanes of `waiting`, with those of `arriving` having done bar.arrive before.
 * By warp. */
void fake_arrive(struct fake *f, u32 block, u32 warp, u32 mask, u32 id, u32 generation);
void fake_named(struct fake *f, u32 block, u32 id, u32 generation, const u32 *waiting,
                const u32 *arriving);
void fake_exit(struct fake *f, u32 block, u32 warp, u32 mask);
void fake_block_end(struct fake *f, u32 block);
/* An asynchronous event of one thread; who, lane and mask are filled in. */
void fake_async(struct fake *f, u32 block, u32 thread, struct vm_async_event e);
void fake_fault(struct fake *f, const struct vm_fault *v);
struct vm_who fake_who(struct fake *f, u32 block, u32 warp);
struct vm_code_pos fake_at(struct fake *f, u32 line);
/* A call stack one deeper than `parent` (NULL: the kernel), called from `line`; code there has no
 * lines. */
const struct vm_frame *fake_frame(struct fake *f, const struct vm_frame *parent, u32 line);

/* How many findings of that severity (race only: all kinds the same). */
u32 fake_count(struct fake *f, enum severity s);
const struct finding *fake_finding(struct fake *f, u32 i);
#endif
