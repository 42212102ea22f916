/* field.c - make bench: this machine beside Oclgrind (a simulator with checks) and PoCL (OpenCL
 * compiled for the processor, no checks). The same tiled matrix product, once as CUDA, once as
 * OpenCL C; then what each makes of a few faults. What is not installed is a SKIP.
 *
 *   field PROGRAM OPENCL     PROGRAM: build/warplings; OPENCL: the program of opencl.c */
#include "compile/compile.h"
#include "detect/detect.h"
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RUNS = 5, N = 256 };

static double processor_time(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* ---- ours ---- */

static bool right(const float *in, const float *out) {
  for (int i = 0; i < N * N; i += N + 3) {
    float want = 0;
    for (int k = 0; k < N; k++) want += in[i / N * N + k] * in[k * N + i % N];
    if (out[i] != want) return false;
  }
  return true;
}

/* One launch; multiply-adds for each second of processor time, negative when it did not run clean.
 */
static double run_once(const struct ptx_module *mod, bool checks, bool release) {
  static float in[N * N], out[N * N];
  struct diag why = {0};
  struct arena keep = {0};
  struct vm_machine *m = NULL;
  struct vm_config config = {
      .no_undefined = release || !checks, .optimized = release, .max_steps = 1ull << 40};
  const struct ptx_func *k = ptx_kernel(mod, str_of("matmul"), &why);
  if (!k || !vm_create(mod, &config, &m, &why)) {
    diag_print(stderr, &why);
    return -1;
  }
  struct detect *d = checks ? detect_create(&keep, m, &(struct detect_policy){0}) : NULL;
  struct {
    u64 a, b, c;
    int m, n, k;
  } params = {.m = N, .n = N, .k = N};
  u64 *buffers[] = {&params.a, &params.b, &params.c};
  bool ok = true;
  for (int i = 0; i < N * N; i++) in[i] = (float)(i % 7);
  for (size_t i = 0; i < COUNT_OF(buffers); i++) {
    *buffers[i] = vm_alloc(m, "buffer", sizeof in, 4, &why);
    ok = ok && *buffers[i] && vm_write(m, *buffers[i], in, sizeof in, &why);
  }
  struct vm_launch l = {.kernel = k, .params = (const u8 *)&params, .param_bytes = 36};
  l.grid[0] = l.grid[1] = N / 16;
  l.block[0] = l.block[1] = 16;
  l.grid[2] = l.block[2] = 1;
  struct vm_counters c;
  double t = processor_time();
  ok = ok && vm_run(m, &l, &c, &why) == VM_DONE;
  t = processor_time() - t;
  ok = ok && !(d && detect_has_error(d)) && vm_read(m, params.c, out, sizeof out, &why) &&
       right(in, out);
  if (d) detect_destroy(d);
  vm_destroy(m);
  arena_free(&keep);
  return ok ? (double)N * N * N / t : -1;
}

static double ours(bool checks, enum build build) {
  struct arena keep = {0};
  struct diag why = {0};
  struct compile_request r = {.path = "tests/bench/matmul.cu", .build = build};
  struct compile_result made = {0};
  struct ptx_module *mod;
  double v[RUNS] = {0};
  if (compile_ptx(&keep, &r, &made, &why) && made.ok && ptx_parse(&keep, made.ptx, &mod, &why))
    for (int i = 0; i < RUNS; i++) v[i] = run_once(mod, checks, build == BUILD_RELEASE);
  arena_free(&keep);
  qsort(v, RUNS, sizeof *v, by_value);
  return v[0] > 0 ? v[RUNS / 2] : -1;
}

/* ---- the others ---- */

/* What the command prints, both streams; false when it ends badly. */
static bool output_of(const char *command, char *text, size_t size) {
  FILE *f = popen(command, "r");
  if (!f) return false;
  size_t n = fread(text, 1, size - 1, f);
  text[n] = 0;
  char rest[4096];
  while (fread(rest, 1, sizeof rest, f) > 0) {}
  return pclose(f) == 0;
}

static double theirs(const char *before, const char *opencl, int n, int runs) {
  char command[600], text[8192];
  double rate = -1;
  snprintf(command, sizeof command, "%s '%s' matmul %d %d 2>&1", before, opencl, n, runs);
  if (!output_of(command, text, sizeof text)) return -1;
  const char *at = strstr(text, "RATE ");
  return at && sscanf(at, "RATE %lf", &rate) == 1 ? rate : -1;
}

static bool have_oclgrind(void) { return system("oclgrind --version >/dev/null 2>&1") == 0; }

static void line(const char *who, int n, double rate, double base, double plain_base) {
  printf("  %-46s %5d", who, n);
  if (rate < 0)
    printf("%*s %s\n", 12, "SKIP",
           strncmp(who, "warplings", 9) ? " not here: apt install oclgrind pocl-opencl-icd"
                                        : " it did not run clean here");
  else {
    printf(" %12.2f", rate / 1e6);
    if (base > 0) printf(" %11.1f", rate / base);
    if (plain_base > 0) printf(" %11.1f", rate / plain_base);
    printf("\n");
  }
  fflush(stdout);
}

static void speed(const char *opencl) {
  bool grind = have_oclgrind();
  double races = grind ? theirs("oclgrind --num-threads 1 --data-races", opencl, 64, 3) : -1;
  double plain = grind ? theirs("oclgrind --num-threads 1", opencl, 64, 3) : -1;
  printf(
      "\ntiled matrix product: million multiply-adds for each second of processor time, medians\n");
  printf("  %-46s %5s %12s %11s %11s\n", "", "size", "M/s", "x Oclgrind", "x without");
  printf("  %-46s %5s %12s %11s %11s\n", "", "", "", "with races", "checks");
  line("warplings, debug build, races and undefined", N, ours(true, BUILD_DEBUG), races, plain);
  line("warplings, optimised build, races", N, ours(true, BUILD_RELEASE), races, plain);
  line("warplings, debug build, no checks", N, ours(false, BUILD_DEBUG), races, plain);
  line("warplings, optimised build, no checks", N, ours(false, BUILD_RELEASE), races, plain);
  line("Oclgrind --data-races", 64, races, races, plain);
  line("Oclgrind", 64, plain, races, plain);
  line("PoCL, native, no checks", 512, theirs("", opencl, 512, 5), races, plain);
}

/* ---- what they find ---- */

/* The distinct kinds of complaint in Oclgrind's log. */
static void complaints(const char *text, char *out, size_t size) {
  static const struct {
    const char *said, *kind;
  } kinds[] = {{"data race", "race"},
               {"divergence", "divergence"},
               {"ninitialized value", "undefined"},
               {"Invalid", "bounds"}};
  out[0] = 0;
  for (size_t i = 0; i < COUNT_OF(kinds); i++)
    if (strstr(text, kinds[i].said))
      snprintf(out + strlen(out), size - strlen(out), "%s%s", *out ? ", " : "", kinds[i].kind);
  if (!*out) snprintf(out, size, "%s", strstr(text, "RAN") ? "nothing" : "it failed");
}

static void verdict_of(const char *program, const char *kernel, char *out, size_t size) {
  char command[600], text[16384];
  snprintf(command, sizeof command,
           "'%s' exec tests/bench/faults.cu --kernel %s --grid 2 --block 32 --arg buf:i32:256:zero "
           "--strict exit 2>&1",
           program, kernel);
  output_of(command, text, sizeof text);
  const char *at = strstr(text, "verdict ");
  char word[32] = "?";
  if (at) sscanf(at, "verdict %31s", word);
  snprintf(out, size, "%s", word);
}

static void faults(const char *program, const char *opencl) {
  static const char *const kernels[][2] = {
      {"no_barrier", "wrong"},    {"overwritten_early", "wrong"},
      {"lost_update", "wrong"},   {"barrier_in_branch", "wrong"},
      {"never_written", "wrong"}, {"last_group_unfenced", "wrong"},
      {"last_group", "right"},    {"right", "right"}};
  if (!have_oclgrind()) return;
  printf("\nthe same small kernels, all checks on\n  %-22s %-7s %-12s %s\n", "kernel", "is",
         "warplings", "Oclgrind --data-races --uninitialized");
  for (size_t i = 0; i < COUNT_OF(kernels); i++) {
    char command[600], text[16384], their[80], our[32];
    const char *k = kernels[i][0];
    snprintf(command, sizeof command,
             "oclgrind --data-races --uninitialized --max-errors 200 '%s' %s 2>&1", opencl, k);
    output_of(command, text, sizeof text);
    complaints(text, their, sizeof their);
    verdict_of(program, k, our, sizeof our);
    printf("  %-22s %-7s %-12s %s\n", k, kernels[i][1], our, their);
    fflush(stdout);
  }
}

int main(int argc, char **argv) {
  const char *program = argc > 1 ? argv[1] : "build/warplings";
  const char *opencl = argc > 2 ? argv[2] : "build/tests/bench/opencl";
  speed(opencl);
  faults(program, opencl);
  return 0;
}
