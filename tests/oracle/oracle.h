/* oracle.h - a second opinion on races: the happens-before rule of docs/memory-model.md, written
 * down as plainly as it can be, to be compared with harness/detect/ over the same run.
 *
 * Everything is kept: each access and fence is an event with a whole vector clock of its own, and
 * every access is compared with every earlier one. Nothing is merged, dropped or shared, so it is
 * slow, and for tiny programs only. Knows nothing of how the detector works. */
#ifndef WL_TEST_ORACLE_H
#define WL_TEST_ORACLE_H
#include "vm/vm.h"
#include "oracle/program.h"

enum { ORACLE_THREADS = 24, ORACLE_EVENTS = 2048, ORACLE_RACES = 4096, ORACLE_OBJECTS = 32 };

struct oracle_event {
  u32 thread, own; /* own: 1, 2, ... of its thread */
  u32 line;
  bool is_fence, reads, writes, strong, is_red, is_volatile, acquires, releases;
  enum vm_scope scope;
  const struct vm_object *object;
  u64 offset;
  u32 size;
  bool is_early;             /* reads what was there a moment ago (buffered) */
  u8 read[8];                /* reads: the value */
  i32 saw;                   /* the write that it observed, morally strong with it; -1 = none */
  u32 clock[ORACLE_THREADS]; /* how many events of each thread come before or are it: base
                                causality order */
};

struct oracle_race {
  u32 first, second; /* events */
  bool is_excused;   /* ordered once coherence counts as order: the detector may pass it over */
  bool is_volatile;  /* two volatile accesses that are morally strong: a matter of policy */
};

struct oracle_memory {            /* who wrote each byte last: event, -1 = nobody */
  const struct vm_object *object; /* of shared memory: gone when the launch has ended */
  const char *name;
  u64 size_bytes;
  i32 *writer;
};
struct oracle_delayed {
  u64 ticket;
  u32 event;
};
struct oracle_arrival { /* bar.arrive: contributes what its threads knew then */
  u32 block, barrier, generation, clock[ORACLE_THREADS];
};

struct oracle {
  struct arena *keep;
  const struct program *program; /* for the values; may have sums */
  struct vm_observer observer;
  struct vm_launch_info launch;
  u32 ids[ORACLE_THREADS], thread_count; /* warp_global * 32 + lane */
  u32 count[ORACLE_THREADS], clock[ORACLE_THREADS][ORACLE_THREADS];
  struct oracle_event *events;
  u32 event_count;
  struct oracle_race *races;
  u32 race_count;
  struct oracle_memory memory[ORACLE_OBJECTS];
  u32 memory_count;
  struct oracle_delayed delayed[ORACLE_EVENTS];
  u32 delayed_count;
  struct oracle_arrival arrivals[64];
  u32 arrival_count;
};

/* Watches the machine's next launch, which is of that program. */
struct oracle *oracle_create(struct arena *keep, struct vm_machine *m, const struct program *p);
/* The event that wrote the byte a read event has found at `within`: -1 = nobody; -2 = not known. */
i32 oracle_source(const struct oracle *o, const struct oracle_event *read, u32 within);
bool oracle_is_before(const struct oracle_event *x,
                      const struct oracle_event *y); /* base causality */
u32 oracle_block(const struct oracle *o, u32 thread);
/* outcome.c: may the values that the run has read come out at all? */
bool oracle_outcome(const struct oracle *o, struct strbuf *why);
void oracle_print(const struct oracle *o, struct strbuf *out); /* all events, for a failure */
#endif
