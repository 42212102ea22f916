/* engine.c - many tasks: the built-in pool of processes, GNU parallel, or a Slurm job array. An
 * engine only hands out indices; what a task does and leaves is task.c's business. Tasks that left
 * nothing are run once more by the pool, and counted. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "grade/engine.h"

enum { JOBS_MAX = 256, STATUS_BUSY = 75 };

#ifdef WL_COVERAGE
void __gcov_dump(void);
#else
static void __gcov_dump(void) {}
#endif

struct worker {
  pid_t pid;
  u32 index;
};

/* ---- Ctrl-C ---- */
static volatile sig_atomic_t stopped;
static void stop(int signal_number) { stopped = signal_number; }

void engine_signals(void) {
  struct sigaction a = {.sa_handler = stop}; /* no SA_RESTART: waiting ends too */
  sigaction(SIGINT, &a, NULL);
  sigaction(SIGTERM, &a, NULL);
}

bool engine_stopped(struct diag *why) {
  if (!stopped) return false;
  diag_set(why, "stopped; what was graded so far is kept");
  diag_next(why, "run the same command again: it goes on from here");
  return true;
}

typedef enum task_end task_step(const struct plan *p, u32 index, const char *out_dir,
                                const struct jail_settings *s, struct task_result *r,
                                struct diag *why);

/* What a worker says before it ends: a few numbers. Anything else is a failure. */
static _Noreturn void work(const struct grading *g, task_step *step, u32 index, u32 slot, int fd,
                           pid_t parent) {
  struct diag why = {0};
  struct jail_settings jail = g->jail;
  struct task_result r;
  /* Ended with the grader, however that ends. */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(3);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  jail.gpu = slot;
  enum task_end end = step(&g->plan, index, g->out_dir, &jail, &r, &why);
  if (end != TASK_DONE) {
    fputs("warplings: ", stderr);
    diag_print(stderr, &why);
    fflush(stderr);
  }
  ssize_t n = write(fd, &r, sizeof r);
  __gcov_dump();
  _exit(end == TASK_DONE && n == sizeof r ? 0 : end == TASK_BUSY ? STATUS_BUSY : 2);
}

static bool start(const struct grading *g, task_step *step, struct worker *list, u32 index,
                  int fd) {
  u32 slot = 0;
  while (list[slot].pid) slot++;
  fflush(NULL);
  pid_t parent = getpid();
  list[slot] = (struct worker){.pid = fork(), .index = index};
  if (list[slot].pid == 0) work(g, step, index, slot, fd, parent);
  if (list[slot].pid > 0) return true;
  list[slot].pid = 0;
  return false;
}

static void collect(int fd, struct progress *bar) {
  struct task_result r;
  while (read(fd, &r, sizeof r) == sizeof r) {
    bar->judged += r.judged;
    bar->kept += r.kept;
    bar->reused += r.reused;
    bar->faults += r.faults;
  }
}

/* Runs the tasks of list; the ones that fail move to its front, *failed of them. */
static bool pool(const struct grading *g, task_step *step, u32 jobs, u32 *list, u32 count,
                 u32 *failed, struct progress *bar, struct diag *why) {
  struct worker workers[JOBS_MAX] = {0};
  u32 running = 0, next = 0;
  if (jobs > JOBS_MAX) jobs = JOBS_MAX;
  int fds[2];
  *failed = 0;
  if (pipe2(fds, O_CLOEXEC | O_NONBLOCK) != 0) {
    diag_set(why, "cannot make a pipe: %s", strerror(errno));
    return false;
  }
  while ((next < count && !stopped) || running) {
    for (u32 i = 0; stopped && i < jobs; i++)
      if (workers[i].pid) kill(workers[i].pid, SIGKILL);
    while (!stopped && running < jobs && next < count) {
      if (!start(g, step, workers, list[next], fds[1])) break;
      next++;
      running++;
    }
    int status = 0;
    pid_t pid = waitpid(-1, &status, 0);
    if (pid < 0 && errno == EINTR) continue;
    if (pid < 0) break;
    collect(fds[0], bar);
    for (u32 i = 0; i < jobs; i++)
      if (workers[i].pid == pid) {
        if (status != 0) list[(*failed)++] = workers[i].index;
        if (WIFSIGNALED(status) && !stopped)
          fprintf(stderr, "%s: its process was ended by signal %d (%s)\n",
                  g->plan.list[workers[i].index].key, WTERMSIG(status),
                  strsignal(WTERMSIG(status)));
        workers[i].pid = 0;
        running--;
        progress_step(bar, status == 0);
      }
  }
  close(fds[0]);
  close(fds[1]);
  if (engine_stopped(why)) return false;
  if (next == count) return true;
  diag_set(why, "cannot start processes: %s", strerror(errno));
  return false;
}

