/* parts.h - what the files of compile/ share. Nobody outside this folder includes it. */
#ifndef WL_COMPILE_PARTS_H
#define WL_COMPILE_PARTS_H
#include "compile/compile.h"

/* Compiler text beyond this is cut: the first errors are the ones that matter. */
#define COMPILE_LOG_MAX ((size_t)64 << 10)
/* No kernel of a course needs more; a macro bomb would. */
#define COMPILE_PTX_MAX ((size_t)32 << 20)

/* ---- embed.c: the headers inside the program ---- */
enum {
  STAND_IN = 2,
  ALL_OF = 3
}; /* for NVRTC: in place of NVIDIA's header of that name, see headers.def */
struct compile_header {
  const char *name; /* as in #include <name> */
  const char *text; /* NUL-terminated */
  int nvrtc;        /* false, true, STAND_IN or ALL_OF */
  bool clang;
};
extern const struct compile_header compile_headers[];
extern const size_t compile_header_count;
u64 compile_headers_hash(void);

/* ---- find.c: where the compilers are. Found once for each process ---- */
struct compile_tool {
  bool found;
  char path[256];
  char identity[384]; /* path, size and time of the file: changes when the compiler is replaced */
  char include_dir[256]; /* NVRTC: the toolkit's headers, "" when absent */
};
const struct compile_tool *compile_find_nvrtc(void);
const struct compile_tool *compile_find_clang(void);
/* Forgets what was found: for tests, which change the environment. */
void compile_find_again(void);

/* ---- child.c: a process with limits that does the work ---- */
struct compile_child {
  void (*body)(
      void *ctx); /* runs in the child: results to fd 1, messages to fd 2; then the child ends */
  void *ctx;
  u32 timeout_ms;
  u64 extra_address_bytes; /* on top of what the process maps already; 0: no limit */
  bool becomes_program;    /* body execs: the address limit then counts from nothing */
};
enum child_end {
  CHILD_DONE,
  CHILD_TIMEOUT, /* it has had its processor time */
  CHILD_STARVED, /* it has not: the machine is too busy */
  CHILD_CRASHED,
  CHILD_TOO_MUCH,
  CHILD_NOT_STARTED
};
struct child_result {
  enum child_end end;
  int status;             /* exit status, or the signal when crashed */
  struct strbuf out, err; /* the caller frees both */
};
void compile_child_run(const struct compile_child *c, struct child_result *r);

/* A header of the user's own, as a text of ours: see host.c. */
enum { COMPILE_EXTRA = 32 };
struct compile_extra {
  const char *name; /* as in #include "name" */
  const char *path; /* what it is made of */
  const char *text;
  bool changed;
};

/* ---- nvrtc.c, clang.c ---- */
struct compile_job {
  const char *path; /* in messages and line tables */
  const char *dir;  /* of the source: where #include "x.h" is looked up */
  str source;
  enum build build;
  u32 timeout_ms;
  const char *const *flags; /* of the request */
  u32 flag_count;
  bool toolkit_headers; /* the source includes something that only the toolkit has */
  const struct compile_extra *extra;
  u32 extra_count;
  bool stand_ins; /* NVRTC: our short headers in place of NVIDIA's of the same names */
};
struct compile_made {
  bool ok;
  str ptx, log;
};
/* The flags as one line, for the cache's key. */
const char *compile_nvrtc_flags(enum build b);
const char *compile_clang_flags(enum build b);
const char *compile_nvrtc_version(void);
const char *compile_clang_version(void);
void compile_nvrtc_warm(void);
bool compile_nvrtc(struct arena *keep, const struct compile_job *j, struct compile_made *out,
                   struct diag *why);
bool compile_clang(struct arena *keep, const struct compile_job *j, struct compile_made *out,
                   struct diag *why);
/* The common end of a child that did not finish its work; names the compiler. */
void compile_child_diag(const struct child_result *r, const char *compiler, const char *path,
                        u32 timeout_ms, struct diag *why);

/* names.c */
str compile_name_source(struct arena *keep, str ptx, const char *path);

/* compile.c: does the first error name a member of cuda:: that our short headers of libcu++'s names
 * lack? Then the source may well be right. A name that the compiler can correct is a mistake. */
bool compile_lacks_cuda(str log);

/* compile.c: the line of the first error in the learner's file, 0 when the log names none. */
u32 compile_first_error(str log, const char *path);

/* ---- cache.c ---- */
struct cache_entry {
  bool ok;
  str ptx, log, version;
};
bool compile_cache_get(struct arena *keep, const char *dir, str key, struct cache_entry *out);
void compile_cache_put(const char *dir, str key, const struct cache_entry *e);

/* ---- includes.c: what a source wants included ---- */
struct compile_includes {
  bool toolkit;   /* at least one header that only the toolkit has */
  bool stand_ins; /* NVRTC: perhaps a header for which we have a stand-in, and none that needs the
                     rest of that family from the same hand */
  bool cacheable; /* every include is one of ours or the toolkit's: the key covers all text */
  char first_toolkit[128];
  u32 first_toolkit_line;
};
void compile_includes_scan(str source, bool for_clang, struct compile_includes *out);
/* `#include <name>` or "name": false for other lines. */
bool compile_include_name(str line, char *name, size_t size);
/* A header that only code of the host needs: of the system, of libraries, of CUDA's samples. */
bool compile_include_is_host(const char *name, bool angled, bool for_clang);

/* ---- host.c: whole programs ---- */
struct compile_device_half {
  str source;         /* without what runs on the host; lines stay where they are */
  str with_instances; /* and kernels made of the templates that the host launches */
  bool has_instances;
  bool is_whole;    /* with main(), or launches */
  bool is_program;  /* what was left out is more than variables */
  const str *names; /* functions that were left out */
  size_t name_count;
  const struct compile_extra *extra;
  u32 extra_count;
};
/* false: there is nothing to leave out. */
bool compile_leave_out_host(struct arena *keep, str source, const char *dir, bool for_clang,
                            struct compile_device_half *half);
#endif
