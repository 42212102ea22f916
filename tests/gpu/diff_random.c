/* diff_random.c - random programs: final memory of the machine's unoptimised and optimised settings
 * and of the GPU, bit by bit. A program that differs is made smaller by leaving out statements. */
#include <string.h>
#include "gpu/diff.h"

struct trial { /* one batch, three runs */
  struct arena keep;
  struct strbuf ptx;
  struct lab_kernel *checked, *plain, *other;
  u32 count;
};

static u32 batches(struct diff *d) { return (u32)((d->count + DIFF_BATCH - 1) / DIFF_BATCH); }

static void set_up(struct trial *t, const struct program *p, u32 count) {
  t->count = count;
  struct lab_kernel **sets[] = {&t->checked, &t->plain, &t->other};
  for (u32 s = 0; s < COUNT_OF(sets); s++) *sets[s] = NEWN(&t->keep, struct lab_kernel, count);
  gen_header(&t->ptx);
  for (u32 i = 0; i < count; i++) {
    const char *name = arena_printf(&t->keep, "g%u", i);
    gen_print(&t->ptx, &p[i], name);
    for (u32 s = 0; s < COUNT_OF(sets); s++) {
      struct lab_kernel *k = &(*sets[s])[i];
      u8 *in = arena_alloc(&t->keep, gen_threads(&p[i]) * IN_BYTES);
      *k = (struct lab_kernel){.name = name,
                               .grid = p[i].grid,
                               .block = p[i].block,
                               .in = in,
                               .in_bytes = gen_threads(&p[i]) * IN_BYTES,
                               .out_bytes = gen_out_bytes(&p[i])};
      k->out = arena_alloc(&t->keep, k->out_bytes);
      gen_inputs(&p[i], in, k->out);
    }
  }
}
static bool run(struct diff *d, struct trial *t, bool *dead, struct diag *why) {
  str ptx = {t->ptx.p, t->ptx.n};
  return lab_vm(ptx, t->checked, t->count, VM_CONVERGED, 1, true, why) &&
         lab_vm(ptx, t->plain, t->count, VM_CONVERGED, 1, false, why) &&
         diff_other(d, ptx, t->other, t->count, dead, why);
}
static void tear_down(struct trial *t) {
  strbuf_free(&t->ptx);
  arena_free(&t->keep);
}

/* Offset of the first difference, -1: none. */
static i64 first_difference(const struct lab_kernel *a, const struct lab_kernel *b) {
  for (u64 i = 0; i < a->out_bytes; i++)
    if (a->out[i] != b->out[i]) return (i64)i;
  return -1;
}
static const char *failure(const struct trial *t, u32 i, const char **who) {
  const struct lab_kernel *sets[] = {t->checked, t->plain, t->other};
  static const char *const names[] = {"machine, unoptimised", "machine, optimised", "GPU"};
  for (u32 s = 0; s < COUNT_OF(sets); s++)
    if (sets[s][i].failed) return *who = names[s], sets[s][i].why;
  return NULL;
}

/* ---- reducing ---- */
static bool still_differs(struct diff *d, const struct program *p, bool *dead) {
  struct trial t = {0};
  struct diag why = {0};
  const char *who;
  set_up(&t, p, 1);
  bool differs =
      run(d, &t, dead, &why) && !failure(&t, 0, &who) &&
      (first_difference(t.checked, t.other) >= 0 || first_difference(t.checked, t.plain) >= 0);
  tear_down(&t);
  return differs;
}
static u32 last_of(const struct program *p, u32 i) {
  while (p->stmts[i].kind == STMT_IF || p->stmts[i].kind == STMT_ELSE ||
         p->stmts[i].kind == STMT_LOOP)
    i = p->stmts[i].end;
  return i;
}
/* Leaves out statements at..last, or of an if or loop only its ends; puts them back when the
 * difference goes away with them. */
static bool try_without(struct diff *d, struct program *p, u32 at, u32 last, bool ends_only,
                        bool *dead) {
  bool before[256];
  for (u32 i = at; i <= last; i++) {
    before[i - at] = p->stmts[i].dropped;
    if (!ends_only) p->stmts[i].dropped = true;
  }
  for (u32 i = at; ends_only; i = p->stmts[i].end) {
    p->stmts[i].dropped = true;
    if (i == last) break;
  }
  if (still_differs(d, p, dead)) return true;
  for (u32 i = at; i <= last; i++) p->stmts[i].dropped = before[i - at];
  return false;
}
static void reduce(struct diff *d, struct program *p, bool *dead) {
  bool again = true;
  for (u32 round = 0; again && round < 3; round++) {
    again = false;
    for (u32 at = p->count; at-- > 0 && !*dead;) {
      if (p->stmts[at].dropped || p->stmts[at].kind == STMT_END || p->stmts[at].kind == STMT_ELSE)
        continue;
      u32 last = last_of(p, at);
      again |= try_without(d, p, at, last, false, dead) ||
               (last != at && !*dead && try_without(d, p, at, last, true, dead));
    }
  }
}
static void print_statements(struct strbuf *out, const struct program *p) {
  static const char *const words[] = {[STMT_TEXT] = "",
                                      [STMT_IF] = "if ",
                                      [STMT_ELSE] = "else",
                                      [STMT_LOOP] = "repeat (low two bits, and once more) ",
                                      [STMT_END] = "end"};
  for (u32 i = 0; i < p->count; i++)
    if (!p->stmts[i].dropped)
      strbuf_printf(out, "      %s%s\n", words[p->stmts[i].kind], p->stmts[i].text);
}

