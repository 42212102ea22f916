/* jail_args.c - what a sandbox is made of: bubblewrap's arguments, limits, the few folders that a
 * compiler has to see, and programs where another user can reach them. Starts nothing itself except
 * to try it. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "box/box.h"
#include "grade/jail.h"

static const char *const names[SANDBOX_COUNT] = {"bwrap", "uid", "none"};
static const char *const words[SANDBOX_COUNT] = {
    "namespaces (bubblewrap), no network, no files but the compiler's, limits, filtered system "
    "calls",
    "limits and another user only: students' sources were compiled with a view of this machine's "
    "files",
    "limits only: students' sources were compiled with the rights and the view of whoever graded",
};
const char *grade_sandbox_name(enum grade_sandbox s) { return names[s]; }
const char *grade_sandbox_words(enum grade_sandbox s) { return words[s]; }

bool grade_sandbox_find(const char *name, enum grade_sandbox *out) {
  for (u32 i = 0; i < SANDBOX_COUNT; i++)
    if (strcmp(name, names[i]) == 0) {
      *out = (enum grade_sandbox)i;
      return true;
    }
  return false;
}

static void add(struct jail_command *c, const char *word) {
  if (c->n + 1 >= JAIL_WORDS_MAX) BUG("too many arguments for a sandbox");
  c->argv[c->n++] = (char *)(uintptr_t)word;
}

static void add3(struct jail_command *c, const char *a, const char *b, const char *d) {
  add(c, a);
  add(c, b);
  add(c, d);
}

/* ---- what a compiler has to see ---- */
static const char *const libraries[] = {"/usr/lib", "/usr/lib64", "/lib", "/lib64"};

