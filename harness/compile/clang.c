/* clang.c - CUDA C to PTX with clang and the device headers of include/: needs no NVIDIA software.
 * Each compilation gets a private folder with the source as we read it and our headers; it is
 * removed afterwards. See child.c for the limits. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "compile/parts.h"

#define ADDRESS_BYTES ((u64)2 << 30)

/* sm_80 and PTX 7.4 are the newest that clang 14 knows. */
static const char *const common_flags[] = {"-x",
                                           "cuda",
                                           "--cuda-device-only",
                                           "-nocudainc",
                                           "-nocudalib",
                                           "-nostdinc",
                                           "-nostdinc++",
                                           "-Wno-unknown-cuda-version",
                                           "--cuda-gpu-arch=sm_80",
                                           "-Xclang",
                                           "-target-feature",
                                           "-Xclang",
                                           "+ptx74",
                                           "-fms-extensions",
                                           "-std=c++17",
                                           "-fno-exceptions",
                                           "-fno-crash-diagnostics",
                                           "-fno-color-diagnostics",
                                           "-ferror-limit=20",
                                           "-fmacro-backtrace-limit=2",
                                           "-ftemplate-backtrace-limit=4",
                                           "-Wno-microsoft",
                                           "-gline-tables-only",
                                           "-S"};
/* -O2 merges the barriers of two branches, -O1 deletes `while (*flag == 0);`: the code is judged as
 * written. Like NVRTC's -G, the debug build does not fuse a multiplication and an addition. */
static const char *const debug_flags[] = {"-O0", "-ffp-contract=off"};
static const char *const release_flags[] = {"-O2"};

const char *compile_clang_flags(enum build b) {
  static char text[2][1024];
  char *t = text[b == BUILD_RELEASE];
  if (*t) return t;
  size_t n = 0;
  for (size_t i = 0; i < COUNT_OF(common_flags); i++)
    n += (size_t)snprintf(t + n, sizeof text[0] - n, "%s ", common_flags[i]);
  snprintf(t + n, sizeof text[0] - n, "%s", b == BUILD_RELEASE ? "-O2" : "-O0 -ffp-contract=off");
  return t;
}

/* ---- the private folder ---- */

static bool make_folder(char *dir, size_t size, struct diag *why) {
  const char *base = getenv("TMPDIR");
  if (!base || !*base || strlen(base) > size / 2) base = P_tmpdir;
  snprintf(dir, size, "%s/warplings-XXXXXX", base);
  if (mkdtemp(dir)) return true;
  diag_set(why, "could not make a temporary folder in %s: %s", base, strerror(errno));
  diag_next(why, "Make room there, or set TMPDIR to a folder that can be written.");
  dir[0] = 0;
  return false;
}

/* Only what we wrote: three levels of plain files. */
static void remove_folder(const char *dir, int depth) {
  DIR *d = *dir ? opendir(dir) : NULL;
  if (!d) return;
  for (struct dirent *e; (e = readdir(d));) {
    if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
    if (unlinkat(dirfd(d), e->d_name, 0) == 0 || depth == 0) continue;
    char sub[512];
    int n = snprintf(sub, sizeof sub, "%s/%s", dir, e->d_name);
    if (n > 0 && (size_t)n < sizeof sub) remove_folder(sub, depth - 1);
  }
  closedir(d);
  rmdir(dir);
}

static bool put(const char *dir, const char *name, str text, struct diag *why) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  bool ok = fd >= 0;
  while (ok && text.n) {
    ssize_t w = write(fd, text.p, text.n);
    ok = w > 0;
    if (ok) text = (str){text.p + w, text.n - (size_t)w};
  }
  if (fd >= 0) close(fd);
  if (ok) return true;
  diag_set(why, "could not write %s: %s", path, strerror(errno));
  diag_next(why, "Make room there, or set TMPDIR to a folder that can be written.");
  return false;
}

/* The source under its own name for messages and line tables: a #line in front of it. */
static bool put_source(struct arena *a, const char *dir, const struct compile_job *j,
                       struct diag *why) {
  struct strbuf b = {0};
  strbuf_printf(&b, "#line 1 \"");
  for (const char *p = j->path; *p; p++) {
    if (*p == '"' || *p == '\\') strbuf_add(&b, "\\", 1);
    strbuf_add(&b, *p == '\n' ? "?" : p, 1);
  }
  strbuf_printf(&b, "\"\n");
  strbuf_add(&b, j->source.p, j->source.n);
  strbuf_add(&b, "\n", 1);
  str text = str_copy(a, (str){b.p, b.n});
  strbuf_free(&b);
  return put(dir, "source.cu", text, why);
}

