/* grade.h - a class of submissions to marks. The interface of this folder; cli/grade.c calls it.
 *
 * Trusted: this process, the puzzles' references, the course's secret, the comparison, the writers.
 * Not trusted: whatever a student sent, the compiler once it has read that, the machine once it has
 * loaded the PTX. Those run in sandboxed processes (jail.c) that know no reference and no secret;
 * what they answer is data, checked here to the last byte (shop.c). */
#ifndef WL_GRADE_H
#define WL_GRADE_H
#include "puzzle/judge.h"

/* ---- sha.c ---- */
bool grade_hashes_here(struct diag *why); /* false: built without a library for SHA-256 */
void grade_sha256(str bytes, char hex[65]);
u64 grade_derive(const char *secret, const char *purpose, const char *name);

/* ---- jail.c, jail_args.c: one sandboxed process that answers requests ---- */
enum grade_sandbox { SANDBOX_BWRAP, SANDBOX_UID, SANDBOX_NONE, SANDBOX_COUNT };
const char *grade_sandbox_name(enum grade_sandbox s);
bool grade_sandbox_find(const char *name, enum grade_sandbox *out);
const char *grade_sandbox_words(enum grade_sandbox s); /* what it is, one sentence for reports */

enum jail_program { JAIL_BOX, JAIL_VM, JAIL_GPU, JAIL_PROGRAMS };
struct jail_settings {
  enum grade_sandbox sandbox;
  const char *program[JAIL_PROGRAMS]; /* paths that the sandboxed user may reach */
  u32 uid;                            /* as root: whose rights the process gets */
  const char *hidden[4];              /* folders that must never be seen inside; NULL: none */
  const char *gpu_library;            /* the driver's, as a path: device_gpu.h finds it */
  u32 gpu;                            /* which one of several */
};
enum { JAIL_DIR_MAX = 256 };
struct jail { /* zero-initialised: none runs */
  int pid, to, from, words;
  char said[1024]; /* the beginning of what it wrote to its standard error */
  u32 said_bytes;
  u32 hunted;             /* a user all of whose processes are ours: ended with the jail; 0: none */
  char dir[JAIL_DIR_MAX]; /* its folder, where it has no file system of its own; "" */
  bool too_slow;          /* the last failure was the time limit */
  bool starved;           /* and it had hardly worked: the machine was too busy */
};
/* Time that a jail may take, for one question or for several. */
struct jail_budget {
  u32 limit_ms;
  u64 spent_ms;      /* by earlier questions */
  u64 cpu_before_ms; /* what the jail had worked when this began */
};
struct jail_budget jail_budget(const struct jail *j, u32 limit_ms); /* from now on */
/* Is this sandbox to be had here, and does the compiler work in it? Tries both. false + why. */
bool jail_works(const struct jail_settings *s, enum compiler compiler, char version[64],
                struct diag *why);
bool jail_start(struct jail *j, const struct jail_settings *s, enum jail_program p,
                struct diag *why);
/* One request, one answer of the same type and at most max_bytes. false + why: it died, was too
 * slow, said too much or something else; it has been ended then. */
bool jail_ask(struct jail *j, u32 type, const struct strbuf *request, u64 max_bytes,
              struct jail_budget *budget, struct strbuf *reply, struct diag *why);
u64 jail_clock_ms(void);
void jail_stop(struct jail *j); /* with everything that it started */
/* As root: a user that no other jail on this machine has now, near the hint; else 0. One for each
 * process; forked ones claim their own. */
bool jail_user_claim(u32 hint, u32 *uid, struct diag *why);
void jail_user_release(void);
/* Removes what graders that were killed have left in the folder for temporary files. */
void jail_sweep(void);
/* Puts the programs where the sandboxed user can reach them. Removed by jail_remove. */
bool jail_prepare(struct arena *keep, struct jail_settings *s, const char *program_dir,
                  struct diag *why);
