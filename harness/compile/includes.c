/* includes.c - which headers a source asks for, as far as text shows. Decides nothing about what
 * compiles: only whether the toolkit's folders are wanted and whether the result may be cached
 * (every text that went in must be part of the cache's key). In doubt: not cacheable. */
#include <ctype.h>
#include <string.h>
#include "compile/parts.h"

struct scan {
  const char *p, *end;
  u32 line;
  bool for_clang;
  bool stand_in, family; /* seen: a header with a stand-in; one of its family without */
  struct compile_includes *out;
};

static int ours(const char *name, bool for_clang) {
  for (size_t i = 0; i < compile_header_count; i++) {
    const struct compile_header *h = &compile_headers[i];
    if (strcmp(h->name, name) == 0) return for_clang ? h->clang : h->nvrtc;
  }
  return false;
}

/* Headers that share types with those we have stand-ins for: one needs all from the same hand. */
static bool of_family(const char *name) {
  static const char *const prefixes[] = {"cuda/", "cub/", "thrust/", "nv/"};
  for (size_t i = 0; i < COUNT_OF(prefixes); i++)
    if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) return true;
  return false;
}

static bool of_toolkit(const char *name) {
  static const char *const prefixes[] = {"cooperative_groups",
                                         "cuda/",
                                         "cuda_",
                                         "cub/",
                                         "thrust/",
                                         "nv/",
                                         "crt/",
                                         "mma.h",
                                         "curand",
                                         "cuComplex",
                                         "cuda.h",
                                         "sm_",
                                         "device_",
                                         "vector_types"};
  for (size_t i = 0; i < COUNT_OF(prefixes); i++)
    if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) return true;
  return false;
}

bool compile_include_name(str line, char *name, size_t size) {
  size_t i = 1, n = 0;
  if (line.n == 0 || line.p[0] != '#') return false;
  while (i < line.n && (line.p[i] == ' ' || line.p[i] == '\t')) i++;
  if (!str_starts((str){line.p + i, line.n - i}, "include")) return false;
  while (i < line.n && line.p[i] != '<' && line.p[i] != '"') i++;
  if (i == line.n) return false;
  for (i++; i < line.n && line.p[i] != '>' && line.p[i] != '"' && n + 1 < size; i++)
    name[n++] = line.p[i];
  name[n] = 0;
  return n > 0;
}

static bool is_one_of(const char *name, const char *const *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(name, list[i]) == 0) return true;
  return false;
}

bool compile_include_is_host(const char *name, bool angled, bool for_clang) {
  static const char *const samples[] = {"helper_cuda.h",   "helper_functions.h", "helper_timer.h",
                                        "helper_string.h", "helper_image.h",     "exception.h"};
  static const char *const of_host[] = {"cuda.h", "curand.h", "cuda_profiler_api.h",
                                        "cuda_gl_interop.h"};
  static const char *const of_thrust[] = {"thrust/complex.h", "thrust/tuple.h", "thrust/pair.h",
                                          "thrust/functional.h", "thrust/optional.h"};
  if (is_one_of(name, samples, COUNT_OF(samples)) || is_one_of(name, of_host, COUNT_OF(of_host)))
    return true;
  if (!angled || ours(name, for_clang)) return false;
  if (strncmp(name, "thrust/", 7) == 0) return !is_one_of(name, of_thrust, COUNT_OF(of_thrust));
  return !of_toolkit(name);
}

static void skip_blanks(struct scan *s) {
  while (s->p < s->end && (*s->p == ' ' || *s->p == '\t')) s->p++;
}

/* Behind "#include": <name> or "name". */
static void take_target(struct scan *s) {
  skip_blanks(s);
  char close = s->p < s->end && *s->p == '<' ? '>' : '"';
  char name[128];
  size_t n = 0;
  if (s->p == s->end || (*s->p != '<' && *s->p != '"')) {
    s->out->cacheable = false; /* a macro names the file */
    return;
  }
  for (s->p++; s->p < s->end && *s->p != close && *s->p != '\n'; s->p++)
    if (n < sizeof name - 1) name[n++] = *s->p;
  name[n] = 0;
  int own = ours(name, s->for_clang);
  if (own == STAND_IN || own == ALL_OF)
    s->stand_in = true;
  else if (!own && of_family(name))
    s->family = true;
  if (own) {
    /* A file of that name beside the source would win over ours. */
    if (close == '"') s->out->cacheable = false;
  } else if (of_toolkit(name)) {
    if (close == '"') s->out->cacheable = false;
    if (s->out->toolkit) return;
    s->out->toolkit = true;
    s->out->first_toolkit_line = s->line;
    memcpy(s->out->first_toolkit, name, n + 1);
  } else {
    s->out->cacheable = false;
  }
}

/* At a '#' that opens a line. */
static void take_directive(struct scan *s) {
  s->p++;
  skip_blanks(s);
  const char *word = s->p;
  while (s->p < s->end && (isalnum((unsigned char)*s->p) || *s->p == '_')) s->p++;
  str name = {word, (size_t)(s->p - word)};
  if (str_eqz(name, "include"))
    take_target(s);
  else if (str_has(name, "include") || str_eqz(name, "import") || str_eqz(name, "embed"))
    s->out->cacheable = false;
  else if (s->p < s->end && (*s->p == '\\' || *s->p == '/'))
    s->out->cacheable = false; /* split name */
}

static void skip_quoted(struct scan *s) {
  char quote = *s->p++;
  for (; s->p < s->end && *s->p != quote && *s->p != '\n'; s->p++)
    if (*s->p == '\\' && s->p + 1 < s->end) s->p++;
  if (s->p < s->end && *s->p == quote) s->p++;
}

static void skip_comment(struct scan *s) {
  bool block = s->p[1] == '*';
  for (s->p += 2; s->p < s->end; s->p++) {
    if (!block && *s->p == '\n' && s->p[-1] != '\\') return;
    if (*s->p == '\n') s->line++;
    if (block && *s->p == '*' && s->p + 1 < s->end && s->p[1] == '/') {
      s->p += 2;
      return;
    }
  }
}

void compile_includes_scan(str source, bool for_clang, struct compile_includes *out) {
  *out = (struct compile_includes){.cacheable = true};
  struct scan s = {
      .p = source.p, .end = source.p + source.n, .line = 1, .for_clang = for_clang, .out = out};
  /* Spellings that could hide an include from this simple reader. */
  if (str_has(source, "__has_include") || str_has(source, "%:") || str_has(source, "R\""))
    out->cacheable = false;
  bool line_start = true;
  while (s.p < s.end) {
    char c = *s.p, next = s.p + 1 < s.end ? s.p[1] : 0;
    if (c == '\n') {
      s.line++, s.p++;
      line_start = true;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      s.p++;
    } else if (c == '/' && (next == '/' || next == '*')) {
      skip_comment(&s);
    } else if (c == '#' && line_start) {
      line_start = false;
      take_directive(&s);
    } else {
      line_start = false;
      if (c == '"' || (c == '\'' && !(s.p > source.p && isalnum((unsigned char)s.p[-1]))))
        skip_quoted(&s);
      else
        s.p++;
    }
  }
  /* A file of the learner's may ask for them unseen. */
  out->stand_ins = (s.stand_in || !out->cacheable) && !s.family && !for_clang;
  if (s.stand_in && s.family) out->toolkit = true;
}
