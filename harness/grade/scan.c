/* scan.c - what lies in the folder of submissions: an entry for each, with whose it is. Opens none
 * of them; names.c reads the names. Says what looks like a mistake of the instructor's. */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "grade/grade.h"

enum { SUBMISSIONS_MAX = 100000, SHOWN = 5 };

/* Letters that every file system and web server takes, and a hash for all the others. */
static const char *key_of(struct arena *a, const char *name) {
  char hex[65], plain[41];
  size_t n = 0;
  grade_sha256(str_of(name), hex);
  for (const char *p = name; *p && n < sizeof plain - 1; p++)
    plain[n++] = isalnum((unsigned char)*p) || *p == '_' || *p == '-' ? *p : '_';
  while (n && plain[n - 1] == '_') n--;
  plain[n] = 0;
  if (plain[0] == '-') plain[0] = '_';
  return arena_printf(a, "%s-%.8s", n ? plain : "x", hex);
}

static int by_name(const void *a, const void *b) {
  const struct submission *x = a, *y = b;
  return strcmp(x->path, y->path);
}

/* ---- an entry ---- */
/* The files of one hand-in, which a course system has laid side by side, are one entry. */
static bool joins(struct submission *list, u32 count, const struct submission *one) {
  for (u32 i = 0; i < count; i++)
    if (list[i].kind == SOURCE_FILES && strcmp(list[i].path, one->path) == 0) {
      if (one->time > list[i].time) list[i].time = one->time;
      return true;
    }
  return false;
}

static bool is_any_puzzle(const char *name) {
  for (u32 i = 0; i < pz_puzzle_count(); i++)
    if (name_fits(name, pz_puzzle_at(i)->id) != NAME_NO_FIT) return true;
  return false;
}

/* false: it is none. */
static bool entry(struct arena *keep, const char *real, const char *name, const struct stat *s,
                  struct submission *one) {
  struct name n;
  bool archive = S_ISREG(s->st_mode) && name[name_stem(name)];
  name_read(keep, name, &n);
  if (n.ignored) return false;
  *one = (struct submission){.student = n.student, .number = n.number};
  one->time = n.time ? n.time : (i64)s->st_mtim.tv_sec;
  one->time_is_named = n.time != 0;
  one->path = arena_printf(keep, "%s/%s", real, name);
  one->kind = S_ISDIR(s->st_mode) ? SOURCE_FOLDER : archive ? SOURCE_ARCHIVE : SOURCE_OTHER;
  one->key = key_of(keep, name);
  if (one->kind != SOURCE_OTHER || !S_ISREG(s->st_mode)) return true;
  if (*n.system && is_any_puzzle(n.rest)) {
    size_t prefix = strlen(name) - strlen(n.rest);
    one->kind = SOURCE_FILES;
    one->path = arena_printf(keep, "%s/%.*s", real, (int)prefix, name);
    one->key = key_of(keep, str_copy(keep, (str){name, prefix}).p);
    return true;
  }
  /* A grades.csv or a README beside the submissions is none; an archive that we do not open is. */
  return name_is_strange_archive(*n.rest ? n.rest : name);
}

/* ---- the wrong folder ---- */
static bool is_within(const char *path, const char *dir) {
  size_t n = strlen(dir);
  return strncmp(path, dir, n) == 0 && (path[n] == 0 || path[n] == '/' || n == 1);
}

/* Before the results' folder is made: the part of its path that exists decides. */
bool plan_apart(const char *dir, const char *out, struct diag *why) {
  struct arena a = {0};
  char real[PATH_MAX], real_out[PATH_MAX];
  const char *path = out;
  while (!realpath(path, real_out)) {
    const char *slash = strrchr(path, '/');
    path = !slash ? "." : slash == path ? "/" : str_copy(&a, (str){path, (size_t)(slash - path)}).p;
  }
  bool apart = !realpath(dir, real) || !is_within(real_out, real);
  arena_free(&a);
  if (apart) return true;
  diag_at(why, dir, 0, 0, "the results' folder lies in the folder of submissions");
  diag_next(why, "give --out a folder elsewhere: what lies here counts as somebody's work");
  return false;
}

static bool right_folder(const char *dir, const char *real, struct diag *why) {
  struct stat s;
  char path[PATH_MAX + 16];
  snprintf(path, sizeof path, "%s/manifest", real);
  if (lstat(path, &s) != 0 || !S_ISREG(s.st_mode)) return true;
  snprintf(path, sizeof path, "%s/records", real);
  if (lstat(path, &s) != 0 || !S_ISDIR(s.st_mode)) return true;
  diag_at(why, dir, 0, 0, "this is a folder of results, not of submissions");
  diag_next(why, "name the folder that holds one folder or archive for each submission");
  return false;
}

/* Files of puzzles where students should be: one student's folder, or the project's own. */
static bool looks_like_one(const char *name, const struct stat *s) {
  struct arena a = {0};
  bool own = S_ISDIR(s->st_mode) ? is_any_puzzle(arena_printf(&a, "%s/puzzle.cu", name))
                                 : S_ISREG(s->st_mode) && is_any_puzzle(name);
  arena_free(&a);
  return own;
}

