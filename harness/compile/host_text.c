/* host_text.c - CUDA C++ as tokens, as far as host.c needs them to tell declarations apart:
 * preprocessor lines are set aside, comments skipped, brackets matched; and which names belong to
 * the libraries of the host. Decides nothing about what stays. */
#include <ctype.h>
#include <string.h>
#include "compile/host.h"

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }
str host_word(const struct host_text *h, struct host_token t) {
  return (str){h->p + t.at, t.end - t.at};
}
bool host_is(const struct host_text *h, struct host_token t, const char *z) {
  return t.kind != HOST_END && t.kind != HOST_STRING && str_eqz(host_word(h, t), z);
}
static bool among(str s, const char *const *list) {
  for (; *list; list++)
    if (str_eqz(s, *list)) return true;
  return false;
}

/* ---- tokens ---- */

bool host_is_device_word(const struct host_text *h, str w) {
  static const char *const words[] = {"__global__", "__device__",  "__constant__",
                                      "__shared__", "__managed__", NULL};
  if (among(w, words)) return true;
  for (size_t i = 0; i < h->program->macro_count; i++)
    if (str_eq(h->program->macros[i], w)) return true;
  return false;
}

/* `#define HD __host__ __device__`: from now on HD says it, too. */
static void take_define(struct host_text *h, size_t i, size_t end) {
  while (i < end && (h->p[i] == ' ' || h->p[i] == '\t')) i++;
  size_t name = i;
  while (i < end && is_word(h->p[i])) i++;
  str macro = {h->p + name, i - name};
  while (i < end && h->program->macro_count < HOST_LIST) {
    size_t from = i;
    while (i < end && is_word(h->p[i])) i++;
    if (i > from && host_is_device_word(h, (str){h->p + from, i - from})) {
      h->program->macros[h->program->macro_count++] = macro;
      return;
    }
    i += i == from;
  }
}

static size_t past_directive(struct host_text *h, size_t i) {
  size_t from = i;
  while (i < h->n && h->p[i] != '\n') {
    if (h->p[i] == '/' && h->p[i + 1] == '*') break; /* the comment is no part of it */
    i += h->p[i] == '\\' && h->p[i + 1] == '\n' ? 2 : 1;
  }
  if (i > h->n) i = h->n;
  if (h->fixed[from]) return i;
  memset(h->fixed + from, 1, i - from);
  size_t k = from + 1;
  while (k < i && (h->p[k] == ' ' || h->p[k] == '\t')) k++;
  if (str_starts((str){h->p + k, i - k}, "define")) take_define(h, k + 6, i);
  if (str_starts((str){h->p + k, i - k}, "include")) host_include(h, from, i);
  return i;
}

static size_t past_quoted(const struct host_text *h, size_t i) {
  if (h->p[i] == '"' && i && h->p[i - 1] == 'R') {
    char close[24] = ")";
    size_t n = strcspn(h->p + i + 1, "(");
    if (n < 17) snprintf(close, sizeof close, ")%.*s\"", (int)n, h->p + i + 1);
    const char *end = strstr(h->p + i, close);
    return end ? (size_t)(end - h->p) + strlen(close) : h->n;
  }
  char quote = h->p[i++];
  while (i < h->n && h->p[i] != quote && h->p[i] != '\n')
    i += h->p[i] == '\\' && i + 1 < h->n ? 2 : 1;
  return i < h->n ? i + 1 : h->n;
}

static bool opens_line(const struct host_text *h, size_t i) {
  while (i && (h->p[i - 1] == ' ' || h->p[i - 1] == '\t')) i--;
  return i == 0 || h->p[i - 1] == '\n';
}

struct host_token host_next(struct host_text *h, size_t i) {
  for (; i < h->n;) {
    char c = h->p[i], after = h->p[i + 1];
    if (isspace((unsigned char)c) || c == '\\') {
      i++;
    } else if (c == '/' && after == '/') {
      while (i < h->n && h->p[i] != '\n') i++;
    } else if (c == '/' && after == '*') {
      const char *end = strstr(h->p + i + 2, "*/");
      i = end ? (size_t)(end - h->p) + 2 : h->n;
    } else if (c == '#' && opens_line(h, i)) {
      i = past_directive(h, i);
    } else if (c == '"' || c == '\'') {
      return (struct host_token){HOST_STRING, i, past_quoted(h, i)};
    } else if (is_word(c)) {
      size_t k = i;
      bool number = isdigit((unsigned char)c) != 0;
      while (k < h->n && (is_word(h->p[k]) || (number && h->p[k] == '\'' && is_word(h->p[k + 1]))))
        k++;
      return (struct host_token){HOST_WORD, i, k};
    } else {
      return (struct host_token){HOST_MARK, i, i + (c == ':' && after == ':' ? 2 : 1)};
    }
  }
  return (struct host_token){HOST_END, h->n, h->n};
}

