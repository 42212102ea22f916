/* target.c - see target.h. Every input is judged by what may never happen: a crash, a report of a
 * sanitizer, a BUG, an exit, more memory or time than a small launch may cost. */
#include <stdlib.h>
#include <string.h>
#include "detect/detect.h"
#include "fuzz/target.h"

enum { BUFFER_BYTES = 512, PARAM_MAX = 64 << 10, MEMORY_MAX = 64 << 20 };

/* A copy without anything behind it, so that reading too far is seen. */
static str exact(const u8 *bytes, size_t n) {
  char *p = malloc(n ? n : 1);
  if (!p) abort();
  if (n) memcpy(p, bytes, n);
  return (str){p, n};
}

static void print_everything(struct arena *a, const struct ptx_module *m) {
  struct strbuf out = {0};
  for (u32 f = 0; f < m->func_count; f++) {
    ptx_demangle(a, m->funcs[f].name, false);
    ptx_demangle(a, m->funcs[f].name, true);
    for (u32 i = 0; i < m->funcs[f].code_count; i++) {
      str file;
      u32 line;
      out.n = 0;
      ptx_print_insn(&out, m, &m->funcs[f], &m->funcs[f].code[i]);
      ptx_where(m, m->funcs[f].code[i].loc, &file, &line);
    }
  }
  for (u32 v = 0; v < m->var_count; v++) ptx_demangle(a, m->vars[v].name, true);
  strbuf_free(&out);
}

bool fuzz_parse(const u8 *bytes, size_t n) {
  struct arena keep = {0};
  struct ptx_module *m = NULL;
  struct diag why = {0};
  str text = exact(bytes, n);
  bool ok = ptx_parse(&keep, text, &m, &why);
  if (ok) print_everything(&keep, m);
  if (!ok && !why.text[0]) BUG("refused without a reason");
  arena_free(&keep);
  free((void *)(uintptr_t)text.p);
  return ok;
}

