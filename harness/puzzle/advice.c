/* advice.c - see advice.h. Decides which synchronisation to ask about and puts the answer into
 * words; how a run is repeated is the caller's business, what order is detect/'s. */
#include <inttypes.h>
#include <string.h>
#include "puzzle/advice.h"

static const u64 steps_max = 40000000; /* of all probes: advice must not keep anybody waiting */

static struct detect_sync *find(struct pz_advice *a, const struct detect_sync *s) {
  for (u32 i = 0; i < a->count; i++)
    if (a->list[i].kind == s->kind && a->list[i].line == s->line &&
        strcmp(a->list[i].file, s->file) == 0)
      return &a->list[i];
  if (a->count == PZ_ADVICE_MAX) {
    a->unclear = true;
    return NULL;
  }
  a->list[a->count] = (struct detect_sync){
      .kind = s->kind, .line = s->line, .file = str_copy(a->keep, str_of(s->file)).p};
  return &a->list[a->count++];
}

void pz_advice_module(struct pz_advice *a, const struct ptx_module *m) {
  for (u32 i = 0; i < m->func_count; i++) a->unclear |= str_eqz(m->funcs[i].name, "free");
}

void pz_advice_note(struct pz_advice *a, const struct device *d) {
  u32 count;
  bool all;
  const struct detect_sync *list = device_syncs(d, &count, &all);
  a->unclear |= !all;
  for (u32 i = 0; i < count; i++) {
    struct detect_sync *s = find(a, &list[i]);
    if (!s) return;
    s->times += list[i].times;
    s->chances += list[i].chances;
    s->doubtful |= list[i].doubtful;
  }
}

static bool is_open(const struct pz_advice *a, u32 i) {
  return !a->needed[i] && !a->list[i].doubtful && a->list[i].chances;
}

bool pz_advice_open(const struct pz_advice *a) {
  if (a->unclear) return false;
  for (u32 i = 0; i < a->count; i++)
    if (is_open(a, i)) return true;
  return false;
}

void pz_advice_probe(struct pz_advice *a, pz_probe_fn *probe, void *self) {
  if (!pz_advice_open(a)) return;
  u64 with_all = probe(self, NULL);
  a->probes++;
  for (u32 i = 0; i < a->count && !a->unclear; i++) {
    if (!is_open(a, i)) continue;
    if (probe(self, &a->list[i]) != with_all) a->needed[i] = true;
    a->probes++;
    a->unclear = a->probes > PZ_PROBES_MAX || a->steps > steps_max;
  }
}

static const char *const names[] = {[DETECT_SYNC_BLOCK] = "barrier",
                                    [DETECT_SYNC_WARP] = "warp sync",
                                    [DETECT_SYNC_FENCE] = "fence"};

void pz_advice_conclude(const struct pz_advice *a, u32 schedules, u32 shapes,
                        struct finding_list *out) {
  char where[64] = "";
  if (a->unclear) return;
  if (shapes > 1) snprintf(where, sizeof where, " and %u shapes", shapes);
  for (u32 i = 0; i < a->count; i++) {
    const struct detect_sync *s = &a->list[i];
    if (!is_open(a, i)) continue;
    struct finding *f = finding_list_say(
        out, V_RULE,
        "This %s ordered nothing in %u schedules%s (it took place %" PRIu64
        " times): left out, all accesses that touch the same memory were ordered all the same.",
        names[s->kind], schedules, where, s->times);
    f->severity = SEVERITY_NOTE;
    f->object = names[s->kind];
    f->accesses[0] = (struct finding_access){.op = "", .file = s->file, .line = s->line};
    f->access_count = 1;
    f->suggestion = "Leave it out and check again; one at a time, since two may stand in for each "
                    "other.";
  }
}