static bool is_dir(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

static bool below(const char *path, const char *dir) {
  size_t n = strlen(dir);
  return strncmp(path, dir, n) == 0 && (path[n] == 0 || path[n] == '/');
}

static bool below_libraries(const char *path) {
  for (size_t i = 0; i < COUNT_OF(libraries); i++)
    if (below(path, libraries[i])) return true;
  return false;
}

/* The folder of the real clang: /usr/bin/clang is a link into its own tree. "" when there is none.
 */
static const char *clang_dir(struct arena *a) {
  const char *p = getenv("PATH");
  while (p && *p) {
    const char *end = strchrnul(p, ':');
    for (int version = 0; version <= 22; version = version ? version + 1 : 14) {
      char real[PATH_MAX];
      const char *path = version ? arena_printf(a, "%.*s/clang-%d", (int)(end - p), p, version)
                                 : arena_printf(a, "%.*s/clang", (int)(end - p), p);
      if (end == p || access(path, X_OK) != 0 || !realpath(path, real)) continue;
      char *slash = strrchr(real, '/');
      *slash = 0;
      return str_copy(a, str_of(real)).p;
    }
    p = *end ? end + 1 : end;
  }
  return "";
}

static const char *toolkit(struct arena *a, char real[PATH_MAX]) {
  const char *places[] = {getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda", "/opt/cuda"};
  for (size_t i = 0; i < COUNT_OF(places); i++) {
    if (!places[i] || !*places[i]) continue;
    if (realpath(places[i], real) && is_dir(real)) return str_copy(a, str_of(real)).p;
    if (i < 2) return ""; /* names a folder that is not there: hides the toolkit */
  }
  return "";
}

static const char *folder_of(struct arena *a, const char *path) {
  const char *slash = strrchr(path, '/');
  return slash > path ? str_copy(a, (str){path, (size_t)(slash - path)}).p : "/";
}

/* The n-th of the GPUs that this process may use. */
static const char *visible_gpu(struct arena *a, u32 n) {
  const char *list = getenv("CUDA_VISIBLE_DEVICES");
  if (!list || !*list) return arena_printf(a, "%u", n);
  for (u32 i = 0; i < n && strchr(list, ','); i++) list = strchr(list, ',') + 1;
  return str_copy(a, (str){list, strcspn(list, ",")}).p;
}

static void set_environment(struct arena *a, const struct jail_settings *s, enum jail_program p,
                            const char *dir, struct jail_command *c) {
  u32 n = 0;
  char real[PATH_MAX];
  c->env[n++] = (char *)(uintptr_t) "LC_ALL=C";
  if (p == JAIL_BOX) {
    const char *cuda = toolkit(a, real);
    c->env[n++] = arena_printf(a, "TMPDIR=%s", *dir ? dir : "/tmp");
    c->env[n++] = arena_printf(a, "PATH=%s", *clang_dir(a) ? clang_dir(a) : "/usr/bin");
    c->env[n++] = arena_printf(a, "CUDA_HOME=%s", *cuda ? cuda : "/nonexistent");
    /* NVRTC loads a second library by its bare name, and there is no loader's cache inside. */
    if (*cuda)
      c->env[n++] = arena_printf(a, "LD_LIBRARY_PATH=%s/lib64:%s/lib:%s/targets/x86_64-linux/lib",
                                 cuda, cuda, cuda);
  }
  if (p == JAIL_GPU && s->gpu_library) {
    c->env[n++] = arena_printf(a, "WARPLINGS_CUDA_DRIVER=%s", s->gpu_library);
    c->env[n++] = arena_printf(a, "LD_LIBRARY_PATH=%s", folder_of(a, s->gpu_library));
    c->env[n++] = arena_printf(a, "CUDA_VISIBLE_DEVICES=%s", visible_gpu(a, s->gpu));
    c->env[n++] = (char *)(uintptr_t) "CUDA_CACHE_DISABLE=1"; /* there is no home to keep it in */
  }
  c->env[n] = NULL;
}

static void add_environment(struct jail_command *c, struct arena *a) {
  for (u32 i = 0; c->env[i]; i++) {
    const char *equals = strchr(c->env[i], '=');
    add3(c, "--setenv", arena_printf(a, "%.*s", (int)(equals - c->env[i]), c->env[i]), equals + 1);
  }
}

static bool is_dynamic(const char *path) {
  char head[4096];
  FILE *f = fopen(path, "re");
  size_t n = f ? fread(head, 1, sizeof head, f) : 0;
  if (f) fclose(f);
  return memmem(head, n, "/ld-linux", 9) != NULL || memmem(head, n, "/ld-musl", 8) != NULL;
}

static void add_libraries(struct arena *a, struct jail_command *c) {
  for (size_t i = 0; i < COUNT_OF(libraries); i++) {
    char to[PATH_MAX];
    ssize_t n = readlink(libraries[i], to, sizeof to - 1);
    if (n > 0) {
      to[n] = 0;
      add3(c, "--symlink", str_copy(a, str_of(to)).p, libraries[i]);
    } else if (is_dir(libraries[i])) {
      add3(c, "--ro-bind", libraries[i], libraries[i]);
    }
  }
}

static void add_compilers(struct arena *a, const struct jail_settings *s, struct jail_command *c) {
  char real[PATH_MAX];
  const char *clang = clang_dir(a), *cuda = toolkit(a, real);
  if (*clang && !below_libraries(clang)) {
    const char *root = arena_printf(a, "%s/..", clang);
    if (realpath(root, real) && strcmp(real, "/") != 0 && strcmp(real, "/usr") != 0)
      add3(c, "--ro-bind", str_copy(a, str_of(real)).p, str_copy(a, str_of(real)).p);
    else
      add3(c, "--ro-bind", clang, clang);
  }
  if (*cuda && !below_libraries(cuda)) add3(c, "--ro-bind", cuda, cuda);
  /* Somebody keeps the course below one of these: it is covered up. */
  for (size_t i = 0; i < COUNT_OF(s->hidden) && s->hidden[i]; i++)
    if (below_libraries(s->hidden[i]) || (*cuda && below(s->hidden[i], cuda)) ||
        (*clang && below(s->hidden[i], clang))) {
      add(c, "--tmpfs");
      add(c, s->hidden[i]);
    }
}

/* The driver, its devices, and what its library reads of /proc. */
static void add_gpu(struct arena *a, const struct jail_settings *s, struct jail_command *c) {
  static const char *const devices[] = {
      "/dev/nvidiactl",      "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools",
      "/dev/nvidia-modeset", "/dev/zero",       "/dev/urandom"};
  const char *library = s->gpu_library ? s->gpu_library : "/";
  if (!below_libraries(library)) {
    const char *dir = folder_of(a, library);
    add3(c, "--ro-bind", dir, dir);
  }
  add3(c, "--proc", "/proc", "--ro-bind-try");
  add(c, "/sys"), add(c, "/sys");
  for (size_t i = 0; i < COUNT_OF(devices); i++) add3(c, "--dev-bind-try", devices[i], devices[i]);
  add3(c, "--dev-bind-try", "/dev/nvidia-caps", "/dev/nvidia-caps");
  for (u32 i = 0; i < 16; i++) {
    const char *one = arena_printf(a, "/dev/nvidia%u", i);
    if (access(one, F_OK) == 0) add3(c, "--dev-bind", one, one);
  }
  add3(c, "--size", "67108864", "--tmpfs"), add(c, "/dev/shm");
}

static const char *const bwrap_places[] = {"/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"};

static bool bubblewrap(struct arena *a, const struct jail_settings *s, enum jail_program p,
                       struct jail_command *c, struct diag *why) {
  const char *program = NULL;
  static const char *const isolation[] = {"--unshare-all",
                                          "--unshare-user",
                                          "--disable-userns",
                                          "--die-with-parent",
                                          "--new-session",
                                          "--cap-drop",
                                          "ALL",
                                          "--uid",
                                          "65534",
                                          "--gid",
                                          "65534",
                                          "--hostname",
                                          "box",
                                          "--clearenv"};
  for (size_t i = 0; i < COUNT_OF(bwrap_places) && !program; i++)
    if (access(bwrap_places[i], X_OK) == 0) program = bwrap_places[i];
  if (!program) {
    diag_set(why, "bubblewrap (bwrap), which isolates students' code, is not installed");
    diag_next(why, "make setup, or apt install bubblewrap; --sandbox uid does without it");
    return false;
  }
  c->filter_fd = jail_filter_file(p, why);
  if (c->filter_fd < 0) return false;
  add(c, program);
  for (size_t i = 0; i < COUNT_OF(isolation); i++) add(c, isolation[i]);
  add_environment(c, a);
  if (p != JAIL_VM || is_dynamic(s->program[p])) add_libraries(a, c);
  if (p == JAIL_BOX) add_compilers(a, s, c);
  if (UNDER_ASAN) add(c, "--proc"), add(c, "/proc");
  add3(c, "--ro-bind", s->program[p], "/program");
  add(c, "--tmpfs");
  add(c, "/dev");
  add3(c, "--dev-bind", "/dev/null", "/dev/null");
  if (p == JAIL_GPU) add_gpu(a, s, c);
  if (p == JAIL_BOX) add3(c, "--size", "536870912", "--tmpfs"), add(c, "/tmp");
  add3(c, "--chdir", p == JAIL_BOX ? "/tmp" : "/", "--remount-ro");
  add3(c, "/", "--seccomp", arena_printf(a, "%d", JAIL_FILTER_FD));
  if (p == JAIL_VM) add(c, "--as-pid-1");
  add(c, "--");
  add(c, "/program");
  return true;
}

/* An ordinary user's own processes count too. */
static u64 processes_of(u32 uid) {
  DIR *d = opendir("/proc");
  u64 n = 0;
  for (struct dirent *e; d && (e = readdir(d));) {
    struct stat s;
    if (e->d_name[0] >= '1' && e->d_name[0] <= '9' && fstatat(dirfd(d), e->d_name, &s, 0) == 0 &&
        s.st_uid == uid)
      n++;
  }
  if (d) closedir(d);
  return n;
}

u32 jail_uid(const struct jail_settings *s) {
  return geteuid() == 0 && s->sandbox != SANDBOX_NONE ? s->uid : 0;
}

bool jail_command_make(struct arena *a, const struct jail_settings *s, enum jail_program p,
                       const char *dir, struct jail_command *c, struct diag *why) {
  u32 uid = jail_uid(s);
  *c = (struct jail_command){.filter_fd = -1, .uid = uid, .dir = "/"};
  c->processes = 128 + processes_of(uid ? uid : (u32)getuid()) * (uid ? 1 : 2);
  c->cpu_s = 1200; /* a submission's puzzles share a process; each answer has its own deadline */
  c->file_bytes = (u64)256 << 20;
  /* A GPU's driver reserves addresses without end. */
  if (!UNDER_ASAN && p != JAIL_GPU) c->address_bytes = p == JAIL_BOX ? (u64)2 << 30 : (u64)1 << 30;
  set_environment(a, s, p, dir, c);
  if (s->sandbox == SANDBOX_BWRAP) return bubblewrap(a, s, p, c, why);
  c->filter_here = jail_filter_here();
  c->dir = dir;
  add(c, s->program[p]);
  return true;
}

/* ---- programs within reach ---- */
static const char *const files[JAIL_PROGRAMS] = {"warplings-box", "warplings-vm", "warplings-gpu"};
static char scratch[PATH_MAX];

/* Can everybody walk to this file and run it? */
static bool open_to_all(const char *path) {
  struct stat s;
  char part[PATH_MAX];
  for (size_t i = 1; path[i] && i < sizeof part; i++) {
    if (path[i] != '/') continue;
    memcpy(part, path, i);
    part[i] = 0;
    if (stat(part, &s) != 0 || !(s.st_mode & S_IXOTH)) return false;
  }
  return stat(path, &s) == 0 && (s.st_mode & (S_IROTH | S_IXOTH)) == (S_IROTH | S_IXOTH);
}

static bool copy_program(struct arena *keep, const char *from, const char *to, struct diag *why) {
  struct arena a = {0};
  str bytes;
  (void)keep;
  bool ok = file_read(&a, from, (size_t)256 << 20, &bytes, why) && file_write(to, bytes, why);
  if (ok && chmod(to, 0755) != 0) {
    diag_set(why, "cannot change the mode of %s: %s", to, strerror(errno));
    ok = false;
  }
  arena_free(&a);
  return ok;
}

static bool make_scratch(struct diag *why) {
  const char *base = getenv("TMPDIR");
  if (scratch[0]) return true;
  snprintf(scratch, sizeof scratch, "%s/warplings-grade-%d-XXXXXX", base && *base ? base : "/tmp",
           (int)getpid());
  if (mkdtemp(scratch) && chmod(scratch, 0755) == 0) return true;
  diag_set(why, "cannot make a folder in %s: %s", base && *base ? base : "/tmp", strerror(errno));
  diag_next(why, "make room there, or set TMPDIR");
  scratch[0] = 0;
  return false;
}

void jail_remove(void) {
  char path[PATH_MAX + 32];
  if (!scratch[0]) return;
  for (size_t i = 0; i < COUNT_OF(files); i++) {
    snprintf(path, sizeof path, "%s/%s", scratch, files[i]);
    unlink(path);
  }
  rmdir(scratch);
  scratch[0] = 0;
}

bool jail_prepare(struct arena *keep, struct jail_settings *s, const char *program_dir,
                  struct diag *why) {
  for (u32 i = 0; i < JAIL_PROGRAMS; i++) {
    s->program[i] = arena_printf(keep, "%s/%s", program_dir, files[i]);
    if (!file_exists(s->program[i])) {
      diag_set(why, "%s is not there", s->program[i]);
      diag_next(why, "make builds it together with warplings");
      return false;
    }
    if (geteuid() != 0 || open_to_all(s->program[i])) continue;
    const char *from = s->program[i];
    if (!make_scratch(why)) return false;
    s->program[i] = arena_printf(keep, "%s/%s", scratch, files[i]);
    if (!file_exists(s->program[i]) && !copy_program(keep, from, s->program[i], why)) return false;
  }
  return true;
}
