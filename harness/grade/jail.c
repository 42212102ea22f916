/* jail.c - one sandboxed process: started with limits, asked over pipes under a deadline, ended
 * with everything that it started. jail_args.c says what the sandbox is made of.
 *
 * Invariant: the process that calls this is a child subreaper (task.c), so whatever a jail's
 * processes start and abandon becomes our child and is found by jail_stop. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "box/box.h"
#include "grade/jail.h"

static void remember(pid_t old, pid_t new);

/* ---- starting ---- */
static void limit(int which, u64 value) {
  struct rlimit l = {.rlim_cur = value, .rlim_max = value}, now;
  if (getrlimit((__rlimit_resource_t)which, &now) == 0 && now.rlim_max < l.rlim_max)
    l.rlim_cur = l.rlim_max = now.rlim_max;
  if (setrlimit((__rlimit_resource_t)which, &l) != 0) _exit(126);
}

/* As root: another user without any capability. The bounding set goes first, while we still may. */
static void become(u32 uid) {
  for (int cap = 0; cap < 64; cap++) prctl(PR_CAPBSET_DROP, cap, 0, 0, 0);
  if (setgroups(0, NULL) != 0 || setresgid(uid, uid, uid) != 0 || setresuid(uid, uid, uid) != 0)
    _exit(126);
  if (getuid() != uid || geteuid() != uid || setuid(0) == 0) _exit(126);
}

/* The wanted descriptors become 0, 1, 2 and, for the filter, JAIL_FILTER_FD; no other survives. */
static _Noreturn void child(const struct jail_command *c, int in, int out, int err, pid_t parent) {
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  for (int s = 1; s < 32; s++) signal(s, SIG_DFL);
  int fds[4] = {in, out, err, c->filter_fd};
  for (int i = 0; i < 4; i++) /* out of the way of the final numbers */
    if (fds[i] >= 0 && (fds[i] = fcntl(fds[i], F_DUPFD, 64)) < 0) _exit(127);
  for (int i = 0; i < 3; i++)
    if (dup2(fds[i], i) < 0) _exit(127);
  int last = 3;
  if (fds[3] >= 0) last = dup2(fds[3], JAIL_FILTER_FD) + 1;
  if (last < 3 || close_range((unsigned)last, ~0u, 0) != 0) _exit(127);
  umask(0077);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, c->file_bytes);
  limit(RLIMIT_NOFILE, 256);
  limit(RLIMIT_CPU, c->cpu_s);
  limit(RLIMIT_STACK, 64 << 20);
  if (c->address_bytes) limit(RLIMIT_AS, c->address_bytes);
  if (geteuid() == 0 && c->uid) become(c->uid);
  /* Again: a change of user takes the first one back. */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  limit(RLIMIT_NPROC, c->processes);
  if (chdir(c->dir) != 0) _exit(127);
  if (c->filter_here && !jail_filter_load()) _exit(126);
  execve(c->argv[0], c->argv, c->env);
  dprintf(2, "cannot run %s: %s\n", c->argv[0], strerror(errno));
  _exit(127);
}

static bool open_pipes(int fds[3][2], struct diag *why) {
  for (int i = 0; i < 3; i++)
    if (pipe2(fds[i], O_CLOEXEC) != 0) {
      diag_set(why, "cannot make a pipe: %s", strerror(errno));
      for (int k = 0; k < i; k++) close(fds[k][0]), close(fds[k][1]);
      return false;
    }
  return true;
}

