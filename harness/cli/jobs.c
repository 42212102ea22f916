/* jobs.c - many judgements through the process pool. A child that fails to answer becomes an
 * INTERNAL verdict: never a pass, never the end of the others. */
#include "cli/cli.h"

struct batch {
  struct arena *keep;
  const struct job *jobs;
  void (*done)(void *self, u32 i, const struct verdict *v);
  void *self;
};

static void work(void *self, u32 i, struct strbuf *result) {
  const struct batch *b = self;
  struct arena arena = {0};
  struct verdict v;
  if (!b->jobs[i].missing) {
    pz_judge(&arena, b->jobs[i].puzzle, &b->jobs[i].request, &v);
    verdict_write(result, &v);
  }
  arena_free(&arena);
}

static void done(void *self, u32 i, str bytes, const struct diag *failure) {
  const struct batch *b = self;
  struct verdict *v = NEW(b->keep, struct verdict);
  struct diag why = *failure;
  verdict_init(v);
  if (b->jobs[i].missing) {
    diag_set(&why, "%s", b->jobs[i].missing);
    verdict_unjudged(v, b->keep, b->jobs[i].demanded ? V_INTERNAL : V_SKIP, &why);
  } else if (why.set || !verdict_read(b->keep, bytes, v, &why)) {
    verdict_unjudged(v, b->keep, V_INTERNAL, &why);
  }
  b->done(b->self, i, v);
}

void jobs_run(struct arena *keep, const struct job *jobs, u32 count, u32 workers, u32 timeout_s,
              void (*on_done)(void *self, u32 i, const struct verdict *v), void *self) {
  struct batch b = {.keep = keep, .jobs = jobs, .done = on_done, .self = self};
  /* Workers are forked from here and inherit the loaded compiler. */
  if (count > workers) compile_warm(jobs[0].request.compiler);
  pool_run(&(struct pool_task){.count = count,
                               .jobs = workers,
                               .timeout_s = timeout_s,
                               .self = &b,
                               .work = work,
                               .done = done});
}
