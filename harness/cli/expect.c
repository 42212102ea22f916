/* expect.c - the one grammar of expectations: "// expect: V[|V...][+note] [line N]". */
#include <ctype.h>
#include <string.h>
#include "cli/cli.h"

static bool bad(struct diag *why, str line) {
  diag_set(why, "the first line is not '// expect: VERDICT[|VERDICT...][+note] [line N]': " STR_F,
           (int)(line.n < 80 ? line.n : 80), line.p);
  return false;
}

static str take_verdict(str *s) {
  size_t n = 0;
  while (n < s->n && isupper((unsigned char)s->p[n])) n++;
  str word = {s->p, n};
  *s = (str){s->p + n, s->n - n};
  return word;
}

static bool skip(str *s, const char *text) {
  if (!str_starts(*s, text)) return false;
  *s = (str){s->p + strlen(text), s->n - strlen(text)};
  return true;
}

bool expect_parse(str line, struct expectation *out, struct diag *why) {
  enum verdict_kind k;
  str s = str_trim(line);
  *out = (struct expectation){0};
  if (!skip(&s, "//")) return bad(why, line);
  s = str_trim(s);
  if (!skip(&s, "expect:")) return bad(why, line);
  s = str_trim(s);
  do {
    if (!verdict_find(take_verdict(&s), &k)) return bad(why, line);
    out->kinds |= 1u << k;
  } while (skip(&s, "|"));
  out->note = skip(&s, "+note");
  if (s.n && !isspace((unsigned char)*s.p)) return bad(why, line);
  s = str_trim(s);
  if (skip(&s, "line")) {
    s = str_trim(s);
    for (; s.n && isdigit((unsigned char)*s.p) && out->line < 1000000; s.p++, s.n--)
      out->line = out->line * 10 + (u32)(*s.p - '0');
    if (out->line == 0) return bad(why, line);
  }
  return s.n == 0 || bad(why, line);
}

bool expect_met(const struct expectation *e, const struct verdict *v) {
  bool note = !e->note, line = e->line == 0;
  if (!(e->kinds & 1u << v->kind)) return false;
  for (u32 i = 0; i < v->finding_count; i++) {
    const struct finding *f = &v->findings[i];
    if (f->severity == SEVERITY_NOTE) note = true;
    if (v->kind != V_PASS && f->kind != v->kind) continue;
    for (u32 a = 0; a < f->access_count; a++) {
      line |= f->accesses[a].line == e->line;
      for (u32 s = 0; s < f->accesses[a].stack_count; s++)
        line |= f->accesses[a].stack[s].line == e->line;
    }
  }
  return note && line;
}

void expect_text(const struct expectation *e, char *out, size_t size) {
  size_t n = 0;
  out[0] = 0;
  for (u32 k = 0; k < V_COUNT; k++)
    if (e->kinds & 1u << k && n < size)
      n += (size_t)snprintf(out + n, size - n, "%s%s", n ? "|" : "",
                            verdict_text((enum verdict_kind)k));
  if (e->note && n < size) n += (size_t)snprintf(out + n, size - n, "+note");
  if (e->line && n < size) snprintf(out + n, size - n, " line %u", e->line);
}
