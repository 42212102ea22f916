/* exec_list.c - values as --arg and --expect list them: "7,3*64,1..128". */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "cli/exec.h"

enum { LIST_BYTES_MAX = 1 << 28 };

struct growing {
  struct strbuf bytes;
  u64 count, most;
  bool is_full;
};

static bool add(struct growing *g, const u8 *value, u32 size, u64 times) {
  g->is_full = times > g->most - g->count || times > LIST_BYTES_MAX / size - g->count;
  if (g->is_full) return false;
  g->count += times;
  while (times--) strbuf_add(&g->bytes, (const char *)value, size);
  return true;
}

/* "4..1": whole numbers, up or down. */
static bool add_range(struct growing *g, enum pz_type t, const char *from, const char *to) {
  char *end_from, *end_to;
  i64 a = strtoll(from, &end_from, 10), b = strtoll(to, &end_to, 10);
  u64 span = a < b ? (u64)b - (u64)a : (u64)a - (u64)b;
  if (end_from == from || *end_from || end_to == to || *end_to) return false;
  g->is_full = span >= g->most || span >= LIST_BYTES_MAX / 8;
  if (g->is_full) return false;
  for (u64 i = 0; i <= span; i++) {
    char text[32];
    u8 value[8];
    snprintf(text, sizeof text, "%" PRId64, a < b ? a + (i64)i : a - (i64)i);
    if (!exec_number(t, text, strlen(text), value) || !add(g, value, exec_type_bytes(t), 1))
      return false;
  }
  return true;
}

/* One of "7", "7*64", "1..128". */
static bool add_item(struct growing *g, enum pz_type t, str item) {
  char text[64], *mark;
  u8 value[8];
  u64 times = 1;
  if (item.n >= sizeof text) return false;
  memcpy(text, item.p, item.n);
  text[item.n] = 0;
  if ((mark = strstr(text, "..")) != NULL) {
    *mark = 0;
    return add_range(g, t, text, mark + 2);
  }
  if ((mark = strchr(text, '*')) != NULL) {
    *mark = 0;
    if (!cli_number(mark + 1, UINT32_MAX, &times)) return false;
  }
  return exec_number(t, text, strlen(text), value) && add(g, value, exec_type_bytes(t), times);
}

bool exec_list(struct arena *keep, enum pz_type t, const char *text, u64 most, str *bytes,
               struct diag *why) {
  struct growing g = {.most = most};
  for (const char *p = text;; p++) {
    size_t n = strcspn(p, ",");
    if (!add_item(&g, t, (str){p, n})) {
      bool full = g.is_full;
      diag_set(why,
               full ? "more than %" PRIu64 " values for as many elements, from '%.*s' on"
                    : "value %" PRIu64 ", '%.*s', is not of type %s, nor V*TIMES or FROM..TO",
               full ? most : g.count + 1, (int)(n < 60 ? n : 60), p, exec_type_text(t));
      strbuf_free(&g.bytes);
      return false;
    }
    p += n;
    if (!*p) break;
  }
  *bytes = str_copy(keep, (str){g.bytes.p, g.bytes.n});
  strbuf_free(&g.bytes);
  return true;
}
