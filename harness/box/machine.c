/* machine.c - the program warplings-vm: runs PTX for the grader, inside its sandbox. Reads requests
 * (box.h) from standard input, answers on standard output, keeps one machine at a time. What the
 * answers mean, and whether they are right, is judged elsewhere. Linked without any puzzle. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "box/box.h"
#include "device/device.h"
#include "puzzle/verdict.h"

static struct {
  struct arena keep;
  const struct ptx_module *module;
  struct vm_machine *machine;
  struct detect *checks;
} now;

/* ---- one machine ---- */
static void destroy(void) {
  if (now.machine) {
    detect_destroy(now.checks);
    vm_destroy(now.machine);
  }
  arena_free(&now.keep);
  memset(&now, 0, sizeof now);
}

static void create(struct box_reader *in, struct strbuf *out) {
  struct diag why = {0};
  u32 n = box_get_below(in, BOX_SLOTS);
  u32 schedule = box_get_below(in, VM_SCHEDULE_COUNT);
  struct vm_config c = {.schedule = (enum vm_schedule_kind)schedule};
  c.seed = box_get_u64(in);
  c.max_steps = box_get_u64(in);
  c.sm_count = box_get_u32(in);
  c.blocks_per_sm = box_get_u32(in);
  u32 flags = box_get_below(in, BOX_FLAGS + 1);
  if (!box_done(in) || !box_module(n)) exit(4);
  destroy();
  c.max_memory_bytes = BOX_MACHINE_MAX;
  c.no_undefined = c.optimized = c.count_traffic = (flags & BOX_OPTIMIZED) != 0;
  c.lenient_exit = (flags & BOX_LENIENT_EXIT) != 0;
  struct detect_policy policy = {.strict_exit = (flags & BOX_STRICT_EXIT) != 0};
  bool ok = vm_create(box_module(n), &c, &now.machine, &why);
  if (ok) {
    now.module = box_module(n);
    now.checks = detect_create(&now.keep, now.machine, &policy);
    if (flags & BOX_NO_RACE) detect_disable(now.checks, "race");
  } else {
    now.machine = NULL;
  }
  box_put_ok(out, ok, &why);
}

static void alloc(struct box_reader *in, struct strbuf *out) {
  struct diag why = {0};
  const char *name = str_copy(&now.keep, box_get_text(in)).p;
  u64 size = box_get_u64(in);
  u32 elem = box_get_u32(in);
  if (!box_done(in)) exit(4);
  box_put_u64(out, vm_alloc(now.machine, name, size, elem, &why));
  box_put_diag(out, &why);
}

static void view(struct box_reader *in, struct strbuf *out) {
  struct diag why = {0};
  u32 what = box_get_below(in, DEVICE_WRITTEN + 1);
  u64 address = box_get_u64(in), size = box_get_u64(in);
  if (!box_done(in) || size > BOX_REQUEST_MAX) exit(4);
  u8 *to = calloc(1, size ? size : 1);
  if (!to) exit(5);
  bool ok = what == DEVICE_BYTES     ? vm_read(now.machine, address, to, size, &why)
            : what == DEVICE_DEFINED ? vm_defined(now.machine, address, to, size, &why)
                                     : vm_written(now.machine, address, to, size, &why);
  box_put_ok(out, ok, &why);
  box_put_text(out, (str){(const char *)to, size});
  free(to);
}

static void put_findings(struct strbuf *out) {
  u32 n = 0;
  u64 dropped = 0;
  const struct finding *const *all = detect_findings(now.checks, &n, &dropped);
  struct verdict v;
  struct strbuf bytes = {0};
  verdict_init(&v);
  v.findings = NEWN(&now.keep, struct finding, n + 1);
  for (u32 i = 0; i < n; i++) v.findings[v.finding_count++] = *all[i];
  v.has_time_line = vm_timing_of(now.machine, &v.time_line);
  verdict_write(&bytes, &v);
  box_put_text(out, (str){bytes.p, bytes.n});
  box_put_u64(out, dropped);
  strbuf_free(&bytes);
}

static void launch(struct box_reader *in, struct strbuf *out) {
  struct diag why = {0};
  struct vm_counters counters = {0};
  struct vm_launch l;
  if (!box_get_launch(in, &now.keep, now.module, &l)) exit(4);
  enum vm_outcome o = vm_run(now.machine, &l, &counters, &why);
  box_put_outcome(out, o, &why, &counters);
  put_findings(out);
}

static void plain(u32 type, struct box_reader *in, struct strbuf *out) {
  struct diag why = {0};
  u64 address = box_get_u64(in);
  str bytes = type == BOX_WRITE ? box_get_text(in) : (str){0};
  if (!box_done(in)) exit(4);
  bool ok = type == BOX_WRITE ? vm_write(now.machine, address, bytes.p, bytes.n, &why)
                              : vm_free(now.machine, address, &why);
  box_put_ok(out, ok, &why);
}

static void resize(struct box_reader *in) {
  u32 sms = box_get_u32(in), blocks = box_get_u32(in);
  if (!box_done(in)) exit(4);
  vm_resize(now.machine, sms, blocks);
}

static void serve(u32 type, struct box_reader *in, struct strbuf *out) {
  if (type > BOX_DESTROY && !now.machine) exit(4);
  switch (type) {
  case BOX_HELLO: return;
  case BOX_LOAD: box_load(in, out); return;
  case BOX_CREATE: create(in, out); return;
  case BOX_DESTROY: destroy(); return;
  case BOX_ALLOC: alloc(in, out); return;
  case BOX_FREE:
  case BOX_WRITE: plain(type, in, out); return;
  case BOX_VIEW: view(in, out); return;
  case BOX_RESIZE: resize(in); return;
  case BOX_LAUNCH: launch(in, out); return;
  default: exit(4);
  }
}

int main(void) {
  struct strbuf in = {0}, out = {0};
  u32 type;
  while (box_receive(&in, &type, BOX_REQUEST_MAX)) {
    struct box_reader r = {.rest = {in.p ? in.p : "", in.n}};
    out.n = 0;
    serve(type, &r, &out);
    box_send(type, &out);
  }
  return 0;
}
