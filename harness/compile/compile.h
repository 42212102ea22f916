/* compile.h - CUDA C to PTX text. NVRTC (loaded at run time), or clang with our own device header.
 *
 * The learner's code is only ever compiled to PTX; it is never linked into or run by this process.
 */
#ifndef WL_COMPILE_H
#define WL_COMPILE_H
#include "base/base.h"
#include "ptx/ptx.h"

enum compiler { COMPILER_AUTO, COMPILER_NVRTC, COMPILER_CLANG };
enum { COMPILE_FLAGS_MAX = 64 };
enum build { BUILD_DEBUG, BUILD_RELEASE };
const char *compiler_name(enum compiler c);
bool compiler_find(const char *name, enum compiler *out);

struct compile_request { /* zero means default */
  const char *path;      /* the file; its name in messages and line tables, as given */
  enum compiler compiler;
  enum build build;
  const char *cache_dir;    /* NULL: no cache. Keyed by content: source, every header it can see of
                               ours, flags, compiler version */
  u32 timeout_ms;           /* wall clock for the compiler, 8,000 */
  const char *const *flags; /* "-DNAME=VALUE" and "-IDIR", as the user gave them */
  u32 flag_count;           /* COMPILE_FLAGS_MAX at most */
  u64 max_source_bytes;     /* 1 MiB */
};
struct compile_result {
  bool ok; /* false: the learner's code does not compile; log says why */
  str ptx; /* NUL-terminated */
  str log; /* the compiler's own text (errors, warnings), learner's file name and lines, bounded to
              64 KiB */
  u32 first_error_line; /* in the learner's file, 0 = unknown */
  enum compiler compiler;
  const char *compiler_version; /* "NVRTC 13.0", "clang 14.0.6" */
  bool cached;
  double milliseconds;
};
/* true: the compiler ran, see result->ok. false: could not judge (no compiler, file unreadable, a
 * directory, compiler crashed or timed out): why says what to do. */
bool compile_ptx(struct arena *keep, const struct compile_request *r, struct compile_result *out,
                 struct diag *why);

/* Sets the shape of the module's arrays of two and more dimensions, where the source file tells. */
void compile_shapes(const char *path, struct ptx_module *m);

/* Does this `why` of compile_ptx mean that only the CUDA toolkit can compile the file (SKIP, not a
 * fault)? */
bool compile_wants_toolkit(const struct diag *why);

/* For doctor: what is there. */
struct compile_found {
  bool nvrtc, clang;
  char nvrtc_path[256], nvrtc_version[64];
  char clang_path[256], clang_version[64];
  char include_dir[256]; /* toolkit headers, "" when absent */
  char missing[256];     /* what to install when something is absent */
};
void compile_probe(struct compile_found *out);
/* Loads the compiler now (NVRTC takes 20-30 ms): call it in a parent before forking workers. */
void compile_warm(enum compiler c);
/* Which compiler AUTO means here; COMPILER_AUTO when there is none. */
enum compiler compile_default(void);
#endif