void jail_remove(void);

/* ---- course.c: what counts, and how much ---- */
struct course_puzzle {
  u32 puzzle;    /* pz_puzzle_at */
  double points; /* 1 */
  double race;   /* share of the points for right values with a race, 0..1 */
  double rule;   /* share for a kernel that breaks the puzzle's rule only */
  double hidden; /* share that hangs on the hidden cases, 1; the rest is for the public ones */
  bool bonus;    /* counts for the score, not for the maximum */
  i64 deadline;  /* seconds since 1970, 0: the course's */
};
struct course {
  const char *title;
  const char *secret;                 /* hex; every seed follows from it */
  i64 deadline;                       /* 0: none */
  double late_per_day, late_days_max; /* share of the score; days after which nothing counts */
  bool best;                          /* of several attempts; else the latest */
  u32 hidden_cases;
  enum compiler compiler;
  struct course_puzzle *puzzles;
  u32 count;
  const char *roster; /* path, NULL: none */
};
/* text "" is the course without a file: every puzzle, one point each. */
bool course_read(struct arena *keep, const char *path, str text, struct course *out,
                 struct diag *why);
bool course_time(const char *text, i64 *out); /* 2026-11-02T23:59[:00][Z], UTC */
void course_time_text(i64 t, char out[32]);   /* "" for 0 */

struct student { /* a line of the roster: student_id,last_name,first_name,email,extension */
  const char *id, *last_name, *first_name, *email;
  i64 deadline; /* his own, 0: the course's */
};
struct roster {
  struct student *rows;
  u32 count;
};
bool roster_read(struct arena *keep, const char *path, str text, struct roster *out,
                 struct diag *why);
const struct student *roster_find(const struct roster *r, const char *id); /* or NULL */

/* ---- names.c: whose is it, and what ---- */
struct name {
  const char *student, *number; /* number: a course system's for him, "" when there is none */
  const char *rest;   /* the file's own name, where a course system has put others before */
  const char *system; /* "Moodle"; "" */
  i64 time;           /* 0: the name says nothing about it */
  bool ignored;       /* no hand-in at all */
};
void name_read(struct arena *a, const char *name, struct name *out);
size_t name_stem(const char *name); /* bytes without an archive's ending */
bool name_is_strange_archive(const char *name);
enum { NAME_NO_FIT = 9 };
/* Does the path name that puzzle's file? 0: just so; more: letters' case, "(1)" at the end. */
u32 name_fits(const char *path, const char *puzzle);

/* ---- plan.c: the manifest of one grading ---- */
enum source_kind {
  SOURCE_FOLDER,
  SOURCE_ARCHIVE,
  SOURCE_FILES, /* path is how the names of all its files begin */
  SOURCE_OTHER
};
struct submission {
  const char *path;    /* absolute */
  const char *student; /* name of the entry, raw bytes; without "@TIME" and ".zip" */
  const char *key;     /* safe for file names, one for each entry */
  enum source_kind kind;
  i64 time;           /* when it was handed in */
  bool time_is_named; /* from "@TIME" and the like; else the file's own */
  const char *number; /* a course system's for the student; "" */
};
struct plan {
  struct course course;
  str course_text;
  const char *course_path;
  char suite[65]; /* hash of the programs that judge */
  enum grade_sandbox sandbox;
  const char *dir;
  struct submission *list;
  u32 count;
  u32 absent; /* further entries of list, behind count: students who handed in nothing */
  char compiler_version[64]; /* of the compiler that judges: "NVRTC 13.0" */
  const char **shared;       /* sorted keys of judgements that several files have: share.c */
  u32 shared_count;
  /* Of the process that collects, not in the manifest: */
  bool wants_gpu;          /* what has passed runs on a GPU too: gpu.c */
  const char *gpu_missing; /* "": there is one; else why there is none */
  char gpu_key[9];         /* for this kind of GPU and driver */
};
/* What the instructor should know before the marks: a line each, on standard error. */
void plan_remarks(const struct plan *p, const struct roster *r);
/* Whom a course system's name means: the roster's id of that number or name, where there is one. */
void plan_match(struct plan *p, const struct roster *r);
/* Everybody of the roster who has no submission gets an entry without one. */
void plan_absent(struct arena *keep, const struct roster *r, struct plan *p);
bool plan_scan(struct arena *keep, const char *dir, struct plan *p, struct diag *why);
/* false: the results would lie among the submissions. */
bool plan_apart(const char *dir, const char *out, struct diag *why);
bool plan_write(const struct plan *p, const char *path, struct diag *why);
bool plan_read(struct arena *keep, const char *path, struct plan *p, struct diag *why);

