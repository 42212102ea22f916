/* program.c - see program.h. A program is 1 to 3 phases; in each, every acting thread has some
 * instructions of its own; between phases the threads of a block or lanes of a warp may meet.
 * Nothing that is read decides anything, so every program ends. */
#include <string.h>
#include "oracle/program.h"

enum { PHASES_MAX = 3, OPS_MAX = 6, AREA = 16 };

struct maker {
  u64 rng;
  struct strbuf out;
  struct program *p;
  u32 line, value;
  u32 phases;
  u32 mixed; /* of 8 sync operations so many have any scope, size and place */
  u32 weak;  /* of 8 operations so many are plain accesses */
  bool idle_leave, has_cluster, no_sums;
  bool is_joint; /* the code at hand is for all acting lanes of a warp */
};

static u32 below(struct maker *k, u32 n) { return rng_below(&k->rng, n); }
static bool chance(struct maker *k, u32 of8) { return below(k, 8) < of8; }
static const char *one_of(struct maker *k, const char *const *list, u32 n) {
  return list[below(k, n)];
}
#define ONE_OF(k, ...)                                                                             \
  one_of(k, (const char *const[]){__VA_ARGS__},                                                    \
         sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

static const char *scope(struct maker *k) {
  if (!chance(k, k->mixed)) return "gpu";
  if (k->has_cluster && chance(k, 3)) return "cluster";
  return ONE_OF(k, "cta", "cta", "gpu", "sys");
}

struct spot {
  const char *space, *name;
  u32 size, offset;
};
/* Flags are usually one or two words; data as well. */
static struct spot spot(struct maker *k, bool flag) {
  struct spot s = {.size = 4};
  bool shared = chance(k, 3);
  if (k->mixed && chance(k, 1)) flag = !flag;
  s.space = shared ? "shared" : "global";
  s.name = flag ? (shared ? "fs" : "fg") : (shared ? "ds" : "dg");
  if (chance(k, k->mixed ? 2 : 0)) {
    s.size = 1u << below(k, 4);
    s.offset = below(k, AREA / s.size) * s.size;
  } else {
    s.offset = below(k, 2) * 4;
    if (k->is_joint && chance(k, 4)) { /* each lane a word of its own; there are three at most */
      strbuf_printf(&k->out, "mov.u64 %%a, %s;\nadd.u64 %%a, %%a, %%l;\n", s.name);
      s.name = "%a";
    }
  }
  return s;
}

static void loc(struct maker *k) { strbuf_printf(&k->out, ".loc 1 %u 0\n", ++k->line); }

/* A register that holds a value all of whose bytes are its own. */
static const char *value(struct maker *k, u32 size) {
  unsigned long long v = ++k->value & 255, all = v * 0x0101010101010101ull;
  if (size == 8)
    strbuf_printf(&k->out, "mov.u64 %%d0, 0x%llx;\n", all);
  else
    strbuf_printf(&k->out, "mov.u32 %%r0, 0x%llx;\nmov.u16 %%h0, 0x%llx;\n", all & 0xffffffff,
                  all & 0xffff);
  return size == 8 ? "%d0" : size == 4 ? "%r0" : "%h0";
}
/* The instruction of the current line stores the latest value. */
static void stores_it(struct maker *k) {
  k->p->stores[k->line - PROGRAM_FIRST_LINE] = (u8)k->value;
}
static const char *target(u32 size) { return size == 8 ? "%d1" : size == 4 ? "%r1" : "%h1"; }

/* Elements of a vector have no order among them: such a release or acquire is left out. */
static void load_store(struct maker *k, const char *how, struct spot s, bool store) {
  const char *v = store ? value(k, s.size) : NULL;
  bool fits = s.size >= 4 && s.offset % (2 * s.size) == 0 && s.size * 2 + s.offset <= AREA;
  bool pair = fits && s.name[0] != '%' && !strstr(how, "release") && !strstr(how, "acquire") &&
              k->mixed && chance(k, 1);
  loc(k);
  if (store) stores_it(k);
  strbuf_printf(&k->out, "%s%s.%s%s.u%u ", store ? "st" : "ld", how, s.space, pair ? ".v2" : "",
                s.size * 8);
  if (store && pair)
    strbuf_printf(&k->out, "[%s+%u], {%s, %s};\n", s.name, s.offset, v, v);
  else if (store)
    strbuf_printf(&k->out, "[%s+%u], %s;\n", s.name, s.offset, v);
  else if (pair)
    strbuf_printf(&k->out, "{%s, %s}, [%s+%u];\n", target(s.size), s.size == 8 ? "%d2" : "%r2",
                  s.name, s.offset);
  else
    strbuf_printf(&k->out, "%s, [%s+%u];\n", target(s.size), s.name, s.offset);
}

static void plain(struct maker *k) {
  load_store(k, chance(k, 1) ? ".weak" : "", spot(k, chance(k, k->mixed ? 1 : 0)), chance(k, 4));
}

static void strong(struct maker *k) {
  char how[40];
  bool store = chance(k, 4);
  const char *s = scope(k);
  if (k->mixed && chance(k, 1))
    snprintf(how, sizeof how, ".volatile");
  else
    snprintf(how, sizeof how, ".%s.%s",
             chance(k, 4) ? "relaxed"
             : store      ? "release"
                          : "acquire",
             s);
  load_store(k, how, spot(k, !chance(k, 1)), store);
}

static void atomic(struct maker *k) {
  struct spot s = spot(k, !chance(k, 1));
  bool red = !k->no_sums && chance(k, 3), cas = !red && chance(k, 2),
       exch = k->no_sums || chance(k, 3);
  if (s.size < 4) s.size = 4;
  s.offset &= ~(s.size - 1);
  const char *sem = red ? ONE_OF(k, "relaxed", "relaxed", "release")
                        : ONE_OF(k, "relaxed", "relaxed", "acquire", "release", "acq_rel");
  const char *sc = scope(k), *v = value(k, s.size);
  loc(k);
  if (cas || (!red && exch))
    stores_it(k);
  else
    k->p->has_sums = true;
  u32 bits = s.size * 8;
  if (red)
    strbuf_printf(&k->out, "red.%s.%s.%s.add.u%u [%s+%u], %s;\n", sem, sc, s.space, bits, s.name,
                  s.offset, v);
  else if (cas)
    strbuf_printf(&k->out, "atom.%s.%s.%s.cas.b%u %s, [%s+%u], %u, %s;\n", sem, sc, s.space, bits,
                  target(s.size), s.name, s.offset, below(k, 2), v);
  else
    strbuf_printf(&k->out, "atom.%s.%s.%s.%s%u %s, [%s+%u], %s;\n", sem, sc, s.space,
                  exch ? "exch.b" : ONE_OF(k, "add.u", "or.b"), bits, target(s.size), s.name,
                  s.offset, v);
}

static void fence(struct maker *k) {
  const char *sc = scope(k);
  loc(k);
  if (chance(k, 1))
    strbuf_printf(&k->out, "membar.%s;\n", ONE_OF(k, "cta", "gl", "sys"));
  else
    strbuf_printf(&k->out, "fence.%s.%s;\n",
                  ONE_OF(k, "sc", "acq_rel", "acq_rel", "acq_rel", "acquire", "release"), sc);
}

static void thread_phase(struct maker *k) {
  u32 n = 1 + below(k, OPS_MAX);
  for (u32 i = 0; i < n; i++) {
    if (chance(k, k->weak))
      plain(k);
    else if (chance(k, 3))
      fence(k);
    else if (chance(k, 4))
      strong(k);
    else
      atomic(k);
  }
}

/* ---- where the threads are ---- */
static void place(struct maker *k) {
  struct program *p = k->p;
  k->has_cluster = chance(k, 1);
  p->cluster = k->has_cluster ? 2 : 1;
  p->blocks = k->has_cluster ? 2 + 2 * below(k, 2) : 1 + below(k, 3);
  bool two_warps = chance(k, 3);
  u32 lanes = 1 + below(k, 3), want = 2 + below(k, PROGRAM_THREADS - 1);
  p->warps_per_block = two_warps ? 2 : 1;
  p->block_threads = two_warps ? 32 + lanes : lanes;
  if (p->blocks == 1 && !two_warps && lanes == 1) p->block_threads = lanes = 2;
  for (u32 l = 0; l < lanes; l++)
    for (u32 w = 0; w < p->warps_per_block; w++)
      for (u32 b = 0; b < p->blocks && p->thread_count < want; b++)
        p->ids[p->thread_count++] = (b * p->warps_per_block + w) * 32 + l;
}

/* Lanes of thread t's warp that act, t's own among them. */
static u32 warp_mates(const struct program *p, u32 t) {
  u32 mask = 0;
  for (u32 i = 0; i < p->thread_count; i++)
    if (p->ids[i] / 32 == p->ids[t] / 32) mask |= 1u << p->ids[i] % 32;
  return mask;
}

/* In %m: the lanes that this one meets after the phase; 0 = none. A lane's mates agree. */
static void choose_masks(struct maker *k, u32 *mask) {
  const struct program *p = k->p;
  for (u32 t = 0; t < p->thread_count; t++) mask[t] = 0;
  for (u32 t = 0; t < p->thread_count; t++) {
    u32 mates = warp_mates(p, t), self = 1u << p->ids[t] % 32;
    if (mask[t] || (mates & (self - 1)) || !chance(k, 3)) continue; /* the lowest one decides */
    u32 meet = chance(k, 4) ? mates : mates & (u32)(rng_next(&k->rng) >> 20);
    for (u32 i = 0; i < p->thread_count; i++)
      if (p->ids[i] / 32 == p->ids[t] / 32 && meet >> p->ids[i] % 32 & 1) mask[i] = meet;
  }
}

/* Instructions of each thread's own, or the same for all lanes of a warp. */
static void bodies(struct maker *k, u32 ph, const u32 *mask) {
  struct program *p = k->p;
  u32 joint[PROGRAM_THREADS], joint_count = 0;
  for (u32 t = 0; t < p->thread_count; t++) {
    bool done = false;
    for (u32 i = 0; i < joint_count; i++) done |= joint[i] == p->ids[t] / 32;
    if (done) continue;
    bool first = !(warp_mates(p, t) & ((1u << p->ids[t] % 32) - 1));
    k->is_joint = first && !k->no_sums && chance(k, 2);
    if (k->is_joint) {
      p->has_sums = true; /* a line's value is no longer one thread's */
      joint[joint_count++] = p->ids[t] / 32;
      strbuf_printf(&k->out, "shr.u32 %%r2, %%id, 5;\nsetp.ne.u32 %%p, %%r2, %u;\n",
                    p->ids[t] / 32);
    } else {
      strbuf_printf(&k->out, "setp.ne.u32 %%p, %%id, %u;\n", p->ids[t]);
    }
    strbuf_printf(&k->out, "@%%p bra N%u_%u;\nmov.u32 %%m, %u;\n", ph, t, mask[t]);
    if (k->is_joint) { /* who acts, and which mask each has */
      strbuf_printf(&k->out, "mov.u32 %%r2, 0;\n");
      for (u32 i = 0; i < p->thread_count; i++)
        if (p->ids[i] / 32 == p->ids[t] / 32)
          strbuf_printf(
              &k->out, "setp.eq.u32 %%p, %%id, %u;\n@%%p mov.u32 %%m, %u;\n@%%p mov.u32 %%r2, 1;\n",
              p->ids[i], mask[i]);
      strbuf_printf(&k->out, "setp.eq.u32 %%p, %%r2, 0;\n@%%p mov.u32 %%m, 0;\n@%%p bra J%u;\n",
                    ph);
    }
    thread_phase(k);
    strbuf_printf(&k->out, "bra J%u;\nN%u_%u:\n", ph, ph, t);
    k->is_joint = false;
  }
}

static void phase(struct maker *k, u32 ph, bool last) {
  struct program *p = k->p;
  u32 mask[PROGRAM_THREADS];
  choose_masks(k, mask);
  strbuf_printf(&k->out, "mov.u32 %%m, 0;\n");
  bodies(k, ph, mask);
  strbuf_printf(&k->out, "J%u:\n", ph);
  if (last) return;
  strbuf_printf(&k->out, "setp.eq.u32 %%p, %%m, 0;\n@%%p bra W%u;\nbar.warp.sync %%m;\nW%u:\n", ph,
                ph);
  u32 meet = below(k, 1u << p->blocks); /* the blocks with a barrier here */
  if (!meet) return;
  strbuf_printf(&k->out, "shr.u32 %%m, %u, %%b;\nand.b32 %%m, %%m, 1;\nsetp.eq.u32 %%p, %%m, 0;\n",
                meet);
  strbuf_printf(&k->out, "@%%p bra B%u;\n%s\nB%u:\n", ph,
                ONE_OF(k, "barrier.sync 0;", "bar.sync 0;", "bar.red.or.pred %q, 0, %p;"), ph);
}

/* Lanes that have nothing to do leave at once, or come along to the barriers. */
static void idle(struct maker *k) {
  if (!k->idle_leave) return;
  for (u32 t = 0; t < k->p->thread_count; t++)
    strbuf_printf(&k->out, "setp.eq.u32 %%p, %%id, %u;\n@%%p bra S;\n", k->p->ids[t]);
  strbuf_printf(&k->out, "ret;\nS:\n");
}

struct program program_make(struct arena *keep, u64 seed) {
  struct program p = {0};
  struct maker k = {
      .rng = seed * 0x9e3779b97f4a7c15ull + 1, .p = &p, .line = PROGRAM_FIRST_LINE - 1};
  for (u32 i = 0; i < 4; i++) rng_next(&k.rng);
  k.phases = 1 + below(&k, PHASES_MAX);
  k.mixed = below(&k, 3) ? below(&k, 8) : 0;
  k.weak = 1 + below(&k, 3);
  k.idle_leave = chance(&k, 4);
  k.no_sums = chance(&k, 5);
  place(&k);
  strbuf_printf(&k.out,
                ".version 8.6\n.target sm_90\n.address_size 64\n"
                ".global .align 16 .b8 fg[16];\n.global .align 16 .b8 dg[16];\n"
                ".visible .entry k() {\n"
                ".shared .align 16 .b8 fs[16];\n.shared .align 16 .b8 ds[16];\n"
                ".reg .pred %%p, %%q;\n.reg .b16 %%h<3>;\n.reg .b32 %%r<3>, %%id, %%b, %%m;\n"
                ".reg .b64 %%d<3>, %%a, %%l;\nmov.u32 %%b, %%ctaid.x;\nmov.u32 %%id, %%tid.x;\n"
                "and.b32 %%m, %%id, 3;\nmul.wide.u32 %%l, %%m, 4;\n"
                "mad.lo.u32 %%id, %%b, %u, %%id;\n",
                p.warps_per_block * 32);
  idle(&k);
  for (u32 i = 0; i < k.phases; i++) phase(&k, i, i + 1 == k.phases);
  strbuf_printf(&k.out, "ret;\n}\n.file 1 \"p.ptx\"\n");
  p.text = str_copy(keep, (str){k.out.p, k.out.n});
  strbuf_free(&k.out);
  return p;
}
