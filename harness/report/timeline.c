/* timeline.c - what each SM did, as a picture: one row an SM, time to the right. */
#include <inttypes.h>
#include <string.h>
#include "report/parts.h"

enum { WIDTH = 48, ROWS = 16 };

/* How many of its warps worked: none, some, most. */
static char mark(u32 percent) {
  return percent == 0 ? ' ' : percent < 34 ? '.' : percent < 67 ? '-' : '#';
}

static u32 average(const struct vm_sm_time *sm, u32 from, u32 to) {
  u32 sum = 0;
  for (u32 b = from; b < to; b++) sum += sm->percent[b];
  return sum ? (sum + (to - from) - 1) / (to - from) : 0;
}

static void row(FILE *out, const struct vm_time_line *t, u32 n, u32 used) {
  const struct vm_sm_time *sm = &t->sm[n];
  u32 columns = used < WIDTH ? used : WIDTH;
  char line[WIDTH + 1];
  for (u32 c = 0; c < columns; c++) {
    u32 from = c * used / columns, to = (c + 1) * used / columns;
    line[c] = mark(average(sm, from, to));
  }
  line[columns] = 0;
  fprintf(out, "          SM %-3u |%s|  worked %3.0f %%\n", n, line,
          100.0 * (double)sm->worked / (double)t->makespan);
}

void text_time_line(const struct report_style *s, const struct vm_time_line *t) {
  if (!t->makespan || !t->bucket_cycles) return;
  u64 used = (t->makespan + t->bucket_cycles - 1) / t->bucket_cycles;
  if (used > VM_TIME_BUCKETS) used = VM_TIME_BUCKETS;
  fprintf(s->out,
          "  time    %" PRIu64
          " cycles of the cost model; # most of an SM's warps work, - about half, . a few\n",
          t->makespan);
  for (u32 n = 0; n < t->sm_count && n < ROWS; n++) row(s->out, t, n, (u32)used);
  if (t->sm_count > ROWS) fprintf(s->out, "          and %u SMs more\n", t->sm_count - ROWS);
}