/* ---- intake.c: which files of a submission count ---- */
enum { SOURCE_BYTES_MAX = 1 << 20 };
struct intake_file {
  const char *name;    /* as handed in, "" when there is none */
  const char *problem; /* why it cannot be taken; "" when it can */
  str source;
};
struct intake {
  const char *problem;       /* the submission as a whole cannot be read; "" */
  struct intake_file *files; /* one for each puzzle of the course */
  u32 ignored;               /* files that are none of ours */
  bool fault;                /* the problem is ours */
  char archive[65];          /* SHA-256 of the archive's bytes; "": it is none */
};
/* SHA-256 of the archive as it lies there now; false: it is none, or cannot be read. */
bool intake_archive(const struct submission *s, char hex[65]);
/* `box` opens archives; started on demand. */
void intake_take(struct arena *keep, const struct plan *p, const struct submission *s,
                 struct jail *box, const struct jail_settings *settings, struct intake *out);

/* ---- shop.c: compiling and running in jails, behind puzzle/'s and device/'s interfaces ---- */
struct shop;
struct shop *shop_open(struct arena *keep, const struct jail_settings *s);
/* The next file to judge. */
const struct pz_workshop *shop_file(struct shop *w, const char *name, str source,
                                    enum compiler compiler, u32 run_ms);
/* A process of ours failed, was too slow or sent nonsense since the file was taken up. */
bool shop_broke(const struct shop *w);
/* Does the source have an asm statement? No puzzle needs one. */
bool shop_asm(str source);
/* The compiler did not come through with the file, not even to say that it is wrong. */
bool shop_stumbled(const struct shop *w);
bool shop_canary(struct shop *w, enum compiler compiler, char version[64], struct diag *why);
bool shop_gpu_works(const struct jail_settings *s, enum compiler compiler, struct diag *why);
bool shop_ready(struct jail *box, const struct jail_settings *s, struct diag *why);
struct jail *shop_box(struct shop *w);
void shop_restart(struct shop *w); /* fresh processes for what comes next */
void shop_fresh(struct shop *w);   /* the same, unless they have seen no file yet */
void shop_close(struct shop *w);

/* ---- record.c: one judgement, kept ---- */
struct record {
  const char *puzzle, *source_sha256, *name; /* name of the file */
  u32 tries;
  struct verdict v;
};
const char *record_path(struct arena *a, const char *out_dir, const char *key, const char *puzzle,
                        const char *judgement);
/* What a judgement depends on, as 16 hex digits. */
const char *record_judgement(struct arena *a, const struct plan *p, const char *puzzle, str source);
bool record_write(const char *path, const struct record *r, struct diag *why);
/* false: not there, or not whole. */
bool record_read(struct arena *keep, const char *path, struct record *out);

/* ---- index.c: what was taken in of a submission ---- */
struct index_file {
  const char *name, *judgement; /* "", "-": none handed in */
  bool taken;                   /* its bytes are what is judged */
};
struct index {
  char sha256[65];  /* of all that was taken in */
  char archive[65]; /* of the archive that it came in; "-": none */
  u32 ignored;
  const char *problem;
  struct index_file *files; /* one for each puzzle of the course */
};
const char *index_path(struct arena *a, const char *out_dir, const char *key);
bool index_write(struct arena *keep, const struct plan *p, const struct intake *t, const char *path,
                 struct diag *why);
