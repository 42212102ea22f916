/* counters.c - the machine's counters beside a GPU's: kernels whose traffic is known by
 * construction (counters.cu), counted here and by Nsight Compute there.
 *
 *   counters                 the machine's counters of every kernel
 *   counters gpu             runs every kernel once on the GPU, for a profiler to watch
 *   counters metrics         the metrics to ask it for, comma-separated
 *   counters compare FILE    FILE: what `ncu --csv --print-units base` printed; the table
 *
 * docs/gpu.md has the whole command. Prints; the reader judges what a ratio means. */
#include <stdlib.h>
#include <string.h>
#include "compile/compile.h"
#include "device/device.h"
#include "device/device_gpu.h"

enum { THREADS = 256, BLOCKS = 64, N = THREADS * BLOCKS, KERNELS_MAX = 64 };

static const struct row {
  const char *title;
  size_t a, b; /* ours: the sum of two counters; b == a: one */
  const char *metric[2];
  bool ratio; /* a / b instead */
} rows[] = {
#define C(f) offsetof(struct vm_counters, f)
#define ONE(title, f, metric)                                                                      \
  { title, C(f), C(f), {metric, NULL}, false }
    ONE("load requests", global_load_requests, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"),
    ONE("load sectors", global_load_sectors, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"),
    ONE("store requests", global_store_requests, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"),
    ONE("store sectors", global_store_sectors, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"),
    ONE("load bytes", global_load_bytes, "smsp__sass_data_bytes_mem_global_op_ld.sum"),
    ONE("store bytes", global_store_bytes, "smsp__sass_data_bytes_mem_global_op_st.sum"),
    ONE("shared load wavefronts", shared_load_wavefronts,
        "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"),
    ONE("shared store wavefronts", shared_store_wavefronts,
        "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"),
    {"atomic requests",
     C(global_atomic_requests),
     C(global_atomic_requests),
     {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
      "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"},
     false},
    {"atomic transactions",
     C(global_atomic_transactions),
     C(global_atomic_transactions),
     {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
      "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum"},
     false},
    {"lanes an instruction",
     C(thread_instructions),
     C(warp_instructions),
     {"smsp__thread_inst_executed_per_inst_executed.ratio", NULL},
     true},
};

static u64 field(const struct vm_counters *c, size_t at) {
  u64 v;
  memcpy(&v, (const char *)c + at, sizeof v);
  return v;
}
static double ours(const struct vm_counters *c, const struct row *r) {
  double a = (double)field(c, r->a), b = (double)field(c, r->b);
  return !r->ratio ? a : b > 0 ? a / b : 0;
}

struct kernels {
  struct arena arena;
  const struct ptx_module *module;
  str ptx;
  const struct ptx_func *list[KERNELS_MAX];
  struct vm_counters counted[KERNELS_MAX];
  double theirs[KERNELS_MAX][COUNT_OF(rows)];
  bool seen[KERNELS_MAX];
  u32 count;
};

static _Noreturn void die(const struct diag *why) {
  fprintf(stderr, "counters: %s\n", why->text);
  exit(2);
}

static void load(struct kernels *k) {
  struct diag why = {0};
  struct compile_request q = {.path = "tests/gpu/counters.cu", .build = BUILD_RELEASE};
  struct compile_result c = {0};
  struct ptx_module *m = NULL;
  if (!compile_ptx(&k->arena, &q, &c, &why)) die(&why);
  if (!c.ok) diag_set(&why, "%.*s", (int)c.log.n, c.log.p), die(&why);
  if (!ptx_parse(&k->arena, c.ptx, &m, &why)) die(&why);
  k->ptx = c.ptx;
  k->module = m;
  for (u32 i = 0; i < m->func_count && k->count < KERNELS_MAX; i++)
    if (m->funcs[i].is_entry) k->list[k->count++] = &m->funcs[i];
}

static void run(struct kernels *k, bool on_gpu) {
  struct diag why = {0};
  for (u32 i = 0; i < k->count; i++) {
    struct device_config config = {
        .kind = on_gpu ? DEVICE_GPU : DEVICE_VM, .no_race = true, .ptx = k->ptx};
    config.vm = (struct vm_config){.no_undefined = true, .optimized = true, .count_traffic = true};
    struct device *d = NULL;
    if (!device_create(&k->arena, k->module, &config, &d, &why)) die(&why);
    static int data[N];
    u64 at[2];
    u8 params[24] = {0};
    int n = N;
    for (int e = 0; e < N; e++) data[e] = e & 1023;
    for (u32 b = 0; b < 2; b++) {
      at[b] = device_alloc(d, b ? "out" : "data", sizeof data, 4, &why);
      if (!at[b] || !device_write(d, at[b], data, sizeof data, &why)) die(&why);
      memcpy(params + 8 * b, &at[b], 8);
    }
    memcpy(params + 16, &n, sizeof n);
    struct vm_launch l = {.kernel = k->list[i],
                          .grid = {BLOCKS, 1, 1},
                          .block = {THREADS, 1, 1},
                          .params = params,
                          .param_bytes = 20};
    if (device_launch(d, &l, &k->counted[i], &why) != VM_DONE) {
      if (!why.text[0]) diag_set(&why, "%.*s did not finish", STR_A(k->list[i]->name));
      die(&why);
    }
    device_destroy(d);
  }
}

/* ---- the profiler's CSV ---- */
enum { COLUMNS_MAX = 32 };
/* Splits one line of quoted fields in place. */
static u32 split(char *line, char *out[COLUMNS_MAX]) {
  u32 n = 0;
  for (char *p = line; *p == '"' && n < COLUMNS_MAX;) {
    out[n++] = ++p;
    while (*p && *p != '"') p++;
    if (!*p) return 0;
    *p++ = 0;
    if (*p == ',') p++;
  }
  return n;
}
static double number(char *s) { /* "16,384" */
  char *to = s;
  for (char *from = s; *from; from++)
    if (*from != ',') *to++ = *from;
  *to = 0;
  return strtod(s, NULL);
}
static void take(struct kernels *k, char *kernel, const char *metric, char *value) {
  kernel[strcspn(kernel, "(")] = 0;
  for (u32 i = 0; i < k->count; i++) {
    if (!str_eqz(k->list[i]->name, kernel)) continue;
    for (u32 r = 0; r < COUNT_OF(rows); r++)
      for (u32 m = 0; m < 2; m++)
        if (rows[r].metric[m] && strcmp(rows[r].metric[m], metric) == 0)
          k->theirs[i][r] += number(value), k->seen[i] = true;
  }
}
static void read_csv(struct kernels *k, const char *path) {
  char line[4096], *f[COLUMNS_MAX];
  u32 name = 0, metric = 0, value = 0;
  FILE *in = fopen(path, "r");
  struct diag why = {0};
  if (!in) diag_set(&why, "cannot open %s", path), die(&why);
  while (fgets(line, sizeof line, in)) {
    u32 n = split(line, f);
    if (n && !value) {
      for (u32 i = 0; i < n; i++) {
        if (!strcmp(f[i], "Kernel Name")) name = i;
        if (!strcmp(f[i], "Metric Name")) metric = i;
        if (!strcmp(f[i], "Metric Value")) value = i;
      }
    } else if (value && n > value) {
      take(k, f[name], f[metric], f[value]);
    }
  }
  fclose(in);
  if (!value) diag_set(&why, "%s holds no table of metrics", path), die(&why);
}

static void compare(const struct kernels *k) {
  u32 equal = 0, other = 0;
  printf("| kernel | counter | machine | GPU | GPU / machine |\n|---|---|---|---|---|\n");
  for (u32 i = 0; i < k->count; i++) {
    if (!k->seen[i]) printf("| %.*s | - | - | not profiled | - |\n", STR_A(k->list[i]->name));
    for (u32 r = 0; r < COUNT_OF(rows) && k->seen[i]; r++) {
      double a = ours(&k->counted[i], &rows[r]), b = k->theirs[i][r];
      if (a == 0 && b == 0) continue;
      bool same = a == b;
      same ? equal++ : other++;
      printf("| %.*s | %s | %.6g | %.6g | %s", STR_A(k->list[i]->name), rows[r].title, a, b,
             same ? "equal |\n" : "");
      if (!same) printf("%.3g |\n", a > 0 ? b / a : 0);
    }
  }
  printf("\n%u values equal, %u differ\n", equal, other);
}

int main(int argc, char **argv);
/* Weak: the tests link everything in this folder, and have their own. */
__attribute__((weak)) int main(int argc, char **argv) {
  static struct kernels k;
  const char *verb = argc > 1 ? argv[1] : "";
  if (!strcmp(verb, "metrics")) {
    for (u32 r = 0, n = 0; r < COUNT_OF(rows); r++)
      for (u32 m = 0; m < 2; m++)
        if (rows[r].metric[m]) printf("%s%s", n++ ? "," : "", rows[r].metric[m]);
    putchar('\n');
    return 0;
  }
  load(&k);
  run(&k, !strcmp(verb, "gpu"));
  if (!strcmp(verb, "compare") && argc > 2) {
    read_csv(&k, argv[2]);
    compare(&k);
  } else if (!*verb) {
    for (u32 i = 0; i < k.count; i++)
      for (u32 r = 0; r < COUNT_OF(rows); r++)
        if (ours(&k.counted[i], &rows[r]) > 0)
          printf("%-18.*s %-24s %12.6g\n", STR_A(k.list[i]->name), rows[r].title,
                 ours(&k.counted[i], &rows[r]));
  }
  fflush(stdout);
  _Exit(0);
}
