/* verdict.c - lists of findings and the verdict that follows from them. Where findings come from is
 * not its business; the order of precedence is detect/'s. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "puzzle/verdict.h"

enum { FINDINGS_MAX = 64 };

#define ROW(field, words)                                                                          \
  { #field, words, offsetof(struct vm_counters, field) }
const struct verdict_counter verdict_counters[] = {
    ROW(warp_instructions, "warp instructions"),
    ROW(thread_instructions, "thread instructions"),
    ROW(max_thread_instructions, "thread instructions, most in a thread"),
    ROW(steps, "steps"),
    ROW(divergent_branches, "divergent branches"),
    ROW(block_barriers, "block barriers, all blocks"),
    ROW(max_block_barriers, "block barriers, most in a block"),
    ROW(max_full_barriers, "block barriers at which all wait, most in a block"),
    ROW(warp_syncs, "warp barriers"),
    ROW(shuffles, "shuffles"),
    ROW(max_warp_shuffles, "shuffles, most in a warp"),
    ROW(votes, "votes"),
    ROW(matches, "matches"),
    ROW(reduxes, "warp reductions"),
    ROW(fences, "fences"),
    ROW(redundant_fences, "fences with nothing to order"),
    ROW(global_loads, "global loads"),
    ROW(global_stores, "global stores"),
    ROW(shared_loads, "shared loads"),
    ROW(shared_stores, "shared stores"),
    ROW(local_loads, "local loads"),
    ROW(local_stores, "local stores"),
    ROW(global_atomics, "global atomics"),
    ROW(shared_atomics, "shared atomics"),
    ROW(global_atomic_requests, "global atomic requests"),
    ROW(shared_atomic_requests, "shared atomic requests"),
    ROW(global_load_requests, "global load requests"),
    ROW(global_load_sectors, "global load sectors of 32 bytes"),
    ROW(global_load_bytes, "global bytes loaded"),
    ROW(global_store_requests, "global store requests"),
    ROW(global_store_sectors, "global store sectors of 32 bytes"),
    ROW(global_store_bytes, "global bytes stored"),
    ROW(shared_load_requests, "shared load requests"),
    ROW(shared_load_wavefronts, "shared load wavefronts"),
    ROW(shared_store_requests, "shared store requests"),
    ROW(shared_store_wavefronts, "shared store wavefronts"),
    ROW(overlapped_shared_loads, "shared loads beside copies"),
    ROW(global_atomic_transactions, "global atomic transactions"),
    ROW(shared_atomic_transactions, "shared atomic transactions"),
    ROW(shared_bytes, "shared bytes of a block"),
    ROW(makespan, "makespan in cycles"),
    ROW(idle_sm_cycles, "idle SM cycles"),
    ROW(worked_warp_cycles, "warp cycles worked"),
    ROW(resident_warp_cycles, "warp cycles resident"),
};
#undef ROW
const u32 verdict_counter_count = COUNT_OF(verdict_counters);

u64 verdict_counter_get(const struct vm_counters *c, u32 row) {
  u64 value;
  memcpy(&value, (const char *)c + verdict_counters[row].offset, sizeof value);
  return value;
}

static const char *keep_text(struct arena *a, const char *s) {
  return s && *s ? str_copy(a, str_of(s)).p : "";
}

static struct finding *copy(struct arena *a, const struct finding *f) {
  struct finding *n = NEW(a, struct finding);
  *n = *f;
  n->space = keep_text(a, f->space);
  n->object = keep_text(a, f->object);
  n->index = keep_text(a, f->index);
  n->message = keep_text(a, f->message);
  n->suggestion = keep_text(a, f->suggestion);
  n->waits = keep_text(a, f->waits);
  n->schedule = keep_text(a, f->schedule);
  for (u32 i = 0; i < f->access_count; i++) {
    struct finding_access *to = &n->accesses[i];
    to->op = keep_text(a, f->accesses[i].op);
    to->file = keep_text(a, f->accesses[i].file);
    struct finding_place *stack = NEWN(a, struct finding_place, to->stack_count);
    for (u32 s = 0; s < to->stack_count; s++) {
      stack[s] = f->accesses[i].stack[s];
      stack[s].file = keep_text(a, stack[s].file);
      stack[s].function = keep_text(a, stack[s].function);
    }
    to->stack = stack;
  }
  return n;
}

static bool same_text(const char *a, const char *b) { return strcmp(a ? a : "", b ? b : "") == 0; }

/* Two findings with one cause: what a learner would fix with one edit. Without places the message
 * has to tell them apart. */
