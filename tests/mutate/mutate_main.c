/* mutate_main.c - make mutate: takes the synchronization out of every right program on file, one
 * piece at a time, and sees that each loss is noticed. What is not noticed must stand in one of two
 * lists, with the reason; an entry that is no longer true is an error, too. Knows no kernel by
 * name.
 *
 * A removal that shows in few schedules stands in a third list, and is given many.
 *
 *   mutate [--compiler nvrtc|clang] [--work DIR] [--verbose] [PART-OF-A-FILE-NAME...]
 *
 * Verdicts are remembered in DIR by contents (program, kernel, launches): a second run only judges
 * what has changed. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "exec/exec_judge.h"
#include "mutate/listed.h"
#include "mutate/right.h"
#include "mutate/sites.h"

enum { TRIALS_MAX = 8192, TEXT_MAX = 4 << 20, TRIAL_SECONDS = 300 };
enum { MANY = 20000, MANY_OF_A_PUZZLE = 2000 }; /* seeds for what is rare */
/* Steps of a launch: enough for every program as it stands, which is tried as well. The work
 * folder is no project: no cache of PTX there, and none of the learner's is filled. */
#define OPTIONS "--max-steps 4000000 --root"
#define FEW     "--seeds 8"

/* First character of an answer, then its text. */
enum answer { NOTICED = 'N', MISSED = 'M', BROKEN = 'B' };
struct trial {
  const struct right *right;
  const struct site *site; /* NULL: the program as it stands, which must pass */
  const char *what;        /* "__syncthreads() #2" */
  str text;
  char *remembered; /* where the answer is kept */
  struct listed *listed;
};
struct mutate {
  struct arena keep;
  enum compiler with;
  const char *work;
  bool verbose;
  u64 program; /* hash of this program */
  struct right_list right;
  struct listed_all listed;
  struct trial trials[TRIALS_MAX];
  u32 count, first_new;
  u32 noticed, known[LISTS], missed, wrong, never_run, by_verdict[V_COUNT];
};
static struct mutate m;

/* ---- one trial, in a child ---- */
static bool judged_here(enum verdict_kind k) {
  return k != V_COMPILE && k != V_INTERNAL && k != V_SKIP;
}

static void answer(struct strbuf *out, enum verdict_kind k, const char *why) {
  enum answer a = k == V_PASS ? MISSED : judged_here(k) ? NOTICED : BROKEN;
  strbuf_printf(out, "%c%s %s", a, verdict_text(k), why);
}

static bool is_rare(const struct trial *t) { return t->listed && t->listed->in == RARE; }

static void try_puzzle(struct arena *a, const struct trial *t, const char *path, u32 seeds,
                       struct strbuf *out) {
  struct pz_request r = {
      .path = path, .compiler = m.with, .plan = {.seed = 1, .random_count = seeds}};
  struct verdict v;
  pz_judge(a, t->right->puzzle, &r, &v);
  const struct finding *f = report_reason(&v);
  if (v.kind == V_PASS && is_rare(t) && !r.plan.random_count) {
    try_puzzle(a, t, path, MANY_OF_A_PUZZLE, out);
    return;
  }
  answer(out, v.kind, v.kind == V_COMPILE ? v.log : f ? f->message : "");
}

static enum verdict_kind verdict_of(const char *json) {
  const char *p = strstr(json, "{\"verdict\": \""), *end;
  enum verdict_kind k;
  if (!p || !(end = strchr(p + 13, '"'))) return V_INTERNAL;
  return verdict_find((str){p + 13, (size_t)(end - p - 13)}, &k) ? k : V_INTERNAL;
}

/* Is any launch judged otherwise? */
static bool is_judged_otherwise(struct arena *a, const struct trial *t, const char *path,
                                const char *extra, struct strbuf *out) {
  for (u32 i = 0; i < t->right->launch_count; i++) {
    const struct exec_case *c = t->right->launches[i];
    struct diag why = {0};
    const char *json = right_exec(a, path, c, m.with, extra);
    enum verdict_kind k = verdict_of(json);
    if (exec_judge(c, json, &why)) continue;
    if (k == V_PASS && strstr(why.text, "there is no note")) continue;
    answer(out, k == V_PASS ? V_WRONG : k, k == V_INTERNAL ? json : why.text);
    return true;
  }
  return false;
}

