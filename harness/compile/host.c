/* host.c - a whole .cu file without the half that runs on the host: main(), launches, std::vector.
 * Works on the text, declaration by declaration, and only outside of functions. A function of the
 * host keeps its head where that has no name of the host's libraries, so that a kernel that calls
 * it is told the usual thing; all else of the host's turns to blanks, lines stay where they are.
 * No C++ parser: compile.c comes here only when the file does not compile as it stands. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "compile/host.h"

/* One declaration, from its first token to behind its ; or } */
struct decl {
  size_t at;
  bool list;                /* a constructor's initialisers have begun */
  size_t constexpr_at;      /* where it says so */
  struct host_token before; /* the token behind us */
  struct host_token name;   /* the word in front of the first parameters */
  bool device, constant, pointer, is_constexpr, is_space, is_class, is_enum, is_extern, is_alias;
  bool paren, assigned, defaulted, host_member;
};

/* `host_member`: not null inside of a class, and set when the host owns the type of a member. */
static size_t scope(struct host_text *h, size_t i, bool *host_member);

/* A function with a body. One of host and device alike may stay: constant
 * expressions of kernels may call it. */
static void end_function(struct host_text *h, const struct decl *d, size_t end) {
  if (d->device) return;
  if (d->is_constexpr && !host_has_name(h, d->at, end) && h->mark_count < HOST_LIST) {
    h->marks[h->mark_count++] = (struct host_mark){d->constexpr_at, "__host__ __device__ ", false};
    return;
  }
  h->program->foreign = true;
  if (host_is(h, d->name, "main")) h->whole = true;
  struct host_program *p = h->program;
  if (p->name_count < HOST_LIST) p->names[p->name_count++] = host_word(h, d->name);
  host_blank(h, d->at, end);
}

/* Does a declaration without a function's body stay? NVRTC takes neither variables nor functions of
 * the host, but for constants. */
static bool stays(struct host_text *h, const struct decl *d, size_t end, bool in_class) {
  if (d->device) return true;
  if (d->host_member || host_has_name(h, d->at, end)) return false;
  if (d->is_alias || d->is_class || d->is_enum || d->defaulted) return true;
  if (d->paren) return false;
  return in_class || d->is_constexpr || (d->constant && !d->pointer);
}

static void end_other(struct host_text *h, struct decl *d, size_t end, bool *host_member) {
  if (stays(h, d, end, host_member != NULL)) return;
  /* Without this member the class has another layout: then it goes as a whole. */
  if (host_member && !d->paren && !d->is_alias) *host_member = true;
  host_blank(h, d->at, end);
}

static void take_word(struct host_text *h, struct decl *d, struct host_token *t) {
  static const char *const quiet[] = {"__align__", "alignas",  "__attribute__", "__launch_bounds__",
                                      "decltype",  "noexcept", "__declspec"};
  str w = host_word(h, *t);
  if (host_is_device_word(h, w)) d->device = true;
  if (str_eqz(w, "constexpr") || str_eqz(w, "consteval")) {
    d->is_constexpr = true;
    d->constexpr_at = t->at;
  }
  if (str_eqz(w, "const") && !d->paren) d->constant = true;
  if (str_eqz(w, "default") || str_eqz(w, "delete")) d->defaulted = d->assigned;
  if (str_eqz(w, "using") || str_eqz(w, "typedef") || str_eqz(w, "static_assert") ||
      str_eqz(w, "friend"))
    d->is_alias = true;
  if (str_eqz(w, "namespace")) d->is_space = true;
  if (str_eqz(w, "class") || str_eqz(w, "struct") || str_eqz(w, "union")) d->is_class = true;
  if (str_eqz(w, "enum")) d->is_enum = true;
  if (str_eqz(w, "extern")) d->is_extern = true;
  struct host_token after = host_next(h, t->end);
  if (str_eqz(w, "template") && host_is(h, after, "<")) t->end = host_past_angles(h, after.at);
  for (size_t i = 0; i < COUNT_OF(quiet); i++)
    if (str_eqz(w, quiet[i]) && host_is(h, after, "(")) t->end = host_past_brackets(h, after.at);
  if (!str_eqz(w, "operator")) return;
  /* operator(), operator=, operator<: up to the parameters. */
  if (host_is(h, after, "(")) after = host_next(h, host_past_brackets(h, after.at));
  while (after.kind != HOST_END && !host_is(h, after, "(") && !host_is(h, after, ";"))
    after = host_next(h, after.end);
  t->end = after.at;
}

/* At a { ; returns where to go on, and in *done whether the declaration ends there. */
static size_t take_block(struct host_text *h, struct decl *d, size_t at, bool *done) {
  size_t end;
  *done = false;
  if (d->is_space || (d->is_extern && d->before.kind == HOST_STRING)) {
    *done = true;
    end = scope(h, at + 1, NULL);
    return host_next(h, end).end;
  }
  if (d->is_class && !d->paren && !d->is_enum && !d->assigned) {
    end = scope(h, at + 1, &d->host_member);
    return host_next(h, end).end;
  }
  end = host_past_brackets(h, at);
  if (d->is_enum || d->assigned || !d->paren) return end;
  struct host_token after = host_next(h, end);
  bool member = d->list && (d->before.kind == HOST_WORD || host_is(h, d->before, ">"));
  if (member && (host_is(h, after, ",") || host_is(h, after, "{"))) return end;
  end_function(h, d, end);
  *done = true;
  return end;
}

