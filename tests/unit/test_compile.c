/* test_compile.c - from .cu to PTX: what is said when it cannot be done, the cache, the limits.
 * Compilers that are absent: SKIP, and the rest of the test still runs. Fake ones are shell
 * scripts. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "compile/parts.h"

static const char good_source[] = "extern \"C\" __global__ void half(int *a) {\n"
                                  "  __shared__ int s[64];\n"
                                  "  s[threadIdx.x] = a[threadIdx.x];\n"
                                  "  __syncthreads();\n"
                                  "  a[threadIdx.x] = s[63 - threadIdx.x] / 2;\n"
                                  "}\n";

static char dir[64];
static struct arena keep;
static struct diag why;
static struct compile_result made;

static void set_up(void) {
  snprintf(dir, sizeof dir, "%s/wl-test-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : P_tmpdir);
  ck_assert_ptr_nonnull(mkdtemp(dir));
  why = (struct diag){0};
  compile_find_again();
}
static void tear_down(void) {
  char command[128];
  snprintf(command, sizeof command, "/bin/rm -rf %s", dir);
  ck_assert_int_eq(system(command), 0);
  arena_free(&keep);
}

static const char *put(const char *name, const char *text, size_t n) {
  char *path = arena_printf(&keep, "%s/%s", dir, name);
  struct diag d = {0};
  ck_assert(file_write(path, (str){text, n}, &d));
  return path;
}
static const char *put_text(const char *name, const char *text) {
  return put(name, text, strlen(text));
}

static bool present(enum compiler c) {
  bool found = c == COMPILER_NVRTC ? compile_find_nvrtc()->found : compile_find_clang()->found;
  if (!found) printf("SKIP %s: not on this machine\n", compiler_name(c));
  return found;
}
static const enum compiler both[] = {COMPILER_NVRTC, COMPILER_CLANG};
#define EACH_COMPILER(c)                                                                           \
  for (size_t c##_i = 0; c##_i < COUNT_OF(both); c##_i++)                                          \
    for (enum compiler c = both[c##_i]; c && present(c); c = COMPILER_AUTO)

static bool compile(enum compiler c, const char *path) {
  why = (struct diag){0};
  struct compile_request r = {.path = path, .compiler = c};
  return compile_ptx(&keep, &r, &made, &why);
}

/* A "clang" that is a shell script, first in PATH. */
static void fake_clang(const char *script) {
  const char *path = put_text("clang", arena_printf(&keep, "#!/bin/sh\n%s\n", script));
  ck_assert_int_eq(chmod(path, 0700), 0);
  setenv("PATH", arena_printf(&keep, "%s:/usr/bin:/bin", dir), 1);
  compile_find_again();
}

/* ---- both compilers ---- */

START_TEST(compiles_in_both_builds) {
  const char *path = put_text("k.cu", good_source);
  EACH_COMPILER(c) {
    for (int b = BUILD_DEBUG; b <= BUILD_RELEASE; b++) {
      struct compile_request r = {.path = path, .compiler = c, .build = (enum build)b};
      ck_assert_msg(compile_ptx(&keep, &r, &made, &why), "%s", why.text);
      ck_assert_msg(made.ok, STR_F, STR_A(made.log));
      ck_assert(str_has(made.ptx, ".visible .entry half("));
      ck_assert(str_has(made.ptx, ".loc"));
      ck_assert_msg(str_has(made.ptx, arena_printf(&keep, "\"%s\"", path)),
                    "the file's name is missing");
      ck_assert_int_eq(made.ptx.p[made.ptx.n], 0);
      ck_assert_int_eq(made.compiler, c);
      ck_assert(made.compiler_version[0]);
    }
  }
}
END_TEST

