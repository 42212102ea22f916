/* watch.h - inside the verb watch: the terminal, the files that are watched, what is on the screen.
 * watch.c has the loop. */
#ifndef WL_WATCH_H
#define WL_WATCH_H
#include <sys/types.h>
#include "cli/cli.h"

/* ---- terminal.c: raw mode and the alternate screen, given back on every way out ---- */
struct terminal {
  u32 rows, columns;
  bool utf8, color;
};
enum key { /* characters are themselves */
           KEY_NONE,
           KEY_END_OF_INPUT = 256,
           KEY_OTHER, /* a key that means nothing here */
           KEY_UP,
           KEY_DOWN,
           KEY_PAGE_UP,
           KEY_PAGE_DOWN
};
bool terminal_open(struct terminal *t, struct diag *why); /* false: not a terminal that will do */
void terminal_close(void);                                /* may be called at any time */
void terminal_suspend(void);                              /* Ctrl-Z: returns when we go on */
void terminal_resume(void);                               /* after a stop from outside */
void terminal_measure(struct terminal *t);
enum key terminal_key(void); /* KEY_NONE: nothing was typed */
void terminal_write(const char *bytes, size_t n);

/* ---- screen.c: a text as lines of the terminal's width; draws one frame in one write ---- */
struct screen { /* zero-initialised is empty */
  struct strbuf text;
  size_t *starts; /* of each line in text; malloc'ed */
  size_t cap;
  u32 count, top; /* lines; the first that is shown */
};
void screen_set(struct screen *s, const struct terminal *t, str text);
void screen_scroll(struct screen *s, const struct terminal *t, int lines);
bool screen_is_cut(const struct screen *s, const struct terminal *t);
void screen_draw(struct screen *s, const struct terminal *t, const char *status);
void screen_free(struct screen *s);

/* ---- watch_files.c: which puzzle.cu was written ---- */
struct watch_files {
  int fd, root_wd;
  int *wds; /* one for each puzzle, -1 where there is no folder */
};
bool watch_files_open(struct watch_files *w, struct arena *keep, struct diag *why);
/* Takes the events that are there. The puzzle saved last, or -1; *unsure: some events were lost. */
int watch_files_read(struct watch_files *w, bool *unsure);

/* ---- scratch.c: a folder for the compilers' temporary files. A judgement that is ended on the way
 * cannot clear up behind itself. ---- */
bool scratch_make(struct diag *why); /* and TMPDIR names it from now on */
void scratch_clear(void);
void scratch_remove(void);

/* ---- watch_view.c: what is on the screen ---- */
enum watch_page { PAGE_REPORT, PAGE_LIST };
struct watch {
  struct options *o;
  struct project project;
  struct terminal terminal;
  struct screen screen;
  struct watch_files files;
  u32 current; /* puzzle */
  struct job_run run;
  struct arena run_keep;   /* of the judgement that runs */
  struct arena shown_keep; /* of the verdict that is shown */
  struct verdict verdict;  /* of the current puzzle, when has_verdict */
  bool has_verdict, first_pass, outdated;
  enum watch_page page;
  char *hint; /* shown above the report; malloc'ed, NULL: none */
  u32 solved;
};
bool watch_is_solved(const struct watch *w); /* the current one, and nothing newer is under way */
void watch_redraw(struct watch *w);          /* everything, from what the struct says */
void watch_redraw_status(struct watch *w);   /* the text is the same */
#endif
