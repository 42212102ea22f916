/* shop.c - compiling and running in jails, behind the interfaces that puzzle/ and device/ have for
 * it. A check.c runs here, in the trusted process; its inputs and launches go out as requests, raw
 * bytes and findings come back as data. Everything that comes back is checked before it is used:
 * lengths, ranges, enumerations; a kernel's parameters must lie inside their block.
 *
 * One pair of jails serves all files of a submission, which are one student's; another student's
 * get fresh ones. A jail that fails is ended, and the next file starts another. */
#include <stdlib.h>
#include <string.h>
#include "box/box.h"
#include "grade/grade.h"

enum { COMPILE_MS = 30000, ASK_MS = 10000 };
#define COMPILED_MAX ((u64)40 << 20)
#define ANSWER_MAX   ((u64)4 << 20)
#define PTX_TEXT_MAX ((size_t)64 << 10)

struct shop {
  struct arena *keep;
  const struct jail_settings *settings;
  struct jail box, vm;
  struct strbuf request, reply;
  struct pz_workshop workshop;
  struct device_elsewhere machine;
  /* the file that is judged */
  const char *name;
  str source;
  enum compiler compiler;
  bool stumbled; /* the compiler did not come through: whose fault is that? */
  u32 left_ms;   /* of the time that its runs may take */
  bool broke;    /* a jail failed */
  u32 slot;
  bool loaded[BOX_SLOTS];
  str ptx[BOX_SLOTS];
  const struct ptx_module *modules[BOX_SLOTS];
  /* the run */
  struct arena *run_keep;
  struct verdict found;
  const struct finding **list;
  u64 dropped;
};

/* ---- talking ---- */
/* What fails before it has seen anything of the student's is our fault, not his. */
static bool start(struct jail *j, const struct jail_settings *s, enum jail_program p,
                  struct diag *why) {
  struct strbuf hello = {0}, reply = {0};
  bool ok = jail_start(j, s, p, why) && jail_ask(j, BOX_HELLO, &hello, 0, ASK_MS, &reply, why);
  if (!ok) why->file[0] = 0;
  strbuf_free(&reply);
  return ok;
}

bool shop_ready(struct jail *box, const struct jail_settings *s, struct diag *why) {
  return box->pid > 0 || start(box, s, JAIL_BOX, why);
}

static bool ensure(struct shop *w, struct jail *j, enum jail_program p, struct diag *why) {
  if (j->pid > 0) return true;
  if (p == JAIL_VM) memset(w->loaded, 0, sizeof w->loaded);
  bool ok = start(j, w->settings, p, why);
  w->broke |= !ok;
  return ok;
}

/* One exchange with the machine; its time counts against the file's. */
static bool ask(struct shop *w, u32 type, u64 max_bytes, struct box_reader *r, struct diag *why) {
  u32 ms = w->left_ms;
  w->broke |= ms == 0;
  if (ms == 0) {
    diag_set(why, "running this file took longer than its time");
    jail_stop(&w->vm);
    return false;
  }
  u64 before = jail_clock_ms();
  if (!jail_ask(&w->vm, type, &w->request, max_bytes, ms, &w->reply, why)) {
    w->broke = true;
    if (w->vm.too_slow) diag_set(why, "running this file took longer than its time");
    return false;
  }
  u64 took = jail_clock_ms() - before;
  w->left_ms -= took < w->left_ms ? (u32)took : w->left_ms;
  *r = (struct box_reader){.rest = {w->reply.p ? w->reply.p : "", w->reply.n}};
  return true;
}

static bool garbled(struct shop *w, struct jail *j, struct diag *why) {
  w->broke = true;
  diag_set(why, "the sandboxed process sent an answer that does not parse");
  jail_stop(j);
  return false;
}

/* Answers that are "ok, why" and nothing more. */
static bool ask_plain(struct shop *w, u32 type, struct diag *why) {
  struct box_reader r;
  if (!ask(w, type, 8192, &r, why)) return false;
  bool ok = box_get_below(&r, 2);
  box_get_diag(&r, why);
  if (!box_done(&r)) return garbled(w, &w->vm, why);
  why->set = !ok;
  return ok;
}

/* ---- compiling ---- */
static bool fetch_compiled(struct shop *w, struct arena *keep, enum build kind,
                           struct compile_result *out, str *ptx, struct diag *why) {
  if (!ensure(w, &w->box, JAIL_BOX, why)) return false;
  w->request.n = 0;
  box_put_text(&w->request, str_of(w->name));
  box_put_text(&w->request, w->source);
  box_put_u32(&w->request, (u32)w->compiler);
  box_put_u32(&w->request, (u32)kind);
  box_put_u32(&w->request, COMPILE_MS - 2000);
  if (!jail_ask(&w->box, BOX_COMPILE, &w->request, COMPILED_MAX, COMPILE_MS, &w->reply, why)) {
    /* The compiler's process did not survive this source. */
    w->stumbled = true;
    struct diag what = *why;
    diag_at(why, w->name, 0, 0, "the compiler did not get through this file: %s", what.text);
    return false;
  }
  struct box_reader r = {.rest = {w->reply.p, w->reply.n}};
  bool judged = box_get_below(&r, 2);
  box_get_diag(&r, why);
  out->ok = box_get_below(&r, 2);
  *ptx = str_copy(keep, box_get_text(&r));
  out->log = str_of(box_get_line(&r, keep, PTX_TEXT_MAX));
  out->first_error_line = box_get_u32(&r);
  out->compiler = (enum compiler)box_get_below(&r, COMPILER_CLANG + 1);
  out->compiler_version = box_get_line(&r, keep, 60);
  if (!box_done(&r)) return garbled(w, &w->box, why);
  if (judged) why->set = false;
  w->stumbled |= !judged;
  return judged;
}

