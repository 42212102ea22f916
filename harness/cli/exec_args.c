/* exec_args.c - what exec's --arg means: scalars, buffers and their contents; and how elements
 * print. Structs are in exec_place.c. Runs nothing. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"

struct type_row {
  const char *text;
  enum pz_type type;
  u32 bytes;
  bool is_float, is_signed;
};
static const struct type_row types[] = {
    {"i32", PZ_I32, 4, false, true},  {"u32", PZ_U32, 4, false, false},
    {"i64", PZ_I64, 8, false, true},  {"u64", PZ_U64, 8, false, false},
    {"f32", PZ_F32, 4, true, true},   {"f64", PZ_F64, 8, true, true},
    {"u8", PZ_U8, 1, false, false},   {"i8", PZ_I8, 1, false, true},
    {"u16", PZ_U16, 2, false, false}, {"i16", PZ_I16, 2, false, true},
};
#define TYPES "i32 u32 i64 u64 f32 f64 u8 i8 u16 i16"
enum { RAND_BELOW = 100, FILE_BYTES_MAX = 1 << 30 };

static const struct type_row *row_of(enum pz_type t) {
  for (size_t i = 0; i < COUNT_OF(types); i++)
    if (types[i].type == t) return &types[i];
  BUG("no such type: %d", (int)t);
}
u32 exec_type_bytes(enum pz_type t) { return row_of(t)->bytes; }
const char *exec_type_text(enum pz_type t) { return row_of(t)->text; }
bool exec_type_is_float(enum pz_type t) { return row_of(t)->is_float; }

/* ---- numbers ---- */
static void store_float(enum pz_type t, double v, u8 *out) {
  float single = (float)v;
  if (t == PZ_F32)
    memcpy(out, &single, 4);
  else
    memcpy(out, &v, 8);
}

/* Small whole numbers into any type. */
static void store_count(enum pz_type t, u64 v, u8 *out) {
  if (exec_type_is_float(t))
    store_float(t, (double)v, out);
  else
    memcpy(out, &v, exec_type_bytes(t)); /* little endian: the low bytes */
}

/* One literal; integers may be written in hexadecimal and must fit (as signed or as unsigned). */
bool exec_number(enum pz_type t, const char *text, size_t n, u8 *out) {
  const struct type_row *r = row_of(t);
  char copy[64], *end;
  if (n == 0 || n >= sizeof copy || isspace((unsigned char)*text)) return false;
  memcpy(copy, text, n);
  copy[n] = 0;
  errno = 0;
  if (r->is_float) {
    store_float(t, strtod(copy, &end), out);
    return *end == 0;
  }
  bool negative = copy[0] == '-';
  u64 bits = r->bytes * 8, magnitude = strtoull(copy + negative, &end, 0);
  if (*end || errno || !isdigit((unsigned char)copy[negative])) return false;
  u64 half = 1ull << (bits - 1), top = half - 1 + half;
  if (negative ? magnitude > half || (!r->is_signed && magnitude) : magnitude > top) return false;
  if (negative) magnitude = 0 - magnitude;
  memcpy(out, &magnitude, r->bytes);
  return true;
}

/* ---- specs ---- */
static bool type_named(const char *text, size_t n, enum pz_type *out) {
  for (size_t i = 0; i < COUNT_OF(types); i++)
    if (strlen(types[i].text) == n && memcmp(types[i].text, text, n) == 0) {
      *out = types[i].type;
      return true;
    }
  return false;
}

static bool fill_named(const char *text, struct exec_arg *a) {
  static const char *const names[] = {"uninit", "zero", "iota", "rand", "ones"};
  static const enum exec_fill fills[] = {FILL_UNINIT, FILL_ZERO, FILL_IOTA, FILL_RAND, FILL_ONES};
  for (size_t i = 0; i < COUNT_OF(names); i++)
    if (strcmp(text, names[i]) == 0) {
      a->fill = fills[i];
      return true;
    }
  return false;
}

