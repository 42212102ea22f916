/* task.c - one submission: take it in, judge each of its files that has no record yet, and later
 * read back what came out. Runs in a process of its own, which adopts and ends whatever its jails
 * leave behind. Knows nothing of marks. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "grade/task.h"

enum { TRIES = 2, RUN_MS = 32000 };

const struct pz_puzzle *task_puzzle(const struct plan *p, u32 i) {
  return pz_puzzle_at(p->course.puzzles[i].puzzle);
}

/* ---- one file ---- */
static void blame_asm(struct arena *keep, struct verdict *v) {
  struct diag why = {0};
  diag_set(&why, "An asm statement of this file has PTX that the machine does not run: %.600s",
           v->finding_count ? v->findings[0].message : "");
  diag_next(&why, "no puzzle needs asm: write it in CUDA C++");
  verdict_unjudged(v, keep, V_COMPILE, &why);
}

static void judge_once(struct arena *keep, const struct plan *p, u32 i, const struct intake_file *f,
                       struct shop *shop, struct verdict *v) {
  const struct pz_puzzle *z = task_puzzle(p, i);
  const char *shown = arena_printf(keep, "%s.cu", z->id);
  struct pz_request r = {.path = shown,
                         .compiler = p->course.compiler,
                         .hidden_cases = p->course.hidden_cases,
                         .wants_values = true};
  r.plan.seed = grade_derive(p->course.secret, "schedules", z->id) >> 32;
  r.input_seed = grade_derive(p->course.secret, "inputs", z->id);
  r.workshop = shop_file(shop, shown, f->source, p->course.compiler, RUN_MS);
  pz_judge(keep, z, &r, v);
  /* What the machine does not know may be our gap; in an asm statement, which no puzzle needs, it
   * is no way to a result that stays open. */
  if (v->kind == V_INTERNAL && !shop_broke(shop) && shop_asm(f->source)) blame_asm(keep, v);
}

/* Where a compiler does not come through, the file is to blame only if an empty kernel passes. */
static void find_blame(struct arena *keep, const struct plan *p, struct shop *shop,
                       struct verdict *v) {
  struct diag why = {0};
  if (v->kind != V_COMPILE || !shop_stumbled(shop)) return;
  char version[64];
  if (!shop_canary(shop, p->course.compiler, version, &why))
    verdict_unjudged(v, keep, V_INTERNAL, &why);
}

/* What may be the suite's own failure gets a second chance, with fresh processes. */
static u32 judge(struct arena *keep, const struct plan *p, u32 i, const struct intake_file *f,
                 struct shop *shop, struct verdict *v) {
  struct diag why = {0};
  if (*f->problem) {
    diag_set(&why, "The file %s cannot be taken: %s", f->name, f->problem);
    diag_next(&why, "hand in a plain file with this name");
    verdict_unjudged(v, keep, V_COMPILE, &why);
    return 1;
  }
  for (u32 tries = 1;; tries++) {
    judge_once(keep, p, i, f, shop, v);
    bool again = v->kind == V_INTERNAL || shop_stumbled(shop);
    if (tries == TRIES) find_blame(keep, p, shop, v);
    if (tries == TRIES || !again) return tries;
    shop_restart(shop);
  }
}

/* ---- each file ---- */
/* A file that others have handed in too is judged once, in processes that have seen nothing of
 * anybody's: whatever one student's other files did to theirs cannot reach it. */
static bool judge_shared(struct tasking *t, struct arena *scratch, u32 i, const char *key,
                         bool waits, struct record *rec, bool *later, struct diag *why) {
  const struct intake_file *f = &t->intake->files[i];
  const char *path = share_path(scratch, t->out_dir, rec->puzzle, key);
  if (share_read(scratch, path, rec)) return t->result->reused++, true;
  if (!share_lock(t->shares, key, waits)) return *later = true;
  bool ok = true;
  if (share_read(scratch, path, rec)) {
    t->result->reused++;
  } else {
    shop_fresh(t->shop);
    rec->tries = judge(scratch, t->plan, i, f, t->shop, &rec->v);
    t->result->judged++;
    ok = rec->v.kind == V_INTERNAL || share_write(path, rec, why);
  }
  share_unlock(t->shares, key);
  return ok;
}

/* later: somebody else is judging the same file just now. */
static bool judge_file(struct tasking *t, u32 i, bool waits, bool *later, struct diag *why) {
  struct arena scratch = {0};
  const struct intake_file *f = &t->intake->files[i];
  struct record rec = {.puzzle = task_puzzle(t->plan, i)->id, .name = f->name}, old;
  char hex[65];
  const char *key = record_judgement(&scratch, t->plan, rec.puzzle, f->source);
  const char *path = record_path(&scratch, t->out_dir, t->submission->key, rec.puzzle, key);
  bool ok = true;
  *later = false;
  /* The name counts: what is wrong with a file that cannot be taken is not in its bytes. */
  if (record_read(&scratch, path, &old) && old.v.kind != V_INTERNAL &&
      strcmp(old.name, f->name) == 0) {
    t->result->kept++;
  } else {
    grade_sha256(f->source, hex);
    rec.source_sha256 = hex;
    if (t->shares >= 0 && !*f->problem && plan_shares(t->plan, key)) {
      ok = judge_shared(t, &scratch, i, key, waits, &rec, later, why);
    } else {
      rec.tries = judge(&scratch, t->plan, i, f, t->shop, &rec.v);
      t->result->judged++;
    }
    t->result->faults += ok && !*later && rec.v.kind == V_INTERNAL;
    ok = ok && (*later || record_write(path, &rec, why));
  }
  arena_free(&scratch);
  return ok;
}

