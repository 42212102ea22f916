/* state.c - the learner's progress: .warplings/state, one line for each puzzle, and puzzle.cu,
 * which is made from the skeleton. Damage costs progress marks, never a learner's file. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"

#define STATE_DIR  ".warplings"
#define STATE_FILE STATE_DIR "/state"
enum { STATE_MAX = 1 << 20, SOURCE_MAX = 1 << 20 };
static const char heading[] = "warplings 1";

static bool good_id(str s) {
  if (s.n == 0 || s.n > 100) return false;
  for (size_t i = 0; i < s.n; i++)
    if (!isalnum((unsigned char)s.p[i]) && s.p[i] != '_' && s.p[i] != '-') return false;
  return true;
}

/* "RACE,WRONG" */
static u32 verdicts_of(char *names) {
  u32 bits = 0;
  enum verdict_kind k;
  for (char *name; (name = strsep(&names, ","));)
    if (verdict_find(str_of(name), &k)) bits |= 1u << k;
  return bits;
}

static void put_verdicts(struct strbuf *b, u32 bits) {
  const char *comma = "";
  for (u32 k = 0; k < V_COUNT; k++)
    if (bits & 1u << k) {
      strbuf_printf(b, "%s%s", comma, verdict_text((enum verdict_kind)k));
      comma = ",";
    }
  if (!bits) strbuf_add(b, "-", 1);
}

static bool parse_row(struct state *s, str line) {
  char id[128], verdict[16], told[128] = "";
  u64 skeleton;
  u32 hints, tries;
  int used = 0, more = 0;
  char copy[512];
  if (line.n >= sizeof copy) return false;
  memcpy(copy, line.p, line.n);
  copy[line.n] = 0;
  if (sscanf(copy, "%127s skeleton=%" SCNx64 " verdict=%15s hints=%" SCNu32 " tries=%" SCNu32 "%n",
             id, &skeleton, verdict, &hints, &tries, &used) != 5 ||
      !good_id(str_of(id)))
    return false;
  /* Older files end here. */
  if (sscanf(copy + used, " told=%127[A-Z,-]%n", told, &more) == 1) used += more;
  if (copy[used]) return false;
  struct state_row *r = state_of(s, id);
  r->skeleton = skeleton;
  r->judged = verdict_find(str_of(verdict), &r->verdict);
  r->hints = hints;
  r->tries = tries;
  r->told = verdicts_of(told);
  return true;
}

void state_load(struct arena *keep, struct state *s) {
  struct diag why = {0};
  str text, line;
  *s = (struct state){.keep = keep};
  if (!file_exists(STATE_FILE) || !file_read(keep, STATE_FILE, STATE_MAX, &text, &why)) return;
  if (!str_line(&text, &line) || !str_eqz(line, heading)) return;
  while (str_line(&text, &line)) parse_row(s, line); /* a line that is damaged is left out */
}

struct state_row *state_of(struct state *s, const char *id) {
  for (u32 i = 0; i < s->count; i++)
    if (strcmp(s->rows[i].id, id) == 0) return &s->rows[i];
  if (s->count == s->cap) {
    struct state_row *old = s->rows;
    s->cap = s->cap ? s->cap * 2 : 64;
    s->rows = NEWN(s->keep, struct state_row, s->cap);
    if (s->count) memcpy(s->rows, old, s->count * sizeof *old);
  }
  struct state_row *r = &s->rows[s->count++];
  *r = (struct state_row){.id = str_copy(s->keep, str_of(id)).p};
  return r;
}

bool state_save(const struct state *s, struct diag *why) {
  struct strbuf b = {0};
  if (!dir_make(STATE_DIR, why)) return false;
  strbuf_printf(&b, "%s\n", heading);
  for (u32 i = 0; i < s->count; i++) {
    const struct state_row *r = &s->rows[i];
    strbuf_printf(&b, "%s skeleton=%016" PRIx64 " verdict=%s hints=%u tries=%u told=", r->id,
                  r->skeleton, r->judged ? verdict_text(r->verdict) : "-", r->hints, r->tries);
    put_verdicts(&b, r->told);
    strbuf_add(&b, "\n", 1);
  }
  bool ok = file_write(STATE_FILE, (str){b.p, b.n}, why);
  strbuf_free(&b);
  return ok;
}

static bool read_both(const struct project *p, const char *id, str *skeleton, str *own,
                      bool *has_own, struct diag *why) {
  const char *mine = project_file(p, id, "puzzle.cu");
  *own = (str){"", 0};
  if (!file_read(p->keep, project_file(p, id, "skeleton.cu"), SOURCE_MAX, skeleton, why))
    return false;
  *has_own = file_exists(mine);
  return !*has_own || file_read(p->keep, mine, SOURCE_MAX, own, why);
}

bool state_prepare(struct state *s, const struct project *p, const char *id, bool *touched,
                   struct diag *why) {
  str skeleton, own;
  bool has_own;
  struct state_row *r = state_of(s, id);
  if (!read_both(p, id, &skeleton, &own, &has_own, why)) return false;
  u64 fresh = str_hash(skeleton);
  *touched = has_own && !str_eq(skeleton, own);
  /* The skeleton changed under a file that nobody edited: follow it. */
  bool stale = *touched && r->skeleton == str_hash(own) && r->skeleton != fresh;
  if (!has_own || stale) {
    if (!file_write(project_file(p, id, "puzzle.cu"), skeleton, why)) return false;
    r->skeleton = fresh;
    *touched = false;
  }
  if (!*touched) r->skeleton = fresh;
  return true;
}

bool state_touched(struct state *s, const struct project *p, const char *id) {
  str skeleton, own;
  bool has_own;
  struct diag why = {0};
  const struct state_row *r = state_of(s, id);
  if (!read_both(p, id, &skeleton, &own, &has_own, &why)) return false;
  return has_own && !str_eq(skeleton, own) && r->skeleton != str_hash(own);
}

bool state_outdated(struct state *s, const struct project *p, const char *id) {
  str skeleton, own;
  bool has_own;
  struct diag why = {0};
  const struct state_row *r = state_of(s, id);
  return r->skeleton && read_both(p, id, &skeleton, &own, &has_own, &why) && has_own &&
         !str_eq(skeleton, own) && r->skeleton != str_hash(skeleton) &&
         r->skeleton != str_hash(own); /* untouched: the next check follows the skeleton */
}

bool state_judged(struct state *s, const char *id, enum verdict_kind verdict) {
  struct state_row *r = state_of(s, id);
  bool was_solved = r->judged && r->verdict == V_PASS;
  r->judged = true;
  r->verdict = verdict;
  r->tries++;
  return verdict == V_PASS && !was_solved;
}

int state_next(struct state *s) {
  for (u32 i = 0; i < pz_puzzle_count(); i++) {
    const struct state_row *r = state_of(s, pz_puzzle_at(i)->id);
    if (!r->judged || r->verdict != V_PASS) return (int)i;
  }
  return -1;
}
