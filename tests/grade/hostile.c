/* hostile.c - stands in for warplings-vm in test_grade.c: what a student would run if he had broken
 * out of the compiler or the machine. Answers the greeting, then does harm of the kind that a
 * request asks for, to see that nothing comes of it. Linked statically: it must run where there is
 * nothing. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

struct head {
  uint32_t magic, type;
  uint64_t bytes;
};

static void answer(uint32_t type, const char *body, size_t n) {
  struct head h = {0x58424c57, type, n};
  if (write(1, &h, sizeof h) < 0 || write(1, body, n) < 0) _exit(1);
}

/* Daemons: each leaves the session and its parent behind. */
static void daemons(int count) {
  for (int i = 0; i < count; i++) {
    if (fork() != 0) continue;
    setsid();
    if (fork() != 0) _exit(0);
    for (;;) sleep(1000);
  }
}

static int bomb(void) {
  int made = 0;
  while (made < 5000) {
    pid_t p = fork();
    if (p < 0) break;
    if (p == 0)
      for (;;) sleep(1000);
    made++;
  }
  return made;
}

static int can_write(const char *path) {
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (fd >= 0) close(fd), unlink(path);
  return fd >= 0;
}

/* A report of all that worked, "" when nothing did. */
static void report(char *out, size_t size) {
  size_t n = 0;
  static const char *const unreadable[] = {"/etc/passwd", "/proc/1/environ", "/root", "/home",
                                           "/usr/bin/env"};
  struct stat s;
  out[0] = 0;
  for (size_t i = 0; i < sizeof unreadable / sizeof *unreadable; i++)
    if (stat(unreadable[i], &s) == 0)
      n += (size_t)snprintf(out + n, size - n, "sees %s; ", unreadable[i]);
  if (can_write("/x") || can_write("/tmp/x") || can_write("/dev/x"))
    n += (size_t)snprintf(out + n, size - n, "writes; ");
  if (socket(AF_INET, SOCK_STREAM, 0) >= 0)
    n += (size_t)snprintf(out + n, size - n, "has sockets; ");
  if (getuid() == 0 || setuid(0) == 0) n += (size_t)snprintf(out + n, size - n, "is root; ");
  for (int fd = 3; fd < 200; fd++)
    if (fcntl(fd, F_GETFD) >= 0)
      n += (size_t)snprintf(out + n, size - n, "has descriptor %d; ", fd);
}

int main(void) {
  struct head h;
  static char text[65536];
  while (read(0, &h, sizeof h) == (ssize_t)sizeof h) {
    char what[32] = "";
    for (uint64_t left = h.bytes; left;) {
      ssize_t n = read(0, text, left < sizeof text ? left : sizeof text);
      if (n <= 0) return 1;
      if (!what[0] && n < (ssize_t)sizeof what) memcpy(what, text, (size_t)n);
      left -= (uint64_t)n;
    }
    if (h.type == 0) {
      answer(0, "", 0);
      continue;
    }
    if (strcmp(what, "daemons") == 0) daemons(20), answer(h.type, "done", 4);
    if (strcmp(what, "bomb") == 0)
      snprintf(text, sizeof text, "%d", bomb()), answer(h.type, text, strlen(text));
    if (strcmp(what, "report") == 0) report(text, sizeof text), answer(h.type, text, strlen(text));
    if (strcmp(what, "silent") == 0) sleep(1000);
    while (strcmp(what, "spins") == 0) text[0]++;
    if (strcmp(what, "leaves") == 0) return 0;
    if (strcmp(what, "crashes") == 0) abort();
    if (strcmp(what, "floods") == 0)
      for (;;)
        if (write(1, text, sizeof text) < 0) return 1;
    if (strcmp(what, "other") == 0) answer(h.type + 1, text, 10);
    if (strcmp(what, "huge") == 0) {
      struct head big = {0x58424c57, h.type, 1ull << 60};
      if (write(1, &big, sizeof big) < 0) return 1;
    }
    if (strcmp(what, "short") == 0) {
      struct head big = {0x58424c57, h.type, 100};
      if (write(1, &big, sizeof big) < 0 || write(1, text, 10) < 0) return 1;
      return 0;
    }
    if (strcmp(what, "memory") == 0) {
      size_t total = 0;
      for (char *p; total < (size_t)8 << 30 && (p = malloc(1 << 20)); total += 1 << 20)
        memset(p, 1, 1 << 20);
      snprintf(text, sizeof text, "%zu", total >> 20), answer(h.type, text, strlen(text));
    }
    if (strcmp(what, "babbles") == 0)
      for (;;)
        if (write(2, text, sizeof text) < 0) return 1;
  }
  return 0;
}