/* ---- other people's engines ---- */
static bool run_command(char *const argv[], const char *what, struct diag *why) {
  int status = 0;
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    dup2(STDERR_FILENO, STDOUT_FILENO);
    execvp(argv[0], argv);
    _exit(127);
  }
  while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
    if (stopped) kill(pid, SIGTERM);
  if (engine_stopped(why)) return false;
  if (pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127) {
    diag_set(why, "%s cannot be run", what);
    diag_next(why, "install it, or leave the option out: the built-in pool needs nothing");
    return false;
  }
  return pid > 0; /* tasks that failed are found by what is missing */
}

static char *word(struct arena *a, const char *fmt, u32 n) { return arena_printf(a, fmt, n); }

/* parallel -j N warplings grade-one MANIFEST {} OUT ::: 0-4 5-9 ... */
static bool with_parallel(struct grading *g, struct diag *why) {
  struct arena *a = g->keep;
  u32 tasks = (g->plan.count + g->per_task - 1) / g->per_task, n = 0;
  char **argv = NEWN(a, char *, tasks + 16);
  argv[n++] = (char *)(uintptr_t) "parallel";
  argv[n++] = (char *)(uintptr_t) "--will-cite";
  argv[n++] = (char *)(uintptr_t) "-q"; /* paths with spaces go through unchanged */
  argv[n++] = word(a, "-j%u", g->jobs);
  argv[n++] = (char *)(uintptr_t)g->program;
  argv[n++] = (char *)(uintptr_t) "grade-one";
  argv[n++] = (char *)(uintptr_t)g->manifest;
  argv[n++] = (char *)(uintptr_t) "{}";
  argv[n++] = (char *)(uintptr_t)g->out_dir;
  argv[n++] = (char *)(uintptr_t) ":::";
  for (u32 i = 0; i < tasks; i++) {
    u32 last = (i + 1) * g->per_task - 1;
    argv[n++] =
        arena_printf(a, "%u-%u", i * g->per_task, last < g->plan.count ? last : g->plan.count - 1);
  }
  argv[n] = NULL;
  return run_command(argv, "GNU parallel", why);
}

static void put_quoted(struct strbuf *b, const char *text) {
  strbuf_add(b, "'", 1);
  for (; *text; text++) strbuf_add(b, *text == '\'' ? "'\\''" : text, *text == '\'' ? 4 : 1);
  strbuf_add(b, "'", 1);
}