static bool judge_all(struct tasking *t, struct diag *why) {
  u32 count = t->plan->course.count;
  bool *done = NEWN(t->keep, bool, count), later;
  for (u32 round = 0; round < 2; round++)
    for (u32 i = 0; i < count; i++) {
      if (done[i] || !*t->intake->files[i].name) continue;
      if (!judge_file(t, i, round == 1, &later, why)) return false;
      done[i] = !later;
    }
  return true;
}

/* ---- the whole ---- */
static int lock_folder(const char *path) {
  int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if (fd >= 0 && fcntl(fd, F_SETLK, &l) == 0) return fd;
  int failed = errno;
  if (fd >= 0) close(fd);
  errno = failed;
  return -1;
}

/* The same archive as last time, under the same plan: it need not be opened to know what is in it.
 * judged: and everything in it has its record; *kept of them. */
static bool is_known(const struct plan *p, const struct submission *s, const char *out_dir,
                     bool judged, u32 *kept) {
  struct arena a = {0};
  struct index in;
  char hex[65];
  bool known = s->kind == SOURCE_ARCHIVE && index_read(&a, p, out_dir, s->key, &in) &&
               intake_archive(s, hex) && strcmp(hex, in.archive) == 0;
  for (u32 i = 0; known && judged && i < p->course.count; i++) {
    const struct index_file *f = &in.files[i];
    struct record rec;
    if (!*f->name) continue;
    known = record_read(&a, record_path(&a, out_dir, s->key, task_puzzle(p, i)->id, f->judgement),
                        &rec) &&
            rec.v.kind != V_INTERNAL && strcmp(rec.name, f->name) == 0;
    ++*kept;
  }
  arena_free(&a);
  return known;
}

enum task_end task_with(const struct plan *p, u32 index, const char *out_dir,
                        const struct jail_settings *settings, task_work *work,
                        struct task_result *r, struct diag *why) {
  struct arena keep = {0};
  const struct submission *s = &p->list[index];
  struct jail_settings j = *settings;
  struct intake in;
  *r = (struct task_result){0};
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  const char *dir = arena_printf(&keep, "%s/records/%s", out_dir, s->key);
  if (!dir_make(dir, why)) return arena_free(&keep), TASK_FAILED;
  if (!jail_user_claim(index, &j.uid, why)) return arena_free(&keep), TASK_FAILED;
  int lock = lock_folder(arena_printf(&keep, "%s/.lock", dir));
  if (lock < 0) {
    bool busy = errno == EACCES || errno == EAGAIN;
    diag_set(why, "%s: %s", s->key,
             busy ? "another process is grading this submission" : strerror(errno));
    arena_free(&keep);
    return busy ? TASK_BUSY : TASK_FAILED;
  }
  u32 kept = 0;
  if ((!work || work == judge_all) && is_known(p, s, out_dir, work != NULL, &kept)) {
    r->kept = kept;
    jail_user_release();
    close(lock);
    arena_free(&keep);
    return TASK_DONE;
  }
  struct shop *shop = shop_open(&keep, &j);
  struct tasking t = {&keep, p, s, &in, out_dir, shop, r, -1};
  intake_take(&keep, p, s, shop_box(shop), &j, &in);
  bool ok = !in.fault && index_write(&keep, p, &in, index_path(&keep, out_dir, s->key), why);
  if (ok && work) {
    t.shares = p->shared_count ? share_open(out_dir) : -1;
    ok = work(&t, why);
    if (t.shares >= 0) close(t.shares);
  }
  if (in.fault) diag_set(why, "%s: %s", s->key, in.problem);
  shop_close(shop);
  jail_user_release();
  close(lock);
  arena_free(&keep);
  return ok ? TASK_DONE : TASK_FAILED;
}

enum task_end task_run(const struct plan *p, u32 index, const char *out_dir,
                       const struct jail_settings *s, struct task_result *r, struct diag *why) {
  return task_with(p, index, out_dir, s, judge_all, r, why);
}

enum task_end task_survey(const struct plan *p, u32 index, const char *out_dir,
                          const struct jail_settings *s, struct task_result *r, struct diag *why) {
  return task_with(p, index, out_dir, s, NULL, r, why);
}

/* ---- reading back ---- */
void task_nothing(struct arena *keep, const struct plan *p, struct outcomes *out) {
  memset(out, 0, sizeof *out);
  out->problem = "";
  out->list = NEWN(keep, struct outcome, p->course.count);
  for (u32 i = 0; i < p->course.count; i++) {
    struct outcome *o = &out->list[i];
    *o = (struct outcome){.puzzle = &p->course.puzzles[i], .name = "", .source_sha256 = ""};
    o->missing = true;
    verdict_init(&o->v);
  }
}

bool task_outcomes(struct arena *keep, const struct plan *p, u32 index, const char *out_dir,
                   struct outcomes *out) {
  struct index in;
  const char *key = p->list[index].key;
  task_nothing(keep, p, out);
  if (!index_read(keep, p, out_dir, key, &in)) return false;
  memcpy(out->sha256, in.sha256, sizeof out->sha256);
  out->problem = in.problem;
  out->ignored = in.ignored;
  for (u32 i = 0; i < p->course.count; i++) {
    struct outcome *o = &out->list[i];
    struct record rec;
    o->name = in.files[i].name;
    o->missing = !*o->name;
    if (o->missing) continue;
    const char *path =
        record_path(keep, out_dir, key, task_puzzle(p, i)->id, in.files[i].judgement);
    o->unfinished = !record_read(keep, path, &rec);
    if (o->unfinished) continue;
    o->source_sha256 = rec.source_sha256;
    o->v = rec.v;
    if (p->wants_gpu && o->v.kind == V_PASS) gpu_outcome(keep, p, path, o);
  }
  return true;
}
