/* rules.c - what a puzzle demands beyond right values, from the machine's counters. Judged in the
 * optimised run only; elsewhere a rule is merely noted, so that judge.c knows that run is needed.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include "puzzle/pz.h"

struct row {
  const char *words; /* plural, in a sentence */
  size_t offset;
};
#define ROW(field, words)                                                                          \
  { words, offsetof(struct vm_counters, field) }
static const struct row rows[PZ_COUNTER_COUNT] = {
    [PZ_BARRIERS] = ROW(max_block_barriers, "block barriers (most in one block)"),
    [PZ_FULL_BARRIERS] =
        ROW(max_full_barriers, "barriers at which the whole block waits (most in one block)"),
    [PZ_WARP_SYNCS] = ROW(warp_syncs, "warp barriers"),
    [PZ_SHUFFLES] = ROW(shuffles, "shuffles"),
    [PZ_MAX_WARP_SHUFFLES] = ROW(max_warp_shuffles, "shuffles in one warp"),
    [PZ_GLOBAL_LOADS] = ROW(global_loads, "loads from global memory"),
    [PZ_GLOBAL_STORES] = ROW(global_stores, "stores to global memory"),
    [PZ_SHARED_LOADS] = ROW(shared_loads, "loads from shared memory"),
    [PZ_SHARED_STORES] = ROW(shared_stores, "stores to shared memory"),
    [PZ_GLOBAL_ATOMICS] = ROW(global_atomics, "atomics on global memory, counted by thread"),
    [PZ_SHARED_ATOMICS] = ROW(shared_atomics, "atomics on shared memory, counted by thread"),
    [PZ_GLOBAL_ATOMIC_REQUESTS] =
        ROW(global_atomic_requests, "atomic instructions on global memory"),
    [PZ_SHARED_ATOMIC_REQUESTS] =
        ROW(shared_atomic_requests, "atomic instructions on shared memory"),
    [PZ_FENCES] = ROW(fences, "memory fences"),
    [PZ_SHARED_BYTES] = ROW(shared_bytes, "bytes of shared memory in a block"),
    [PZ_GLOBAL_LOAD_REQUESTS] = ROW(global_load_requests, "load instructions on global memory"),
    [PZ_GLOBAL_LOAD_SECTORS] =
        ROW(global_load_sectors, "sectors of 32 bytes read from global memory"),
    [PZ_GLOBAL_STORE_REQUESTS] = ROW(global_store_requests, "store instructions on global memory"),
    [PZ_GLOBAL_STORE_SECTORS] =
        ROW(global_store_sectors, "sectors of 32 bytes written to global memory"),
    [PZ_SHARED_LOAD_REQUESTS] = ROW(shared_load_requests, "load instructions on shared memory"),
    [PZ_SHARED_LOAD_WAVEFRONTS] =
        ROW(shared_load_wavefronts, "passes through the banks for loads from shared memory"),
    [PZ_SHARED_STORE_REQUESTS] = ROW(shared_store_requests, "store instructions on shared memory"),
    [PZ_SHARED_STORE_WAVEFRONTS] =
        ROW(shared_store_wavefronts, "passes through the banks for stores to shared memory"),
    [PZ_OVERLAPPED_SHARED_LOADS] =
        ROW(overlapped_shared_loads, "loads from shared memory while a copy is under way"),
    [PZ_GLOBAL_ATOMIC_TRANSACTIONS] =
        ROW(global_atomic_transactions, "passes of atomics on global memory"),
    [PZ_SHARED_ATOMIC_TRANSACTIONS] =
        ROW(shared_atomic_transactions, "passes of atomics on shared memory"),
    [PZ_MAKESPAN] = ROW(makespan, "cycles until the last warp is done"),
    [PZ_IDLE_SM_CYCLES] = ROW(idle_sm_cycles, "cycles of idle SMs"),
    [PZ_WORKED_WARP_CYCLES] = ROW(worked_warp_cycles, "cycles in which warps worked"),
    [PZ_WARP_INSTRUCTIONS] = ROW(warp_instructions, "warp instructions"),
    [PZ_THREAD_INSTRUCTIONS] = ROW(thread_instructions, "thread instructions"),
    [PZ_MAX_THREAD_INSTRUCTIONS] = ROW(max_thread_instructions, "instructions in one thread"),
};
#undef ROW

