/* advice.h - barriers, warp syncs and fences that a right kernel could do without: notes, never
 * more.
 *
 * Every run notes what synchronisation there is. Once all runs have passed, they are repeated, each
 * line's synchronisation left out in turn, until some run shows that it is needed: then nothing is
 * said of it. So a needed one costs one run as a rule, and only a needless one costs them all. */
#ifndef WL_PUZZLE_ADVICE_H
#define WL_PUZZLE_ADVICE_H
#include "puzzle/verdict.h"

enum { PZ_ADVICE_MAX = 32, PZ_PROBES_MAX = 600 };
struct pz_advice {
  struct arena *keep; /* set by the caller */
  struct detect_sync list[PZ_ADVICE_MAX];
  bool needed[PZ_ADVICE_MAX];
  u32 count, probes;
  u64 steps; /* what the probes took so far, in virtual time; the caller counts */
  bool unclear;
};
/* Device-side free() relies on order as well, and is no access: then nothing is said. */
void pz_advice_module(struct pz_advice *a, const struct ptx_module *m);
/* After an ordinary run. */
void pz_advice_note(struct pz_advice *a, const struct device *d);
/* Is there still something to find out? */
bool pz_advice_open(const struct pz_advice *a);
/* Repeats one run, without `without`; returns what was unordered then. */
typedef u64 pz_probe_fn(void *self, const struct detect_sync *without);
void pz_advice_probe(struct pz_advice *a, pz_probe_fn *probe, void *self);
/* Notes on what no run needed, into the list. */
void pz_advice_conclude(const struct pz_advice *a, u32 schedules, u32 shapes,
                        struct finding_list *out);
#endif
