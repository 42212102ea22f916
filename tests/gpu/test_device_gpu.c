/* test_device_gpu.c - the GPU backend against a driver that has no GPU (fake_libcuda.c): loading,
 * launching, red zones, faults, hangs, and what is said where something is missing. Each test has a
 * process of its own: a driver is opened once in a process. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "device/device_gpu.h"

static struct arena keep;
static char library[64];

static void fake_driver(void) {
  char command[256];
  const char *cc = getenv("CC");
  strcpy(library, "build/fake_libcuda_XXXXXX");
  int fd = mkstemp(library);
  ck_assert_int_ge(fd, 0);
  close(fd);
  snprintf(command, sizeof command,
           "%s -std=gnu11 -shared -fPIC -Iharness -o %s tests/gpu/fake_libcuda.c",
           cc && *cc ? cc : "cc", library);
  ck_assert_int_eq(system(command), 0);
  setenv(GPU_DRIVER_VARIABLE, library, 1);
}
static void remove_driver(void) {
  unlink(library);
  arena_free(&keep);
}

static const struct ptx_func *kernel(const char *name) {
  struct ptx_func *f = NEW(&keep, struct ptx_func);
  f->name = str_of(name);
  f->is_entry = true;
  return f;
}
static struct gpu *open_gpu(const struct gpu_config *c) {
  struct gpu *g = NULL;
  struct diag why = {0};
  ck_assert_msg(gpu_open(&keep, STR(".version 8.1\n"), c, &g, &why), "%s", why.text);
  return g;
}
static enum vm_outcome run(struct gpu *g, const char *name, u64 address, u64 size,
                           struct diag *why) {
  u64 params[2] = {address, size};
  struct vm_launch l = {
      .kernel = kernel(name), .params = (const u8 *)params, .param_bytes = sizeof params};
  return gpu_launch(g, &l, why);
}
static const struct finding *only_finding(const struct gpu *g) {
  u32 n = 0;
  const struct finding *const *f = gpu_findings(g, &n);
  ck_assert_uint_eq(n, 1);
  return f[0];
}

START_TEST(runs) {
  struct gpu *g = open_gpu(NULL);
  struct diag why = {0};
  u8 data[100], back[100];
  u32 n;
  memset(data, 41, sizeof data);
  u64 at = gpu_alloc(g, "data", sizeof data, &why);
  ck_assert_uint_ne(at, 0);
  ck_assert_uint_eq(at % 256, 0);
  ck_assert(gpu_read(g, at, back, sizeof back, &why));
  ck_assert_uint_eq(back[0], 0xd7);
  ck_assert(gpu_write(g, at, data, sizeof data, &why));
  ck_assert_int_eq(run(g, "increment", at, sizeof data, &why), VM_DONE);
  ck_assert(gpu_read(g, at, back, sizeof back, &why));
  for (u32 i = 0; i < sizeof back; i++) ck_assert_uint_eq(back[i], 42);
  ck_assert(gpu_milliseconds(g) > 0.2 && gpu_milliseconds(g) < 0.3);
  gpu_findings(g, &n);
  ck_assert_uint_eq(n, 0);
  ck_assert(!gpu_write(g, at, data, sizeof data + 1, &why));
  ck_assert(!gpu_free(g, at + 1, &why));
  ck_assert(gpu_free(g, at, &why));
  ck_assert(!gpu_read(g, at, back, 1, &why));
  ck_assert_str_eq(gpu_name(g), "Fake GPU");
  gpu_close(g);
}
END_TEST

START_TEST(red_zones) {
  struct gpu *g = open_gpu(NULL);
  struct diag why = {0};
  u64 at = gpu_alloc(g, "tail", 1000, &why);
  bool behind = _i == 0;
  ck_assert_int_eq(run(g, behind ? "past_end" : "before", at, 1000, &why), VM_STOPPED);
  const struct finding *f = only_finding(g);
  ck_assert_int_eq(f->kind, V_BOUNDS);
  ck_assert_str_eq(f->object, "tail");
  ck_assert(strstr(f->message, behind ? "behind the end" : "before the start") != NULL);
  ck_assert(!gpu_dead(g));
  gpu_close(g);
}
END_TEST

START_TEST(faults) {
  static const struct {
    const char *name, *says;
    enum verdict_kind kind;
  } rows[] = {{"illegal", "CUDA_ERROR_ILLEGAL_ADDRESS", V_BOUNDS},
              {"asserts", "710", V_TRAP},
              {"hangs", "time allowed", V_HANG}};
  struct gpu *g = open_gpu(&(struct gpu_config){.timeout_ms = 50});
  struct diag why = {0};
  u64 at = gpu_alloc(g, "a", 8, &why);
  ck_assert_int_eq(run(g, rows[_i].name, at, 8, &why), VM_STOPPED);
  ck_assert_int_eq(only_finding(g)->kind, rows[_i].kind);
  ck_assert_msg(strstr(only_finding(g)->message, rows[_i].says) != NULL, "%s",
                only_finding(g)->message);
  ck_assert(gpu_dead(g));
  ck_assert_int_eq(run(g, "increment", at, 8, &why), VM_REFUSED);
  ck_assert(strstr(why.text, "earlier fault") != NULL);
  ck_assert_uint_eq(gpu_alloc(g, "b", 8, &why), 0);
  gpu_close(g);
}
END_TEST

START_TEST(refusals) {
  struct gpu *g = open_gpu(NULL), *bad = NULL;
  struct diag why = {0};
  struct vm_launch l = {.kernel = kernel("k"), .block = {1025, 1, 1}};
  ck_assert_int_eq(gpu_launch(g, &l, &why), VM_REFUSED);
  l = (struct vm_launch){.kernel = kernel("k"), .shared_bytes = 300 << 10};
  ck_assert_int_eq(gpu_launch(g, &l, &why), VM_REFUSED);
  l = (struct vm_launch){.kernel = kernel("absent")};
  ck_assert_int_eq(gpu_launch(g, &l, &why), VM_REFUSED);
  ck_assert(!gpu_dead(g));
  ck_assert_uint_eq(gpu_alloc(g, "huge", 1ull << 30, &why), 0);
  ck_assert(!gpu_open(&keep, STR("bad_ptx"), NULL, &bad, &why));
  ck_assert_msg(strstr(why.text, "Unknown symbol 'bad_ptx'") != NULL, "%s", why.text);
  gpu_close(g);
}
END_TEST

START_TEST(attributes) {
  struct gpu *g = open_gpu(NULL);
  struct diag why = {0};
  struct vm_launch l = {.kernel = kernel("wants_cluster"), .grid = {4, 2, 1}, .cluster = {2, 2}};
  ck_assert_int_eq(gpu_launch(g, &l, &why), VM_DONE);
  l = (struct vm_launch){.kernel = kernel("wants_cooperative")};
  ck_assert_int_eq(gpu_launch(g, &l, &why), VM_REFUSED);
  l.cooperative = true;
  ck_assert_int_eq(gpu_launch(g, &l, &why), VM_DONE);
  gpu_close(g);
}
END_TEST

START_TEST(probing) {
  static const struct {
    const char *mode, *missing;
  } rows[] = {{"nodevice", "no GPU"}, {"badinit", "999"}, {"", NULL}};
  struct gpu_found f;
  setenv("FAKE_CUDA", rows[_i].mode, 1);
  gpu_probe(&f);
  ck_assert_int_eq(f.ok, rows[_i].missing == NULL);
  if (f.ok) {
    ck_assert_str_eq(f.name, "Fake GPU");
    ck_assert_uint_eq(f.sm_count, 3);
    ck_assert_uint_eq(f.driver, 12080);
  } else {
    ck_assert_msg(strstr(f.missing, rows[_i].missing) != NULL, "%s", f.missing);
  }
}
END_TEST

START_TEST(no_driver) {
  struct gpu_found f;
  struct gpu *g = NULL;
  struct diag why = {0};
  setenv(GPU_DRIVER_VARIABLE, "/nonexistent/libcuda.so.1", 1);
  gpu_probe(&f);
  ck_assert(!f.ok);
  ck_assert_msg(strstr(f.missing, "no CUDA driver") != NULL, "%s", f.missing);
  ck_assert(!gpu_open(&keep, STR(""), NULL, &g, &why));
  setenv(GPU_DRIVER_VARIABLE, "libm.so.6", 1); /* a library, but not that one */
  gpu_probe(&f);
  ck_assert_msg(strstr(f.missing, "cuInit") != NULL, "%s", f.missing);
}
END_TEST

Suite *suite_device_gpu(void);
Suite *suite_device_gpu(void) {
  Suite *s = suite_create("device_gpu");
  TCase *t = tcase_create("fake driver");
  tcase_set_timeout(t, 30);
  tcase_add_checked_fixture(t, fake_driver, remove_driver);
  tcase_add_test(t, runs);
  tcase_add_loop_test(t, red_zones, 0, 2);
  tcase_add_loop_test(t, faults, 0, 3);
  tcase_add_test(t, refusals);
  tcase_add_test(t, attributes);
  tcase_add_loop_test(t, probing, 0, 3);
  tcase_add_test(t, no_driver);
  suite_add_tcase(s, t);
  return s;
}
