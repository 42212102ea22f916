/* exec_place.c - exec's arguments in memory: structs and their fields, buffers on the device, the
 * bytes of a parameter. Which text means what is exec_args.c's business. */
#include <inttypes.h>
#include <string.h>
#include "cli/cli.h"

enum { STRUCT_FIELDS_MAX = 64, STRUCT_BYTES_MAX = 4096 };

/* ---- structs: "struct:FIELD/FIELD/...", laid out as C does ---- */
static u32 round_up(u32 n, u32 to) { return (n + to - 1) / to * to; }

static bool add_field(struct exec_arg *s, const struct exec_arg *field) {
  u32 size = field->form == ARG_SCALAR ? exec_type_bytes(field->type) : 8;
  struct exec_arg *f = &s->fields[s->field_count++];
  *f = *field;
  f->offset_bytes = round_up(s->size_bytes, size);
  s->size_bytes = f->offset_bytes + size;
  if (size > s->align) s->align = size;
  return s->size_bytes <= STRUCT_BYTES_MAX;
}
/* "align:16": the next field, and with it the struct, begins at a multiple of 16. */
static bool align_next(struct exec_arg *s, const char *text) {
  u64 n;
  if (!cli_number(text, 128, &n) || n == 0 || (n & (n - 1))) return false;
  s->size_bytes = round_up(s->size_bytes, (u32)n);
  if (n > s->align) s->align = (u32)n;
  return true;
}

bool exec_struct_parse(struct arena *keep, const char *spec, struct exec_arg *out,
                       struct diag *why) {
  const char *p = spec + strlen("struct:");
  *out = (struct exec_arg){.form = ARG_STRUCT, .align = 1};
  out->fields = NEWN(keep, struct exec_arg, STRUCT_FIELDS_MAX);
  for (;;) {
    size_t n = strcspn(p, "/");
    const char *text = str_copy(keep, (str){p, n}).p;
    struct exec_arg field;
    if (strncmp(text, "align:", 6) == 0) {
      if (!align_next(out, text + 6)) {
        diag_set(why, "--arg %s: align takes a power of two up to 128, not '%s'", spec, text + 6);
        return false;
      }
    } else if (strncmp(text, "struct:", 7) == 0 || !exec_arg_parse(keep, text, &field, why)) {
      if (!why->set) diag_set(why, "a struct inside of a struct is written as its fields");
      struct diag inner = *why;
      diag_set(why, "--arg %.200s: field '%s': %.200s", spec, text, inner.text);
      return false;
    } else if (out->field_count == STRUCT_FIELDS_MAX || !add_field(out, &field)) {
      diag_set(why, "--arg %.200s: more than %d fields or %d bytes", spec, STRUCT_FIELDS_MAX,
               STRUCT_BYTES_MAX);
      return false;
    }
    if (!p[n]) break;
    p += n + 1;
  }
  out->size_bytes = round_up(out->size_bytes, out->align);
  return true;
}

/* ---- buffers ---- */
u32 exec_args_number(struct exec_arg *args, u32 count) {
  u32 n = 0;
  for (u32 i = 0; i < count; i++) {
    if (args[i].form == ARG_BUFFER) args[i].slot = n++;
    for (u32 f = 0; f < args[i].field_count; f++)
      if (args[i].fields[f].form == ARG_BUFFER) args[i].fields[f].slot = n++;
  }
  return n;
}

/* In pieces: a large buffer is not held twice, one of zeros not at all. */
static bool fill(const struct exec_memory *m, const struct exec_arg *arg, u64 at, u64 *rng,
                 struct diag *why) {
  static u8 piece[1 << 16];
  u32 size = exec_type_bytes(arg->type), most = sizeof piece / size;
  if (arg->fill == FILL_UNINIT || !arg->count) return true;
  if (m->clear && !m->clear(m->self, at, arg->count * size, why)) return false;
  if (m->clear && arg->fill == FILL_ZERO) return true;
  for (u64 i = 0; i < arg->count; i += most) {
    u32 n = arg->count - i < most ? (u32)(arg->count - i) : most;
    exec_fill(arg, i, n, rng, piece);
    if (!m->write(m->self, at + i * size, piece, (u64)n * size, why)) return false;
  }
  return true;
}

static bool place_buffer(const struct exec_memory *m, const struct exec_arg *arg, const char *name,
                         u64 *rng, u64 *addresses, struct diag *why) {
  u32 size = exec_type_bytes(arg->type);
  u64 at = m->alloc(m->self, name, arg->count * size, size, why);
  addresses[arg->slot] = at;
  return at && fill(m, arg, at, rng, why);
}

bool exec_place(struct arena *a, const struct exec_memory *m, const struct exec_arg *arg,
                const char *name, u64 *rng, u8 *to, u32 bytes, u64 *addresses, struct diag *why) {
  static const u8 null[8];
  switch (arg->form) {
  case ARG_SCALAR: memcpy(to, arg->value, bytes); return true;
  case ARG_NULL: memcpy(to, null, bytes); return true;
  case ARG_BUFFER:
    if (!place_buffer(m, arg, name, rng, addresses, why)) return false;
    memcpy(to, &addresses[arg->slot], bytes);
    return true;
  case ARG_STRUCT: break;
  }
  for (u32 i = 0; i < arg->field_count; i++) {
    const struct exec_arg *f = &arg->fields[i];
    u32 size = f->form == ARG_SCALAR ? exec_type_bytes(f->type) : 8;
    if (!exec_place(a, m, f, arena_printf(a, "%s, field %u", name, i), rng, to + f->offset_bytes,
                    size, addresses, why))
      return false;
  }
  return true;
}

/* ---- K[.F][:COUNT] of --dump and --expect ---- */
static bool is_bad(const char *option, const char *spec, const char *what, struct diag *why) {
  diag_set(why, "%s %.100s: %s", option, spec, what);
  return false;
}

bool exec_which(const char *spec, const char *option, const struct exec_arg *args, u32 count,
                struct exec_dump *out, struct diag *why) {
  char copy[64];
  u64 arg = 0, field = 0, elements = 0;
  snprintf(copy, sizeof copy, "%s", spec);
  char *colon = strchr(copy, ':'), *dot;
  if (colon) *colon++ = 0;
  dot = strchr(copy, '.');
  if (dot) *dot++ = 0;
  if (strlen(spec) >= sizeof copy || !cli_number(copy, LIST_MAX - 1, &arg) ||
      (dot && !cli_number(dot, STRUCT_FIELDS_MAX - 1, &field)) ||
      (colon && !cli_number(colon, UINT32_MAX, &elements)))
    return is_bad(option, spec,
                  "not K or K:COUNT, where K is the number of a parameter, from 0; K.F for field F "
                  "of a struct",
                  why);
  *out = (struct exec_dump){.arg = (u32)arg, .field = dot ? (u32)field + 1 : 0};
  if (arg < count && !dot) out->from = &args[arg];
  if (arg < count && dot && field < args[arg].field_count) out->from = &args[arg].fields[field];
  if (!out->from || out->from->form != ARG_BUFFER) {
    char what[128];
    if (dot)
      snprintf(what, sizeof what, "field %s of parameter %s is not a buffer (they count from 0)",
               dot, copy);
    else
      snprintf(what, sizeof what, "parameter %s is not a buffer (they count from 0)", copy);
    return is_bad(option, spec, what, why);
  }
  u64 all = out->from->count < UINT32_MAX ? out->from->count : UINT32_MAX;
  out->count = (u32)(colon && elements < all ? elements : all);
  return true;
}
