/* test_gpu.c - what can be tested of the GPU's side without a GPU: every form and every random
 * program parses, runs on the virtual machine without a finding, and gives the same memory under
 * every schedule and in both builds; the backend against a driver that is not one (fake_libcuda.c).
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "gpu/gen.h"
#include "gpu/lab.h"

enum { PROGRAMS = 200, BATCH = 20 };
static struct form forms[FORMS_MAX];

static void *bytes(struct arena *a, size_t n) { return arena_alloc(a, n ? n : 1); }

/* ---- forms ---- */
/* Forms that the machine does not have: the assembler's word on them is not known here. */
static u32 run_forms(u32 from, u32 count) {
  struct arena a = {0};
  struct strbuf b = {0};
  struct lab_kernel *k = NEWN(&a, struct lab_kernel, count);
  struct diag why = {0};
  u32 refused = 0;
  gen_header(&b);
  for (u32 i = 0; i < count; i++) {
    u8 *in = bytes(&a, FORM_THREADS * FORM_IN);
    k[i] = (struct lab_kernel){.name = arena_printf(&a, "f%u", i),
                               .grid = 1,
                               .block = FORM_BLOCK,
                               .in = in,
                               .in_bytes = FORM_BLOCK * FORM_IN};
    k[i].out_bytes = FORM_THREADS * (FORM_OUT + 32);
    k[i].out = bytes(&a, k[i].out_bytes);
    gen_form_inputs(&forms[from + i], 1, in);
    gen_form(&b, &forms[from + i], k[i].name);
  }
  ck_assert_msg(lab_vm((str){b.p, b.n}, k, count, VM_CONVERGED, 1, true, &why), "%s: %u: %s",
                why.file, why.line, why.text);
  for (u32 i = 0; i < count; i++) {
    if (!k[i].failed) continue;
    refused++;
    if (getenv("GPU_FORMS_VERBOSE")) printf("%s  -- %s\n", forms[from + i].text, k[i].why);
    ck_assert_msg(strncmp(k[i].why, "INTERNAL", 8) == 0, "%s: %s", forms[from + i].text, k[i].why);
  }
  strbuf_free(&b);
  arena_free(&a);
  return refused;
}
START_TEST(forms_run) {
  struct arena a = {0};
  u32 n = forms_expand(&a, forms, FORMS_MAX), refused = 0;
  for (u32 i = 0; i < n; i += 64) refused += run_forms(i, n - i < 64 ? n - i : 64);
  printf("gpu: %u forms, %u of them unknown to the machine\n", n, refused);
  ck_assert_uint_gt(n, 1500);
  ck_assert_uint_lt(refused, n / 3);
  arena_free(&a);
}
END_TEST

/* ---- programs ---- */
static u8 *unknown_forms(struct arena *a, u32 n) {
  u8 *out = bytes(a, n);
  struct lab_kernel k = {.name = "f", .grid = 1, .block = FORM_BLOCK};
  for (u32 i = 0; i < n; i++) {
    struct arena scratch = {0};
    struct strbuf b = {0};
    struct diag why = {0};
    u8 *in = bytes(&scratch, FORM_THREADS * FORM_IN);
    k.in = in;
    k.in_bytes = FORM_BLOCK * FORM_IN;
    k.out_bytes = FORM_THREADS * (FORM_OUT + 32);
    k.out = bytes(&scratch, k.out_bytes);
    k.failed = false;
    gen_header(&b);
    gen_form(&b, &forms[i], "f");
    out[i] = !lab_vm((str){b.p, b.n}, &k, 1, VM_CONVERGED, 1, true, &why) || k.failed;
    strbuf_free(&b);
    arena_free(&scratch);
  }
  return out;
}

static void run_batch(const struct gen *g, u64 first) {
  static const struct {
    enum vm_schedule_kind schedule;
    u64 seed;
    bool checked;
  } ways[] = {{VM_CONVERGED, 1, true},      {VM_REVERSED, 1, true}, {VM_SPLIT, 1, true},
              {VM_SPLIT_REVERSED, 1, true}, {VM_RANDOM, 1, true},   {VM_RANDOM, 2, true},
              {VM_CONVERGED, 1, false}};
  struct arena a = {0};
  struct strbuf b = {0};
  struct lab_kernel *k = NEWN(&a, struct lab_kernel, BATCH);
  struct program *p = NEWN(&a, struct program, BATCH);
  u8 *expected[BATCH];
  struct diag why = {0};
  gen_header(&b);
  for (u32 i = 0; i < BATCH; i++) {
    gen_program(&a, g, first + i, &p[i]);
    k[i] = (struct lab_kernel){
        .name = arena_printf(&a, "g%u", i), .grid = p[i].grid, .block = p[i].block};
    gen_print(&b, &p[i], k[i].name);
  }
  for (u32 w = 0; w < COUNT_OF(ways); w++) {
    for (u32 i = 0; i < BATCH; i++) {
      u8 *in = bytes(&a, gen_threads(&p[i]) * IN_BYTES);
      k[i].out_bytes = gen_out_bytes(&p[i]);
      k[i].out = bytes(&a, k[i].out_bytes);
      k[i].in = in;
      k[i].in_bytes = gen_threads(&p[i]) * IN_BYTES;
      gen_inputs(&p[i], in, k[i].out);
    }
    ck_assert_msg(
        lab_vm((str){b.p, b.n}, k, BATCH, ways[w].schedule, ways[w].seed, ways[w].checked, &why),
        "seeds from %llu: line %u: %s", (unsigned long long)first, why.line, why.text);
    for (u32 i = 0; i < BATCH; i++) {
      char place[64] = "";
      ck_assert_msg(!k[i].failed, "program %llu: %s", (unsigned long long)p[i].seed, k[i].why);
      if (w == 0) expected[i] = k[i].out;
      for (u32 at = 0; at < k[i].out_bytes; at++) {
        if (expected[i][at] == k[i].out[at]) continue;
        gen_place(&p[i], at, place, sizeof place);
        ck_abort_msg("program %llu: %s differs under schedule %s", (unsigned long long)p[i].seed,
                     place, vm_schedule_name(ways[w].schedule));
      }
    }
  }
  strbuf_free(&b);
  arena_free(&a);
}
START_TEST(programs_agree) {
  struct arena a = {0};
  u32 n = forms_expand(&a, forms, FORMS_MAX);
  struct gen g = {.forms = forms, .form_count = n, .excluded = unknown_forms(&a, n)};
  for (u64 i = 0; i < PROGRAMS; i += BATCH) run_batch(&g, 1 + i);
  arena_free(&a);
}
END_TEST

Suite *suite_gpu(void);
Suite *suite_gpu(void) {
  Suite *s = suite_create("gpu");
  TCase *t = tcase_create("generated");
  tcase_set_timeout(t, 300);
  tcase_add_test(t, forms_run);
  tcase_add_test(t, programs_agree);
  suite_add_tcase(s, t);
  return s;
}
