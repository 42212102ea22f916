/* exec_values.c - what the buffers hold after a run: printed (--dump), compared with what was
 * expected (--expect), and with what the first schedule left. Runs nothing. */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "cli/exec.h"

/* Relative, where --tolerance says nothing: sums in another order differ in the last digits. */
#define TOLERANCE_F32 1e-5
#define TOLERANCE_F64 1e-12

bool exec_expect_parse(struct arena *keep, const char *spec, const struct exec_arg *args, u32 count,
                       struct exec_expect *out, struct diag *why) {
  const char *is = strchr(spec, '=');
  str bytes = {0};
  *out = (struct exec_expect){0};
  if (!is || is == spec || !is[1]) {
    diag_set(why, "--expect %.100s: not K=VALUES or K=@FILE", spec);
    return false;
  }
  const char *which = str_copy(keep, (str){spec, (size_t)(is - spec)}).p;
  if (!exec_which(which, "--expect", args, count, &out->of, why)) return false;
  enum pz_type t = out->of.from->type;
  u32 most = out->of.count;
  if (is[1] == '@') {
    if (!exec_file(keep, is + 2, t, &bytes, why)) return false;
  } else if (!exec_list(keep, t, is + 1, most, &bytes, why)) {
    struct diag inner = *why;
    diag_set(why, "--expect %.100s: %.200s", spec, inner.text);
    return false;
  }
  u64 given = bytes.n / exec_type_bytes(t);
  if (given > most) diag_set(why, "%s: %" PRIu64 " values for %u elements", is + 2, given, most);
  out->want = (const u8 *)bytes.p;
  out->count = (u32)given;
  return given <= most;
}

/* ---- one buffer after a run ---- */
static bool take(struct device *d, u64 at, struct exec_held *h, struct diag *why) {
  u64 bytes = (u64)h->count * h->size;
  return !bytes ||
         (device_read(d, at, h->data, bytes, why) && device_defined(d, at, h->known, bytes, why) &&
          device_written(d, at, h->written, bytes, why));
}

static void make(struct arena *keep, struct exec_held *h, u32 count, u32 size) {
  size_t bytes = (size_t)count * size + 1;
  *h = (struct exec_held){.count = count, .size = size};
  h->data = NEWN(keep, u8, bytes);
  h->known = NEWN(keep, u8, bytes);
  h->written = NEWN(keep, u8, bytes);
}

enum held { UNWRITTEN, UNDEFINED, SET };
static enum held held_state(const struct exec_held *h, u32 i) {
  size_t at = (size_t)i * h->size;
  if (memchr(h->written + at, 0, h->size)) return UNWRITTEN;
  return memchr(h->known + at, 0, h->size) ? UNDEFINED : SET;
}

static const char *text_of(struct arena *a, const struct exec_held *h, enum pz_type t, u32 i) {
  static const char *const marks[] = {[UNWRITTEN] = "-", [UNDEFINED] = "?"};
  enum held s = held_state(h, i);
  return s == SET ? exec_element_text(a, t, h->data + (size_t)i * h->size) : marks[s];
}

static double as_double(enum pz_type t, const u8 *p) {
  float f;
  double d;
  memcpy(&f, p, 4);
  if (t == PZ_F32) return (double)f;
  memcpy(&d, p, 8);
  return d;
}

/* NaN matches nothing. */
static bool matches(enum pz_type t, const u8 *got, const u8 *want, double tolerance) {
  if (!exec_type_is_float(t)) return memcmp(got, want, exec_type_bytes(t)) == 0;
  double g = as_double(t, got), w = as_double(t, want);
  if (tolerance < 0) tolerance = t == PZ_F32 ? TOLERANCE_F32 : TOLERANCE_F64;
  return g == w || fabs(g - w) <= tolerance * fmax(1, fabs(w));
}

static struct finding *place(struct finding *f, const char *name, const struct exec_held *h, u32 i,
                             const struct pz_step *s) {
  f->space = "global";
  f->object = name;
  f->element = (i64)i;
  f->offset = (u64)i * h->size;
  f->schedule = vm_schedule_name(s->schedule);
  f->seed = s->seed;
  return f;
}

static void compare(struct exec_values *v, const struct exec_expect *x, const struct exec_held *h,
                    const char *name, const struct pz_step *s) {
  u32 bad = 0, first = 0;
  enum pz_type t = x->of.from->type;
  for (u32 i = 0; i < x->count; i++) {
    size_t at = (size_t)i * h->size;
    if (held_state(h, i) == SET && matches(t, h->data + at, x->want + at, v->tolerance)) continue;
    if (bad++ == 0) first = i;
  }
  if (!bad) return;
  static const char *const how[] = {
      [UNWRITTEN] = "was never written", [UNDEFINED] = "was written with an undefined value"};
  enum held state = held_state(h, first);
  const char *is =
      state == SET ? arena_printf(v->keep, "is %s", text_of(v->keep, h, t, first)) : how[state];
  const char *should = exec_element_text(v->keep, t, x->want + (size_t)first * h->size);
  struct finding *f =
      finding_list_say(v->found, state == UNDEFINED ? V_UNINIT : V_WRONG,
                       "%s[%u] %s; --expect says %s. %u of %u element%s %s wrong.", name, first, is,
                       should, bad, x->count, x->count == 1 ? "" : "s", bad == 1 ? "is" : "are");
  place(f, name, h, first, s);
}

