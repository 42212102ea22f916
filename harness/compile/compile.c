/* compile.c - the way from a .cu file to PTX text: reads and checks the source, picks the compiler,
 * asks the cache, and finds the first error in what the compiler said. The compilers are driven in
 * nvrtc.c and clang.c. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "compile/parts.h"

#define DEFAULT_TIMEOUT_MS   8000
#define DEFAULT_SOURCE_BYTES ((u64)1 << 20)

static const char *const names[] = {"auto", "nvrtc", "clang"};

const char *compiler_name(enum compiler c) { return names[c]; }

bool compiler_find(const char *name, enum compiler *out) {
  for (size_t i = 0; i < COUNT_OF(names); i++) {
    if (strcmp(names[i], name) != 0) continue;
    *out = (enum compiler)i;
    return true;
  }
  return false;
}

enum compiler compile_default(void) {
  if (compile_find_nvrtc()->found) return COMPILER_NVRTC;
  if (compile_find_clang()->found) return COMPILER_CLANG;
  return COMPILER_AUTO;
}

void compile_warm(enum compiler c) {
  if (c == COMPILER_AUTO) c = compile_default();
  if (c == COMPILER_NVRTC) compile_nvrtc_warm();
  if (c == COMPILER_CLANG) compile_clang_version();
}

static const char install_nvrtc[] =
    "the CUDA toolkit (libnvrtc; set CUDA_HOME if it is in an unusual folder)";
static const char install_clang[] = "clang (apt install clang)";

void compile_probe(struct compile_found *out) {
  *out = (struct compile_found){0};
  const struct compile_tool *n = compile_find_nvrtc(), *c = compile_find_clang();
  const char *n_version = compile_nvrtc_version(), *c_version = compile_clang_version();
  out->nvrtc = n->found && *n_version;
  out->clang = c->found && *c_version;
  snprintf(out->nvrtc_path, sizeof out->nvrtc_path, "%s", n->path);
  snprintf(out->nvrtc_version, sizeof out->nvrtc_version, "%s", n_version);
  snprintf(out->clang_path, sizeof out->clang_path, "%s", c->path);
  snprintf(out->clang_version, sizeof out->clang_version, "%s", c_version);
  snprintf(out->include_dir, sizeof out->include_dir, "%s", n->include_dir);
  snprintf(out->missing, sizeof out->missing, "%s%s%s", out->nvrtc ? "" : install_nvrtc,
           out->nvrtc || out->clang ? "" : " or ", out->clang ? "" : install_clang);
}

/* ---- the source ---- */

static bool read_source(struct arena *a, const struct compile_request *r, str *source,
                        struct diag *why) {
  u64 max = r->max_source_bytes ? r->max_source_bytes : DEFAULT_SOURCE_BYTES;
  if (!file_read(a, r->path, (size_t)max, source, why)) return false;
  /* Some editors on Windows begin a file with a mark; compilers take it where it is the very first
   * thing, which it is not behind what we put before a source. */
  if (str_starts(*source, "\xef\xbb\xbf")) *source = (str){source->p + 3, source->n - 3};
  if (str_trim(*source).n == 0) {
    diag_at(why, r->path, 0, 0, "the file is empty, so there is no kernel to compile");
    diag_next(why, "Write the kernel, or take the starting version back with reset.");
    return false;
  }
  for (size_t i = 0, line = 1; i < source->n; i++) {
    unsigned char ch = (unsigned char)source->p[i];
    if (ch == '\n') line++;
    if (ch >= ' ' || isspace(ch) || ch == 0x1b) continue;
    diag_at(why, r->path, (u32)line, 0, "the file is not text: byte 0x%02x at offset %zu", ch, i);
    diag_next(why, "Give a CUDA C source file (UTF-8 text).");
    return false;
  }
  return true;
}

static const char *dir_of(struct arena *a, const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash) return ".";
  if (slash == path) return "/";
  return arena_printf(a, "%.*s", (int)(slash - path), path);
}

/* ---- which compiler ---- */

