/* test_long_run.c - many launches and many failures in one process leave nothing behind: what is
 * counted as held comes back to where it was, to the byte. And nothing that a kernel can make grow
 * escapes the count. */
#include <check.h>
#include <glob.h>
#include <string.h>
#include "detect/detect.h"

Suite *suite_long_run(void);

/* Shared memory, barriers, atomics, messages, copies, mbarriers, clusters, undefined values, heap.
 */
static const char busy[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".extern .func (.param .b64 r) malloc(.param .b64 n);\n"
    ".extern .func free(.param .b64 n);\n"
    ".func f(.param .b32 a)\n{\n.local .align 4 .b8 l[64];\n.reg .b32 %x;\n"
    "ld.param.b32 %x, [a];\nst.local.b32 [l], %x;\nret;\n}\n"
    ".visible .entry k(.param .u64 out) .explicitcluster .reqnctapercluster 2, 1, 1 {\n"
    ".reg .pred %p<4>;\n.reg .b32 %r<12>;\n.reg .b64 %d<8>;\n"
    ".shared .align 16 .b8 s[1024];\n.shared .align 8 .b64 bar;\n"
    "ld.param.u64 %d1, [out];\nmov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 4;\nmov.u32 %r3, s;\n"
    "add.u32 %r3, %r3, %r2;\nsetp.eq.u32 %p1, %r1, 0;\n"
    "@%p1 mbarrier.init.shared.b64 [bar], 1;\n"
    "cp.async.ca.shared.global [%r3], [%d1], 16;\ncp.async.wait_all;\nbar.sync 0;\n"
    "ld.shared.u32 %r4, [%r3];\nbar.warp.sync 0xffffffff;\n"
    "fence.acq_rel.gpu;\natom.add.relaxed.gpu.global.u32 %r5, [%d1+512], %r4;\nfence.acq_rel.gpu;\n"
    "{\n.param .b32 a;\nst.param.b32 [a], %r4;\ncall f, (a);\n}\n"
    "{\n.param .b64 n;\n.param .b64 r;\nst.param.b64 [n], 64;\ncall (r), malloc, (n);\n"
    "ld.param.b64 %d2, [r];\n}\nst.u32 [%d2], %r4;\n"
    "{\n.param .b64 n;\nst.param.b64 [n], %d2;\ncall free, (n);\n}\n"
    "barrier.cluster.arrive;\nbarrier.cluster.wait;\nret;\n}\n";

/* What each malloc leaves is the record that its address was freed: the machine's, until it goes.
 */
static const char *without_malloc(struct arena *a) {
  char *text = arena_printf(a, "%s", busy), *from = strstr(text, "{\n.param .b64 n;\n.param"),
       *to = strstr(text, "barrier.cluster.arrive");
  ck_assert(from && to && from < to);
  memmove(from, to, strlen(to) + 1);
  return text;
}

static void launch(struct vm_machine *vm, const struct ptx_func *k, u64 buffer) {
  struct diag why = {0};
  struct vm_counters counters;
  struct vm_launch l = {.kernel = k,
                        .grid = {4, 1, 1},
                        .block = {32, 1, 1},
                        .params = (const u8 *)&buffer,
                        .param_bytes = 8};
  if (vm_run(vm, &l, &counters, &why) != VM_DONE) ck_abort_msg("%s", why.text);
}

static u64 resident_kib(void) {
  unsigned long long pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  ck_assert_ptr_nonnull(f);
  ck_assert_int_eq(fscanf(f, "%*u %llu", &pages), 1);
  fclose(f);
  return pages * 4;
}

START_TEST(ten_thousand_launches) {
#ifdef __SANITIZE_ADDRESS__
  enum { WARM = 500, LAUNCHES = 2500 }; /* ten times as slow */
#else
  enum { WARM = 500, LAUNCHES = 10000 };
#endif
  struct arena keep = {0};
  struct ptx_module *m;
  struct vm_machine *vm;
  struct diag why = {0};
  struct vm_config config = {.schedule = (enum vm_schedule_kind)_i, .seed = 3};
  const char *text = without_malloc(&keep);
  static const u8 zeros[1024];
  if (!ptx_parse(&keep, str_of(text), &m, &why) || !vm_create(m, &config, &vm, &why))
    ck_abort_msg("%s", why.text);
  struct detect *checks = detect_create(&keep, vm, NULL);
  u64 buffer = vm_alloc(vm, "out", sizeof zeros, 4, &why), held = 0, resident = 0;
  ck_assert(vm_write(vm, buffer, zeros, sizeof zeros, &why));
  const struct ptx_func *k = ptx_kernel(m, STR("k"), &why);
  ck_assert_ptr_nonnull(k);
  for (u32 i = 0; i < LAUNCHES; i++) {
    if (i == WARM) {
      held = held_bytes();
      resident = resident_kib();
    }
    launch(vm, k, buffer);
    if (detect_has_error(checks)) ck_abort_msg("launch %u", i);
  }
  /* What the last launch left in shadow memory depends on its order, not on their number. */
  u64 slack = _i == VM_RANDOM ? 16 << 10 : 0;
  if (held_bytes() > held + slack || held_bytes() + slack < held)
    ck_abort_msg("%lld bytes more after %d launches", (long long)(held_bytes() - held),
                 LAUNCHES - WARM);
  bool sanitized = false; /* freed memory is kept for a while */
#ifdef __SANITIZE_ADDRESS__
  sanitized = true;
#endif
  if (!sanitized && resident_kib() > resident + 512)
    ck_abort_msg("%llu KiB more", (unsigned long long)(resident_kib() - resident));
  detect_destroy(checks);
  vm_destroy(vm);
  arena_free(&keep);
}
END_TEST

/* Texts cut off anywhere, modules that do not load, kernels that end badly: nothing stays. */
static void attempt(str text) {
  struct arena keep = {0};
  struct ptx_module *m;
  struct vm_machine *vm;
  struct diag why = {0};
  struct vm_config config = {.max_steps = 3000};
  if (ptx_parse(&keep, text, &m, &why) && vm_create(m, &config, &vm, &why)) {
    struct detect *checks = detect_create(&keep, vm, NULL);
    u64 nowhere = 0;
    struct vm_counters counters;
    struct vm_launch l = {.kernel = ptx_kernel(m, STR("k"), &why),
                          .grid = {2, 1, 1},
                          .block = {40, 1, 1},
                          .params = (const u8 *)&nowhere,
                          .param_bytes = 8};
    if (l.kernel) vm_run(vm, &l, &counters, &why);
    detect_destroy(checks);
    vm_destroy(vm);
  }
  arena_free(&keep);
}

START_TEST(failures_leave_nothing) {
  static const char *const bad[] = {
      ".version 8.0\n.target sm_90\n.address_size 64\n.global .u64 g = nobody;\n"
      ".visible .entry k() { ret; }\n",
      ".version 8.0\n.target sm_90\n.address_size 64\n.global .b8 g[99999999999999];\n"
      ".visible .entry k() { ret; }\n",
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() { a: bra a; }\n",
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() { trap; }\n",
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() { frob.u32; }\n"};
  u64 before = held_bytes();
  for (size_t i = 0; i < COUNT_OF(bad); i++) attempt(str_of(bad[i]));
  ck_assert_uint_eq(held_bytes(), before);
  for (size_t n = 0; n < sizeof busy; n += 7) attempt((str){busy, n});
  attempt(str_of(busy));
  ck_assert_uint_eq(held_bytes(), before);
}
END_TEST

/* ---- the count itself ---- */
static int told;
static void tell(void *self) { told += *(int *)self; }

START_TEST(the_limit_is_told_once) {
  int by = 1;
  u64 before = held_bytes();
  held_set_limit(before + (1 << 20));
  held_watch(tell, &by);
  ck_assert(held_fits(1 << 20) && !held_fits((1 << 20) + 1) && !held_fits(~0ull));
  u32 *a = held_zeroed(1000, sizeof *a);
  ck_assert_uint_eq(a[999], 0);
  ck_assert_int_eq(told, 0);
  void *b = held_aligned(2 << 20);
  ck_assert_uint_eq((uintptr_t)b % 64, 0);
  ck_assert(held_over());
  struct arena arena = {0};
  arena_alloc(&arena, 100);
  ck_assert_int_eq(told, 1);
  held_free(b);
  held_free(a);
  arena_free(&arena);
  held_free(NULL);
  ck_assert_uint_eq(held_bytes(), before);
  size_t cap = 0;
  u8 *c = NULL;
  for (u32 i = 0; i < 5000; i++) {
    c = held_grow(c, &cap, i + 1, 1);
    c[i] = (u8)i;
  }
  for (u32 i = 0; i < 5000; i++) ck_assert_uint_eq(c[i], (u8)i);
  held_free(c);
  ck_assert_uint_eq(held_bytes(), before);
  held_watch(NULL, NULL);
  held_set_limit(0);
  ck_assert_uint_eq(held_limit(), 2ull << 30);
}
END_TEST

/* Whoever allocates past the count in these layers gives a kernel memory without a limit. */
START_TEST(nothing_escapes_the_count) {
  static const char *const ways[] = {" malloc(", " calloc(",   " realloc(", " aligned_alloc(",
                                     "(malloc(", "base_grow(", "(calloc(",  "strdup("};
  static const char *const places[] = {"harness/vm/*.c", "harness/detect/*.c"};
  u32 files = 0;
  for (size_t k = 0; k < COUNT_OF(places); k++) {
    glob_t g;
    ck_assert_int_eq(glob(places[k], 0, NULL, &g), 0);
    for (size_t i = 0; i < g.gl_pathc; i++, files++) {
      struct arena a = {0};
      struct diag why = {0};
      str text;
      ck_assert(file_read(&a, g.gl_pathv[i], 1 << 20, &text, &why));
      for (size_t w = 0; w < COUNT_OF(ways); w++)
        if (str_has(text, ways[w]))
          ck_abort_msg("%s uses '%s': held_zeroed and its siblings count", g.gl_pathv[i], ways[w]);
      arena_free(&a);
    }
    globfree(&g);
  }
  ck_assert_uint_gt(files, 50);
}
END_TEST

Suite *suite_long_run(void) {
  Suite *s = suite_create("long_run");
  TCase *t = tcase_create("long_run");
  tcase_set_timeout(t, 300);
  static const int schedules[] = {VM_CONVERGED, VM_RANDOM};
  for (size_t i = 0; i < COUNT_OF(schedules); i++)
    tcase_add_loop_test(t, ten_thousand_launches, schedules[i], schedules[i] + 1);
  tcase_add_test(t, failures_leave_nothing);
  tcase_add_test(t, the_limit_is_told_once);
  tcase_add_test(t, nothing_escapes_the_count);
  suite_add_tcase(s, t);
  return s;
}
