/* shop_machine.c - what a check.c asks of a machine, answered by a sandboxed one: the virtual
 * machine or a GPU. Whatever comes back is data from a process that is not trusted. */
#include <string.h>
#include "grade/shop.h"

/* Answers that are "ok, why" and nothing more. */
static bool ask_plain(struct shop *w, u32 type, struct diag *why) {
  struct box_reader r;
  if (!shop_ask(w, type, 8192, &r, why)) return false;
  bool ok = box_get_below(&r, 2);
  box_get_diag(&r, why);
  if (!box_done(&r)) return shop_garbled(w, &w->runner->jail, why);
  why->set = !ok;
  return ok;
}

static bool machine_create(void *self, struct arena *keep, const struct ptx_module *module,
                           const struct device_config *c, struct diag *why) {
  struct shop *w = self;
  u32 slot = module == w->modules[1] ? 1 : 0;
  const struct vm_config *v = &c->vm;
  w->run_keep = keep;
  w->dropped = 0;
  verdict_init(&w->found);
  w->list = NULL;
  w->gpu_ms = 0;
  w->gpu_name[0] = 0;
  if (!shop_ensure(w, c->kind == DEVICE_GPU ? &w->gpu : &w->vm, why)) return false;
  bool *loaded = &w->runner->loaded[slot];
  if (!*loaded && !(shop_load(w, keep, slot, NULL, why) && *loaded)) return false;
  w->request.n = 0;
  box_put_u32(&w->request, slot);
  box_put_u32(&w->request, (u32)v->schedule);
  box_put_u64(&w->request, v->seed);
  box_put_u64(&w->request, v->max_steps);
  box_put_u32(&w->request, v->sm_count);
  box_put_u32(&w->request, v->blocks_per_sm);
  box_put_u32(&w->request, (v->optimized ? BOX_OPTIMIZED : 0) | (c->no_race ? BOX_NO_RACE : 0) |
                               (v->lenient_exit ? BOX_LENIENT_EXIT : 0) |
                               (c->policy.strict_exit ? BOX_STRICT_EXIT : 0));
  return ask_plain(w, BOX_CREATE, why);
}

static void machine_destroy(void *self) {
  struct shop *w = self;
  struct diag ignored = {0};
  struct box_reader r;
  w->request.n = 0;
  if (w->runner->jail.pid > 0) shop_ask(w, BOX_DESTROY, 64, &r, &ignored);
}

static u64 machine_alloc(void *self, const char *name, u64 size_bytes, u32 elem_bytes,
                         struct diag *why) {
  struct shop *w = self;
  struct box_reader r;
  w->request.n = 0;
  box_put_text(&w->request, str_of(name));
  box_put_u64(&w->request, size_bytes);
  box_put_u32(&w->request, elem_bytes);
  if (!shop_ask(w, BOX_ALLOC, 8192, &r, why)) return 0;
  u64 address = box_get_u64(&r);
  box_get_diag(&r, why);
  if (!box_done(&r)) return shop_garbled(w, &w->runner->jail, why);
  why->set = address == 0;
  return address;
}

static bool machine_release(void *self, u64 address, struct diag *why) {
  struct shop *w = self;
  w->request.n = 0;
  box_put_u64(&w->request, address);
  return ask_plain(w, BOX_FREE, why);
}

static bool machine_write(void *self, u64 address, const void *from, u64 size_bytes,
                          struct diag *why) {
  struct shop *w = self;
  w->request.n = 0;
  box_put_u64(&w->request, address);
  box_put_text(&w->request, (str){from, size_bytes});
  return ask_plain(w, BOX_WRITE, why);
}

/* Exactly as many bytes as were asked for: short output is a fault, never a pass. */
static bool machine_view(void *self, enum device_view what, u64 address, void *to, u64 size_bytes,
                         struct diag *why) {
  struct shop *w = self;
  struct box_reader r;
  w->request.n = 0;
  box_put_u32(&w->request, (u32)what);
  box_put_u64(&w->request, address);
  box_put_u64(&w->request, size_bytes);
  if (!shop_ask(w, BOX_VIEW, size_bytes + 8192, &r, why)) return false;
  bool ok = box_get_below(&r, 2);
  box_get_diag(&r, why);
  str bytes = box_get_text(&r);
  if (!box_done(&r) || bytes.n != size_bytes) return shop_garbled(w, &w->runner->jail, why);
  memcpy(to, bytes.p, bytes.n);
  why->set = !ok;
  return ok;
}

/* A machine finds faults of the kernel, and gaps of its own; nothing else counts from there. */
static bool may_say(const struct finding *f) {
  switch (f->kind) {
  case V_TRAP:
  case V_BOUNDS:
  case V_RACE:
  case V_BARRIER:
  case V_DEADLOCK:
  case V_UNINIT:
  case V_HANG:
  case V_INTERNAL: return true;
  default: return false;
  }
}

