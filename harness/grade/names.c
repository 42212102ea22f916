/* names.c - whose entry is it, and when was it handed in? Reads the names that people give their
 * hand-ins, and those that course systems give to what one downloads from them. Opens nothing.
 *
 *   alice@2026-11-02T20:15.zip                        our own
 *   Jane Doe_12345_assignsubmission_file_             Moodle: a folder; or with a file's name
 * behind doejane_LATE_1234_5678_hw.zip                     Canvas: user and submission are numbers
 *   Sheet 3_jdoe_attempt_2026-11-02-20-15-33_hw.zip   Blackboard */
#define _GNU_SOURCE
#include <ctype.h>
#include <string.h>
#include "grade/grade.h"

static const char *const endings[] = {".zip", ".tar.gz", ".tgz", ".tar", ".tar.xz", ".tar.bz2"};
/* People hand these in as well; we do not open them. */
static const char *const others[] = {".rar", ".7z", ".zipx", ".gz", ".xz", ".bz2", ".zst", ".lzh"};

static bool ends_in(const char *name, size_t n, const char *end) {
  size_t e = strlen(end);
  return n > e && strncasecmp(name + n - e, end, e) == 0;
}

size_t name_stem(const char *name) {
  size_t n = strlen(name);
  for (size_t i = 0; i < COUNT_OF(endings); i++)
    if (ends_in(name, n, endings[i])) return n - strlen(endings[i]);
  return n;
}

bool name_is_strange_archive(const char *name) {
  for (size_t i = 0; i < COUNT_OF(others) && !name[name_stem(name)]; i++)
    if (ends_in(name, strlen(name), others[i])) return true;
  return false;
}

static size_t digits(const char *p) { return strspn(p, "0123456789"); }

static const char *part(struct arena *a, const char *from, size_t n) {
  return n ? str_copy(a, (str){from, n}).p : "";
}

/* "Jane Doe_12345_assignsubmission_file_REST": the number tells two of the same name apart. */
static bool moodle(struct arena *a, const char *name, struct name *out) {
  static const char mark[] = "_assignsubmission_";
  const char *at = strstr(name, mark);
  if (!at || at == name) return false;
  const char *number = at;
  while (number > name && isdigit((unsigned char)number[-1])) number--;
  if (number == at || number < name + 2 || number[-1] != '_') return false;
  out->student = part(a, name, (size_t)(at - name));
  out->number = part(a, number, (size_t)(at - number));
  const char *rest = at + strlen(mark), *bar = strchr(rest, '_');
  out->rest = bar ? bar + 1 : "";
  out->system = "Moodle";
  out->ignored = strncmp(rest, "file", 4) != 0; /* typed into a form, comments */
  return true;
}

/* "doejane_LATE_1234_5678_REST", all in small letters. */
static bool canvas(struct arena *a, const char *name, struct name *out) {
  size_t n = 0;
  while (islower((unsigned char)name[n]) || isdigit((unsigned char)name[n]) ||
         (unsigned char)name[n] >= 0x80)
    n++;
  if (n == 0 || name[n] != '_') return false;
  const char *p = name + n + 1;
  if (strncmp(p, "LATE_", 5) == 0) p += 5;
  size_t user = digits(p), entry = user && p[user] == '_' ? digits(p + user + 1) : 0;
  const char *rest = p + user + 1 + entry;
  if (!user || !entry || *rest != '_' || !rest[1]) return false;
  out->student = arena_printf(a, "%.*s_%.*s", (int)n, name, (int)user, p);
  out->number = part(a, p, user);
  out->rest = rest + 1;
  out->system = "Canvas";
  return true;
}

/* "TITLE_user_attempt_2026-11-02-20-15-33_REST" */
static bool blackboard(struct arena *a, const char *name, struct name *out) {
  static const char mark[] = "_attempt_";
  const char *at = strstr(name, mark), *user = at;
  char text[20];
  if (!at) return false;
  while (user > name && user[-1] != '_') user--;
  const char *time = at + strlen(mark);
  if (user == name || user == at || strspn(time, "0123456789-") != 19) return false;
  memcpy(text, time, 19);
  text[10] = 'T';
  text[13] = text[16] = ':';
  text[19] = 0;
  if (!course_time(text, &out->time)) return false;
  out->student = part(a, user, (size_t)(at - user));
  out->rest = time[19] == '_' ? time + 20 : "";
  out->system = "Blackboard";
  return true;
}

void name_read(struct arena *a, const char *name, struct name *out) {
  size_t n = name_stem(name);
  *out = (struct name){.student = part(a, name, n), .number = "", .rest = "", .system = ""};
  if (moodle(a, name, out) || canvas(a, name, out) || blackboard(a, name, out)) return;
  const char *at = memrchr(name, '@', n);
  if (!at || at == name) return;
  const char *time = part(a, at + 1, n - (size_t)(at + 1 - name));
  if (!course_time(time, &out->time)) return; /* an address, perhaps */
  out->student = part(a, name, (size_t)(at - name));
}

/* ---- a puzzle's file ---- */
/* Without what browsers and course systems put behind a name that is there already: "x (1)", "x-2".
 */
static size_t undecorated(const char *p, size_t n) {
  size_t k = n;
  if (k && p[k - 1] == ')') {
    for (k--; k && isdigit((unsigned char)p[k - 1]); k--) continue;
    if (k + 1 >= n || !k || p[k - 1] != '(') return n;
    for (k--; k && p[k - 1] == ' '; k--) continue;
    return k ? k : n;
  }
  while (k && isdigit((unsigned char)p[k - 1])) k--;
  return k < n && k > 1 && p[k - 1] == '-' ? k - 1 : n;
}

/* How well p[0..n) is the id: the less the better. */
static u32 fits(const char *id, const char *p, size_t n) {
  if (strlen(id) == n && memcmp(id, p, n) == 0) return 0;
  if (strlen(id) == n && strncasecmp(id, p, n) == 0) return 1;
  size_t k = undecorated(p, n);
  return k < n && strlen(id) == k && strncasecmp(id, p, k) == 0 ? 2 : NAME_NO_FIT;
}

u32 name_fits(const char *path, const char *id) {
  const char *slash = strrchr(path, '/'), *last = slash ? slash + 1 : path;
  size_t n = strlen(last);
  if (n < 4 || strcasecmp(last + n - 3, ".cu") != 0) return NAME_NO_FIT;
  u32 other_case = strcmp(last + n - 3, ".cu") != 0;
  u32 flat = fits(id, last, n - 3);
  if (flat != NAME_NO_FIT) return flat > other_case ? flat : other_case;
  u32 own = fits("puzzle", last, n - 3);
  if (!slash || own == NAME_NO_FIT) return NAME_NO_FIT;
  const char *start = slash;
  while (start > path && start[-1] != '/') start--;
  u32 folder = fits(id, start, (size_t)(slash - start));
  if (own < other_case) own = other_case;
  return folder > own ? folder : own;
}