static bool choose(const struct compile_request *r, enum compiler *c, struct diag *why) {
  *c = r->compiler;
  /* A library that is there but does not load must not keep us from clang. */
  if (*c == COMPILER_AUTO) *c = *compile_find_nvrtc()->path ? COMPILER_NVRTC : compile_default();
  if (*c == COMPILER_NVRTC && compile_find_nvrtc()->found) return true;
  if (*c == COMPILER_CLANG && compile_find_clang()->found) return true;
  switch (*c) {
  case COMPILER_NVRTC:
    diag_set(why, "NVRTC was asked for but is not on this machine");
    diag_next(why, "Install %s, or use --compiler clang.", install_nvrtc);
    return false;
  case COMPILER_CLANG:
    diag_set(why, "clang was asked for but is not in PATH");
    diag_next(why, "Install %s, or use --compiler nvrtc.", install_clang);
    return false;
  default:
    diag_set(why, "there is no compiler for CUDA C on this machine");
    diag_next(why, "Install %s, or %s.", install_clang, install_nvrtc);
    return false;
  }
}

/* Both places that find it out begin alike: headers_available here, wants_toolkit in clang.c. */
bool compile_wants_toolkit(const struct diag *why) {
  str text = str_of(why->text);
  return str_starts(text, "could not judge: ") && str_has(text, "CUDA toolkit");
}

static bool headers_available(const struct compile_includes *inc, enum compiler c, const char *path,
                              struct diag *why) {
  if (!inc->toolkit || (c == COMPILER_NVRTC && *compile_find_nvrtc()->include_dir)) return true;
  diag_at(why, path, inc->first_toolkit_line, 0, "could not judge: <%s> needs the CUDA toolkit%s",
          inc->first_toolkit,
          c == COMPILER_CLANG ? ", and this run uses clang without it" : "'s headers");
  diag_next(why, c == COMPILER_CLANG
                     ? "Install the CUDA toolkit and use --compiler nvrtc."
                     : "Install the toolkit's include folder, or set CUDA_HOME to it.");
  return false;
}

/* ---- what the compiler said ---- */

/* "path(12): error: ..." (NVRTC) or "path:12:5: error: ..." (clang): the line, 0 for other lines.
 */
static u32 error_line(str line, const char *path) {
  size_t n = strlen(path);
  if (line.n < n + 3 || memcmp(line.p, path, n) != 0) return 0;
  if (!str_has(line, ": error") && !str_has(line, ": fatal error") &&
      !str_has(line, ": catastrophic error"))
    return 0;
  if (line.p[n] != '(' && line.p[n] != ':') return 0;
  u32 number = 0;
  for (size_t i = n + 1; i < line.n && isdigit((unsigned char)line.p[i]) && number < 100000000; i++)
    number = number * 10 + (u32)(line.p[i] - '0');
  return number;
}

u32 compile_first_error(str log, const char *path) {
  str line;
  while (str_line(&log, &line)) {
    u32 n = error_line(line, path);
    if (n) return n;
  }
  return 0;
}

/* The first error decides; others may only follow from it. */
bool compile_lacks_cuda(str log) {
  static const char *const lacks[] = {"no member", "no template named", "no type named",
                                      "is not a template", "needs the CUDA toolkit"};
  str line;
  while (str_line(&log, &line)) {
    if (!str_has(line, "error: ")) continue;
    if (str_has(line, "did you mean")) return false;
    bool lack = false;
    for (size_t i = 0; i < COUNT_OF(lacks); i++) lack = lack || str_has(line, lacks[i]);
    return lack && (str_has(line, "cuda") || str_has(line, "CUDA"));
  }
  return false;
}

/* At most COMPILE_LOG_MAX bytes, cut at the end of a line. */
static str bounded(struct arena *keep, str log) {
  if (log.n <= COMPILE_LOG_MAX) return log;
  size_t n = COMPILE_LOG_MAX - 128;
  while (n > 0 && log.p[n - 1] != '\n') n--;
  if (n == 0) n = COMPILE_LOG_MAX - 128;
  char *text =
      arena_printf(keep, STR_F "(the compiler said more; only its first %zu bytes are shown)\n",
                   (int)n, log.p, n);
  return str_of(text);
}

/* ---- all together ---- */

