/* test_sites.c - what is taken out, and what is left alone. */
#include <check.h>
#include <string.h>
#include "mutate/sites.h"

Suite *suite_sites(void);

static struct arena a;
static struct sites s;

static void find(const char *text, bool is_ptx) { sites_find(&a, str_of(text), is_ptx, &s); }

/* The site with that name and number, taken out, leaves `want`. */
static void without(const char *text, const char *what, u32 nth, const char *want) {
  for (u32 i = 0; i < s.count; i++) {
    if (strcmp(s.list[i].what, what) != 0 || s.list[i].nth != nth) continue;
    ck_assert_str_eq(sites_without(&a, str_of(text), &s.list[i]).p, want);
    return;
  }
  ck_abort_msg("no '%s' #%u among %u sites", what, nth, s.count);
}

START_TEST(comments_and_strings_are_no_code) {
  find("// __syncthreads();\n/* __syncwarp(); */ const char *c = \"__threadfence();\"; char d = "
       "'\"';"
       "\nvoid my__syncthreads(); int __syncthreadsx();",
       false);
  ck_assert_uint_eq(s.count, 0);
}
END_TEST

START_TEST(calls) {
  const char *t = "a; __syncthreads(); b; __syncthreads ( ) ;\nif (__syncthreads_or(p > f(1))) c;";
  find(t, false);
  ck_assert_uint_eq(s.count, 3);
  without(t, "__syncthreads()", 1,
          "a; (void)0; b; __syncthreads ( ) ;\nif (__syncthreads_or(p > f(1))) c;");
  without(t, "__syncthreads ( )", 1,
          "a; __syncthreads(); b; (void)0 ;\nif (__syncthreads_or(p > f(1))) c;");
  without(t, "__syncthreads_or(p > f(1))", 1,
          "a; __syncthreads(); b; __syncthreads ( ) ;\nif ((p > f(1))) c;");
  ck_assert_uint_eq(s.list[2].line, 2);
}
END_TEST

START_TEST(lines_stay_where_they_are) {
  const char *t = "__syncwarp(m |\n  n); x;";
  find(t, false);
  without(t, "__syncwarp(m | n)", 1, "(void)0\n; x;");
}
END_TEST

START_TEST(methods) {
  const char *t = "if (x) cg::this_grid().sync(); auto t = b[i].arrive(); b[i].wait(std::move(t));"
                  " (void)e.arrive(); cg::wait(g);";
  find(t, false);
  ck_assert_uint_eq(s.count, 4); /* not the arrival whose token is used */
  without(t, "cg::this_grid().sync()", 1,
          "if (x) cg::this_grid(); auto t = b[i].arrive(); b[i].wait(std::move(t));"
          " (void)e.arrive(); cg::wait(g);");
  without(t, "b[i].wait(std::move(t))", 1,
          "if (x) cg::this_grid().sync(); auto t = b[i].arrive(); b[i], (void)(std::move(t));"
          " (void)e.arrive(); cg::wait(g);");
  without(t, "cg::wait(g)", 1,
          "if (x) cg::this_grid().sync(); auto t = b[i].arrive(); b[i].wait(std::move(t));"
          " (void)e.arrive(); (void)0;");
}
END_TEST

START_TEST(orders_and_scopes) {
  const char *t = "a.store(1, cuda::memory_order_release); c.fetch_add(1, memory_order_acq_rel);"
                  " atomicAdd(p, 1); atomicAdd_block(p, 1);";
  find(t, false);
  ck_assert_uint_eq(s.count, 5);
  without(t, "memory_order_acq_rel -> memory_order_acquire", 1,
          "a.store(1, cuda::memory_order_release); c.fetch_add(1, memory_order_acquire);"
          " atomicAdd(p, 1); atomicAdd_block(p, 1);");
  without(t, "atomicAdd -> atomicAdd_block", 1,
          "a.store(1, cuda::memory_order_release); c.fetch_add(1, memory_order_acq_rel);"
          " atomicAdd_block(p, 1); atomicAdd_block(p, 1);");
}
END_TEST