/* Noticed means: any launch is judged otherwise, or leaves other values. What a few schedules do
 * not show, as many as exec takes by itself may. */
static void try_launches(struct arena *a, const struct trial *t, const char *path,
                         struct strbuf *out) {
  if (is_judged_otherwise(a, t, path, arena_printf(a, OPTIONS " %s " FEW, m.work), out)) return;
  if (t->site && is_judged_otherwise(a, t, path, arena_printf(a, OPTIONS " %s", m.work), out))
    return;
  if (is_rare(t) &&
      is_judged_otherwise(
          a, t, path, arena_printf(a, OPTIONS " %s --timeout 280 --seeds %d", m.work, MANY), out))
    return;
  answer(out, V_PASS, "");
}

/* The compiler has a limit of wall-clock time, and this machine may be busy. */
static bool was_too_slow(const struct strbuf *out) {
  return out->n && out->p[0] == BROKEN && str_has((str){out->p, out->n}, "did not finish within");
}

static void work(void *self, u32 i, struct strbuf *out) {
  const struct trial *t = &m.trials[m.first_new + i];
  struct arena a = {0};
  struct diag why = {0};
  const char *base = strrchr(t->right->file, '/') + 1;
  const char *path = arena_printf(&a, "%s/%u_%s", m.work, m.first_new + i, base);
  (void)self;
  if (!file_write(path, t->text, &why)) strbuf_printf(out, "%c%s", BROKEN, why.text);
  for (u32 tries = 0; !why.set && tries < 3 && (tries == 0 || was_too_slow(out)); tries++) {
    out->n = 0;
    if (t->right->puzzle)
      try_puzzle(&a, t, path, 0, out);
    else
      try_launches(&a, t, path, out);
  }
  remove(path);
  arena_free(&a);
}

/* ---- what comes of it ---- */
static void complain(const struct trial *t, const char *fmt, const char *detail) {
  printf("FAIL  %s:%u: %s: ", t->right->file, t->site ? t->site->line : 1, t->what);
  printf(fmt, detail);
  printf("\n");
  fflush(stdout);
}

static void count_noticed(const char *text) {
  enum verdict_kind k;
  if (verdict_find((str){text, strcspn(text, " ")}, &k)) m.by_verdict[k]++;
  m.noticed++;
}

static void conclude(const struct trial *t, const char *text) {
  char a = text[0];
  struct listed *l = t->listed;
  if (m.verbose && t->site)
    printf("%c  %s:%u: %s: %s\n", a, t->right->file, t->site->line, t->what, text + 1);
  if (l) l->used = true;
  if (!t->site) {
    if (a != MISSED) complain(t, "must pass as it stands: %s", text + 1), m.wrong++;
  } else if (a == BROKEN) {
    complain(t, "cannot be judged without it: %s", text + 1);
    m.wrong++;
  } else if (a == NOTICED) {
    count_noticed(text + 1);
    if (is_rare(t))
      m.known[RARE]++;
    else if (l)
      complain(t, "is noticed (%s): take it out of the list", text + 1), m.wrong++;
  } else if (is_rare(t)) {
    complain(t, "nobody misses it, with many seeds either%s", "");
    m.missed++;
  } else if (l) {
    m.known[l->in]++;
  } else {
    complain(t, "nobody misses it%s", "");
    m.missed++;
  }
}

static void done(void *self, u32 i, str bytes, const struct diag *failure) {
  const struct trial *t = &m.trials[m.first_new + i];
  struct diag why = {0};
  const char *text = failure->set || bytes.n == 0
                         ? arena_printf(&m.keep, "%c%s", BROKEN, failure->text)
                         : str_copy(&m.keep, bytes).p;
  (void)self;
  conclude(t, text);
  if (text[0] != BROKEN && !file_write(t->remembered, str_of(text), &why))
    fprintf(stderr, "mutate: %s\n", why.text);
}

/* ---- all trials ---- */
static u64 mix(u64 hash, str s) { return (hash ^ str_hash(s)) * 0x9e3779b97f4a7c15u; }