static bool is_access(const struct host_text *h, struct host_token t) {
  return host_is(h, t, "public") || host_is(h, t, "private") || host_is(h, t, "protected");
}

static size_t declaration(struct host_text *h, size_t at, bool *host_member) {
  struct decl d = {.at = at, .before = {HOST_END, 0, 0}};
  for (struct host_token t = host_next(h, at); t.kind != HOST_END;
       d.before = t, t = host_next(h, t.end)) {
    char c = h->p[t.at];
    if (t.kind == HOST_WORD) {
      take_word(h, &d, &t);
    } else if (t.kind == HOST_STRING || t.end - t.at > 1) {
      continue;
    } else if (c == ';') {
      end_other(h, &d, t.end, host_member);
      return t.end;
    } else if (c == '}') {
      return t.at;
    } else if (c == '(') {
      if (!d.paren) d.name = d.before;
      d.paren = d.paren || !d.assigned;
      t.end = host_past_brackets(h, t.at);
    } else if (c == '*') {
      d.pointer = true;
    } else if (c == '[') {
      t.end = host_past_brackets(h, t.at);
    } else if (c == '=') {
      d.assigned = true;
    } else if (c == ':' && is_access(h, d.before)) {
      return t.end;
    } else if (c == ':' && d.paren && !d.assigned) {
      d.list = true;
    } else if (c == '{') {
      bool done;
      t.end = take_block(h, &d, t.at, &done);
      if (done) return t.end;
    }
  }
  return h->n;
}

/* Up to the } that ends the scope, or the end of the file. */
static size_t scope(struct host_text *h, size_t i, bool *host_member) {
  struct host_token t = host_next(h, i);
  if (h->depth >= HOST_DEPTH) return h->n;
  h->depth++;
  for (; t.kind != HOST_END && !host_is(h, t, "}"); t = host_next(h, i)) {
    size_t end = declaration(h, t.at, host_member);
    i = end > t.at ? end : t.end;
  }
  h->depth--;
  return t.at;
}

/* ---- what a launch says about its kernel ---- */

/* `name<int, 256><<<...>>>`: the arguments make a kernel of a template, and went with the host. */
static bool launched(struct host_text *h, size_t at, size_t *from) {
  size_t i = at, deep = 0;
  while (i && isspace((unsigned char)h->p[i - 1])) i--;
  if (i == 0 || h->p[i - 1] != '>') return false;
  do {
    i--;
    deep += h->p[i] == '>';
    deep -= h->p[i] == '<';
    if (h->p[i] == ';' || h->p[i] == '{') return false;
  } while (i && deep);
  while (i && isspace((unsigned char)h->p[i - 1])) i--;
  size_t open = i;
  while (i && (isalnum((unsigned char)h->p[i - 1]) || strchr("_:", h->p[i - 1]))) i--;
  *from = i;
  return i < open;
}

/* A constant of the host's own, `const int B = 256;` in main(). */
static str host_constant(struct host_text *h, str name) {
  struct host_token before = {HOST_END, 0, 0};
  for (struct host_token t = host_next(h, 0); t.kind != HOST_END;
       before = t, t = host_next(h, t.end)) {
    if (h->out[t.at] != ' ' || !str_eq(host_word(h, t), name)) continue;
    struct host_token is = host_next(h, t.end), value = host_next(h, is.end);
    bool ends = host_is(h, host_next(h, value.end), ";");
    if (before.kind == HOST_WORD && host_is(h, is, "=") && ends &&
        isdigit((unsigned char)h->p[value.at]))
      return host_word(h, value);
  }
  return name;
}

static void add_launched(struct host_text *h, struct strbuf *b, size_t from, size_t to) {
  strbuf_printf(b, "static_assert(wl_launched<&");
  size_t i = from;
  for (struct host_token t = host_next(h, from); t.at < to && t.kind != HOST_END;
       t = host_next(h, t.end)) {
    str w = t.kind == HOST_WORD ? host_constant(h, host_word(h, t)) : host_word(h, t);
    strbuf_add(b, h->p + i, t.at - i);
    strbuf_add(b, w.p, w.n);
    i = t.end;
  }
  strbuf_printf(b, ">::yes, \"\");");
}

static void add_instances(struct host_text *h, struct strbuf *b) {
  static const char helper[] =
      "\ntemplate <auto kernel> struct wl_launched { static constexpr bool yes = true; };";
  size_t from, count = 0;
  for (const char *p = h->p; (p = strstr(p, "<<<")) != NULL; p += 3) {
    size_t at = (size_t)(p - h->p);
    if (h->out[at] != ' ') continue;
    h->whole = true;
    if (!launched(h, at, &from)) continue;
    if (count++ == 0) strbuf_printf(b, "%s", helper);
    add_launched(h, b, from, at);
  }
}

