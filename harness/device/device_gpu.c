/* device_gpu.c - one module on a GPU: memory between red zones, launches with a time limit, faults
 * as findings. Decides nothing about values; see puzzle/ and tests/gpu/. */
#define _GNU_SOURCE
#include <string.h>
#include <time.h>
#include "device/device_gpu.h"
#include "device/device_gpu_driver.h"

enum {
  ZONE_BYTES = 256,
  ZONE_FILL = 0xc5,
  POISON = 0xd7,
  ALLOCS_MAX = 256,
  FINDINGS_MAX = 16,
  LOG_BYTES = 8192,
  TIMEOUT_MS = 5000
};

struct block { /* zone, contents (rounded up to 256), zone */
  const char *name;
  u64 base, size_bytes;
  bool live, reported;
};
struct gpu {
  struct arena *keep;
  const struct cu_driver *cu;
  struct gpu_config config;
  cu_handle module, started, ended;
  struct block blocks[ALLOCS_MAX];
  u32 block_count;
  struct finding *findings[FINDINGS_MAX];
  u32 finding_count, launches;
  float milliseconds;
  bool dead;
};

static bool failed(const struct gpu *g, cu_result r, const char *doing, struct diag *why) {
  char words[256];
  cu_words(g->cu, r, words, sizeof words);
  diag_set(why, "the GPU fails at %s: %s", doing, words);
  return false;
}
static bool alive(const struct gpu *g, struct diag *why) {
  if (!g->dead) return true;
  diag_set(why, "the GPU is out of use in this process after an earlier fault");
  return false;
}

/* ---- loading ---- */
static bool refused(const struct gpu *g, cu_result r, const char *log, struct diag *why) {
  char words[256];
  size_t n = strlen(log);
  cu_words(g->cu, r, words, sizeof words);
  while (n && (log[n - 1] == '\n' || log[n - 1] == ' ')) n--;
  diag_set(why, "the driver's assembler does not take this PTX: %s%s%.*s", words, n ? "\n" : "",
           (int)(n < 600 ? n : 600), log);
  diag_next(why,
            "a driver older than the compiler knows fewer PTX versions: see CUDA in make doctor");
  return false;
}

bool gpu_open(struct arena *keep, str ptx, const struct gpu_config *config, struct gpu **out,
              struct diag *why) {
  struct gpu *g = NEW(keep, struct gpu);
  g->keep = keep;
  if (config) g->config = *config;
  if (!cu_open(&g->cu, why)) return false;
  char *log = NEWN(keep, char, LOG_BYTES);
  int options[] = {CU_JIT_ERROR_LOG, CU_JIT_ERROR_SIZE, CU_JIT_OPTIMIZATION};
  void *values[] = {log, (void *)(uintptr_t)LOG_BYTES, (void *)(uintptr_t)0};
  const char *text = str_copy(keep, ptx).p;
  cu_result r =
      g->cu->module_load(&g->module, text, g->config.fast_assembly ? 3 : 2, options, values);
  log[LOG_BYTES - 1] = 0;
  if (r) return refused(g, r, log, why);
  r = g->cu->event_create(&g->started, 0);
  if (r == 0) r = g->cu->event_create(&g->ended, 0);
  if (r) return failed(g, r, "making its clocks", why);
  *out = g;
  return true;
}

/* After a fault every call would fail or, after a hang, wait for ever: the end of the process
 * cleans up. */
void gpu_close(struct gpu *g) {
  if (!g || g->dead) return;
  for (u32 i = 0; i < g->block_count; i++)
    if (g->blocks[i].live) g->cu->release(g->blocks[i].base);
  g->cu->event_destroy(g->started);
  g->cu->event_destroy(g->ended);
  g->cu->module_unload(g->module);
}

/* ---- memory ---- */
static u64 rounded(u64 n) { return (n + 255) & ~255ull; }

u64 gpu_alloc(struct gpu *g, const char *name, u64 size_bytes, struct diag *why) {
  if (!alive(g, why)) return 0;
  if (g->block_count == ALLOCS_MAX || size_bytes > 1ull << 40) {
    diag_set(why, "%s: the GPU backend has no room for it (at most %d buffers)", name, ALLOCS_MAX);
    return 0;
  }
  struct block *b = &g->blocks[g->block_count];
  u64 all = rounded(size_bytes) + 2 * ZONE_BYTES;
  cu_result r = g->cu->alloc(&b->base, all);
  if (r == 0) r = g->cu->fill(b->base, ZONE_FILL, all);
  if (r == 0 && size_bytes) r = g->cu->fill(b->base + ZONE_BYTES, POISON, size_bytes);
  if (r) return failed(g, r, "allocating memory", why), 0;
  b->name = str_copy(g->keep, str_of(name)).p;
  b->size_bytes = size_bytes;
  b->live = true;
  g->block_count++;
  return b->base + ZONE_BYTES;
}