static str cache_key(struct arena *a, const struct compile_job *j, enum compiler c) {
  const struct compile_tool *t = c == COMPILER_NVRTC ? compile_find_nvrtc() : compile_find_clang();
  const char *flags =
      c == COMPILER_NVRTC ? compile_nvrtc_flags(j->build) : compile_clang_flags(j->build);
  char *head = arena_printf(a, "%s\n%s\n%s\n%s\n%s\n%016llx\n", names[c], t->identity,
                            j->toolkit_headers || j->stand_ins ? t->include_dir : "", flags,
                            j->path, (unsigned long long)compile_headers_hash());
  struct strbuf b = {0};
  strbuf_add(&b, head, strlen(head));
  for (u32 i = 0; i < j->flag_count; i++) strbuf_printf(&b, "%s\n", j->flags[i]);
  strbuf_add(&b, j->source.p, j->source.n);
  str key = str_copy(a, (str){b.p, b.n});
  strbuf_free(&b);
  return key;
}

/* Versions outlive the result: a handful of distinct strings in a process. */
static const char *stable_version(str v) {
  static char known[8][64];
  for (size_t i = 0; i < COUNT_OF(known); i++) {
    if (str_eqz(v, known[i])) return known[i];
    if (known[i][0] == 0 || i + 1 == COUNT_OF(known)) {
      snprintf(known[i], sizeof known[i], STR_F, (int)(v.n < 63 ? v.n : 63), v.p);
      return known[i];
    }
  }
  return "";
}

static bool compile_now(struct arena *keep, const struct compile_job *j, enum compiler *c,
                        bool may_fall_back, struct compile_made *made, struct diag *why) {
  if (*c == COMPILER_NVRTC && may_fall_back && !*compile_nvrtc_version() &&
      compile_find_clang()->found)
    *c = COMPILER_CLANG;
  if (*c == COMPILER_CLANG) return compile_clang(keep, j, made, why);
  if (!compile_nvrtc(keep, j, made, why)) return false;
  if (made->ok || !j->stand_ins) return true;
  if (!*compile_find_nvrtc()->include_dir) {
    if (!compile_lacks_cuda(made->log)) return true;
    diag_at(
        why, j->path, compile_first_error(made->log, j->path), 0,
        "could not judge: this uses something of <cuda/...> that only the CUDA toolkit's headers "
        "have");
    diag_next(why, "Install the toolkit's include folder, or set CUDA_HOME to it.");
    return false;
  }
  /* A mistake of the learner, or something that our stand-ins lack: NVIDIA's headers decide. */
  struct compile_job again = *j;
  again.stand_ins = false;
  again.toolkit_headers = true;
  *made = (struct compile_made){0};
  return compile_nvrtc(keep, &again, made, why);
}

/* ---- whole programs ---- */

/* Compiles the text as it is. */
static bool attempt(struct arena *keep, const struct compile_request *r, struct compile_job j,
                    str source, enum compiler *c, struct compile_made *made, struct diag *why) {
  struct compile_includes inc;
  compile_includes_scan(source, *c == COMPILER_CLANG, &inc);
  *made = (struct compile_made){0};
  if (!headers_available(&inc, *c, r->path, why)) return false;
  j.source = source;
  j.toolkit_headers = inc.toolkit;
  j.stand_ins = inc.stand_ins;
  return compile_now(keep, &j, c, r->compiler == COMPILER_AUTO, made, why);
}

/* A kernel cannot call what was left out: the compiler only says that it knows no such name. */
static str with_notes(struct arena *keep, str log, const struct compile_device_half *half) {
  struct strbuf b = {0};
  strbuf_add(&b, log.p, log.n);
  for (size_t i = 0; i < half->name_count; i++) {
    str name = half->names[i], line, rest = log;
    bool said = false;
    if (name.n == 0 || name.n > 100) continue;
    char quoted[2][112];
    snprintf(quoted[0], sizeof quoted[0], "\"" STR_F "\"", STR_A(name));
    snprintf(quoted[1], sizeof quoted[1], "'" STR_F "'", STR_A(name));
    while (!said && str_line(&rest, &line))
      said = str_has(line, "error: ") && (str_has(line, quoted[0]) || str_has(line, quoted[1]));
    if (said)
      strbuf_printf(&b,
                    "note: " STR_F " is a function of the host, which is left out here; a kernel "
                    "can call it with __device__ in front of it\n",
                    STR_A(name));
  }
  str text = str_copy(keep, (str){b.p, b.n});
  strbuf_free(&b);
  return text;
}

