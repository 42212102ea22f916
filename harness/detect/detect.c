/* detect.c - the list of checks, and the list of what they found. Passes machine events on; what an
 * event means is the business of the checks. */
#include <stdlib.h>
#include <string.h>
#include "detect/parts.h"

const struct detect_check detect_list[] = {
    {"race", detect_race_create, detect_race_destroy},
    {"barrier", detect_barrier_create, NULL},
    {"bounds", detect_bounds_create, NULL},
    {"uninit", detect_uninit_create, NULL},
};
const u32 detect_list_count = COUNT_OF(detect_list);

/* ---- the vocabulary ---- */
static const char *const verdict_names[V_COUNT] = {
    [V_PASS] = "PASS",       [V_INTERNAL] = "INTERNAL", [V_COMPILE] = "COMPILE",
    [V_TRAP] = "TRAP",       [V_BOUNDS] = "BOUNDS",     [V_RACE] = "RACE",
    [V_BARRIER] = "BARRIER", [V_DEADLOCK] = "DEADLOCK", [V_UNINIT] = "UNINIT",
    [V_HANG] = "HANG",       [V_WRONG] = "WRONG",       [V_RULE] = "RULE",
    [V_SKIP] = "SKIP",
};

const char *verdict_text(enum verdict_kind k) {
  if ((u32)k >= V_COUNT) BUG("verdict %d", (int)k);
  return verdict_names[k];
}

bool verdict_find(str text, enum verdict_kind *out) {
  for (u32 k = 0; k < V_COUNT; k++)
    if (str_eqz(text, verdict_names[k])) {
      *out = (enum verdict_kind)k;
      return true;
    }
  return false;
}

enum verdict_kind detect_verdict(const struct finding *const *f, u32 count) {
  enum verdict_kind first = V_COUNT;
  for (u32 i = 0; i < count; i++)
    if (f[i]->severity == SEVERITY_ERROR && f[i]->kind < first) first = f[i]->kind;
  return first == V_COUNT ? V_PASS : first;
}

/* ---- passing events on ---- */
#define EACH_CHECK(d, i)                                                                           \
  for (u32 i = 0; i < detect_list_count; i++)                                                      \
    if (!(d)->off[i])

static void on_start(void *self, const struct vm_launch_info *l) {
  struct detect *d = self;
  d->launch = *l;
  if (!d->launch.schedule) d->launch.schedule = "";
  EACH_CHECK(d, i)
  if (d->checks[i].launch_start) d->checks[i].launch_start(d->checks[i].self, &d->launch);
}

static void on_end(void *self) {
  struct detect *d = self;
  EACH_CHECK(d, i) if (d->checks[i].launch_end) d->checks[i].launch_end(d->checks[i].self);
}

static void on_access(void *self, const struct vm_access *a) {
  struct detect *d = self;
  for (u32 i = 0; i < d->access_count; i++) d->access[i]->access(d->access[i]->self, a);
}

/* Asked only where one check takes accesses, see list_access. */
static bool on_read_again(void *self, const struct vm_lone *l, u32 pos_id,
                          const struct vm_object *o, u32 offset, struct vm_grant *grant) {
  const struct vm_observer *check = ((struct detect *)self)->access[0];
  return check->read_again(check->self, l, pos_id, o, offset, grant);
}

static bool on_write_again(void *self, const struct vm_lone *l, u32 pos_id,
                           const struct vm_object *o, u32 offset, const u8 *value) {
  const struct vm_observer *check = ((struct detect *)self)->access[0];
  return check->write_again(check->self, l, pos_id, o, offset, value);
}

static void on_sync(void *self, const struct vm_sync *s) {
  struct detect *d = self;
  EACH_CHECK(d, i) if (d->checks[i].sync) d->checks[i].sync(d->checks[i].self, s);
}

static void on_visible(void *self, u64 ticket) {
  struct detect *d = self;
  EACH_CHECK(d, i) if (d->checks[i].visible) d->checks[i].visible(d->checks[i].self, ticket);
}

static void on_async(void *self, const struct vm_async_event *e) {
  struct detect *d = self;
  EACH_CHECK(d, i) if (d->checks[i].async) d->checks[i].async(d->checks[i].self, e);
}

static void on_fault(void *self, const struct vm_fault *f) {
  struct detect *d = self;
  EACH_CHECK(d, i) if (d->checks[i].fault) d->checks[i].fault(d->checks[i].self, f);
}

/* Also for checks that are off: they may hold memory from before. */
static void on_released(void *self, struct vm_object *o) {
  struct detect *d = self;
  for (u32 i = 0; i < detect_list_count; i++)
    if (d->checks[i].released) d->checks[i].released(d->checks[i].self, o);
}

/* ---- life ---- */
/* Accesses are by far the most frequent events. */
static void list_access(struct detect *d) {
  d->access_count = 0;
  EACH_CHECK(d, i) if (d->checks[i].access) d->access[d->access_count++] = &d->checks[i];
  d->observer.access = d->access_count ? on_access : NULL;
  bool again = d->access_count == 1 && d->access[0]->read_again && d->access[0]->write_again;
  d->observer.read_again = again ? on_read_again : NULL;
  d->observer.write_again = again ? on_write_again : NULL;
}

