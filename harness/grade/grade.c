/* grade.c - a class from a folder to files: course, secret, lock, manifest, tasks, marks, outputs.
 * Every step can be repeated: what is finished is found and kept. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "grade/grade.h"

enum { COURSE_MAX = 1 << 20, ROSTER_MAX = 16 << 20 };

/* ---- this program and its companions ---- */
static bool own_folder(struct arena *keep, const char **program, const char **dir,
                       struct diag *why) {
  char path[PATH_MAX];
  ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
  if (n <= 0) {
    diag_set(why, "cannot find this program's own file: %s", strerror(errno));
    return false;
  }
  path[n] = 0;
  *program = str_copy(keep, str_of(path)).p;
  *strrchr(path, '/') = 0;
  *dir = str_copy(keep, str_of(path)).p;
  return true;
}

/* The project's folder, where the program is in its build folder. */
static const char *parent_of(struct arena *keep, const char *dir) {
  const char *slash = strrchr(dir, '/');
  return slash > dir ? str_copy(keep, (str){dir, (size_t)(slash - dir)}).p : dir;
}

/* Another build may judge otherwise: its results are told apart. */
static bool suite_hash(const char *program, const char *dir, char hex[65], struct diag *why) {
  static const char *const files[] = {"warplings-box", "warplings-vm", "warplings-gpu"};
  struct arena a = {0};
  struct strbuf b = {0};
  char one[65];
  bool ok = true;
  for (size_t i = 0; ok && i <= COUNT_OF(files); i++) {
    const char *path = i ? arena_printf(&a, "%s/%s", dir, files[i - 1]) : program;
    str bytes;
    ok = file_read(&a, path, (size_t)512 << 20, &bytes, why);
    if (ok) grade_sha256(bytes, one);
    if (ok) strbuf_printf(&b, "%s\n", one);
    arena_free(&a);
  }
  if (ok) grade_sha256((str){b.p, b.n}, hex);
  strbuf_free(&b);
  return ok;
}

static bool try_sandbox(struct jail_settings *s, enum compiler compiler, char version[64],
                        struct diag *why) {
  bool ok = jail_user_claim(0, &s->uid, why) && jail_works(s, compiler, version, why);
  jail_user_release();
  return ok;
}

/* ---- one grader on one folder ---- */
static int lock_out(const char *out_dir, struct diag *why) {
  struct arena a = {0};
  const char *path = arena_printf(&a, "%s/.lock", out_dir);
  int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if (fd >= 0 && fcntl(fd, F_SETLK, &l) == 0) {
    arena_free(&a);
    return fd;
  }
  if (fd >= 0 && (errno == EAGAIN || errno == EACCES)) {
    fcntl(fd, F_GETLK, &l);
    diag_set(why, "another grader (process %d) works in %s", (int)l.l_pid, out_dir);
    diag_next(why, "wait for it, or give another --out");
  } else {
    diag_at(why, path, 0, 0, "cannot lock: %s", strerror(errno));
  }
  if (fd >= 0) close(fd);
  arena_free(&a);
  return -1;
}

/* ---- the course ---- */
static bool read_secret(struct arena *keep, const char *path, const char **out, struct diag *why) {
  str text;
  if (!file_read(keep, path, 4096, &text, why)) return false;
  *out = str_copy(keep, str_trim(text)).p;
  if (strlen(*out) >= 8) return true;
  diag_at(why, path, 0, 0, "a secret has eight characters or more");
  return false;
}

static bool draw_secret(struct arena *keep, const char **out, struct diag *why) {
  unsigned char bytes[16];
  char hex[33];
  if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
    diag_set(why, "the system gives no random numbers");
    return false;
  }
  for (size_t i = 0; i < sizeof bytes; i++) snprintf(hex + 2 * i, 3, "%02x", bytes[i]);
  *out = str_copy(keep, str_of(hex)).p;
  return true;
}

/* Given, in the course file, kept from the last time, or drawn now: in this order. */
static bool find_secret(struct arena *keep, const struct grade_options *o, const char *out_dir,
                        struct course *c, struct diag *why) {
  const char *path = arena_printf(keep, "%s/secret", out_dir);
  if (o->secret) return read_secret(keep, o->secret, &c->secret, why);
  if (*c->secret) return true;
  if (file_exists(path)) return read_secret(keep, path, &c->secret, why);
  if (!draw_secret(keep, &c->secret, why)) return false;
  mode_t old = umask(0077);
  bool ok = file_write(path, str_of(c->secret), why);
  umask(old);
  return ok;
}

static bool read_course(struct arena *keep, const struct grade_options *o, struct plan *p,
                        struct roster *r, struct diag *why) {
  str text;
  p->course_path = o->course ? o->course : "";
  p->course_text = STR("");
  if (o->course && !file_read(keep, o->course, COURSE_MAX, &p->course_text, why)) return false;
  if (!course_read(keep, p->course_path, p->course_text, &p->course, why)) return false;
  if (o->compiler != COMPILER_AUTO) p->course.compiler = o->compiler;
  if (!p->course.roster) return true;
  const char *slash = o->course ? strrchr(o->course, '/') : NULL;
  const char *path =
      p->course.roster[0] == '/' || !slash
          ? p->course.roster
          : arena_printf(keep, "%.*s/%s", (int)(slash - o->course), o->course, p->course.roster);
  return file_read(keep, path, ROSTER_MAX, &text, why) && roster_read(keep, path, text, r, why);
}