bool exec_file(struct arena *keep, const char *path, enum pz_type t, str *bytes, struct diag *why) {
  if (!file_read(keep, path, FILE_BYTES_MAX, bytes, why)) return false;
  u32 size = exec_type_bytes(t);
  if (bytes->n % size == 0) return true;
  diag_set(why, "%s: %zu bytes are no whole number of %s (%u bytes each)", path, bytes->n,
           exec_type_text(t), size);
  return false;
}

static bool take_list(struct arena *keep, const char *spec, const char *text, struct exec_arg *a,
                      struct diag *why) {
  if (exec_list(keep, a->type, text, a->count, &a->bytes, why)) return true;
  struct diag inner = *why;
  diag_set(why, "--arg %.100s: %.200s", spec, inner.text);
  return false;
}

/* A count that is left out is the file's. */
static bool take_file(struct arena *keep, const char *spec, const char *path, bool counted,
                      struct exec_arg *a, struct diag *why) {
  a->fill = FILL_GIVEN;
  if (!exec_file(keep, path, a->type, &a->bytes, why)) return false;
  u64 n = a->bytes.n / exec_type_bytes(a->type);
  if (!counted) a->count = n;
  if (n == a->count) return true;
  diag_set(why, "--arg %.100s: the file has %" PRIu64 " elements of type %s, not %" PRIu64, spec, n,
           exec_type_text(a->type), a->count);
  return false;
}

#define BUFFER_FORM "buf:TYPE:COUNT[:zero|iota|ones|rand|uninit|=v,v*TIMES,FROM..TO|@FILE]"
static bool parse_buffer(struct arena *keep, const char *spec, const char *rest, struct exec_arg *a,
                         struct diag *why) {
  size_t n = strcspn(rest, ":");
  char count[24];
  a->form = ARG_BUFFER;
  a->fill = FILL_UNINIT;
  if (!type_named(rest, n, &a->type)) {
    diag_set(why, "--arg %.100s: '%.*s' is not a type (" TYPES "); a buffer is " BUFFER_FORM, spec,
             (int)(n < 60 ? n : 60), rest);
    return false;
  }
  rest += n + (rest[n] == ':');
  if (*rest == '@') return take_file(keep, spec, rest + 1, false, a, why);
  n = strcspn(rest, ":");
  snprintf(count, sizeof count, "%.*s", (int)(n < sizeof count ? n : 0), rest);
  if (!cli_number(count, 1ull << 32, &a->count)) {
    diag_set(why, "--arg %.100s: '%.*s' is not a number of elements; a buffer is " BUFFER_FORM,
             spec, (int)(n < 60 ? n : 60), rest);
    return false;
  }
  if (rest[n] == 0) return true;
  rest += n + 1;
  if (*rest == '@') return take_file(keep, spec, rest + 1, true, a, why);
  if (*rest == '=') {
    a->fill = FILL_GIVEN;
    return take_list(keep, spec, rest + 1, a, why);
  }
  if (fill_named(rest, a)) return true;
  diag_set(why, "--arg %.100s: '%.60s' are no contents; a buffer is " BUFFER_FORM, spec, rest);
  return false;
}

bool exec_arg_parse(struct arena *keep, const char *spec, struct exec_arg *a, struct diag *why) {
  size_t n = strcspn(spec, ":");
  *a = (struct exec_arg){0};
  if (strcmp(spec, "null") == 0) {
    a->form = ARG_NULL;
    return true;
  }
  if (strncmp(spec, "buf:", 4) == 0) return parse_buffer(keep, spec, spec + 4, a, why);
  if (strncmp(spec, "struct:", 7) == 0) return exec_struct_parse(keep, spec, a, why);
  a->form = ARG_SCALAR;
  if (!type_named(spec, n, &a->type)) {
    diag_set(why,
             "--arg %.100s: not a number with its type (" TYPES "), such as i32:7, nor buf:..., "
             "struct:... or null",
             spec);
    return false;
  }
  const char *value = spec[n] ? spec + n + 1 : "";
  if (*value && !exec_number(a->type, value, strlen(value), a->value)) {
    diag_set(why, "--arg %s: '%s' is not a value of type %s", spec, value, exec_type_text(a->type));
    return false;
  }
  return true;
}

/* ---- contents ---- */
static double unit(u64 *rng) { return (double)(rng_next(rng) >> 40) * 0x1p-24; }

