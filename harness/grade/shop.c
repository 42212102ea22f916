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
#include "grade/jail.h"
#include "grade/shop.h"

enum { GPU_WAKE_MS = 90000 };

/* ---- talking ---- */
/* What fails before it has seen anything of the student's is our fault, not his. */
static bool start(struct jail *j, const struct jail_settings *s, enum jail_program p,
                  struct diag *why) {
  struct strbuf hello = {0}, reply = {0};
  struct jail_budget time = {.limit_ms = SHOP_ASK_MS};
  bool ok = jail_start(j, s, p, why) && jail_ask(j, BOX_HELLO, &hello, 0, &time, &reply, why);
  if (!ok) why->file[0] = 0;
  strbuf_free(&reply);
  return ok;
}

bool shop_ready(struct jail *box, const struct jail_settings *s, struct diag *why) {
  return box->pid > 0 || start(box, s, JAIL_BOX, why);
}

static bool ensure_box(struct shop *w, struct diag *why) {
  bool ok = shop_ready(&w->box, w->settings, why);
  w->broke |= !ok;
  return ok;
}

bool shop_ensure(struct shop *w, struct shop_runner *r, struct diag *why) {
  if (w->runner != r) w->run_time.cpu_before_ms = jail_cpu_ms(&r->jail);
  w->runner = r;
  if (r->jail.pid > 0) return true;
  memset(r->loaded, 0, sizeof r->loaded);
  bool ok = start(&r->jail, w->settings, r->program, why);
  w->run_time.cpu_before_ms = 0; /* a new process has not worked yet */
  w->broke |= !ok;
  return ok;
}

bool shop_ask(struct shop *w, u32 type, u64 max_bytes, struct box_reader *r, struct diag *why) {
  struct jail *j = &w->runner->jail;
  if (!jail_ask(j, type, &w->request, max_bytes, &w->run_time, &w->reply, why)) {
    w->broke = true;
    if (j->too_slow)
      diag_set(why, j->starved ? "the machine was too busy to run this file in its time"
                               : "running this file took longer than its time");
    return false;
  }
  *r = (struct box_reader){.rest = {w->reply.p ? w->reply.p : "", w->reply.n}};
  return true;
}

bool shop_garbled(struct shop *w, struct jail *j, struct diag *why) {
  w->broke = true;
  diag_set(why, "the sandboxed process sent an answer that does not parse");
  jail_stop(j);
  return false;
}

