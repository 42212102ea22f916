/* race.h - what the parts of the race detector share. Specification: docs/findings.md (rules), the
 * PTX memory model.
 *
 * - clock.c: epochs and clocks, who knows what; barriers
 * - map.h: the sparse part of a clock
 * - shadow.h: shadow memory: chunks, the log of reads
 * - cell.c: the precise rule for one granule
 * - observe.c: what a thread knows of an earlier access
 * - strong.c: which accesses a granule remembers one by one
 * - fast.c: whole warps at once
 * - again.c: a single lane, once more
 * - message.c: release and acquire through memory; messages.c: lists of them
 * - site.c: where an access stands, as one number
 * - async.c: copies that run on their own
 * - race_text.c: what to say
 * - race.c: machine events
 *
 * A thread is warp_global * 32 + lane. A granule is 4 bytes. Epochs start at 1; 0 is "nothing yet".
 */
#ifndef WL_DETECT_RACE_H
#define WL_DETECT_RACE_H
#include "detect/map.h"
#include "detect/parts.h"
#include "detect/shadow.h"

struct race;

/* ---- clocks (clock.c) ---- */
enum { SCOPE_NEAR, SCOPE_CLUSTER, SCOPE_FAR, SCOPE_CLASSES }; /* cta, cluster, gpu and system */
static inline u32 detect_scope_class(enum vm_scope s) {
  return s == VM_SCOPE_CTA ? SCOPE_NEAR : s == VM_SCOPE_CLUSTER ? SCOPE_CLUSTER : SCOPE_FAR;
}
enum { RACE_PENDING = 64, RACE_SEEN = 4, RACE_RELEASES = 32 };
struct race_shadow;
struct race_pending { /* messages observed on one location, not yet acquired */
  u32 loc, chain, version;
  const struct race_shadow *at; /* NULL: several locations, merged */
  u64 offset;
  u32 size;
  struct race_map *map[SCOPE_CLASSES]; /* by the scope an acquire needs to take it */
};
struct race_seen { /* a strong read and whose write it saw; mostly for explanations */
  u32 loc, writer, epoch, writer_site, reader_site;
  u32 chain, version; /* observed by this thread itself, see seen_through; 0 = not observed */
  u8 writer_scope, reader_scope;
  bool out_of_reach; /* the writer had released something, but a scope was too small */
};
struct race_release { /* a release operation: later strong writes of the thread to that location
                         carry it too */
  const struct vm_object *object;
  u64 offset;
  u32 size, scope;
  struct race_map *map;
};
struct race_lane {
  struct race_map *map;                /* beyond G, B, W and the block's map */
  struct race_map *rel[SCOPE_CLASSES]; /* clock at the latest fence of that scope */
  u32 rel_epoch[SCOPE_CLASSES];        /* when that was */
  u32 told; /* nobody has heard of what this lane did after that epoch, see also the warp's */
  struct race_pending *pending; /* up to RACE_PENDING */
  u32 pending_count;
  size_t pending_cap;
  struct race_release *releases; /* up to RACE_RELEASES locations, the oldest is forgotten */
  u32 release_count;
  struct race_seen seen[RACE_SEEN];
  u32 seen_next;
};
struct race_warp {
  u32 epoch;
  u32 known;               /* W: everything of this warp up to here is known to all its lanes */
  u32 (*rows)[VM_LANES];   /* instead, after partial syncs: rows[knower][of] */
  struct race_lane *lanes; /* NULL until some lane has a map, fence or message */
  u32 lanes_used;          /* ... which: the others' are blank */
  u32 exited;              /* lanes that have exited */
  u32 told;                /* epoch of the latest barrier or warp sync of any of its lanes */
  u32 strong;              /* lanes that have done a strong access; for advice */
  u32 *armed;              /* by unit: lanes that came from one to that fence, see needless.c */
};
struct race_gift { /* what bar.arrive contributed to a barrier that is still closed */
  u32 barrier, generation;
  struct race_map *map;
};
struct race_proxy {      /* a fence.proxy.async: by whom, when, and what its thread knew */
  u32 warp, lane, epoch; /* warp in the block */
  struct race_map *covers;
};
struct race_block {
  u32 block;
  u32 known; /* B: everything of this block up to here is known to all its threads */
  struct race_map *map;
  struct race_gift *gifts;
  u32 gift_count;
  size_t gift_cap;
  struct race_proxy *proxies; /* since the last full barrier */
  u32 proxy_count;
  size_t proxy_cap;
  bool proxies_lost;        /* too many: nothing can be said */
  struct race_map *proxied; /* what earlier ones cover */
  u32 arriving[16];         /* by barrier: the unit of the first arrival; for advice */
  struct race_warp warps[];
};

