/* main.c - the program: finds the verb, reads its options, runs it. A verb is a row in `verbs`. */
#include <errno.h>
#include <string.h>
#include "cli/cli.h"

struct verb {
  const char *name;
  unsigned bit;
  int (*run)(struct options *o);
  const char *arguments, *summary, *details;
};

static const struct verb verbs[] = {
    {"check", FOR_CHECK, cli_check, "[ID...]", "judge puzzles (all of them without an ID)",
     "Judges puzzles/ID/puzzle.cu, made from skeleton.cu where it is missing. An ID is 07, 7, the\n"
     "folder's name, or a part of the name that fits one puzzle only.\n"
     "Exit status: 0 all pass, 1 something to fix, 2 something could not be judged."},
    {"next", FOR_NEXT, cli_next, "", "judge the first puzzle that is not solved", ""},
    {"watch", FOR_WATCH, cli_watch, "[ID]", "check again whenever you save puzzle.cu",
     "Shows the report of the puzzle that was saved last; starts with ID, or with the first that "
     "is\n"
     "not solved. Keys: h hint, n next puzzle, l list, q quit. Needs a terminal."},
    {"list", FOR_LIST, cli_list, "", "all puzzles and how far you are", ""},
    {"hint", FOR_HINT, cli_hint, "[ID]", "the next of three hints",
     "Without an ID for the first puzzle that is not solved."},
    {"reset", FOR_RESET, cli_reset, "ID", "start a puzzle again (your file is kept as a backup)",
     ""},
    {"solution", FOR_SOLUTION, cli_solution, "ID", "a reference answer, once you have tried", ""},
    {"doctor", FOR_DOCTOR, cli_doctor, "", "what is installed, and what is missing", ""},
    {"selfcheck", FOR_SELFCHECK, cli_selfcheck, "[ID...]", "grade the grader",
     "Every skeleton must fail as announced, every solution pass under all schedules, every wrong\n"
     "answer on file be rejected for its stated reason."},
    {"exec", FOR_EXEC, cli_exec,
     "FILE.cu|FILE.ptx --grid X[,Y[,Z]] --block X[,Y[,Z]] [--arg SPEC]...",
     "run anybody's kernel under every check",
     "SPEC, in parameter order:\n"
     "  i32:7 u32: i64: u64: f32:1.5 f64: (also u8 i8 u16 i16)    a scalar; without a value 0\n"
     "  buf:TYPE:COUNT[:zero|iota|ones|rand|uninit|=LIST|@FILE]   a device buffer; without "
     "contents\n"
     "      it is uninitialised; rand gives integers 0 to 99 and floats in [0,1) from the seed;\n"
     "      LIST is v,v*TIMES,FROM..TO and zeros behind it; FILE has the elements as they lie in\n"
     "      memory (COUNT may be left out)\n"
     "  null                                                      a null pointer\n"
     "  struct:FIELD/FIELD/...                                    a struct by value, laid out as "
     "C\n"
     "      does; a FIELD is a scalar, a buffer, null, or align:N for the alignment of the next "
     "one;\n"
     "      structs and arrays inside of it are written as their fields\n"
     "Exit status: 0 pass, 1 an error was found in the kernel, 2 could not judge."},
    {"grade", FOR_GRADE, cli_grade, "DIR --out RESULTS", "judge a class: a folder of submissions",
     "DIR holds one folder or archive (.zip, .tar.gz) for each submission, named after the "
     "student,\n"
     "with NN_name.cu or NN_name/puzzle.cu in it; NAME@2026-11-02T23:59 says when it was handed "
     "in.\n"
     "Ended at any moment and started again, it goes on where it stopped.\n"
     "Exit status: 0 every file was judged, 2 something could not be."},
    {"grade-one", FOR_GRADE_ONE, cli_grade_one, "MANIFEST INDEX|FIRST-LAST RESULTS",
     "one piece of a class, for job systems",
     "MANIFEST is the file of that name which grade has written into RESULTS.\n"
     "Exit status: 0 done, 2 failed, 75 another process is at it."},
};

static void help(FILE *out) {
  fprintf(out, "usage: warplings VERB [options]\n\n");
  for (size_t i = 0; i < COUNT_OF(verbs); i++)
    fprintf(out, "  %-10s %s\n", verbs[i].name, verbs[i].summary);
  fprintf(out, "\nwarplings VERB --help shows its options; make help shows the short forms.\n");
}

static int verb_help(const struct verb *v) {
  printf("usage: warplings %s %s%s[options]\n\n%s.\n", v->name, v->arguments,
         v->arguments[0] ? " " : "", v->summary);
  if (v->details[0]) printf("%s\n", v->details);
  printf("\noptions:\n");
  cli_options_help(stdout, v->bit);
  return 0;
}

static bool asks_for_help(int argc, char **argv) {
  for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return true;
  return false;
}

/* A result that nobody got is no result: a full disk must not look like a pass. */
static int written(int status) {
  bool flushed = fflush(stdout) == 0;
  if (flushed && !ferror(stdout)) return status;
  fprintf(stderr, "warplings: cannot write the output: %s\n",
          flushed ? "some of it was refused (is the disk full?)" : strerror(errno));
  return EXIT_UNJUDGED;
}

static int run(int argc, char **argv) {
  struct diag why = {0};
  struct arena keep = {0};
  struct options o = {.keep = &keep};
  cli_argc = argc;
  cli_argv = argv;
  if (argc < 2) {
    help(stderr);
    return EXIT_UNJUDGED;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
      strcmp(argv[1], "help") == 0) {
    help(stdout);
    return 0;
  }
  if (strcmp(argv[1], "--version") == 0) {
    printf("warplings %s, %u puzzles\n", CLI_VERSION, pz_puzzle_count());
    return 0;
  }
  for (size_t i = 0; i < COUNT_OF(verbs); i++) {
    if (strcmp(argv[1], verbs[i].name) != 0) continue;
    if (asks_for_help(argc - 2, argv + 2)) return verb_help(&verbs[i]);
    if (!cli_options(argc - 1, argv + 1, verbs[i].bit, &o, &why)) {
      diag_next(&why, "warplings %s --help", verbs[i].name);
      return cli_fail(&why);
    }
    int status = verbs[i].run(&o);
    arena_free(&keep);
    return status;
  }
  diag_set(&why, "there is no verb '%s'", argv[1]);
  diag_next(&why, "warplings --help lists them");
  return cli_fail(&why);
}

int main(int argc, char **argv) { return written(run(argc, argv)); }