/* ---- headers ---- */

static void leave_out(struct host_text *h, size_t at, size_t end) {
  h->program->foreign = true;
  memset(h->out + at, ' ', end - at);
  h->removed++;
}

static void read_text(struct host_text *h, struct host_program *program, str source);
static str made_of(struct host_text *h);

/* The device's half of a file that is not the program's first; NULL: it is as it was. */
static const char *half_of(struct host_program *p, const char *path, str source) {
  if (p->extra_count == COMPILE_EXTRA || strpbrk(path, "\"\\\n")) return NULL;
  struct compile_extra *x = &p->extra[p->extra_count++];
  x->path = path;
  x->name = arena_printf(p->keep, "warplings_half_%u.h", p->extra_count);
  struct host_text *h = NEW(p->keep, struct host_text);
  const char *slash = strrchr(path, '/');
  *h = (struct host_text){.dir = arena_printf(p->keep, "%.*s", (int)(slash - path), path)};
  p->depth++;
  read_text(h, p, source);
  p->depth--;
  x->changed = h->removed + h->mark_count > 0;
  str made = made_of(h);
  x->text = arena_printf(p->keep, "#line 1 \"%s\"\n" STR_F "\n", path, STR_A(made));
  return x->changed ? x->name : NULL;
}

static const char *own_header(struct host_text *h, const char *name) {
  enum { DEPTH = 16, MOST_BYTES = 1 << 20 };
  struct host_program *p = h->program;
  struct diag unused = {0};
  str source;
  const char *path = arena_printf(p->keep, "%s/%s", h->dir, name);
  for (u32 i = 0; i < p->extra_count; i++)
    if (strcmp(p->extra[i].path, path) == 0) return p->extra[i].changed ? p->extra[i].name : NULL;
  if (p->depth >= DEPTH || !file_read(p->keep, path, MOST_BYTES, &source, &unused)) return NULL;
  return half_of(p, path, source);
}

/* Headers that no kernel needs go: of the system, of libraries, of the samples that come with CUDA.
 * One of the user's own has two halves, as the program has. */
void host_include(struct host_text *h, size_t at, size_t end) {
  char name[128];
  str line = {h->p + at, end - at};
  if (!compile_include_name(line, name, sizeof name)) return;
  bool angled = str_has(line, "<");
  if (compile_include_is_host(name, angled, h->program->for_clang)) {
    leave_out(h, at, end);
    return;
  }
  const char *half = angled ? NULL : own_header(h, name);
  if (!half || h->mark_count == HOST_LIST) return;
  memset(h->out + at, ' ', end - at);
  h->marks[h->mark_count++] =
      (struct host_mark){at, arena_printf(h->program->keep, "#include \"%s\"", half), true};
}

/* ---- all together ---- */

static void read_text(struct host_text *h, struct host_program *program, str source) {
  h->program = program;
  h->n = source.n;
  h->p = str_copy(program->keep, source).p;
  h->out = (char *)(uintptr_t)str_copy(program->keep, source).p;
  h->fixed = arena_array(program->keep, source.n + 1, sizeof *h->fixed);
  h->bare_std = str_has(source, "using namespace std");
  /* A } too many: go on behind it. */
  for (size_t i = 0; i < h->n; i = scope(h, i, NULL) + 1) {}
}

static int by_place(const void *a, const void *b) {
  size_t x = ((const struct host_mark *)a)->at, y = ((const struct host_mark *)b)->at;
  return (x > y) - (x < y);
}

static str made_of(struct host_text *h) {
  struct strbuf b = {0};
  size_t i = 0;
  qsort(h->marks, h->mark_count, sizeof *h->marks, by_place);
  for (size_t k = 0; k < h->mark_count; i = h->marks[k++].at) {
    strbuf_add(&b, h->out + i, h->marks[k].at - i);
    strbuf_printf(&b, "%s", h->marks[k].text);
  }
  strbuf_add(&b, h->out + i, h->n - i);
  str made = str_copy(h->program->keep, (str){b.p, b.n});
  strbuf_free(&b);
  return made;
}

bool compile_leave_out_host(struct arena *keep, str source, const char *dir, bool for_clang,
                            struct compile_device_half *half) {
  struct host_program *p = NEW(keep, struct host_program);
  struct host_text *h = NEW(keep, struct host_text);
  *p = (struct host_program){.keep = keep, .for_clang = for_clang};
  *h = (struct host_text){.dir = dir};
  read_text(h, p, source);
  struct strbuf b = {0};
  half->source = made_of(h);
  strbuf_add(&b, half->source.p, half->source.n);
  add_instances(h, &b);
  half->with_instances = str_copy(keep, (str){b.p, b.n});
  half->has_instances = half->with_instances.n > half->source.n;
  strbuf_free(&b);
  half->names = p->names;
  half->name_count = p->name_count;
  half->extra = p->extra;
  half->extra_count = p->extra_count;
  half->is_program = p->foreign;
  half->is_whole = h->whole;
  return h->removed + h->mark_count > 0;
}