struct race_viewer { /* a thread that asks what it knows */
  struct race *race;
  struct race_block *b;
  struct race_warp *w;
  u32 warp, lane; /* warp in the block */
  u32 warp_global;
};
bool detect_known_slow(const struct race_viewer *v, u32 warp_global, u32 lane, u32 epoch);
struct race_block *detect_block_of(struct race *r, u32 block);
struct race_lane *detect_lane_of(struct race_warp *w, u32 lane);
/* The whole clock of a thread, own accesses up to now included, as a map: for others to have. */
struct race_map *detect_clock_now(const struct race_viewer *v);
/* The same, for a fence: nobody has it yet. */
struct race_map *detect_clock_kept(const struct race_viewer *v);
void detect_clock_bump(struct race *r, struct race_warp *w);
void detect_clock_sync(struct race *r, const struct vm_sync *s); /* all but FENCE */
void detect_clock_free_block(struct race *r, u32 block);

/* ---- one access under the precise rule (cell.c) ---- */
struct race_lane_access { /* what one lane does: a whole access, or an element of a strong vector
                             access */
  struct race_viewer v;
  const struct vm_access *a;
  struct race_shadow *s;
  u64 offset;       /* in the object */
  u32 size, within; /* bytes; within: start inside the lane's whole access */
  u32 bound;        /* epochs up to here are known to everyone who can reach the object */
  u32 site;
  bool strong, reads, writes, is_copy;
  bool by_proxy;      /* a bulk copy's: through the async proxy */
  bool by_phase;      /* an mbarrier's word: its phases order, see async.c */
  u8 scope;           /* SCOPE_* */
  u32 done;           /* lanes of this instruction that came before */
  u32 chain, version; /* strong: what it observed or wrote; chain 0 = nothing */
  bool keep_slot;     /* between check and update: the granule's last write must not be forgotten */
};
/* Compares with everything the granule remembers, then remembers it. Two steps, since a strong
 * access acquires and publishes between them. bytes: which of the granule's four. */
void detect_cell_check(struct race_lane_access *x, u32 granule, u8 bytes);
void detect_cell_update(struct race_lane_access *x, u32 granule, u8 bytes);
bool detect_covers(const struct race *r, u32 scope, u32 from_block, u32 to_block);

/* ---- knowing (observe.c) ---- */
static inline u32 detect_self_bit(const struct race_lane_access *x) { return 1u << x->v.lane; }
/* Lanes of an earlier access that x's thread does not know of. */
u32 detect_unknown_lanes(const struct race_lane_access *x, u32 warp, u32 mask, u32 epoch);
/* The write e is ordered before x since somebody saw it. cell may be NULL. */
bool detect_seen_through(const struct race_lane_access *x, const struct race_cell *cell,
                         const struct race_entry *e);
/* The strong read e leaves the entries: what it saw stays known. */
void detect_keep_observer(struct race_cell *cell, const struct race_entry *e);

/* ---- what is remembered one by one (strong.c) ---- */
void detect_entry_push(struct race_cell *cell, const struct race_entry *n);
/* x's own entry; those that it makes superfluous go. */
void detect_strong_remember(struct race_lane_access *x, struct race_cell *cell, u32 granule,
                            u8 bytes);

/* ---- whole warps at once (fast.c); false: nothing has been done ---- */
bool detect_read_fast(struct race_viewer *v, const struct vm_access *a, u32 site);
bool detect_write_fast(struct race_viewer *v, const struct vm_access *a, u32 site);

u32 detect_bound_of(const struct race *r, const struct race_block *b,
                    const struct vm_object *o); /* race.c */

/* ---- asynchronous copies (async.c) ---- */
struct race_copy { /* issued, not yet joined */
  u64 id;
  u32 number;                        /* stands for warp_global in shadow memory */
  u32 warp, lane, block;             /* the issuer (warp in the grid) */
  bool is_bulk, by_group, is_posted; /* posted: released into an mbarrier's phase */
  u32 group;
  u32 site;                       /* where it was issued */
  struct vm_async_range src, dst; /* no object: nothing there, or waited for */
};
struct race_arrival { /* asynchronous: executed, not yet taken place */
  u64 id;
  struct race_map *clock; /* of its lane, when it was executed */
};
struct race_phase { /* an mbarrier */
  const struct vm_object *object;
  u64 offset;
  struct race_map *now, *done; /* of the open phase; of all that are complete */
};
void detect_async_event(struct race *r, const struct vm_async_event *e);
void detect_async_settle(struct race *r,
                         struct race_block *b); /* the block's map has grown at a full barrier */