static bool get_findings(struct shop *w, struct box_reader *r) {
  struct diag why = {0};
  str bytes = box_get_text(r);
  w->dropped = box_get_u64(r);
  if (r->bad || !verdict_read(w->run_keep, bytes, &w->found, &why)) return false;
  w->list = NEWN(w->run_keep, const struct finding *, w->found.finding_count + 1);
  for (u32 i = 0; i < w->found.finding_count; i++) {
    if (!may_say(&w->found.findings[i])) return false;
    w->list[i] = &w->found.findings[i];
  }
  return true;
}

static enum vm_outcome failed(struct shop *w, const struct diag *why) {
  /* Not a refusal, which would be the learner's: the suite could not judge. */
  struct finding *f = NEW(w->run_keep, struct finding);
  *f = (struct finding){.kind = V_INTERNAL, .element = -1, .space = "", .object = ""};
  f->message = arena_printf(w->run_keep, "%s.", why->text);
  f->suggestion = f->waits = f->schedule = "";
  w->found.findings = f;
  w->found.finding_count = 1;
  w->list = NEWN(w->run_keep, const struct finding *, 1);
  w->list[0] = f;
  return VM_STOPPED;
}

static enum vm_outcome machine_launch(void *self, const struct vm_launch *l,
                                      struct vm_counters *counters, struct diag *why) {
  struct shop *w = self;
  struct box_reader r;
  const struct ptx_module *m = w->modules[0];
  if (!m || l->kernel < m->funcs || l->kernel >= m->funcs + m->func_count) m = w->modules[1];
  w->request.n = 0;
  box_put_u32(&w->request, (u32)(l->kernel - m->funcs));
  for (int i = 0; i < 3; i++) box_put_u32(&w->request, l->grid[i]);
  for (int i = 0; i < 3; i++) box_put_u32(&w->request, l->block[i]);
  for (int i = 0; i < 3; i++) box_put_u32(&w->request, l->cluster[i]);
  box_put_u32(&w->request, l->shared_bytes);
  box_put_u32(&w->request, l->cooperative);
  box_put_text(&w->request, (str){(const char *)l->params, l->param_bytes});
  if (!shop_ask(w, BOX_LAUNCH, SHOP_ANSWER_MAX, &r, why)) return failed(w, why);
  enum vm_outcome o = (enum vm_outcome)box_get_below(&r, VM_REFUSED + 1);
  box_get_diag(&r, why);
  str c = box_get_text(&r);
  if (c.n != sizeof *counters || !get_findings(w, &r) || !box_done(&r)) {
    shop_garbled(w, &w->runner->jail, why);
    return failed(w, why);
  }
  memcpy(counters, c.p, sizeof *counters);
  if (w->runner != &w->gpu) return o;
  double ms = w->found.milliseconds;
  snprintf(w->gpu_name, sizeof w->gpu_name, "%s", w->found.evidence.gpu);
  if (ms >= 0 && ms < 1e6) w->gpu_ms += ms; /* neither a NaN */
  /* After most faults its GPU is out of use: the next run gets another process. */
  if (o == VM_STOPPED) jail_stop(&w->gpu.jail);
  return o;
}

static void machine_resize(void *self, u32 sm_count, u32 blocks_per_sm) {
  struct shop *w = self;
  struct diag ignored = {0}; /* a jail that is gone fails the next request */
  struct box_reader r;
  w->request.n = 0;
  box_put_u32(&w->request, sm_count);
  box_put_u32(&w->request, blocks_per_sm);
  if (w->runner->jail.pid > 0) shop_ask(w, BOX_RESIZE, 64, &r, &ignored);
}

static bool machine_time_line(void *self, struct vm_time_line *out) {
  struct shop *w = self;
  if (w->found.has_time_line) *out = w->found.time_line;
  return w->found.has_time_line;
}

/* A GPU's name and how long its kernels took; a process that is not trusted says so. */
static const char *machine_gpu(void *self, double *milliseconds) {
  struct shop *w = self;
  *milliseconds = w->gpu_ms;
  return w->runner == &w->gpu ? w->gpu_name : NULL;
}

static const struct finding *const *machine_findings(void *self, u32 *count, u64 *dropped) {
  struct shop *w = self;
  *count = w->found.finding_count;
  *dropped = w->dropped;
  return w->list;
}

void shop_machine_open(struct shop *w) {
  w->machine = (struct device_elsewhere){.self = w,
                                         .create = machine_create,
                                         .destroy = machine_destroy,
                                         .alloc = machine_alloc,
                                         .release = machine_release,
                                         .write = machine_write,
                                         .view = machine_view,
                                         .launch = machine_launch,
                                         .resize = machine_resize,
                                         .time_line = machine_time_line,
                                         .findings = machine_findings,
                                         .gpu = machine_gpu};
}
