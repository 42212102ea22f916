/* weak_world.c - see weak_world.h: writes the PTX of a tiny program, runs it seed by seed. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "unit/weak_world.h"

static void body(struct strbuf *b, const struct weak_case *c, u32 i) {
  strbuf_printf(b, "T%u:\n", i);
  for (const char *p = c->thread[i]; *p; p++) { /* "%" is a placeholder's escape in the table */
    if (*p == '$')
      strbuf_printf(b, "%s", c->space);
    else if (*p == ';')
      strbuf_printf(b, ";\n");
    else
      strbuf_add(b, p, 1);
  }
  strbuf_printf(b, "st.global.u32 [out+%u], %%a;\nst.global.u32 [out+%u], %%b;\nret;\n", i * 8,
                i * 8 + 4);
}

static const char *who(enum weak_place p) {
  switch (p) {
  case APART: return "mov.u32 %i, %ctaid.x;\n";
  case LANES: return "mov.u32 %i, %tid.x;\n";
  case WARPS:
    return "mov.u32 %i, %tid.x;\nand.b32 %a, %i, 31;\nsetp.ne.u32 %p, %a, 0;\n@%p ret;\n"
           "shr.u32 %i, %i, 5;\n";
  default:
    return "mov.u32 %i, %tid.x;\nand.b32 %a, %i, 31;\nsetp.ne.u32 %p, %a, 0;\n@%p ret;\n"
           "shr.u32 %i, %i, 5;\nmov.u32 %a, %ctaid.x;\nmad.lo.u32 %i, %a, 2, %i;\n";
  }
}

static u32 threads_of(const struct weak_case *c) {
  u32 n = 0;
  while (n < WEAK_THREADS && c->thread[n]) n++;
  return n;
}

static str program(struct arena *a, const struct weak_case *c) {
  struct strbuf b = {0};
  u32 n = threads_of(c);
  strbuf_printf(&b, ".version 7.8\n.target sm_80\n.address_size 64\n.global .u32 out[8];\n");
  strbuf_printf(&b, ".global .u32 flag;\n");
  for (const char *v = "xyz"; *v; v++)
    strbuf_printf(&b, ".%s .align 8 .u32 %c[2];\n", c->space, *v);
  strbuf_printf(&b, ".visible .entry k() {\n.reg .pred %%p, %%q;\n.reg .b32 %%i, %%a, %%b, "
                    "%%c;\n.reg .b64 %%l;\n");
  strbuf_printf(&b, "%smov.u32 %%a, 0;\nmov.u32 %%b, 0;\n", who(c->place));
  if (strcmp(c->space, "shared") == 0) { /* starts undefined */
    strbuf_printf(&b, "setp.ne.u32 %%p, %%i, 0;\n@%%p bra S;\nst.shared.u32 [x], 0;\n");
    strbuf_printf(&b, "st.shared.u32 [y], 0;\nst.shared.u32 [z], 0;\nS:\n");
    strbuf_printf(&b, c->place == LANES ? "bar.warp.sync %u;\n" : "barrier.sync 1;\n",
                  (1u << n) - 1);
  }
  for (u32 i = 1; i < n; i++) strbuf_printf(&b, "setp.eq.u32 %%p, %%i, %u;\n@%%p bra T%u;\n", i, i);
  for (u32 i = 0; i < n; i++) body(&b, c, i);
  strbuf_printf(&b, "}\n");
  str text = str_copy(a, (str){b.p, b.n});
  strbuf_free(&b);
  return text;
}

static enum verdict_kind run(const struct ptx_module *module, u32 blocks, u32 threads, u64 seed,
                             const struct vm_config *like, const struct detect_policy *policy,
                             u32 out[10]) {
  struct vm_config config = like ? *like : (struct vm_config){.schedule = VM_BUFFERED};
  struct vm_machine *m;
  struct diag why = {0};
  struct arena keep = {0};
  struct vm_counters counters;
  config.seed = seed;
  if (!config.max_steps) config.max_steps = 200000;
  config.lenient_exit = true;
  ck_assert_msg(vm_create(module, &config, &m, &why), "%s", why.text);
  struct detect *d = detect_create(&keep, m, policy);
  const struct ptx_func *k = ptx_kernel(module, STR("k"), &why);
  ck_assert_ptr_nonnull(k);
  struct vm_launch l = {
      .kernel = k, .grid = {blocks}, .block = {threads}, .params = (const u8 *)""};
  vm_run(m, &l, &counters, &why);
  u32 n;
  const struct finding *const *f = detect_findings(d, &n, NULL);
  enum verdict_kind v = detect_verdict(f, n);
  u64 at, size;
  if (out && vm_symbol(m, STR("out"), &at, &size, &why))
    ck_assert_msg(vm_read(m, at, out, 32, &why), "%s", why.text);
  if (out && vm_symbol(m, STR("x"), &at, &size, &why))
    ck_assert_msg(vm_read(m, at, &out[8], 4, &why), "%s", why.text);
  if (out && vm_symbol(m, STR("y"), &at, &size, &why))
    ck_assert_msg(vm_read(m, at, &out[9], 4, &why), "%s", why.text);
  detect_destroy(d);
  vm_destroy(m);
  arena_free(&keep);
  return v;
}

enum verdict_kind weak_run(const struct ptx_module *module, u32 blocks, u32 threads, u64 seed,
                           const struct vm_config *like, const struct detect_policy *policy) {
  return run(module, blocks, threads, seed, like, policy, NULL);
}

void weak_check(const struct weak_case *c) {
  struct arena a = {0};
  struct ptx_module *module;
  struct diag why = {0};
  str text = program(&a, c);
  u32 n = threads_of(c), shown = 0, first = 0;
  u32 blocks = c->place == APART ? n : c->place == PAIRED ? (n + 1) / 2 : 1;
  u32 threads = c->place == APART ? 1 : c->place == LANES ? n : c->place == PAIRED ? 64 : n * 32;
  if (!ptx_parse(&a, text, &module, &why))
    ck_abort_msg("%s: line %u: %s\n" STR_F, c->name, why.line, why.text, STR_A(text));
  const char *more = getenv("WEAK_SEEDS"); /* a long count, or a short one under a sanitizer */
  u32 seeds = more ? (u32)strtoul(more, NULL, 10) : WEAK_SEEDS;
  for (u32 seed = 1; seed <= seeds; seed++) {
    u32 out[10] = {0};
    enum verdict_kind v = run(module, blocks, threads, seed, NULL, NULL, out);
    if (v != V_PASS && !(c->races && v == V_RACE))
      ck_abort_msg("%s: seed %u: %s", c->name, seed, verdict_text(v));
    bool same = (!c->x || c->x == out[8]) && (!c->y || c->y == out[9]);
    for (u32 i = 0; i < n; i++)
      same = same && (c->a[i] == ANY || (u32)c->a[i] == out[2 * i]) &&
             (c->b[i] == ANY || (u32)c->b[i] == out[2 * i + 1]);
    shown += same;
    if (same && !first) first = seed;
  }
  if (c->want == NEVER && shown)
    ck_abort_msg("%s: a forbidden outcome, with seed %u", c->name, first);
  if (c->want == SHOWN && !shown && seeds >= WEAK_SEEDS)
    ck_abort_msg("%s: the outcome is allowed, no seed shows it", c->name);
  arena_free(&a);
}
