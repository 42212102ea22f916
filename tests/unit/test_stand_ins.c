/* test_stand_ins.c - our short headers of libcu++'s names against NVIDIA's own. NVRTC gets ours
 * first; they must mean the same, which is read off the optimised PTX: each kernel of
 * tests/stand_ins/ must come to the same set of atomics, fences, barrier operations and copies with
 * both. How often one appears is left open: optimisers unroll loops that wait. */
#include <check.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "compile/parts.h"

static struct arena keep;
static char dir[64];

static void set_up(void) {
  keep = (struct arena){0};
  snprintf(dir, sizeof dir, "/tmp/wl-stand-XXXXXX");
  ck_assert(mkdtemp(dir));
  compile_find_again();
}
static void tear_down(void) {
  arena_free(&keep);
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", dir);
  ck_assert_int_eq(system(command), 0);
}

static bool toolkit(void) {
  if (compile_find_nvrtc()->found && *compile_find_nvrtc()->include_dir) return true;
  printf(
      "SKIP  stand_ins: no CUDA toolkit here, so ours were NOT compared with NVIDIA's headers\n");
  return false;
}

static struct compile_result compiled(const char *text, enum compiler c, enum build b) {
  struct diag why = {0};
  struct compile_result made;
  char path[96];
  snprintf(path, sizeof path, "%s/k.cu", dir);
  ck_assert(file_write(path, str_of(text), &why));
  struct compile_request r = {.path = path, .compiler = c, .build = b};
  ck_assert_msg(compile_ptx(&keep, &r, &made, &why), "%s", why.text);
  return made;
}

/* Any header of the family that we have no stand-in for brings NVIDIA's in for all. */
#define NVIDIAS "#include <cuda/std/version>\n#line 1\n"
/* The inline namespace of NVIDIA's headers, as it stands in mangled names. */
static bool is_nvidias(str ptx) { return str_has(ptx, "3std3__4") || str_has(ptx, "4cuda3__4"); }

START_TEST(ours_are_used_first) {
  if (!toolkit()) return;
  const char *text = "#include <cuda/atomic>\n__global__ void k(int *a) {\n"
                     "  cuda::atomic_ref<int, cuda::thread_scope_device>(*a).fetch_add(1);\n}\n";
  struct compile_result r = compiled(text, COMPILER_NVRTC, BUILD_DEBUG);
  ck_assert_msg(r.ok && !is_nvidias(r.ptx), STR_F, STR_A(r.log));
  ck_assert(str_has(r.ptx, "atom.acquire.gpu.add.u32"));
  r = compiled(arena_printf(&keep, NVIDIAS "%s", text), COMPILER_NVRTC, BUILD_DEBUG);
  ck_assert_msg(r.ok && is_nvidias(r.ptx), STR_F, STR_A(r.log));
}
END_TEST

START_TEST(what_they_lack_comes_from_nvidia) {
  if (!toolkit()) return;
  static const char *const texts[] = {
      "#include <cuda/atomic>\n"
      "__global__ void k(short *a) { cuda::atomic_ref<short>(*a).fetch_add(1); }\n",
      "#include <cuda/atomic>\nstruct big { long a[4]; };\n"
      "__global__ void k(cuda::atomic<big> *a) { a->store({}); }\n",
      "#include <cuda/barrier>\nstruct f { __device__ void operator()() {} };\n"
      "__global__ void k(cuda::barrier<cuda::thread_scope_device, f> *b) { b->arrive_and_wait(); "
      "}\n",
      "#include <cuda/std/utility>\n"
      "__global__ void k(int *a) { cuda::std::pair<int, int> p(1, 2); *a = p.second; }\n"};
  for (size_t i = 0; i < COUNT_OF(texts); i++) {
    struct compile_result r = compiled(texts[i], COMPILER_NVRTC, BUILD_DEBUG);
    ck_assert_msg(r.ok && is_nvidias(r.ptx), "%zu: " STR_F, i, STR_A(r.log));
  }
}
END_TEST

START_TEST(a_mistake_is_one_with_nvidias_headers_too) {
  if (!toolkit()) return;
  struct compile_result r = compiled("#include <cuda/atomic>\n__global__ void k(int *a) {\n"
                                     "  cuda::atomic_ref<int> x(*a);\n  x.fetch_ad(1);\n}\n",
                                     COMPILER_NVRTC, BUILD_DEBUG);
  ck_assert(!r.ok && str_has(r.log, "fetch_ad") && str_has(r.log, "__4::atomic_ref"));
  ck_assert_uint_eq(r.first_error_line, 4);
}
END_TEST