bool jail_start(struct jail *j, const struct jail_settings *s, enum jail_program p,
                struct diag *why) {
  struct arena a = {0};
  struct jail_command c = {0};
  int fds[3][2];
  char dir[JAIL_DIR_MAX] = "";
  *j = (struct jail){.pid = -1};
  if ((s->sandbox != SANDBOX_BWRAP && !jail_dir_make(dir, jail_uid(s), why)) ||
      !jail_command_make(&a, s, p, dir, &c, why) || !open_pipes(fds, why)) {
    jail_dir_remove(dir);
    arena_free(&a);
    return false;
  }
  fflush(NULL);
  pid_t parent = getpid(), pid = fork();
  if (pid == 0) child(&c, fds[0][0], fds[1][1], fds[2][1], parent);
  close(fds[0][0]);
  close(fds[1][1]);
  close(fds[2][1]);
  if (c.filter_fd >= 0) close(c.filter_fd);
  *j = (struct jail){.pid = pid, .to = fds[0][1], .from = fds[1][0], .words = fds[2][0]};
  memcpy(j->dir, dir, sizeof dir);
  fcntl(j->to, F_SETFL, O_NONBLOCK);
  fcntl(j->from, F_SETFL, O_NONBLOCK);
  fcntl(j->words, F_SETFL, O_NONBLOCK);
  if (pid < 0) {
    diag_set(why, "cannot start a process: %s", strerror(errno));
    close(j->to), close(j->from), close(j->words);
    jail_dir_remove(j->dir);
  }
  if (pid > 0) remember(0, pid);
  if (geteuid() == 0 && s->sandbox != SANDBOX_BWRAP) j->hunted = c.uid;
  arena_free(&a);
  return pid > 0;
}

/* ---- asking ---- */
struct talk {
  struct jail *j;
  const struct jail_budget *budget;
  u64 start;
  struct strbuf out;
  size_t sent;
  struct box_head head;
  size_t head_bytes;
  struct strbuf *reply;
  u64 max_bytes;
  u32 type;
  const char *fault; /* what it did wrong */
};

/* What it writes to standard error is kept to a kilobyte; the rest goes nowhere, and never blocks.
 */
static void hear(struct jail *j) {
  char piece[4096];
  ssize_t n = read(j->words, piece, sizeof piece);
  if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
    close(j->words);
    j->words = -1;
  }
  for (ssize_t i = 0; i < n && j->said_bytes + 1 < sizeof j->said; i++)
    j->said[j->said_bytes++] = piece[i] ? piece[i] : ' ';
}

static void send_some(struct talk *t) {
  ssize_t n = write(t->j->to, t->out.p + t->sent, t->out.n - t->sent);
  if (n > 0) t->sent += (size_t)n;
  if (n < 0 && errno != EAGAIN && errno != EINTR) t->fault = "ended before it had read its request";
}

static void receive_some(struct talk *t) {
  char piece[65536];
  bool in_head = t->head_bytes < sizeof t->head;
  size_t want = in_head ? sizeof t->head - t->head_bytes : (size_t)t->head.bytes - t->reply->n;
  ssize_t n = read(t->j->from, piece, want < sizeof piece ? want : sizeof piece);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n <= 0) {
    t->fault = "ended without an answer";
    return;
  }
  if (!in_head) {
    strbuf_add(t->reply, piece, (size_t)n);
    return;
  }
  memcpy((char *)&t->head + t->head_bytes, piece, (size_t)n);
  t->head_bytes += (size_t)n;
  if (t->head_bytes < sizeof t->head) return;
  if (t->head.magic != BOX_MAGIC || t->head.type != t->type)
    t->fault = "answered with something that is no answer";
  else if (t->head.bytes > t->max_bytes)
    t->fault = "answered with more than is allowed";
}

static bool finished(const struct talk *t) {
  return t->head_bytes == sizeof t->head && t->reply->n == t->head.bytes;
}

static void converse(struct talk *t) {
  while (!t->fault && !finished(t)) {
    struct jail *j = t->j;
    struct pollfd p[3] = {{.fd = t->sent < t->out.n ? j->to : -1, .events = POLLOUT},
                          {.fd = j->from, .events = POLLIN},
                          {.fd = j->words, .events = POLLIN}};
    if (jail_time_up(j, t->budget, t->start, &j->starved)) {
      j->too_slow = true;
      t->fault = j->starved
                     ? "took too long, although it worked but little: the machine is too busy"
                     : "took too long";
      return;
    }
    int n = poll(p, 3, (int)jail_time_left(t->budget, t->start));
    if (n <= 0) continue;
    if (p[2].revents) hear(j);
    if (p[0].revents) send_some(t);
    if (!t->fault && p[1].revents) receive_some(t);
  }
}