/* ---- the steps ---- */
/* A home, or a folder with somebody's own grades.csv, is no place to write into. */
static bool is_foreign(const char *dir, struct diag *why) {
  struct arena a = {0};
  bool foreign = false;
  DIR *d = file_exists(arena_printf(&a, "%s/.lock", dir)) ? NULL : opendir(dir);
  for (struct dirent *e; d && !foreign && (e = readdir(d));) {
    if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
    foreign = true;
    diag_at(why, dir, 0, 0, "this folder holds other things (%.100s), and no earlier results",
            e->d_name);
    diag_next(why, "give --out a new folder");
  }
  if (d) closedir(d);
  arena_free(&a);
  return foreign;
}

static bool open_out(struct arena *keep, const char *out, const char **out_dir, struct diag *why) {
  char real[PATH_MAX];
  mode_t old = umask(0077); /* marks and the secret are nobody else's */
  bool ok = dir_make(out, why);
  umask(old);
  if (ok && is_foreign(out, why)) return false;
  if (ok && !realpath(out, real)) {
    diag_at(why, out, 0, 0, "cannot use this folder: %s", strerror(errno));
    ok = false;
  }
  if (ok) *out_dir = str_copy(keep, str_of(real)).p;
  return ok;
}

static bool prepare(struct grading *g, const struct grade_options *o, struct roster *r,
                    struct diag *why) {
  const char *dir;
  if (!grade_hashes_here(why) || !own_folder(g->keep, &g->program, &dir, why)) return false;
  if (!read_course(g->keep, o, &g->plan, r, why)) return false;
  if (!find_secret(g->keep, o, g->out_dir, &g->plan.course, why)) return false;
  if (!plan_scan(g->keep, o->dir, &g->plan, why)) return false;
  plan_match(&g->plan, r);
  plan_remarks(&g->plan, r);
  plan_absent(g->keep, r, &g->plan);
  if (!suite_hash(g->program, dir, g->plan.suite, why)) return false;
  g->plan.sandbox = o->sandbox;
  g->manifest = arena_printf(g->keep, "%s/manifest", g->out_dir);
  g->jail = (struct jail_settings){.sandbox = o->sandbox};
  g->jail.hidden[0] = g->plan.dir;
  g->jail.hidden[1] = g->out_dir;
  g->jail.hidden[2] = dir;
  g->jail.hidden[3] = parent_of(g->keep, dir);
  if (!jail_prepare(g->keep, &g->jail, dir, why) ||
      !try_sandbox(&g->jail, g->plan.course.compiler, g->plan.compiler_version, why))
    return false;
  if (g->reuse) {
    engine_survey(g);
    share_find(g->keep, g->out_dir, &g->plan);
  }
  return plan_write(&g->plan, g->manifest, why);
}

static bool write_all(struct grading *g, const struct sheets *s, double seconds, struct diag *why) {
  struct output o = {
      .keep = g->keep, .plan = &g->plan, .sheets = s, .out_dir = g->out_dir, .seconds = seconds};
  bool ok = out_csv(&o, why) && out_matrix(&o, why) && out_leaderboard(&o, why) &&
            out_gradescope(&o, why) && out_junit(&o, why) && out_tap(&o, why) && out_html(&o, why);
  if (!ok) return false;
  out_summary(stdout, &o);
  printf("\nsandbox: %s\n", grade_sandbox_words(g->plan.sandbox));
  const char *book = arena_printf(g->keep, "%s/gradebook.sqlite", g->out_dir);
  printf("%s: grades.csv matrix.csv leaderboard.csv junit.xml results.tap html/index.html "
         "gradescope/%s\n",
         g->out_dir, file_exists(book) ? " gradebook.sqlite" : "");
  return true;
}

static int finish(struct grading *g, const struct roster *r, double seconds, struct diag *why) {
  struct sheets s;
  u32 open = 0;
  score_all(g->keep, &g->plan, r, g->out_dir, &s);
  if (!book_keep(g->keep, &g->plan, g->out_dir, &s, why) || !write_all(g, &s, seconds, why))
    return -1;
  for (u32 i = 0; i < s.count; i++) open += s.list[i].open;
  if (g->engine != ENGINE_POOL)
    printf("%u submissions handed to %s; what it left undone:\n", g->plan.count,
           g->engine == ENGINE_SLURM ? "Slurm" : "GNU parallel");
  printf("%u files judged, %u the same as one of those, %u kept from before, %u submissions tried "
         "again, %.1f s\n",
         g->judged, g->reused, g->kept, g->retried, seconds);
  if (g->plan.wants_gpu && *g->plan.gpu_missing)
    printf("GPU: SKIP, %s; every mark is the virtual machine's\n", g->plan.gpu_missing);
  else if (g->plan.wants_gpu)
    printf("GPU: %u files ran there\n", g->gpu_runs);
  return open ? 2 : 0;
}