START_TEST(with_the_types_of_stdint) {
  if (!toolkit()) return;
  const char *text = "#include <cstdint>\n#include <cuda/atomic>\n"
                     "__global__ void k(uint64_t *a) { cuda::std::uint64_t *b = a; *b = 1; }\n";
  ck_assert(compiled(text, COMPILER_NVRTC, BUILD_DEBUG).ok);
  ck_assert(compiled(arena_printf(&keep, NVIDIAS "%s", text), COMPILER_NVRTC, BUILD_DEBUG).ok);
  text = "#include <stdint.h>\n#include <cuda_awbarrier_primitives.h>\n"
         "__global__ void k(uint64_t *a) { __mbarrier_t *b = a; *b = 1; }\n";
  ck_assert(compiled(text, COMPILER_NVRTC, BUILD_DEBUG).ok);
}
END_TEST

START_TEST(clang_does_not_blame_the_learner) {
  if (!compile_find_clang()->found) return;
  static const struct {
    const char *text;
    bool judged;
  } cases[] = {{"x.fetch_add(1)", true},                     /* no semicolon */
               {"x.fetch_add(nothing);", true},              /* no such variable */
               {"x.load(cuda::memory_order_aquire);", true}, /* clang knows what was meant */
               {"x.no_such_member();", false},
               {"cuda::std::optional<int> o;", false}};
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    struct diag why = {0};
    struct compile_result made;
    char path[96];
    snprintf(path, sizeof path, "%s/k.cu", dir);
    char *text = arena_printf(&keep,
                              "#include <cuda/atomic>\n__global__ void k(int *a) {\n"
                              "  cuda::atomic_ref<int> x(*a);\n  %s\n}\n",
                              cases[i].text);
    ck_assert(file_write(path, str_of(text), &why));
    struct compile_request r = {.path = path, .compiler = COMPILER_CLANG};
    bool judged = compile_ptx(&keep, &r, &made, &why);
    ck_assert_msg(judged == cases[i].judged, "%s: %s", cases[i].text, why.text);
    ck_assert(judged ? !made.ok : compile_wants_toolkit(&why));
  }
}
END_TEST

/* ---- the same instructions ---- */

enum { MOST = 64, LONGEST = 96 };
struct kernel {
  char name[LONGEST];
  char found[MOST][LONGEST];
  size_t n;
};

static int by_text(const void *a, const void *b) { return strcmp(a, b); }

/* The instruction with its modifiers in alphabetical order and without what makes no difference:
 * the sign of 32 and 64 bits, and defaults that one of the two spells out. */
static void normal_form(str op, char out[LONGEST]) {
  char parts[16][LONGEST];
  size_t n = 0;
  for (size_t i = 0; i < op.n && n < COUNT_OF(parts);) {
    size_t k = i;
    while (k < op.n && op.p[k] != '.') k++;
    snprintf(parts[n], LONGEST, "%.*s", (int)(k - i), op.p + i);
    char *p = parts[n];
    if (strchr("sub", p[0]) && (!strcmp(p + 1, "32") || !strcmp(p + 1, "64"))) p[0] = 'b';
    if (!strcmp(p, "shared::cta")) strcpy(p, "shared");
    bool spelt_out =
        str_starts(op, "mbarrier.arrive.") && (!strcmp(p, "release") || !strcmp(p, "cta"));
    if (!spelt_out) n++;
    i = k + 1;
  }
  qsort(parts, n, LONGEST, by_text);
  out[0] = 0;
  for (size_t i = 0; i < n; i++)
    snprintf(out + strlen(out), LONGEST - strlen(out), "%s%s", i ? "." : "", parts[i]);
}

/* %tid.x and its like: not %r12, a register of the compiler's. Only where a file asks for them. */
static bool registers_too;
static bool is_special(str word) {
  return registers_too && word.n > 3 && word.p[0] == '%' && isalpha((unsigned char)word.p[2]) &&
         isalpha((unsigned char)word.p[3]);
}

static bool orders_memory(str word) {
  static const char *const starts[] = {"atom.",      "red.",       "ld.acquire", "ld.relaxed",
                                       "st.release", "st.relaxed", "fence.",     "mbarrier.",
                                       "cp.async",   "nanosleep.", "st.async",   "cp.reduce",
                                       "barrier.cl", "getctarank"};
  for (size_t i = 0; i < COUNT_OF(starts); i++)
    if (str_starts(word, starts[i])) return true;
  return is_special(word);
}

