/* again.h - a single lane, once more: what fast.c hands to again.c to remember, and the hooks that
 * ask for it. Private to detect/. */
#ifndef WL_DETECT_AGAIN_H
#define WL_DETECT_AGAIN_H
#include "detect/race.h"

struct race_again { /* an instruction's last access, by whom and where */
  u64 stamp, stack; /* stores: of the era */
  const struct vm_object *object;
  struct race_chunk *chunk;
  u64 *bits; /* loads: of the set that remembers them; void with the stamp */
  u32 pos_id, thread, site, epoch, bound;
  u32 each;  /* granules of one access */
  u32 first; /* granule of the object where the chunk begins */
  u32 from;  /* loads: granule of the object where the set begins */
};
/* To be remembered: fast.c has noted this access of one lane, in rec. */
void detect_again_read(struct race_viewer *v, const struct vm_access *a, u32 site, u32 bound,
                       struct race_chunk *c, const struct race_rec *rec);
void detect_again_write(struct race_viewer *v, const struct vm_access *a, u32 site, u32 bound,
                        struct race_chunk *c);
/* Hooks, see vm_observer. */
bool detect_read_again(void *self, const struct vm_lone *l, u32 pos_id, const struct vm_object *o,
                       u32 offset, struct vm_grant *grant);
bool detect_write_again(void *self, const struct vm_lone *l, u32 pos_id, const struct vm_object *o,
                        u32 offset, const u8 *value);
#endif
