/* diff.c - compares the virtual machine with a GPU: single forms, random programs, the kernels of
 * tests/kernels, the cases of tests/ops. This file: command line, worker processes, totals.
 *
 * Work is done in children, since a faulty kernel costs its process the GPU. A child that ends
 * early costs its batch; the rest goes on in a new one. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "cli/cli.h"
#include "gpu/diff.h"

enum { BATCH_SECONDS = 120, RESTARTS_MAX = 64 };
static const struct diff_mode *const modes[] = {&diff_forms, &diff_ops, &diff_table, &diff_random,
                                                &diff_prepare};

bool diff_other(struct diff *d, str ptx, struct lab_kernel *k, u32 count, bool *dead,
                struct diag *why) {
  struct lab_times t = {0};
  if (!d->on_gpu) return lab_vm(ptx, k, count, VM_SPLIT_REVERSED, 7, false, why);
  bool ok = lab_gpu(ptx, k, count, d->plain, &t, dead, why);
  DIFF_ADD(d, gpu_us, t.run_ms * 1e3);
  DIFF_ADD(d, open_us, t.open_ms * 1e3);
  return ok;
}

static _Noreturn void worker(struct diff *d, const struct diff_mode *m, u32 batches, u32 self,
                             pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(3);
  bool ok = true;
  while (ok) {
    u32 batch = DIFF_ADD(d, next, 1);
    if (batch >= batches) break;
    d->shared->current[self] = batch + 1;
    alarm(BATCH_SECONDS);
    struct strbuf out = {0};
    ok = m->work(d, batch, &out);
    alarm(0);
    for (size_t at = 0; at < out.n;) { /* one write: lines of workers do not mix */
      ssize_t n = write(STDOUT_FILENO, out.p + at, out.n - at);
      if (n <= 0) _exit(4);
      at += (size_t)n;
    }
    strbuf_free(&out);
    d->shared->current[self] = 0;
  }
  _exit(ok ? 0 : 5); /* not exit: a dead GPU is left alone */
}

static pid_t start(struct diff *d, const struct diff_mode *m, u32 batches, u32 self) {
  fflush(NULL);
  pid_t parent = getpid(), child = fork();
  if (child == 0) worker(d, m, batches, self, parent);
  if (child < 0) BUG("cannot fork: %s", strerror(errno));
  return child;
}

static void run(struct diff *d, const struct diff_mode *m, u32 workers) {
  u32 batches = m->batches(d), running = 0, restarts = 0;
  pid_t pids[DIFF_WORKERS] = {0};
  d->shared->next = 0;
  for (u32 i = 0; i < workers && i < batches; i++, running++) pids[i] = start(d, m, batches, i);
  while (running) {
    int status;
    pid_t pid = wait(&status);
    if (pid < 0 && errno == EINTR) continue;
    if (pid < 0) break;
    u32 i = 0;
    while (i < workers && pids[i] != pid) i++;
    if (i == workers) continue;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      if (!WIFEXITED(status)) {
        printf("%s: batch %u ended with its process (signal %d%s)\n", m->name,
               d->shared->current[i] - 1, WTERMSIG(status),
               WTERMSIG(status) == SIGALRM ? ": too slow" : "");
        DIFF_ADD(d, failed, 1);
      }
      if (d->shared->next < batches && restarts++ < RESTARTS_MAX) {
        pids[i] = start(d, m, batches, i);
        continue;
      }
    }
    running--;
  }
  if (d->shared->next < batches) {
    printf("%s: given up after %d processes that ended early: %u of %u batches not begun\n",
           m->name, RESTARTS_MAX, batches - d->shared->next, batches);
    DIFF_ADD(d, failed, 1);
  }
}

static int one_mode(struct diff *d, const struct diff_mode *m, u32 workers) {
  struct diff_shared *s = d->shared;
  double start_ms = lab_now_ms();
  s->compared = s->equal = s->differing = s->failed = s->refused = s->reduced = s->gpu_us =
      s->open_us = 0;
  run(d, m, workers);
  if (m->end) m->end(d);
  printf("%s: %u compared, %u equal, %u DIFFER, %u failed, %u refused by the assembler; "
         "%.1f s (assembling %.1f s, kernels %.3f s, summed over %u processes)\n",
         m->name, s->compared, s->equal, s->differing, s->failed, s->refused,
         (lab_now_ms() - start_ms) / 1e3, s->open_us / 1e6, s->gpu_us / 1e6, workers);
  if (s->compared == 0 && m != &diff_prepare) printf("%s: nothing was compared\n", m->name);
  return s->differing || s->failed || (s->compared == 0 && m != &diff_prepare);
}

