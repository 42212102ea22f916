/* bench.c - make bench: how fast the machine runs. Prints; judges nothing. See field.c for others'
 * programs, verdicts.c for how long a verdict takes, headers.c for the compiler.
 *
 *   bench                  everything
 *   bench --only WORD...   rows that say all the words: "matmul", "nvrtc", "release"
 *
 * Timings are noisy: compare rows of one run, quote medians and ratios. */
#include "compile/compile.h"
#include "detect/detect.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 7, N = 256 };

static double now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}
static double median(double *v, int n) {
  qsort(v, (size_t)n, sizeof *v, by_value);
  return v[n / 2];
}

struct bench_case {
  const char *name, *file, *kernel;
  u32 grid[3], block[3];
  int buffers;  /* leading buffer parameters of N x N floats */
  int ints;     /* then this many ints, all N */
  u32 elements; /* of each buffer; 0 = N * N */
};
static const struct bench_case cases[] = {
    {"tiled matmul 256",
     "tests/bench/matmul.cu",
     "matmul",
     {N / 16, N / 16, 1},
     {16, 16, 1},
     3,
     3,
     0},
    {"tree reduction",
     "tests/bench/reduce.cu",
     "reduce",
     {1024, 1, 1},
     {256, 1, 1},
     2,
     0,
     1024 * 256},
    {"histogram, shared atomics",
     "tests/bench/histogram.cu",
     "histogram",
     {64, 1, 1},
     {256, 1, 1},
     2,
     0,
     64 * 1024},
    {"stencil, global memory",
     "tests/bench/stencil.cu",
     "stencil",
     {256, 1, 1},
     {256, 1, 1},
     2,
     0,
     256 * 256},
    {"one lane at work", "tests/bench/single.cu", "single", {16, 1, 1}, {32, 1, 1}, 1, 0, 4096},
    {"pairs of halves",
     "tests/bench/half.cu",
     "half_pairs",
     {64, 1, 1},
     {256, 1, 1},
     1,
     0,
     64 * 256},
};

static bool launch(const struct ptx_module *mod, const struct bench_case *b, bool checks,
                   bool release, double *rate, double *seconds) {
  struct diag why = {0};
  struct arena keep = {0};
  struct vm_machine *m;
  struct vm_config config = {
      .no_undefined = release || !checks, .optimized = release, .max_steps = 1ull << 40};
  const struct ptx_func *k = ptx_kernel(mod, str_of(b->kernel), &why);
  if (!k || !vm_create(mod, &config, &m, &why)) {
    diag_print(stderr, &why);
    return false;
  }
  struct detect *d = checks ? detect_create(&keep, m, &(struct detect_policy){0}) : NULL;
  u8 params[64] = {0};
  u32 at = 0, n = b->elements ? b->elements : N * N;
  float *init = calloc(n, sizeof *init);
  for (u32 i = 0; init && i < n; i++) init[i] = (float)(i % 251);
  for (int i = 0; i < b->buffers; i++, at += 8) {
    u64 a = vm_alloc(m, "buffer", n * 4ull, 4, &why);
    if (!init || !a || !vm_write(m, a, init, n * 4ull, &why)) return false;
    memcpy(params + at, &a, 8);
  }
  for (int i = 0; i < b->ints; i++, at += 4) memcpy(params + at, &(int){N}, 4);
  struct vm_launch l = {.kernel = k, .params = params, .param_bytes = at};
  memcpy(l.grid, b->grid, sizeof l.grid);
  memcpy(l.block, b->block, sizeof l.block);
  struct vm_counters c;
  double t = now(CLOCK_PROCESS_CPUTIME_ID); /* others on the same core do not count */
  enum vm_outcome o = vm_run(m, &l, &c, &why);
  *seconds = now(CLOCK_PROCESS_CPUTIME_ID) - t;
  *rate = (double)c.thread_instructions / *seconds / 1e9;
  if (o != VM_DONE || (d && detect_has_error(d)))
    fprintf(stderr, "bench: %s did not run clean\n", b->name);
  if (d) detect_destroy(d);
  vm_destroy(m);
  arena_free(&keep);
  free(init);
  return true;
}

static void row(const struct bench_case *b, enum compiler compiler, enum build build) {
  struct arena keep = {0};
  struct diag why = {0};
  struct compile_request r = {.path = b->file, .compiler = compiler, .build = build};
  struct compile_result res = {0};
  struct ptx_module *mod;
  if (!compile_ptx(&keep, &r, &res, &why) || !res.ok || !ptx_parse(&keep, res.ptx, &mod, &why)) {
    printf("%-28s %-6s %-8s cannot be compiled here\n", b->name, compiler_name(compiler),
           build == BUILD_DEBUG ? "debug" : "release");
    arena_free(&keep);
    return;
  }
  double rate[2], ms[2];
  for (int checks = 0; checks < 2; checks++) {
    double v[RUNS], s[RUNS];
    for (int i = 0; i < RUNS; i++)
      if (!launch(mod, b, checks, build == BUILD_RELEASE, &v[i], &s[i])) exit(1);
    rate[checks] = median(v, RUNS);
    ms[checks] = median(s, RUNS) * 1e3;
  }
  printf("%-28s %-6s %-8s %8.2f %8.2f %8.2f %9.1f\n", b->name, compiler_name(compiler),
         build == BUILD_DEBUG ? "debug" : "release", rate[0], rate[1], rate[0] / rate[1], ms[1]);
  fflush(stdout);
  arena_free(&keep);
}

/* Does the row say every one of these words? */
static bool wanted(char **words, int n, const struct bench_case *b, enum compiler c,
                   enum build how) {
  char all[200];
  snprintf(all, sizeof all, "%s %s %s", b->name, compiler_name(c),
           how == BUILD_DEBUG ? "debug" : "release");
  for (int i = 0; i < n; i++)
    if (!strstr(all, words[i])) return false;
  return true;
}

int main(int argc, char **argv) {
  bool only = argc > 1 && strcmp(argv[1], "--only") == 0;
  printf("G thread-instructions/s, one core, median of %d runs; `checks`: races and (debug) "
         "undefined values\n",
         RUNS);
  printf("%-28s %-6s %-8s %8s %8s %8s %9s\n", "kernel", "by", "build", "plain", "checks", "ratio",
         "ms");
  for (enum compiler c = COMPILER_NVRTC; c <= COMPILER_CLANG; c++)
    for (size_t i = 0; i < COUNT_OF(cases); i++)
      for (enum build b = BUILD_DEBUG; b <= BUILD_RELEASE; b++)
        if (!only || wanted(argv + 2, argc - 2, &cases[i], c, b)) row(&cases[i], c, b);
  return 0;
}
