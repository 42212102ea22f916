/* test_lone.c - the loop for single lanes (harness/vm/lone.h) does what the handlers do: with and
 * without it the machine gives the same memory, the same counters and the same events, in the same
 * order and at the same steps, and the checks say the same to the byte. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "exec/exec_case.h"
#include "gpu/gen.h"
#include "vm/lone.h"

Suite *suite_lone(void);

enum { PROGRAMS = 120, BATCH = 20, FORMS_AT_A_TIME = 64 };
static struct form forms[FORMS_MAX];

/* ---- all that an observer can hear of, as one number ---- */
static void mix(u64 *h, u64 v) { *h = (*h ^ v) * 0x9e3779b97f4a7c15ull ^ *h >> 29; }
static void mix_bytes(u64 *h, const void *p, size_t n) {
  for (size_t i = 0; i < n; i++) mix(h, ((const u8 *)p)[i]);
}

static void on_access(void *self, const struct vm_access *a) {
  mix(self, a->who->warp_global);
  mix(self, vm_stack_id(a->frame));
  mix(self, a->pos_id);
  mix(self, (u64)a->mask << 32 | a->wrote);
  mix(self, (u64)a->kind << 32 | (u64)a->sem << 16 | (u64)a->scope << 8 | a->nc);
  mix(self, a->size_bytes);
  mix(self, a->step);
  for (u32 l = 0; l < VM_LANES; l++) {
    if (!(a->mask >> l & 1)) continue;
    mix(self, (a->object ? a->object : a->objects[l])->id);
    mix(self, a->offset[l]);
    if (a->value) mix_bytes(self, a->value + l * a->size_bytes, a->size_bytes);
  }
}
static void on_sync(void *self, const struct vm_sync *s) {
  mix(self, (u64)s->kind << 32 | s->who->warp_global);
  mix(self, (u64)s->mask << 32 | s->pos_id);
  mix(self, s->step);
}
static void on_fault(void *self, const struct vm_fault *f) {
  mix(self, (u64)f->kind << 32 | f->mask);
  mix(self, f->who.warp_global);
  mix_bytes(self, f->text, strlen(f->text));
  mix(self, f->address);
  mix(self, (u64)f->offset);
  mix(self, f->origin_offset);
  const struct ptx_insn *at[] = {f->pos.insn, f->origin.insn};
  for (u32 i = 0; i < COUNT_OF(at); i++)
    if (at[i]) mix_bytes(self, at[i]->text.p, at[i]->text.n);
}

struct kernel {
  const char *name;
  u32 grid, block;
  const u8 *in;
  u8 *out;
  u64 in_bytes, out_bytes;
};
struct way {
  enum vm_schedule_kind schedule;
  bool undefined, listens;
};
static const struct way ways[] = {{VM_CONVERGED, true, true},   {VM_SPLIT, true, true},
                                  {VM_SPLIT, false, false},     {VM_SPLIT_REVERSED, true, false},
                                  {VM_ADVERSARIAL, true, true}, {VM_BUFFERED, true, true}};

static enum vm_outcome last_outcome;
/* Memory, counters and events, folded. */
static u64 run(const struct ptx_module *m, const struct kernel *k, const struct way *w,
               bool no_lone) {
  u64 h = 1;
  struct diag why = {0};
  struct vm_machine *vm;
  struct vm_counters counters = {0};
  struct vm_config c = {.schedule = w->schedule,
                        .seed = 3,
                        .no_undefined = !w->undefined,
                        .no_lone = no_lone,
                        .max_steps = 1000000};
  struct vm_observer o = {
      .self = &h, .access = w->listens ? on_access : NULL, .sync = on_sync, .fault = on_fault};
  ck_assert_msg(vm_create(m, &c, &vm, &why), "%s", why.text);
  vm_observe(vm, &o);
  const struct ptx_func *f = ptx_kernel(m, str_of(k->name), &why);
  u64 params[2] = {vm_alloc(vm, "in", k->in_bytes, 8, &why),
                   vm_alloc(vm, "out", k->out_bytes, 8, &why)};
  ck_assert(f && params[0] && params[1] && vm_write(vm, params[0], k->in, k->in_bytes, &why) &&
            vm_write(vm, params[1], k->out, k->out_bytes, &why));
  struct vm_launch l = {.kernel = f,
                        .grid = {k->grid, 1, 1},
                        .block = {k->block, 1, 1},
                        .params = (const u8 *)params,
                        .param_bytes = 16};
  last_outcome = vm_run(vm, &l, &counters, &why);
  mix(&h, last_outcome);
  mix_bytes(&h, &counters, sizeof counters);
  u8 *bytes = malloc(k->out_bytes);
  ck_assert(bytes && vm_read(vm, params[1], bytes, k->out_bytes, &why));
  mix_bytes(&h, bytes, k->out_bytes);
  ck_assert(vm_defined(vm, params[1], bytes, k->out_bytes, &why));
  mix_bytes(&h, bytes, k->out_bytes);
  free(bytes);
  vm_destroy(vm);
  return h;
}

