/* fake_vm.c - machine events by hand; see fake_vm.h. Uses a blank machine only to hold the
 * observers. */
#include <stdlib.h>
#include <string.h>
#include "fake_vm.h"
#include "vm/machine.h"

static const struct vm_observer *observer(struct fake *f) { return f->machine->observers[0]; }

static void fill_code(struct fake *f) {
  f->files[0] = STR("");
  f->files[1] = STR("k.cu");
  f->kernel.name = STR("k");
  f->kernel.demangled = STR("k(int*)");
  f->helper.name = STR("helper");
  f->helper.demangled = STR("helper(int*)");
  for (u32 i = 0; i < FAKE_LINES; i++) {
    f->locs[i] = (struct ptx_loc){1, i, -1, {0}};
    f->code[i] = (struct ptx_insn){.op = OP_ld, .loc = (i32)i, .text = STR("ld.u32")};
  }
  f->bare = (struct ptx_insn){.op = OP_ld, .loc = -1, .text = STR("ld.u32")};
  f->module = (struct ptx_module){
      .files = f->files, .file_count = 2, .locs = f->locs, .loc_count = FAKE_LINES};
}

void fake_init(struct fake *f, u32 blocks, u32 threads, const struct detect_policy *policy) {
  memset(f, 0, sizeof *f);
  fill_code(f);
  f->machine = NEW(&f->arena, struct vm_machine);
  f->d = detect_create(&f->arena, f->machine, policy);
  u32 warps = (threads + VM_LANES - 1) / VM_LANES;
  f->info = (struct vm_launch_info){.module = &f->module,
                                    .kernel = &f->kernel,
                                    .grid = {blocks, 1, 1},
                                    .block = {threads, 1, 1},
                                    .block_count = blocks,
                                    .threads_per_block = threads,
                                    .warps_per_block = warps,
                                    .schedule = "converged",
                                    .seed = 7};
  observer(f)->launch_start(observer(f)->self, &f->info);
}

void fake_launch(struct fake *f) {
  observer(f)->launch_end(observer(f)->self);
  f->info.launch_index++;
  memset(f->exited, 0, sizeof f->exited);
  observer(f)->launch_start(observer(f)->self, &f->info);
}

void fake_free(struct fake *f) {
  for (u32 i = 0; i < f->object_count; i++) {
    observer(f)->released(observer(f)->self, &f->objects[i]);
    free(f->objects[i].data);
  }
  detect_destroy(f->d);
  arena_free(&f->arena);
}

static struct vm_object *object(struct fake *f, enum ptx_space s, const char *name, u32 size,
                                u32 elem, u32 block) {
  struct vm_object *o = &f->objects[f->object_count++];
  *o = (struct vm_object){.id = f->object_count,
                          .space = s,
                          .name = name,
                          .size_bytes = size,
                          .elem_bytes = elem,
                          .block = block};
  o->data = calloc(1, size);
  return o;
}
struct vm_object *fake_shared(struct fake *f, const char *name, u32 size, u32 elem, u32 block) {
  return object(f, SP_SHARED, name, size, elem, block);
}
struct vm_object *fake_global(struct fake *f, const char *name, u32 size, u32 elem) {
  return object(f, SP_GLOBAL, name, size, elem, 0);
}

struct vm_who fake_who(struct fake *f, u32 block, u32 warp) {
  u32 n = f->info.threads_per_block - warp * VM_LANES, all = n >= VM_LANES ? ~0u : (1u << n) - 1;
  u32 g = block * f->info.warps_per_block + warp;
  return (struct vm_who){block, warp, g, all & ~f->exited[g], f->exited[g]};
}
struct vm_code_pos fake_at(struct fake *f, u32 line) {
  return (struct vm_code_pos){&f->kernel, &f->code[line]};
}

const struct vm_frame *fake_frame(struct fake *f, const struct vm_frame *parent, u32 line) {
  struct vm_code *kernel = NEW(&f->arena, struct vm_code), *code = NEW(&f->arena, struct vm_code);
  kernel->func = &f->kernel;
  code->func = &f->helper;
  struct vm_insn *call = NEW(&f->arena, struct vm_insn);
  call->ptx = &f->code[line];
  struct vm_frame *up = NEW(&f->arena, struct vm_frame), *frame = NEW(&f->arena, struct vm_frame);
  if (parent)
    *up = *parent;
  else
    up->code = kernel;
  frame->parent = up;
  frame->code = code;
  frame->call = call;
  frame->depth = up->depth + 1;
  frame->stack_id = up->stack_id * 1000 + line;
  return frame;
}