void exec_fill(const struct exec_arg *a, u64 first, u32 count, u64 *rng, u8 *data) {
  u32 size = exec_type_bytes(a->type);
  memset(data, 0, (size_t)count * size);
  for (u64 i = first; i < first + count; i++) {
    u8 *to = data + (i - first) * size;
    switch (a->fill) {
    case FILL_IOTA: store_count(a->type, i, to); break;
    case FILL_ONES: store_count(a->type, 1, to); break;
    case FILL_RAND:
      if (exec_type_is_float(a->type))
        store_float(a->type, unit(rng), to);
      else
        store_count(a->type, rng_below(rng, RAND_BELOW), to);
      break;
    case FILL_GIVEN:
      if ((i + 1) * size <= a->bytes.n) memcpy(to, a->bytes.p + i * size, size);
      break;
    case FILL_ZERO:
    case FILL_UNINIT: break;
    }
  }
}

const char *exec_element_text(struct arena *keep, enum pz_type t, const u8 *p) {
  const struct type_row *r = row_of(t);
  u64 u = 0;
  float f;
  double d;
  memcpy(&u, p, r->bytes);
  if (t == PZ_F32) {
    memcpy(&f, p, 4);
    return isnan(f) ? "nan" : arena_printf(keep, "%.9g", (double)f);
  }
  if (t == PZ_F64) {
    memcpy(&d, p, 8);
    return isnan(d) ? "nan" : arena_printf(keep, "%.17g", d);
  }
  if (!r->is_signed) return arena_printf(keep, "%" PRIu64, u);
  u32 shift = 64 - r->bytes * 8;
  return arena_printf(keep, "%" PRId64, (i64)(u << shift) >> shift); /* sign extension */
}

/* ---- names ---- */
static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The last identifier of a declarator: "const float *in" -> in, "int (&a)[3]" -> none. */
static const char *declared(struct arena *a, const char *p, size_t n) {
  const char *eq = memchr(p, '=', n);
  if (eq) n = (size_t)(eq - p);
  while (n && !is_word(p[n - 1])) {
    if (p[n - 1] == ')' || p[n - 1] == ']') return NULL;
    n--;
  }
  size_t end = n;
  while (n && is_word(p[n - 1])) n--;
  return end > n && !isdigit((unsigned char)p[n]) ? str_copy(a, (str){p + n, end - n}).p : NULL;
}

/* The names between `from`, behind the parenthesis, and its partner, which *close becomes. */
static bool names_in(struct arena *a, const char *from, const char *end, u32 count,
                     const char **names, const char **close) {
  u32 depth = 0, found = 0;
  for (const char *q = from; q < end; q++) {
    if (*q == '(' || *q == '<' || *q == '[') depth++;
    bool last = *q == ')' && depth == 0;
    if (last || (*q == ',' && depth == 0)) {
      const char *name = declared(a, from, (size_t)(q - from));
      if (!name || found == count) return false;
      names[found++] = name;
      from = q + 1;
      *close = q;
      if (last) return found == count;
    } else if ((*q == ')' || *q == '>' || *q == ']') && depth > 0) {
      depth--;
    }
  }
  return false;
}

static const char *skip_space(const char *p, const char *end) {
  while (p < end && isspace((unsigned char)*p)) p++;
  return p;
}

/* A definition names its parameters; a declaration or an instantiation may leave them out, and then
 * the last word of each is a type. */
bool exec_param_names(struct arena *a, str source, str kernel, u32 count, const char **names) {
  const char *end = source.p + source.n, *close = end;
  for (u32 defined = 2; defined-- > 0;)
    for (const char *p = source.p; p + kernel.n < end; p++) {
      if (memcmp(p, kernel.p, kernel.n) != 0 || (p > source.p && is_word(p[-1]))) continue;
      const char *open = skip_space(p + kernel.n, end);
      if (open >= end || *open != '(' || !names_in(a, open + 1, end, count, names, &close))
        continue;
      const char *next = skip_space(close + 1, end);
      if (!defined || (next < end && *next == '{')) return true;
    }
  return false;
}
