/* headers.c - make bench: what CUDA's own headers cost a kernel, compiled cold, debug build: with
 * NVIDIA's headers as they come, with their one macro that we set (see nvrtc.c), with our stand-ins
 * where there are any, and with clang. Milliseconds of processor time, medians. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "compile/compile.h"

enum { RUNS = 5 };

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

/* A header of the family that has no stand-in brings in NVIDIA's for all of it. */
static const char nvidias[] = "#include <cuda/std/version>\n";
static const char as_they_come[] =
    "#undef _CCCL_META_UNROLL_LIMIT\n#define _CCCL_META_UNROLL_LIMIT 16\n"
    "#include <cuda/std/version>\n";

static double cost(const char *dir, const char *before, const char *file, enum compiler c) {
  struct arena keep = {0};
  struct diag why = {0};
  char path[300];
  str text;
  double v[RUNS];
  bool ok = file_read(&keep, file, 1 << 20, &text, &why);
  snprintf(path, sizeof path, "%s/k.cu", dir);
  ok = ok && file_write(path, str_of(arena_printf(&keep, "%s%s", before, text.p)), &why);
  for (int i = 0; i < RUNS && ok; i++) {
    struct compile_request r = {.path = path, .compiler = c};
    struct compile_result made;
    v[i] = now_ms();
    ok = compile_ptx(&keep, &r, &made, &why) && made.ok;
    v[i] = now_ms() - v[i];
  }
  unlink(path);
  arena_free(&keep);
  if (!ok) return -1;
  qsort(v, RUNS, sizeof *v, by_value);
  return v[RUNS / 2];
}

static void cell(double ms) {
  if (ms < 0)
    printf(" %11s", "-");
  else
    printf(" %11.0f", ms);
  fflush(stdout);
}

int main(void) {
  static const struct {
    const char *what, *file;
    bool family; /* of libcu++, where the choice makes a difference */
  } rows[] = {{"no header", "tests/kernels/k04_tree_reduce.cu", false},
              {"cooperative groups", "tests/kernels2/k64_cg_basic.cu", false},
              {"half and bfloat16", "tests/kernels2/k42_half.cu", false},
              {"mma.h", "tests/kernels2/k77_wmma.cu", false},
              {"cuda/atomic", "tests/kernels2/k60_cuda_atomic_ref.cu", true},
              {"cuda/barrier", "tests/kernels2/k61_cuda_barrier.cu", true},
              {"cuda/semaphore", "tests/kernels2/k62_cuda_semaphore.cu", true},
              {"cuda/latch", "tests/kernels2/k63_cuda_latch.cu", true},
              {"cuda/barrier, copies", "tests/kernels2/k70_memcpy_async.cu", true},
              {"cuda/pipeline", "tests/kernels2/k72_cuda_pipeline.cu", true},
              {"cuda/ptx", "tests/kernels2/k73_bulk_tx.cu", true},
              {"cub, reduction, scan", "tests/kernels2/k82_cub.cu", true},
              {"cub, moves, sort", "tests/kernels2/k93_cub_move_sort.cu", true},
              {"cuda/std/type_traits", "tests/bench/traits.cu", true},
              {"a program with main()", "tests/pairs/whole_program_right.cu", false}};
  char dir[] = "/tmp/warplings-bench-XXXXXX";
  if (!mkdtemp(dir)) return 1;
  compile_warm(COMPILER_NVRTC);
  printf("\ncompiling one kernel, cold, debug build: ms of processor time, medians of %d\n", RUNS);
  printf("  %-24s %11s %11s %11s %11s\n", "headers", "as they come", "one macro", "NVRTC, now",
         "clang, now");
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    bool f = rows[i].family;
    printf("  %-24s", rows[i].what);
    cell(f ? cost(dir, as_they_come, rows[i].file, COMPILER_NVRTC) : -1);
    cell(f ? cost(dir, nvidias, rows[i].file, COMPILER_NVRTC) : -1);
    cell(cost(dir, "", rows[i].file, COMPILER_NVRTC));
    cell(cost(dir, "", rows[i].file, COMPILER_CLANG));
    printf("\n");
  }
  rmdir(dir);
  return 0;
}