static int usage(void) {
  printf(
      "usage: diff MODE... [--count N] [--first SEED] [--jobs N] [--reduce N] [--plain] [--self]\n"
      "Compares the virtual machine with the GPU; run it in the project's folder. Modes:\n");
  for (u32 i = 0; i < COUNT_OF(modes); i++) printf("  %-8s %s\n", modes[i]->name, modes[i]->help);
  printf(
      "  %-8s the four comparisons, one after the other\n"
      "--count 1000 programs, from seed --first 1; --reduce 3: programs that differ and are "
      "made small;\n"
      "--plain: the driver's assembler does not optimise, and random programs need not mind it;\n"
      "--self: no GPU, the machine against itself. Exit status: 0 all equal, 1 differences, 2 "
      "nothing could be run.\n",
      "all");
  return 2;
}

static bool option(struct diff *d, const char *name, const char *value, u32 *jobs) {
  u64 v;
  if (!value || !cli_number(value, 1ull << 40, &v)) return false;
  if (strcmp(name, "--count") == 0)
    d->count = v;
  else if (strcmp(name, "--first") == 0)
    d->first = v;
  else if (strcmp(name, "--reduce") == 0)
    d->reduce_max = (u32)v;
  else if (strcmp(name, "--jobs") == 0 && v >= 1 && v <= DIFF_WORKERS)
    *jobs = (u32)v;
  else
    return false;
  return true;
}

static const char *gpu_or_die(u32 *sm) {
  static char line[256];
  struct gpu_found f;
  gpu_probe(&f);
  *sm = f.major * 10 + f.minor;
  if (f.ok) {
    snprintf(line, sizeof line, "%s, sm_%u%u, driver for CUDA %u.%u", f.name, f.major, f.minor,
             f.driver / 1000, f.driver % 1000 / 10);
    return line;
  }
  fprintf(stderr, "diff: no GPU: %s\n", f.missing);
  exit(2);
}

int main(int argc, char **argv);
/* Weak: in the test program, which links this file too, run.c has the word. */
__attribute__((weak)) int main(int argc, char **argv) {
  static struct form forms[FORMS_MAX];
  struct arena keep = {0};
  u32 jobs = pool_cores() < 8 ? pool_cores() : 8, chosen = 0;
  bool wanted[COUNT_OF(modes)] = {false};
  struct diff d = {.first = 1, .count = 1000, .on_gpu = true, .reduce_max = 3, .forms = forms};
  for (int i = 1; i < argc; i++) {
    bool known = strcmp(argv[i], "all") == 0;
    for (u32 m = 0; m < COUNT_OF(modes); m++)
      if (strcmp(argv[i], modes[m]->name) == 0 ||
          (strcmp(argv[i], "all") == 0 && modes[m] != &diff_prepare))
        wanted[m] = known = true, chosen++;
    if (known) continue;
    if (strcmp(argv[i], "--self") == 0)
      d.on_gpu = false;
    else if (strcmp(argv[i], "--plain") == 0)
      d.plain = true;
    else if (argv[i][0] != '-' || !option(&d, argv[i], i + 1 < argc ? argv[i + 1] : NULL, &jobs))
      return usage();
    else
      i++;
  }
  if (!chosen) return usage();
  /* Programs are made of forms that the assembler takes: modes[0] finds out which. */
  if (wanted[3] && d.on_gpu) wanted[0] = true;
  setvbuf(stdout, NULL, _IOLBF, 0);
  d.form_count = forms_expand(&keep, forms, FORMS_MAX);
  d.shared =
      mmap(NULL, sizeof *d.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (d.shared == MAP_FAILED) BUG("no shared memory");
  bool only_prepare = wanted[COUNT_OF(modes) - 1] && chosen == 1;
  printf("the virtual machine against %s\n", only_prepare ? "nothing: preparing"
                                             : d.on_gpu   ? gpu_or_die(&d.sm)
                                                          : "itself");
  int status = 0;
  for (u32 m = 0; m < COUNT_OF(modes); m++)
    if (wanted[m]) status |= one_mode(&d, modes[m], jobs);
  arena_free(&keep);
  return status;
}
