/* jobs.c - many judgements through the process pool. A child that fails to answer becomes an
 * INTERNAL verdict: never a pass, never the end of the others. */
#include "cli/cli.h"

struct batch {
  struct arena *keep;
  const struct job *jobs;
  void (*done)(void *self, u32 i, const struct verdict *v);
  void *self;
};

static void judge(const struct job *j, struct strbuf *result) {
  struct arena arena = {0};
  struct verdict v;
  if (!j->missing) {
    pz_judge(&arena, j->puzzle, &j->request, &v);
    verdict_write(result, &v);
  }
  arena_free(&arena);
}

static void conclude(struct arena *keep, const struct job *j, str bytes, const struct diag *failure,
                     struct verdict *v) {
  struct diag why = *failure;
  verdict_init(v);
  if (j->missing) {
    diag_set(&why, "%s", j->missing);
    verdict_unjudged(v, keep, j->demanded ? V_INTERNAL : V_SKIP, &why);
  } else if (why.set || !verdict_read(keep, bytes, v, &why)) {
    verdict_unjudged(v, keep, V_INTERNAL, &why);
  }
}

static void work(void *self, u32 i, struct strbuf *result) {
  const struct batch *b = self;
  judge(&b->jobs[i], result);
}

static void done(void *self, u32 i, str bytes, const struct diag *failure) {
  const struct batch *b = self;
  struct verdict *v = NEW(b->keep, struct verdict);
  conclude(b->keep, &b->jobs[i], bytes, failure, v);
  b->done(b->self, i, v);
}

void jobs_run(struct arena *keep, const struct job *jobs, u32 count, u32 workers, u32 timeout_s,
              void (*on_done)(void *self, u32 i, const struct verdict *v), void *self) {
  struct batch b = {.keep = keep, .jobs = jobs, .done = on_done, .self = self};
  /* Workers are forked from here and inherit the loaded compiler. Not when they will use a GPU:
   * NVRTC starts CUDA in this process where there is one, and CUDA does not survive a fork (cuInit
   * says 3 in every child). */
  bool on_gpu = count && jobs[0].request.device == DEVICE_GPU;
  if (count > workers && !on_gpu) compile_warm(jobs[0].request.compiler);
  pool_run(&(struct pool_task){.count = count,
                               .jobs = workers,
                               .timeout_s = timeout_s,
                               .self = &b,
                               .work = work,
                               .done = done});
}

/* ---- one beside an event loop ---- */
static void work_one(void *self, u32 i, struct strbuf *result) {
  (void)i;
  judge(self, result);
}

void job_start(struct job_run *r, const struct job *job, u32 timeout_s) {
  job_stop(r);
  r->job = *job;
  r->task = (struct pool_task){
      .count = 1, .jobs = 1, .timeout_s = timeout_s, .self = &r->job, .work = work_one};
  pool_start(&r->task, 0, &r->child);
}

bool job_runs(const struct job_run *r) { return r->task.count != 0; }

bool job_receive(struct job_run *r, struct arena *keep, struct verdict *v) {
  struct pool_child *c = &r->child;
  if (!c->finished) pool_receive(&r->task, c);
  if (!c->finished) return false;
  conclude(keep, &r->job, (str){c->bytes.p ? c->bytes.p : "", c->bytes.n}, &c->why, v);
  job_stop(r);
  return true;
}

void job_stop(struct job_run *r) {
  if (!job_runs(r)) return;
  pool_stop(&r->child);
  r->task.count = 0;
}