void fake_warp(struct fake *f, struct vm_object *o, u32 block, u32 warp, u32 mask, u64 base,
               u64 stride, struct fake_op op) {
  struct vm_who who = fake_who(f, block, warp);
  u32 offset[VM_LANES];
  u32 size = op.size ? op.size : 4;
  for (u32 l = 0; l < VM_LANES; l++) offset[l] = mask >> l & 1 ? (u32)(base + l * stride) : ~0u;
  struct vm_access a = {.who = &who,
                        .frame = op.frame,
                        .pos = fake_at(f, op.line),
                        .pos_id = op.line + 1,
                        .mask = mask,
                        .kind = op.kind,
                        .sem = op.sem,
                        .scope = op.scope ? op.scope : VM_SCOPE_GPU,
                        .nc = op.nc,
                        .size_bytes = size,
                        .object = o,
                        .offset = offset,
                        .value = op.value,
                        .step = f->step++};
  if (op.frame) a.pos = (struct vm_code_pos){&f->helper, &f->bare};
  if (VM_WRITES(op.kind) && !op.fails) a.wrote = mask;
  a.pattern = stride == 0 ? VM_UNIFORM : mask == ~0u && stride == size ? VM_CONTIGUOUS : VM_GATHER;
  observer(f)->access(observer(f)->self, &a);
  for (u32 l = 0; l < VM_LANES && op.value; l++)
    if (a.wrote >> l & 1) memcpy(o->data + offset[l], (const u8 *)op.value + l * size, size);
}

void fake_thread(struct fake *f, struct vm_object *o, u32 block, u32 thread, u64 offset,
                 struct fake_op op) {
  fake_warp(f, o, block, thread / VM_LANES, 1u << thread % VM_LANES, offset, 0, op);
}

void fake_read(struct fake *f, struct vm_object *o, u32 block, u32 thread, u64 offset, u32 line) {
  fake_thread(f, o, block, thread, offset, (struct fake_op){.kind = VM_READ, .line = line});
}
/* Each write stores another value, so that no two are "the same". */
void fake_write(struct fake *f, struct vm_object *o, u32 block, u32 thread, u64 offset, u32 line) {
  static u32 next = 1;
  fake_put(f, o, block, thread, offset, next++, line);
}
void fake_put(struct fake *f, struct vm_object *o, u32 block, u32 thread, u64 offset, u32 value,
              u32 line) {
  u32 values[VM_LANES];
  for (u32 i = 0; i < VM_LANES; i++) values[i] = value;
  fake_thread(f, o, block, thread, offset,
              (struct fake_op){.kind = VM_WRITE, .line = line, .value = values});
}
void fake_atomic(struct fake *f, struct vm_object *o, u32 block, u32 thread, u64 offset,
                 enum vm_sem sem, enum vm_scope scope, u32 line) {
  fake_thread(f, o, block, thread, offset,
              (struct fake_op){.kind = VM_RMW, .sem = sem, .scope = scope, .line = line});
}
void fake_strong_read(struct fake *f, struct vm_object *o, u32 block, u32 thread, u64 offset,
                      enum vm_sem sem, enum vm_scope scope, u32 line) {
  fake_thread(f, o, block, thread, offset,
              (struct fake_op){.kind = VM_READ, .sem = sem, .scope = scope, .line = line});
}
void fake_strong_write(struct fake *f, struct vm_object *o, u32 block, u32 thread, u64 offset,
                       enum vm_sem sem, enum vm_scope scope, u32 line) {
  fake_thread(f, o, block, thread, offset,
              (struct fake_op){.kind = VM_WRITE, .sem = sem, .scope = scope, .line = line});
}