static bool fill_folder(struct arena *a, const char *dir, const struct compile_job *j,
                        struct diag *why) {
  static const char *const subs[] = {"warplings", "cooperative_groups", "cuda",    "cuda/std",
                                     "cub",       "cub/block",          "cub/warp"};
  for (size_t i = 0; i < COUNT_OF(subs); i++) {
    char sub[512];
    snprintf(sub, sizeof sub, "%s/%s", dir, subs[i]);
    if (mkdir(sub, 0700) == 0) continue;
    diag_set(why, "could not make %s: %s", sub, strerror(errno));
    return false;
  }
  for (size_t i = 0; i < compile_header_count; i++)
    if (compile_headers[i].clang &&
        !put(dir, compile_headers[i].name, str_of(compile_headers[i].text), why))
      return false;
  for (u32 i = 0; i < j->extra_count; i++)
    if (!put(dir, j->extra[i].name, str_of(j->extra[i].text), why)) return false;
  return put_source(a, dir, j, why);
}

/* ---- the run ---- */

struct command {
  const char *argv[64 + COMPILE_FLAGS_MAX];
  int n;
  char *env[4];
};

static void arg(struct command *c, const char *text) {
  if (c->n < (int)COUNT_OF(c->argv) - 1) c->argv[c->n++] = text;
}

static void child_body(void *ctx) {
  struct command *c = ctx;
  execve(c->argv[0], (char *const *)(uintptr_t)c->argv, c->env);
  dprintf(2, "could not run %s: %s\n", c->argv[0], strerror(errno));
  _exit(126);
}

/* CPATH, CCC_OVERRIDE_OPTIONS and their like would change what is compiled: they stay out. */
static void set_environment(struct arena *a, struct command *c, const char *tmp) {
  const char *path = getenv("PATH");
  c->env[0] = arena_printf(a, "PATH=%s", path ? path : "/usr/bin:/bin");
  c->env[1] = arena_printf(a, "LC_ALL=C");
  c->env[2] = arena_printf(a, "TMPDIR=%s", tmp);
}

static void build_command(struct arena *a, struct command *c, const char *dir,
                          const struct compile_job *j) {
  bool release = j->build == BUILD_RELEASE;
  const char *const *more = release ? release_flags : debug_flags;
  size_t n = release ? COUNT_OF(release_flags) : COUNT_OF(debug_flags);
  arg(c, compile_find_clang()->path);
  for (size_t i = 0; i < COUNT_OF(common_flags); i++) arg(c, common_flags[i]);
  for (size_t i = 0; i < n; i++) arg(c, more[i]);
  /* A folder without a toolkit: what clang does must not depend on one being installed. */
  arg(c, arena_printf(a, "--cuda-path=%s", dir));
  arg(c, "-fdebug-compilation-dir=.");
  arg(c, arena_printf(a, "-fdebug-prefix-map=%s=warplings", dir));
  arg(c, "-include");
  arg(c, "warplings_clang.h");
  arg(c, arena_printf(a, "-isystem%s", dir));
  arg(c, "-iquote");
  arg(c, j->dir);
  for (u32 i = 0; i < j->flag_count; i++) arg(c, j->flags[i]);
  arg(c, arena_printf(a, "%s/source.cu", dir));
  arg(c, "-o");
  arg(c, "-");
  set_environment(a, c, dir);
}

/* Our private folder is nothing that a learner should see. */
static str without_folder(struct arena *keep, str text, const char *dir) {
  struct strbuf b = {0};
  size_t n = strlen(dir), from = 0;
  for (size_t i = 0; i + n <= text.n; i++) {
    if (text.p[i] != dir[0] || memcmp(text.p + i, dir, n) != 0) continue;
    strbuf_add(&b, text.p + from, i - from);
    strbuf_printf(&b, "warplings");
    i += n - 1;
    from = i + 1;
  }
  strbuf_add(&b, text.p + from, text.n - from);
  str clean = str_copy(keep, (str){b.p, b.n});
  strbuf_free(&b);
  return clean;
}

/* threadIdx and its siblings leave an object of one byte each in the PTX. Where nothing else names
 * it, it goes: it would only turn up in messages about addresses. */