START_TEST(assembly) {
  const char *t = "asm volatile(\"{ mov.u32 %r, 1;\\n\\t@p bar.sync 1, 64; }\" ::: \"memory\");"
                  "f(\"bar.sync 0;\"); asm(\"st.release.gpu.u32 [%0], %1;\" ::\"l\"(p));";
  find(t, false);
  ck_assert_uint_eq(s.count, 3);
  without(t, "bar.sync 1, 64", 1,
          "asm volatile(\"{ mov.u32 %r, 1;\\n\\t }\" ::: \"memory\");"
          "f(\"bar.sync 0;\"); asm(\"st.release.gpu.u32 [%0], %1;\" ::\"l\"(p));");
  without(t, "st.release.gpu.u32 -> .relaxed", 1,
          "asm volatile(\"{ mov.u32 %r, 1;\\n\\t@p bar.sync 1, 64; }\" ::: \"memory\");"
          "f(\"bar.sync 0;\"); asm(\"st.relaxed.gpu.u32 [%0], %1;\" ::\"l\"(p));");
}
END_TEST

START_TEST(ptx) {
  const char *t = ".version 7.8\n.visible .entry k() {\n.reg .b32 %r<4>; // bar.sync 0;\n"
                  "L: @!%p1 bra L;\n  fence.acq_rel.gpu;\n  ld.acquire.sys.u32 %r1, [x];\n ret; }";
  find(t, true);
  ck_assert_uint_eq(s.count, 4);
  without(t, "fence.acq_rel.gpu", 1,
          ".version 7.8\n.visible .entry k() {\n.reg .b32 %r<4>; // bar.sync 0;\n"
          "L: @!%p1 bra L;\n  \n  ld.acquire.sys.u32 %r1, [x];\n ret; }");
  without(t, "ld.acquire.sys.u32 -> .cta", 1,
          ".version 7.8\n.visible .entry k() {\n.reg .b32 %r<4>; // bar.sync 0;\n"
          "L: @!%p1 bra L;\n  fence.acq_rel.gpu;\n  ld.acquire.cta.u32 %r1, [x];\n ret; }");
}
END_TEST

START_TEST(helpers) {
  const char *t = "__device__ void lock(int *m) { while (*m) {} __threadfence(); }\n"
                  "__device__ void plain() { x = 1; }\nvoid k() { lock(m); plain(); }";
  find(t, false);
  without(t, "lock(m)", 1,
          "__device__ void lock(int *m) { while (*m) {} __threadfence(); }\n"
          "__device__ void plain() { x = 1; }\nvoid k() { (void)0; plain(); }");
  for (u32 i = 0; i < s.count; i++) ck_assert(!strstr(s.list[i].what, "plain"));
}
END_TEST

START_TEST(kernels) {
  const char *t = "__device__ void f() { __threadfence(); }\n"
                  "template <int N> __global__ void __launch_bounds__(64, 2) a(int *p) {\n"
                  "  if (p) { __syncthreads(); } __syncwarp(); }\n"
                  "__global__ void later(int *);\n"
                  "extern \"C\" __global__ void b() { __syncthreads(); }\n"
                  "__device__ void g() { __threadfence(); }";
  const char *const in[] = {"", "a", "a", "b", ""};
  find(t, false);
  ck_assert_uint_eq(s.count, 7); /* __threadfence -> __threadfence_block, twice */
  u32 k = 0;
  for (u32 i = 0; i < s.count; i++) {
    if (s.list[i].kind == SITE_SCOPE) continue;
    ck_assert_msg(str_eqz(s.list[i].kernel, in[k]), "site %u: " STR_F, i, STR_A(s.list[i].kernel));
    k++;
  }
  ck_assert_uint_eq(k, COUNT_OF(in));
}
END_TEST

Suite *suite_sites(void) {
  const TTest *const tests[] = {comments_and_strings_are_no_code,
                                calls,
                                lines_stay_where_they_are,
                                methods,
                                orders_and_scopes,
                                assembly,
                                ptx,
                                helpers,
                                kernels};
  Suite *suite = suite_create("sites");
  TCase *t = tcase_create("sites");
  for (size_t i = 0; i < COUNT_OF(tests); i++) tcase_add_test(t, tests[i]);
  suite_add_tcase(suite, t);
  return suite;
}
