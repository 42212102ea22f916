/* exec_types.c - does an --arg fit a parameter, and what would? Sizes come from the PTX, element
 * types from the kernel's name, which has the C++ types in it (extern "C" kernels have none). */
#include <string.h>
#include "cli/exec.h"

/* Types as demangled names have them. */
static const struct {
  const char *text;
  enum pz_type type;
} words[] = {
    {"float", PZ_F32},        {"double", PZ_F64},
    {"int", PZ_I32},          {"unsigned int", PZ_U32},
    {"long", PZ_I64},         {"unsigned long", PZ_U64},
    {"long long", PZ_I64},    {"unsigned long long", PZ_U64},
    {"short", PZ_I16},        {"unsigned short", PZ_U16},
    {"char", PZ_I8},          {"signed char", PZ_I8},
    {"unsigned char", PZ_U8}, {"bool", PZ_U8},
};

static bool is_number(str t, enum pz_type *out) {
  for (size_t i = 0; i < COUNT_OF(words); i++)
    if (str_eqz(t, words[i].text)) {
      *out = words[i].type;
      return true;
    }
  return false;
}

/* The nth of "float const*, F<int, 3>*, int". */
static str nth(str list, u32 n) {
  u32 depth = 0;
  size_t from = 0;
  for (size_t i = 0; i <= list.n; i++) {
    char c = i < list.n ? list.p[i] : ',';
    if (c == '<' || c == '(') depth++;
    if ((c == '>' || c == ')') && depth) depth--;
    if (c != ',' || (depth && i < list.n)) continue;
    if (n-- == 0) return str_trim((str){list.p + from, i - from});
    from = i + 1;
  }
  return STR("");
}

static bool drop_end(str *s, const char *end) {
  size_t n = strlen(end);
  if (s->n < n || memcmp(s->p + s->n - n, end, n) != 0) return false;
  s->n -= n;
  return true;
}

/* "float const*" -> "float"; false: no pointer, or one to pointers. */
static bool pointee(str t, str *out) {
  if (!drop_end(&t, "*") && !drop_end(&t, "&")) return false;
  while (drop_end(&t, " const") || drop_end(&t, " volatile")) {}
  *out = t;
  return t.n && t.p[t.n - 1] != '*';
}

/* An array of bytes: a struct, a union, a vector. */
static bool is_bytes(const struct ptx_param *p) {
  return p->size_bytes > ptx_type_bytes(p->type) && ptx_type_bytes(p->type) == 1;
}

static bool has_size(const struct exec_arg *a, const struct ptx_param *p) {
  bool wants_float = p->type == T_F32 || p->type == T_F64;
  if (a->form == ARG_STRUCT) return p->size_bytes == a->size_bytes && is_bytes(p);
  if (a->form != ARG_SCALAR) return p->size_bytes == 8 && !wants_float;
  return p->size_bytes == exec_type_bytes(a->type) && wants_float == exec_type_is_float(a->type);
}

/* Elements of another size, or floats for integers, are read as something else than what was
 * written. Bytes say on purpose that they are raw. */
static bool has_elements(const struct exec_arg *a, str type) {
  enum pz_type t;
  str to;
  if (a->form != ARG_BUFFER || a->type == PZ_U8 || !pointee(type, &to) || !is_number(to, &t))
    return true;
  return exec_type_bytes(t) == exec_type_bytes(a->type) &&
         exec_type_is_float(t) == exec_type_is_float(a->type);
}

/* What the parameter would take, as one would write it. */
static const char *wanted(struct arena *a, const struct ptx_param *p, str type) {
  enum pz_type t;
  str to = {0};
  if (pointee(type, &to))
    return is_number(to, &t) ? arena_printf(a, "buf:%s:COUNT", exec_type_text(t))
                             : arena_printf(a, "buf:u8:BYTES (of " STR_F ")", STR_A(to));
  if (drop_end(&type, "*")) return "buf:u64:COUNT (pointers), or null";
  if (is_number(type, &t)) return arena_printf(a, "%s:VALUE", exec_type_text(t));
  if (p->type == T_F32) return "f32:VALUE";
  if (p->type == T_F64) return "f64:VALUE";
  if (is_bytes(p)) return arena_printf(a, "struct:FIELD/... (%u bytes)", p->size_bytes);
  if (p->size_bytes == 8) return "buf:TYPE:COUNT, null, i64: or u64:";
  return arena_printf(a, "i%u:VALUE", p->size_bytes * 8);
}

static const struct ptx_param *param(const struct ptx_func *f, u32 i) {
  return &f->params[f->ret_count + i];
}

static str shown(const struct ptx_func *f) { return f->demangled.n ? f->demangled : f->name; }

/* "float const* in" for a message; only the type, or only the name, where the other is unknown. */
static const char *declaration(struct arena *a, const char *name, str type) {
  return arena_printf(a, STR_F "%s%s", STR_A(type), type.n && name ? " " : "", name ? name : "");
}

static void say_all(struct arena *a, const struct ptx_func *f, const char **names, bool named,
                    u32 given, struct diag *why) {
  struct strbuf b = {0};
  for (u32 i = 0; i < f->arg_count && b.n < 400; i++) {
    str type = nth(ptx_param_types(f), i);
    strbuf_printf(&b, "%s--arg %s", i ? " " : "", wanted(a, param(f, i), type));
    if (named) strbuf_printf(&b, " [%s]", names[i]);
  }
  diag_set(why, STR_F " takes %u parameter%s, there %s %u --arg%s%.*s", STR_A(shown(f)),
           f->arg_count, f->arg_count == 1 ? "" : "s", given == 1 ? "is" : "are", given,
           b.n ? ". It wants: " : "", (int)b.n, b.n ? b.p : "");
  strbuf_free(&b);
}

bool exec_args_fit(struct arena *a, const struct exec *e, const struct ptx_func *f,
                   const char **names, struct diag *why) {
  /* Reports call a buffer what its author calls it, where the source says so. */
  bool named = !e->is_ptx && exec_param_names(a, e->source, ptx_plain_name(f), f->arg_count, names);
  if (e->arg_count != f->arg_count) {
    say_all(a, f, names, named, e->arg_count, why);
    return false;
  }
  for (u32 i = 0; i < e->arg_count; i++) {
    const struct exec_arg *arg = &e->args[i];
    str type = nth(ptx_param_types(f), i);
    bool fits = has_size(arg, param(f, i));
    if (fits && has_elements(arg, type)) continue;
    const char *has =
        arg->form == ARG_STRUCT ? arena_printf(a, " (%u bytes)", arg->size_bytes) : "";
    diag_set(why, "--arg %.200s%s does not fit parameter %u, %s, of " STR_F ": it takes %s%s",
             e->o->arg_specs[i], has, i, declaration(a, named ? names[i] : NULL, type),
             STR_A(shown(f)), wanted(a, param(f, i), type),
             fits ? ", or buf:u8:BYTES where the bytes are meant" : "");
    return false;
  }
  for (u32 i = 0; !named && i < e->arg_count; i++) names[i] = arena_printf(a, "arg%u", i);
  return true;
}