/* ---- synchronization ---- */
static void sync(struct fake *f, struct vm_sync s, u32 block, u32 warp) {
  struct vm_who who = fake_who(f, block, warp);
  s.who = &who;
  s.pos = fake_at(f, 0);
  s.step = f->step++;
  observer(f)->sync(observer(f)->self, &s);
}
void fake_fence(struct fake *f, u32 block, u32 thread, enum vm_scope scope) {
  sync(f, (struct vm_sync){.kind = VM_SYNC_FENCE, .mask = 1u << thread % VM_LANES, .scope = scope},
       block, thread / VM_LANES);
}
void fake_syncwarp(struct fake *f, u32 block, u32 warp, u32 mask) {
  u32 exited = f->exited[block * f->info.warps_per_block + warp];
  sync(f, (struct vm_sync){.kind = VM_SYNC_WARP, .mask = mask, .exited = &exited}, block, warp);
}
void fake_shuffle(struct fake *f, u32 block, u32 warp, u32 mask) {
  u32 exited = 0;
  sync(f, (struct vm_sync){.kind = VM_SYNC_RENDEZVOUS, .mask = mask, .exited = &exited}, block,
       warp);
}
void fake_barrier(struct fake *f, u32 block) {
  u32 live[VM_LANES];
  for (u32 w = 0; w < f->info.warps_per_block; w++) live[w] = fake_who(f, block, w).live;
  fake_named(f, block, 0, f->generation++, live, NULL);
}
void fake_arrive(struct fake *f, u32 block, u32 warp, u32 mask, u32 id, u32 generation) {
  sync(f,
       (struct vm_sync){.kind = VM_SYNC_ARRIVE,
                        .mask = mask,
                        .barrier = id,
                        .generation = generation,
                        .leaves = true},
       block, warp);
}
void fake_named(struct fake *f, u32 block, u32 id, u32 generation, const u32 *waiting,
                const u32 *arriving) {
  u32 arrived[VM_LANES] = {0}, exited[VM_LANES] = {0}, n = f->info.warps_per_block;
  bool full = true;
  for (u32 w = 0; w < n; w++) {
    struct vm_who who = fake_who(f, block, w);
    arrived[w] = waiting[w] | (arriving ? arriving[w] : 0);
    exited[w] = who.exited & ~arrived[w];
    full &= waiting[w] == who.live;
    if (waiting[w])
      sync(f,
           (struct vm_sync){
               .kind = VM_SYNC_ARRIVE, .mask = waiting[w], .barrier = id, .generation = generation},
           block, w);
  }
  sync(f,
       (struct vm_sync){.kind = VM_SYNC_OPEN,
                        .barrier = id,
                        .generation = generation,
                        .is_full = full,
                        .warp_count = n,
                        .arrived = arrived,
                        .waiting = waiting,
                        .exited = exited},
       block, 0);
}
void fake_exit(struct fake *f, u32 block, u32 warp, u32 mask) {
  f->exited[block * f->info.warps_per_block + warp] |= mask;
  sync(f, (struct vm_sync){.kind = VM_SYNC_EXIT, .mask = mask}, block, warp);
}
void fake_block_end(struct fake *f, u32 block) {
  sync(f, (struct vm_sync){.kind = VM_SYNC_BLOCK_END}, block, 0);
}
void fake_async(struct fake *f, u32 block, u32 thread, struct vm_async_event e) {
  struct vm_who who = fake_who(f, block, thread / VM_LANES);
  e.who = &who;
  e.lane = thread % VM_LANES;
  e.mask = 1u << e.lane;
  e.pos = fake_at(f, e.pos_id);
  e.step = f->step++;
  observer(f)->async(observer(f)->self, &e);
}
void fake_fault(struct fake *f, const struct vm_fault *v) {
  observer(f)->fault(observer(f)->self, v);
}

u32 fake_count(struct fake *f, enum severity s) {
  u32 n, out = 0;
  const struct finding *const *all = detect_findings(f->d, &n, NULL);
  for (u32 i = 0; i < n; i++) out += all[i]->severity == s;
  return out;
}
const struct finding *fake_finding(struct fake *f, u32 i) {
  u32 n;
  const struct finding *const *all = detect_findings(f->d, &n, NULL);
  if (i >= n) BUG("finding %u of %u", i, n);
  return all[i];
}
