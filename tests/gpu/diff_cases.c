/* diff_cases.c - kernels that have a file: tests/kernels, kernels2 and patterns in both builds,
 * tests/ops. The same PTX runs on machine and GPU; the buffers that the table or the file lists are
 * compared bit by bit. `prepare` compiles them all into build/ptx-cache, for a GPU's machine that
 * has no compiler. */
#define _GNU_SOURCE
#include <string.h>
#include "exec/exec_case.h"
#include "gpu/diff.h"

#define CACHE "build/ptx-cache"
enum { PTX_MAX = 16 << 20 };

static struct exec_cases table, ops; /* filled before the workers start */

/* Those that list buffers, all of them defined, whatever the schedule: of the others a GPU's word
 * proves nothing. */
static bool comparable(const struct exec_case *c) {
  bool known = !c->host_only && c->dump_count && (c->want.kinds & 1u << V_PASS) &&
               !strstr(c->options, "--schedule");
  for (u32 i = 0; i < c->dump_count; i++) known = known && !strchr(c->dumps[i].values, '?');
  return known;
}
static void load(struct exec_cases *c, bool ok, const struct diag *why) {
  if (!ok) printf("%s\n", why->text);
  u32 n = 0;
  for (u32 i = 0; i < c->count; i++)
    if (comparable(&c->list[i])) c->list[n++] = c->list[i];
  c->count = n;
}
static u32 table_batches(struct diff *d) {
  struct diag why = {0};
  bool ok;
  (void)d;
  memset(&table, 0, sizeof table);
  ok = exec_cases_table(&table, "tests/kernels", &why) &&
       exec_cases_table(&table, "tests/kernels2", &why) &&
       exec_cases_folder(&table, "tests/patterns", ".cu", "nvrtc", &why);
  load(&table, ok, &why);
  return 2 * table.count;
}
static u32 ops_batches(struct diff *d) {
  struct diag why = {0};
  (void)d;
  memset(&ops, 0, sizeof ops);
  load(&ops, exec_cases_folder(&ops, "tests/ops", ".ptx", "gpu", &why), &why);
  return ops.count;
}

/* ---- PTX ---- */
static const char *cached(struct arena *a, const char *file, enum build build) {
  const char *slash = strrchr(file, '/');
  return arena_printf(a, CACHE "/%s.%s.ptx", slash ? slash + 1 : file,
                      build == BUILD_DEBUG ? "debug" : "release");
}
static bool ptx_of(struct arena *a, const char *file, enum build build, str *out,
                   struct diag *why) {
  size_t n = strlen(file);
  struct compile_result c = {0};
  struct compile_request r = {
      .path = file, .build = build, .compiler = COMPILER_NVRTC, .timeout_ms = 60000};
  if (n > 4 && strcmp(file + n - 4, ".ptx") == 0) return file_read(a, file, PTX_MAX, out, why);
  if (compile_ptx(a, &r, &c, why) && c.ok) {
    *out = c.ptx;
    return true;
  }
  struct diag cache_why = {0};
  if (file_read(a, cached(a, file, build), PTX_MAX, out, &cache_why)) return true;
  if (!why->set) diag_set(why, "%s does not compile", file);
  return false;
}

/* ---- one launch ---- */
struct pair {
  struct arena keep;
  const struct exec_case *c;
  struct options o;
  struct exec_arg args[LIST_MAX];
  u32 buffer_count;
  str ptx;
  struct ptx_module *module;
  const struct ptx_func *kernel;
  bool optimized;
};
/* One side of it: memory by one interface. */
struct side {
  struct device *device;
  struct gpu *gpu;
  u64 *address; /* of the buffers */
};

static bool open_job(struct pair *j, struct diag *why) {
  char *argv[128], *text = arena_printf(&j->keep, "%s", j->c->options);
  int argc = 0;
  argv[argc++] = arena_printf(&j->keep, "exec");
  for (char *word; argc < 127 && (word = strsep(&text, " "));)
    if (*word) argv[argc++] = word;
  argv[argc] = NULL;
  j->o.keep = &j->keep;
  if (!cli_options(argc, argv, FOR_EXEC, &j->o, why)) return false;
  for (u32 i = 0; i < j->o.arg_spec_count; i++)
    if (!exec_arg_parse(&j->keep, j->o.arg_specs[i], &j->args[i], why)) return false;
  j->buffer_count = exec_args_number(j->args, j->o.arg_spec_count);
  if (!ptx_of(&j->keep, j->c->file, j->optimized ? BUILD_RELEASE : BUILD_DEBUG, &j->ptx, why) ||
      !ptx_parse(&j->keep, j->ptx, &j->module, why))
    return false;
  if (j->o.kernel) j->kernel = ptx_kernel(j->module, str_of(j->o.kernel), why);
  for (u32 i = 0; !j->o.kernel && i < j->module->func_count; i++)
    if (j->module->funcs[i].is_entry) j->kernel = &j->module->funcs[i];
  if (j->kernel && j->kernel->arg_count == j->o.arg_spec_count) return true;
  if (!why->set) diag_set(why, "kernel and arguments do not fit");
  return false;
}

