/* shadow.h - shadow memory: what the race detector remembers of each granule of an object, in
 * chunks, and the log of reads that have not come to their granules yet. What makes a race of it is
 * cell.c's business. Part of race.h. */
#ifndef WL_DETECT_SHADOW_H
#define WL_DETECT_SHADOW_H
#include "vm/event.h"

struct race;
enum {
  CHUNK_GRANULES = 1024,
  SHARED_GRANULES = 65536 /* a chunk of a shared variable: all of it */,
  CHUNK_MAX = SHARED_GRANULES,
  LOG_MAX = 2048,
  LOG_RECENT = 256,
  LOG_FEW = 64 /* where writes look through it */
};
enum rec_kind { REC_RANGE, REC_ONE, REC_GATHER, REC_RUN, REC_SET };
enum { SET_GRANULES = 1024 }; /* what a REC_SET can hold: aligned */
struct race_rec { /* weak reads of one warp instruction, not yet spread over the granules */
  u32 warp, epoch, site, mask;
  u16 lo, hi;    /* granules, inclusive */
  u8 kind, each; /* each: granules per lane */
  union {
    u32 gather; /* REC_GATHER: index of 32 granules in the chunk's pool */
    u32 stride; /* REC_RUN: all lanes at lo, then at lo + stride, ... up to hi */
    u32 set;    /* REC_SET: index in the chunk's pool; lo..hi is all that it can hold */
  };
};
struct race_set { /* granules that a single lane has read by one instruction, in any order */
  u64 bits[SET_GRANULES / 64];
};
struct race_reader { /* weak reads of one granule by one warp */
  u32 warp, mask, epoch, site;
  u8 bytes;
};
enum entry_flags {
  ENTRY_READ = 1,
  ENTRY_WRITE = 2,
  ENTRY_STRONG = 4,
  ENTRY_VOLATILE = 8,
  ENTRY_OLD = 16 /* replaced, by another value */,
  ENTRY_NOTED = 32 /* during one access */,
  ENTRY_RACED = 64 /* a race with it has been reported */
};
/* Of a granule's entries, there may be some that ...; all of it is unset when there are none. */
enum cell_kinds {
  CELL_UNLIKE = 1, /* are not strong, of gpu scope and of the same extent as the first */
  CELL_STORES = 2, /* write and do not read */
  CELL_NOTED = 4,
  CELL_RACED = 8
};
struct race_entry { /* anything else that a granule must remember */
  u32 warp, mask, epoch, site;
  u8 flags, bytes, scope;
  u8 size;            /* extent of strong accesses: two are the same when rel and size agree */
  i32 rel;            /* start of the access relative to the granule */
  u32 chain, version; /* observation: what it wrote or saw; 0 = nothing */
};
struct race_observer { /* a strong read that saw that much of a chain, no longer among the entries
                        */
  u32 warp, mask, epoch, chain, version;
};
struct race_loc;
struct race_cell {
  struct race_reader *readers; /* by warp */
  struct race_entry *entries;  /* oldest first */
  struct race_observer *observers;
  struct race_loc *locs[4];
  u32 reader_count, entry_count, observer_count;
  u32 purged; /* what was known to everyone up to this epoch has gone */
  size_t reader_cap, entry_cap, observer_cap;
  u32 next_free;
  u8 kinds; /* enum cell_kinds */
};
struct race_chunk {
  u32 granules;
  u32 write_newest, read_newest, log_newest,
      nc_newest;                           /* upper bounds of the epochs in w_, r_, the log, nc_ */
  u32 *w_epoch, *w_thread, *w_site;        /* last weak write of the whole granule */
  u32 *r_epoch, *r_warp, *r_mask, *r_site; /* weak reads of the whole granule by one warp */
  u32 *cell;                               /* more; 0 = nothing */
  u32 *p_epoch, *p_thread, *p_site;        /* last write that one with another value replaced */
  u32 *nc_epoch, *nc_thread, *nc_site;     /* latest read through the read-only cache */
  u32 cell_count;
  struct race_rec *log;
  u32 log_count, gather_count, set_count;
  u32 log_owner; /* the thread that all of the log is of, ~0 when there are several */
  size_t log_cap, gather_cap, set_cap;
  struct race_set *sets;
  u16 (*gather)[VM_LANES];
  u16 *recent; /* LOG_RECENT places in the log, by a hash of what was read: the same again replaces
                  it */
};
struct race_shadow {
  struct vm_object *object;
  u32 chunk_count, per, shift; /* granules of a chunk: per = 1 << shift */
  u32 index;                   /* in race->shadows */
  struct race_chunk *chunks[];
};
struct race_shadow *detect_shadow_of(struct race *r, struct vm_object *o);
void detect_shadow_free(struct race *r, struct race_shadow *s);
struct race_chunk *detect_chunk_of(struct race_shadow *s, u32 index);
void detect_chunk_writes(struct race_chunk *c);   /* makes w_ */
void detect_chunk_replaced(struct race_chunk *c); /* p_ */
void detect_chunk_readonly(struct race_chunk *c); /* nc_ */
struct race_cell *detect_cell_get(struct race *r, struct race_chunk *c, u32 g);
void detect_cell_put(struct race *r, struct race_chunk *c, u32 g); /* forget it */
void detect_cells_free(struct race *r);                            /* all of them, at the end */
/* A weak read of whole granules into the log; the log spills into the granules when it is long.
 * Returns the record that tells of it now. */
struct race_rec *detect_log_add(struct race *r, struct race_chunk *c, const struct race_rec *rec,
                                const u16 *gather, u32 bound);
void detect_log_spill(struct race *r, struct race_chunk *c, u32 bound);
/* Could some logged read, other than `own` thread for thread, touch granules lo..hi? */
bool detect_log_touches(const struct race_chunk *c, u32 lo, u32 hi, const struct race_rec *own,
                        u32 bound);
void detect_read_whole(struct race *r, struct race_chunk *c, u32 g, u32 warp, u32 mask, u32 epoch,
                       u32 site, u32 bound);
void detect_read_part(struct race *r, struct race_chunk *c, u32 g, const struct race_reader *n);
#endif
