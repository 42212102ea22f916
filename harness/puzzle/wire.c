/* wire.c - a verdict as bytes, from the process that judged to the one that reports. The reader
 * trusts nothing: every length is checked, every enum is in range, and no byte may be left over.
 *
 * One walk serves both directions (visit_*), so that writer and reader cannot disagree. */
#include <string.h>
#include "puzzle/verdict.h"

static const char magic[8] = "WLV3";

struct wire {
  struct strbuf *out; /* writing when set */
  str in;             /* reading: what is left */
  struct arena *keep;
  bool bad;
};

static void bytes(struct wire *w, void *p, size_t n) {
  if (w->out) {
    strbuf_add(w->out, p, n);
  } else if (w->bad || n > w->in.n) {
    w->bad = true;
    memset(p, 0, n);
  } else {
    memcpy(p, w->in.p, n);
    w->in.p += n;
    w->in.n -= n;
  }
}
#define FIELD(w, f) bytes((w), &(f), sizeof(f))

static void flag(struct wire *w, bool *b) {
  u8 v = *b ? 1 : 0;
  FIELD(w, v);
  if (v > 1) w->bad = true;
  *b = v == 1;
}

static u32 ranged(struct wire *w, u32 value, u32 limit) {
  FIELD(w, value);
  if (value >= limit) {
    w->bad = true;
    return 0;
  }
  return value;
}

static void text(struct wire *w, const char **s) {
  u32 n = w->out && *s ? (u32)strlen(*s) : 0;
  FIELD(w, n);
  if (w->out) {
    strbuf_add(w->out, *s ? *s : "", n);
    return;
  }
  if (w->bad || n > w->in.n || memchr(w->in.p, 0, n)) {
    w->bad = true;
    *s = "";
    return;
  }
  *s = n ? str_copy(w->keep, (str){w->in.p, n}).p : "";
  w->in.p += n;
  w->in.n -= n;
}

/* The number of elements of an array; when reading, the array too. Each takes at least one byte. */
static void *array(struct wire *w, void *old, u32 *count, size_t elem_bytes) {
  FIELD(w, *count);
  if (w->out) return old;
  if (*count > w->in.n) w->bad = true;
  if (w->bad) *count = 0;
  return arena_array(w->keep, *count ? *count : 1, elem_bytes);
}

static void visit_access(struct wire *w, struct finding_access *a) {
  text(w, &a->op);
  FIELD(w, a->thread);
  FIELD(w, a->block);
  FIELD(w, a->warp);
  FIELD(w, a->lane);
  FIELD(w, a->others);
  text(w, &a->file);
  FIELD(w, a->line);
  FIELD(w, a->value);
  flag(w, &a->has_value);
  /* The stack is const to everybody but its reader. */
  struct finding_place *stack = array(w, NULL, &a->stack_count, sizeof *stack);
  for (u32 i = 0; i < a->stack_count; i++) {
    struct finding_place p = {0};
    if (w->out) p = a->stack[i];
    text(w, &p.file);
    FIELD(w, p.line);
    text(w, &p.function);
    if (!w->out) stack[i] = p;
  }
  if (!w->out) a->stack = stack;
}

static void visit_finding(struct wire *w, struct finding *f) {
  f->kind = (enum verdict_kind)ranged(w, (u32)f->kind, V_COUNT);
  f->severity = (enum severity)ranged(w, (u32)f->severity, SEVERITY_NOTE + 1);
  text(w, &f->space);
  text(w, &f->object);
  FIELD(w, f->offset);
  FIELD(w, f->element);
  text(w, &f->index);
  f->access_count = ranged(w, f->access_count, COUNT_OF(f->accesses) + 1);
  for (u32 i = 0; i < f->access_count; i++) visit_access(w, &f->accesses[i]);
  text(w, &f->message);
  text(w, &f->suggestion);
  text(w, &f->waits);
  text(w, &f->schedule);
  FIELD(w, f->seed);
  FIELD(w, f->launch_index);
  FIELD(w, f->repeats);
}

static void visit_evidence(struct wire *w, struct verdict_evidence *e) {
  FIELD(w, e->shapes);
  FIELD(w, e->shapes_total);
  FIELD(w, e->schedules);
  FIELD(w, e->runs);
  text(w, &e->shape_names);
  text(w, &e->failed_shape);
  text(w, &e->compiler);
  text(w, &e->gpu);
  FIELD(w, e->gpu_ms);
  flag(w, &e->race_checked);
  flag(w, &e->values_checked);
  FIELD(w, e->hidden);
  flag(w, &e->hidden_failed);
  flag(w, &e->values_right);
}

static void visit_dump(struct wire *w, struct verdict_dump *d) {
  FIELD(w, d->arg);
  FIELD(w, d->field);
  text(w, &d->name);
  text(w, &d->type);
  d->values = array(w, d->values, &d->count, sizeof *d->values);
  for (u32 i = 0; i < d->count; i++) text(w, &d->values[i]);
}

static void visit_verdict(struct wire *w, struct verdict *v) {
  v->kind = (enum verdict_kind)ranged(w, (u32)v->kind, V_COUNT);
  v->findings = array(w, v->findings, &v->finding_count, sizeof *v->findings);
  for (u32 i = 0; i < v->finding_count; i++) visit_finding(w, &v->findings[i]);
  FIELD(w, v->dropped);
  visit_evidence(w, &v->evidence);
  flag(w, &v->has_counters);
  FIELD(w, v->counters);
  flag(w, &v->has_time_line);
  if (v->has_time_line) FIELD(w, v->time_line);
  if (v->has_time_line) v->time_line.sm_count = ranged(w, v->time_line.sm_count, VM_TIME_SMS + 1);
  text(w, &v->log);
  text(w, &v->printed);
  FIELD(w, v->printed_dropped);
  v->dumps = array(w, v->dumps, &v->dump_count, sizeof *v->dumps);
  for (u32 i = 0; i < v->dump_count; i++) visit_dump(w, &v->dumps[i]);
  FIELD(w, v->milliseconds);
}

void verdict_write(struct strbuf *out, const struct verdict *v) {
  struct strbuf body = {0};
  struct wire w = {.out = &body};
  struct verdict shallow = *v; /* the walk rewrites fields with their own values */
  visit_verdict(&w, &shallow);
  u64 n = body.n, sum = str_hash((str){body.p, body.n});
  strbuf_add(out, magic, sizeof magic);
  strbuf_add(out, (const char *)&n, sizeof n);
  strbuf_add(out, (const char *)&sum, sizeof sum);
  strbuf_add(out, body.p, body.n);
  strbuf_free(&body);
}

bool verdict_read(struct arena *keep, str in, struct verdict *out, struct diag *why) {
  u64 n, sum;
  size_t head = sizeof magic + sizeof n + sizeof sum;
  verdict_init(out);
  if (in.n < head || memcmp(in.p, magic, sizeof magic) != 0) {
    diag_set(why, "the judging process sent no verdict");
    return false;
  }
  memcpy(&n, in.p + sizeof magic, sizeof n);
  memcpy(&sum, in.p + sizeof magic + sizeof n, sizeof sum);
  str body = {in.p + head, in.n - head};
  if (n != body.n || sum != str_hash(body)) {
    diag_set(why, "the judging process sent a damaged verdict (%zu bytes)", in.n);
    return false;
  }
  struct wire w = {.in = body, .keep = keep};
  visit_verdict(&w, out);
  if (w.bad || w.in.n != 0) {
    verdict_init(out);
    diag_set(why, "the judging process sent a verdict that does not parse");
    return false;
  }
  return true;
}
