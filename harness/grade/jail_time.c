/* jail_time.c - how long a jail may take. The clock on the wall decides, except for a jail that
 * works but gets only a part of a processor: on a crowded machine it may go on until its processor
 * time says that it has had enough. Who is ended without having had it is no slow program: the
 * grader did not give it its time. */
#define _GNU_SOURCE
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "grade/jail.h"

enum { PATIENCE = 8, DEPTH_MAX = 8, LOOK_AGAIN_MS = 100 };

u64 jail_clock_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (u64)t.tv_sec * 1000 + (u64)t.tv_nsec / 1000000;
}

/* Ticks of a process and of its children that have ended; 0 when it is gone. */
static u64 ticks_of(int pid) {
  char path[64], text[1024];
  unsigned long used[4] = {0};
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  FILE *f = fopen(path, "re");
  size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
  if (f) fclose(f);
  text[n] = 0;
  const char *p = strrchr(text, ')'); /* names may hold anything */
  if (!p || sscanf(p + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %lu %lu", &used[0],
                   &used[1], &used[2], &used[3]) != 4)
    return 0;
  return (u64)used[0] + used[1] + used[2] + used[3];
}

static u64 ticks_below(int pid, u32 depth) {
  char path[64];
  int child;
  u64 sum = ticks_of(pid);
  snprintf(path, sizeof path, "/proc/%d/task/%d/children", pid, pid);
  FILE *f = depth < DEPTH_MAX ? fopen(path, "re") : NULL;
  if (!f) return sum;
  while (fscanf(f, "%d", &child) == 1) sum += ticks_below(child, depth + 1);
  fclose(f);
  return sum;
}

u64 jail_cpu_ms(const struct jail *j) {
  long hz = sysconf(_SC_CLK_TCK);
  return j->pid > 0 && hz > 0 ? ticks_below(j->pid, 0) * 1000 / (u64)hz : 0;
}

struct jail_budget jail_budget(const struct jail *j, u32 limit_ms) {
  return (struct jail_budget){.limit_ms = limit_ms, .cpu_before_ms = jail_cpu_ms(j)};
}

u32 jail_time_left(const struct jail_budget *b, u64 since_ms) {
  u64 passed = b->spent_ms + jail_clock_ms() - since_ms;
  return passed < b->limit_ms ? (u32)(b->limit_ms - passed) : LOOK_AGAIN_MS;
}

bool jail_time_up(const struct jail *j, const struct jail_budget *b, u64 since_ms, bool *starved) {
  u64 passed = b->spent_ms + jail_clock_ms() - since_ms, now;
  *starved = false;
  if (passed < b->limit_ms) return false;
  now = jail_cpu_ms(j);
  u64 worked = now > b->cpu_before_ms ? now - b->cpu_before_ms : 0;
  if (worked >= (u64)b->limit_ms / 4 * 3) return true;
  *starved = true;
  return passed >= (u64)PATIENCE * b->limit_ms || worked < passed / 20;
}