bool plan_scan(struct arena *keep, const char *dir, struct plan *p, struct diag *why) {
  char real[PATH_MAX];
  const char *single = NULL;
  DIR *d = realpath(dir, real) ? opendir(real) : NULL;
  size_t cap = 0;
  struct submission *list = NULL;
  if (!d) {
    diag_at(why, dir, 0, 0, "cannot open this folder of submissions: %s", strerror(errno));
    diag_next(why, "it holds one folder or archive for each submission");
    return false;
  }
  p->dir = str_copy(keep, str_of(real)).p;
  if (!right_folder(dir, real, why)) return closedir(d), false;
  for (struct dirent *e; (e = readdir(d)) && p->count < SUBMISSIONS_MAX;) {
    struct stat s;
    if (e->d_name[0] == '.' || strcmp(e->d_name, "__MACOSX") == 0 ||
        fstatat(dirfd(d), e->d_name, &s, AT_SYMLINK_NOFOLLOW) != 0)
      continue;
    if (!single && looks_like_one(e->d_name, &s)) single = str_copy(keep, str_of(e->d_name)).p;
    list = base_grow(list, &cap, p->count + 1u, sizeof *list);
    if (entry(keep, real, str_copy(keep, str_of(e->d_name)).p, &s, &list[p->count]) &&
        !joins(list, p->count, &list[p->count]))
      p->count++;
  }
  closedir(d);
  p->list = NEWN(keep, struct submission, p->count + 1);
  if (p->count) memcpy(p->list, list, p->count * sizeof *list);
  if (p->count) qsort(p->list, p->count, sizeof *p->list, by_name);
  free(list);
  if (p->count && !single) return true;
  if (single) {
    diag_at(why, dir, 0, 0, "this looks like one submission, not like a class: it holds %s",
            single);
    diag_next(why, "name the folder above it, which holds a folder or archive for each student");
  } else {
    diag_at(why, dir, 0, 0, "there is no submission in this folder");
    diag_next(why, "it holds one folder or archive (.zip, .tar.gz) for each submission");
  }
  return false;
}

/* ---- with the roster ---- */
/* "Jane Doe_12345" is 12345, or else the one Jane Doe of the roster. */
static const struct student *whom(const struct submission *s, const struct roster *r) {
  const struct student *found = roster_find(r, s->student), *same = NULL;
  size_t n = strlen(s->student), k = strlen(s->number) + 1;
  u32 count = 0;
  if (!found) found = roster_find(r, s->number);
  for (u32 i = 0; !found && n > k && i < r->count; i++) {
    struct arena a = {0};
    const char *full = arena_printf(&a, "%s %s", r->rows[i].first_name, r->rows[i].last_name);
    if (strlen(full) == n - k && strncasecmp(full, s->student, n - k) == 0) {
      same = &r->rows[i];
      count++;
    }
    arena_free(&a);
  }
  return found ? found : count == 1 ? same : NULL;
}

void plan_match(struct plan *p, const struct roster *r) {
  for (u32 i = 0; i < p->count; i++) {
    const struct student *s = *p->list[i].number ? whom(&p->list[i], r) : NULL;
    if (s) p->list[i].student = s->id;
  }
}

void plan_absent(struct arena *keep, const struct roster *r, struct plan *p) {
  struct submission *list = NEWN(keep, struct submission, p->count + r->count + 1);
  memcpy(list, p->list, p->count * sizeof *list);
  for (u32 i = 0; i < r->count; i++) {
    bool is_here = false;
    for (u32 k = 0; k < p->count && !is_here; k++)
      is_here = strcmp(p->list[k].student, r->rows[i].id) == 0;
    if (is_here) continue;
    struct submission *s = &list[p->count + p->absent++];
    *s = (struct submission){.path = "", .student = r->rows[i].id, .kind = SOURCE_OTHER};
    /* Not the key that a submission of that name would have: it may come yet. */
    s->key = key_of(keep, arena_printf(keep, "%s/absent", r->rows[i].id));
  }
  p->list = list;
}

static void remark(u32 *count, const char *first, const char *name) {
  if (++*count == 1) fprintf(stderr, "note: %s:", first);
  if (*count <= SHOWN) {
    fputs(*count == 1 ? " " : ", ", stderr);
    for (const char *p = name; *p; p++) fputc(iscntrl((unsigned char)*p) ? '?' : *p, stderr);
  }
}

static void remark_end(u32 count, const char *rest) {
  if (count > SHOWN) fprintf(stderr, " and %u more", count - SHOWN);
  if (count) fprintf(stderr, "%s\n", rest);
}

static int by_letters(const void *a, const void *b) {
  const struct submission *x = *(const struct submission *const *)a,
                          *y = *(const struct submission *const *)b;
  int order = strcasecmp(x->student, y->student);
  return order ? order : strcmp(x->student, y->student);
}

void plan_remarks(const struct plan *p, const struct roster *r) {
  struct arena a = {0};
  u32 twice = 0, alike = 0, unknown = 0;
  const struct submission **s = NEWN(&a, const struct submission *, p->count + 1);
  for (u32 i = 0; i < p->count; i++) s[i] = &p->list[i];
  qsort(s, p->count, sizeof *s, by_letters);
  for (u32 i = 1; i < p->count; i++)
    if (strcmp(s[i]->student, s[i - 1]->student) == 0 &&
        !(s[i]->time_is_named && s[i - 1]->time_is_named))
      remark(&twice, "several entries of one student, told apart by their files' times",
             s[i]->student);
  remark_end(twice, "; name them like alice@2026-11-02T20:15.zip to say which is the latest");
  for (u32 i = 1; i < p->count; i++)
    if (strcmp(s[i]->student, s[i - 1]->student) != 0 &&
        strcasecmp(s[i]->student, s[i - 1]->student) == 0)
      remark(&alike, "differ only in the case of letters, and count as two students",
             s[i]->student);
  remark_end(alike, "");
  for (u32 i = 0; r->count && i < p->count; i++)
    if (!roster_find(r, s[i]->student))
      remark(&unknown, "not in the roster, graded all the same", s[i]->student);
  remark_end(unknown, "");
  arena_free(&a);
}