static str without_indices(struct arena *keep, str ptx) {
  static const char *const symbols[] = {"_ZL9threadIdx", "_ZL8blockIdx", "_ZL8blockDim",
                                        "_ZL7gridDim"};
  char *text = (char *)(uintptr_t)str_copy(keep, ptx).p; /* ours: it was made just now */
  for (size_t i = 0; i < COUNT_OF(symbols); i++) {
    char declaration[64];
    int n = snprintf(declaration, sizeof declaration, ".const .align 1 .b8 %s[1];\n", symbols[i]);
    char *at = strstr(text, declaration);
    if (!at || strstr(at + n, symbols[i])) continue;
    memmove(at, at + n, strlen(at + n) + 1);
  }
  return str_of(text);
}

static bool is_crash(str log) {
  return str_has(log, "PLEASE submit a bug report") ||
         str_has(log, "fatal error: error in backend") || str_has(log, "LLVM ERROR") ||
         str_has(log, "could not run ");
}

/* Our headers mark, or lack, what only the toolkit has: using it is no mistake of the learner. */
static bool wants_toolkit(const struct compile_job *j, str log, struct diag *why) {
  if (!str_has(log, "warplings: needs the CUDA toolkit") && !compile_lacks_cuda(log)) return false;
  str line = {"", 0}, rest = log;
  while (str_line(&rest, &line) && !str_has(line, "error: ")) {}
  int n = (int)(line.n < 300 ? line.n : 300);
  diag_at(why, j->path, compile_first_error(log, j->path), 0,
          "could not judge: this uses something that only the CUDA toolkit has, and this run uses "
          "clang, which says: %.*s",
          n, line.p);
  diag_next(why, "Install the CUDA toolkit and use --compiler nvrtc.");
  return true;
}

static bool take_result(struct arena *keep, const struct compile_job *j, struct child_result *r,
                        const char *dir, struct compile_made *out, struct diag *why) {
  str text = {r->out.p, r->out.n}, log = {r->err.p, r->err.n};
  bool ended = r->end == CHILD_DONE && r->status <= 1 && !(r->status && is_crash(log));
  if (ended && r->status == 0 && text.n == 0) ended = false;
  if (!ended) {
    /* Not its version: a compiler that hangs might hang when asked for that, too. */
    compile_child_diag(r, "clang", j->path, j->timeout_ms, why);
    if (r->end == CHILD_DONE && log.n) {
      size_t have = strlen(why->text);
      snprintf(why->text + have, sizeof why->text - have, ": " STR_F,
               (int)(log.n < 500 ? log.n : 500), log.p);
    }
    return false;
  }
  if (r->status && wants_toolkit(j, log, why)) return false;
  out->ok = r->status == 0;
  out->ptx = out->ok ? without_indices(keep, text) : (str){"", 0};
  out->log = without_folder(keep, log, dir);
  return true;
}

bool compile_clang(struct arena *keep, const struct compile_job *j, struct compile_made *out,
                   struct diag *why) {
  char dir[300];
  struct arena scratch = {0};
  struct child_result r = {0};
  struct command c = {0};
  bool ok = make_folder(dir, sizeof dir, why) && fill_folder(&scratch, dir, j, why);
  if (ok) {
    build_command(&scratch, &c, dir, j);
    struct compile_child child = {.body = child_body,
                                  .ctx = &c,
                                  .timeout_ms = j->timeout_ms,
                                  .extra_address_bytes = ADDRESS_BYTES,
                                  .becomes_program = true};
    compile_child_run(&child, &r);
    ok = take_result(keep, j, &r, dir, out, why);
  }
  remove_folder(dir, 2);
  strbuf_free(&r.out);
  strbuf_free(&r.err);
  arena_free(&scratch);
  return ok;
}

const char *compile_clang_version(void) {
  static char version[64], of[384];
  const struct compile_tool *t = compile_find_clang();
  if (!t->found) return "";
  if (strcmp(of, t->identity) == 0) return version;
  snprintf(of, sizeof of, "%s", t->identity);
  version[0] = 0;
  struct arena scratch = {0};
  struct command c = {.argv = {t->path, "--version"}, .n = 2};
  set_environment(&scratch, &c, P_tmpdir);
  struct compile_child child = {
      .body = child_body, .ctx = &c, .timeout_ms = 5000, .becomes_program = true};
  struct child_result r;
  compile_child_run(&child, &r);
  char text[256];
  snprintf(text, sizeof text, STR_F, (int)(r.out.n < 255 ? r.out.n : 255), r.out.n ? r.out.p : "");
  const char *at = strstr(text, "clang version ");
  if (r.end == CHILD_DONE && at) {
    at += strlen("clang version ");
    snprintf(version, sizeof version, "clang %.*s", (int)strcspn(at, " \n-+"), at);
  }
  strbuf_free(&r.out);
  strbuf_free(&r.err);
  arena_free(&scratch);
  return version;
}