static u64 alloc_on(void *side, const char *name, u64 bytes, u32 elem_bytes, struct diag *why) {
  struct side *s = side;
  return s->gpu ? gpu_alloc(s->gpu, name, bytes, why)
                : device_alloc(s->device, name, bytes, elem_bytes, why);
}
static bool write_on(void *side, u64 at, const u8 *from, u64 n, struct diag *why) {
  struct side *s = side;
  return s->gpu ? gpu_write(s->gpu, at, from, n, why) : device_write(s->device, at, from, n, why);
}
static bool place(struct pair *j, struct side *s, u8 *params, struct diag *why) {
  struct exec_memory memory = {s, alloc_on, write_on, NULL};
  u64 rng = 1;
  s->address = NEWN(&j->keep, u64, j->buffer_count + 1);
  for (u32 i = 0; i < j->o.arg_spec_count; i++) {
    const struct ptx_param *p = &j->kernel->params[j->kernel->ret_count + i];
    if (!exec_place(&j->keep, &memory, &j->args[i], "buffer", &rng, params + p->offset_bytes,
                    p->size_bytes, s->address, why))
      return false;
  }
  return true;
}
static bool launch(struct pair *j, struct side *s, struct diag *why) {
  u8 *params = NEWN(&j->keep, u8, j->kernel->entry_param_bytes + 8);
  struct vm_counters counters;
  struct vm_launch l = {.kernel = j->kernel,
                        .shared_bytes = j->o.shared_bytes,
                        .cooperative = j->o.cooperative,
                        .params = params,
                        .param_bytes = j->kernel->entry_param_bytes};
  memcpy(l.grid, j->o.grid, sizeof l.grid);
  memcpy(l.block, j->o.block, sizeof l.block);
  memcpy(l.cluster, j->o.cluster, sizeof l.cluster);
  if (!place(j, s, params, why)) return false;
  enum vm_outcome o =
      s->gpu ? gpu_launch(s->gpu, &l, why) : device_launch(s->device, &l, &counters, why);
  if (o == VM_STOPPED) {
    u32 n = 0;
    u64 dropped;
    const struct finding *const *f =
        s->gpu ? gpu_findings(s->gpu, &n) : device_findings(s->device, &n, &dropped);
    diag_set(why, "%s", n ? f[0]->message : "the launch stopped");
  }
  return o == VM_DONE;
}
static bool read_side(struct side *s, u64 at, u8 *to, u64 n, struct diag *why) {
  return s->gpu ? gpu_read(s->gpu, at, to, n, why) : device_read(s->device, at, to, n, why);
}

static bool compare(struct pair *j, struct side *vm, struct side *other, struct strbuf *out,
                    struct diag *why) {
  bool equal = true;
  for (u32 i = 0; i < j->c->dump_count; i++) {
    const struct exec_dump_want *want = &j->c->dumps[i];
    if (want->arg >= j->o.arg_spec_count || want->field > j->args[want->arg].field_count) continue;
    const struct exec_arg *arg = &j->args[want->arg];
    if (want->field) arg = &arg->fields[want->field - 1];
    if (arg->form != ARG_BUFFER) continue;
    u32 size = exec_type_bytes(arg->type);
    u64 n = arg->count, wanted;
    if (*want->count == ':' && cli_number(want->count + 1, n, &wanted)) n = wanted;
    u8 *a = NEWN(&j->keep, u8, n * size + 1), *b = NEWN(&j->keep, u8, n * size + 1);
    if (n && !(read_side(vm, vm->address[arg->slot], a, n * size, why) &&
               read_side(other, other->address[arg->slot], b, n * size, why)))
      return false;
    u32 shown = 0;
    for (u64 e = 0; e < n; e++) {
      if (memcmp(a + e * size, b + e * size, size) == 0) continue;
      if (equal)
        strbuf_printf(out, "DIFFERS: %s, %s build\n", j->c->name,
                      j->optimized ? "optimised" : "unoptimised");
      equal = false;
      if (shown++ < 4)
        strbuf_printf(out, "    parameter %u, element %llu: machine %s, GPU %s\n", want->arg,
                      (unsigned long long)e, exec_element_text(&j->keep, arg->type, a + e * size),
                      exec_element_text(&j->keep, arg->type, b + e * size));
    }
  }
  return equal;
}

