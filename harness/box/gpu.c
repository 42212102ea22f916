/* gpu.c - the program warplings-gpu: runs PTX that the virtual machine has passed on a GPU, for the
 * grader. Speaks the same language as warplings-vm (box.h); knows nothing of races or undefined
 * values. A kernel that hangs or breaks the GPU's context ends with this process. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "box/box.h"
#include "device/device.h"
#include "device/device_gpu.h"
#include "puzzle/verdict.h"

static struct {
  struct arena keep;
  const struct ptx_module *module;
  struct gpu *gpu;
} now;

static void destroy(void) {
  gpu_close(now.gpu);
  arena_free(&now.keep);
  memset(&now, 0, sizeof now);
}

/* Of the request only the module matters: a GPU has one shape and one schedule. */
static void create(struct box_reader *in, struct strbuf *out) {
  struct diag why = {0};
  u32 n = box_get_below(in, BOX_SLOTS);
  box_get_below(in, VM_SCHEDULE_COUNT);
  box_get_u64(in);
  box_get_u64(in);
  box_get_u32(in);
  box_get_u32(in);
  box_get_below(in, BOX_FLAGS + 1);
  if (!box_done(in) || !box_module(n)) exit(4);
  destroy();
  bool ok = gpu_open(&now.keep, box_module_text(n), NULL, &now.gpu, &why);
  if (ok) now.module = box_module(n);
  if (!ok) now.gpu = NULL;
  box_put_ok(out, ok, &why);
}

static void alloc(struct box_reader *in, struct strbuf *out) {
  struct diag why = {0};
  const char *name = str_copy(&now.keep, box_get_text(in)).p;
  u64 size = box_get_u64(in);
  box_get_u32(in);
  if (!box_done(in)) exit(4);
  box_put_u64(out, gpu_alloc(now.gpu, name, size, &why));
  box_put_diag(out, &why);
}

static void view(struct box_reader *in, struct strbuf *out) {
  struct diag why = {0};
  u32 what = box_get_below(in, DEVICE_WRITTEN + 1);
  u64 address = box_get_u64(in), size = box_get_u64(in);
  if (!box_done(in) || size > BOX_REQUEST_MAX) exit(4);
  u8 *to = malloc(size ? size : 1);
  if (!to) exit(5);
  memset(to, 1, size); /* everything counts as defined and written: nobody can tell */
  bool ok = what != DEVICE_BYTES || gpu_read(now.gpu, address, to, size, &why);
  box_put_ok(out, ok, &why);
  box_put_text(out, (str){(const char *)to, size});
  free(to);
}

static void put_findings(struct strbuf *out) {
  u32 n = 0;
  const struct finding *const *all = gpu_findings(now.gpu, &n);
  struct verdict v;
  struct strbuf bytes = {0};
  verdict_init(&v);
  v.findings = NEWN(&now.keep, struct finding, n + 1);
  for (u32 i = 0; i < n; i++) v.findings[v.finding_count++] = *all[i];
  v.evidence.gpu = gpu_name(now.gpu);
  v.milliseconds = gpu_milliseconds(now.gpu);
  verdict_write(&bytes, &v);
  box_put_text(out, (str){bytes.p, bytes.n});
  box_put_u64(out, 0);
  strbuf_free(&bytes);
}

static void launch(struct box_reader *in, struct strbuf *out) {
  struct diag why = {0};
  struct vm_counters counters = {0};
  struct vm_launch l;
  if (!box_get_launch(in, &now.keep, now.module, &l)) exit(4);
  enum vm_outcome o = gpu_launch(now.gpu, &l, &why);
  box_put_outcome(out, o, &why, &counters);
  put_findings(out);
}

static void plain(u32 type, struct box_reader *in, struct strbuf *out) {
  struct diag why = {0};
  u64 address = box_get_u64(in);
  str bytes = type == BOX_WRITE ? box_get_text(in) : (str){0};
  if (!box_done(in)) exit(4);
  bool ok = type == BOX_WRITE ? gpu_write(now.gpu, address, bytes.p, bytes.n, &why)
                              : gpu_free(now.gpu, address, &why);
  box_put_ok(out, ok, &why);
}

static void serve(u32 type, struct box_reader *in, struct strbuf *out) {
  if (type > BOX_DESTROY && !now.gpu) exit(4);
  switch (type) {
  case BOX_HELLO:
  case BOX_RESIZE: return;
  case BOX_LOAD: box_load(in, out); return;
  case BOX_CREATE: create(in, out); return;
  case BOX_DESTROY: destroy(); return;
  case BOX_ALLOC: alloc(in, out); return;
  case BOX_FREE:
  case BOX_WRITE: plain(type, in, out); return;
  case BOX_VIEW: view(in, out); return;
  case BOX_LAUNCH: launch(in, out); return;
  default: exit(4);
  }
}

int main(void) {
  struct strbuf in = {0}, out = {0};
  u32 type;
  /* What a kernel prints comes out of the driver on standard output: not among the answers. */
  if (!box_answer_apart()) return 6;
  while (box_receive(&in, &type, BOX_REQUEST_MAX)) {
    struct box_reader r = {.rest = {in.p ? in.p : "", in.n}};
    out.n = 0;
    serve(type, &r, &out);
    box_send(type, &out);
  }
  _exit(0); /* a driver whose GPU is dead need not tidy up */
}