START_TEST(an_error_has_the_learners_line) {
  const char *path = put_text("bad.cu", "// one\n__global__ void k(int *error_count) {\n"
                                        "  int unused;\n  *error_count = missing;\n}\n");
  EACH_COMPILER(c) {
    ck_assert_msg(compile(c, path), "%s", why.text);
    ck_assert(!made.ok);
    ck_assert_uint_eq(made.first_error_line, 4);
    ck_assert(str_has(made.log, "missing"));
    ck_assert(str_has(made.log, path));
  }
}
END_TEST

START_TEST(warnings_are_kept) {
  const char *path = put_text(
      "w.cu",
      "__global__ void k(int *a) { unsigned n = 0; if (n < 0) *a = 1; int x = 5 / 0; *a = x; }\n");
  EACH_COMPILER(c) {
    ck_assert(compile(c, path) && made.ok);
    ck_assert(str_has(made.log, "warning"));
    ck_assert_uint_eq(made.first_error_line, 0);
  }
}
END_TEST

START_TEST(usual_headers_are_there) {
  const char *path = put_text(
      "h.cu",
      "#include <assert.h>\n#include <cassert>\n#include <stdio.h>\n#include <cstdint>\n"
      "#include <math.h>\n#include <limits.h>\n#include <cfloat>\n#include <cuda_runtime.h>\n"
      "__global__ void k(uint32_t *a, float *f) {\n  assert(a != NULL);\n"
      "  printf(\"%d\\n\", (int)a[0]);\n  *f = sinf(M_PI) + powf(f[1], 2.f) + FLT_MAX + "
      "INT_MAX;\n}\n");
  EACH_COMPILER(c) {
    ck_assert_msg(compile(c, path), "%s", why.text);
    ck_assert_msg(made.ok, STR_F, STR_A(made.log));
    ck_assert(str_has(made.ptx, "__assertfail") && str_has(made.ptx, "vprintf"));
  }
}
END_TEST

START_TEST(a_header_beside_the_source_is_found) {
  put_text("mine.h", "#define ANSWER 42\n");
  const char *path =
      put_text("k.cu", "#include \"mine.h\"\n__global__ void k(int *a) { *a = ANSWER; }\n");
  EACH_COMPILER(c) {
    struct compile_request r = {
        .path = path, .compiler = c, .cache_dir = arena_printf(&keep, "%s/cache", dir)};
    ck_assert(compile_ptx(&keep, &r, &made, &why) && made.ok);
    /* Its text is not part of the key, so the result must not be kept. */
    put_text("mine.h", "#define ANSWER missing\n");
    ck_assert(compile_ptx(&keep, &r, &made, &why) && !made.ok);
    put_text("mine.h", "#define ANSWER 42\n");
  }
}
END_TEST

START_TEST(cooperative_groups_compile) {
  const char *path =
      put_text("cg.cu", "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
                        "__global__ void k(int *a) {\n  auto g = cg::this_grid();\n"
                        "  auto t = cg::tiled_partition<16>(cg::this_thread_block());\n"
                        "  a[g.thread_rank()] = t.shfl_down(a[0], 1);\n  g.sync();\n}\n");
  EACH_COMPILER(c) {
    if (c == COMPILER_NVRTC && !*compile_find_nvrtc()->include_dir) continue;
    ck_assert_msg(compile(c, path), "%s", why.text);
    ck_assert_msg(made.ok, STR_F, STR_A(made.log));
    ck_assert(str_has(made.ptx, "%envreg1"));
  }
}
END_TEST

/* ---- could not judge ---- */

