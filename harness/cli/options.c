/* options.c - command-line options, one table for all verbs. Knows what is well-formed, not what it
 * is good for. */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"

enum { /* getopt's codes: above the characters */
       O_ROOT = 256,
       O_SOURCE,
       O_BACKEND,
       O_SEED,
       O_SEEDS,
       O_SCHEDULE,
       O_FORMAT,
       O_JOBS,
       O_COMPILER,
       O_TIMEOUT,
       O_EDITOR,
       O_TIMES,
       O_FORCE,
       O_KERNEL,
       O_GRID,
       O_BLOCK,
       O_CLUSTER,
       O_SHARED,
       O_COOPERATIVE,
       O_ARG,
       O_BUILD,
       O_STRICT,
       O_COUNTERS,
       O_SMS,
       O_BLOCKS_PER_SM,
       O_COST,
       O_MAX_STEPS,
       O_MEMORY_LIMIT,
       O_DUMP,
       O_EXPECT,
       O_TOLERANCE,
       O_OUT,
       O_COURSE,
       O_SECRET,
       O_SANDBOX,
       O_PER_TASK,
       O_SLURM,
       O_AUTOGRADER,
       O_PARALLEL,
       O_NO_REUSE
};
enum { MEMORY_LEAST_MIB = 16 };
struct row {
  const char *name;
  int code;
  const char *value; /* NULL: a flag */
  unsigned users;
  const char *help;
};
enum { RUNS = FOR_JUDGING | FOR_EXEC, MANY = FOR_JUDGING | FOR_SELFCHECK | FOR_GRADE };
static const struct row rows[] = {
    {"root", O_ROOT, "DIR", FOR_ALL | FOR_GRADE,
     "the project's folder (default: found from here, or from the program)"},
    {"source", O_SOURCE, "DIR", FOR_CHECK, "judge DIR/ID.cu or DIR/ID/puzzle.cu instead"},
    {"backend", O_BACKEND, "vm|gpu", RUNS | FOR_GRADE, "where kernels run (default vm)"},
    {"seed", O_SEED, "N", RUNS | FOR_SELFCHECK | FOR_WATCH,
     "for inputs and random schedules (default 1)"},
    {"seeds", O_SEEDS, "N", FOR_EXEC,
     "random, buffered and adversarial schedules to try (default 8, up to 60 while that is cheap)"},
    {"schedule", O_SCHEDULE, "NAME", RUNS | FOR_WATCH,
     "only this one: converged reversed split split-reversed random adversarial buffered timed"},
    {"format", O_FORMAT, "NAME", RUNS, "text json junit tap (exec: text json)"},
    {"jobs", O_JOBS, "N", MANY, "worker processes (default: one for each core)"},
    {"compiler", O_COMPILER, "NAME", RUNS | FOR_SELFCHECK | FOR_WATCH | FOR_GRADE,
     "auto nvrtc clang"},
    {"timeout", O_TIMEOUT, "SECONDS", RUNS | FOR_SELFCHECK | FOR_WATCH,
     "wall-clock guard of one judgement"},
    {"editor", O_EDITOR, NULL, RUNS, "also print file:line: error: lines"},
    {"times", O_TIMES, NULL, RUNS | FOR_WATCH, "print how long it took"},
    {"force", O_FORCE, NULL, FOR_SOLUTION, "even if you have not tried yet"},
    {"kernel", O_KERNEL, "NAME", FOR_EXEC, "which kernel; may be left out where the file has one"},
    {"grid", O_GRID, "X[,Y[,Z]]", FOR_EXEC, "blocks"},
    {"block", O_BLOCK, "X[,Y[,Z]]", FOR_EXEC, "threads of a block"},
    {"cluster", O_CLUSTER, "X[,Y[,Z]]", FOR_EXEC,
     "blocks of a cluster, as a launch attribute (default: what the kernel says)"},
    {"shared", O_SHARED, "BYTES", FOR_EXEC, "dynamic shared memory"},
    {"cooperative", O_COOPERATIVE, NULL, FOR_EXEC, "a cooperative launch (grid barriers)"},
    {"arg", O_ARG, "SPEC", FOR_EXEC, "the next kernel argument"},
    {"define", 'D', "NAME[=VALUE]", FOR_EXEC, "for the preprocessor; also -DNAME=VALUE"},
    {"include", 'I', "DIR", FOR_EXEC, "where #include looks as well; also -IDIR"},
    {"build", O_BUILD, "NAME", FOR_EXEC, "debug (default), release or both"},
    {"strict", O_STRICT, "LIST", FOR_EXEC, "make errors of: volatile, same-value, exit"},
    {"counters", O_COUNTERS, NULL, RUNS | FOR_WATCH, "print the machine's counters"},
    {"sms", O_SMS, "N", FOR_EXEC, "multiprocessors of the machine (default 4)"},
    {"blocks-per-sm", O_BLOCKS_PER_SM, "N", FOR_EXEC, "blocks side by side on one (default 4)"},
    {"cost", O_COST, "NAME=CYCLES", FOR_EXEC,
     "of the cost model (docs/counters.md), for --counters and the timed schedule"},
    {"max-steps", O_MAX_STEPS, "N", FOR_EXEC,
     "warp instructions before HANG (default 100 million)"},
    {"memory-limit", O_MEMORY_LIMIT, "MIB", RUNS | FOR_SELFCHECK | FOR_WATCH,
     "memory of one judging process, device buffers included (default 2048)"},
    {"dump", O_DUMP, "K[:COUNT]", FOR_EXEC,
     "print the buffer that is parameter K, or field F of the struct K.F; from 0"},
    {"expect", O_EXPECT, "K=VALUES", FOR_EXEC,
     "WRONG unless that buffer begins so after every schedule: v,v*TIMES,FROM..TO or @FILE"},
    {"tolerance", O_TOLERANCE, "X", FOR_EXEC,
     "relative, for floats of --expect (default 1e-5, f64 1e-12)"},
    {"out", O_OUT, "DIR", FOR_GRADE, "where the results go; a second run goes on there"},
    {"course", O_COURSE, "FILE", FOR_GRADE, "what counts and how much: docs/instructor.md"},
    {"secret", O_SECRET, "FILE", FOR_GRADE,
     "words that hidden inputs follow from (default: the course file's, else drawn once)"},
    {"sandbox", O_SANDBOX, "bwrap|uid|none", FOR_GRADE, "how students' code is kept apart"},
    {"per-task", O_PER_TASK, "N", FOR_GRADE, "submissions in one task of an engine (default 1)"},
    {"autograder", O_AUTOGRADER, "FILE.zip", FOR_GRADE, "write a zip for Gradescope instead"},
    {"slurm", O_SLURM, NULL, FOR_GRADE, "run as a Slurm job array, wait for it"},
    {"parallel", O_PARALLEL, NULL, FOR_GRADE, "run through GNU parallel"},
    {"no-reuse", O_NO_REUSE, NULL, FOR_GRADE, "judge the same file anew for each student"},
};

