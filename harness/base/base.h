/* base.h - arena, counted strings, diagnostics. The ground floor: depends on libc alone.
 *
 * Outcomes never blur (see docs/tour.md): a wrong kernel is data (struct verdict), a thing we
 * cannot judge is `false` plus a struct diag, a bug of ours is BUG(). */
#ifndef WL_BASE_H
#define WL_BASE_H
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t i32;
typedef int64_t i64;

/* A bug of ours: prints file, line and text, then aborts. Never for input. */
#define BUG(...) base_bug(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void base_bug(const char *file, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

/* ---- arena: memory with one lifetime. An `struct arena *` parameter means "allocates". ---- */
struct arena_block;
struct arena { /* zero-initialised is ready */
  struct arena_block *head;
  size_t used_bytes; /* handed out so far, for limits and reports */
};
/* Zeroed memory, 64-byte aligned for sizes of 64 and more, else 16. Never NULL: out of memory
 * prints one line and exits with 2. */
void *arena_alloc(struct arena *a, size_t size_bytes);
void *arena_array(struct arena *a, size_t count, size_t elem_bytes); /* checks the product */
void arena_free(struct arena *a);                                    /* everything; reusable */
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *a, const char *fmt, va_list ap);
#define NEW(a, type)     ((type *)arena_alloc((a), sizeof(type)))
#define NEWN(a, type, n) ((type *)arena_array((a), (size_t)(n), sizeof(type)))
/* Grows a malloc'ed array to hold at least `need` elements; same out-of-memory rule. */
void *base_grow(void *p, size_t *cap, size_t need, size_t elem_bytes);
_Noreturn void base_out_of_memory(size_t size_bytes); /* the rule itself */

/* ---- counted memory (held.c): arenas, the machine and its checks, against one limit of the
 * process. What a kernel can make grow is allocated here and nowhere else; free with held_free. */
void *held_zeroed(size_t count, size_t elem_bytes); /* 16-byte aligned; big ones cost nothing until
                                                       touched */
void *held_aligned(size_t size_bytes);              /* 64-byte aligned, not zeroed */
void *held_grow(void *p, size_t *cap, size_t need, size_t elem_bytes); /* as base_grow */
void held_free(void *p);                                               /* NULL is fine */
void held_add(u64 bytes); /* memory that comes from elsewhere (mmap) */
void held_sub(u64 bytes);
u64 held_bytes(void);
u64 held_peak(bool afresh); /* the most so far; afresh: from now on */
bool held_fits(u64 bytes);
bool held_over(void);
u64 held_limit(void);
void held_set_limit(u64 bytes); /* 0: 2 GiB */
/* Calls over(self) once when the limit is passed; NULL: nobody. A quarter of the limit and 64 MiB
 * above it, the process ends with a message and status 2. */
void held_watch(void (*over)(void *self), void *self);

/* ---- counted strings: not NUL-terminated, never own memory ---- */
typedef struct {
  const char *p;
  size_t n;
} str;
#define STR(lit) ((str){(lit), sizeof(lit) - 1})
#define STR_F    "%.*s"
#define STR_A(s) (int)(s).n, (s).p
str str_of(const char *z);
bool str_eq(str a, str b);
bool str_eqz(str a, const char *z);
bool str_starts(str s, const char *prefix);
bool str_has(str s, const char *needle);
str str_trim(str s);
str str_copy(struct arena *a, str s); /* the copy is also NUL-terminated: usable as char* */
u64 str_hash(str s); /* FNV-1a, 64 bits; for tables and file names, not for safety */
/* The next line of *rest without its newline; false at the end. */
bool str_line(str *rest, str *line);

/* ---- growing text ---- */
struct strbuf { /* zero-initialised is ready; free with strbuf_free */
  char *p;
  size_t n, cap;
};
void strbuf_add(struct strbuf *b, const char *bytes, size_t n);
void strbuf_printf(struct strbuf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void strbuf_vprintf(struct strbuf *b, const char *fmt, va_list ap);
void strbuf_free(struct strbuf *b);

/* ---- diagnostics: why something could not be done, and what to do about it ---- */
struct diag {
  char file[256]; /* "" where no file is concerned */
  u32 line, col;  /* 1-based; 0 = unknown */
  char text[1024];
  char next[256];    /* what the user can do; "" when the text says it all */
  char excerpt[256]; /* the source line, for the caret */
  bool set;
};
void diag_set(struct diag *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void diag_at(struct diag *d, const char *file, u32 line, u32 col, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
void diag_next(struct diag *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* "file:line:col: text", excerpt with a caret, next step. */
void diag_print(FILE *f, const struct diag *d);

/* ---- files ---- */
/* The whole of a regular file, NUL-terminated behind the counted end. Refuses directories, FIFOs,
 * devices and anything above max_bytes, with a diag that says which. */
bool file_read(struct arena *a, const char *path, size_t max_bytes, str *out, struct diag *why);
/* Writes beside the target and renames: a reader sees the old file or the new one, never half. */
bool file_write(const char *path, str bytes, struct diag *why);
bool dir_make(const char *path, struct diag *why); /* with parents; existing is fine */
bool file_exists(const char *path);

/* ---- deterministic random numbers (splitmix64): every run is a seed ---- */
u64 rng_next(u64 *state);
u32 rng_below(u64 *state, u32 n); /* 0..n-1; n > 0 */
#endif