START_TEST(sources_that_are_none) {
  const struct {
    const char *name, *bytes;
    size_t n;
  } bad[] = {{"empty.cu", "", 0},
             {"blank.cu", " \n\t\n", 4},
             {"binary.cu",
              "\x7f"
              "ELF\0\1\2\3",
              8}};
  for (size_t i = 0; i < COUNT_OF(bad); i++) {
    const char *path = put(bad[i].name, bad[i].bytes, bad[i].n);
    EACH_COMPILER(c) {
      ck_assert(!compile(c, path));
      ck_assert(why.text[0] && why.next[0]);
      ck_assert_str_eq(why.file, path);
    }
  }
  EACH_COMPILER(c) {
    ck_assert(!compile(c, dir));
    ck_assert(why.text[0]);
    ck_assert(!compile(c, arena_printf(&keep, "%s/nothing.cu", dir)));
    ck_assert(why.text[0]);
    const char *path = put_text("k.cu", good_source);
    struct compile_request r = {.path = path, .compiler = c, .max_source_bytes = 40};
    ck_assert(!compile_ptx(&keep, &r, &made, &why));
  }
}
END_TEST

START_TEST(a_hidden_toolkit_stays_hidden) {
  setenv("CUDA_HOME", "/nonexistent", 1);
  compile_find_again();
  ck_assert(!compile_find_nvrtc()->found);
  ck_assert(compile_default() != COMPILER_NVRTC);
  ck_assert(!compile(COMPILER_NVRTC, put_text("k.cu", good_source)));
  ck_assert(strstr(why.next, "CUDA toolkit"));
  struct compile_found f;
  compile_probe(&f);
  ck_assert(!f.nvrtc && strstr(f.missing, "CUDA toolkit"));
}
END_TEST

START_TEST(no_compiler_at_all) {
  setenv("CUDA_HOME", "/nonexistent", 1);
  setenv("PATH", "/nonexistent", 1);
  compile_find_again();
  ck_assert_int_eq(compile_default(), COMPILER_AUTO);
  ck_assert(!compile(COMPILER_AUTO, put_text("k.cu", good_source)));
  ck_assert(strstr(why.next, "apt install clang"));
  ck_assert(!compile(COMPILER_CLANG, put_text("k.cu", good_source)));
  ck_assert(strstr(why.next, "apt install clang"));
}
END_TEST

START_TEST(a_library_that_is_none) {
  ck_assert_int_eq(mkdir(arena_printf(&keep, "%s/lib64", dir), 0700), 0);
  put_text("lib64/libnvrtc.so", "not a library");
  setenv("CUDA_HOME", dir, 1);
  compile_find_again();
  const char *path = put_text("k.cu", good_source);
  ck_assert(!compile(COMPILER_NVRTC, path));
  ck_assert(strstr(why.text, "cannot be loaded"));
  if (!present(COMPILER_CLANG)) return;
  ck_assert(compile(COMPILER_AUTO, path) && made.ok);
  ck_assert_int_eq(made.compiler, COMPILER_CLANG);
}
END_TEST

START_TEST(clang_lacks_what_only_the_toolkit_has) {
  if (!present(COMPILER_CLANG)) return;
  ck_assert(!compile(COMPILER_CLANG,
                     put_text("k.cu", "#include <curand_kernel.h>\n__global__ void k() {}\n")));
  ck_assert(strstr(why.text, "<curand_kernel.h>") && strstr(why.text, "could not judge"));
  ck_assert_uint_eq(why.line, 1);
  ck_assert(!compile(
      COMPILER_CLANG,
      put_text("c.cu",
               "#include <cooperative_groups.h>\n"
               "__global__ void k() {\n  cooperative_groups::this_cluster().sync();\n}\n")));
  ck_assert(strstr(why.text, "CUDA toolkit"));
  ck_assert_uint_eq(why.line, 3);
}
END_TEST

/* ---- limits ---- */

START_TEST(a_slow_compiler_is_stopped) {
  fake_clang("sleep 60");
  struct compile_request r = {
      .path = put_text("k.cu", good_source), .compiler = COMPILER_CLANG, .timeout_ms = 200};
  ck_assert(!compile_ptx(&keep, &r, &made, &why));
  ck_assert(strstr(why.text, "200 ms"));
  ck_assert(made.milliseconds < 8000);
}
END_TEST

