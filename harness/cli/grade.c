/* grade.c - the verbs grade and grade-one: options in, grade/ does the work. */
#include <limits.h>
#include <string.h>
#include <unistd.h>
#include "cli/cli.h"
#include "grade/grade.h"

static int misused(struct diag *why, const char *text) {
  diag_set(why, "%s", text);
  return cli_fail(why);
}

/* Paths as the user means them, although the project's folder becomes current. */
static const char *absolute(struct arena *keep, const char *path) {
  char here[PATH_MAX];
  if (!path || path[0] == '/' || !getcwd(here, sizeof here)) return path;
  return arena_printf(keep, "%s/%s", here, path);
}

static int autograder(struct options *o, struct grade_options *g) {
  struct diag why = {0};
  struct project p;
  if (o->arg_count) return misused(&why, "--autograder takes no folder of submissions");
  const char *zip = absolute(o->keep, o->autograder);
  g->course = absolute(o->keep, g->course);
  g->secret = absolute(o->keep, g->secret);
  if (!project_open(o, &p, &why)) return cli_fail(&why);
  return grade_autograder(o->keep, g, zip);
}

int cli_grade(struct options *o) {
  struct diag why = {0};
  struct grade_options g = {.course = o->course,
                            .out = o->out,
                            .secret = o->secret,
                            .compiler = o->compiler,
                            .jobs = o->jobs,
                            .per_task = o->per_task,
                            .no_reuse = o->no_reuse,
                            .backend = o->backend};
  if (o->autograder) return autograder(o, &g);
  if (o->arg_count != 1) return misused(&why, "grade takes one folder of submissions");
  if (!o->out) return misused(&why, "grade needs --out DIR: the folder for its results");
  if (o->sandbox && !grade_sandbox_find(o->sandbox, &g.sandbox))
    return misused(&why, "--sandbox takes bwrap, uid or none");
  if (o->slurm && o->parallel) return misused(&why, "--slurm and --parallel exclude each other");
  g.engine = o->slurm ? ENGINE_SLURM : o->parallel ? ENGINE_PARALLEL : ENGINE_POOL;
  g.dir = o->args[0];
  return grade_class(o->keep, &g);
}

int cli_grade_one(struct options *o) {
  struct diag why = {0};
  if (o->arg_count != 3)
    return misused(&why,
                   "grade-one takes a manifest, an index or a range, and the results' folder");
  return grade_one(o->keep, o->args[0], o->args[1], o->args[2]);
}