bool index_read(struct arena *keep, const struct plan *p, const char *out_dir, const char *key,
                struct index *out);

/* ---- share.c: the same file of several students ---- */
/* From the indices of all submissions: which judgements occur more than once. */
void share_find(struct arena *keep, const char *out_dir, struct plan *p);
bool plan_shares(const struct plan *p, const char *judgement);
const char *share_path(struct arena *a, const char *out_dir, const char *puzzle,
                       const char *judgement);
/* Fills in the verdict of a record of that puzzle and source. */
bool share_read(struct arena *keep, const char *path, struct record *r);
bool share_write(const char *path, const struct record *r, struct diag *why);
int share_open(const char *out_dir); /* for the locks; -1: none */
bool share_lock(int fd, const char *judgement, bool waits);
void share_unlock(int fd, const char *judgement);

/* ---- task.c: one submission from beginning to end ---- */
enum task_end { TASK_DONE, TASK_BUSY, TASK_FAILED };
struct task_result { /* for the progress line */
  u32 judged, kept, reused, faults;
};
/* Only looks: what is handed in? */
enum task_end task_survey(const struct plan *p, u32 index, const char *out_dir,
                          const struct jail_settings *s, struct task_result *r, struct diag *why);
enum task_end task_run(const struct plan *p, u32 index, const char *out_dir,
                       const struct jail_settings *s, struct task_result *r, struct diag *why);
/* ---- gpu.c ---- */
/* How many GPUs work in the sandbox; none: p->gpu_missing says why. */
u32 gpu_find(struct arena *keep, struct plan *p, struct jail_settings *s);
/* What has passed, on GPU s->gpu. */
enum task_end task_gpu(const struct plan *p, u32 index, const char *out_dir,
                       const struct jail_settings *s, struct task_result *r, struct diag *why);

/* What task_run has left: a line for each puzzle of the course. */
struct outcome {
  const struct course_puzzle *puzzle;
  const char *name;          /* of the file; "" when none was handed in */
  const char *source_sha256; /* "" */
  bool missing, unfinished;  /* no file; no record although there is a file */
  struct verdict v;
};
struct outcomes {
  const char *problem; /* with the submission as a whole */
  u32 ignored;
  struct outcome *list; /* as many as the course has puzzles */
  char sha256[65];      /* of all that was taken in */
};
/* No file for any puzzle. */
void task_nothing(struct arena *keep, const struct plan *p, struct outcomes *out);
/* false: the submission was not looked at yet. */
bool task_outcomes(struct arena *keep, const struct plan *p, u32 index, const char *out_dir,
                   struct outcomes *out);

/* ---- engine.c: many tasks ---- */
enum engine { ENGINE_POOL, ENGINE_PARALLEL, ENGINE_SLURM };
struct grading {
  struct arena *keep;
  struct plan plan;
  const char *out_dir;
  struct jail_settings jail;
  enum engine engine;
  u32 jobs, per_task;
  const char *program, *manifest; /* for engines that start `warplings grade-one` */
  bool reuse;                     /* the same file is judged once */
  u32 judged, kept;               /* files judged now, files that had their result */
  u32 reused;                     /* files like one that was judged for somebody else */
  u32 gpu_runs;                   /* files that ran on a GPU now */
  u32 failed, retried;            /* submissions */
};
bool engine_run(struct grading *g, struct diag *why);
/* From now on Ctrl-C ends what runs, and says how to go on. true: it came. */
void engine_signals(void);
bool engine_stopped(struct diag *why);
void engine_survey(struct grading *g);        /* task_survey of all */
void engine_gpu(struct grading *g, u32 gpus); /* task_gpu of all, one at a time on each GPU */