/* A crowded machine may let it work longer, but not for ever. */
START_TEST(a_compiler_that_never_rests_is_stopped) {
  fake_clang("while :; do :; done");
  struct compile_request r = {
      .path = put_text("k.cu", good_source), .compiler = COMPILER_CLANG, .timeout_ms = 200};
  ck_assert(!compile_ptx(&keep, &r, &made, &why));
  ck_assert(strstr(why.text, "200 ms"));
  ck_assert(made.milliseconds < 8000);
}
END_TEST

START_TEST(a_helper_that_outlives_its_compiler_is_stopped) {
  fake_clang("sleep 60 & echo $! > \"$0.pid\"; echo x; exit 0");
  struct compile_request r = {
      .path = put_text("k.cu", good_source), .compiler = COMPILER_CLANG, .timeout_ms = 300};
  ck_assert(!compile_ptx(&keep, &r, &made, &why));
  struct diag d = {0};
  str pid;
  ck_assert(file_read(&keep, arena_printf(&keep, "%s/clang.pid", dir), 100, &pid, &d));
  /* Killed with the group; it may be a zombie until init takes it. */
  char state = 'Z';
  FILE *f = fopen(arena_printf(&keep, "/proc/%d/stat", atoi(pid.p)), "r");
  if (f) {
    ck_assert_int_eq(fscanf(f, "%*d %*s %c", &state), 1);
    fclose(f);
  }
  ck_assert_int_eq(state, 'Z');
}
END_TEST

START_TEST(a_compiler_that_crashes_or_floods) {
  const char *path = put_text("k.cu", good_source);
  fake_clang("kill -SEGV $$");
  ck_assert(!compile(COMPILER_CLANG, path));
  ck_assert(strstr(why.text, "signal 11"));
  fake_clang("echo broken >&2; exit 70");
  ck_assert(!compile(COMPILER_CLANG, path));
  ck_assert(strstr(why.text, "status 70") && strstr(why.text, "broken"));
  fake_clang("exit 0");
  ck_assert(!compile(COMPILER_CLANG, path));
  fake_clang(
      "while :; do echo 0123456789012345678901234567890123456789012345678901234567890123456789; "
      "done | head -c 50000000");
  ck_assert(!compile(COMPILER_CLANG, path));
  ck_assert(strstr(why.text, "MiB"));
  fake_clang("head -c 3000000 /dev/zero | tr '\\0' 'x' >&2; exit 1");
  ck_assert(compile(COMPILER_CLANG, path) && !made.ok);
  ck_assert(made.log.n <= COMPILE_LOG_MAX && str_has(made.log, "said more"));
}
END_TEST

START_TEST(nothing_is_left_in_the_temporary_folder) {
  const char *tmp = arena_printf(&keep, "%s/temporary", dir);
  ck_assert_int_eq(mkdir(tmp, 0700), 0);
  setenv("TMPDIR", tmp, 1);
  const char *path = put_text("k.cu", good_source);
  EACH_COMPILER(c) ck_assert(compile(c, path) && made.ok);
  fake_clang("touch \"$TMPDIR/left\"; exit 1");
  compile(COMPILER_CLANG, path);
  ck_assert_msg(rmdir(tmp) == 0, "it is not empty");
  ck_assert(!compile(COMPILER_CLANG, path));
  ck_assert(strstr(why.next, "TMPDIR"));
}
END_TEST