int cli_fail(const struct diag *why) {
  fflush(stdout);
  fputs("warplings: ", stderr);
  diag_print(stderr, why);
  return EXIT_UNJUDGED;
}

void cli_options_help(FILE *out, unsigned verb_bit) {
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    char left[64];
    if (!(rows[i].users & verb_bit)) continue;
    snprintf(left, sizeof left, "--%s%s%s", rows[i].name, rows[i].value ? " " : "",
             rows[i].value ? rows[i].value : "");
    fprintf(out, "  %-26s %s\n", left, rows[i].help);
  }
}

bool cli_number(const char *text, u64 max, u64 *out) {
  char *end;
  if (!isdigit((unsigned char)*text)) return false;
  errno = 0;
  unsigned long long v = strtoull(text, &end, 10);
  if (*end || errno || v > max) return false;
  *out = v;
  return true;
}

static bool small_number(const char *text, u32 least, u32 *out) {
  u64 v;
  if (!cli_number(text, UINT32_MAX, &v) || v < least) return false;
  *out = (u32)v;
  return true;
}

static bool positive(const char *text, double *out) {
  char *end;
  *out = strtod(text, &end);
  return end != text && !*end && *out >= 0 && *out < 1e300;
}

/* "4", "4,2", "4,2,1"; left-out components are 1. */
static bool dimensions(const char *text, u32 out[3]) {
  char copy[64];
  if (strlen(text) >= sizeof copy) return false;
  strcpy(copy, text);
  char *rest = copy;
  out[0] = out[1] = out[2] = 1;
  for (u32 i = 0; i < 3; i++) {
    char *part = strsep(&rest, ",");
    if (!small_number(part, 1, &out[i])) return false;
    if (!rest) return true;
  }
  return false;
}