/* ---- score.c: marks ---- */
struct mark {
  double share;        /* of the points, before lateness */
  double points, most; /* after it */
  double lost;         /* points lost to lateness */
  bool open;           /* the suite could not judge: neither points nor loss until somebody looks */
  const char *why;     /* one line for the student: how these points came about */
  const struct outcome *outcome;
  u32 attempt; /* number of the attempt that counts, in sheet.attempts */
};
struct sheet { /* one student */
  const char *student;
  const char *key;           /* of the first attempt: names his files */
  const struct student *row; /* of the roster, or NULL */
  u32 *attempts, attempt_count;
  struct outcomes *outcomes; /* one for each attempt */
  struct mark *marks;        /* one for each puzzle of the course */
  double score, most, lost;
  u32 open, passed;
  i64 time; /* of the latest attempt */
};
struct sheets {
  struct sheet *list;
  u32 count;
};
/* Marks of one outcome, on its own; time is when it was handed in. */
void score_mark(struct arena *keep, const struct plan *p, const struct student *row,
                const struct course_puzzle *z, const struct outcome *o, i64 time, struct mark *m);
/* As score_mark, from what the grade book remembers: a share that was earned at a time. */
void score_share(struct arena *keep, const struct plan *p, const struct student *row,
                 const struct course_puzzle *z, double share, i64 time, const char *why,
                 struct mark *m);
/* A submission without results is open in all its marks. */
void score_all(struct arena *keep, const struct plan *p, const struct roster *r,
               const char *out_dir, struct sheets *out);
void score_sum(struct sheet *s, const struct plan *p); /* marks -> score, most, open */
/* What a student may read of a verdict: a hidden case's particulars stay hidden. */
const char *score_reason(struct arena *keep, const struct outcome *o);
bool score_shows(const struct outcome *o); /* its findings may be shown */

/* ---- book.c: the grade book ---- */
/* Adds what is new, changes nothing that is there; then lets earlier results count where the course
 * wants the best one or the suite could not judge now. */
bool book_keep(struct arena *keep, const struct plan *p, const char *out_dir, struct sheets *s,
               struct diag *why);

/* ---- out_*.c: a file for each course system ---- */
struct output {
  struct arena *keep;
  const struct plan *plan;
  const struct sheets *sheets;
  const char *out_dir;
  double seconds;
};
bool out_csv(const struct output *o, struct diag *why);
bool out_matrix(const struct output *o, struct diag *why);
bool out_gradescope(const struct output *o, struct diag *why);
bool out_junit(const struct output *o, struct diag *why);
bool out_tap(const struct output *o, struct diag *why);
bool out_html(const struct output *o, struct diag *why);
bool out_leaderboard(const struct output *o, struct diag *why);
void out_summary(FILE *out, const struct output *o);
/* Opens OUT/name for writing beside itself; out_close puts it in place. */
FILE *out_open(struct arena *a, const struct output *o, const char *name, char **temp,
               struct diag *why);
bool out_close(FILE *f, const struct output *o, const char *name, char *temp, struct diag *why);

/* ---- the whole ---- */
struct grade_options {
  const char *dir, *out, *course, *secret; /* course, secret: NULL when not given */
  enum grade_sandbox sandbox;
  enum engine engine;
  enum compiler compiler;
  u32 jobs, per_task;
  bool no_reuse;
  enum device_kind backend;
};
/* A zip for Gradescope; the current folder is the project's root. */
bool autograder_write(const char *path, const char *course, const char *secret, struct diag *why);

int grade_class(struct arena *keep, const struct grade_options *o);
/* The zip, with the course's secret, or one that is drawn now. */
int grade_autograder(struct arena *keep, const struct grade_options *o, const char *zip);
int grade_one(struct arena *keep, const char *manifest, const char *indices, const char *out_dir);
#endif
