/* cli.h - inside cli/: options, the project's files, the learner's state, worker processes, verbs.
 * The only folder that prints on its own account and decides an exit status. */
#ifndef WL_CLI_H
#define WL_CLI_H
#include "puzzle/judge.h"
#include "report/report.h"

#define CLI_VERSION "0.1"
enum { EXIT_PASS = 0, EXIT_LEARNER = 1, EXIT_UNJUDGED = 2 };

/* ---- options.c: one table of options for all verbs ---- */
enum { LIST_MAX = 64 };
struct options {      /* zero-initialised; cli_options fills it in */
  struct arena *keep; /* lives as long as the program; main's */
  const char **args;  /* what is left: puzzle ids, a file */
  u32 arg_count;
  const char *root, *source, *schedule; /* as given, NULL when not */
  const struct report_format *format;
  enum device_kind backend;
  enum compiler compiler;
  u64 seed;  /* 1 */
  u32 seeds; /* 0: the usual number */
  u32 jobs;  /* one for each core */
  u32 timeout_s;
  bool editor, times, force, counters;
  /* exec */
  const char *kernel, *strict, *build;
  const char *arg_specs[LIST_MAX], *dump_specs[LIST_MAX], *expect_specs[LIST_MAX];
  u32 arg_spec_count, dump_spec_count, expect_spec_count;
  const char *flags[COMPILE_FLAGS_MAX]; /* "-DNAME=VALUE", "-IDIR" */
  u32 flag_count;
  double tolerance;
  bool tolerance_given;
  u32 grid[3], block[3], cluster[3];
  u32 shared_bytes, sms, blocks_per_sm;
  u64 max_steps;
  struct vm_cost cost;
  bool cooperative;
  /* grade */
  const char *out, *course, *secret, *sandbox, *autograder;
  u32 per_task;
  bool slurm, parallel, no_reuse;
};
enum option_users { /* which verbs take an option */
                    FOR_CHECK = 1,
                    FOR_NEXT = 2,
                    FOR_LIST = 4,
                    FOR_HINT = 8,
                    FOR_RESET = 16,
                    FOR_SOLUTION = 32,
                    FOR_DOCTOR = 64,
                    FOR_SELFCHECK = 128,
                    FOR_EXEC = 256,
                    FOR_WATCH = 512,
                    FOR_GRADE = 1024,
                    FOR_GRADE_ONE = 2048,
                    FOR_JUDGING = FOR_CHECK | FOR_NEXT,
                    FOR_ALL = 1023
};
/* argv[0] is the verb. false + why: a usage error. */
bool cli_options(int argc, char **argv, unsigned verb_bit, struct options *o, struct diag *why);
void cli_options_help(FILE *out, unsigned verb_bit);
bool cli_number(const char *text, u64 max, u64 *out); /* decimal, whole text, no sign */

/* ---- project.c: where things are. Paths are relative to the root, which is made current. ---- */
struct project {
  struct arena *keep;
  const char *root; /* absolute */
};
/* false + why: not inside a project and no --root. */
bool project_find(const struct options *o, struct project *p, struct diag *why);
/* find, then make the root current; --source is rewritten to be found from there. */
bool project_open(struct options *o, struct project *p, struct diag *why);
const char *project_file(const struct project *p, const char *id,
                         const char *name); /* in puzzles/ID/ */
#define CACHE_DIR ".warplings/cache"

/* ---- state.c: what the learner has done, in .warplings/state ---- */
struct state_row {
  const char *id;
  u64 skeleton; /* hash of the skeleton that puzzle.cu was made from; 0: not made yet */
  bool judged;
  enum verdict_kind verdict; /* the last one */
  u32 hints;                 /* numbered ones shown so far */
  u32 tries;
  u32 told; /* bit for each verdict whose own hint was shown */
};
struct state {
  struct arena *keep;
  struct state_row *rows;
  u32 cap, count;
};
void state_load(struct arena *keep,
                struct state *s); /* a missing or damaged file is an empty state */
struct state_row *state_of(struct state *s,
                           const char *id); /* made on demand; valid until the next */
bool state_save(const struct state *s, struct diag *why);
/* Makes puzzle.cu from the skeleton where it is missing, or untouched and out of date. *touched: it
 * differs from the skeleton. */