static void same_both_ways(const struct ptx_module *m, const struct kernel *k, const char *what) {
  for (u32 w = 0; w < COUNT_OF(ways); w++)
    ck_assert_msg(run(m, k, &ways[w], false) == run(m, k, &ways[w], true),
                  "%s: single lanes differ under schedule %s", what,
                  vm_schedule_name(ways[w].schedule));
}

/* ---- what is run ---- */
static void form_batch(u32 from, u32 count) {
  struct arena a = {0};
  struct strbuf b = {0};
  struct diag why = {0};
  struct ptx_module *m;
  gen_header(&b);
  for (u32 i = 0; i < count; i++) gen_form(&b, &forms[from + i], arena_printf(&a, "f%u", i));
  ck_assert_msg(ptx_parse(&a, (str){b.p, b.n}, &m, &why), "%s", why.text);
  for (u32 i = 0; i < count; i++) {
    struct kernel k = {.name = arena_printf(&a, "f%u", i), .grid = 1, .block = FORM_BLOCK};
    k.in_bytes = FORM_BLOCK * FORM_IN;
    k.out_bytes = FORM_THREADS * (FORM_OUT + 32);
    u8 *in = arena_alloc(&a, FORM_THREADS * FORM_IN);
    k.in = in;
    k.out = arena_alloc(&a, k.out_bytes);
    gen_form_inputs(&forms[from + i], 1, in);
    ck_assert_msg(run(m, &k, &ways[1], false) == run(m, &k, &ways[1], true), "%s",
                  forms[from + i].text);
  }
  strbuf_free(&b);
  arena_free(&a);
}
START_TEST(forms_agree) {
  struct arena a = {0};
  u32 n = forms_expand(&a, forms, FORMS_MAX);
  for (u32 i = 0; i < n; i += FORMS_AT_A_TIME)
    form_batch(i, n - i < FORMS_AT_A_TIME ? n - i : FORMS_AT_A_TIME);
  arena_free(&a);
}
END_TEST

START_TEST(programs_agree) {
  struct arena all = {0};
  struct gen g = {.forms = forms, .form_count = forms_expand(&all, forms, FORMS_MAX)};
  for (u64 first = 1; first < PROGRAMS; first += BATCH) {
    struct arena a = {0};
    struct strbuf b = {0};
    struct diag why = {0};
    struct ptx_module *m;
    struct program p[BATCH];
    gen_header(&b);
    for (u32 i = 0; i < BATCH; i++) {
      gen_program(&a, &g, first + i, &p[i]);
      gen_print(&b, &p[i], arena_printf(&a, "g%u", i));
    }
    ck_assert_msg(ptx_parse(&a, (str){b.p, b.n}, &m, &why), "%s", why.text);
    for (u32 i = 0; i < BATCH; i++) {
      struct kernel k = {
          .name = arena_printf(&a, "g%u", i), .grid = p[i].grid, .block = p[i].block};
      k.in_bytes = gen_threads(&p[i]) * IN_BYTES;
      k.out_bytes = gen_out_bytes(&p[i]);
      u8 *in = arena_alloc(&a, k.in_bytes);
      k.in = in;
      k.out = arena_alloc(&a, k.out_bytes);
      gen_inputs(&p[i], in, k.out);
      same_both_ways(m, &k, arena_printf(&a, "program %llu", (unsigned long long)(first + i)));
    }
    strbuf_free(&b);
    arena_free(&a);
  }
  arena_free(&all);
}
END_TEST

/* ---- where the quick way must end ----
 * Lane 0 by itself: %r1 counts from 0, %d1 is `in` (64 bytes of numbers), %d2 `out` (256 bytes). */
