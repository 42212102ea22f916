/* sandbox.c - see sandbox.h. */
#include <check.h>
#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "cli/sandbox.h"

enum { OUTPUT_MAX = 64 << 20 };
static char root[64];
static pid_t owner;

const char *sandbox_program(void) {
  const char *p = getenv("WARPLINGS");
  return p && *p ? p : "build/warplings";
}

static void shell(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void shell(const char *fmt, ...) {
  char command[4096];
  va_list ap;
  va_start(ap, fmt);
  int n = vsnprintf(command, sizeof command, fmt, ap);
  va_end(ap);
  ck_assert_int_lt(n, (int)sizeof command);
  ck_assert_msg(system(command) == 0, "%s", command);
}

static void remove_all(void) {
  char command[256];
  if (getpid() != owner) return;
  snprintf(command, sizeof command, "chmod -R u+rwX %s; rm -rf %s", root, root);
  if (system(command) != 0) fprintf(stderr, "cannot remove %s\n", root);
}

const char *sandbox_make(void) {
  strcpy(root, "build/sandbox-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(root));
  owner = getpid();
  atexit(remove_all);
  shell("mkdir %s/puzzles && cp -r puzzles/01_lost_update puzzles/02_read_before_write %s/puzzles/ "
        "&& "
        "rm -f %s/puzzles/*/puzzle.cu* && cp -r solutions %s/",
        root, root, root, root);
  return root;
}

const char *sandbox_path(const char *name) {
  static char text[4][512];
  static u32 next;
  char *p = text[next++ % 4];
  snprintf(p, sizeof text[0], "%s/%s", root, name);
  return p;
}

void sandbox_write(const char *name, const char *bytes, size_t n) {
  char folder[512];
  struct diag why = {0};
  snprintf(folder, sizeof folder, "%s", sandbox_path(name));
  *strrchr(folder, '/') = 0;
  ck_assert_msg(dir_make(folder, &why) && file_write(sandbox_path(name), (str){bytes, n}, &why),
                "%s", why.text);
}
void sandbox_text(const char *name, const char *text) { sandbox_write(name, text, strlen(text)); }

str sandbox_read(const char *name) {
  static struct arena keep;
  struct diag why = {0};
  str s;
  ck_assert_msg(file_read(&keep, sandbox_path(name), OUTPUT_MAX, &s, &why), "%s", why.text);
  return s;
}

static struct arena outputs; /* what was printed lives as long as the test's process */

static char *read_back(FILE *f, size_t *n) {
  fseek(f, 0, SEEK_END);
  long size = ftell(f);
  ck_assert(size >= 0 && size < OUTPUT_MAX);
  rewind(f);
  char *text = arena_alloc(&outputs, (size_t)size + 1);
  *n = fread(text, 1, (size_t)size, f);
  fclose(f);
  return text;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int status_of(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

struct output sandbox_run(const char *fmt, ...) {
  struct output o = {0};
  char words[16384], command[17000];
  size_t ignored;
  va_list ap;
  va_start(ap, fmt);
  int n = vsnprintf(words, sizeof words, fmt, ap);
  va_end(ap);
  ck_assert_int_lt(n, (int)sizeof words);
  snprintf(command, sizeof command, "S=%s; exec timeout 20 %s %s", root, sandbox_program(), words);
  FILE *out = tmpfile(), *err = tmpfile();
  ck_assert(out && err);
  double start = now();
  pid_t pid = fork();
  ck_assert_int_ge(pid, 0);
  if (pid == 0) {
    dup2(fileno(out), 1);
    dup2(fileno(err), 2);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
  }
  int status;
  ck_assert_int_eq(waitpid(pid, &status, 0), pid);
  o.seconds = now() - start;
  o.status = status_of(status);
  o.out = read_back(out, &o.out_bytes);
  o.err = read_back(err, &ignored);
  return o;
}

struct output sandbox_run_on_terminal(const char *environment, const char *words) {
  struct output o = {0};
  char command[4096];
  int fd, status;
  snprintf(command, sizeof command, "S=%s; export TERM=xterm; %s exec timeout 20 %s %s", root,
           environment, sandbox_program(), words);
  pid_t pid = forkpty(&fd, NULL, NULL, NULL);
  ck_assert_int_ge(pid, 0);
  if (pid == 0) {
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
  }
  const size_t cap = 1 << 20;
  o.out = arena_alloc(&outputs, cap);
  for (ssize_t got; o.out_bytes + 4096 < cap && (got = read(fd, o.out + o.out_bytes, 4095)) > 0;)
    o.out_bytes += (size_t)got;
  o.out[o.out_bytes] = 0;
  close(fd);
  ck_assert_int_eq(waitpid(pid, &status, 0), pid);
  o.status = status_of(status);
  return o;
}