static bool open_side(struct diff *d, struct pair *j, bool on_gpu, struct side *s,
                      struct diag *why) {
  struct device_config c = {.no_race = true};
  c.vm = (struct vm_config){.no_undefined = j->optimized,
                            .optimized = j->optimized,
                            .schedule = VM_CONVERGED,
                            .lenient_exit = true};
  struct gpu_config g = {.fast_assembly = d->plain};
  if (on_gpu && d->on_gpu) return gpu_open(&j->keep, j->ptx, &g, &s->gpu, why);
  if (on_gpu) c.vm.schedule = VM_SPLIT_REVERSED;
  return device_create(&j->keep, j->module, &c, &s->device, why);
}

/* Written for a later GPU than this one? */
static bool too_new(const struct diff *d, const struct ptx_module *m) {
  u32 sm = 0;
  for (size_t i = 3; i < m->target.n && m->target.p[i] >= '0' && m->target.p[i] <= '9'; i++)
    sm = sm * 10 + (u32)(m->target.p[i] - '0');
  return d->on_gpu && sm > d->sm;
}

static bool one(struct diff *d, const struct exec_case *c, bool optimized, struct strbuf *out) {
  struct pair j = {.c = c, .optimized = optimized};
  struct side vm = {0}, other = {0};
  struct diag why = {0};
  const char *stage = "setting up";
  bool ok = open_job(&j, &why);
  if (ok && too_new(d, j.module)) {
    strbuf_printf(out, "refused: %s is for " STR_F "\n", c->name, STR_A(j.module->target));
    DIFF_ADD(d, refused, 1);
    arena_free(&j.keep);
    return true;
  }
  if (ok) stage = "the machine";
  ok = ok && open_side(d, &j, false, &vm, &why) && launch(&j, &vm, &why);
  if (ok) stage = "loading on the GPU";
  bool loaded = ok && open_side(d, &j, true, &other, &why);
  if (loaded) stage = "the GPU";
  ok = loaded && launch(&j, &other, &why);
  if (ok) {
    DIFF_ADD(d, compared, 1);
    if (compare(&j, &vm, &other, out, &why))
      DIFF_ADD(d, equal, 1);
    else
      DIFF_ADD(d, differing, 1);
  } else {
    strbuf_printf(out, "FAILED: %s, %s build: %s: %.400s\n", c->name,
                  optimized ? "optimised" : "unoptimised", stage, why.text);
    DIFF_ADD(d, failed, 1);
  }
  if (other.gpu) DIFF_ADD(d, gpu_us, gpu_milliseconds(other.gpu) * 1e3);
  bool dead = other.gpu && gpu_dead(other.gpu);
  gpu_close(other.gpu);
  device_destroy(other.device);
  device_destroy(vm.device);
  arena_free(&j.keep);
  return !dead;
}
static bool table_work(struct diff *d, u32 batch, struct strbuf *out) {
  return one(d, &table.list[batch / 2], batch & 1, out);
}
static bool ops_work(struct diff *d, u32 batch, struct strbuf *out) {
  return one(d, &ops.list[batch], false, out);
}

static bool prepare_work(struct diff *d, u32 batch, struct strbuf *out) {
  struct arena a = {0};
  struct diag why = {0};
  str ptx;
  const char *file = table.list[batch / 2].file;
  enum build build = batch & 1 ? BUILD_RELEASE : BUILD_DEBUG;
  bool again = batch >= 2 && strcmp(file, table.list[batch / 2 - 1].file) ==
                                 0; /* rows of a file follow each other */
  if (!again && !(dir_make(CACHE, &why) && ptx_of(&a, file, build, &ptx, &why) &&
                  file_write(cached(&a, file, build), ptx, &why))) {
    strbuf_printf(out, "FAILED: %s: %s\n", file, why.text);
    DIFF_ADD(d, failed, 1);
  }
  arena_free(&a);
  return true;
}

const struct diff_mode diff_table = {
    "table", "the launches of tests/kernels and kernels2, tests/patterns; both builds",
    table_batches, table_work, NULL};
const struct diff_mode diff_ops = {"ops", "the cases of tests/ops", ops_batches, ops_work, NULL};
const struct diff_mode diff_prepare = {"prepare",
                                       "compile the kernels into " CACHE " (needs no GPU)",
                                       table_batches, prepare_work, NULL};