/* ---- a module's outline: kernels and their parameters ---- */
static bool get_kernel(struct box_reader *r, struct arena *keep, struct ptx_func *f) {
  f->name = str_of(box_get_line(r, keep, 1024));
  f->demangled = str_of(box_get_line(r, keep, 1024));
  f->is_entry = true;
  f->entry_param_bytes = box_get_below(r, BOX_PARAM_BYTES_MAX + 1);
  f->arg_count = f->param_count = box_get_below(r, BOX_PARAMS_MAX + 1);
  f->params = NEWN(keep, struct ptx_param, f->arg_count + 1);
  for (u32 i = 0; i < f->arg_count; i++) {
    struct ptx_param *p = &f->params[i];
    p->type = (enum ptx_type)box_get_below(r, T_COUNT);
    p->size_bytes = box_get_u32(r);
    p->offset_bytes = box_get_u32(r);
    if (p->offset_bytes > f->entry_param_bytes ||
        p->size_bytes > f->entry_param_bytes - p->offset_bytes)
      r->bad = true;
  }
  return !r->bad;
}

static bool load(struct shop *w, struct arena *keep, u32 slot, const struct ptx_module **out,
                 struct diag *why) {
  struct box_reader r;
  w->request.n = 0;
  box_put_u32(&w->request, slot);
  box_put_text(&w->request, w->ptx[slot]);
  if (!ask(w, BOX_LOAD, ANSWER_MAX, &r, why)) return false;
  bool ok = box_get_below(&r, 2);
  box_get_diag(&r, why);
  struct ptx_module *m = NEW(keep, struct ptx_module);
  m->func_count = box_get_below(&r, BOX_KERNELS_MAX + 1);
  m->funcs = NEWN(keep, struct ptx_func, m->func_count + 1);
  for (u32 i = 0; i < m->func_count; i++)
    if (!get_kernel(&r, keep, &m->funcs[i])) break;
  if (!box_done(&r)) return garbled(w, &w->vm, why);
  w->loaded[slot] = ok;
  why->set = !ok;
  if (ok && out) *out = m;
  return true;
}

/* Puzzles need no asm statement; where the text in one cannot be read, that is the file's fault. */
bool shop_asm(str source) {
  for (size_t i = 0; i + 3 <= source.n; i++)
    if (memcmp(source.p + i, "asm", 3) == 0) return true;
  return false;
}

static bool build(void *self, struct arena *keep, enum build kind, struct compile_result *out,
                  const struct ptx_module **module, struct diag *why) {
  struct shop *w = self;
  str ptx = {0};
  *out = (struct compile_result){.compiler_version = ""};
  if (!fetch_compiled(w, keep, kind, out, &ptx, why)) return false;
  if (!out->ok) return true;
  w->slot = kind == BUILD_RELEASE;
  w->ptx[w->slot] = ptx;
  w->modules[0] = kind == BUILD_DEBUG ? NULL : w->modules[0];
  if (!ensure(w, &w->vm, JAIL_VM, why) || !load(w, keep, w->slot, module, why)) return false;
  w->modules[w->slot] = *module;
  if (!*module && shop_asm(w->source)) {
    out->ok = false;
    out->log = str_of(arena_printf(keep,
                                   "The PTX that an asm statement of this file gives cannot be "
                                   "read: line %u: %s. No puzzle needs asm.\n",
                                   why->line, why->text));
  }
  return true;
}

/* ---- the machine ---- */
static bool machine_create(void *self, struct arena *keep, const struct ptx_module *module,
                           const struct device_config *c, struct diag *why) {
  struct shop *w = self;
  u32 slot = module == w->modules[1] ? 1 : 0;
  const struct vm_config *v = &c->vm;
  w->run_keep = keep;
  w->dropped = 0;
  verdict_init(&w->found);
  w->list = NULL;
  if (!ensure(w, &w->vm, JAIL_VM, why)) return false;
  if (!w->loaded[slot] && !(load(w, keep, slot, NULL, why) && w->loaded[slot])) return false;
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
  if (w->vm.pid > 0) ask(w, BOX_DESTROY, 64, &r, &ignored);
}

