/* pool.c - work in child processes: each with a wall-clock guard, each sending bytes through a
 * pipe. A child that crashes, hangs or sends too much costs its own result only. Results are handed
 * on in order of their numbers. Knows nothing about verdicts. */
#define _GNU_SOURCE /* pipe2 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "cli/cli.h"

enum { RESULT_MAX = 64 << 20, TIMEOUT_DEFAULT = 10 };

u32 pool_cores(void) {
  long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n > 0 && n < 256 ? (u32)n : 1;
}

#ifdef WL_COVERAGE
void __gcov_dump(void);
#define BEFORE_EXIT() __gcov_dump()
#else
#define BEFORE_EXIT() ((void)0)
#endif

static bool send_all(int fd, const char *p, size_t n) {
  while (n) {
    ssize_t k = write(fd, p, n);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return false;
    p += k;
    n -= (size_t)k;
  }
  return true;
}

static _Noreturn void child(const struct pool_task *t, u32 i, int fd, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(3);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGALRM, SIG_DFL);
  signal(SIGPIPE, SIG_IGN);
  alarm(t->timeout_s ? t->timeout_s : TIMEOUT_DEFAULT);
  int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (null >= 0) dup2(null, STDIN_FILENO);
  struct strbuf result = {0};
  t->work(t->self, i, &result);
  bool ok = send_all(fd, result.p, result.n);
  fflush(stderr);
  BEFORE_EXIT();
  _exit(ok ? 0 : 4);
}

void pool_start(const struct pool_task *t, u32 i, struct pool_child *s) {
  int fds[2];
  *s = (struct pool_child){.fd = -1};
  if (pipe2(fds, O_CLOEXEC) != 0) {
    diag_set(&s->why, "cannot make a pipe: %s", strerror(errno));
    s->finished = true;
    return;
  }
  fflush(NULL); /* or the child would print it again */
  pid_t parent = getpid();
  s->pid = fork();
  if (s->pid == 0) {
    close(fds[0]);
    child(t, i, fds[1], parent);
  }
  close(fds[1]);
  s->fd = fds[0];
  if (s->pid < 0) {
    diag_set(&s->why, "cannot start a process: %s", strerror(errno));
    close(s->fd);
    s->finished = true;
  }
}

static void explain(const struct pool_task *t, struct pool_child *s, int status) {
  u32 limit = t->timeout_s ? t->timeout_s : TIMEOUT_DEFAULT;
  if (s->overflow) {
    diag_set(&s->why, "the judging process sent more than %d MiB", RESULT_MAX >> 20);
  } else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
    diag_set(&s->why, "judging took longer than %u seconds of wall-clock time", limit);
    diag_next(&s->why, "try again on a quiet machine, or with --timeout SECONDS");
  } else if (WIFSIGNALED(status)) {
    diag_set(&s->why, "the judging process was ended by signal %d (%s)", WTERMSIG(status),
             strsignal(WTERMSIG(status)));
    diag_next(&s->why, "this is a fault of the suite: please report it with the file");
  } else if (WEXITSTATUS(status) == 2) { /* what base_out_of_memory ends with, and nothing else */
    diag_set(&s->why, "the judging process ran out of memory");
    diag_next(&s->why, "use smaller inputs, or see --memory-limit; the lines above say more");
  } else if (WEXITSTATUS(status) != 0) {
    diag_set(&s->why, "the judging process ended with status %d", WEXITSTATUS(status));
    diag_next(&s->why, "the lines above may say why");
  }
}

void pool_receive(const struct pool_task *t, struct pool_child *s) {
  char buf[65536];
  int status = 0;
  ssize_t n = read(s->fd, buf, sizeof buf);
  if (n < 0 && errno == EINTR) return;
  if (n > 0 && s->bytes.n + (size_t)n <= RESULT_MAX) {
    strbuf_add(&s->bytes, buf, (size_t)n);
    return;
  }
  if (n > 0) {
    s->overflow = true;
    kill(s->pid, SIGKILL);
  }
  close(s->fd);
  while (waitpid(s->pid, &status, 0) < 0 && errno == EINTR) continue;
  s->finished = true;
  explain(t, s, status);
}

static void wait_some(const struct pool_task *t, struct pool_child *slots, u32 first, u32 end) {
  struct pollfd fds[256];
  u32 which[256], n = 0;
  for (u32 i = first; i < end && n < COUNT_OF(fds); i++)
    if (!slots[i].finished) {
      fds[n] = (struct pollfd){.fd = slots[i].fd, .events = POLLIN};
      which[n++] = i;
    }
  if (n == 0 || poll(fds, n, -1) < 0) return;
  for (u32 k = 0; k < n; k++)
    if (fds[k].revents) pool_receive(t, &slots[which[k]]);
}

void pool_stop(struct pool_child *s) {
  if (s->pid > 0 && !s->finished) {
    kill(s->pid, SIGKILL);
    close(s->fd);
    while (waitpid(s->pid, NULL, 0) < 0 && errno == EINTR) continue;
  }
  strbuf_free(&s->bytes);
  *s = (struct pool_child){.fd = -1};
}

void pool_run(const struct pool_task *t) {
  struct pool_child *slots = calloc(t->count ? t->count : 1, sizeof *slots);
  if (!slots) BUG("out of memory for %u tasks", t->count);
  u32 started = 0, handed = 0, jobs = t->jobs ? t->jobs : 1;
  while (handed < t->count) {
    u32 running = 0;
    for (u32 i = handed; i < started; i++) running += !slots[i].finished;
    while (started < t->count && running < jobs) {
      pool_start(t, started, &slots[started]);
      running += !slots[started].finished;
      started++;
    }
    wait_some(t, slots, handed, started);
    for (; handed < started && slots[handed].finished; handed++) {
      struct pool_child *s = &slots[handed];
      t->done(t->self, handed, (str){s->bytes.p ? s->bytes.p : "", s->bytes.n}, &s->why);
      strbuf_free(&s->bytes);
    }
  }
  free(slots);
}
