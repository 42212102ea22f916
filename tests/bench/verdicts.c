/* verdicts.c - make bench: how long a verdict takes for each puzzle's solution, and what of it is
 * the compiler. "cold" compiles with nothing kept, "warm" finds everything kept; both add up what a
 * check compiles (debug build, and the optimised one where the puzzle counts). "judge" is a whole
 * verdict with everything kept, in this process, compiler already loaded: what the machine costs.
 *
 *   verdicts [PUZZLE...]
 *
 * Milliseconds of processor time, our own and the compiler's, medians: what an idle machine's clock
 * shows, since nothing here runs side by side; other programs on the same cores do not count. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "puzzle/judge.h"

enum { RUNS = 5, BAR_MS = 200 };

static double now_ms(void) {
  double all = 0;
  for (int i = 0; i < 2; i++) {
    struct rusage u;
    getrusage(i ? RUSAGE_CHILDREN : RUSAGE_SELF, &u);
    all += (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e3;
    all += (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e3;
  }
  return all;
}
static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double compile_ms(const char *path, enum build build, const char *cache) {
  struct arena keep = {0};
  struct diag why = {0};
  struct compile_result made;
  struct compile_request r = {.path = path, .build = build, .cache_dir = cache};
  double t = now_ms();
  bool ok = compile_ptx(&keep, &r, &made, &why) && made.ok;
  t = now_ms() - t;
  arena_free(&keep);
  return ok ? t : -1;
}

static double median(double *v) {
  qsort(v, RUNS, sizeof *v, by_value);
  return v[RUNS / 2];
}

struct row {
  double cold[2], warm, judge;
  bool passes;
};

static void measure(const struct pz_puzzle *p, const char *cache, struct row *out) {
  char path[300];
  double v[4][RUNS];
  snprintf(path, sizeof path, "solutions/%s.cu", p->id);
  out->passes = true;
  for (int i = -1; i < RUNS; i++) { /* the first fills the cache */
    struct arena keep = {0};
    struct verdict verdict;
    struct pz_request r = {.path = path, .cache_dir = cache};
    double t = now_ms();
    pz_judge(&keep, p, &r, &verdict);
    t = now_ms() - t;
    out->passes = out->passes && verdict.kind == V_PASS;
    arena_free(&keep);
    if (i < 0) continue;
    v[0][i] = t;
    v[1][i] = compile_ms(path, BUILD_DEBUG, NULL);
    v[2][i] = compile_ms(path, BUILD_RELEASE, NULL);
    v[3][i] = compile_ms(path, BUILD_DEBUG, cache);
  }
  out->judge = median(v[0]);
  out->cold[BUILD_DEBUG] = median(v[1]);
  out->cold[BUILD_RELEASE] = median(v[2]);
  out->warm = median(v[3]);
}

static bool named(const char *id, char **names, int n) {
  for (int i = 0; i < n; i++)
    if (strncmp(id, names[i], strlen(names[i])) == 0) return true;
  return n == 0;
}

static void remove_cache(const char *dir) {
  DIR *d = opendir(dir);
  if (!d) return;
  for (struct dirent *e; (e = readdir(d));) unlinkat(dirfd(d), e->d_name, 0);
  closedir(d);
  rmdir(dir);
}

int main(int argc, char **argv) {
  char cache[] = "/tmp/warplings-bench-XXXXXX";
  struct row most = {.passes = true};
  u32 n = 0, slow = 0;
  if (!mkdtemp(cache)) return 1;
  compile_warm(COMPILER_AUTO);
  printf("\nverdicts of the solutions, ms of processor time, medians of %d\n", RUNS);
  printf("  %-28s %12s %12s %10s %8s\n", "puzzle", "compile cold", "optimised", "from cache",
         "judge");
  for (u32 i = 0; i < pz_puzzle_count(); i++) {
    const struct pz_puzzle *p = pz_puzzle_at(i);
    struct row r;
    if (!named(p->id, argv + 1, argc - 1)) continue;
    measure(p, cache, &r);
    printf("  %-28s %12.0f %12.0f %10.1f %8.0f%s%s\n", p->id, r.cold[BUILD_DEBUG],
           r.cold[BUILD_RELEASE], r.warm, r.judge, r.judge > BAR_MS ? "  slow" : "",
           r.passes ? "" : "  DOES NOT PASS");
    fflush(stdout);
    n++;
    slow += r.judge > BAR_MS;
    for (int b = 0; b < 2; b++)
      if (r.cold[b] > most.cold[b]) most.cold[b] = r.cold[b];
    if (r.warm > most.warm) most.warm = r.warm;
    if (r.judge > most.judge) most.judge = r.judge;
  }
  printf("  %-28s %12.0f %12.0f %10.1f %8.0f\n", "the most", most.cold[BUILD_DEBUG],
         most.cold[BUILD_RELEASE], most.warm, most.judge);
  printf("%u of %u within %d ms\n", n - slow, n, BAR_MS);
  remove_cache(cache);
  return 0;
}
