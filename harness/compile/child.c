/* child.c - runs one piece of work in a child process under limits: wall clock, memory, output.
 * Knows nothing about compilers. A source that crashes, hangs or bloats its compiler ends the
 * child, never us. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "compile/parts.h"

#if defined(__SANITIZE_ADDRESS__)
#define UNDER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define UNDER_ASAN 1
#endif
#endif
#ifndef UNDER_ASAN
#define UNDER_ASAN 0
#endif

#define OUT_MAX (COMPILE_PTX_MAX + COMPILE_LOG_MAX + 4096)
#define ERR_MAX ((size_t)256 << 10)

/* In coverage builds the child's counters would be lost with _exit. */
#ifdef WL_COVERAGE
extern void __gcov_dump(void);
#else
static void __gcov_dump(void) {}
#endif

static u64 now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (u64)t.tv_sec * 1000 + (u64)t.tv_nsec / 1000000;
}

static u64 mapped_bytes(void) {
  unsigned long pages = 0;
  FILE *f = fopen("/proc/self/statm", "re");
  if (!f) return 0;
  if (fscanf(f, "%lu", &pages) != 1) pages = 0;
  fclose(f);
  return (u64)pages * (u64)sysconf(_SC_PAGESIZE);
}

static void lower_limit(int which, u64 value) {
  struct rlimit l;
  if (getrlimit((__rlimit_resource_t)which, &l) != 0) return;
  if (l.rlim_max == RLIM_INFINITY || l.rlim_max > value) l.rlim_max = value;
  l.rlim_cur = l.rlim_max;
  setrlimit((__rlimit_resource_t)which, &l);
}

static void set_limits(const struct compile_child *c) {
  lower_limit(RLIMIT_CORE, 0);
  lower_limit(RLIMIT_FSIZE, OUT_MAX);
  lower_limit(RLIMIT_CPU, c->timeout_ms / 1000 + 2);
  /* ASan reserves terabytes of shadow: an address limit would stop it, not the compiler. */
  if (c->extra_address_bytes && c->becomes_program)
    lower_limit(RLIMIT_AS, c->extra_address_bytes);
  else if (c->extra_address_bytes && !UNDER_ASAN)
    lower_limit(RLIMIT_AS, mapped_bytes() + c->extra_address_bytes);
}

