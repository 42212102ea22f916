/* watch_view.c - the pages of the verb watch: report, hint above it, list; and the status line.
 * Renders what struct watch says; changes nothing but the screen. */
#include <stdlib.h>
#include <string.h>
#include "cli/watch.h"

bool watch_is_solved(const struct watch *w) {
  return w->has_verdict && w->verdict.kind == V_PASS && !job_runs(&w->run);
}

static void put_report(struct watch *w, FILE *out) {
  const struct pz_puzzle *p = pz_puzzle_at(w->current);
  struct arena a = {0};
  struct report r = {.style = {.out = out,
                               .color = w->terminal.color,
                               .times = w->o->times,
                               .counters = w->o->counters,
                               .detail_all = true,
                               .width = w->terminal.columns,
                               .backend = "vm",
                               .seed = w->o->seed}};
  struct report_item it = {.id = p->id,
                           .title = p->title ? p->title : p->id,
                           .learned = p->learned ? p->learned : "",
                           .path = arena_printf(&a, "puzzles/%s/puzzle.cu", p->id),
                           .number = w->current + 1,
                           .total = pz_puzzle_count(),
                           .replay = cli_replay(w->o, p->id),
                           .note = w->outdated ? cli_outdated_note(&a, p->id) : NULL,
                           .first_pass = w->first_pass,
                           .v = &w->verdict};
  report_add(&r, &report_formats[0], &it);
  report_free(&r);
  arena_free(&a);
  if (w->verdict.kind == V_PASS && w->solved == pz_puzzle_count())
    fprintf(out, "Every puzzle is solved.\n");
  else if (w->verdict.kind == V_PASS)
    fprintf(out, "Solved. Any key goes on to the next puzzle.\n");
}

/* Text of a page: lines that belong together become one, for the screen to wrap. */
static void put_filled(FILE *out, str text) {
  str line;
  bool open = false;
  while (str_line(&text, &line)) {
    bool plain = line.n && !strchr(" -*|#`>0123456789", *line.p);
    if (open) fputc(plain ? ' ' : '\n', out);
    fprintf(out, STR_F, STR_A(line));
    open = plain;
    if (!plain) fputc('\n', out);
  }
  if (open) fputc('\n', out);
}

static void put_page(struct watch *w, FILE *out) {
  const char *id = pz_puzzle_at(w->current)->id;
  struct arena a = {0};
  struct state s;
  if (w->page == PAGE_LIST) {
    struct project p = w->project;
    p.keep = &a;
    state_load(&a, &s);
    list_print(out, w->terminal.color, &s, &p);
  } else {
    if (w->hint) {
      put_filled(out, str_of(w->hint));
      fprintf(out, "----\n");
    }
    if (w->has_verdict)
      put_report(w, out);
    else
      fprintf(out,
              "%s\n\nThe story is in puzzles/%s/README.md, your file is\npuzzles/%s/puzzle.cu\n",
              id, id, id);
  }
  arena_free(&a);
}

void watch_redraw_status(struct watch *w) {
  const char *dot = w->terminal.utf8 ? "·" : "|";
  const char *how = job_runs(&w->run) ? "judging"
                    : w->has_verdict  ? verdict_text(w->verdict.kind)
                                      : "";
  char keys[96], line[256];
  if (w->page == PAGE_REPORT && watch_is_solved(w) && w->solved < pz_puzzle_count())
    snprintf(keys, sizeof keys, "any key next puzzle %s q quit", dot);
  else
    snprintf(keys, sizeof keys, "h hint %s n next %s l list %s q quit", dot, dot, dot);
  snprintf(line, sizeof line, " %s  %s  %u/%u   %s", pz_puzzle_at(w->current)->id, how, w->solved,
           pz_puzzle_count(), keys);
  screen_draw(&w->screen, &w->terminal, line);
}

void watch_redraw(struct watch *w) {
  char *text = NULL;
  size_t n = 0;
  FILE *out = open_memstream(&text, &n);
  if (!out) BUG("no memory stream");
  put_page(w, out);
  fclose(out);
  screen_set(&w->screen, &w->terminal, (str){text, n});
  free(text);
  watch_redraw_status(w);
}
