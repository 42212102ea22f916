/* watch.c - the verb watch: one loop over keys, signals, saved files and the judgement under way.
 * Judging happens in a child process; a newer save ends it and starts another. What is shown is
 * watch_view.c's business. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>
#include "cli/watch.h"

enum { SETTLE_MS = 40 }; /* an editor may write a file in several steps */

struct loop {
  struct watch w;
  int signals;  /* signalfd */
  int ended_by; /* signal, 0: none */
  bool quit;
  i64 due_ms; /* when a saved file is to be judged; 0: none is */
  u32 due;    /* that puzzle */
  u64 made;   /* hash of a puzzle.cu that we made ourselves: its event is no save; 0: none */
};

static i64 now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (i64)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static bool is_solved(struct state *s, u32 i) {
  const struct state_row *r = state_of(s, pz_puzzle_at(i)->id);
  return r->judged && r->verdict == V_PASS;
}

static void count_solved(struct watch *w, struct state *s) {
  w->solved = 0;
  for (u32 i = 0; i < pz_puzzle_count(); i++) w->solved += is_solved(s, i);
}

/* ---- judging ---- */
static void leave_puzzle(struct watch *w) {
  w->has_verdict = w->first_pass = w->outdated = false;
  arena_free(&w->shown_keep);
  free(w->hint);
  w->hint = NULL;
  w->screen.top = 0;
}

static u64 hash_of(struct arena *a, const char *path) {
  struct diag why = {0};
  str text;
  return file_exists(path) && file_read(a, path, 1 << 20, &text, &why) ? str_hash(text) : 0;
}

/* Other commands may have written the state since: it is read afresh each time. */
static void judge(struct loop *l, u32 puzzle) {
  struct watch *w = &l->w;
  struct job j = cli_job(w->o, puzzle);
  struct state s;
  struct diag why = {0};
  bool touched;
  job_stop(&w->run);
  scratch_clear();
  arena_free(&w->run_keep);
  if (puzzle != w->current) leave_puzzle(w);
  w->current = puzzle;
  w->page = PAGE_REPORT;
  free(w->hint); /* it was about the file as it was */
  w->hint = NULL;
  struct project p = w->project;
  p.keep = &w->run_keep;
  state_load(&w->run_keep, &s);
  j.request.path = project_file(&p, j.puzzle->id, "puzzle.cu");
  u64 old = hash_of(&w->run_keep, j.request.path);
  if (!state_prepare(&s, &p, j.puzzle->id, &touched, &why)) {
    j.missing = arena_printf(&w->run_keep, "%s%s%s", why.file, why.file[0] ? ": " : "", why.text);
    j.demanded = true;
  } else {
    u64 fresh = hash_of(&w->run_keep, j.request.path);
    l->made = fresh != old ? fresh : 0;
    state_save(&s, &why);
  }
  count_solved(w, &s);
  job_start(&w->run, &j, w->o->timeout_s);
  watch_redraw(w);
}

static void receive(struct watch *w) {
  struct arena keep = {0};
  struct verdict v;
  struct state s;
  struct diag why = {0};
  if (!job_receive(&w->run, &keep, &v)) return;
  const char *id = pz_puzzle_at(w->current)->id;
  bool was_solved = w->has_verdict && w->verdict.kind == V_PASS;
  arena_free(&w->shown_keep);
  w->shown_keep = keep;
  w->verdict = v;
  w->has_verdict = true;
  w->screen.top = 0;
  struct project p = w->project;
  p.keep = &w->run_keep;
  state_load(&w->run_keep, &s);
  w->first_pass = state_judged(&s, id, v.kind) || (was_solved && v.kind == V_PASS);
  w->outdated = state_outdated(&s, &p, id);
  count_solved(w, &s);
  state_save(&s, &why);
  watch_redraw(w);
}