static bool same_cause(const struct finding *a, const struct finding *b) {
  if (a->kind != b->kind || a->severity != b->severity || a->access_count != b->access_count)
    return false;
  if (!same_text(a->object, b->object)) return false;
  for (u32 i = 0; i < a->access_count; i++)
    if (a->accesses[i].line != b->accesses[i].line ||
        !same_text(a->accesses[i].file, b->accesses[i].file))
      return false;
  return a->access_count > 0 || same_text(a->message, b->message);
}

/* What goes wrong only where stores are late or loads early says nothing about that by itself. */
static const char *late_stores(struct finding_list *l, const struct finding *f) {
  bool shows =
      f->kind == V_TRAP || f->kind == V_WRONG || f->kind == V_DEADLOCK || f->kind == V_HANG;
  const char *name = vm_schedule_name(VM_BUFFERED);
  if (!shows || f->severity != SEVERITY_ERROR || !f->schedule || strcmp(f->schedule, name) != 0)
    return f->message;
  return arena_printf(l->keep,
                      "%s In this schedule stores become visible late and loads come early, as the "
                      "memory model allows: if the others pass, a fence is missing, or one reaches "
                      "no farther than its block.",
                      f->message);
}

void finding_list_add(struct finding_list *l, const struct finding *f) {
  for (u32 i = 0; i < l->count; i++)
    if (same_cause(l->items[i], f)) {
      /* Checks fold within a run; the next run finding it again is no news. */
      if (f->repeats > l->items[i]->repeats) l->items[i]->repeats = f->repeats;
      return;
    }
  /* A note must not push an error out: notes stop at half of the room. */
  if (l->count >= (f->severity == SEVERITY_NOTE ? FINDINGS_MAX / 2 : FINDINGS_MAX)) {
    l->dropped++;
    return;
  }
  l->items = base_grow(l->items, &l->cap, l->count + 1u, sizeof *l->items);
  struct finding *n = copy(l->keep, f);
  n->message = late_stores(l, n);
  l->items[l->count++] = n;
}

struct finding *finding_list_say(struct finding_list *l, enum verdict_kind kind, const char *fmt,
                                 ...) {
  va_list ap;
  va_start(ap, fmt);
  struct finding f = {.kind = kind, .element = -1, .message = arena_vprintf(l->keep, fmt, ap)};
  va_end(ap);
  u32 before = l->count;
  finding_list_add(l, &f);
  /* Folded or dropped: the caller still gets something that it may fill in. */
  return l->count > before ? l->items[before] : copy(l->keep, &f);
}

bool finding_list_has_error(const struct finding_list *l) {
  for (u32 i = 0; i < l->count; i++)
    if (l->items[i]->severity == SEVERITY_ERROR) return true;
  return false;
}

void finding_list_free(struct finding_list *l) {
  free(l->items);
  *l = (struct finding_list){.keep = l->keep};
}

void verdict_init(struct verdict *v) {
  *v = (struct verdict){.log = "", .printed = ""};
  v->evidence.shape_names = v->evidence.failed_shape = v->evidence.compiler = v->evidence.gpu = "";
}

void verdict_conclude(struct verdict *v, struct arena *keep, const struct finding_list *l) {
  v->kind = detect_verdict((const struct finding *const *)l->items, l->count);
  v->findings = NEWN(keep, struct finding, l->count);
  v->finding_count = 0;
  v->dropped = l->dropped;
  for (int severity = SEVERITY_ERROR; severity <= SEVERITY_NOTE; severity++)
    for (u32 i = 0; i < l->count; i++)
      if ((int)l->items[i]->severity == severity) v->findings[v->finding_count++] = *l->items[i];
}

void verdict_unjudged(struct verdict *v, struct arena *keep, enum verdict_kind kind,
                      const struct diag *why) {
  struct finding_list l = {.keep = keep};
  struct finding *f = finding_list_say(&l, kind, "%s", why->text);
  f->suggestion = keep_text(keep, why->next);
  if (why->file[0]) {
    f->access_count = 1;
    f->accesses[0] = (struct finding_access){.op = "", .file = keep_text(keep, why->file)};
    f->accesses[0].line = why->line;
  }
  verdict_conclude(v, keep, &l);
  v->kind = kind;
  finding_list_free(&l);
}