static void take(struct kernel *k, str op) {
  char form[LONGEST];
  normal_form(op, form);
  for (size_t i = 0; i < k->n; i++)
    if (!strcmp(k->found[i], form)) return;
  ck_assert_uint_lt(k->n, MOST);
  strcpy(k->found[k->n++], form);
}

/* `_Z3i32Pi...`: the three characters behind the number. */
static void name_of(str line, char out[LONGEST]) {
  const char *z = memchr(line.p, '_', line.n);
  int n = 0, at = 0;
  ck_assert(z && sscanf(z, "_Z%d%n", &n, &at) == 1 && n < LONGEST);
  snprintf(out, LONGEST, "%.*s", n, z + at);
}

static size_t read_kernels(str ptx, struct kernel *list, size_t most) {
  size_t n = 0;
  str line;
  while (str_line(&ptx, &line)) {
    line = str_trim(line);
    if (str_starts(line, ".visible .entry ")) {
      ck_assert_uint_lt(n, most);
      name_of(line, list[n++].name);
    } else if (n && !str_starts(line, "//") && !str_starts(line, ".")) {
      for (size_t i = 0; i < line.n;) {
        size_t k = i;
        while (k < line.n && !strchr(" \t;{}", line.p[k])) k++;
        str word = {line.p + i, k - i};
        if (orders_memory(word)) take(&list[n - 1], word);
        i = k + 1;
      }
    }
  }
  for (size_t i = 0; i < n; i++) qsort(list[i].found, list[i].n, LONGEST, by_text);
  return n;
}

static void compare(const char *file) {
  enum { KERNELS = 16 };
  struct diag why = {0};
  str text;
  ck_assert_msg(file_read(&keep, file, 1 << 20, &text, &why), "%s", why.text);
  struct kernel *ours = arena_array(&keep, 2 * KERNELS, sizeof *ours), *theirs = ours + KERNELS;
  struct compile_result r = compiled(text.p, COMPILER_NVRTC, BUILD_RELEASE);
  ck_assert_msg(r.ok && !is_nvidias(r.ptx), "%s: " STR_F, file, STR_A(r.log));
  size_t n = read_kernels(r.ptx, ours, KERNELS);
  r = compiled(arena_printf(&keep, NVIDIAS "%s", text.p), COMPILER_NVRTC, BUILD_RELEASE);
  ck_assert_msg(r.ok && is_nvidias(r.ptx), "%s: " STR_F, file, STR_A(r.log));
  ck_assert_uint_eq(read_kernels(r.ptx, theirs, KERNELS), n);
  size_t all = 0;
  for (size_t i = 0; i < n; i++) {
    ck_assert_str_eq(ours[i].name, theirs[i].name);
    all += ours[i].n;
    for (size_t k = 0; k < ours[i].n || k < theirs[i].n; k++)
      ck_assert_msg(!strcmp(ours[i].found[k], theirs[i].found[k]),
                    "%s, kernel %s: ours %s, theirs %s", file, ours[i].name, ours[i].found[k],
                    theirs[i].found[k]);
  }
  ck_assert_uint_gt(all, n);
}

START_TEST(they_come_to_the_same_instructions) {
  static const char *const files[] = {"tests/stand_ins/atomics.cu", "tests/stand_ins/barriers.cu",
                                      "tests/stand_ins/pipelines.cu", "tests/stand_ins/ptx.cu"};
  registers_too = strstr(files[_i], "ptx.cu") != NULL;
  if (toolkit()) compare(files[_i]);
}
END_TEST

Suite *suite_stand_ins(void);
Suite *suite_stand_ins(void) {
  Suite *s = suite_create("stand_ins");
  TCase *t = tcase_create("stand_ins");
  tcase_add_checked_fixture(t, set_up, tear_down);
  tcase_set_timeout(t, 60);
  tcase_add_test(t, ours_are_used_first);
  tcase_add_test(t, what_they_lack_comes_from_nvidia);
  tcase_add_test(t, a_mistake_is_one_with_nvidias_headers_too);
  tcase_add_test(t, with_the_types_of_stdint);
  tcase_add_test(t, clang_does_not_blame_the_learner);
  tcase_add_loop_test(t, they_come_to_the_same_instructions, 0, 4);
  suite_add_tcase(s, t);
  return s;
}
