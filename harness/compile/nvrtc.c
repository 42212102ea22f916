/* nvrtc.c - CUDA C to PTX with NVIDIA's run-time compiler, loaded when first needed.
 * The compiling itself happens in a forked child: see child.c. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "compile/parts.h"

typedef struct nvrtc_program *program;        /* opaque in NVRTC */
enum { NVRTC_OK = 0, NVRTC_COMPILATION = 6 }; /* of nvrtcResult */

/* The largest toolkit headers (cub, cuda/pipeline) take below 256 MiB on top of the library itself.
 */
#define ADDRESS_BYTES ((u64)2 << 30)

static struct {
  bool tried, ok;
  char problem[512];
  char version[64];
  int (*Version)(int *major, int *minor);
  int (*CreateProgram)(program *, const char *source, const char *name, int n,
                       const char *const *headers, const char *const *names);
  int (*CompileProgram)(program, int n, const char *const *options);
  int (*GetPTXSize)(program, size_t *);
  int (*GetPTX)(program, char *);
  int (*GetProgramLogSize)(program, size_t *);
  int (*GetProgramLog)(program, char *);
  const char *(*GetErrorString)(int);
} nvrtc;

static bool resolve(void *lib) {
  const struct {
    const char *name;
    void *slot;
  } wanted[] = {
      {"nvrtcVersion", &nvrtc.Version},
      {"nvrtcCreateProgram", &nvrtc.CreateProgram},
      {"nvrtcCompileProgram", &nvrtc.CompileProgram},
      {"nvrtcGetPTXSize", &nvrtc.GetPTXSize},
      {"nvrtcGetPTX", &nvrtc.GetPTX},
      {"nvrtcGetProgramLogSize", &nvrtc.GetProgramLogSize},
      {"nvrtcGetProgramLog", &nvrtc.GetProgramLog},
      {"nvrtcGetErrorString", &nvrtc.GetErrorString},
  };
  for (size_t i = 0; i < COUNT_OF(wanted); i++) {
    void *f = dlsym(lib, wanted[i].name);
    if (!f) {
      snprintf(nvrtc.problem, sizeof nvrtc.problem, "it has no %s", wanted[i].name);
      return false;
    }
    memcpy(wanted[i].slot, &f, sizeof f);
  }
  return true;
}

static bool load(void) {
  if (nvrtc.tried) return nvrtc.ok;
  nvrtc.tried = true;
  void *lib = dlopen(compile_find_nvrtc()->path, RTLD_NOW | RTLD_LOCAL);
  if (!lib) {
    const char *e = dlerror();
    snprintf(nvrtc.problem, sizeof nvrtc.problem, "%s", e ? e : "the loader gives no reason");
    return false;
  }
  int major = 0, minor = 0;
  if (!resolve(lib)) return false;
  if (nvrtc.Version(&major, &minor) == NVRTC_OK)
    snprintf(nvrtc.version, sizeof nvrtc.version, "NVRTC %d.%d", major, minor);
  nvrtc.ok = true;
  return true;
}

const char *compile_nvrtc_version(void) {
  return compile_find_nvrtc()->found && load() ? nvrtc.version : "";
}

/* The first program that NVRTC compiles in a process costs it a few milliseconds of start-up. */
void compile_nvrtc_warm(void) {
  static bool warm;
  if (warm || !compile_find_nvrtc()->found || !load()) return;
  warm = true;
  const char *options[] = {"--gpu-architecture=compute_90"};
  program p;
  if (nvrtc.CreateProgram(&p, "__global__ void k() {}\n", "warm.cu", 0, NULL, NULL) == NVRTC_OK)
    nvrtc.CompileProgram(p, 1, options);
}

/* ---- in the child ---- */

/* What the child sends to fd 1: this, then the PTX, then the log; nothing else. */
struct reply {
  char magic[8];
  u32 outcome, zero;
  u64 ptx_bytes, log_bytes;
};
enum { REPLY_OK, REPLY_REJECTED, REPLY_FAILED };
static const char reply_magic[8] = "wl-ptx1";

static void send_all(const void *bytes, size_t n) {
  const char *p = bytes;
  while (n) {
    ssize_t w = write(1, p, n);
    if (w <= 0) _exit(3);
    p += w;
    n -= (size_t)w;
  }
}

static void send_reply(u32 outcome, str ptx, str log) {
  if (log.n > COMPILE_LOG_MAX + 1)
    log.n = COMPILE_LOG_MAX + 1; /* one more: shows that it was cut */
  struct reply r = {.outcome = outcome, .ptx_bytes = ptx.n, .log_bytes = log.n};
  memcpy(r.magic, reply_magic, sizeof r.magic);
  send_all(&r, sizeof r);
  send_all(ptx.p, ptx.n);
  send_all(log.p, log.n);
}

static str fetch(program p, int (*size)(program, size_t *), int (*get)(program, char *)) {
  size_t n = 0;
  if (size(p, &n) != NVRTC_OK || n == 0) return (str){"", 0};
  char *text = calloc(1, n + 1);
  if (!text || get(p, text) != NVRTC_OK) return (str){"", 0};
  return str_of(text);
}

struct options {
  const char *list[16 + COMPILE_FLAGS_MAX];
  int n;
  char own_dir[512], toolkit[300], cccl[300];
};