/* ---- launches ---- */
static u64 head_word(str text) {
  u64 v = 0;
  if (!str_starts(text, FUZZ_HEAD) || text.n < FUZZ_HEAD_BYTES) return 0;
  for (size_t i = FUZZ_HEAD_BYTES - 17; i < FUZZ_HEAD_BYTES - 1; i++) {
    char c = text.p[i];
    v = v << 4 | (u64)(c >= '0' && c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
  }
  return v;
}

static struct vm_config config_of(u64 word) {
  return (struct vm_config){.schedule = (enum vm_schedule_kind)((word & 15) % VM_SCHEDULE_COUNT),
                            .seed = word >> 32 & 0xff,
                            .max_steps = FUZZ_STEPS,
                            .max_memory_bytes = MEMORY_MAX,
                            .sm_count = 1 + (word >> 4 & 1),
                            .blocks_per_sm = 1 + (word >> 5 & 1),
                            .no_undefined = word >> 6 & 1,
                            .optimized = word >> 6 & 1,
                            .count_traffic = word >> 7 & 1,
                            .lenient_exit = word >> 8 & 1};
}

static struct vm_launch launch_of(u64 word, const struct ptx_func *kernel, const u8 *params) {
  static const u32 threads[8] = {32, 64, 1, 33, 96, 8, 128, 31}, dynamic[4] = {0, 256, 4096, 4};
  struct vm_launch l = {.kernel = kernel,
                        .grid = {1 + (word >> 12 & 3), 1, 1},
                        .block = {threads[word >> 16 & 7], 1, 1},
                        .shared_bytes = dynamic[word >> 20 & 3],
                        .cooperative = word >> 9 & 1,
                        .params = params,
                        .param_bytes = kernel->entry_param_bytes};
  if (word >> 10 & 1) l.grid[1] = 2;
  if (word >> 11 & 1 && l.block[0] <= 64) l.block[1] = 2;
  return l;
}

/* What has the size of a pointer gets a buffer: numbers, all zero or undefined by turns. Anything
 * smaller gets a small number. */
static bool fill_params(struct vm_machine *vm, const struct ptx_func *f, u8 *params) {
  struct diag why = {0};
  static u32 words[BUFFER_BYTES / 4];
  for (u32 i = 0; i < BUFFER_BYTES / 4; i++) words[i] = i;
  for (u32 i = 0; i < f->arg_count; i++) {
    const struct ptx_param *p = &f->params[f->ret_count + i];
    u64 value = 8 + i;
    if (p->offset_bytes > f->entry_param_bytes ||
        p->size_bytes > f->entry_param_bytes - p->offset_bytes)
      BUG("parameter %u lies outside its block", i);
    if (p->size_bytes == 8 && i < 16) {
      value = vm_alloc(vm, "buffer", BUFFER_BYTES, 4, &why);
      if (!value) return false;
      if (i % 3 == 1) memset(words, 0, sizeof words);
      if (i % 3 != 2 && !vm_write(vm, value, words, sizeof words, &why)) return false;
    }
    memcpy(params + p->offset_bytes, &value, p->size_bytes < 8 ? p->size_bytes : 8);
  }
  return true;
}

static void look_at(const struct detect *checks, struct fuzz_ran *ran) {
  u32 n = 0;
  u64 dropped = 0;
  const struct finding *const *f = detect_findings(checks, &n, &dropped);
  for (u32 i = 0; i < n; i++) {
    if (!f[i]->message || !*f[i]->message) BUG("a finding without a message");
    if (f[i]->access_count > COUNT_OF(f[i]->accesses)) BUG("%u accesses", f[i]->access_count);
  }
  ran->findings += n;
}

static void launch(struct arena *keep, const struct ptx_module *m, const struct ptx_func *kernel,
                   u64 word, struct fuzz_ran *ran) {
  struct diag why = {0};
  struct vm_machine *vm = NULL;
  struct vm_config config = config_of(word);
  struct detect_policy policy = {word >> 40 & 1, word >> 41 & 1, !config.lenient_exit};
  if (kernel->entry_param_bytes > PARAM_MAX) return;
  if (!vm_create(m, &config, &vm, &why)) {
    if (!why.text[0]) BUG("not loaded, without a reason");
    return;
  }
  ran->loaded = true;
  struct detect *checks = detect_create(keep, vm, &policy);
  u8 *params = NEWN(keep, u8, kernel->entry_param_bytes + 8);
  for (u32 again = 0; again < 1 + (word >> 42 & 1) && fill_params(vm, kernel, params); again++) {
    struct vm_launch l = launch_of(word, kernel, params);
    struct vm_counters counters = {0};
    enum vm_outcome how = vm_run(vm, &l, &counters, &why);
    ran->launches++;
    ran->refused += how == VM_REFUSED;
    ran->steps += counters.steps;
    if (how == VM_REFUSED && !why.text[0]) BUG("refused without a reason");
    if (how == VM_STOPPED && !detect_has_error(checks)) BUG("stopped, and no check said why");
    if (how != VM_DONE) break;
  }
  look_at(checks, ran);
  detect_destroy(checks);
  vm_destroy(vm);
}

struct fuzz_ran fuzz_machine(const u8 *bytes, size_t n) {
  struct fuzz_ran ran = {0};
  struct arena keep = {0};
  struct ptx_module *m = NULL;
  struct diag why = {0};
  str text = exact(bytes, n);
  u64 word = head_word(text);
  if (n <= FUZZ_TEXT_MAX && ptx_parse(&keep, text, &m, &why)) {
    ran.parsed = true;
    u32 kernels = 0;
    for (u32 f = 0; f < m->func_count && kernels < FUZZ_KERNELS; f++) {
      if (!m->funcs[f].is_entry || !m->funcs[f].code_count) continue;
      kernels++;
      launch(&keep, m, &m->funcs[f], word, &ran);
    }
  }
  arena_free(&keep);
  free((void *)(uintptr_t)text.p);
  return ran;
}
