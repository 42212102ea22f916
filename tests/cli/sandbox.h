/* sandbox.h - a throw-away project for end-to-end tests: a folder below build/ with copies of two
 * puzzles, and the program run in it. Judges nothing. */
#ifndef WL_TEST_SANDBOX_H
#define WL_TEST_SANDBOX_H
#include "base/base.h"

struct output {
  int status; /* exit status; 128 + n: killed by signal n; 124: took longer than 20 seconds */
  char *out;  /* what it printed, NUL-terminated */
  char *err;
  size_t out_bytes;
  double seconds;
};

/* A fresh project; its folder. Check's unchecked teardown need not know: the folder goes when the
 * test's process ends. */
const char *sandbox_make(void);
/* Writes a file below the sandbox, folders as needed. */
void sandbox_write(const char *name, const char *bytes, size_t n);
void sandbox_text(const char *name, const char *text);
const char *sandbox_path(const char *name); /* valid until the fourth call after this one */
str sandbox_read(const char *name);
/* Runs `warplings WORDS` in the shell; "$S" in the words is the sandbox. Freed with the process. */
struct output sandbox_run(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* The same on a pseudo-terminal: out has everything. */
struct output sandbox_run_on_terminal(const char *environment, const char *words);
const char *sandbox_program(void);
#endif
