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
#include "grade/grade.h"

enum { TRIES = 2, RUN_MS = 32000, INDEX_MAX = 4 << 20 };
static const char index_head[] = "warplings submission 1";

static const struct pz_puzzle *puzzle_at(const struct plan *p, u32 i) {
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
  const struct pz_puzzle *z = puzzle_at(p, i);
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
  if (!shop_canary(shop, p->course.compiler, &why)) verdict_unjudged(v, keep, V_INTERNAL, &why);
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

/* ---- the submission's index: what was taken in ---- */
static void put_name(struct strbuf *b, const char *text) {
  strbuf_printf(b, "%zu ", strlen(text));
  strbuf_add(b, text, strlen(text));
  strbuf_add(b, "\n", 1);
}

static void total_hash(const struct intake *t, u32 count, char hex[65]) {
  struct strbuf b = {0};
  for (u32 i = 0; i < count; i++) {
    char one[65];
    grade_sha256(t->files[i].source, one);
    strbuf_printf(&b, "%u %s %s %s\n", i, one, *t->files[i].name ? "file" : "none",
                  t->files[i].problem);
  }
  grade_sha256((str){b.p, b.n}, hex);
  strbuf_free(&b);
}

static bool write_index(const struct plan *p, const struct intake *t, const char *path,
                        struct arena *keep, struct diag *why) {
  struct strbuf b = {0};
  char hex[65];
  total_hash(t, p->course.count, hex);
  strbuf_printf(&b, "%s\nsuite %s\nsha256 %s\nignored %u\nproblem ", index_head, p->suite, hex,
                t->ignored);
  put_name(&b, t->problem);
  for (u32 i = 0; i < p->course.count; i++) {
    const struct intake_file *f = &t->files[i];
    const char *id = puzzle_at(p, i)->id;
    strbuf_printf(&b, "file %s %s ", id, *f->name ? record_judgement(keep, p, id, f->source) : "-");
    put_name(&b, f->name);
  }
  strbuf_printf(&b, "end\n");
  bool ok = file_write(path, (str){b.p, b.n}, why);
  strbuf_free(&b);
  return ok;
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

static bool judge_all(struct arena *keep, const struct plan *p, const struct submission *s,
                      const struct intake *t, const char *out_dir, struct shop *shop,
                      struct task_result *r, struct diag *why) {
  for (u32 i = 0; i < p->course.count; i++) {
    struct arena scratch = {0};
    const struct intake_file *f = &t->files[i];
    struct record rec = {.puzzle = puzzle_at(p, i)->id, .name = f->name};
    char hex[65];
    if (!*f->name) continue;
    const char *key = record_judgement(keep, p, rec.puzzle, f->source);
    const char *path = record_path(keep, out_dir, s->key, rec.puzzle, key);
    struct record old;
    /* The name counts: what is wrong with a file that cannot be taken is not in its bytes. */
    bool kept = record_read(&scratch, path, &old) && old.v.kind != V_INTERNAL &&
                strcmp(old.name, f->name) == 0;
    bool ok = true;
    if (kept) {
      r->kept++;
    } else {
      rec.tries = judge(&scratch, p, i, f, shop, &rec.v);
      grade_sha256(f->source, hex);
      rec.source_sha256 = hex;
      r->judged++;
      r->faults += rec.v.kind == V_INTERNAL;
      ok = record_write(path, &rec, why);
    }
    arena_free(&scratch);
    if (!ok) return false;
  }
  return true;
}

enum task_end task_run(const struct plan *p, u32 index, const char *out_dir,
                       const struct jail_settings *settings, struct task_result *r,
                       struct diag *why) {
  struct arena keep = {0};
  const struct submission *s = &p->list[index];
  struct jail_settings j = *settings;
  struct intake t;
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
  struct shop *shop = shop_open(&keep, &j);
  intake_take(&keep, p, s, shop_box(shop), &j, &t);
  bool ok = !t.fault && write_index(p, &t, arena_printf(&keep, "%s/index", dir), &keep, why) &&
            judge_all(&keep, p, s, &t, out_dir, shop, r, why);
  if (t.fault) diag_set(why, "%s: %s", s->key, t.problem);
  shop_close(shop);
  jail_user_release();
  close(lock);
  arena_free(&keep);
  return ok ? TASK_DONE : TASK_FAILED;
}

/* ---- reading back ---- */
static bool cut_line(str *text, const char *name, str *value) {
  size_t n = strlen(name);
  if (!str_line(text, value) || value->n <= n || memcmp(value->p, name, n) != 0 ||
      value->p[n] != ' ')
    return false;
  *value = (str){value->p + n + 1, value->n - n - 1};
  return true;
}

/* "5 bytes\n" off *text; names may hold newlines. */
static bool cut_name(struct arena *keep, str *text, const char **out) {
  size_t n = 0, i = 0;
  for (; i < text->n && i < 6 && text->p[i] >= '0' && text->p[i] <= '9'; i++)
    n = n * 10 + (size_t)(text->p[i] - '0');
  if (i == 0 || i >= text->n || text->p[i] != ' ' || text->n - i - 1 < n + 1) return false;
  *out = n ? str_copy(keep, (str){text->p + i + 1, n}).p : "";
  *text = (str){text->p + i + 1 + n + 1, text->n - i - 1 - n - 1};
  return (*out)[0] == 0 || strlen(*out) == n;
}

static bool cut_prefix(str *text, const char *prefix) {
  if (!str_starts(*text, prefix)) return false;
  *text = (str){text->p + strlen(prefix), text->n - strlen(prefix)};
  return true;
}

static bool read_file_line(struct arena *keep, const struct plan *p, u32 i, const char *out_dir,
                           const char *key, str *text, struct outcome *o) {
  const char *id = puzzle_at(p, i)->id;
  if (!cut_prefix(text, "file ") || !cut_prefix(text, id) || !cut_prefix(text, " ")) return false;
  const char *space = memchr(text->p, ' ', text->n);
  if (!space) return false;
  const char *judgement = str_copy(keep, (str){text->p, (size_t)(space - text->p)}).p;
  *text = (str){space + 1, text->n - (size_t)(space + 1 - text->p)};
  if (strchr(judgement, '/') || !cut_name(keep, text, &o->name)) return false;
  o->missing = !*o->name;
  if (o->missing) return true;
  struct record rec;
  o->unfinished = !record_read(keep, record_path(keep, out_dir, key, id, judgement), &rec);
  if (o->unfinished) return true;
  o->source_sha256 = rec.source_sha256;
  o->v = rec.v;
  return true;
}

static bool read_index(struct arena *keep, const struct plan *p, const char *out_dir,
                       const char *key, str text, struct outcomes *out) {
  str v;
  if (!str_line(&text, &v) || !str_eqz(v, index_head)) return false;
  if (!cut_line(&text, "suite", &v) || !str_eqz(v, p->suite)) return false;
  if (!cut_line(&text, "sha256", &v) || v.n != 64) return false;
  memcpy(out->sha256, v.p, 64);
  if (!cut_line(&text, "ignored", &v)) return false;
  for (size_t i = 0; i < v.n && i < 8; i++) out->ignored = out->ignored * 10 + (u32)(v.p[i] - '0');
  if (!cut_prefix(&text, "problem ") || !cut_name(keep, &text, &out->problem)) return false;
  for (u32 i = 0; i < p->course.count; i++)
    if (!read_file_line(keep, p, i, out_dir, key, &text, &out->list[i])) return false;
  return str_eqz(text, "end\n");
}

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
  struct arena scratch = {0};
  struct diag why = {0};
  str text;
  const char *key = p->list[index].key;
  task_nothing(keep, p, out);
  const char *path = arena_printf(&scratch, "%s/records/%s/index", out_dir, key);
  bool ok = file_exists(path) && file_read(&scratch, path, INDEX_MAX, &text, &why) &&
            read_index(keep, p, out_dir, key, text, out);
  arena_free(&scratch);
  return ok;
}