/* Optimised code hides races that the source has and invents others; -G keeps it as written. */
static void choose_options(const struct compile_job *j, struct options *o) {
  o->list[o->n++] = "--gpu-architecture=compute_90";
  o->list[o->n++] = "--std=c++17";
  o->list[o->n++] = j->build == BUILD_DEBUG ? "--device-debug" : "--generate-line-info";
  /* Kernels that launch kernels need relocatable code. */
  if (str_has(j->source, "<<<") || str_has(j->source, "cudaGraph"))
    o->list[o->n++] = "--relocatable-device-code=true";
  o->list[o->n++] = "--pre-include=warplings/implied.h";
  o->list[o->n++] = "--device-int128"; /* as nvcc */
  o->list[o->n++] = "--define-macro=_CG_LIMIT_INCLUDED_DEPENDENCIES";
  snprintf(o->own_dir, sizeof o->own_dir, "--include-path=%s", j->dir);
  o->list[o->n++] = o->own_dir;
  for (u32 i = 0; i < j->flag_count; i++) o->list[o->n++] = j->flags[i];
  const char *toolkit = compile_find_nvrtc()->include_dir;
  if (!j->toolkit_headers || !*toolkit) return;
  snprintf(o->toolkit, sizeof o->toolkit, "--include-path=%s", toolkit);
  snprintf(o->cccl, sizeof o->cccl, "--include-path=%s/cccl", toolkit);
  o->list[o->n++] = o->toolkit;
  o->list[o->n++] = o->cccl;
  /* How many cases one helper template of libcu++ spells out before it recurses: 16 of them cost
   * NVRTC half a second in every file, 4 give the same PTX to the byte. */
  o->list[o->n++] = "--define-macro=_CCCL_META_UNROLL_LIMIT=4";
  o->list[o->n++] = "--diag-suppress=47"; /* it defines again what our limits.h has */
}

const char *compile_nvrtc_flags(enum build b) {
  return b == BUILD_DEBUG ? "compute_90 c++17 -G u4 implied"
                          : "compute_90 c++17 -lineinfo u4 implied";
}

static void child_body(void *ctx) {
  const struct compile_job *j = ctx;
  enum { MOST = 256 };
  const char *texts[MOST], *names[MOST];
  int n = 0;
  for (size_t i = 0; i < compile_header_count && n < MOST; i++) {
    int get = compile_headers[i].nvrtc;
    if (!get || (get == STAND_IN && !j->stand_ins)) continue;
    texts[n] = compile_headers[i].text;
    names[n++] = compile_headers[i].name;
  }
  for (u32 i = 0; i < j->extra_count && n < MOST; i++) {
    texts[n] = j->extra[i].text;
    names[n++] = j->extra[i].name;
  }
  struct options o = {.n = 0};
  choose_options(j, &o);
  program p;
  int rc = nvrtc.CreateProgram(&p, j->source.p, j->path, n, texts, names);
  if (rc == NVRTC_OK)
    rc = nvrtc.CompileProgram(p, o.n, o.list);
  else
    p = NULL;
  str log = p ? fetch(p, nvrtc.GetProgramLogSize, nvrtc.GetProgramLog) : (str){"", 0};
  if (rc == NVRTC_OK)
    send_reply(REPLY_OK, fetch(p, nvrtc.GetPTXSize, nvrtc.GetPTX), log);
  else if (rc == NVRTC_COMPILATION)
    send_reply(REPLY_REJECTED, (str){"", 0}, log);
  else
    send_reply(REPLY_FAILED, (str){"", 0}, log.n ? log : str_of(nvrtc.GetErrorString(rc)));
}

/* ---- in the parent ---- */

static bool read_reply(str bytes, struct reply *r, str *ptx, str *log) {
  if (bytes.n < sizeof *r) return false;
  memcpy(r, bytes.p, sizeof *r);
  size_t rest = bytes.n - sizeof *r;
  if (memcmp(r->magic, reply_magic, sizeof reply_magic) != 0 || r->outcome > REPLY_FAILED)
    return false;
  if (r->ptx_bytes > rest || r->log_bytes != rest - r->ptx_bytes) return false;
  *ptx = (str){bytes.p + sizeof *r, r->ptx_bytes};
  *log = (str){ptx->p + ptx->n, r->log_bytes};
  return true;
}

bool compile_nvrtc(struct arena *keep, const struct compile_job *j, struct compile_made *out,
                   struct diag *why) {
  if (!load()) {
    diag_set(why, "NVRTC (%s) cannot be loaded: %s", compile_find_nvrtc()->path, nvrtc.problem);
    diag_next(why, "Repair the CUDA toolkit, or use --compiler clang (apt install clang).");
    return false;
  }
  compile_nvrtc_warm();
  struct compile_job job = *j;
  struct compile_child c = {.body = child_body,
                            .ctx = &job,
                            .timeout_ms = j->timeout_ms,
                            .extra_address_bytes = ADDRESS_BYTES};
  struct child_result r;
  compile_child_run(&c, &r);
  struct reply reply;
  str ptx, log, bytes = {r.out.p, r.out.n};
  bool ok = r.end == CHILD_DONE && r.status == 0 && read_reply(bytes, &reply, &ptx, &log);
  if (!ok) {
    compile_child_diag(&r, nvrtc.version, j->path, j->timeout_ms, why);
  } else if (str_has(log, "catastrophic error: out of memory")) {
    diag_at(why, j->path, 0, 0, "%s ran out of the memory it may use", nvrtc.version);
    diag_next(why, "Look for a macro, template or table that explodes.");
    ok = false;
  } else if (reply.outcome == REPLY_FAILED) {
    diag_at(why, j->path, 0, 0, "%s could not compile: " STR_F, nvrtc.version,
            (int)(log.n < 600 ? log.n : 600), log.p);
    diag_next(why, "This is not an error in your code; try --compiler clang (apt install clang).");
    ok = false;
  } else {
    out->ok = reply.outcome == REPLY_OK;
    out->ptx = str_copy(keep, ptx);
    out->log = str_copy(keep, log);
  }
  strbuf_free(&r.out);
  strbuf_free(&r.err);
  return ok;
}