bool state_prepare(struct state *s, const struct project *p, const char *id, bool *touched,
                   struct diag *why);
bool state_touched(struct state *s, const struct project *p, const char *id); /* changes nothing */
/* The skeleton is another one than the one that the learner's own file was made from. */
bool state_outdated(struct state *s, const struct project *p, const char *id);
/* Notes a verdict on the learner's own file. true: solved now, and was not before. */
bool state_judged(struct state *s, const char *id, enum verdict_kind verdict);
int state_next(struct state *s); /* the first puzzle that is not solved; -1: all are */

/* ---- hints.c: hints.md ---- */
enum { HINTS = 3, HINT_SECTIONS = HINTS + V_COUNT };
struct hint {
  u32 number;                /* from 1; 0: tied to a verdict, "## If RACE" */
  enum verdict_kind verdict; /* that one */
  str title, body;
};
struct hints {
  struct hint items[HINT_SECTIONS];
  u32 count, numbered;
};
/* false + why: a section tied to what is no verdict, or twice to the same one. */
bool hints_read(str text, struct hints *h, struct diag *why);
const struct hint *hints_for(const struct hints *h, enum verdict_kind verdict); /* or NULL */
/* Prints the hint that is due: the one tied to the last verdict, once, then the numbered ones.
 * Notes it in *s, saves nothing. */
bool hint_next(FILE *out, struct state *s, const struct project *p, const char *id,
               struct diag *why);

/* ---- learn.c ---- */
void list_print(FILE *out, bool color, struct state *s, const struct project *p);

/* ---- pool.c: work in child processes, results in order ---- */
struct pool_task {
  u32 count, jobs, timeout_s;
  void *self;
  void (*work)(void *self, u32 i, struct strbuf *result); /* in a child */
  void (*done)(void *self, u32 i, str result,
               const struct diag *why); /* in the parent, in order;
                                         * why->set: the child failed */
};
void pool_run(const struct pool_task *t);
u32 pool_cores(void);
/* One child by itself, for a caller with an event loop of its own: start; receive whenever fd can
 * be read, until it is finished; stop at any time (frees the bytes, ends the child). */
struct pool_child {
  int pid, fd; /* pid > 0: was started; fd: the pipe's end */
  struct strbuf bytes;
  bool finished, overflow;
  struct diag why; /* set: it failed */
};
void pool_start(const struct pool_task *t, u32 i, struct pool_child *c);
void pool_receive(const struct pool_task *t, struct pool_child *c);
void pool_stop(struct pool_child *c);

/* ---- jobs.c: judgements through the pool ---- */
struct job {
  const struct pz_puzzle *puzzle;
  struct pz_request request;
  const char
      *missing; /* there is no file: not judged, this is why (SKIP, or INTERNAL when demanded) */
  bool demanded;
};
void jobs_run(struct arena *keep, const struct job *jobs, u32 count, u32 workers, u32 timeout_s,
              void (*done)(void *self, u32 i, const struct verdict *v), void *self);

/* One judgement beside an event loop, in the same way: poll run.child.fd. Stays where it is while
 * it runs. */
struct job_run { /* zero-initialised: none runs */
  struct job job;
  struct pool_task task;
  struct pool_child child;
};
void job_start(struct job_run *r, const struct job *job, u32 timeout_s); /* ends one that runs */
bool job_runs(const struct job_run *r);
/* true: finished, *v is the verdict (in keep) and nothing runs any more. */
bool job_receive(struct job_run *r, struct arena *keep, struct verdict *v);
void job_stop(struct job_run *r);

/* ---- expect.c: the line "// expect: V[|V...][+note] [line N]" that test kernels start with ----
 */
struct expectation {
  u32 kinds; /* bit for each verdict */
  bool note;
  u32 line; /* 0: any */
};
bool expect_parse(str first_line, struct expectation *out, struct diag *why);
bool expect_met(const struct expectation *e, const struct verdict *v);
void expect_text(const struct expectation *e, char *out, size_t size);