/* "%r3 of thread 5, block 0: 0x... and 0x...; 12 bytes in all" */
static void print_difference(struct strbuf *out, const struct program *p,
                             const struct lab_kernel *a, const struct lab_kernel *b) {
  char place[80];
  u64 x = 0, y = 0;
  u64 at = (u64)first_difference(a, b) & ~7ull, differing = 0;
  for (u64 i = 0; i < a->out_bytes; i++) differing += a->out[i] != b->out[i];
  memcpy(&x, a->out + at, 8);
  memcpy(&y, b->out + at, 8);
  gen_place(p, (u32)first_difference(a, b), place, sizeof place);
  strbuf_printf(out, "%s: 0x%016llx and 0x%016llx; %llu bytes in all\n", place,
                (unsigned long long)x, (unsigned long long)y, (unsigned long long)differing);
}
/* What the reduced program still gets wrong, and the inputs of all its threads. */
static void print_reduced(struct diff *d, const struct program *p, bool *dead, struct strbuf *out) {
  struct trial t = {0};
  struct diag why = {0};
  print_statements(out, p);
  set_up(&t, p, 1);
  if (!*dead && run(d, &t, dead, &why) && first_difference(t.checked, t.other) >= 0) {
    strbuf_printf(out, "      left: ");
    print_difference(out, p, t.checked, t.other);
    for (u32 i = 0; i < gen_threads(p); i++) {
      strbuf_printf(out, "      %%d of %u:", i);
      for (u32 k = 0; k < IN_BYTES / 8; k++) {
        u64 v;
        memcpy(&v, t.checked->in + i * IN_BYTES + k * 8, 8);
        strbuf_printf(out, " %016llx", (unsigned long long)v);
      }
      strbuf_printf(out, "\n");
    }
  }
  tear_down(&t);
}

static void report(struct diff *d, struct program *p, const struct lab_kernel *a,
                   const struct lab_kernel *b, const char *what, bool *dead, struct strbuf *out) {
  strbuf_printf(out, "DIFFERS: program %llu (%u blocks of %u): %s: ", (unsigned long long)p->seed,
                p->grid, p->block, what);
  print_difference(out, p, a, b);
  if (*dead || DIFF_ADD(d, reduced, 1) >= d->reduce_max) return;
  reduce(d, p, dead);
  print_reduced(d, p, dead, out);
}

static bool work(struct diff *d, u32 batch, struct strbuf *out) {
  struct trial t = {0};
  struct diag why = {0};
  struct gen g = {d->forms, d->form_count, d->shared->excluded, d->plain};
  u64 first = (u64)batch * DIFF_BATCH;
  u32 count = d->count - first < DIFF_BATCH ? (u32)(d->count - first) : DIFF_BATCH;
  struct program *p = NEWN(&t.keep, struct program, count);
  bool dead = false;
  for (u32 i = 0; i < count; i++) gen_program(&t.keep, &g, d->first + first + i, &p[i]);
  set_up(&t, p, count);
  if (!run(d, &t, &dead, &why)) {
    strbuf_printf(out, "FAILED: programs %llu to %llu: line %u: %.600s\n",
                  (unsigned long long)p[0].seed, (unsigned long long)p[count - 1].seed, why.line,
                  why.text);
    DIFF_ADD(d, failed, count);
    count = 0;
  }
  for (u32 i = 0; i < count; i++) {
    const char *who, *failed = failure(&t, i, &who);
    if (failed) {
      DIFF_ADD(d, failed, 1);
      strbuf_printf(out, "FAILED: program %llu: %s: %s\n", (unsigned long long)p[i].seed, who,
                    failed);
      if (DIFF_ADD(d, reduced, 1) < d->reduce_max) print_statements(out, &p[i]);
      continue;
    }
    DIFF_ADD(d, compared, 1);
    bool builds = first_difference(&t.checked[i], &t.plain[i]) >= 0,
         gpu = first_difference(&t.checked[i], &t.other[i]) >= 0;
    if (builds)
      report(d, &p[i], &t.checked[i], &t.plain[i], "the machine's two settings", &dead, out);
    else if (gpu)
      report(d, &p[i], &t.checked[i], &t.other[i], "machine and GPU", &dead, out);
    if (builds || gpu)
      DIFF_ADD(d, differing, 1);
    else
      DIFF_ADD(d, equal, 1);
  }
  tear_down(&t);
  return !dead;
}

const struct diff_mode diff_random = {"random", "random programs (see --count, --first)", batches,
                                      work, NULL};