/* ---- between schedules ---- */
static bool same_element(const struct exec_held *a, const struct exec_held *b, u32 i) {
  size_t at = (size_t)i * a->size;
  enum held s = held_state(a, i);
  return s == held_state(b, i) && (s != SET || memcmp(a->data + at, b->data + at, a->size) == 0);
}

static void differ(struct exec_values *v, u32 k, const struct exec_dump *d, const char *name,
                   const struct pz_step *s) {
  struct exec_held *a = &v->first[k], *b = &v->last[k];
  enum pz_type t = d->from->type;
  u32 n = 0, first = 0;
  for (u32 i = 0; i < b->count; i++)
    if (!same_element(a, b, i) && n++ == 0) first = i;
  if (!n || v->differs[k]) return;
  v->differs[k] = true;
  struct finding *f = finding_list_say(
      v->found, V_WRONG,
      "%s depends on the schedule: %s[%u] was %s under %s and is %s here; %u of %u elements "
      "differ. Atomics that are free to come in any order do that, and so does a missing fence.",
      name, name, first, text_of(v->keep, a, t, first), vm_schedule_name(v->first_step.schedule),
      text_of(v->keep, b, t, first), n, b->count);
  f->severity = SEVERITY_NOTE;
  f->suggestion = "If every order must give the same values, say which: --expect makes any other "
                  "an error.";
  place(f, name, b, first, s);
}

/* ---- after a run ---- */
/* Random contents come from the run's own seed. */
static bool has_random(const struct exec *e) {
  for (u32 i = 0; i < e->arg_count; i++) {
    if (e->args[i].fill == FILL_RAND) return true;
    for (u32 k = 0; k < e->args[i].field_count; k++)
      if (e->args[i].fields[k].fill == FILL_RAND) return true;
  }
  return false;
}

void exec_values_start(struct exec_values *v, const struct exec *e) {
  v->tolerance = e->o->tolerance_given ? e->o->tolerance : -1;
  v->first_run = true;
  if (v->first) return;
  v->first = NEWN(v->keep, struct exec_held, e->dump_count + 1);
  v->last = NEWN(v->keep, struct exec_held, e->dump_count + 1);
  v->expected = NEWN(v->keep, struct exec_held, e->expect_count + 1);
  v->differs = NEWN(v->keep, bool, e->dump_count + 1);
  for (u32 i = 0; i < e->dump_count; i++) {
    u32 size = exec_type_bytes(e->dumps[i].from->type);
    make(v->keep, &v->first[i], e->dumps[i].count, size);
    make(v->keep, &v->last[i], e->dumps[i].count, size);
  }
  for (u32 i = 0; i < e->expect_count; i++)
    make(v->keep, &v->expected[i], e->expects[i].count,
         exec_type_bytes(e->expects[i].of.from->type));
}

bool exec_values_take(struct exec_values *v, const struct exec *e, struct device *d,
                      const u64 *addresses, const char **names, const struct pz_step *s,
                      bool completed, struct diag *why) {
  if (v->first_run) v->first_step = *s;
  bool same_inputs = s->seed == v->first_step.seed || !has_random(e);
  for (u32 i = 0; i < e->dump_count; i++) {
    const struct exec_dump *x = &e->dumps[i];
    if (!take(d, addresses[x->from->slot], &v->last[i], why)) return false;
    if (v->first_run && !take(d, addresses[x->from->slot], &v->first[i], why)) return false;
    if (completed && !v->first_run && same_inputs) differ(v, i, x, names[x->arg], s);
  }
  for (u32 i = 0; completed && i < e->expect_count; i++) {
    const struct exec_expect *x = &e->expects[i];
    if (!take(d, addresses[x->of.from->slot], &v->expected[i], why)) return false;
    compare(v, x, &v->expected[i], names[x->of.arg], s);
  }
  v->first_run = false;
  return true;
}

void exec_values_print(struct exec_values *v, const struct exec *e, const char **names,
                       struct verdict *out) {
  out->dump_count = e->dump_count;
  out->dumps = NEWN(v->keep, struct verdict_dump, e->dump_count + 1);
  for (u32 i = 0; i < e->dump_count; i++) {
    const struct exec_dump *x = &e->dumps[i];
    struct verdict_dump *d = &out->dumps[i];
    *d = (struct verdict_dump){.arg = x->arg,
                               .field = x->field,
                               .name = names[x->arg],
                               .type = exec_type_text(x->from->type),
                               .count = x->count};
    d->values = NEWN(v->keep, const char *, x->count + 1);
    for (u32 k = 0; k < x->count; k++)
      d->values[k] = text_of(v->keep, &v->last[i], x->from->type, k);
  }
}