/* ---- keys ---- */
static void next_puzzle(struct loop *l) {
  struct arena a = {0};
  struct state s;
  u32 all = pz_puzzle_count();
  state_load(&a, &s);
  for (u32 k = 1; k < all; k++) {
    u32 i = (l->w.current + k) % all;
    if (is_solved(&s, i)) continue;
    arena_free(&a);
    l->due_ms = 0;
    judge(l, i);
    return;
  }
  arena_free(&a);
  l->w.page = PAGE_REPORT;
  watch_redraw(&l->w);
}

static void show_hint(struct watch *w) {
  struct arena a = {0};
  struct state s;
  struct diag why = {0};
  struct project p = w->project;
  size_t n = 0;
  free(w->hint);
  w->hint = NULL;
  FILE *out = open_memstream(&w->hint, &n);
  if (!out) BUG("no memory stream");
  p.keep = &a;
  state_load(&a, &s);
  if (!hint_next(out, &s, &p, pz_puzzle_at(w->current)->id, &why) || !state_save(&s, &why))
    fprintf(out, "%s\n", why.text);
  fclose(out);
  arena_free(&a);
  w->page = PAGE_REPORT;
  w->screen.top = 0;
  watch_redraw(w);
}

static void toggle_list(struct watch *w) {
  w->page = w->page == PAGE_LIST ? PAGE_REPORT : PAGE_LIST;
  w->screen.top = w->page == PAGE_LIST && w->current > w->terminal.rows / 2
                      ? w->current - w->terminal.rows / 2
                      : 0;
  watch_redraw(w);
}

static void drop_hint(struct watch *w) {
  free(w->hint);
  w->hint = NULL;
  w->screen.top = 0;
  watch_redraw(w);
}

/* How far a key scrolls; 0: it is no such key, or all is on the screen. */
static int scrolls(const struct watch *w, enum key k) {
  int page = (int)w->terminal.rows - 3;
  if (!screen_is_cut(&w->screen, &w->terminal)) return 0;
  switch ((int)k) {
  case KEY_UP:
  case 'k': return -1;
  case KEY_DOWN:
  case 'j': return 1;
  case KEY_PAGE_UP: return -page;
  case KEY_PAGE_DOWN: return page;
  default: return 0;
  }
}

static void pressed(struct loop *l, enum key k) {
  struct watch *w = &l->w;
  int lines = scrolls(w, k);
  if (k == 'q' || k == KEY_END_OF_INPUT) {
    l->quit = true;
  } else if (lines) {
    screen_scroll(&w->screen, &w->terminal, lines);
    watch_redraw_status(w);
  } else if (k == 'n' ||
             (w->page == PAGE_REPORT && watch_is_solved(w) && w->solved < pz_puzzle_count())) {
    next_puzzle(l);
  } else if (k == 'h') {
    show_hint(w);
  } else if (k == 'l' || w->page == PAGE_LIST) {
    toggle_list(w);
  } else if (w->hint) {
    drop_hint(w);
  }
}

/* ---- files and signals ---- */
static void files_changed(struct loop *l) {
  struct watch *w = &l->w;
  bool unsure;
  int which = watch_files_read(&w->files, &unsure);
  if (which < 0 && !unsure) return;
  u32 puzzle = which < 0 ? w->current : (u32)which;
  if (l->made && puzzle == w->current) {
    struct arena a = {0};
    struct project p = w->project;
    p.keep = &a;
    bool own = hash_of(&a, project_file(&p, pz_puzzle_at(puzzle)->id, "puzzle.cu")) == l->made;
    arena_free(&a);
    l->made = 0;
    if (own) return;
  }
  l->due = puzzle;
  l->due_ms = now_ms() + SETTLE_MS;
}

static void signalled(struct loop *l) {
  struct signalfd_siginfo info;
  while (read(l->signals, &info, sizeof info) == (ssize_t)sizeof info) {
    int sig = (int)info.ssi_signo;
    if (sig == SIGTSTP) terminal_suspend();
    if (sig == SIGCONT) terminal_resume();
    if (sig == SIGTSTP || sig == SIGWINCH || sig == SIGCONT) {
      terminal_measure(&l->w.terminal);
      watch_redraw(&l->w);
    } else {
      l->ended_by = sig;
      l->quit = true;
    }
  }
}

