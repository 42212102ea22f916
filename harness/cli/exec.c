/* exec.c - the verb exec: anybody's kernel under every check, no puzzle needed. Options are judged
 * here, in the parent; compiling and running happen in one child process (exec_run.c). */
#include <inttypes.h>
#include <string.h>
#include "cli/exec.h"

enum { TIMEOUT_DEFAULT = 300 };

int cli_argc;
char **cli_argv;

static bool has_suffix(const char *s, const char *suffix) {
  size_t n = strlen(s), k = strlen(suffix);
  return n > k && strcmp(s + n - k, suffix) == 0;
}

/* Of a whole program: where it launches a kernel says what --grid and --block are to be. */
static void show_launch(const struct exec *e, struct diag *why) {
  str rest = {0}, line;
  struct diag unused = {0};
  if (!file_read(e->o->keep, e->path, SOURCE_MAX, &rest, &unused)) return;
  for (u32 number = 1; str_line(&rest, &line); number++) {
    if (!str_has(line, "<<<")) continue;
    line = str_trim(line);
    diag_next(why,
              "%s:%u says: " STR_F "\n      main() does not run here: give --grid, --block, and an "
              "--arg for each parameter, see docs/exec.md.",
              e->path, number, (int)(line.n < 120 ? line.n : 120), line.p);
    return;
  }
}

static bool read_options(struct exec *e, struct diag *why) {
  const struct options *o = e->o;
  if (o->arg_count != 1) {
    diag_set(why, o->arg_count ? "exec takes one file" : "exec needs a file, .cu or .ptx");
    return false;
  }
  e->path = o->args[0];
  e->is_ptx = has_suffix(e->path, ".ptx");
  if (!e->is_ptx && !has_suffix(e->path, ".cu")) {
    diag_set(why, "%s: exec knows files by their ending, .cu or .ptx", e->path);
    return false;
  }
  if (!o->grid[0] || !o->block[0]) {
    diag_set(why, "--%s is missing", o->grid[0] ? "block" : "grid");
    if (!e->is_ptx) show_launch(e, why);
    return false;
  }
  if (o->backend != DEVICE_VM) {
    diag_set(why, "exec runs kernels on the virtual machine only: its checks are what it is for");
    diag_next(why, "check --backend gpu runs puzzles on a GPU");
    return false;
  }
  if (o->strict && !detect_policy_parse(o->strict, &e->policy, why)) return false;
  for (; e->arg_count < o->arg_spec_count; e->arg_count++)
    if (!exec_arg_parse(o->keep, o->arg_specs[e->arg_count], &e->args[e->arg_count], why))
      return false;
  e->buffer_count = exec_args_number(e->args, e->arg_count);
  for (; e->dump_count < o->dump_spec_count; e->dump_count++)
    if (!exec_which(o->dump_specs[e->dump_count], "--dump", e->args, e->arg_count,
                    &e->dumps[e->dump_count], why))
      return false;
  for (; e->expect_count < o->expect_spec_count; e->expect_count++)
    if (!exec_expect_parse(o->keep, o->expect_specs[e->expect_count], e->args, e->arg_count,
                           &e->expects[e->expect_count], why))
      return false;
  e->plan = (struct pz_plan){.seed = o->seed, .random_count = o->seeds};
  if (o->schedule && strcmp(o->schedule, "all") != 0) {
    e->plan.only = true;
    vm_schedule_find(o->schedule, &e->plan.schedule);
  }
  e->debug = !o->build || strcmp(o->build, "release") != 0;
  e->release = o->build && strcmp(o->build, "debug") != 0;
  return file_read(e->o->keep, e->path, SOURCE_MAX, &e->source, why);
}

/* A word as a shell takes it. */
static void quote(struct strbuf *b, const char *s) {
  static const char plain[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:=,+-";
  strbuf_printf(b, " ");
  if (*s && strspn(s, plain) == strlen(s)) {
    strbuf_printf(b, "%s", s);
    return;
  }
  strbuf_printf(b, "'");
  for (; *s; s++) strbuf_printf(b, *s == '\'' ? "'\\''" : "%c", *s);
  strbuf_printf(b, "'");
}

/* The command as given, narrowed to the run that showed the error. */
static const char *replay(struct exec *e, const struct verdict *v) {
  struct strbuf b = {0};
  const struct finding *f = report_reason(v);
  for (int i = 0; i < cli_argc; i++) quote(&b, cli_argv[i]);
  if (f && f->schedule[0])
    strbuf_printf(&b, " --schedule %s --seed %" PRIu64, f->schedule, f->seed);
  const char *text = b.n ? str_copy(e->o->keep, (str){b.p + 1, b.n - 1}).p : "";
  strbuf_free(&b);
  return text;
}

static void done(void *self, u32 i, str bytes, const struct diag *failure) {
  struct exec *e = self;
  struct verdict v;
  struct diag why = *failure;
  (void)i;
  verdict_init(&v);
  if (!why.set && bytes.n > 1 && bytes.p[0] == EXEC_USAGE) {
    diag_set(&why, STR_F, (int)bytes.n - 1, bytes.p + 1);
    e->status = cli_fail(&why);
    return;
  }
  str payload = bytes.n ? (str){bytes.p + 1, bytes.n - 1} : bytes;
  if (why.set || !verdict_read(e->o->keep, payload, &v, &why))
    verdict_unjudged(&v, e->o->keep, V_INTERNAL, &why);
  struct report_item it = {
      .id = e->path, .title = "", .learned = "", .path = e->path, .v = &v, .replay = replay(e, &v)};
  struct report_style style = {.out = stdout,
                               .color = report_use_color(stdout),
                               .times = e->o->times,
                               .editor = e->o->editor,
                               .counters = e->o->counters,
                               .backend = "vm",
                               .seed = e->o->seed,
                               .detail_all = true};
  e->o->format->one(&style, &it);
  e->status = report_exit(v.kind);
}

int cli_exec(struct options *o) {
  static struct exec e; /* the child inherits it */
  struct diag why = {0};
  struct project p = {0};
  e = (struct exec){.o = o};
  if (!read_options(&e, &why)) {
    if (!why.next[0]) diag_next(&why, "warplings exec --help");
    return cli_fail(&why);
  }
  struct diag ignored = {0};
  if (project_find(o, &p, &ignored))
    e.cache_dir = arena_printf(o->keep, "%s/%s", p.root, CACHE_DIR);
  pool_run(&(struct pool_task){.count = 1,
                               .jobs = 1,
                               .self = &e,
                               .work = exec_run,
                               .done = done,
                               .timeout_s = o->timeout_s ? o->timeout_s : TIMEOUT_DEFAULT});
  return e.status;
}