static void reset_signals(void) {
  static const int usual[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGPIPE, SIGCHLD,
                              SIGALRM, SIGSEGV, SIGABRT, SIGFPE,  SIGBUS,  SIGILL};
  for (size_t i = 0; i < COUNT_OF(usual); i++) signal(usual[i], SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

_Noreturn static void child_main(const struct compile_child *c, int out, int err, pid_t parent) {
  setpgid(0, 0);
  /* The child leads its own process group, so Ctrl-C does not reach it: it must go with us. */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  reset_signals();
  int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (null < 0 || dup2(null, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0) _exit(127);
  close_range(3, ~0u, 0);
  set_limits(c);
  c->body(c->ctx);
  __gcov_dump();
  _exit(0);
}

/* One read; false at the end of the stream. Beyond max the bytes are dropped and *over is set. */
static bool drain(int fd, struct strbuf *b, size_t max, bool *over) {
  char buf[16384];
  ssize_t n = read(fd, buf, sizeof buf);
  if (n < 0) return errno == EINTR || errno == EAGAIN;
  if (n == 0) return false;
  size_t room = max - b->n;
  if ((size_t)n > room) *over = true;
  strbuf_add(b, buf, (size_t)n < room ? (size_t)n : room);
  return true;
}

/* ---- when is it too long? ---- */

struct limit {
  pid_t pid;
  u64 start_ms;
  u32 timeout_ms;
};
enum { PATIENCE = 8, LOOK_AGAIN_MS = 50 };

/* The clock on the wall decides, except for a child that works but gets only a part of a processor:
 * on a crowded machine it may go on until its own processor time says that it is too long.
 * CHILD_DONE: it may go on. Who is ended without having had his time proves nothing about his
 * source. */
static enum child_end time_up(const struct limit *l) {
  clockid_t clock;
  struct timespec t = {0};
  u64 passed = now_ms() - l->start_ms;
  if (passed < l->timeout_ms) return CHILD_DONE;
  if (clock_getcpuclockid(l->pid, &clock) != 0 || clock_gettime(clock, &t) != 0)
    return CHILD_TIMEOUT;
  u64 worked = (u64)t.tv_sec * 1000 + (u64)t.tv_nsec / 1000000;
  if (worked > l->timeout_ms / 4 * 3) return CHILD_TIMEOUT;
  return passed >= (u64)PATIENCE * l->timeout_ms || worked < passed / 20 ? CHILD_STARVED
                                                                         : CHILD_DONE;
}

static int milliseconds_left(const struct limit *l) {
  u64 passed = now_ms() - l->start_ms;
  return passed < l->timeout_ms ? (int)(l->timeout_ms - passed) : LOOK_AGAIN_MS;
}

/* Reads both streams until both end, it takes too long, or the results overflow. */
static enum child_end collect(int out, int err, const struct limit *l, struct child_result *r) {
  struct pollfd p[2] = {{.fd = out, .events = POLLIN}, {.fd = err, .events = POLLIN}};
  bool out_over = false, err_over = false;
  while (p[0].fd >= 0 || p[1].fd >= 0) {
    enum child_end up = time_up(l);
    if (up != CHILD_DONE) return up;
    int n = poll(p, 2, milliseconds_left(l));
    if (n < 0 && errno != EINTR) return CHILD_CRASHED;
    if (n <= 0) continue;
    if (p[0].revents && !drain(out, &r->out, OUT_MAX, &out_over)) p[0].fd = -1;
    if (p[1].revents && !drain(err, &r->err, ERR_MAX, &err_over)) p[1].fd = -1;
    if (out_over) return CHILD_TOO_MUCH;
  }
  return CHILD_DONE;
}

/* Waits for the child itself; a child that closed its streams may still run. */
static enum child_end reap(const struct limit *l, enum child_end end, int *status) {
  int st = 0;
  pid_t pid = l->pid, got = 0;
  while (end == CHILD_DONE && (got = waitpid(pid, &st, WNOHANG)) == 0) {
    end = time_up(l);
    nanosleep(&(struct timespec){.tv_nsec = 300000}, NULL);
  }
  kill(-pid, SIGKILL);
  if (got == 0) {
    kill(pid, SIGKILL);
    do got = waitpid(pid, &st, 0);
    while (got < 0 && errno == EINTR);
  }
  if (end != CHILD_DONE) return end;
  if (got < 0) return CHILD_CRASHED;
  *status = WIFEXITED(st) ? WEXITSTATUS(st) : WTERMSIG(st);
  return WIFEXITED(st) ? CHILD_DONE : CHILD_CRASHED;
}

void compile_child_run(const struct compile_child *c, struct child_result *r) {
  *r = (struct child_result){.end = CHILD_NOT_STARTED};
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) != 0) return;
  if (pipe2(err, O_CLOEXEC) != 0) {
    close(out[0]);
    close(out[1]);
    return;
  }
  struct limit l = {.start_ms = now_ms(), .timeout_ms = c->timeout_ms};
  fflush(NULL); /* the child must not hold a second copy of unwritten text */
  pid_t parent = getpid(), pid = fork();
  if (pid == 0) child_main(c, out[1], err[1], parent);
  close(out[1]);
  close(err[1]);
  if (pid > 0) {
    setpgid(pid, pid);
    l.pid = pid;
    r->end = reap(&l, collect(out[0], err[0], &l, r), &r->status);
  }
  close(out[0]);
  close(err[0]);
}

enum { NOT_RUN = 126 }; /* as a shell says it; the loader too, when a library does not load */

void compile_child_diag(const struct child_result *r, const char *compiler, const char *path,
                        u32 timeout_ms, struct diag *why) {
  const char *advice = "Look for a macro, template or constant expression that explodes; "
                       "if there is none, try the other compiler (--compiler)";
  switch (r->end) {
  case CHILD_TIMEOUT:
    diag_at(why, path, 0, 0, "%s did not finish within %u ms and was stopped", compiler,
            timeout_ms);
    break;
  case CHILD_STARVED: /* not the file's fault */
    diag_set(why, "%s was stopped after %u ms or more in which it hardly got to work", compiler,
             timeout_ms);
    advice = "The machine is too busy: try again later, or with fewer jobs";
    break;
  case CHILD_TOO_MUCH:
    diag_at(why, path, 0, 0, "%s produced more than %zu MiB and was stopped", compiler,
            OUT_MAX >> 20);
    break;
  case CHILD_NOT_STARTED:
    diag_set(why, "could not start a process for %s", compiler); /* not the file's fault */
    advice = "The machine may be out of processes or memory";
    break;
  case CHILD_CRASHED:
    diag_at(why, path, 0, 0, "%s was ended by signal %d (%s)", compiler, r->status,
            r->status == SIGXCPU   ? "too much processor time"
            : r->status == SIGABRT ? "it gave up, perhaps out of memory"
            : r->status == SIGSEGV ? "it crashed, perhaps out of memory or stack"
                                   : "it crashed");
    break;
  default:
    if (r->status < NOT_RUN) {
      diag_at(why, path, 0, 0, "%s failed with exit status %d", compiler, r->status);
      break;
    }
    diag_set(why, "%s could not be run (exit status %d)", compiler, r->status);
    advice = "Is it installed as a whole, and is there memory for it? See warplings doctor";
  }
  diag_next(why, "%s.", advice);
}