static u64 machine_alloc(void *self, const char *name, u64 size_bytes, u32 elem_bytes,
                         struct diag *why) {
  struct shop *w = self;
  struct box_reader r;
  w->request.n = 0;
  box_put_text(&w->request, str_of(name));
  box_put_u64(&w->request, size_bytes);
  box_put_u32(&w->request, elem_bytes);
  if (!ask(w, BOX_ALLOC, 8192, &r, why)) return 0;
  u64 address = box_get_u64(&r);
  box_get_diag(&r, why);
  if (!box_done(&r)) return garbled(w, &w->vm, why);
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
  if (!ask(w, BOX_VIEW, size_bytes + 8192, &r, why)) return false;
  bool ok = box_get_below(&r, 2);
  box_get_diag(&r, why);
  str bytes = box_get_text(&r);
  if (!box_done(&r) || bytes.n != size_bytes) return garbled(w, &w->vm, why);
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
  if (!ask(w, BOX_LAUNCH, ANSWER_MAX, &r, why)) return failed(w, why);
  enum vm_outcome o = (enum vm_outcome)box_get_below(&r, VM_REFUSED + 1);
  box_get_diag(&r, why);
  str c = box_get_text(&r);
  if (c.n != sizeof *counters || !get_findings(w, &r) || !box_done(&r)) {
    garbled(w, &w->vm, why);
    return failed(w, why);
  }
  memcpy(counters, c.p, sizeof *counters);
  return o;
}

static void machine_resize(void *self, u32 sm_count, u32 blocks_per_sm) {
  struct shop *w = self;
  struct diag ignored = {0}; /* a jail that is gone fails the next request */
  struct box_reader r;
  w->request.n = 0;
  box_put_u32(&w->request, sm_count);
  box_put_u32(&w->request, blocks_per_sm);
  if (w->vm.pid > 0) ask(w, BOX_RESIZE, 64, &r, &ignored);
}

static bool machine_time_line(void *self, struct vm_time_line *out) {
  struct shop *w = self;
  if (w->found.has_time_line) *out = w->found.time_line;
  return w->found.has_time_line;
}

static const struct finding *const *machine_findings(void *self, u32 *count, u64 *dropped) {
  struct shop *w = self;
  *count = w->found.finding_count;
  *dropped = w->dropped;
  return w->list;
}

/* ---- opening and closing ---- */
struct shop *shop_open(struct arena *keep, const struct jail_settings *s) {
  struct shop *w = NEW(keep, struct shop);
  w->keep = keep;
  w->settings = s;
  w->box.pid = w->vm.pid = -1;
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
                                         .findings = machine_findings};
  w->workshop = (struct pz_workshop){.self = w, .build = build, .machine = &w->machine};
  return w;
}

const struct pz_workshop *shop_file(struct shop *w, const char *name, str source,
                                    enum compiler compiler, u32 run_ms) {
  w->name = name;
  w->source = source;
  w->compiler = compiler;
  w->left_ms = run_ms;
  w->stumbled = w->broke = false;
  w->modules[0] = w->modules[1] = NULL;
  memset(w->loaded, 0, sizeof w->loaded);
  return &w->workshop;
}

bool shop_broke(const struct shop *w) { return w->broke; }

bool shop_stumbled(const struct shop *w) { return w->stumbled; }

/* Does the compiler get through what every compiler gets through? */
bool shop_canary(struct shop *w, enum compiler compiler, struct diag *why) {
  static const char source[] = "__global__ void canary(int *p) { p[threadIdx.x] = 1; }\n";
  struct arena a = {0};
  struct compile_result c;
  const struct ptx_module *m = NULL;
  bool ok = true;
  shop_file(w, "canary.cu", STR(source), compiler, ASK_MS);
  for (u32 b = 0; ok && b <= BUILD_RELEASE; b++) {
    ok = build(w, &a, (enum build)b, &c, &m, why);
    if (ok && (!c.ok || !m || m->func_count != 1)) {
      diag_set(why, "the compiler does not compile an empty kernel: %.300s",
               c.log.p ? c.log.p : "");
      ok = false;
    }
  }
  arena_free(&a);
  return ok;
}

bool jail_works(const struct jail_settings *s, enum compiler compiler, struct diag *why) {
  struct arena a = {0};
  struct shop *w = shop_open(&a, s);
  bool ok = ensure(w, &w->vm, JAIL_VM, why);
  if (!ok && s->sandbox == SANDBOX_BWRAP && !why->next[0])
    diag_next(why, "where namespaces are not to be had, --sandbox uid or --sandbox none grades "
                   "with less protection, and says so in every report");
  ok = ok && shop_canary(w, compiler, why);
  shop_close(w);
  arena_free(&a);
  return ok;
}

struct jail *shop_box(struct shop *w) {
  return &w->box;
}

void shop_restart(struct shop *w) {
  jail_stop(&w->box);
  jail_stop(&w->vm);
}

void shop_close(struct shop *w) {
  shop_restart(w);
  strbuf_free(&w->request);
  strbuf_free(&w->reply);
}
