/* intake.c - which files of a submission count: opened beneath it only, regular, with one link, no
 * larger than a source may be, and with a puzzle's name. Everything else is passed over.
 *
 * Names that count end in NN_name.cu or NN_name/puzzle.cu, a few folders down at most. Archives are
 * opened in a jail; what comes out of there is checked here in the same way. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "box/box.h"
#include "grade/grade.h"

enum { DEPTH_MAX = 4, ENTRIES_MAX = 4000, ARCHIVE_MS = 30000, OTHERS_SHOWN = 4 };
#define ARCHIVE_MAX  ((size_t)64 << 20)
#define UNPACKED_MAX ((u64)64 << 20)

struct taking {
  struct arena *keep;
  const struct plan *plan;
  struct intake *out;
  u32 entries;
  bool too_many;
  struct strbuf others; /* names of files that are none of ours */
};

/* The puzzle (by its place in the course) that a name stands for, or -1; *fit: how well. */
static int puzzle_of(const struct taking *t, const char *name, u32 *fit) {
  for (u32 i = 0; i < t->plan->course.count; i++) {
    *fit = name_fits(name, pz_puzzle_at(t->plan->course.puzzles[i].puzzle)->id);
    if (*fit != NAME_NO_FIT) return (int)i;
  }
  return -1;
}

static u32 depth_of(const char *name) {
  u32 n = 0;
  for (; *name; name++) n += *name == '/';
  return n;
}

/* Two files for one puzzle: the one with the right name, then the one that lies nearer to the top,
 * then the first by name. */
static bool is_better(const char *name, u32 fit, const char *old, u32 old_fit) {
  if (!*old) return true;
  if (fit != old_fit) return fit < old_fit;
  u32 a = depth_of(name), b = depth_of(old);
  return a < b || (a == b && strcmp(name, old) <= 0);
}

/* The first few are named where a submission has no file of a puzzle at all. */
static void pass_over(struct taking *t, const char *name) {
  if (t->out->ignored++ >= OTHERS_SHOWN) return;
  strbuf_printf(&t->others, "%s%.60s", t->others.n ? ", " : "", name);
}

static void take(struct taking *t, const char *name, str source, const char *problem) {
  u32 fit, old;
  int i = puzzle_of(t, name, &fit);
  if (i < 0) {
    pass_over(t, name);
    return;
  }
  struct intake_file *f = &t->out->files[i];
  puzzle_of(t, f->name, &old);
  if (!is_better(name, fit, f->name, old)) return;
  f->name = str_copy(t->keep, str_of(name)).p;
  f->problem = problem;
  f->source = *problem ? (str){"", 0} : source;
}

/* ---- a folder ---- */
static const char *refusal(const struct stat *s) {
  if (S_ISLNK(s->st_mode)) return "it is a symbolic link";
  if (S_ISFIFO(s->st_mode)) return "it is a FIFO";
  if (S_ISSOCK(s->st_mode)) return "it is a socket";
  if (S_ISDIR(s->st_mode)) return "it is a folder";
  if (!S_ISREG(s->st_mode)) return "it is a device";
  if (s->st_nlink != 1) return "it has more than one name (a hard link)";
  if (s->st_size > SOURCE_BYTES_MAX) return "it is larger than 1 MiB";
  return "";
}

/* The check and the reading are of one and the same open file. */
static const char *read_file(struct taking *t, int dir, const char *name, str *source) {
  struct stat s;
  if (fstatat(dir, name, &s, AT_SYMLINK_NOFOLLOW) != 0) return "it cannot be read";
  if (*refusal(&s)) return refusal(&s);
  int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (fd < 0) return "it cannot be read";
  const char *problem = fstat(fd, &s) == 0 ? refusal(&s) : "it cannot be read";
  size_t size = *problem ? 0 : (size_t)s.st_size, n = 0;
  char *p = arena_alloc(t->keep, size + 1);
  while (n < size) {
    ssize_t got = read(fd, p + n, size - n);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    n += (size_t)got;
  }
  close(fd);
  if (!*problem && n < size) problem = "it cannot be read to its end";
  *source = (str){p, n};
  return problem;
}

static void walk(struct taking *t, int dir, const char *prefix, u32 depth);

