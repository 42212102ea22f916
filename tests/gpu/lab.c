/* lab.c - see lab.h. Compares nothing. */
#include <string.h>
#include <time.h>
#include "gpu/lab.h"

double lab_now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* The first reason is the one to know. */
static bool fail(struct lab_kernel *k, const char *text) {
  if (k->failed) return false;
  k->failed = true;
  snprintf(k->why, sizeof k->why, "%.390s", text);
  return false;
}
static struct vm_launch launch_of(const struct lab_kernel *k, const struct ptx_func *f,
                                  const u64 *params) {
  return (struct vm_launch){.kernel = f,
                            .grid = {k->grid, 1, 1},
                            .block = {k->block, 1, 1},
                            .params = (const u8 *)params,
                            .param_bytes = 16};
}

/* ---- the machine ---- */
static void first_finding(struct device *d, struct lab_kernel *k) {
  u32 n = 0;
  u64 dropped = 0;
  const struct finding *const *f = device_findings(d, &n, &dropped);
  if (n == 0 || k->failed) return;
  char text[400];
  snprintf(text, sizeof text, "%s: %.300s (line %u)", verdict_text(f[0]->kind), f[0]->message,
           f[0]->access_count ? f[0]->accesses[0].line : 0);
  fail(k, text);
}
static bool vm_kernel(struct device *d, const struct ptx_module *m, struct lab_kernel *k) {
  struct diag why = {0};
  struct vm_counters counters = {0};
  const struct ptx_func *f = ptx_kernel(m, str_of(k->name), &why);
  if (!f) return fail(k, why.text);
  u64 params[2] = {device_alloc(d, "in", k->in_bytes, 8, &why),
                   device_alloc(d, "out", k->out_bytes, 8, &why)};
  if (!params[0] || !params[1] || !device_write(d, params[0], k->in, k->in_bytes, &why) ||
      !device_write(d, params[1], k->out, k->out_bytes, &why))
    return fail(k, why.text);
  struct vm_launch l = launch_of(k, f, params);
  enum vm_outcome o = device_launch(d, &l, &counters, &why);
  first_finding(d, k);
  if (o == VM_REFUSED) fail(k, why.text);
  if (o == VM_STOPPED) fail(k, "the launch stopped");
  if (!device_read(d, params[1], k->out, k->out_bytes, &why)) fail(k, why.text);
  device_free(d, params[0], &why);
  device_free(d, params[1], &why);
  return !k->failed;
}
bool lab_vm(str ptx, struct lab_kernel *k, u32 count, enum vm_schedule_kind schedule, u64 seed,
            bool checked, struct diag *why) {
  struct arena keep = {0};
  struct ptx_module *m = NULL;
  struct device *d = NULL;
  struct device_config c = {.no_race = !checked};
  c.vm = (struct vm_config){.schedule = schedule,
                            .seed = seed,
                            .no_undefined = !checked,
                            .optimized = !checked,
                            .max_steps = 1000000};
  bool ok = ptx_parse(&keep, ptx, &m, why);
  for (u32 i = 0; ok && i < count; i++) {
    if (!d) ok = device_create(&keep, m, &c, &d, why);
    if (!ok || vm_kernel(d, m, &k[i])) continue;
    device_destroy(
        d); /* findings and stopped launches stay with the device: the next one is fresh */
    d = NULL;
  }
  device_destroy(d);
  arena_free(&keep);
  return ok;
}

/* ---- the GPU ---- */
static bool gpu_kernel(struct gpu *g, const struct ptx_module *m, struct lab_kernel *k,
                       double *ms) {
  struct diag why = {0};
  const struct ptx_func *f = ptx_kernel(m, str_of(k->name), &why);
  if (!f) return fail(k, why.text);
  u64 params[2] = {gpu_alloc(g, "in", k->in_bytes, &why), gpu_alloc(g, "out", k->out_bytes, &why)};
  if (!params[0] || !params[1] || !gpu_write(g, params[0], k->in, k->in_bytes, &why) ||
      !gpu_write(g, params[1], k->out, k->out_bytes, &why))
    return fail(k, why.text);
  struct vm_launch l = launch_of(k, f, params);
  enum vm_outcome o = gpu_launch(g, &l, &why);
  *ms += gpu_milliseconds(g);
  u32 n = 0;
  const struct finding *const *found = gpu_findings(g, &n);
  if (o == VM_REFUSED) return fail(k, why.text);
  if (o == VM_STOPPED) return fail(k, n ? found[n - 1]->message : "the launch stopped");
  if (!gpu_read(g, params[1], k->out, k->out_bytes, &why)) return fail(k, why.text);
  gpu_free(g, params[0], &why);
  gpu_free(g, params[1], &why);
  return true;
}
bool lab_gpu(str ptx, struct lab_kernel *k, u32 count, bool plain, struct lab_times *times,
             bool *dead, struct diag *why) {
  struct gpu_config config = {.fast_assembly = plain};
  struct arena keep = {0};
  struct ptx_module *m = NULL;
  struct gpu *g = NULL;
  double start = lab_now_ms();
  bool ok = ptx_parse(&keep, ptx, &m, why) && gpu_open(&keep, ptx, &config, &g, why);
  times->open_ms += lab_now_ms() - start;
  for (u32 i = 0; ok && i < count; i++) gpu_kernel(g, m, &k[i], &times->run_ms);
  *dead = ok && gpu_dead(g);
  gpu_close(g);
  arena_free(&keep);
  return ok;
}
