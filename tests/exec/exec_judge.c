/* exec_judge.c - looks into the JSON of exec for the few fields that cases speak of. No JSON
 * parser: the writer is ours, keys come in a fixed order, and quotes inside of strings are always
 * escaped. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "exec/exec_judge.h"

static const char *past(const char *s, const char *what) {
  const char *p = s ? strstr(s, what) : NULL;
  return p ? p + strlen(what) : NULL;
}

static str quoted(const char *p) {
  const char *end = p ? strchr(p, '"') : NULL;
  return end ? (str){p, (size_t)(end - p)} : (str){"", 0};
}

#define FINDING "{\"kind\": \""
/* Does a finding of that kind name the line? */
static bool names_line(const char *json, const char *kind, u32 line) {
  char head[64], field[40];
  snprintf(head, sizeof head, FINDING "%s\"", kind);
  int n = snprintf(field, sizeof field, "\"line\": %u", line);
  for (const char *f = past(json, head); f; f = past(f, head)) {
    const char *end = strstr(f, FINDING);
    for (const char *p = strstr(f, field); p && (!end || p < end); p = strstr(p + 1, field))
      if (p[n] == ',' || p[n] == '}') return true;
  }
  return false;
}

/* ---- objects ---- */
static bool lists(const char *names, str name) {
  for (const char *p = names; *p; p += strspn(p, " |")) {
    size_t n = strcspn(p, " |");
    if (str_eq((str){p, n}, name)) return true;
    p += n;
  }
  return false;
}

#define RACE_ON FINDING "RACE\", \"severity\": \"error\", \"space\": \""
static bool races_on(const char *json, str name) {
  for (const char *f = past(json, RACE_ON); f; f = past(f, RACE_ON))
    if (str_eq(quoted(past(f, "\"object\": \"")), name)) return true;
  return false;
}

/* Only objects of the list are in a race, and all of them, unless alternatives are given. */
static bool match_objects(const char *names, const char *json, struct diag *why) {
  for (const char *f = past(json, RACE_ON); f; f = past(f, RACE_ON)) {
    str name = quoted(past(f, "\"object\": \""));
    if (lists(names, name)) continue;
    diag_set(why, "must race on %s only; races on " STR_F, names, STR_A(name));
    return false;
  }
  for (const char *p = names; !strchr(names, '|') && *p; p += strspn(p, " ")) {
    size_t n = strcspn(p, " ");
    if (!races_on(json, (str){p, n})) {
      diag_set(why, "must race on %s; does not on %.*s", names, (int)n, p);
      return false;
    }
    p += n;
  }
  return true;
}

/* ---- buffers ---- */
static bool same(const char *got, const char *want) {
  if (strcmp(got, want) == 0) return true;
  char *e, *f;
  double a = strtod(got, &e), b = strtod(want, &f);
  return e != got && f != want && !*e && !*f && a == b && a < 0x1p53 && a > -0x1p53;
}

static bool token(const char **p, const char *stops, char *out, size_t size) {
  *p += strspn(*p, stops);
  size_t n = strcspn(*p, stops);
  if (n == 0 || n >= size) return false;
  memcpy(out, *p, n);
  out[n] = 0;
  *p += n;
  return true;
}

/* The next `want` values are V, V*N, A..B. */
static bool match_token(const char *want, const char **got, u64 *at, struct diag *why) {
  char value[64], have[64];
  const char *star = strchr(want, '*'), *dots = strstr(want, "..");
  u64 times = star ? strtoull(star + 1, NULL, 10) : 1;
  i64 from = 0, to = 0;
  if (dots) {
    from = strtoll(want, NULL, 10);
    to = strtoll(dots + 2, NULL, 10);
    times = (u64)(from < to ? to - from : from - to) + 1;
  }
  for (u64 i = 0; i < times; i++, ++*at) {
    if (dots)
      snprintf(value, sizeof value, "%" PRId64, from < to ? from + (i64)i : from - (i64)i);
    else
      snprintf(value, sizeof value, "%.*s", (int)(star ? star - want : (i64)strlen(want)), want);
    if (**got == ']' || !token(got, ", \"]", have, sizeof have)) {
      diag_set(why, "ends before element %" PRIu64, *at);
      return false;
    }
    if (same(have, value)) continue;
    diag_set(why, "element %" PRIu64 " is %s, not %s", *at, have, value);
    return false;
  }
  return true;
}

