/* test_scopes.c - random programs that are right by construction: atomics of block and device scope
 * mixed on one location, by one block at a time, handed from block to block by release and acquire.
 * Any RACE is a false alarm. And their wrong twins: handed over by a block-scope release. */
#include <check.h>
#include "unit/weak_world.h"

Suite *suite_scopes(void);

enum { PROGRAMS = 150, PHASES = 5, BLOCKS = 3 };

static const char *const strong[] = {
    "atom.add.relaxed.gpu.global.u32 %a, [x], 1;\n",
    "atom.add.relaxed.cta.global.u32 %a, [x], 1;\n",
    "red.relaxed.gpu.global.add.u32 [x], 1;\n",
    "red.relaxed.cta.global.add.u32 [x], 1;\n",
    "atom.cas.acq_rel.cta.global.b32 %a, [x], 3, 9;\n",
    "atom.exch.acq_rel.gpu.global.b32 %a, [x], 2;\n",
    "ld.relaxed.cta.global.u32 %a, [x];\n",
    "ld.acquire.gpu.global.u32 %a, [x];\n",
    "st.relaxed.gpu.global.u32 [x], 4;\n",
    "st.release.cta.global.u32 [x], 5;\n",
    "ld.relaxed.gpu.global.u32 %a, [y];\n",
    "atom.add.relaxed.cta.global.u32 %a, [y], 1;\n",
};
static const char *const plain[] = {"st.global.u32 [x], 0;\n", "ld.global.u32 %a, [x];\n",
                                    "st.global.u32 [y], 0;\n", ""};

/* What the owner of a phase does: its warps at once, then, behind a barrier, thread 0 alone. */
static void phase(struct strbuf *b, u64 *rng, u32 k, bool right) {
  strbuf_printf(b, "P%u: setp.ne.u32 %%p, %%block, %u;\n@%%p bra E%u;\n", k, k % BLOCKS, k);
  if (k) {
    strbuf_printf(b, "setp.ne.u32 %%p, %%tid, 0;\n@%%p bra W%u;\nL%u:\n", k, k);
    strbuf_printf(b, "ld.acquire.gpu.global.u32 %%f, [flag+%u];\n", k * 4);
    strbuf_printf(b, "setp.eq.u32 %%q, %%f, 0;\n@%%q bra L%u;\nW%u:\n", k, k);
  }
  strbuf_printf(b, "barrier.sync 0;\n");
  for (u32 w = 0; w < 2; w++) {
    strbuf_printf(b, "setp.ne.u32 %%p, %%tid, %u;\n@%%p bra S%u_%u;\n", w * 32, k, w);
    for (u32 i = 1 + rng_below(rng, 4); i > 0; i--)
      strbuf_printf(b, "%s", strong[rng_below(rng, COUNT_OF(strong))]);
    strbuf_printf(b, "S%u_%u:\n", k, w);
  }
  strbuf_printf(b, "barrier.sync 0;\nsetp.ne.u32 %%p, %%tid, 0;\n@%%p bra E%u;\n", k);
  strbuf_printf(b, "%s%s", plain[rng_below(rng, COUNT_OF(plain))],
                plain[rng_below(rng, COUNT_OF(plain))]);
  strbuf_printf(b,
                right ? "st.release.gpu.global.u32 [flag+%u], 1;\n"
                      : "st.release.cta.global.u32 [flag+%u], 1;\n",
                k * 4 + 4);
  strbuf_printf(b, "E%u:\n", k);
}

static str program(struct arena *a, u64 *rng, bool right) {
  struct strbuf b = {0};
  strbuf_printf(&b,
                ".version 7.8\n.target sm_80\n.address_size 64\n.global .u32 x;\n.global .u32 y;\n"
                ".global .u32 flag[%u];\n.visible .entry k() {\n.reg .pred %%p, %%q;\n"
                ".reg .b32 %%a, %%f, %%tid, %%block, %%lane;\nmov.u32 %%tid, %%tid.x;\n"
                "mov.u32 %%block, %%ctaid.x;\n",
                PHASES + 2);
  if (rng_below(rng, 2)) /* sometimes the other lanes are gone */
    strbuf_printf(&b, "and.b32 %%lane, %%tid, 31;\nsetp.ne.u32 %%p, %%lane, 0;\n@%%p exit;\n");
  for (u32 k = 0; k < PHASES; k++) phase(&b, rng, k, right);
  strbuf_printf(&b, "ret;\n}\n");
  str text = str_copy(a, (str){b.p, b.n});
  strbuf_free(&b);
  return text;
}

static enum verdict_kind run(u32 number, bool right, enum vm_schedule_kind schedule, u64 seed) {
  struct arena a = {0};
  struct diag why = {0};
  struct ptx_module *module;
  struct vm_config like = {.schedule = schedule};
  u64 rng = number;
  str text = program(&a, &rng, right);
  if (!ptx_parse(&a, text, &module, &why))
    ck_abort_msg("line %u: %s\n" STR_F, why.line, why.text, STR_A(text));
  enum verdict_kind v = weak_run(module, BLOCKS, 64, seed, &like, NULL);
  if (right && v != V_PASS)
    ck_abort_msg("program %u under %s, seed %u: %s\n" STR_F, number, vm_schedule_name(schedule),
                 (unsigned)seed, verdict_text(v), STR_A(text));
  arena_free(&a);
  return v;
}

START_TEST(handed_over) {
  static const enum vm_schedule_kind schedules[] = {VM_REVERSED, VM_SPLIT, VM_RANDOM, VM_BUFFERED,
                                                    VM_ADVERSARIAL};
  for (u32 i = 0; i < PROGRAMS; i++)
    for (u32 s = 0; s < COUNT_OF(schedules); s++) run(i, true, schedules[s], i + 1);
}
END_TEST

START_TEST(not_handed_over) {
  u32 races = 0;
  for (u32 i = 0; i < 40; i++) races += run(i, false, VM_RANDOM, i + 1) == V_RACE;
  ck_assert_uint_eq(races, 40);
}
END_TEST

Suite *suite_scopes(void) {
  Suite *s = suite_create("scopes");
  TCase *t = tcase_create("scopes");
  tcase_set_timeout(t, 300);
  tcase_add_test(t, handed_over);
  tcase_add_test(t, not_handed_over);
  suite_add_tcase(s, t);
  return s;
}