#define LOOP "L:\n"
#define AGAIN(n)                                                                                   \
  "add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, " #n ";\n@%p1 bra L;\n"                             \
  "st.u32 [%d2], %r2;\nret;\n"
static const struct {
  const char *what, *body;
  enum vm_outcome outcome;
} ends[] = {
    {"walks out of an object",
     LOOP "ld.global.u32 %r3, [%d1];\nadd.u32 %r2, %r2, %r3;\nadd.u64 %d1, %d1, 4;\n" AGAIN(40),
     VM_STOPPED},
    {"stores behind an object", LOOP "st.global.u32 [%d2], %r1;\nadd.u64 %d2, %d2, 4;\n" AGAIN(200),
     VM_STOPPED},
    {"comes to be misaligned",
     LOOP "ld.u32 %r3, [%d1];\nsetp.gt.u32 %p2, %r1, 5;\n@%p2 add.u64 %d1, %d1, 1;\n" AGAIN(9),
     VM_STOPPED},
    {"walks out of local memory",
     "mov.u64 %d3, l;\n" LOOP "st.local.u32 [%d3], %r1;\nadd.u64 %d3, %d3, 4;\n" AGAIN(20),
     VM_STOPPED},
    {"a local address at the end of all addresses",
     "mov.u64 %d3, l;\n" LOOP "ld.local.u32 %r3, [%d3];\nsetp.gt.u32 %p2, %r1, 3;\n"
     "@%p2 mov.u64 %d3, -4;\n" AGAIN(9),
     VM_STOPPED},
    {"local memory, then global by the same instruction",
     "cvta.local.u64 %d3, l;\n" LOOP "st.u64 [%d3], %d1;\nld.u64 %d4, [%d3];\n"
     "setp.gt.u32 %p2, %r1, 3;\n@%p2 mov.u64 %d3, %d2;\n" AGAIN(9),
     VM_DONE},
    {"undefined local memory, then defined",
     "mov.u64 %d3, l;\nst.local.u32 [l], %r1;\n" LOOP "ld.local.u32 %r3, [%d3];\n"
     "add.u32 %r2, %r2, %r3;\nadd.u64 %d3, %d3, 4;\nst.local.u32 [%d3+4], %r1;\n" AGAIN(6),
     VM_DONE},
    {"an undefined value comes into memory that was defined",
     LOOP "ld.global.u32 %r3, [%d1];\nadd.u32 %r2, %r2, %r3;\nsetp.eq.u32 %p2, %r1, 5;\n"
          "@%p2 st.global.u32 [%d1], %r9;\n" AGAIN(9),
     VM_DONE},
    {"memory that is freed",
     "{\n.param .b64 n;\n.param .b64 r;\nst.param.b64 [n], 64;\ncall (r), malloc, (n);\n"
     "ld.param.b64 %d3, [r];\n}\nst.u32 [%d3], %r1;\n" LOOP "ld.u32 %r3, [%d3];\n"
     "setp.ne.u32 %p2, %r1, 5;\n@%p2 bra M;\n"
     "{\n.param .b64 a;\nst.param.b64 [a], %d3;\ncall free, (a);\n}\nM:\n" AGAIN(9),
     VM_STOPPED},
    {"reads what it wrote",
     LOOP "ld.global.u32 %r3, [%d2];\nadd.u32 %r3, %r3, %r1;\nst.global.u32 [%d2], %r3;\n"
          "ld.global.u64 %d4, [%d2];\nadd.u64 %d2, %d2, 4;\nadd.u64 %d4, %d4, 1;\n"
          "and.b64 %d2, %d2, -8;\nadd.u64 %d2, %d2, 8;\n" AGAIN(20),
     VM_DONE},
    {"for ever", LOOP "ld.global.u32 %r3, [%d1];\nbra L;\n", VM_STOPPED},
    {"an undefined branch", LOOP "setp.eq.u32 %p2, %r9, 1;\n@%p2 bra M;\nM:\n" AGAIN(4), VM_DONE},
};
START_TEST(ends_agree) {
  struct arena a = {0};
  struct diag why = {0};
  struct ptx_module *m;
  u8 in[64], out[256] = {0};
  for (u32 i = 0; i < sizeof in; i++) in[i] = (u8)i;
  const char *ptx = arena_printf(
      &a,
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 n);\n"
      ".visible .entry k(.param .u64 a, .param .u64 b) {\n.reg .pred %%p<3>;\n.reg .b32 %%r<10>;\n"
      ".reg .b64 %%d<5>;\n.local .align 8 .b8 l[32];\nmov.u32 %%r1, %%tid.x;\n"
      "setp.ne.u32 %%p1, %%r1, 0;\n@%%p1 bra E;\nld.param.u64 %%d1, [a];\n"
      "ld.param.u64 %%d2, [b];\nmov.u32 %%r2, 0;\n%s\nE:\nret;\n}\n",
      ends[_i].body);
  ck_assert_msg(ptx_parse(&a, str_of(ptx), &m, &why), "%s: line %u: %s", ends[_i].what, why.line,
                why.text);
  struct kernel k = {"k", 1, 32, in, out, sizeof in, sizeof out};
  same_both_ways(m, &k, ends[_i].what);
  ck_assert_msg(last_outcome == ends[_i].outcome, "%s: another end", ends[_i].what);
  arena_free(&a);
}
END_TEST

