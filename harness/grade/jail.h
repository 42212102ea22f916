/* jail.h - between jail.c (processes), jail_args.c (what the sandbox is made of) and jail_filter.c
 * (system calls). */
#ifndef WL_GRADE_JAIL_H
#define WL_GRADE_JAIL_H
#include "grade/grade.h"

/* The address sanitizer needs /proc, system calls of its own and terabytes of addresses: its builds
 * test the grader, they protect nobody. */
#if defined(__SANITIZE_ADDRESS__)
#define UNDER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define UNDER_ASAN 1
#endif
#endif
#ifndef UNDER_ASAN
#define UNDER_ASAN 0
#endif

enum { JAIL_FILTER_FD = 3, JAIL_WORDS_MAX = 192 };

struct jail_command {
  char *argv[JAIL_WORDS_MAX];
  char *env[12];
  u32 n;
  const char *dir;  /* where it starts */
  u32 uid;          /* 0: stay */
  int filter_fd;    /* the filter as bytes, for bubblewrap; -1: none */
  bool filter_here; /* no bubblewrap: load it before exec */
  u64 address_bytes, file_bytes, processes;
  u32 cpu_s;
};
u32 jail_uid(const struct jail_settings *s); /* 0: stays who we are */
/* dir: a folder of its own, "" with a file system of its own. */
bool jail_command_make(struct arena *a, const struct jail_settings *s, enum jail_program p,
                       const char *dir, struct jail_command *c, struct diag *why);

/* ---- jail_time.c ---- */
u64 jail_cpu_ms(const struct jail *j); /* of all that run in it, and have run */
/* since_ms: when the present question began. Up: whether it had its processor time by then. */
u32 jail_time_left(const struct jail_budget *b, u64 since_ms); /* until one should look again */
bool jail_time_up(const struct jail *j, const struct jail_budget *b, u64 since_ms, bool *starved);

/* ---- jail_dir.c ---- */
bool jail_dir_make(char path[JAIL_DIR_MAX], u32 uid, struct diag *why);
void jail_dir_remove(char path[JAIL_DIR_MAX]); /* "" is fine */

/* ---- jail_filter.c ---- */
bool jail_filter_here(void); /* built with libseccomp */
/* A file with the filter's bytes; -1 and why when it cannot be made. */
int jail_filter_file(enum jail_program p, struct diag *why);
bool jail_filter_load(void); /* into this process, for good */
#endif