/* "global=300,shared=20" */
static bool cost(const char *text, struct vm_cost *out) {
  for (str rest = str_of(text), part; rest.n;) {
    u64 cycles;
    char number[24];
    const char *comma = memchr(rest.p, ',', rest.n), *is = memchr(rest.p, '=', rest.n);
    part = (str){rest.p, comma ? (size_t)(comma - rest.p) : rest.n};
    if (!is || is >= part.p + part.n || (size_t)(part.p + part.n - is) > sizeof number)
      return false;
    snprintf(number, sizeof number, "%.*s", (int)(part.p + part.n - is - 1), is + 1);
    if (!cli_number(number, UINT32_MAX, &cycles) ||
        !vm_cost_set(out, (str){part.p, (size_t)(is - part.p)}, (u32)cycles))
      return false;
    rest = (str){part.p + part.n + (comma != NULL), rest.n - part.n - (comma != NULL)};
  }
  return *text != 0;
}

static bool append(const char **list, u32 *count, const char *text) {
  if (*count == LIST_MAX) return false;
  list[(*count)++] = text;
  return true;
}

static bool flag(struct options *o, int letter, const char *text) {
  if (!*text || o->flag_count == COMPILE_FLAGS_MAX) return false;
  o->flags[o->flag_count++] = arena_printf(o->keep, "-%c%s", letter, text);
  return true;
}

static bool known_build(const char *s) {
  return strcmp(s, "debug") == 0 || strcmp(s, "release") == 0 || strcmp(s, "both") == 0;
}

static bool known_schedule(const char *s, bool is_exec) {
  enum vm_schedule_kind k;
  return (is_exec && strcmp(s, "all") == 0) || vm_schedule_find(s, &k);
}

