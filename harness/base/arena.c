/* arena.c - memory with one lifetime. Knows nothing of what it holds. */
#include "base/base.h"
#include <stdlib.h>
#include <string.h>

/* Under AddressSanitizer what was not handed out is poisoned, with a gap behind each allocation. */
#if defined(__SANITIZE_ADDRESS__)
#define ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ASAN 1
#endif
#endif
#ifdef ASAN
#include <sanitizer/asan_interface.h>
enum { GAP_BYTES = 16 };
#else
#define ASAN_POISON_MEMORY_REGION(p, n)   ((void)(p), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
enum { GAP_BYTES = 0 };
#endif

enum { FIRST_BLOCK_BYTES = 32 << 10, MAX_BLOCK_BYTES = 1 << 20, SMALL_ALIGN = 16, BIG_ALIGN = 64 };

struct arena_block {
  struct arena_block *next;
  size_t cap, used;
  /* bytes follow */
};

_Noreturn void base_bug(const char *file, int line, const char *fmt, ...) {
  va_list ap;
  fprintf(stderr, "warplings: BUG at %s:%d: ", file, line);
  va_start(ap, fmt);
  vfprintf(stderr, fmt, ap);
  va_end(ap);
  fputc('\n', stderr);
  fflush(stderr);
  abort();
}

static char *block_bytes(struct arena_block *b) { return (char *)(b + 1); }

/* Where the next allocation of this alignment starts within the block, as an offset. */
static size_t aligned_start(struct arena_block *b, size_t align) {
  uintptr_t at = (uintptr_t)block_bytes(b) + b->used;
  return b->used + (size_t)(-at & (align - 1));
}

static struct arena_block *new_block(struct arena *a, size_t min_bytes) {
  size_t cap = a->head ? a->head->cap * 2 : FIRST_BLOCK_BYTES;
  if (cap > MAX_BLOCK_BYTES) cap = MAX_BLOCK_BYTES;
  bool oversize = min_bytes > cap;
  if (oversize) cap = min_bytes;
  /* calloc: fresh pages of big blocks are zero already and cost nothing until touched */
  held_add(sizeof(struct arena_block) + cap);
  struct arena_block *b = calloc(1, sizeof *b + cap);
  if (!b) base_out_of_memory(cap);
  b->cap = cap;
  ASAN_POISON_MEMORY_REGION(block_bytes(b), cap);
  if (oversize && a->head) { /* keep filling the current block */
    b->next = a->head->next;
    a->head->next = b;
  } else {
    b->next = a->head;
    a->head = b;
  }
  return b;
}

void *arena_alloc(struct arena *a, size_t size_bytes) {
  size_t align = size_bytes >= BIG_ALIGN ? BIG_ALIGN : SMALL_ALIGN;
  if (size_bytes > SIZE_MAX / 2) base_out_of_memory(size_bytes);
  if (size_bytes == 0) size_bytes = 1; /* distinct addresses */
  struct arena_block *b = a->head;
  size_t start = b ? aligned_start(b, align) : 0;
  if (!b || start > b->cap || size_bytes > b->cap - start) {
    b = new_block(a, size_bytes + BIG_ALIGN + GAP_BYTES);
    start = aligned_start(b, align);
  }
  b->used = start + size_bytes + GAP_BYTES;
  ASAN_UNPOISON_MEMORY_REGION(block_bytes(b) + start, size_bytes);
  a->used_bytes += size_bytes;
  return block_bytes(b) + start;
}

void *arena_array(struct arena *a, size_t count, size_t elem_bytes) {
  size_t total;
  if (__builtin_mul_overflow(count, elem_bytes, &total)) base_out_of_memory(SIZE_MAX);
  return arena_alloc(a, total);
}

void arena_free(struct arena *a) {
  for (struct arena_block *b = a->head, *next; b; b = next) {
    next = b->next;
    held_sub(sizeof *b + b->cap);
    free(b);
  }
  *a = (struct arena){0};
}

char *arena_vprintf(struct arena *a, const char *fmt, va_list ap) {
  va_list again;
  va_copy(again, ap);
  int n = vsnprintf(NULL, 0, fmt, again);
  va_end(again);
  if (n < 0) BUG("bad format: %s", fmt);
  char *p = arena_alloc(a, (size_t)n + 1);
  vsnprintf(p, (size_t)n + 1, fmt, ap);
  return p;
}

char *arena_printf(struct arena *a, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  char *p = arena_vprintf(a, fmt, ap);
  va_end(ap);
  return p;
}

void *base_grow(void *p, size_t *cap, size_t need, size_t elem_bytes) {
  if (need <= *cap && p) return p;
  size_t want = *cap < 8 ? 8 : *cap, total;
  while (want < need) {
    if (want > SIZE_MAX / 2) base_out_of_memory(SIZE_MAX);
    want *= 2;
  }
  if (__builtin_mul_overflow(want, elem_bytes, &total)) base_out_of_memory(SIZE_MAX);
  void *grown = realloc(p, total);
  if (!grown) base_out_of_memory(total);
  *cap = want;
  return grown;
}