/* ---- compiling ---- */
static bool fetch_compiled(struct shop *w, struct arena *keep, enum build kind,
                           struct compile_result *out, str *ptx, struct diag *why) {
  if (!ensure_box(w, why)) return false;
  w->request.n = 0;
  box_put_text(&w->request, str_of(w->name));
  box_put_text(&w->request, w->source);
  box_put_u32(&w->request, (u32)w->compiler);
  box_put_u32(&w->request, (u32)kind);
  box_put_u32(&w->request, SHOP_COMPILE_MS - 2000);
  struct jail_budget time = jail_budget(&w->box, SHOP_COMPILE_MS);
  if (!jail_ask(&w->box, BOX_COMPILE, &w->request, SHOP_COMPILED_MAX, &time, &w->reply, why)) {
    /* The compiler's process did not survive this source; unless it never got to work, that is the
     * source's doing. */
    w->stumbled = true;
    if (w->box.too_slow && w->box.starved) return false;
    struct diag what = *why;
    diag_at(why, w->name, 0, 0, "the compiler did not get through this file: %s", what.text);
    return false;
  }
  struct box_reader r = {.rest = {w->reply.p, w->reply.n}};
  bool judged = box_get_below(&r, 2);
  box_get_diag(&r, why);
  out->ok = box_get_below(&r, 2);
  *ptx = str_copy(keep, box_get_text(&r));
  out->log = str_of(box_get_line(&r, keep, SHOP_LOG_MAX));
  out->first_error_line = box_get_u32(&r);
  out->compiler = (enum compiler)box_get_below(&r, COMPILER_CLANG + 1);
  out->compiler_version = box_get_line(&r, keep, 60);
  if (!box_done(&r)) return shop_garbled(w, &w->box, why);
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

bool shop_load(struct shop *w, struct arena *keep, u32 slot, const struct ptx_module **out,
               struct diag *why) {
  struct box_reader r;
  w->request.n = 0;
  box_put_u32(&w->request, slot);
  box_put_text(&w->request, w->ptx[slot]);
  if (!shop_ask(w, BOX_LOAD, SHOP_ANSWER_MAX, &r, why)) return false;
  bool ok = box_get_below(&r, 2);
  box_get_diag(&r, why);
  struct ptx_module *m = NEW(keep, struct ptx_module);
  m->func_count = box_get_below(&r, BOX_KERNELS_MAX + 1);
  m->funcs = NEWN(keep, struct ptx_func, m->func_count + 1);
  for (u32 i = 0; i < m->func_count; i++)
    if (!get_kernel(&r, keep, &m->funcs[i])) break;
  if (!box_done(&r)) return shop_garbled(w, &w->runner->jail, why);
  w->runner->loaded[slot] = ok;
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
  w->used = true;
  if (!fetch_compiled(w, keep, kind, out, &ptx, why)) return false;
  if (!out->ok) return true;
  w->slot = kind == BUILD_RELEASE;
  w->ptx[w->slot] = ptx;
  w->modules[0] = kind == BUILD_DEBUG ? NULL : w->modules[0];
  w->gpu.loaded[w->slot] = false;
  if (!shop_ensure(w, &w->vm, why) || !shop_load(w, keep, w->slot, module, why)) return false;
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

/* ---- opening and closing ---- */
struct shop *shop_open(struct arena *keep, const struct jail_settings *s) {
  struct shop *w = NEW(keep, struct shop);
  w->keep = keep;
  w->settings = s;
  w->box.pid = w->vm.jail.pid = w->gpu.jail.pid = -1;
  w->vm.program = JAIL_VM;
  w->gpu.program = JAIL_GPU;
  w->runner = &w->vm;
  shop_machine_open(w);
  w->workshop = (struct pz_workshop){.self = w, .build = build, .machine = &w->machine};
  return w;
}

const struct pz_workshop *shop_file(struct shop *w, const char *name, str source,
                                    enum compiler compiler, u32 run_ms) {
  w->name = name;
  w->source = source;
  w->compiler = compiler;
  w->run_time = jail_budget(&w->vm.jail, run_ms);
  w->stumbled = w->broke = false;
  w->modules[0] = w->modules[1] = NULL;
  memset(w->vm.loaded, 0, sizeof w->vm.loaded);
  memset(w->gpu.loaded, 0, sizeof w->gpu.loaded);
  return &w->workshop;
}

bool shop_broke(const struct shop *w) { return w->broke; }

bool shop_stumbled(const struct shop *w) { return w->stumbled; }

/* Does the compiler get through what every compiler gets through? */
static bool compile_canary(struct shop *w, struct arena *a, enum compiler compiler,
                           char version[64], struct diag *why) {
  static const char source[] = "__global__ void canary(int *p) { p[threadIdx.x] = 1; }\n";
  struct compile_result c;
  const struct ptx_module *m = NULL;
  shop_file(w, "canary.cu", STR(source), compiler, SHOP_ASK_MS);
  for (u32 b = 0; b <= BUILD_RELEASE; b++) {
    if (!build(w, a, (enum build)b, &c, &m, why)) return false;
    if (!c.ok || !m || m->func_count != 1) {
      diag_set(why, "the compiler does not compile an empty kernel: %.300s",
               c.log.p ? c.log.p : "");
      return false;
    }
    snprintf(version, 64, "%s", c.compiler_version);
  }
  return true;
}

bool shop_canary(struct shop *w, enum compiler compiler, char version[64], struct diag *why) {
  struct arena a = {0};
  bool ok = compile_canary(w, &a, compiler, version, why);
  arena_free(&a);
  return ok;
}

/* Does a GPU run an empty kernel in this sandbox? */
bool shop_gpu_works(const struct jail_settings *s, enum compiler compiler, struct diag *why) {
  struct arena a = {0};
  struct shop *w = shop_open(&a, s);
  char version[64];
  struct device_config c = {.kind = DEVICE_GPU};
  bool ok = compile_canary(w, &a, compiler, version, why);
  /* A driver that nobody uses at the moment takes its time to wake the GPU up, and sleeps
   * meanwhile.
   */
  w->run_time = (struct jail_budget){.limit_ms = GPU_WAKE_MS};
  ok = ok && w->machine.create(w, &a, w->modules[1], &c, why);
  if (ok) w->machine.destroy(w);
  shop_close(w);
  arena_free(&a);
  return ok;
}

bool jail_works(const struct jail_settings *s, enum compiler compiler, char version[64],
                struct diag *why) {
  struct arena a = {0};
  struct shop *w = shop_open(&a, s);
  bool ok = shop_ensure(w, &w->vm, why);
  if (!ok && s->sandbox == SANDBOX_BWRAP && !why->next[0])
    diag_next(why, "where namespaces are not to be had, --sandbox uid or --sandbox none grades "
                   "with less protection, and says so in every report");
  ok = ok && shop_canary(w, compiler, version, why);
  shop_close(w);
  arena_free(&a);
  return ok;
}

struct jail *shop_box(struct shop *w) {
  return &w->box;
}

void shop_restart(struct shop *w) {
  jail_stop(&w->box);
  jail_stop(&w->vm.jail);
  jail_stop(&w->gpu.jail);
  w->used = false;
}

void shop_fresh(struct shop *w) {
  if (w->used) shop_restart(w);
}

void shop_close(struct shop *w) {
  shop_restart(w);
  strbuf_free(&w->request);
  strbuf_free(&w->reply);
}
