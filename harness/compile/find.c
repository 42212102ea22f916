/* find.c - where NVRTC, its headers and clang are on this machine. Looks at files only; loads
 * nothing, except that the loader is asked for NVRTC when no folder has it.
 *
 * CUDA_HOME (or CUDA_PATH) naming a folder that does not exist hides the toolkit: that is how one
 * tries the suite as if no toolkit were installed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "compile/parts.h"

static struct {
  bool nvrtc_done, clang_done;
  struct compile_tool nvrtc, clang;
} found;

void compile_find_again(void) { memset(&found, 0, sizeof found); }

static bool is_dir(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

/* Takes the path when it is a regular file; the identity changes with the file's content. */
static bool take(struct compile_tool *t, const char *path) {
  struct stat s;
  if (strlen(path) >= sizeof t->path || stat(path, &s) != 0 || !S_ISREG(s.st_mode)) return false;
  snprintf(t->path, sizeof t->path, "%s", path);
  snprintf(t->identity, sizeof t->identity, "%s %lld %lld.%09ld", path, (long long)s.st_size,
           (long long)s.st_mtim.tv_sec, s.st_mtim.tv_nsec);
  t->found = true;
  return true;
}

static bool take_in(struct compile_tool *t, const char *root, const char *sub) {
  static const char *const names[] = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12",
                                      "libnvrtc.so.11", "libnvrtc.so.11.8"};
  char path[512];
  for (size_t i = 0; i < COUNT_OF(names); i++) {
    int n = snprintf(path, sizeof path, "%s/%s%s%s", root, sub, *sub ? "/" : "", names[i]);
    if (n > 0 && (size_t)n < sizeof path && take(t, path)) return true;
  }
  return false;
}

static bool take_headers(struct compile_tool *t, const char *root) {
  static const char *const subs[] = {"include", "targets/x86_64-linux/include"};
  char dir[512], probe[600];
  for (size_t i = 0; i < COUNT_OF(subs); i++) {
    int n = snprintf(dir, sizeof dir, "%s/%s", root, subs[i]);
    if (n <= 0 || (size_t)n >= sizeof t->include_dir) continue;
    snprintf(probe, sizeof probe, "%s/cooperative_groups.h", dir);
    if (!file_exists(probe)) continue;
    memcpy(t->include_dir, dir, (size_t)n + 1);
    return true;
  }
  return false;
}

/* The loader's own search: LD_LIBRARY_PATH, ld.so.conf. */
static void take_from_loader(struct compile_tool *t) {
  static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2",
                                      "libnvrtc.so"};
  for (size_t i = 0; i < COUNT_OF(names); i++) {
    void *lib = dlopen(names[i], RTLD_LAZY | RTLD_LOCAL);
    if (!lib) continue;
    Dl_info where;
    void *any = dlsym(lib, "nvrtcVersion");
    bool ok = any && dladdr(any, &where) && where.dli_fname && take(t, where.dli_fname);
    if (!ok) dlclose(lib);
    if (ok) return;
  }
}

static bool named_root(const char *variable, const char **root) {
  const char *v = getenv(variable);
  *root = v && *v ? v : NULL;
  return *root != NULL;
}

static void search_nvrtc(struct compile_tool *t) {
  static const char *const subs[] = {"lib64", "lib", "targets/x86_64-linux/lib"};
  static const char *const system_dirs[] = {"/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"};
  const char *roots[5] = {0};
  size_t n = 0;
  if (named_root("CUDA_HOME", &roots[n])) n++;
  if (named_root("CUDA_PATH", &roots[n])) n++;
  if (n && !is_dir(roots[0])) return;
  roots[n++] = "/usr/local/cuda";
  roots[n++] = "/opt/cuda";
  for (size_t i = 0; i < n && !t->found; i++)
    for (size_t k = 0; k < COUNT_OF(subs) && !t->found; k++) take_in(t, roots[i], subs[k]);
  for (size_t i = 0; i < COUNT_OF(system_dirs) && !t->found; i++) take_in(t, system_dirs[i], "");
  if (!t->found) take_from_loader(t);
  for (size_t i = 0; i < n && t->found; i++)
    if (take_headers(t, roots[i])) return;
  if (t->found) take_headers(t, "/usr");
}

const struct compile_tool *compile_find_nvrtc(void) {
  if (!found.nvrtc_done) search_nvrtc(&found.nvrtc);
  found.nvrtc_done = true;
  return &found.nvrtc;
}

static bool take_on_path(struct compile_tool *t, const char *name) {
  const char *p = getenv("PATH");
  while (p && *p) {
    const char *end = strchrnul(p, ':');
    char path[512];
    int n = snprintf(path, sizeof path, "%.*s/%s", (int)(end - p), p, name);
    bool fits = end > p && n > 0 && (size_t)n < sizeof path;
    if (fits && access(path, X_OK) == 0 && take(t, path)) return true;
    p = *end ? end + 1 : end;
  }
  return false;
}

const struct compile_tool *compile_find_clang(void) {
  if (found.clang_done) return &found.clang;
  found.clang_done = true;
  if (take_on_path(&found.clang, "clang")) return &found.clang;
  for (int version = 22; version >= 14; version--) {
    char name[32];
    snprintf(name, sizeof name, "clang-%d", version);
    if (take_on_path(&found.clang, name)) break;
  }
  return &found.clang;
}