/* One array; each of its tasks takes per_task submissions. sbatch waits for the end. */
static bool with_slurm(struct grading *g, struct diag *why) {
  struct arena *a = g->keep;
  struct strbuf b = {0};
  u32 tasks = (g->plan.count + g->per_task - 1) / g->per_task, n = 0;
  strbuf_printf(&b,
                "#!/bin/sh\nfirst=$((SLURM_ARRAY_TASK_ID * %u))\nlast=$((first + %u))\n"
                "[ $last -lt %u ] || last=%u\nexec ",
                g->per_task, g->per_task - 1, g->plan.count, g->plan.count - 1);
  put_quoted(&b, g->program);
  strbuf_printf(&b, " grade-one ");
  put_quoted(&b, g->manifest);
  strbuf_printf(&b, " $first-$last ");
  put_quoted(&b, g->out_dir);
  strbuf_printf(&b, "\n");
  const char *script = arena_printf(a, "%s/slurm.sh", g->out_dir);
  bool ok = file_write(script, (str){b.p, b.n}, why);
  strbuf_free(&b);
  if (!ok) return false;
  char *argv[16];
  argv[n++] = (char *)(uintptr_t) "sbatch";
  argv[n++] = (char *)(uintptr_t) "--wait";
  argv[n++] = (char *)(uintptr_t) "--job-name=warplings";
  argv[n++] = (char *)(uintptr_t) "--cpus-per-task=1";
  argv[n++] = (char *)(uintptr_t) "--open-mode=append";
  argv[n++] = arena_printf(a, "--chdir=%s", g->out_dir);
  argv[n++] = (char *)(uintptr_t) "--output=slurm.log";
  argv[n++] = word(a, "--array=0-%u", tasks - 1);
  argv[n++] = (char *)(uintptr_t)script;
  argv[n] = NULL;
  ok = run_command(argv, "Slurm's sbatch", why);
  if (!ok && stopped)
    diag_next(why, "Slurm's jobs go on: scancel --name=warplings ends them; then run the same "
                   "command again");
  return ok;
}

bool engine_run(struct grading *g, struct diag *why) {
  struct progress bar;
  u32 *list = NEWN(g->keep, u32, g->plan.count), count = g->plan.count, failed = 0;
  for (u32 i = 0; i < count; i++) list[i] = i;
  if (g->engine != ENGINE_POOL) {
    if (!(g->engine == ENGINE_SLURM ? with_slurm(g, why) : with_parallel(g, why))) return false;
    count = 0; /* only what it has not done */
    for (u32 i = 0; i < g->plan.count; i++) {
      struct arena scratch = {0};
      struct outcomes o;
      bool whole = task_outcomes(&scratch, &g->plan, i, g->out_dir, &o);
      for (u32 k = 0; whole && k < g->plan.course.count; k++) whole = !o.list[k].unfinished;
      if (!whole) list[count++] = i;
      arena_free(&scratch);
    }
    g->retried = count;
  }
  progress_start(&bar, "grading", count, g->plan.count);
  bool ok = pool(g, task_run, g->jobs, list, count, &failed, &bar, why);
  if (ok && failed) {
    g->retried += failed;
    ok = pool(g, task_run, g->jobs, list, failed, &failed, &bar, why);
  }
  progress_end(&bar);
  g->judged = bar.judged;
  g->kept = bar.kept;
  g->reused = bar.reused;
  g->failed = failed;
  return ok;
}

/* What fails here fails again when it is judged, and is told then. */
void engine_survey(struct grading *g) {
  struct progress bar;
  struct diag why = {0};
  u32 *list = NEWN(g->keep, u32, g->plan.count), failed = 0;
  for (u32 i = 0; i < g->plan.count; i++) list[i] = i;
  progress_start(&bar, "looking at", g->plan.count, g->plan.count);
  bar.is_quiet = true;
  pool(g, task_survey, g->jobs, list, g->plan.count, &failed, &bar, &why);
}

void engine_gpu(struct grading *g, u32 gpus) {
  struct progress bar;
  struct diag why = {0};
  u32 *list = NEWN(g->keep, u32, g->plan.count), failed = 0;
  for (u32 i = 0; i < g->plan.count; i++) list[i] = i;
  progress_start(&bar, "on the GPU: what passes of", g->plan.count, g->plan.count);
  pool(g, task_gpu, gpus, list, g->plan.count, &failed, &bar, &why);
  progress_end(&bar);
  g->gpu_runs = bar.judged;
}
