/* progress.c - how far a grading is: a bar with rate and time left on a terminal, a plain line now
 * and then elsewhere. On standard error; results never go there. */
#include <stdlib.h>
#include <unistd.h>
#include "grade/engine.h"

enum { WIDTH = 24, BAR_MS = 200, LINE_MS = 15000 };

void progress_start(struct progress *b, const char *what, u32 total, u32 submissions) {
  *b = (struct progress){.total = total};
  const char *term = getenv("TERM");
  b->terminal = isatty(STDERR_FILENO) && term && *term;
  b->start_ms = b->shown_ms = jail_clock_ms();
  if (total && !b->terminal) fprintf(stderr, "%s %u of %u submissions\n", what, total, submissions);
}

static void show(const struct progress *b) {
  u64 ms = jail_clock_ms() - b->start_ms;
  double rate = ms ? (double)b->done * 1000 / (double)ms : 0;
  u64 left = rate > 0 ? (u64)((double)(b->total - b->done) / rate) : 0;
  if (b->terminal) {
    u32 full = b->total ? b->done * WIDTH / b->total : 0;
    fputs("\r[", stderr);
    for (u32 i = 0; i < WIDTH; i++) fputc(i < full ? '#' : '-', stderr);
    fprintf(stderr, "] %u/%u  %.1f/s  %llu:%02llu left%s  ", b->done, b->total, rate,
            (unsigned long long)left / 60, (unsigned long long)left % 60,
            b->failed ? "  some failed" : "");
  } else {
    fprintf(stderr, "%u of %u submissions, %.1f a second, %llu:%02llu left\n", b->done, b->total,
            rate, (unsigned long long)left / 60, (unsigned long long)left % 60);
  }
  fflush(stderr);
}

void progress_step(struct progress *b, bool ok) {
  u64 now = jail_clock_ms();
  if (ok)
    b->done++;
  else
    b->failed++;
  /* The last one is shown by progress_end. */
  if (b->done + b->failed >= b->total || b->is_quiet) return;
  if (now - b->shown_ms < (b->terminal ? BAR_MS : LINE_MS)) return;
  b->shown_ms = now;
  show(b);
}

void progress_end(struct progress *b) {
  if (!b->total) return;
  show(b);
  if (b->terminal) fputc('\n', stderr);
}
