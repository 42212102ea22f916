/* gpu.c - the second stage of --backend gpu: what has passed on the virtual machine runs on a GPU,
 * one process at a time on each. A GPU adds a time and more evidence; where there is none, or it
 * does not work in the sandbox, the machine's word stands and every report says SKIP.
 *
 * A kernel that fails there, twice and in a fresh process each time, although the machine has
 * proved it right, is a contradiction that somebody has to look at: the machine's gap, the GPU's
 * fault, or code that only this GPU finds out. Its mark stays open; it is tried again next time. */
#include <string.h>
#include "device/device_gpu.h"
#include "grade/task.h"

enum { TRIES = 2, GPU_MS = 120000 };

/* Another GPU or driver: another result. */
static const char *path_of(struct arena *a, const struct plan *p, const char *record) {
  return arena_printf(a, "%s-gpu-%s", record, p->gpu_key);
}

static void judge(struct tasking *t, struct arena *keep, u32 i, struct record *rec) {
  const struct plan *p = t->plan;
  const struct pz_puzzle *z = task_puzzle(p, i);
  const char *shown = arena_printf(keep, "%s.cu", z->id);
  struct pz_request r = {
      .path = shown, .compiler = p->course.compiler, .device = DEVICE_GPU, .gpu_only = true};
  r.plan.seed = grade_derive(p->course.secret, "schedules", z->id) >> 32;
  r.input_seed = grade_derive(p->course.secret, "inputs", z->id);
  for (rec->tries = 1;; rec->tries++) {
    r.workshop = shop_file(t->shop, shown, t->intake->files[i].source, p->course.compiler, GPU_MS);
    pz_judge(keep, z, &r, &rec->v);
    if (rec->v.kind == V_PASS || rec->tries == TRIES) return;
    shop_restart(t->shop);
  }
}

/* As task.c's judge_file, one at a time: who works on a GPU does not wait for others. */
static bool one(struct tasking *t, u32 i, struct diag *why) {
  struct arena scratch = {0};
  const struct intake_file *f = &t->intake->files[i];
  struct record rec = {.puzzle = task_puzzle(t->plan, i)->id, .name = f->name}, old;
  char hex[65];
  const char *key = record_judgement(&scratch, t->plan, rec.puzzle, f->source);
  const char *proof = record_path(&scratch, t->out_dir, t->submission->key, rec.puzzle, key);
  const char *path = path_of(&scratch, t->plan, proof);
  bool passed = record_read(&scratch, proof, &old) && old.v.kind == V_PASS;
  bool kept = passed && record_read(&scratch, path, &old) && old.v.kind == V_PASS, ok = true;
  if (passed && !kept) {
    grade_sha256(f->source, hex);
    rec.source_sha256 = hex;
    bool shared = t->shares >= 0 && plan_shares(t->plan, key);
    const char *common =
        path_of(&scratch, t->plan, share_path(&scratch, t->out_dir, rec.puzzle, key));
    if (shared && share_read(&scratch, common, &rec)) {
      t->result->reused++;
    } else {
      if (shared) shop_fresh(t->shop);
      judge(t, &scratch, i, &rec);
      t->result->judged++;
      t->result->faults += rec.v.kind != V_PASS;
      if (shared && rec.v.kind == V_PASS) ok = share_write(common, &rec, why);
    }
    ok = ok && record_write(path, &rec, why);
  } else {
    t->result->kept += kept;
  }
  arena_free(&scratch);
  return ok;
}

static bool all(struct tasking *t, struct diag *why) {
  for (u32 i = 0; i < t->plan->course.count; i++)
    if (*t->intake->files[i].name && !*t->intake->files[i].problem && !one(t, i, why)) return false;
  return true;
}

enum task_end task_gpu(const struct plan *p, u32 index, const char *out_dir,
                       const struct jail_settings *s, struct task_result *r, struct diag *why) {
  return task_with(p, index, out_dir, s, all, r, why);
}

static void contradict(struct arena *keep, const struct verdict *gpu, struct verdict *v) {
  struct finding *f = NEW(keep, struct finding);
  *f = gpu->finding_count ? gpu->findings[0] : (struct finding){.element = -1};
  f->kind = V_INTERNAL;
  f->message = arena_printf(keep, "The virtual machine passes this file, the GPU does not (%s): %s",
                            verdict_text(gpu->kind),
                            gpu->finding_count ? gpu->findings[0].message : "no reason given");
  if (!gpu->finding_count) f->space = f->object = f->suggestion = f->waits = f->schedule = "";
  v->kind = V_INTERNAL;
  v->findings = f;
  v->finding_count = 1;
}

void gpu_outcome(struct arena *keep, const struct plan *p, const char *record, struct outcome *o) {
  struct record rec;
  struct verdict *v = &o->v;
  if (*p->gpu_missing) {
    /* The reason in full stands once in each report. */
    v->evidence.gpu =
        arena_printf(keep, "SKIP, %.*s", (int)strcspn(p->gpu_missing, ":"), p->gpu_missing);
  } else if (!record_read(keep, path_of(keep, p, record), &rec)) {
    v->evidence.gpu = "SKIP, it has not run there yet";
  } else if (rec.v.kind == V_INTERNAL || rec.v.kind == V_SKIP) {
    v->evidence.gpu = arena_printf(keep, "SKIP, %s",
                                   rec.v.finding_count ? rec.v.findings[0].message : "no reason");
  } else {
    v->evidence.gpu = rec.v.evidence.gpu;
    v->evidence.gpu_ms = rec.v.evidence.gpu_ms;
    if (rec.v.kind != V_PASS) contradict(keep, &rec.v, v);
  }
}

/* ---- is there one? ---- */
u32 gpu_find(struct arena *keep, struct plan *p, struct jail_settings *s) {
  struct gpu_found found;
  struct diag why = {0};
  char hex[65];
  gpu_probe(&found);
  p->gpu_missing = found.ok ? "" : arena_printf(keep, "no GPU here: %s", found.missing);
  if (!found.ok) return 0;
  s->gpu_library = arena_printf(keep, "%s", found.library);
  const char *kind = arena_printf(keep, "%s, driver for CUDA %u.%u", found.name,
                                  found.driver / 1000, found.driver % 1000 / 10);
  grade_sha256(str_of(kind), hex);
  snprintf(p->gpu_key, sizeof p->gpu_key, "%.8s", hex);
  if (jail_user_claim(0, &s->uid, &why) && shop_gpu_works(s, p->course.compiler, &why)) {
    fprintf(stderr, "GPU: %u, %s\n", found.count, kind);
  } else {
    p->gpu_missing =
        arena_printf(keep, "the GPU (%s) does not work in the sandbox: %s", found.name, why.text);
    fprintf(stderr, "GPU: SKIP, %s\n", p->gpu_missing);
  }
  jail_user_release();
  return *p->gpu_missing ? 0 : found.count;
}