static const char *answer_file(const struct trial *t) {
  u64 h = mix(m.program, t->text);
  h = mix(h, str_of(t->right->puzzle ? t->right->puzzle->id : compiler_name(m.with)));
  h = mix(h, str_of(compiler_name(m.with)));
  h = mix(h, str_of(is_rare(t) ? "many" : ""));
  for (u32 i = 0; i < t->right->launch_count; i++) {
    const struct exec_case *c = t->right->launches[i];
    h = mix(h, str_of(c->options));
    for (u32 k = 0; k < c->dump_count; k++) h = mix(h, str_of(c->dumps[k].values));
  }
  return arena_printf(&m.keep, "%s/%016" PRIx64 ".verdict", m.work, h);
}

static void add(const struct right *r, const struct site *site, str text) {
  if (m.count == TRIALS_MAX) BUG("more than %d trials: raise TRIALS_MAX", TRIALS_MAX);
  struct trial *t = &m.trials[m.count++];
  *t = (struct trial){.right = r, .site = site, .text = text, .what = "unchanged"};
  if (site) t->what = arena_printf(&m.keep, "%s #%u", site->what, site->nth);
  if (site) t->listed = listed_find(&m.listed, r->file, t->what, compiler_name(m.with));
  t->remembered = (char *)(uintptr_t)answer_file(t);
}

/* Does the launch run the kernel that the site stands in? One in no kernel may be called by any. */
static bool runs(const struct exec_case *launch, const struct site *s) {
  static const char option[] = "--kernel ";
  const char *p = strstr(launch->options, option);
  if (!s->kernel.n || !p) return true;
  str name = {p + strlen(option), strcspn(p + strlen(option), " <")};
  while (str_has(name, "::")) name.p++, name.n--;
  return str_eq(name, s->kernel);
}

/* How many blocks, or threads, the largest launch of its kernel has; answers to puzzles have many.
 * 0: no launch runs it. */
static u64 largest(const struct right *r, const struct site *s, bool threads) {
  u64 most = 0;
  if (r->puzzle) return UINT64_MAX;
  for (u32 i = 0; i < r->launch_count; i++) {
    static const char *const names[] = {"--grid ", "--block "};
    u64 n = 1;
    if (!runs(r->launches[i], s)) continue;
    for (u32 k = 0; k <= threads; k++) {
      const char *p = strstr(r->launches[i]->options, names[k]);
      char *end = (char *)(uintptr_t)(p ? p + strlen(names[k]) - 1 : "");
      do n *= strtoull(end + 1, &end, 10);
      while (*end == ',');
    }
    if (n > most) most = n;
  }
  return most;
}

/* One thread has nobody to synchronize with but its own asynchronous copies, one block none to
 * reach; and what runs with a race only is no right program. */
static bool may_matter(const struct right *r, const struct site *s, str text) {
  u64 threads = largest(r, s, true);
  if (!threads) m.never_run++;
  return (threads > 1 || (threads && str_has(text, "async"))) &&
         (s->kind != SITE_SCOPE || largest(r, s, false) > 1);
}

static bool plan(const char *const *parts, u32 part_count, struct diag *why) {
  for (u32 i = 0; i < m.right.count; i++) {
    const struct right *r = &m.right.items[i];
    struct sites *s = NEW(&m.keep, struct sites);
    str text;
    bool wanted = part_count == 0;
    for (u32 k = 0; k < part_count; k++) wanted |= strstr(r->file, parts[k]) != NULL;
    if (!wanted) continue;
    if (!file_read(&m.keep, r->file, TEXT_MAX, &text, why)) return false;
    size_t n = strlen(r->file);
    sites_find(&m.keep, text, n > 4 && strcmp(r->file + n - 4, ".ptx") == 0, s);
    if (s->count) add(r, NULL, text);
    for (u32 k = 0; k < s->count; k++)
      if (may_matter(r, &s->list[k], text))
        add(r, &s->list[k], sites_without(&m.keep, text, &s->list[k]));
  }
  return true;
}