static void enter(struct taking *t, int dir, const char *name, const char *full, u32 depth) {
  int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd >= 0) walk(t, fd, arena_printf(t->keep, "%s/", full), depth + 1);
}

static void walk(struct taking *t, int dir, const char *prefix, u32 depth) {
  DIR *d = fdopendir(dir);
  if (!d) {
    close(dir);
    return;
  }
  for (struct dirent *e; (e = readdir(d));) {
    struct stat s;
    if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
    if (++t->entries > ENTRIES_MAX) {
      t->too_many = true;
      break;
    }
    if (strcmp(e->d_name, "__MACOSX") == 0) continue; /* what a Mac's zip adds */
    const char *full = arena_printf(t->keep, "%s%s", prefix, e->d_name);
    u32 fit;
    bool is_dir = fstatat(dirfd(d), e->d_name, &s, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(s.st_mode);
    if (is_dir && depth < DEPTH_MAX && puzzle_of(t, full, &fit) < 0) {
      enter(t, dirfd(d), e->d_name, full, depth);
    } else if (puzzle_of(t, full, &fit) >= 0) {
      str source = {"", 0};
      const char *problem = read_file(t, dirfd(d), e->d_name, &source);
      take(t, full, source, problem);
    } else {
      pass_over(t, full);
    }
  }
  closedir(d);
}

static void take_folder(struct taking *t, const struct submission *s) {
  int fd = open(s->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) {
    t->out->problem = "this folder cannot be opened";
    return;
  }
  walk(t, fd, "", 0);
  if (t->too_many)
    t->out->problem = "this folder holds more than 4,000 files: only the first count";
}

/* Files that a course system has laid side by side: all whose names begin like path's. */
static void take_files(struct taking *t, const struct submission *s) {
  const char *slash = strrchr(s->path, '/'), *prefix = slash + 1;
  int fd = open(t->plan->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
  if (!d) t->out->problem = "these files cannot be opened";
  for (struct dirent *e; d && (e = readdir(d));) {
    str source = {"", 0};
    const char *own = e->d_name + strlen(prefix);
    u32 fit;
    if (strncmp(e->d_name, prefix, strlen(prefix)) != 0 || own[name_stem(own)]) continue;
    const char *problem =
        puzzle_of(t, own, &fit) >= 0 ? read_file(t, dirfd(d), e->d_name, &source) : "";
    take(t, str_copy(t->keep, str_of(own)).p, source, problem);
  }
  if (d) closedir(d);
}

/* ---- an archive ---- */
/* A name that could mean a place outside of the submission. */
static bool leads_out(const char *name) {
  if (*name == '/' || (name[0] && name[1] == ':')) return true;
  for (const char *p = name; *p;) {
    size_t n = strcspn(p, "/");
    if (n == 2 && p[0] == '.' && p[1] == '.') return true;
    p += n + (p[n] == '/');
  }
  return false;
}

/* Some programs on Windows write folders with backslashes. */
static const char *with_slashes(struct arena *a, const char *name) {
  char *copy = arena_alloc(a, strlen(name) + 1);
  for (size_t i = 0; name[i]; i++) copy[i] = name[i] == '\\' ? '/' : name[i];
  return copy;
}

static const char *const entry_problem[BOX_ENTRY_COUNT] = {
    [BOX_FILE] = "",
    [BOX_TOO_LARGE] = "it is larger than 1 MiB",
    [BOX_NOT_A_FILE] = "it is a link or a device in the archive"};

static bool take_entries(struct taking *t, struct box_reader *r, struct diag *why) {
  bool ok = box_get_below(r, 2);
  box_get_diag(r, why);
  u32 count = box_get_below(r, ENTRIES_MAX + 1);
  for (u32 i = 0; i < count && !r->bad; i++) {
    const char *name = box_get_line(r, t->keep, 4096);
    u32 kind = box_get_below(r, BOX_ENTRY_COUNT);
    str bytes = box_get_text(r);
    name = with_slashes(t->keep, name);
    while (name[0] == '.' && name[1] == '/') name += 2;
    if (str_has(str_of(name), "__MACOSX/")) continue;
    if (bytes.n > SOURCE_BYTES_MAX) r->bad = true;
    if (r->bad) break;
    if (leads_out(name))
      pass_over(t, name);
    else
      take(t, name, kind == BOX_FILE ? str_copy(t->keep, bytes) : bytes, entry_problem[kind]);
  }
  if (!box_done(r)) {
    diag_set(why, "the process that opens archives sent an answer that does not parse");
    return false;
  }
  why->set = !ok;
  return ok;
}

static bool read_archive(struct arena *a, const struct submission *s, str *bytes,
                         struct diag *why) {
  struct stat st;
  if (lstat(s->path, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink == 1)
    return file_read(a, s->path, ARCHIVE_MAX, bytes, why);
  diag_set(why, "it is not a plain file with one name");
  return false;
}

bool intake_archive(const struct submission *s, char hex[65]) {
  struct arena a = {0};
  struct diag why = {0};
  str bytes;
  bool ok = s->kind == SOURCE_ARCHIVE && read_archive(&a, s, &bytes, &why);
  if (ok) grade_sha256(bytes, hex);
  arena_free(&a);
  return ok;
}

static void take_archive(struct taking *t, const struct submission *s, struct jail *box,
                         const struct jail_settings *settings) {
  struct diag why = {0};
  struct arena scratch = {0};
  struct strbuf request = {0}, reply = {0};
  str bytes;
  bool ok = read_archive(&scratch, s, &bytes, &why);
  if (ok) grade_sha256(bytes, t->out->archive);
  if (ok && !shop_ready(box, settings, &why)) {
    t->out->fault = true;
    ok = false;
  }
  if (ok) {
    box_put_text(&request, bytes);
    box_put_u64(&request, SOURCE_BYTES_MAX);
    box_put_u64(&request, UNPACKED_MAX);
    box_put_u32(&request, ENTRIES_MAX);
    struct jail_budget time = jail_budget(box, ARCHIVE_MS);
    ok = jail_ask(box, BOX_UNPACK, &request, UNPACKED_MAX + (64 << 20), &time, &reply, &why);
    t->out->fault |= !ok && box->starved;
  }
  if (ok) {
    struct box_reader r = {.rest = {reply.p ? reply.p : "", reply.n}};
    ok = take_entries(t, &r, &why);
  }
  if (!ok) {
    for (u32 i = 0; i < t->plan->course.count; i++)
      t->out->files[i] = (struct intake_file){.name = "", .problem = "", .source = {"", 0}};
    t->out->problem = arena_printf(t->keep, "this archive cannot be opened: %s", why.text);
  }
  jail_stop(box); /* the next request is about another file: a fresh process */
  arena_free(&scratch);
  strbuf_free(&request);
  strbuf_free(&reply);
}

void intake_take(struct arena *keep, const struct plan *p, const struct submission *s,
                 struct jail *box, const struct jail_settings *settings, struct intake *out) {
  struct taking t = {.keep = keep, .plan = p, .out = out};
  *out = (struct intake){.problem = ""};
  out->files = NEWN(keep, struct intake_file, p->course.count);
  for (u32 i = 0; i < p->course.count; i++)
    out->files[i] = (struct intake_file){.name = "", .problem = "", .source = {"", 0}};
  if (s->kind == SOURCE_FOLDER)
    take_folder(&t, s);
  else if (s->kind == SOURCE_ARCHIVE)
    take_archive(&t, s, box, settings);
  else if (s->kind == SOURCE_FILES)
    take_files(&t, s);
  else
    out->problem = name_is_strange_archive(s->path)
                       ? "this kind of archive is not opened: hand in a .zip or .tar.gz"
                       : "this is neither a folder nor an archive (.zip, .tar.gz)";
  bool any = false;
  for (u32 i = 0; i < p->course.count; i++) any |= *out->files[i].name != 0;
  if (!any && !*out->problem && out->ignored)
    out->problem = arena_printf(keep,
                                "none of its %u files has a puzzle's name (NN_name.cu or "
                                "NN_name/puzzle.cu): %.*s%s",
                                out->ignored, (int)t.others.n, t.others.p,
                                out->ignored > OTHERS_SHOWN ? ", ..." : "");
  else if (!any && !*out->problem)
    out->problem = "it is empty";
  strbuf_free(&t.others);
}