bool gpu_free(struct gpu *g, u64 address, struct diag *why) {
  if (!alive(g, why)) return false;
  for (u32 i = 0; i < g->block_count; i++)
    if (g->blocks[i].live && g->blocks[i].base + ZONE_BYTES == address) {
      g->blocks[i].live = false;
      cu_result r = g->cu->release(g->blocks[i].base);
      return r == 0 || failed(g, r, "freeing memory", why);
    }
  diag_set(why, "there is no buffer at this address");
  return false;
}

static bool inside(const struct gpu *g, u64 address, u64 size_bytes, struct diag *why) {
  for (u32 i = 0; i < g->block_count; i++) {
    const struct block *b = &g->blocks[i];
    u64 start = b->base + ZONE_BYTES;
    if (b->live && address >= start && address - start <= b->size_bytes &&
        size_bytes <= b->size_bytes - (address - start))
      return true;
  }
  diag_set(why, "these bytes lie outside every buffer");
  return false;
}
bool gpu_write(struct gpu *g, u64 address, const void *from, u64 size_bytes, struct diag *why) {
  if (!alive(g, why) || !inside(g, address, size_bytes, why)) return false;
  cu_result r = size_bytes ? g->cu->to_device(address, from, size_bytes) : 0;
  return r == 0 || failed(g, r, "copying to it", why);
}
bool gpu_read(struct gpu *g, u64 address, void *to, u64 size_bytes, struct diag *why) {
  if (!alive(g, why) || !inside(g, address, size_bytes, why)) return false;
  cu_result r = size_bytes ? g->cu->to_host(to, address, size_bytes) : 0;
  return r == 0 || failed(g, r, "copying from it", why);
}

/* ---- findings ---- */
static void say(struct gpu *g, enum verdict_kind kind, const char *object, const char *message,
                const char *suggestion) {
  if (g->finding_count == FINDINGS_MAX) return;
  struct finding *f = NEW(g->keep, struct finding);
  *f = (struct finding){.kind = kind,
                        .space = *object ? "global" : "",
                        .object = object,
                        .element = -1,
                        .message = message,
                        .suggestion = suggestion,
                        .waits = "",
                        .schedule = "gpu",
                        .launch_index = g->launches - 1};
  g->findings[g->finding_count++] = f;
}

static void report_fault(struct gpu *g, cu_result r) {
  char words[256];
  cu_words(g->cu, r, words, sizeof words);
  bool bounds = r == CU_ILLEGAL_ADDRESS || r == CU_MISALIGNED || r == CU_INVALID_SPACE;
  bool trap = r == CU_ASSERT || r == CU_HARDWARE_STACK || r == CU_ILLEGAL_INSTRUCTION ||
              r == CU_INVALID_PC || r == CU_LAUNCH_FAILED;
  say(g,
      bounds ? V_BOUNDS
      : trap ? V_TRAP
             : V_INTERNAL,
      "", arena_printf(g->keep, "The GPU ended the launch: %s.", words),
      bounds || trap ? "On the virtual machine the same inputs ran to their end: if this repeats, "
                       "compute-sanitizer shows the place."
                     : "");
  g->dead = true;
}

static bool zone_intact(struct gpu *g, u64 at, u64 bytes, cu_result *r) {
  u8 seen[2 * ZONE_BYTES];
  *r = g->cu->to_host(seen, at, bytes);
  for (u64 i = 0; *r == 0 && i < bytes; i++)
    if (seen[i] != ZONE_FILL) return false;
  return true;
}

/* true: nobody wrote beside the buffers. The rounding behind the contents belongs to the zone. */
static bool check_zones(struct gpu *g) {
  bool intact = true;
  for (u32 i = 0; i < g->block_count; i++) {
    struct block *b = &g->blocks[i];
    if (!b->live || b->reported) continue;
    cu_result r = 0, s = 0;
    u64 end = b->base + ZONE_BYTES + b->size_bytes;
    bool before = zone_intact(g, b->base, ZONE_BYTES, &r);
    bool behind = zone_intact(g, end, ZONE_BYTES + rounded(b->size_bytes) - b->size_bytes, &s);
    if (r || s) return report_fault(g, r ? r : s), false;
    if (before && behind) continue;
    intact = false;
    b->reported = true;
    say(g, V_BOUNDS, b->name,
        arena_printf(g->keep, "A thread wrote %s the buffer.",
                     before ? "behind the end of" : "before the start of"),
        "On a GPU only the damage is seen, not who did it.");
  }
  return intact;
}

