/* out.c - what the writers of out_*.c share: files that appear whole or not at all, and a verdict
 * as a student may see it. */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "grade/out.h"

FILE *out_open(struct arena *a, const struct output *o, const char *name, char **temp,
               struct diag *why) {
  *temp = arena_printf(a, "%s/%s.part", o->out_dir, name);
  FILE *f = fopen(*temp, "we");
  if (!f) diag_at(why, *temp, 0, 0, "cannot write: %s", strerror(errno));
  return f;
}

bool out_close(FILE *f, const struct output *o, const char *name, char *temp, struct diag *why) {
  struct arena a = {0};
  const char *path = arena_printf(&a, "%s/%s", o->out_dir, name);
  errno = 0;
  bool ok = !ferror(f) && fflush(f) == 0;
  int failed = errno;
  if (fclose(f) != 0 && ok) ok = false, failed = errno;
  if (ok && rename(temp, path) != 0) ok = false, failed = errno;
  if (!ok) {
    unlink(temp);
    diag_at(why, path, 0, 0, "cannot write: %s", strerror(failed ? failed : EIO));
    diag_next(why,
              "make room there and run the same command again: nothing that was graded is lost");
  }
  arena_free(&a);
  return ok;
}

const char *out_puzzle(const struct output *o, u32 i) {
  return pz_puzzle_at(o->plan->course.puzzles[i].puzzle)->id;
}

u64 out_virtual_time(const struct verdict *v) {
  return v->counters.makespan ? v->counters.makespan : v->counters.steps;
}

const char *out_gpu(const struct output *o) {
  if (!o->plan->wants_gpu) return NULL;
  return *o->plan->gpu_missing ? arena_printf(o->keep, "SKIP, %s", o->plan->gpu_missing)
                               : "what passed on the virtual machine ran on a GPU as well";
}

void out_verdict(struct arena *a, const struct outcome *o, struct verdict *v) {
  struct diag why = {0};
  if (o->missing || o->unfinished) {
    diag_set(&why, "%s", score_reason(a, o));
    verdict_unjudged(v, a, o->missing ? V_SKIP : V_INTERNAL, &why);
    return;
  }
  *v = o->v;
  if (score_shows(o)) return;
  v->findings = NEW(a, struct finding);
  v->finding_count = 1;
  *v->findings = (struct finding){.kind = v->kind, .element = -1};
  v->findings->space = v->findings->object = v->findings->suggestion = v->findings->waits = "";
  v->findings->schedule = "";
  v->findings->message = score_reason(a, o);
}

void out_item(struct arena *a, const struct output *o, u32 i, const struct outcome *x,
              struct report_item *it) {
  const struct pz_puzzle *z = pz_puzzle_at(o->plan->course.puzzles[i].puzzle);
  struct verdict *v = NEW(a, struct verdict);
  out_verdict(a, x, v);
  *it = (struct report_item){.id = z->id, .title = z->title ? z->title : z->id, .learned = ""};
  it->path = arena_printf(a, "%s.cu", z->id);
  it->replay = arena_printf(a, "make check P=%.*s", (int)strcspn(z->id, "_"), z->id);
  it->v = v;
}