static u64 value(const struct pz *pz, enum pz_counter c) {
  if ((unsigned)c >= PZ_COUNTER_COUNT) BUG("check of %s: no counter %d", pz->puzzle->id, (int)c);
  return *(const u64 *)(const void *)((const char *)&pz->counters + rows[c].offset);
}

uint64_t pz_count(struct pz *pz, enum pz_counter c) {
  pz->wants_rules = true;
  return pz->optimized && !pz->stopped ? value(pz, c) : 0;
}

static void broken(struct pz *pz, enum pz_counter c, bool is_most, u64 limit, const char *why) {
  finding_list_say(&pz->found, V_RULE, "%" PRIu64 " %s, where at %s %" PRIu64 " %s %s: %s.",
                   value(pz, c), rows[c].words, is_most ? "most" : "least", limit,
                   limit == 1 ? "is" : "are", is_most ? "allowed" : "needed", why);
}

void pz_rule_max(struct pz *pz, enum pz_counter c, uint64_t most, const char *why) {
  pz->wants_rules = true;
  if (pz->optimized && !pz->stopped && value(pz, c) > most) broken(pz, c, true, most, why);
}

void pz_rule_min(struct pz *pz, enum pz_counter c, uint64_t least, const char *why) {
  pz->wants_rules = true;
  if (pz->optimized && !pz->stopped && value(pz, c) < least) broken(pz, c, false, least, why);
}

void pz_rule(struct pz *pz, bool cond, const char *fmt, ...) {
  char text[400];
  va_list ap;
  pz->wants_rules = true;
  if (cond || !pz->optimized || pz->stopped) return;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  finding_list_say(&pz->found, V_RULE, "%s", text);
}

/* How many threads' worth of work went on side by side: all instructions, divided by those of the
 * busiest thread. */
void pz_rule_shared_out(struct pz *pz, uint64_t workers, const char *why) {
  enum { FEW = 200, SHARE = 16 };
  u64 all = pz_count(pz, PZ_THREAD_INSTRUCTIONS), most = pz_count(pz, PZ_MAX_THREAD_INSTRUCTIONS);
  if (!most || workers < FEW || all / most >= workers / SHARE) return;
  pz_rule(pz, false,
          "One thread executes %" PRIu64 " of the launch's %" PRIu64 " instructions: as if %" PRIu64
          " threads worked side by side, where there is work for %" PRIu64 ": %s.",
          most, all, all / most, workers, why);
}

void pz_rule_makespan(struct pz *pz, double ideal_cycles, double most, const char *why) {
  const struct vm_time_line *t = &pz->time_line;
  pz->wants_rules = true;
  if (!pz->optimized || pz->stopped) return;
  /* The whole plan on the optimised build (request.both_builds): no rule is judged there. */
  if (pz->puzzle->timed && !pz->has_time_line) return;
  if (!pz->has_time_line || !t->makespan || !t->sm_count || ideal_cycles <= 0)
    BUG("check of %s: a makespan rule, but the launch was not timed", pz->puzzle->id);
  double ratio = (double)t->makespan / ideal_cycles;
  if (ratio <= most) return;
  u32 busy = 0, idle = 0;
  for (u32 s = 1; s < t->sm_count; s++) {
    if (t->sm[s].worked > t->sm[busy].worked) busy = s;
    if (t->sm[s].worked < t->sm[idle].worked) idle = s;
  }
  pz_rule(pz, false,
          "Makespan %.2f x ideal (%" PRIu64
          " cycles, ideal %.0f), where at most %.2f x is allowed; "
          "SM %u worked %.0f %% of the time, SM %u %.0f %%: %s.",
          ratio, t->makespan, ideal_cycles, most, busy,
          100.0 * (double)t->sm[busy].worked / (double)t->makespan, idle,
          100.0 * (double)t->sm[idle].worked / (double)t->makespan, why);
}