/* ---- launches ---- */
static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* The result of the launch, CU_NOT_READY when the time is up. Short kernels are waited for eagerly.
 */
static cu_result wait_for(struct gpu *g) {
  double limit = g->config.timeout_ms ? g->config.timeout_ms : TIMEOUT_MS, start = now_ms();
  for (;;) {
    cu_result r = g->cu->event_query(g->ended);
    double waited = now_ms() - start;
    if (r != CU_NOT_READY || waited > limit) return r;
    if (waited > 2) nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
  }
}

static cu_result start(struct gpu *g, const struct vm_launch *l, cu_handle function) {
  struct cu_launch_attribute attributes[2] = {0};
  struct cu_launch_config c = {.shared_bytes = l->shared_bytes, .attributes = attributes};
  size_t size = l->param_bytes;
  union {
    const u8 *from;
    void *to;
  } params = {.from = l->params};
  void *extra[] = {CU_PARAM_DATA, params.to, CU_PARAM_SIZE, &size, CU_PARAM_END};
  const u32 *cluster = l->cluster;
  for (u32 i = 0; i < 3; i++) {
    c.grid[i] = l->grid[i] ? l->grid[i] : 1;
    c.block[i] = l->block[i] ? l->block[i] : 1;
  }
  if (l->cooperative) {
    attributes[c.attribute_count].id = CU_LAUNCH_COOPERATIVE;
    attributes[c.attribute_count++].value.cooperative = 1;
  }
  if (cluster[0] || cluster[1] || cluster[2]) {
    attributes[c.attribute_count].id = CU_LAUNCH_CLUSTER;
    for (u32 i = 0; i < 3; i++)
      attributes[c.attribute_count].value.cluster[i] = cluster[i] ? cluster[i] : 1;
    c.attribute_count++;
  }
  if (l->shared_bytes > 48 << 10) {
    cu_result r =
        g->cu->function_set(function, CU_FUNCTION_MAX_DYNAMIC_SHARED, (int)l->shared_bytes);
    if (r) return r;
  }
  cu_result r = g->cu->event_record(g->started, NULL);
  if (r == 0) r = g->cu->launch(&c, function, NULL, size ? extra : NULL);
  return r ? r : g->cu->event_record(g->ended, NULL);
}

enum vm_outcome gpu_launch(struct gpu *g, const struct vm_launch *l, struct diag *why) {
  cu_handle function = NULL;
  if (!alive(g, why)) return VM_REFUSED;
  g->launches++;
  g->milliseconds = 0;
  cu_result r = g->cu->module_function(&function, g->module, str_copy(g->keep, l->kernel->name).p);
  if (r) return failed(g, r, "finding the kernel", why), VM_REFUSED;
  r = start(g, l, function);
  if (r == CU_INVALID_VALUE || r == CU_OUT_OF_RESOURCES || r == CU_OUT_OF_MEMORY ||
      r == CU_COOPERATIVE_TOO_LARGE || r == CU_INVALID_CLUSTER_SIZE)
    return failed(g, r, "this launch", why), VM_REFUSED;
  if (r == 0) r = wait_for(g);
  if (r == CU_NOT_READY) {
    say(g, V_HANG, "", "The kernel did not come to its end on the GPU in the time allowed.",
        "On the virtual machine it does: look for code that depends on which blocks or warps run "
        "at the same time.");
    g->dead = true;
    return VM_STOPPED;
  }
  if (r) return report_fault(g, r), VM_STOPPED;
  g->cu->event_elapsed(&g->milliseconds, g->started, g->ended);
  return check_zones(g) ? VM_DONE : VM_STOPPED;
}

bool gpu_dead(const struct gpu *g) { return g->dead; }
double gpu_milliseconds(const struct gpu *g) { return (double)g->milliseconds; }
const char *gpu_name(const struct gpu *g) { return g->cu->name; }
const struct finding *const *gpu_findings(const struct gpu *g, u32 *count) {
  *count = g->finding_count;
  return (const struct finding *const *)g->findings;
}