/* ---- what the checks say ---- */
#define NO_LONE "WARPLINGS_NO_LONE=1"
static char *json_of(const char *file, const char *options, bool no_lone) {
  const char *program = getenv("WARPLINGS");
  struct strbuf b = {0}, out = {0};
  strbuf_printf(&b, "%s '%s' exec '%s' --format json --counters", no_lone ? NO_LONE : "",
                program ? program : "build/warplings", file);
  for (const char *w = options; *w;) { /* words, each in quotes */
    size_t n = strcspn(w, " ");
    if (n) strbuf_printf(&b, " '%.*s'", (int)n, w);
    w += n + (w[n] == ' ');
  }
  strbuf_printf(&b, " 2>&1");
  FILE *f = popen(b.p, "r");
  ck_assert_ptr_nonnull(f);
  char piece[4096];
  for (size_t n; (n = fread(piece, 1, sizeof piece, f)) > 0;)
    strbuf_printf(&out, "%.*s", (int)n, piece);
  pclose(f);
  strbuf_free(&b);
  ck_assert_ptr_nonnull(out.p);
  return out.p;
}

static const char *const folders[] = {"tests/ops", "tests/litmus"};
#ifdef __SANITIZE_ADDRESS__ /* slow: a sample */
enum { EVERY = 5 };
#else
enum { EVERY = 1 };
#endif
START_TEST(cases_agree) {
  static struct exec_cases all;
  struct diag why = {0};
  const char *with[] = {"--seeds 8", "--schedule split"};
  ck_assert_msg(exec_cases_folder(&all, folders[_i], ".ptx", "auto", &why), "%s", why.text);
  for (u32 i = 0; i < all.count; i += EVERY)
    for (u32 w = 0; w < COUNT_OF(with); w++) {
      const struct exec_case *c = &all.list[i];
      if (strstr(c->options, w ? "--schedule" : "--seeds")) continue;
      const char *options = arena_printf(&all.keep, "%s %s", c->options, with[w]);
      char *a = json_of(c->file, options, false), *b = json_of(c->file, options, true);
      ck_assert_msg(strcmp(a, b) == 0, "%s %s:\n%s\n%s", c->file, options, a, b);
      free(a);
      free(b);
    }
}
END_TEST

/* ---- the table ---- */
START_TEST(every_row_is_some_handlers) {
#define IS_USED(name, ...) ck_assert_msg(vm_lone_is_used(VM_LONE_##name), #name);
#define ONE1               IS_USED
#define ONE2               IS_USED
#define ONE3               IS_USED
#define SETP               IS_USED
#define PRED               IS_USED
#define SELP               IS_USED
#define SPECIAL(name)
#include "vm/lone_ops.def"
}
END_TEST

Suite *suite_lone(void) {
  Suite *s = suite_create("lone");
  TCase *t = tcase_create("single lanes");
  tcase_set_timeout(t, 600);
  tcase_add_test(t, every_row_is_some_handlers);
  tcase_add_test(t, forms_agree);
  tcase_add_test(t, programs_agree);
  tcase_add_loop_test(t, ends_agree, 0, COUNT_OF(ends));
  tcase_add_loop_test(t, cases_agree, 0, COUNT_OF(folders));
  suite_add_tcase(s, t);
  return s;
}