/* Behind the bracket that closes the one at i. */
size_t host_past_brackets(struct host_text *h, size_t i) {
  size_t deep = 0;
  for (struct host_token t = host_next(h, i); t.kind != HOST_END; t = host_next(h, t.end)) {
    if (t.kind != HOST_MARK) continue;
    if (strchr("([{", h->p[t.at])) deep++;
    if (strchr(")]}", h->p[t.at]) && (deep == 0 || --deep == 0)) return t.end;
  }
  return h->n;
}

/* `template <...>`: behind it. */
size_t host_past_angles(struct host_text *h, size_t i) {
  size_t deep = 0;
  for (struct host_token t = host_next(h, i); t.kind != HOST_END; t = host_next(h, t.end)) {
    if (host_is(h, t, "(") || host_is(h, t, "{")) t.end = host_past_brackets(h, t.at);
    if (host_is(h, t, "<")) deep++;
    if (host_is(h, t, ">") && (deep == 0 || --deep == 0)) return t.end;
    if (host_is(h, t, ";")) return t.at;
  }
  return h->n;
}

void host_blank(struct host_text *h, size_t from, size_t to) {
  for (size_t i = from; i < to; i++)
    if (h->p[i] != '\n' && !h->fixed[i]) h->out[i] = ' ';
  size_t kept = 0;
  for (size_t i = 0; i < h->mark_count; i++)
    if (h->marks[i].stays || h->marks[i].at < from || h->marks[i].at >= to)
      h->marks[kept++] = h->marks[i];
  h->mark_count = kept;
  h->removed++;
}

/* ---- names of the host's libraries ---- */

static bool is_runtime(str w) {
  static const char *const starts[] = {"cuda", "cublas", "cufft", "cusparse", "cudnn", "nvtx"};
  for (size_t i = 0; i < COUNT_OF(starts); i++) {
    size_t n = strlen(starts[i]);
    if (str_starts(w, starts[i]) && w.n > n && isupper((unsigned char)w.p[n])) return true;
  }
  return w.n > 2 && w.p[0] == 'C' && w.p[1] == 'U' && islower((unsigned char)w.p[2]);
}

/* What kernels have of std:: (see include/warplings/traits.h); all else of it is the host's. */
static bool is_device_std(str w) {
  static const char *const words[] = {
      "move",           "forward",       "size_t",     "ptrdiff_t",         "nullptr_t",
      "numeric_limits", "true_type",     "false_type", "declval",           "int8_t",
      "int16_t",        "int32_t",       "int64_t",    "uint8_t",           "uint16_t",
      "uint32_t",       "uint64_t",      "intptr_t",   "uintptr_t",         "conditional",
      "enable_if",      "decay",         "void_t",     "integral_constant", "bool_constant",
      "make_signed",    "make_unsigned", NULL};
  if (among(w, words)) return true;
  if (str_starts(w, "is_") || str_starts(w, "remove_") || str_starts(w, "add_")) return true;
  return w.n > 2 && w.p[w.n - 2] == '_' && w.p[w.n - 1] == 't'; /* enable_if_t */
}

/* at[0] is the word, at[1] what stands in front of it, and so on. */
static bool is_host_name(struct host_text *h, const struct host_token at[5]) {
  static const char *const spaces[] = {"thrust", "cv", "boost", "chrono", "filesystem", NULL};
  static const char *const words[] = {"FILE", "timeval", "timespec", "ostream", NULL};
  static const char *const bare[] = {"vector",     "string", "map",  "set",  "unordered_map",
                                     "unique_ptr", "cout",   "cerr", "pair", NULL};
  str w = host_word(h, at[0]);
  if (at[0].kind != HOST_WORD) return false;
  if (host_is(h, at[1], "::") && host_is(h, at[2], "std"))
    return !(host_is(h, at[3], "::") && host_is(h, at[4], "cuda")) && !is_device_std(w);
  if (host_is(h, host_next(h, at[0].end), "::") && among(w, spaces)) return true;
  return is_runtime(w) || among(w, words) || (h->bare_std && among(w, bare));
}

bool host_has_name(struct host_text *h, size_t from, size_t to) {
  struct host_token at[5] = {{HOST_END, 0, 0}};
  for (struct host_token t = host_next(h, from); t.kind != HOST_END && t.at < to;
       t = host_next(h, t.end)) {
    if (h->out[t.at] == ' ') continue; /* gone already */
    memmove(at + 1, at, 4 * sizeof *at);
    at[0] = t;
    if (is_host_name(h, at)) return h->program->foreign = true;
  }
  return false;
}
