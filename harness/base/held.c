/* held.c - memory that counts: what arenas, the machine and its checks hold, against one limit for
 * the process. Whoever reaches the limit is told once (held_watch) and can end in good order; far
 * above it the process ends with a message. Knows nothing of what the memory is for.
 *
 * Counts what was asked for, not what the C library made of it: the same run counts the same. */
#include "base/base.h"
#include <stdlib.h>
#include <string.h>

enum { HEAD_BYTES = 16, ALIGN = 64 };
#define DEFAULT_LIMIT (2ull << 30)

struct head { /* right before the bytes */
  size_t size;
  size_t offset; /* from the start of the allocation to the bytes */
};

static struct {
  u64 bytes, peak, limit;
  void (*over)(void *self);
  void *self;
} held = {.limit = DEFAULT_LIMIT};

_Noreturn void base_out_of_memory(size_t size_bytes) {
  fprintf(stderr, "warplings: out of memory (%zu bytes wanted, %llu MiB held)\n", size_bytes,
          (unsigned long long)(held.bytes >> 20));
  exit(2);
}

/* One step of a launch may go this far above the limit before the machine looks. */
static u64 hard_limit(void) { return held.limit + held.limit / 4 + (64u << 20); }

void held_add(u64 bytes) {
  held.bytes += bytes;
  if (held.bytes > held.peak) held.peak = held.bytes;
  if (held.bytes <= held.limit) return;
  if (held.over) {
    void (*over)(void *) = held.over;
    held.over = NULL;
    over(held.self);
  }
  if (held.bytes <= hard_limit()) return;
  fprintf(stderr,
          "warplings: out of memory: this needs more than the limit of %llu MiB; see "
          "--memory-limit\n",
          (unsigned long long)(held.limit >> 20));
  exit(2);
}

void held_sub(u64 bytes) {
  if (bytes > held.bytes)
    BUG("%llu bytes given back, %llu held", (unsigned long long)bytes,
        (unsigned long long)held.bytes);
  held.bytes -= bytes;
}

u64 held_bytes(void) { return held.bytes; }
u64 held_peak(bool afresh) {
  u64 peak = held.peak;
  if (afresh) held.peak = held.bytes;
  return peak;
}
bool held_over(void) { return held.bytes > held.limit; }
bool held_fits(u64 bytes) { return held.bytes <= held.limit && bytes <= held.limit - held.bytes; }
u64 held_limit(void) { return held.limit; }
void held_set_limit(u64 bytes) { held.limit = bytes ? bytes : DEFAULT_LIMIT; }

void held_watch(void (*over)(void *self), void *self) {
  held.over = over;
  held.self = self;
  if (over && held_over()) held_add(0);
}

/* ---- allocations ---- */
static struct head *head_of(void *p) { return (struct head *)(void *)((char *)p - HEAD_BYTES); }

static void *set_up(void *from, size_t offset, size_t size) {
  if (!from) base_out_of_memory(size);
  char *p = (char *)from + offset;
  *head_of(p) = (struct head){size, offset};
  return p;
}

static size_t product(size_t count, size_t elem_bytes) {
  size_t total, room;
  if (__builtin_mul_overflow(count, elem_bytes, &total) ||
      __builtin_add_overflow(total, (size_t)2 * ALIGN, &room) || total > SIZE_MAX / 2)
    base_out_of_memory(SIZE_MAX);
  return total;
}

void *held_zeroed(size_t count, size_t elem_bytes) {
  size_t total = product(count, elem_bytes);
  held_add(total + HEAD_BYTES);
  return set_up(calloc(1, HEAD_BYTES + total), HEAD_BYTES, total);
}

void *held_aligned(size_t size_bytes) {
  size_t total = product(1, size_bytes);
  held_add(total + HEAD_BYTES);
  return set_up(aligned_alloc(ALIGN, (ALIGN + total + ALIGN - 1) / ALIGN * ALIGN), ALIGN, total);
}

void held_free(void *p) {
  if (!p) return;
  struct head h = *head_of(p);
  held_sub(h.size + HEAD_BYTES);
  free((char *)p - h.offset);
}

void *held_grow(void *p, size_t *cap, size_t need, size_t elem_bytes) {
  if (need <= *cap && p) return p;
  size_t want = *cap < 8 ? 8 : *cap;
  while (want < need) {
    if (want > SIZE_MAX / 2) base_out_of_memory(SIZE_MAX);
    want *= 2;
  }
  size_t total = product(want, elem_bytes), old = p ? head_of(p)->size : 0;
  if (p && head_of(p)->offset != HEAD_BYTES) BUG("aligned memory does not grow");
  held_add(total + HEAD_BYTES);
  void *grown = realloc(p ? (char *)p - HEAD_BYTES : NULL, HEAD_BYTES + total);
  if (p) held_sub(old + HEAD_BYTES);
  *cap = want;
  return set_up(grown, HEAD_BYTES, total);
}