/* false: the value is not well-formed. */
static bool take(struct options *o, int code, const char *v, bool is_exec) {
  u64 n = 0;
  switch (code) {
  case O_ROOT: o->root = v; return true;
  case O_SOURCE: o->source = v; return *v != 0;
  case O_BACKEND: return device_kind_find(v, &o->backend);
  case O_SEED: return cli_number(v, UINT64_MAX, &o->seed);
  case O_SEEDS: return small_number(v, 1, &o->seeds) && o->seeds <= 1000000;
  case O_SCHEDULE: o->schedule = v; return known_schedule(v, is_exec);
  case O_FORMAT: return report_format_find(v, &o->format) && (!is_exec || o->format->one);
  case O_JOBS: return small_number(v, 1, &o->jobs) && o->jobs <= 256;
  case O_COMPILER: return compiler_find(v, &o->compiler);
  case O_TIMEOUT: return small_number(v, 1, &o->timeout_s) && o->timeout_s <= 86400;
  case O_EDITOR: return o->editor = true;
  case O_TIMES: return o->times = true;
  case O_FORCE: return o->force = true;
  case O_KERNEL: o->kernel = v; return *v != 0;
  case O_GRID: return dimensions(v, o->grid);
  case O_BLOCK: return dimensions(v, o->block);
  case O_CLUSTER: return dimensions(v, o->cluster);
  case O_SHARED: return small_number(v, 0, &o->shared_bytes);
  case O_COOPERATIVE: return o->cooperative = true;
  case O_ARG: return append(o->arg_specs, &o->arg_spec_count, v);
  case 'D':
  case 'I': return flag(o, code, v);
  case O_BUILD: o->build = v; return known_build(v);
  case O_STRICT: o->strict = v; return true;
  case O_COUNTERS: return o->counters = true;
  case O_SMS: return small_number(v, 1, &o->sms);
  case O_BLOCKS_PER_SM: return small_number(v, 1, &o->blocks_per_sm);
  case O_COST: return cost(v, &o->cost);
  case O_MAX_STEPS:
    if (!cli_number(v, UINT64_MAX, &n) || n == 0) return false;
    o->max_steps = n;
    return true;
  case O_MEMORY_LIMIT:
    if (!cli_number(v, 1u << 24, &n) || n < MEMORY_LEAST_MIB) return false;
    held_set_limit(n << 20); /* the processes that judge inherit it */
    return true;
  case O_DUMP: return append(o->dump_specs, &o->dump_spec_count, v);
  case O_EXPECT: return append(o->expect_specs, &o->expect_spec_count, v);
  case O_TOLERANCE: return o->tolerance_given = positive(v, &o->tolerance);
  case O_OUT: o->out = v; return *v != 0;
  case O_COURSE: o->course = v; return *v != 0;
  case O_SECRET: o->secret = v; return *v != 0;
  case O_SANDBOX: o->sandbox = v; return *v != 0;
  case O_PER_TASK: return small_number(v, 1, &o->per_task);
  case O_AUTOGRADER: o->autograder = v; return *v != 0;
  case O_SLURM: return o->slurm = true;
  case O_PARALLEL: return o->parallel = true;
  case O_NO_REUSE: return o->no_reuse = true;
  default: return false;
  }
}

static const struct row *row_of(int code) {
  for (size_t i = 0; i < COUNT_OF(rows); i++)
    if (rows[i].code == code) return &rows[i];
  return NULL;
}

bool cli_options(int argc, char **argv, unsigned verb_bit, struct options *o, struct diag *why) {
  struct option table[COUNT_OF(rows) + 1] = {0};
  size_t n = 0;
  for (size_t i = 0; i < COUNT_OF(rows); i++)
    if (rows[i].users & verb_bit)
      table[n++] = (struct option){.name = rows[i].name,
                                   .has_arg = rows[i].value ? required_argument : no_argument,
                                   .val = rows[i].code};
  o->seed = 1;
  o->format = &report_formats[0];
  optind = 0; /* start afresh: tests call this more than once */
  opterr = 0;
  const char *letters = verb_bit == FOR_EXEC ? ":D:I:" : ":";
  for (int code; (code = getopt_long(argc, argv, letters, table, NULL)) != -1;) {
    const char *given = optind > 0 && optind <= argc ? argv[optind - 1] : "";
    if (code == ':') {
      diag_set(why, "%s needs a value", given);
      return false;
    }
    if (code == '?') { /* of "-xyz" getopt names the letter, and may not be done with the word */
      if (optopt && optopt < O_ROOT)
        diag_set(why, "%s does not know the option '-%c'", argv[0], optopt);
      else
        diag_set(why, "%s does not know the option '%s'", argv[0], given);
      return false;
    }
    if (!take(o, code, optarg, verb_bit == FOR_EXEC)) {
      const struct row *r = row_of(code);
      diag_set(why, "--%s takes %s, not '%s'", r->name, r->value ? r->value : "nothing",
               optarg ? optarg : "");
      if (code == O_SCHEDULE || code == O_FORMAT || code == O_COMPILER)
        diag_set(why, "--%s does not know '%s': %s", r->name, optarg, r->help);
      return false;
    }
  }
  o->args = (const char **)(void *)(argv + optind);
  o->arg_count = (u32)(argc - optind);
  if (!o->jobs) o->jobs = pool_cores();
  return true;
}