/* The block ends, and its shared memory with it: bulk copies that still use it race with that. */
void detect_async_block_end(struct race *r, const struct race_block *b);
void detect_async_forget(struct race *r, const struct vm_object *o);
void detect_async_reset(struct race *r);
const struct race_copy *detect_async_find(const struct race *r,
                                          u32 warp_global); /* NULL: an ordinary thread */

/* ---- the async proxy (proxy.c) ---- */
void detect_proxy_fence(struct race *r, const struct vm_async_event *e);
/* A bulk copy, issued by x's thread, reads or writes a granule. */
void detect_proxy_check(const struct race_lane_access *x, u64 granule, u8 bytes);
void detect_proxy_settle(struct race_block *b);
void detect_proxy_free(struct race_block *b);

/* ---- messages (message.c) ---- */
struct race_message {
  u32 block;            /* of the writers */
  u32 scope;            /* of their fences or release operations */
  struct race_map *map; /* NULL where race->far_only: race_loc.wide is enough */
};
struct race_messages {
  struct race_message *list; /* by block, then by scope */
  u32 count;
  size_t cap;
};
/* The first message of that block and at least that scope, or where it would be. */
u32 detect_messages_at(const struct race_messages *l, u32 block, u32 scope);
void detect_messages_add(struct race_messages *to, u32 block, u32 scope, struct race_map *map);
void detect_messages_clear(struct race_messages *m);
void detect_messages_free(struct race_messages *m);
struct race_loc { /* a location used for synchronization */
  u32 id, refs;
  bool alive;
  u64 offset;
  u32 size;
  u32 chain, version; /* the current chain of read-modify-writes and its length */
  u32 writer, writer_epoch, writer_site; /* last strong write; version 0 = none yet */
  u8 writer_scope;
  struct race_messages messages;
  struct race_messages past; /* of earlier chains, where loads may come early */
  struct race_map *wide;     /* all messages of gpu scope, joined */
  u32 wide_version;          /* of the chain: goes up when wide grows */
};
struct race_delayed { /* what such a store will publish when others see it */
  u64 ticket;
  struct race_shadow *at; /* NULL: the object has gone */
  struct race_loc *news;  /* a location of its own, never in a cell */
  bool is_replaced;       /* by a plain store of its own thread */
};
/* The chain of a read that came early: of whatever it saw, nobody says what it did not see. */
#define CHAIN_ANY (~0u)
/* The location of a strong access, alive; NULL when there is none and create is false. */
struct race_loc *detect_loc_find(struct race_lane_access *x, bool create);
/* Locations of the cell that overlap bytes [from, to) of the object are no longer what was written
 * there. */
void detect_loc_forget(struct race_cell *cell, u64 from, u64 to, const struct race_loc *but);
void detect_loc_unref(struct race_loc *l);
/* An acquire operation acquires: before it is judged. */
void detect_message_acquire(struct race_lane_access *x);
/* Then the strong access notes what it read (and keeps it for a later fence), publishes what it
 * wrote; sets x->chain. */
void detect_message_access(struct race_lane_access *x);
void detect_message_plain(const struct race_lane_access *x); /* a weak write */
void detect_message_gone(struct race *r, const struct race_shadow *s);
void detect_message_visible(struct race *r, u64 ticket);
void detect_message_reset(struct race *r); /* what was never seen is forgotten */
void detect_message_fence(struct race *r, const struct vm_sync *s);
/* For explanations: how `x`'s thread could have known of thread (warp_global, lane) at `epoch`, but
 * did not. */
enum race_hint { HINT_NONE, HINT_NO_ACQUIRE, HINT_NO_RELEASE, HINT_SCOPE, HINT_FENCE_ALONE };
enum race_hint detect_message_hint(const struct race_lane_access *x, u32 warp_global, u32 lane,
                                   u32 epoch, struct race_seen *seen);

/* ---- sites (site.c): an instruction and the calls that lead to it, as a number ---- */
struct race_site {
  u32 pos_id, call_count;
  u64 stack;
  struct vm_code_pos pos;
  struct vm_code_pos *calls;
  const char *op;
  bool nc;
  bool has_where, is_strong;
  struct detect_where where;
};
u32 detect_site_of(struct race *r, const struct vm_access *a);
void detect_site_reset(struct race *r);
const struct detect_where *detect_site_where(struct race *r, u32 site);