bool jail_ask(struct jail *j, u32 type, const struct strbuf *request, u64 max_bytes,
              struct jail_budget *budget, struct strbuf *reply, struct diag *why) {
  struct talk t = {.j = j,
                   .budget = budget,
                   .start = jail_clock_ms(),
                   .reply = reply,
                   .max_bytes = max_bytes,
                   .type = type};
  struct box_head h = {.magic = BOX_MAGIC, .type = type, .bytes = request->n};
  reply->n = 0;
  j->too_slow = j->starved = false;
  if (j->pid <= 0) {
    diag_set(why, "the sandboxed process does not run");
    return false;
  }
  strbuf_add(&t.out, (const char *)&h, sizeof h);
  strbuf_add(&t.out, request->p ? request->p : "", request->n);
  converse(&t);
  strbuf_free(&t.out);
  budget->spent_ms += jail_clock_ms() - t.start;
  if (!t.fault) return true;
  if (j->words >= 0) hear(j);
  diag_set(why, "the sandboxed process %s%s%s", t.fault, j->said_bytes ? ": " : "",
           j->said_bytes ? j->said : "");
  jail_stop(j);
  return false;
}

/* ---- ending ---- */
/* Our children now: the jail's first process, and whatever its descendants were adopted as. */
static u32 children(pid_t *out, u32 max) {
  char path[64];
  u32 n = 0;
  long pid;
  snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
  FILE *f = fopen(path, "re");
  if (!f) return 0;
  while (n < max && fscanf(f, "%ld", &pid) == 1) out[n++] = (pid_t)pid;
  fclose(f);
  return n;
}

static pid_t living[8]; /* jails of this process that run */

static void remember(pid_t old, pid_t new) {
  for (size_t i = 0; i < COUNT_OF(living); i++)
    if (living[i] == old) {
      living[i] = new;
      return;
    }
  if (new) BUG("more than %zu jails in one process", COUNT_OF(living));
}

static bool is_jail(pid_t pid) {
  for (size_t i = 0; i < COUNT_OF(living); i++)
    if (living[i] == pid) return true;
  return false;
}

/* Until nobody is left but our other jails: each round may bring up new orphans. */
static void kill_orphans(void) {
  pid_t list[256];
  for (u32 round = 0, others = 1; others && round < 1000; round++) {
    u32 n = children(list, COUNT_OF(list));
    others = 0;
    for (u32 i = 0; i < n; i++) {
      if (is_jail(list[i])) continue;
      others++;
      kill(-list[i], SIGKILL);
      kill(list[i], SIGKILL);
      while (waitpid(list[i], NULL, 0) < 0 && errno == EINTR) continue;
    }
  }
}

/* In the modes without a pid namespace a daemon has to be hunted: as root by its user. */
static void kill_user(u32 uid) {
  pid_t pid = fork();
  if (pid == 0) {
    if (setresuid(uid, uid, uid) == 0) kill(-1, SIGKILL);
    _exit(0);
  }
  while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR) continue;
}

void jail_stop(struct jail *j) {
  if (j->pid <= 0) return;
  close(j->to);
  close(j->from);
  if (j->words >= 0) close(j->words);
  kill(-j->pid, SIGKILL);
  kill(j->pid, SIGKILL);
  while (waitpid(j->pid, NULL, 0) < 0 && errno == EINTR) continue;
  if (j->hunted) kill_user(j->hunted);
  remember(j->pid, 0);
  kill_orphans();
  jail_dir_remove(j->dir);
  j->pid = j->to = j->from = j->words = -1;
}
