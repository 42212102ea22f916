/* frame.h - what the grader and its sandboxed helpers say to each other: frames of a type, a length
 * and that many bytes; and how numbers and texts stand in them. Knows no message's meaning: box.h.
 *
 * The reader trusts nothing: every length is checked against what is there, and a message counts
 * only when it was read to its last byte. */
#ifndef WL_BOX_FRAME_H
#define WL_BOX_FRAME_H
#include "base/base.h"

struct box_head { /* in front of every frame, little endian as the machine is */
  u32 magic, type;
  u64 bytes;
};
enum { BOX_MAGIC = 0x58424c57 }; /* "WLBX" */

/* ---- writing ---- */
void box_put_u32(struct strbuf *b, u32 v);
void box_put_u64(struct strbuf *b, u64 v);
void box_put_text(struct strbuf *b, str s); /* length and bytes */
void box_put_diag(struct strbuf *b, const struct diag *d);

/* ---- reading ---- */
struct box_reader {
  str rest;
  bool bad; /* something was missing; everything reads as zero from then on */
};
u32 box_get_u32(struct box_reader *r);
u64 box_get_u64(struct box_reader *r);
u32 box_get_below(struct box_reader *r, u32 limit); /* bad where it is not below */
str box_get_text(struct box_reader *r);             /* points into the frame; any bytes */
/* Bytes 0 become spaces; at most max_bytes are kept; NUL-terminated. Never NULL. */
const char *box_get_line(struct box_reader *r, struct arena *keep, size_t max_bytes);
void box_get_diag(struct box_reader *r, struct diag *d);
bool box_done(const struct box_reader *r); /* well-formed, and nothing is left over */

/* ---- the helper's side: standard input and output, blocking ---- */
/* false: the other end has gone. A frame above max_bytes ends the process. */
bool box_receive(struct strbuf *into, u32 *type, u64 max_bytes);
/* From now on what else is written to standard output goes nowhere. */
bool box_answer_apart(void);
void box_send(u32 type, const struct strbuf *body);
#endif