/* ---- conflicts (race_text.c) ---- */
enum conflict_why { WHY_UNORDERED, WHY_SCOPE, WHY_EXTENT, WHY_READONLY, WHY_PROXY };
struct race_conflict { /* an earlier access and the present one, x */
  const struct race_lane_access *x;
  u32 warp, lane, more; /* the earlier thread (warp in the grid); more: further lanes of its warp */
  u32 epoch, site;
  u8 flags; /* of the earlier one: enum entry_flags */
  u8 scope;
  u64 offset; /* first byte that both touch */
  enum conflict_why why;
  enum detect_case policy;
  bool same_instruction;
  bool is_copy; /* the earlier one was an asynchronous copy; warp and lane are its issuer's */
};
void detect_conflict(struct race *r, const struct race_conflict *c);
void detect_conflict_done(struct race *r); /* the warp instruction ends */

/* ---- advice (needless.c) ---- */
struct race_unit { /* an instruction's unit; 0 = none */
  u64 stack;
  u32 pos_id, unit;
};
/* Takes note; false: this one is to be left out. */
bool detect_needless_sync(struct race *r, const struct vm_sync *s);
void detect_needless_strong(struct race *r, struct race_warp *w, const struct vm_access *a,
                            u32 site);
void detect_needless_close(struct race *r);
void detect_needless_unordered(struct race *r, const struct race_lane_access *x, u32 granule,
                               const struct race_entry *e, u32 lanes);

struct race_wide { /* a finding within one warp, and how to put it should another warp turn out to
                      be concerned as well */
  struct finding *finding;
  const char *message, *suggestion;
};
struct race_pair { /* conflicts that were seen before, by sites: a quick way to the finding */
  u64 key;
  struct finding *finding; /* NULL: dropped */
};

struct race {
  struct detect *d;
  u32 G, newest;
  u32 warps_per_block, block_count;
  u32 cluster_size[3];
  bool has_clusters, has_early; /* early: loads may return what was there before */
  const struct ptx_module *module;
  bool small_scopes;
  bool far_only; /* no instruction of the module names a scope smaller than the GPU, no clusters and
                    no early loads: who acquires from a location acquires all that it has */
  struct race_block **blocks; /* those that have been seen and not ended: hashed by number */
  u32 block_slots, block_live;
  /* Moves with all that makes entries of `again` void: clocks, chunks that go (era); for loads also
   * records that go, cells that come (stamp). */
  u64 stamp, era;
  struct race_again *again; /* see again.h */
  struct race_shadow **shadows;
  u32 shadow_count;
  size_t shadow_cap;
  struct race_cell *cells; /* pool; 0 is never used */
  u32 cell_count, cell_free;
  size_t cell_cap;
  u32 next_loc, next_chain;
  struct race_copy *copies;
  u32 copy_count, next_copy;
  size_t copy_cap;
  struct race_arrival *arrivals;
  u32 arrival_count;
  size_t arrival_cap;
  struct race_phase *phases;
  u32 *phase_table, phase_slots; /* hashed by object and offset: index + 1; 0 slots: to be made */
  u32 phase_count;
  size_t phase_cap;
  struct race_delayed *delayed;
  u32 delayed_count;
  size_t delayed_cap;
  struct race_warp copy_warp; /* what every copy has for a warp: only its epoch */
  struct race_site *sites;    /* 0 is never used */
  u32 site_count;
  size_t site_cap;
  struct race_unit *units; /* of this launch */
  u32 unit_count;
  size_t unit_cap;
  u32 *site_last; /* by pos_id */
  size_t site_last_cap;
  u32 *site_table, site_table_size;
  struct arena site_arena;
  struct race_pair *pairs;
  u32 pair_count;
  size_t pair_cap;
  struct race_wide *wide;
  u32 wide_count;
  size_t wide_cap;
  struct finding *current; /* made by the instruction at hand: counts its further lanes */
  u64 current_key;
  u32 current_lanes;
};

static inline bool detect_known(const struct race_viewer *v, u32 warp_global, u32 lane, u32 epoch) {
  if (epoch <= v->race->G) return true;
  if (warp_global == v->warp_global) {
    if (lane == v->lane || epoch <= v->b->known) return true;
    if (!v->w->rows && epoch <= v->w->known) return true;
  }
  return detect_known_slow(v, warp_global, lane, epoch);
}
#endif