static void fail(const struct diag *why) {
  fflush(stdout);
  fputs("warplings: ", stderr);
  diag_print(stderr, why);
}

int grade_class(struct arena *keep, const struct grade_options *o) {
  struct diag why = {0};
  struct roster r = {0};
  struct grading g = {.keep = keep,
                      .engine = o->engine,
                      .jobs = o->jobs,
                      .per_task = o->per_task ? o->per_task : 1,
                      .reuse = !o->no_reuse};
  u64 start = jail_clock_ms();
  int status = -1, lock = -1;
  g.plan.gpu_missing = "";
  g.plan.wants_gpu = o->backend == DEVICE_GPU;
  signal(SIGPIPE, SIG_IGN); /* a jail that ends is an answer too */
  engine_signals();
  jail_sweep();
  bool ok = plan_apart(o->dir, o->out, &why) && open_out(keep, o->out, &g.out_dir, &why) &&
            (lock = lock_out(g.out_dir, &why)) >= 0;
  ok = ok && prepare(&g, o, &r, &why) && engine_run(&g, &why);
  if (ok && g.plan.wants_gpu && !engine_stopped(&why)) {
    u32 gpus = gpu_find(keep, &g.plan, &g.jail);
    if (gpus) engine_gpu(&g, gpus);
  }
  ok = ok && !engine_stopped(&why);
  if (ok) status = finish(&g, &r, (double)(jail_clock_ms() - start) / 1000, &why);
  if (status < 0) fail(&why);
  jail_remove();
  if (lock >= 0) close(lock);
  return status < 0 ? 2 : status;
}

int grade_autograder(struct arena *keep, const struct grade_options *o, const char *zip) {
  struct diag why = {0};
  struct plan p = {0};
  struct roster r = {0};
  bool ok = read_course(keep, o, &p, &r, &why);
  if (ok && o->secret) ok = read_secret(keep, o->secret, &p.course.secret, &why);
  if (ok && !*p.course.secret) ok = draw_secret(keep, &p.course.secret, &why);
  ok = ok && autograder_write(zip, p.course_path, p.course.secret, &why);
  if (!ok) fail(&why);
  if (ok)
    printf("%s: upload it as the assignment's autograder; it holds the course's secret\n", zip);
  return ok ? 0 : 2;
}

/* ---- a piece of it: for other people's engines ---- */
static bool index_range(const char *text, u32 count, u32 *first, u32 *last) {
  char *end;
  if (*text < '0' || *text > '9') return false;
  unsigned long a = strtoul(text, &end, 10), b = a;
  if (*end == '-' && end[1] >= '0' && end[1] <= '9') b = strtoul(end + 1, &end, 10);
  if (*end || a > b || b >= count) return false;
  *first = (u32)a;
  *last = (u32)b;
  return true;
}

int grade_one(struct arena *keep, const char *manifest, const char *indices, const char *out_dir) {
  struct diag why = {0};
  struct plan p;
  struct jail_settings s = {0};
  char here[65] = "", version[64] = "";
  const char *program, *dir;
  u32 first = 0, last = 0;
  int status = 0;
  signal(SIGPIPE, SIG_IGN);
  bool ok = grade_hashes_here(&why) && own_folder(keep, &program, &dir, &why) &&
            plan_read(keep, manifest, &p, &why) && suite_hash(program, dir, here, &why);
  if (ok && strcmp(here, p.suite) != 0) {
    diag_set(&why, "the manifest was written for another build of warplings");
    diag_next(&why, "run warplings grade again");
    ok = false;
  }
  if (ok && !index_range(indices, p.count, &first, &last)) {
    diag_set(&why, "'%s' is no index or range below %u", indices, p.count);
    ok = false;
  }
  if (ok) {
    s.sandbox = p.sandbox;
    s.hidden[0] = p.dir;
    s.hidden[1] = out_dir;
    s.hidden[2] = dir;
    s.hidden[3] = parent_of(keep, dir);
    ok = jail_prepare(keep, &s, dir, &why) && try_sandbox(&s, p.course.compiler, version, &why);
    if (ok && strcmp(version, p.compiler_version) != 0) {
      diag_set(&why, "the compiler here is %s; the others grade with %s", version,
               p.compiler_version);
      diag_next(&why, "install the same on all machines, or name one that all have: compiler clang "
                      "in the course file");
      ok = false;
    }
  }
  for (u32 i = first; ok && i <= last; i++) {
    struct task_result r;
    enum task_end end = task_run(&p, i, out_dir, &s, &r, &why);
    if (end != TASK_DONE) fail(&why);
    if (end != TASK_DONE) status = end == TASK_BUSY ? 75 : 2;
  }
  if (!ok) fail(&why);
  jail_remove();
  return ok ? status : 2;
}