struct detect *detect_create(struct arena *keep, struct vm_machine *m,
                             const struct detect_policy *policy) {
  struct detect *d = NEW(keep, struct detect);
  d->keep = keep;
  d->machine = m;
  if (policy) d->policy = *policy;
  d->launch.schedule = "";
  for (u32 i = 0; i < detect_list_count; i++)
    d->checks[i].self = detect_list[i].create(d, &d->checks[i]);
  d->observer = (struct vm_observer){.self = d,
                                     .launch_start = on_start,
                                     .launch_end = on_end,
                                     .sync = on_sync,
                                     .visible = on_visible,
                                     .async = on_async,
                                     .fault = on_fault,
                                     .released = on_released};
  list_access(d);
  vm_observe(m, &d->observer);
  return d;
}

void detect_destroy(struct detect *d) {
  for (u32 i = 0; i < detect_list_count; i++)
    if (detect_list[i].destroy) detect_list[i].destroy(d->checks[i].self);
}

void detect_disable(struct detect *d, const char *check) {
  for (u32 i = 0; i < detect_list_count; i++)
    if (strcmp(check, detect_list[i].name) == 0) d->off[i] = true;
  list_access(d);
}

const struct detect_sync *detect_syncs(const struct detect *d, u32 *count, bool *all) {
  *count = d->sync_count;
  *all = !d->syncs_unlisted;
  return d->syncs;
}
void detect_probe(struct detect *d, const struct detect_sync *without) {
  d->is_probe = true;
  d->without = without;
}
u64 detect_unordered(const struct detect *d) { return d->unordered; }

/* ---- findings ---- */
struct finding *detect_finding(struct detect *d, enum verdict_kind kind, enum severity severity) {
  struct finding *f = NEW(d->keep, struct finding);
  f->kind = kind;
  f->severity = severity;
  f->space = f->object = f->index = f->message = f->suggestion = f->waits = "";
  f->element = -1;
  f->schedule = d->launch.schedule;
  f->seed = d->launch.seed;
  f->launch_index = d->launch.launch_index;
  return f;
}

/* One cause: what one edit of the source would mend. Threads, blocks and elements differ between
 * its findings. */
static bool same_access(const struct finding_access *x, const struct finding_access *y) {
  return x->line == y->line && strcmp(x->file, y->file) == 0 && strcmp(x->op, y->op) == 0;
}
static bool same_cause(const struct finding *a, const struct finding *b) {
  if (a->kind != b->kind || a->access_count != b->access_count) return false;
  if (strcmp(a->object, b->object) != 0 || strcmp(a->space, b->space) != 0) return false;
  if (a->kind == V_RACE && a->access_count == 2 && same_access(&a->accesses[0], &b->accesses[1]) &&
      same_access(&a->accesses[1], &b->accesses[0]))
    return true; /* who came first is chance */
  for (u32 i = 0; i < a->access_count; i++)
    if (!same_access(&a->accesses[i], &b->accesses[i])) return false;
  return a->access_count > 0 || strcmp(a->message, b->message) == 0;
}

/* A note on lines for which the same object has an error says nothing new. */
static bool is_covered(const struct detect *d, const struct finding *note) {
  for (u32 i = 0; i < d->error_count; i++) {
    const struct finding *e = d->errors[i];
    if (e->kind != note->kind || strcmp(e->object, note->object) != 0) continue;
    for (u32 a = 0; a < e->access_count; a++)
      for (u32 b = 0; b < note->access_count; b++)
        if (same_access(&e->accesses[a], &note->accesses[b])) return true;
  }
  return false;
}

struct finding *detect_add(struct detect *d, struct finding *f) {
  bool error = f->severity == SEVERITY_ERROR;
  struct finding **list = error ? d->errors : d->notes;
  u32 *count = error ? &d->error_count : &d->note_count;
  for (u32 i = 0; i < *count; i++)
    if (same_cause(list[i], f)) {
      list[i]->repeats++;
      return list[i];
    }
  if (*count == DETECT_MAX_FINDINGS) {
    d->dropped++;
    return NULL;
  }
  return list[(*count)++] = f;
}

const struct finding *const *detect_findings(const struct detect *d, u32 *count, u64 *dropped) {
  /* The list is a view that is made anew on each call; no finding changes. */
  struct detect *w = (struct detect *)(uintptr_t)d;
  u32 n = 0;
  for (u32 i = 0; i < d->error_count; i++) w->listed[n++] = d->errors[i];
  u32 notes = DETECT_MAX_FINDINGS - n < d->note_count ? DETECT_MAX_FINDINGS - n : d->note_count;
  for (u32 i = 0; i < notes; i++)
    if (!is_covered(d, d->notes[i])) w->listed[n++] = d->notes[i];
  *count = n;
  if (dropped) *dropped = d->dropped + (d->note_count - notes);
  return w->listed;
}

bool detect_has_error(const struct detect *d) { return d->error_count > 0; }