static bool match_dump(const struct exec_dump_want *d, const char *json, struct diag *why) {
  char head[64], want[64];
  if (d->field)
    snprintf(head, sizeof head, "{\"arg\": %u, \"field\": %u,", d->arg, d->field - 1);
  else
    snprintf(head, sizeof head, "{\"arg\": %u, \"name\"", d->arg);
  const char *got = past(past(past(json, "\"dumps\": ["), head), "\"values\": ["), *w = d->values;
  u64 at = 0;
  struct diag what = {0};
  if (!got) {
    diag_set(why, "no dump of parameter %u", d->arg);
    return false;
  }
  while (token(&w, " ", want, sizeof want))
    if (!match_token(want, &got, &at, &what)) {
      diag_set(why, "buffer %u: %s", d->arg, what.text);
      return false;
    }
  if (*got == ']') return true;
  diag_set(why, "buffer %u has more than %" PRIu64 " elements", d->arg, at);
  return false;
}

static void first_message(const char *json, char *out, size_t size) {
  str m = {"", 0};
  const char *p = past(json, "\"message\": \"");
  if (p) m = (str){p, strcspn(p, "\\\"")};
  snprintf(out, size, "%.*s", (int)(m.n < 200 ? m.n : 200), m.p);
}

/* ---- advice ---- */
#define ADVICE FINDING "RULE\", \"severity\": \"note\""
static bool lists_line(const char *lines, u32 line) {
  char *end;
  for (const char *p = lines; p && *p; p = end) {
    if (strtoul(p, &end, 10) == line) return true;
    if (end == p) return false;
  }
  return false;
}

/* What is said to be needless is what the case says, no more; all of it where it must be all. */
static bool match_advice(const struct exec_case *c, const char *json, struct diag *why) {
  u32 said = 0, wanted = 0;
  for (const char *f = past(json, ADVICE); f; f = past(f, ADVICE)) {
    const char *at = past(f, "\"line\": ");
    u32 line = at ? (u32)strtoul(at, NULL, 10) : 0;
    said++;
    if (lists_line(c->advice, line)) continue;
    diag_set(why, "says that line %u is needless", line);
    return false;
  }
  for (const char *p = c->advice; p && *p; p += strspn(p, " ")) {
    wanted++;
    p += strcspn(p, " ");
  }
  if (!c->advice_exact || said == wanted) return true;
  diag_set(why, "names %u needless lines, not %s", said, c->advice ? c->advice : "none");
  return false;
}

static bool has_note_besides(const char *json) {
  u32 notes = 0, advice = 0;
  for (const char *p = json; (p = past(p, "\"severity\": \"note\"")) != NULL;) notes++;
  for (const char *p = json; (p = past(p, ADVICE)) != NULL;) advice++;
  return notes > advice;
}

bool exec_judge(const struct exec_case *c, const char *json, struct diag *why) {
  char want[128], message[256];
  str got = quoted(past(json, "{\"verdict\": \""));
  enum verdict_kind k;
  expect_text(&c->want, want, sizeof want);
  if (!verdict_find(got, &k)) {
    diag_set(why, "wants %s; there is no verdict: %.300s", want,
             *json ? json : "(nothing was printed)");
    return false;
  }
  first_message(json, message, sizeof message);
  if (!(c->want.kinds & 1u << k)) {
    diag_set(why, "wants %s; judged " STR_F ": %s", want, STR_A(got), message);
    return false;
  }
  bool has_note = has_note_besides(json);
  if (c->want.note && k == V_PASS && !has_note) {
    diag_set(why, "wants %s; there is no note", want);
    return false;
  }
  if (c->silent && !c->want.note && k == V_PASS && has_note) {
    diag_set(why, "must be silent; says: %s", message);
    return false;
  }
  if (c->want.line && !names_line(json, verdict_text(k), c->want.line)) {
    diag_set(why, "wants %s; that line is not named: %s", want, message);
    return false;
  }
  if ((c->silent || c->advice_exact) && !match_advice(c, json, why)) return false;
  if (c->on && !match_objects(c->on, json, why)) return false;
  for (u32 i = 0; i < c->dump_count; i++)
    if (!match_dump(&c->dumps[i], json, why)) return false;
  return true;
}