/* Remembered answers first; the others move to the end of the list, in their order. */
static void recall(void) {
  struct trial *open = NEWN(&m.keep, struct trial, m.count + 1);
  u32 open_count = 0;
  for (u32 i = 0; i < m.count; i++) {
    struct diag why = {0};
    str text;
    if (file_exists(m.trials[i].remembered) &&
        file_read(&m.keep, m.trials[i].remembered, TEXT_MAX, &text, &why) && text.n)
      conclude(&m.trials[i], text.p);
    else
      open[open_count++] = m.trials[i];
  }
  m.first_new = m.count - open_count;
  memcpy(m.trials + m.first_new, open, open_count * sizeof *open);
}

/* Entries that name nothing. Only a full run can tell. */
static void find_stale(void) {
  for (u32 i = 0; i < m.listed.count; i++) {
    const struct listed *l = &m.listed.items[i];
    bool file_here = false;
    for (u32 k = 0; k < m.right.count; k++)
      file_here |= strcmp(m.right.items[k].file, l->file) == 0;
    bool other = *l->with && strcmp(l->with, compiler_name(m.with)) != 0;
    /* A file that only the other compiler can take. */
    if (l->used || other || (!file_here && file_exists(l->file))) continue;
    printf("FAIL  %s:%u: there is no %s in %s\n", listed_name(l->in), l->line, l->what, l->file);
    m.wrong++;
  }
}

static bool options(int argc, char **argv, int *first) {
  int i = 1;
  for (; i < argc && argv[i][0] == '-'; i++) {
    bool has_value = i + 1 < argc;
    if (strcmp(argv[i], "--verbose") == 0)
      m.verbose = true;
    else if (strcmp(argv[i], "--compiler") == 0 && has_value && compiler_find(argv[i + 1], &m.with))
      i++;
    else if (strcmp(argv[i], "--work") == 0 && has_value)
      m.work = argv[++i];
    else
      return false;
  }
  *first = i;
  return true;
}

static void report(u32 recalled) {
  printf("mutate: with %s: %u removals, %u remembered: %u noticed (", compiler_name(m.with),
         m.noticed + m.known[REDUNDANT] + m.known[NOT_OBSERVABLE] + m.missed, recalled, m.noticed);
  const char *comma = "";
  for (int k = 0; k < V_COUNT; k++)
    if (m.by_verdict[k])
      printf("%s%u %s", comma, m.by_verdict[k], verdict_text((enum verdict_kind)k)), comma = ", ";
  printf("; %u of them in few schedules), %u redundant, %u not observable, %u missed, %u other "
         "problems; %u more stand in kernels that no clean launch runs\n",
         m.known[RARE], m.known[REDUNDANT], m.known[NOT_OBSERVABLE], m.missed, m.wrong,
         m.never_run);
}

static bool prepare(const char *const *parts, u32 part_count, struct diag *why) {
  str self;
  if (!file_read(&m.keep, "/proc/self/exe", 1 << 30, &self, why)) return false;
  m.program = str_hash(self);
  return dir_make(m.work, why) && right_read(&m.right, m.with, why) &&
         listed_read(&m.keep, &m.listed, why) && plan(parts, part_count, why);
}

int main(int argc, char **argv) {
  struct diag why = {0};
  struct compile_found here = {0};
  int first = 1;
  m.work = "build/mutate";
  compile_probe(&here);
  m.with = here.nvrtc ? COMPILER_NVRTC : COMPILER_CLANG;
  if (!options(argc, argv, &first)) {
    fprintf(stderr, "mutate [--compiler nvrtc|clang] [--work DIR] [--verbose] [FILES]\n");
    return 2;
  }
  if (m.with == COMPILER_CLANG ? !here.clang : !here.nvrtc) {
    printf("mutate: NOT RUN with %s: it is not installed\n", compiler_name(m.with));
    return 0;
  }
  u32 part_count = (u32)(argc - first);
  if (!prepare((const char *const *)(void *)(argv + first), part_count, &why)) {
    diag_print(stderr, &why);
    return 2;
  }
  recall();
  compile_warm(m.with);
  pool_run(&(struct pool_task){.count = m.count - m.first_new,
                               .jobs = pool_cores(),
                               .timeout_s = TRIAL_SECONDS,
                               .work = work,
                               .done = done});
  if (part_count == 0) find_stale();
  report(m.first_new);
  return m.missed || m.wrong || m.count == 0 ? 1 : 0;
}