static bool catch_signals(struct loop *l, struct diag *why) {
  static const int ours[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH};
  sigset_t set;
  sigemptyset(&set);
  for (size_t i = 0; i < COUNT_OF(ours); i++) sigaddset(&set, ours[i]);
  sigprocmask(SIG_BLOCK, &set, NULL);
  l->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  if (l->signals >= 0) return true;
  diag_set(why, "cannot receive signals: %s", strerror(errno));
  return false;
}

/* Ends as the signal wants it, so that make and the shell know. */
static int end(struct loop *l) {
  struct watch *w = &l->w;
  job_stop(&w->run);
  scratch_remove();
  terminal_close();
  leave_puzzle(w);
  screen_free(&w->screen);
  arena_free(&w->run_keep);
  close(w->files.fd);
  close(l->signals);
  if (l->ended_by) {
    sigset_t set;
    fflush(stdout);
    signal(l->ended_by, SIG_DFL);
    raise(l->ended_by);
    sigemptyset(&set);
    sigprocmask(SIG_SETMASK, &set, NULL);
  }
  report_progress(stdout, report_use_color(stdout), w->solved, pz_puzzle_count());
  printf("      next: make watch\n");
  return EXIT_PASS;
}

static void turn(struct loop *l) {
  struct watch *w = &l->w;
  i64 left = l->due_ms ? l->due_ms - now_ms() : -1;
  struct pollfd fds[] = {
      {.fd = STDIN_FILENO, .events = POLLIN},
      {.fd = l->signals, .events = POLLIN},
      {.fd = w->files.fd, .events = POLLIN},
      {.fd = job_runs(&w->run) && !l->due_ms ? w->run.child.fd : -1, .events = POLLIN}};
  if (poll(fds, COUNT_OF(fds), l->due_ms ? (int)(left > 0 ? left : 0) : -1) < 0) return;
  if (fds[1].revents) signalled(l);
  if (fds[2].revents) files_changed(l);
  if (fds[3].revents && !l->due_ms && job_runs(&w->run)) receive(w);
  if (fds[0].revents) {
    enum key k = terminal_key();
    if (k != KEY_NONE) pressed(l, k);
  }
  if (job_runs(&w->run) && w->run.child.finished) receive(w); /* could not even start */
  if (l->due_ms && now_ms() >= l->due_ms) {
    l->due_ms = 0;
    judge(l, l->due);
  }
}

static bool first_puzzle(struct options *o, u32 *out, struct diag *why) {
  struct state s;
  if (pz_puzzle_count() == 0 || o->arg_count > 1) {
    diag_set(why,
             o->arg_count > 1 ? "watch starts with one puzzle" : "this program has no puzzles");
    return false;
  }
  if (o->arg_count) {
    int i = pz_puzzle_find(o->args[0], why);
    *out = i < 0 ? 0 : (u32)i;
    return i >= 0;
  }
  state_load(o->keep, &s);
  for (*out = 0; *out + 1 < pz_puzzle_count() && is_solved(&s, *out);) ++*out;
  return true;
}

int cli_watch(struct options *o) {
  struct loop l = {.w = {.o = o}};
  struct diag why = {0};
  u32 first;
  if (!project_open(o, &l.w.project, &why) || !first_puzzle(o, &first, &why) ||
      !watch_files_open(&l.w.files, o->keep, &why) || !scratch_make(&why))
    return cli_fail(&why);
  compile_warm(o->compiler);
  if (!catch_signals(&l, &why) || !terminal_open(&l.w.terminal, &why)) {
    scratch_remove();
    return cli_fail(&why);
  }
  l.w.current = first;
  judge(&l, first);
  while (!l.quit) turn(&l);
  return end(&l);
}