START_TEST(bombs_are_bounded) {
  struct strbuf b = {0};
  strbuf_printf(&b, "#define A0 { int x = 1; }\n");
  for (int i = 1; i <= 30; i++) strbuf_printf(&b, "#define A%d A%d A%d\n", i, i - 1, i - 1);
  strbuf_printf(&b, "__global__ void k() { A30 }\n");
  const char *macros = put("macro.cu", b.p, b.n);
  strbuf_free(&b);
  for (int i = 0; i < 1500; i++)
    strbuf_printf(&b, "int v%d = missing_%d_and_a_long_name_to_fill_the_log_with_text;\n", i, i);
  const char *errors = put("errors.cu", b.p, b.n);
  strbuf_free(&b);
  EACH_COMPILER(c) {
    struct compile_request r = {.path = macros, .compiler = c, .timeout_ms = 1000};
    bool judged = compile_ptx(&keep, &r, &made, &why);
    ck_assert(judged ? !made.ok : why.text[0] != 0);
    /* Eight times the limit on a crowded machine, and what the machine then takes to end it. */
    ck_assert(made.milliseconds < 30000);
    ck_assert(compile(c, errors) && !made.ok);
    ck_assert(made.log.n <= COMPILE_LOG_MAX);
    ck_assert_uint_eq(made.first_error_line, 1);
  }
}
END_TEST

/* ---- the cache ---- */

static const char *only_entry(const char *cache) {
  char command[200], name[200] = "";
  snprintf(command, sizeof command, "ls %s/*.cached", cache);
  FILE *f = popen(command, "r");
  ck_assert(f && fscanf(f, "%199s", name) == 1);
  pclose(f);
  return arena_printf(&keep, "%s", name);
}

START_TEST(cache_hits_and_misses) {
  const char *cache = arena_printf(&keep, "%s/cache", dir);
  const char *path = put_text("k.cu", good_source);
  fake_clang("[ \"$1\" = --version ] && echo 'clang version 14.0.6' && exit; echo '.version 7.4'; "
             "echo warned >&2");
  struct compile_request r = {.path = path, .compiler = COMPILER_CLANG, .cache_dir = cache};
  ck_assert(compile_ptx(&keep, &r, &made, &why) && made.ok && !made.cached);
  ck_assert(compile_ptx(&keep, &r, &made, &why) && made.ok && made.cached);
  ck_assert(str_eqz(made.ptx, ".version 7.4\n") && str_eqz(made.log, "warned\n"));
  ck_assert_str_eq(made.compiler_version, "clang 14.0.6");
  r.build = BUILD_RELEASE;
  ck_assert(compile_ptx(&keep, &r, &made, &why) && !made.cached);
  r.build = BUILD_DEBUG;
  put_text("k.cu", "// other\n__global__ void k() {}\n");
  ck_assert(compile_ptx(&keep, &r, &made, &why) && !made.cached);
  put_text("k.cu", good_source);
  ck_assert(compile_ptx(&keep, &r, &made, &why) && made.cached);
  /* Another compiler under the same name. */
  fake_clang("[ \"$1\" = --version ] && echo 'clang version 15.0.0' && exit; echo '.version 7.5'; "
             "# longer");
  ck_assert(compile_ptx(&keep, &r, &made, &why) && !made.cached);
  ck_assert_str_eq(made.compiler_version, "clang 15.0.0");
}
END_TEST

START_TEST(a_damaged_cache_is_a_miss) {
  const char *cache = arena_printf(&keep, "%s/cache", dir);
  const char *path = put_text("k.cu", good_source);
  fake_clang("echo '.version 7.4'");
  struct compile_request r = {.path = path, .compiler = COMPILER_CLANG, .cache_dir = cache};
  ck_assert(compile_ptx(&keep, &r, &made, &why) && !made.cached);
  const char *entry = only_entry(cache);
  str whole;
  ck_assert(file_read(&keep, entry, 1 << 20, &whole, &why));
  for (size_t cut = 0; cut < whole.n; cut += 97) {
    ck_assert(file_write(entry, (str){whole.p, cut}, &why));
    ck_assert(compile_ptx(&keep, &r, &made, &why) && made.ok && !made.cached);
  }
  for (size_t at = 0; at < whole.n; at += 31) {
    str flipped = str_copy(&keep, whole);
    ((char *)(uintptr_t)flipped.p)[at] ^= 0x20;
    ck_assert(file_write(entry, flipped, &why));
    ck_assert(compile_ptx(&keep, &r, &made, &why) && made.ok);
    ck_assert_msg(!made.cached, "a flipped bit at %zu was not seen", at);
  }
  ck_assert(compile_ptx(&keep, &r, &made, &why) && made.cached);
  ck_assert(str_eqz(made.ptx, ".version 7.4\n"));
}
END_TEST

