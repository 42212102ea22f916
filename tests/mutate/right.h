/* right.h - every program on file that must pass: launches of the tables of `warplings exec`,
 * solutions of puzzles and other right answers to them. Reads and lists; runs nothing. */
#ifndef WL_TEST_RIGHT_H
#define WL_TEST_RIGHT_H
#include "exec/exec_case.h"

enum { RIGHT_MAX = 1024, RIGHT_LAUNCHES = 24 };
struct right {
  const char *file;
  const struct pz_puzzle *puzzle; /* NULL: its launches are run through exec */
  const struct exec_case *launches[RIGHT_LAUNCHES];
  u32 launch_count;
};
struct right_list {
  struct arena keep;
  struct right items[RIGHT_MAX];
  u32 count;
};
/* Those that the compiler can take, in a fixed order. false: why names the file that is at fault.
 */
bool right_read(struct right_list *out, enum compiler with, struct diag *why);
/* One launch through exec in this process, which must be a child of its own: standard output is
 * redirected. `extra`: further options. The text of exec's JSON, NUL-terminated. */
const char *right_exec(struct arena *a, const char *path, const struct exec_case *launch,
                       enum compiler with, const char *extra);
#endif
