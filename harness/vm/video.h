/* video.h - what scalar and SIMD video instructions share: the operation on two parts. Private to
 * their handlers. */
#ifndef WL_VM_VIDEO_H
#define WL_VM_VIDEO_H
#include "vm/lanes.h"

enum video_kind {
  VIDEO_ADD,
  VIDEO_SUB,
  VIDEO_AVRG,
  VIDEO_ABSDIFF,
  VIDEO_MIN,
  VIDEO_MAX,
  VIDEO_SET,
  VIDEO_SHL,
  VIDEO_SHR
};
struct video_op {
  u8 kind, cmp; /* enum video_kind; MOD_EQ ... of VIDEO_SET */
  bool d_signed, a_signed, b_signed;
};
/* Exact: sources have at most 32 bits. */
i64 video_compute(const struct video_op *v, i64 a, i64 b);
/* Kind, comparison and types of the instruction; false: there is no such form. */
bool video_pick(struct vm_pick *p, enum video_kind kind, struct video_op *v);
#endif
