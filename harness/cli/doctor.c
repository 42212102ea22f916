/* doctor.c - the verb doctor: what is installed, what is missing, what to do about it. */
#include <string.h>
#include <unistd.h>
#include "cli/cli.h"
#include "device/device_gpu.h"
#include "grade/grade.h"

static str proc_field(str text, const char *name) {
  str line;
  while (str_line(&text, &line))
    if (str_starts(line, name)) {
      const char *colon = memchr(line.p, ':', line.n);
      if (colon) return str_trim((str){colon + 1, (size_t)(line.p + line.n - colon - 1)});
    }
  return STR("unknown");
}

/* /proc files have no size, so file_read is not for them. */
static str proc_text(struct arena *keep, const char *path) {
  enum { MAX = 64 << 10 };
  char *text = NEWN(keep, char, MAX);
  FILE *f = fopen(path, "r");
  if (!f) return STR("");
  size_t n = fread(text, 1, MAX, f);
  fclose(f);
  return (str){text, n};
}

static void row(const char *label, bool ok, const char *text) {
  printf("  %-10s %-8s %s\n", label, ok ? "ok" : "missing", text);
}

int cli_doctor(struct options *o) {
  struct diag why = {0};
  struct project p = {0};
  struct compile_found c = {0};
  struct gpu_found gpu;
  struct diag lacks = {0};
  bool in_project = project_find(o, &p, &why);
  compile_probe(&c);
  bool can_compile = c.nvrtc || c.clang;
  str cpu = proc_text(o->keep, "/proc/cpuinfo");
  printf("warplings %s\n", CLI_VERSION);
  printf("  %-10s %-8s " STR_F ", %u cores%s\n", "processor", "ok",
         STR_A(proc_field(cpu, "model name")), pool_cores(),
         str_has(proc_field(cpu, "flags"), "avx2") ? "" : ", no AVX2 (slower, still right)");
  row("NVRTC", c.nvrtc,
      c.nvrtc ? arena_printf(o->keep, "%s, %s", c.nvrtc_version, c.nvrtc_path)
              : "not needed where clang is; from the CUDA toolkit, found through CUDA_HOME");
  row("headers", c.include_dir[0] != 0,
      c.include_dir[0] ? c.include_dir : "the toolkit's: only for kernels that include them");
  row("clang", c.clang,
      c.clang ? arena_printf(o->keep, "%s, %s", c.clang_version, c.clang_path)
              : "not needed where NVRTC is; on Debian: apt install clang");
  enum compiler first = compile_default();
  row("default", can_compile, can_compile ? compiler_name(first) : "no compiler for kernels");
  gpu_probe(&gpu);
  row("GPU", gpu.ok,
      gpu.ok
          ? arena_printf(o->keep, "%s, sm_%u%u, %u SMs, driver for CUDA %u.%u: check --backend gpu",
                         gpu.name, gpu.major, gpu.minor, gpu.sm_count, gpu.driver / 1000,
                         gpu.driver % 1000 / 10)
          : arena_printf(o->keep, "not needed: kernels run on the virtual machine; %s",
                         gpu.missing));
  row("grading", access("/usr/bin/bwrap", X_OK) == 0 && grade_hashes_here(&lacks),
      lacks.set ? lacks.text
      : access("/usr/bin/bwrap", X_OK) == 0
          ? "bubblewrap is here: docs/instructor.md"
          : "only for make grade: students' code runs under bubblewrap (apt install bubblewrap)");
  printf("  %-10s %-8s %u in this program%s\n", "puzzles", pz_puzzle_count() ? "ok" : "missing",
         pz_puzzle_count(), in_project ? "" : "; its folder was not found, give --root");
  if (!can_compile) {
    printf("\nNo kernel can be judged yet. %s\n",
           c.missing[0] ? c.missing : "Install clang, or the CUDA toolkit.");
    return EXIT_UNJUDGED;
  }
  printf("\nReady%s.\n", in_project ? ": make next" : "");
  return EXIT_PASS;
}