/* ---- exec_args.c, exec_place.c: --arg and --dump ---- */
enum exec_form { ARG_SCALAR, ARG_BUFFER, ARG_NULL, ARG_STRUCT };
enum exec_fill { FILL_UNINIT, FILL_ZERO, FILL_IOTA, FILL_RAND, FILL_ONES, FILL_GIVEN };
struct exec_arg {
  enum exec_form form;
  enum pz_type type;
  u8 value[8]; /* scalars */
  u64 count;   /* buffers */
  enum exec_fill fill;
  str bytes; /* of a list or file; zeros follow */
  u32 slot;  /* buffers: its number, see exec_args_number */
  /* structs */
  struct exec_arg *fields;
  u32 field_count, size_bytes, align;
  u32 offset_bytes; /* of a field, in its struct */
};
bool exec_arg_parse(struct arena *keep, const char *spec, struct exec_arg *out, struct diag *why);
bool exec_struct_parse(struct arena *keep, const char *spec, struct exec_arg *out,
                       struct diag *why);
/* Numbers the buffers, those in structs too; how many. */
u32 exec_args_number(struct exec_arg *args, u32 count);
struct exec_memory { /* of whatever runs the kernel */
  void *self;
  u64 (*alloc)(void *self, const char *name, u64 bytes, u32 elem_bytes, struct diag *why);
  bool (*write)(void *self, u64 address, const u8 *from, u64 bytes, struct diag *why);
  /* A whole buffer becomes zero; NULL: zeros are written. */
  bool (*clear)(void *self, u64 address, u64 bytes, struct diag *why);
};
/* Makes the argument's buffers, fills them, writes `bytes` bytes of parameter to `to`. */
bool exec_place(struct arena *a, const struct exec_memory *m, const struct exec_arg *arg,
                const char *name, u64 *rng, u8 *to, u32 bytes, u64 *addresses, struct diag *why);
struct exec_dump {
  u32 arg, field; /* field: number + 1; 0: the parameter itself */
  const struct exec_arg *from;
  u32 count;
};
/* "K[.F][:COUNT]" of `option`: a buffer among the arguments. */
bool exec_which(const char *spec, const char *option, const struct exec_arg *args, u32 count,
                struct exec_dump *out, struct diag *why);
/* One literal, or a file of elements as they lie in memory. */
bool exec_number(enum pz_type t, const char *text, size_t n, u8 *out);
/* "7,3*64,1..128": at most so many. */
bool exec_list(struct arena *keep, enum pz_type t, const char *text, u64 most, str *bytes,
               struct diag *why);
bool exec_file(struct arena *keep, const char *path, enum pz_type t, str *bytes, struct diag *why);
u32 exec_type_bytes(enum pz_type t);
const char *exec_type_text(enum pz_type t);
bool exec_type_is_float(enum pz_type t);
/* Initial contents of a buffer, elements first to first + count - 1, into data; zeros for uninit.
 * *rng goes on from piece to piece; at first the seed. */
void exec_fill(const struct exec_arg *arg, u64 first, u32 count, u64 *rng, u8 *data);
const char *exec_element_text(struct arena *a, enum pz_type t, const u8 *p);
/* Names of the kernel's parameters from its source text; false when they cannot be told. */
bool exec_param_names(struct arena *a, str source, str kernel, u32 count, const char **names);

/* ---- verbs ---- */
int cli_check(struct options *o);
int cli_next(struct options *o);
int cli_watch(struct options *o);
int cli_list(struct options *o);
int cli_hint(struct options *o);
int cli_reset(struct options *o);
int cli_solution(struct options *o);
int cli_doctor(struct options *o);
int cli_selfcheck(struct options *o);
int cli_exec(struct options *o);
int cli_grade(struct options *o);
int cli_grade_one(struct options *o);
/* check.c: also what watch shows */
const char *cli_short_id(const char *id);                /* "07"; valid until the next call */
struct job cli_job(const struct options *o, u32 puzzle); /* without a path */
const char *cli_replay(const struct options *o, const char *id);
const char *cli_outdated_note(struct arena *a, const char *id);
int cli_fail(const struct diag *why); /* prints it, returns EXIT_UNJUDGED */
/* argv as the shell gave it: exec prints it in its replay line. */
extern int cli_argc;
extern char **cli_argv;
#endif