/* The half of a program that the device runs. With kernels made of templates, as the host launches
 * them, if these compile: their arguments may be names that only the host has. */
static bool attempt_half(struct arena *keep, const struct compile_request *r,
                         const struct compile_job *j, const struct compile_device_half *half,
                         enum compiler *c, struct compile_made *made, struct diag *why) {
  struct compile_job job = *j;
  job.extra = half->extra;
  job.extra_count = half->extra_count;
  if (half->has_instances && attempt(keep, r, job, half->with_instances, c, made, why) && made->ok)
    return true;
  if (!attempt(keep, r, job, half->source, c, made, why)) return false;
  if (!made->ok) made->log = with_notes(keep, made->log, half);
  return true;
}

/* A file with a main() or launches is a program, of which we want one half. Another is compiled as
 * it is; if that fails, it may still have things for the host in it: functions, libraries. */
static bool compile_either(struct arena *keep, const struct compile_request *r,
                           const struct compile_job *j, enum compiler *c, struct compile_made *made,
                           struct diag *why) {
  struct compile_device_half half;
  bool two = compile_leave_out_host(keep, j->source, j->dir, *c == COMPILER_CLANG, &half);
  if (two && half.is_whole) return attempt_half(keep, r, j, &half, c, made, why);
  bool judged = attempt(keep, r, *j, j->source, c, made, why);
  if (!two || !half.is_program || (judged && made->ok)) return judged;
  struct compile_made again;
  struct diag unused = {0};
  if (attempt_half(keep, r, j, &half, c, &again, &unused) && again.ok) {
    *made = again;
    return true;
  }
  return judged;
}

static bool compile_source(struct arena *keep, struct arena *scratch,
                           const struct compile_request *r, struct compile_result *out,
                           struct diag *why) {
  struct compile_job j = {.path = r->path,
                          .build = r->build,
                          .flags = r->flags,
                          .flag_count = r->flag_count,
                          .timeout_ms = r->timeout_ms ? r->timeout_ms : DEFAULT_TIMEOUT_MS};
  struct compile_includes inc;
  if (!choose(r, &out->compiler, why) || !read_source(scratch, r, &j.source, why)) return false;
  compile_includes_scan(j.source, out->compiler == COMPILER_CLANG, &inc);
  j.dir = dir_of(scratch, r->path);
  j.toolkit_headers = inc.toolkit;
  j.stand_ins = inc.stand_ins;
  bool use_cache = r->cache_dir && inc.cacheable;
  str key = use_cache ? cache_key(scratch, &j, out->compiler) : (str){0};
  struct cache_entry e = {0};
  out->cached = use_cache && compile_cache_get(keep, r->cache_dir, key, &e);
  if (!out->cached) {
    enum compiler chosen = out->compiler;
    struct compile_made made = {0};
    if (!compile_either(keep, r, &j, &out->compiler, &made, why)) return false;
    const char *version =
        out->compiler == COMPILER_NVRTC ? compile_nvrtc_version() : compile_clang_version();
    e = (struct cache_entry){made.ok, compile_name_source(keep, made.ptx, r->path),
                             bounded(keep, made.log), str_of(version)};
    if (use_cache && chosen == out->compiler) compile_cache_put(r->cache_dir, key, &e);
  }
  out->ok = e.ok;
  out->ptx = e.ptx;
  out->log = e.log;
  out->first_error_line = e.ok ? 0 : compile_first_error(e.log, r->path);
  out->compiler_version = stable_version(e.version);
  return true;
}

bool compile_ptx(struct arena *keep, const struct compile_request *r, struct compile_result *out,
                 struct diag *why) {
  struct timespec t0, t1;
  struct arena scratch = {0};
  *out = (struct compile_result){.compiler_version = ""};
  clock_gettime(CLOCK_MONOTONIC, &t0);
  bool judged = compile_source(keep, &scratch, r, out, why);
  clock_gettime(CLOCK_MONOTONIC, &t1);
  out->milliseconds =
      (double)(t1.tv_sec - t0.tv_sec) * 1e3 + (double)(t1.tv_nsec - t0.tv_nsec) / 1e6;
  arena_free(&scratch);
  return judged;
}
