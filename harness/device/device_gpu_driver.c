/* device_gpu_driver.c - finds the CUDA driver and the first GPU. Runs nothing on it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "device/device_gpu.h"
#include "device/device_gpu_driver.h"

enum { PROBE_TIMEOUT_MS = 20000 };

void cu_words(const struct cu_driver *d, cu_result r, char *out, size_t size) {
  const char *name = NULL, *text = NULL;
  if (!d->error_name || d->error_name(r, &name) != 0 || !name)
    name = "an error that the driver has no name for";
  if (!d->error_text || d->error_text(r, &text) != 0 || !text) text = "";
  snprintf(out, size, "%s (%d)%s%s", name, r, *text ? ": " : "", text);
}

static bool no(const struct cu_driver *d, cu_result r, const char *doing, struct diag *why) {
  char words[256];
  cu_words(d, r, words, sizeof words);
  diag_set(why, "the CUDA driver is here, but %s fails: %s", doing, words);
  diag_next(why, "nvidia-smi shows what state driver and GPU are in");
  return false;
}

static bool find_symbols(void *library, struct cu_driver *d, struct diag *why) {
  static const struct {
    const char *symbol;
    size_t offset;
  } rows[] = {
#define C(field, text, params) {text, offsetof(struct cu_driver, field)},
      CU_TABLE(C)
#undef C
  };
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    void *p = dlsym(library, rows[i].symbol);
    if (!p) {
      diag_set(why, "the CUDA driver has no %s", rows[i].symbol);
      diag_next(why, "a driver for CUDA 12.0 or later is needed");
      return false;
    }
    memcpy((char *)d + rows[i].offset, &p, sizeof p);
  }
  return true;
}

static bool find_device(struct cu_driver *d, struct diag *why) {
  int count = 0, version = 0, major = 0, minor = 0, sms = 0;
  cu_result r = d->init(0);
  if (r == CU_NO_DEVICE || (r == 0 && d->device_count(&count) == 0 && count == 0)) {
    diag_set(why, "the CUDA driver is here, but no GPU");
    diag_next(why, "in a container: was it started with access to the GPU?");
    return false;
  }
  if (r) return no(d, r, "starting it", why);
  if ((r = d->device_get(&d->device, 0))) return no(d, r, "getting the first GPU", why);
  if ((r = d->device_name(d->name, sizeof d->name, d->device)))
    return no(d, r, "reading the GPU's name", why);
  if (count == 0) d->device_count(&count);
  d->driver_version(&version);
  d->device_attribute(&major, CU_ATTRIBUTE_MAJOR, d->device);
  d->device_attribute(&minor, CU_ATTRIBUTE_MINOR, d->device);
  d->device_attribute(&sms, CU_ATTRIBUTE_SM_COUNT, d->device);
  d->version = (u32)version;
  d->count = count > 0 ? (u32)count : 1;
  d->major = (u32)major;
  d->minor = (u32)minor;
  d->sm_count = (u32)sms;
  return true;
}

/* The file that a library was loaded from. */
static void find_path(void *library, char out[256]) {
  struct link_map *map = NULL;
  char *real = dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map ? realpath(map->l_name, NULL) : 0;
  snprintf(out, 256, "%s", real ? real : "");
  free(real);
}

static bool find(struct cu_driver *d, struct diag *why) {
  const char *path = getenv(GPU_DRIVER_VARIABLE);
  void *library = dlopen(path && *path ? path : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    diag_set(why, "no CUDA driver here (%s)", path && *path ? path : "libcuda.so.1");
    diag_next(
        why,
        "it comes with NVIDIA's kernel driver; without it everything runs on the virtual machine");
    return false;
  }
  find_path(library, d->library);
  return find_symbols(library, d, why) && find_device(d, why);
}

bool cu_open(const struct cu_driver **out, struct diag *why) {
  static struct cu_driver driver;
  static bool is_open;
  if (!is_open) {
    if (!find(&driver, why)) return false;
    cu_result r = driver.context_retain(&driver.context, driver.device);
    if (r == 0) r = driver.context_current(driver.context);
    if (r) return no(&driver, r, "making a context", why);
    is_open = true;
  }
  *out = &driver;
  return true;
}

/* ---- probing, in a child ---- */
static _Noreturn void probe_child(int fd) {
  struct gpu_found f = {0};
  struct cu_driver d = {0};
  struct diag why = {0};
  f.ok = find(&d, &why);
  memcpy(f.name, d.name, sizeof f.name);
  f.driver = d.version;
  f.major = d.major;
  f.minor = d.minor;
  f.sm_count = d.sm_count;
  f.count = d.count;
  memcpy(f.library, d.library, sizeof f.library);
  if (!f.ok)
    snprintf(f.missing, sizeof f.missing, "%.120s%s%.120s", why.text, why.next[0] ? "; " : "",
             why.next);
  _exit(write(fd, &f, sizeof f) == (ssize_t)sizeof f ? 0 : 1);
}

static bool receive(int fd, struct gpu_found *out) {
  size_t got = 0;
  while (got < sizeof *out) {
    struct pollfd p = {.fd = fd, .events = POLLIN};
    int ready = poll(&p, 1, PROBE_TIMEOUT_MS);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    ssize_t n = read(fd, (char *)out + got, sizeof *out - got);
    if (n <= 0) return false;
    got += (size_t)n;
  }
  return true;
}

void gpu_probe(struct gpu_found *out) {
  int fds[2];
  memset(out, 0, sizeof *out);
  snprintf(out->missing, sizeof out->missing, "no process could be started to look for a GPU");
  if (pipe(fds) != 0) return;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) probe_child(fds[1]);
  close(fds[1]);
  if (child > 0) {
    if (!receive(fds[0], out)) {
      memset(out, 0, sizeof *out);
      snprintf(out->missing, sizeof out->missing,
               "the CUDA driver crashes or hangs when it is started; see nvidia-smi");
      kill(child, SIGKILL);
    }
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
  }
  close(fds[0]);
  out->name[sizeof out->name - 1] = out->missing[sizeof out->missing - 1] = 0;
}