START_TEST(a_cache_that_cannot_be_written) {
  put_text("plain", "a file where the folder should be");
  const char *path = put_text("k.cu", good_source);
  fake_clang("echo '.version 7.4'");
  struct compile_request r = {
      .path = path, .compiler = COMPILER_CLANG, .cache_dir = arena_printf(&keep, "%s/plain", dir)};
  for (int i = 0; i < 2; i++)
    ck_assert(compile_ptx(&keep, &r, &made, &why) && made.ok && !made.cached);
}
END_TEST

START_TEST(the_cache_stays_small) {
  const char *cache = arena_printf(&keep, "%s/cache", dir);
  struct cache_entry e = {true, STR("x"), STR(""), STR("v")};
  char *big = arena_alloc(&keep, 8 << 20);
  memset(big, 'p', 8 << 20);
  e.ptx = (str){big, 8 << 20};
  for (int i = 0; i < 33; i++) {
    if (i > 12) e.ptx.n = 100;
    compile_cache_put(cache, str_of(arena_printf(&keep, "key %d", i)), &e);
  }
  struct cache_entry got;
  ck_assert_msg(!compile_cache_get(&keep, cache, STR("key 0"), &got), "the oldest is still there");
  ck_assert(compile_cache_get(&keep, cache, STR("key 32"), &got));
}
END_TEST

START_TEST(names_of_compilers) {
  enum compiler c;
  ck_assert(compiler_find("clang", &c) && c == COMPILER_CLANG);
  ck_assert(compiler_find("auto", &c) && c == COMPILER_AUTO);
  ck_assert(!compiler_find("gcc", &c));
  ck_assert_str_eq(compiler_name(COMPILER_NVRTC), "nvrtc");
}
END_TEST

Suite *suite_compile(void);
Suite *suite_compile(void) {
  Suite *s = suite_create("compile");
  TCase *t = tcase_create("compile");
  tcase_add_checked_fixture(t, set_up, tear_down);
  tcase_set_timeout(t, 120);
  tcase_add_test(t, compiles_in_both_builds);
  tcase_add_test(t, an_error_has_the_learners_line);
  tcase_add_test(t, warnings_are_kept);
  tcase_add_test(t, usual_headers_are_there);
  tcase_add_test(t, a_header_beside_the_source_is_found);
  tcase_add_test(t, cooperative_groups_compile);
  tcase_add_test(t, sources_that_are_none);
  tcase_add_test(t, a_hidden_toolkit_stays_hidden);
  tcase_add_test(t, no_compiler_at_all);
  tcase_add_test(t, a_library_that_is_none);
  tcase_add_test(t, clang_lacks_what_only_the_toolkit_has);
  tcase_add_test(t, a_slow_compiler_is_stopped);
  tcase_add_test(t, a_compiler_that_never_rests_is_stopped);
  tcase_add_test(t, a_helper_that_outlives_its_compiler_is_stopped);
  tcase_add_test(t, a_compiler_that_crashes_or_floods);
  tcase_add_test(t, nothing_is_left_in_the_temporary_folder);
  tcase_add_test(t, bombs_are_bounded);
  tcase_add_test(t, cache_hits_and_misses);
  tcase_add_test(t, a_damaged_cache_is_a_miss);
  tcase_add_test(t, a_cache_that_cannot_be_written);
  tcase_add_test(t, the_cache_stays_small);
  tcase_add_test(t, names_of_compilers);
  suite_add_tcase(s, t);
  return s;
}
