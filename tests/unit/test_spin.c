/* test_spin.c - loops that wait: a right one is never called a deadlock or hang, however long it
 * waits and whatever it does meanwhile; a wrong one that repeats its state is proved to be one. */
#include <check.h>
#include <string.h>
#include "unit/weak_world.h"

Suite *suite_spin(void);

#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

enum want {
  GOES_ON = 1 << V_PASS,
  PROVED = 1 << V_DEADLOCK,
  STUCK = 1 << V_DEADLOCK | 1 << V_HANG
};
struct spin_case {
  const char *name, *thread[3]; /* code, ends with ret; "#" stands for the thread's number */
  enum want want;
  enum weak_place place;
  u32 resident;  /* blocks, 0 = all */
  bool anywhere; /* in lanes, in warps, in blocks */
};

/* clang-format off */
/* Registers: %a to %f, %l (64 bits), predicates %p %q. Words: x y z w, 0 at first; m is an mbarrier. */
#define LD(r, v)    "ld.relaxed.gpu.global.u32 %" #r ", [" #v "];"
#define ST(v, n)    "st.relaxed.gpu.global.u32 [" #v "], " #n ";"
#define UNTIL(r, n) "setp.ne.u32 %p, %" #r ", " #n "; @%p bra L#;"
#define WAIT(v, n)  "L#:" LD(a, v) UNTIL(a, n)
/* Counts in a register: n turns without memory. */
#define BUSY(n)     "mov.u32 %e, 0; B#: add.u32 %e, %e, 1; setp.lt.u32 %q, %e, " #n "; @%q bra B#;"
#define BUSY_R(r)   "mov.u32 %e, 0; B#: add.u32 %e, %e, 1; setp.lt.u32 %q, %e, %" #r "; @%q bra B#;"
#define LATER(v)    BUSY(60000) ST(v, 1)
#define LOCK(v)     "K" #v "#: atom.cas.relaxed.gpu.global.b32 %a, [" #v "], 0, 1; setp.ne.u32 %p, %a, 0; @%p bra K" #v "#;"
#define AGAIN(v)    "J" #v "#: atom.cas.relaxed.gpu.global.b32 %a, [" #v "], 0, 1; setp.ne.u32 %p, %a, 0; @%p bra J" #v "#;"
#define GIVE(v)     "atom.exch.relaxed.gpu.global.b32 %a, [" #v "], 0;"
#define MEET        "atom.add.global.u32 %b, [x], 1;" WAIT(x, 3)
#define RET         "ret;"
#define TRY(v)      "mbarrier.try_wait.parity.shared.b64 %p, [" #v "], 0;"
#define INIT(n)     "mbarrier.init.shared.b64 [m], " #n ";"

static const struct spin_case cases[] = {
    /* Right ones. */
    {"flag", {WAIT(x, 1) RET, LATER(x) RET}, GOES_ON},
    {"flag, volatile", {"L#: ld.volatile.global.u32 %a, [x];" UNTIL(a, 1) RET, BUSY(60000) "st.volatile.global.u32 [x], 1;" RET}, GOES_ON},
    {"flag by atomics that change nothing", {"L#: atom.add.global.u32 %a, [x], 0;" UNTIL(a, 1) RET, LATER(x) RET}, GOES_ON},
    {"flag by compare-and-swap", {"L#: atom.cas.relaxed.gpu.global.b32 %a, [x], 1, 2;" UNTIL(a, 1) RET, LATER(x) RET}, GOES_ON},
    {"growing pauses", {"mov.u32 %b, 1; L#:" BUSY_R(b) "shl.b32 %b, %b, 1; min.u32 %b, %b, 1024;" LD(a, x) UNTIL(a, 1) RET, LATER(x) RET}, GOES_ON},
    {"growing pauses, far apart", {"mov.u32 %b, 1; L#:" BUSY_R(b) "mul.lo.u32 %b, %b, 3; min.u32 %b, %b, 30000;" LD(a, x) UNTIL(a, 1) RET, LATER(x) RET}, GOES_ON},
    {"sleeping", {"L#: nanosleep.u32 100;" LD(a, x) UNTIL(a, 1) RET, LATER(x) RET}, GOES_ON},
    {"sleeping longer and longer", {"mov.u32 %b, 8; L#: nanosleep.u32 %b; shl.b32 %b, %b, 1; min.u32 %b, %b, 65536;" LD(a, x) UNTIL(a, 1) RET, LATER(x) RET}, GOES_ON},
    {"both sleep", {"L#: nanosleep.u32 100;" LD(a, x) UNTIL(a, 1) RET, "mov.u32 %b, 0; M#: nanosleep.u32 1000; add.u32 %b, %b, 1; setp.lt.u32 %q, %b, 500; @%q bra M#;" ST(x, 1) RET}, GOES_ON},
    {"tries are counted, nobody comes", {"mov.u32 %b, 0; L#:" LD(a, x) "add.u32 %b, %b, 1; setp.gt.u32 %q, %b, 50000; @%q ret;" UNTIL(a, 1) RET}, GOES_ON},
    {"tries are counted down in local memory", {"st.local.u32 [n], 50000; L#:" LD(a, x) "ld.local.u32 %b, [n]; sub.u32 %b, %b, 1; st.local.u32 [n], %b; setp.eq.u32 %q, %b, 0; @%q ret;" UNTIL(a, 1) RET}, GOES_ON},
    {"tries are counted, in shared memory", {"st.shared.u32 [s], 0; L#:" LD(a, x) "ld.shared.u32 %b, [s]; add.u32 %b, %b, 1; st.shared.u32 [s], %b; setp.gt.u32 %q, %b, 20000; @%q ret;" UNTIL(a, 1) RET}, GOES_ON},
    {"time out by clock64", {"mov.u64 %k, %clock64; L#:" LD(a, x) "mov.u64 %l, %clock64; sub.u64 %l, %l, %k; setp.gt.u64 %q, %l, 100000; @%q ret;" UNTIL(a, 1) RET}, GOES_ON},
    {"time out by clock", {"mov.u32 %c, %clock; L#:" LD(a, x) "mov.u32 %d, %clock; sub.u32 %d, %d, %c; setp.gt.u32 %q, %d, 100000; @%q ret;" UNTIL(a, 1) RET}, GOES_ON},
    {"time out by globaltimer", {"mov.u64 %k, %globaltimer; L#:" LD(a, x) "mov.u64 %l, %globaltimer; sub.u64 %l, %l, %k; setp.gt.u64 %q, %l, 100000; @%q ret;" UNTIL(a, 1) RET}, GOES_ON},
    {"time out by clock64, asked every 64 turns", {"mov.u64 %k, %clock64; L#: mov.u32 %b, 0; M#:" LD(a, x) "setp.eq.u32 %q, %a, 1; @%q ret; add.u32 %b, %b, 1; setp.lt.u32 %q, %b, 64; @%q bra M#; mov.u64 %l, %clock64; sub.u64 %l, %l, %k; setp.lt.u64 %q, %l, 100000; @%q bra L#;" RET}, GOES_ON},
    {"a lock, tried with pauses", {"mov.u32 %f, 0; L#: atom.cas.acquire.gpu.global.b32 %a, [x], 0, 1; setp.eq.u32 %p, %a, 0; @%p bra I#; nanosleep.u32 40; bra L#; I#:" BUSY(300) "st.release.gpu.global.u32 [x], 0; add.u32 %f, %f, 1; setp.lt.u32 %p, %f, 8; @%p bra L#;" RET, "mov.u32 %f, 0; L#: atom.cas.acquire.gpu.global.b32 %a, [x], 0, 1; setp.eq.u32 %p, %a, 0; @%p bra I#; bra L#; I#:" BUSY(300) "st.release.gpu.global.u32 [x], 0; add.u32 %f, %f, 1; setp.lt.u32 %p, %f, 8; @%p bra L#;" RET}, GOES_ON},
    {"a ticket, sleeping by the distance", {"atom.add.global.u32 %b, [x], 1; L#: ld.acquire.gpu.global.u32 %a, [y]; sub.u32 %c, %b, %a; mul.lo.u32 %c, %c, 64; nanosleep.u32 %c; setp.ne.u32 %p, %a, %b; @%p bra L#;" BUSY(20000) "add.u32 %a, %a, 1; st.release.gpu.global.u32 [y], %a;" RET, "atom.add.global.u32 %b, [x], 1; L#: ld.acquire.gpu.global.u32 %a, [y]; setp.ne.u32 %p, %a, %b; @%p bra L#;" BUSY(20000) "add.u32 %a, %a, 1; st.release.gpu.global.u32 [y], %a;" RET}, GOES_ON},
    {"a search in rounds", {"L#:" LD(a, x) LD(b, y) LD(c, z) "add.u32 %a, %a, %b; add.u32 %a, %a, %c;" UNTIL(a, 1) RET, LATER(z) RET}, GOES_ON},
    {"a search by turns", {"mov.u32 %b, 0; L#: shl.b32 %b, %b, 2; cvt.u64.u32 %l, %b; mov.u64 %k, x; add.u64 %l, %l, %k; ld.relaxed.gpu.global.u32 %a, [%l]; shr.u32 %b, %b, 2; add.u32 %b, %b, 1; and.b32 %b, %b, 1;" UNTIL(a, 1) RET, BUSY(60000) "st.relaxed.gpu.global.u32 [x+4], 1;" RET}, GOES_ON},
    {"a pulse, watched", {"mov.u32 %b, 0; L#: add.u32 %b, %b, 1; st.relaxed.gpu.global.u32 [y], %b;" LD(a, x) UNTIL(a, 1) RET, "L#:" LD(a, y) "setp.lt.u32 %p, %a, 2000; @%p bra L#;" ST(x, 1) RET}, GOES_ON},
    {"the same value stored each turn", {"L#:" ST(y, 7) LD(a, x) UNTIL(a, 1) RET, LATER(x) RET}, GOES_ON},
    {"there and back", {"mov.u32 %b, 0; M#: add.u32 %b, %b, 1; st.relaxed.gpu.global.u32 [x], %b; L#:" LD(a, y) "setp.ne.u32 %p, %a, %b; @%p bra L#; setp.lt.u32 %p, %b, 60; @%p bra M#;" RET, "mov.u32 %b, 0; M#: add.u32 %b, %b, 1; L#:" LD(a, x) "setp.ne.u32 %p, %a, %b; @%p bra L#; st.relaxed.gpu.global.u32 [y], %b; setp.lt.u32 %p, %b, 60; @%p bra M#;" RET}, GOES_ON},
    {"a long sum of what does not change", {"mov.u32 %b, 0; mov.u32 %c, 0; L#:" LD(a, x) "add.u32 %c, %c, %a; add.u32 %b, %b, 1; setp.lt.u32 %p, %b, 50000; @%p bra L#;" RET}, GOES_ON},
    {"a long loop of registers only", {BUSY(200000) RET}, GOES_ON},
    {"a generator in the loop", {"mov.u32 %b, 1; L#: mad.lo.u32 %b, %b, 1664525, 1013904223;" LD(a, x) "setp.eq.u32 %q, %b, 3; @%q ret;" UNTIL(a, 1) RET, LATER(x) RET}, GOES_ON},
    {"for a block that begins later", {WAIT(x, 1) RET, BUSY(3000) RET, LATER(x) RET}, GOES_ON, APART, 2},
    {"lanes of one warp", {WAIT(x, 1) RET, LATER(x) RET}, GOES_ON, LANES},
    {"lanes of one warp, there and back", {LD(a, x) ST(x, 1) WAIT(y, 1) RET, WAIT(x, 1) BUSY(5000) ST(y, 1) RET}, GOES_ON, LANES},
    {"warps of a block, one at a barrier afterwards", {WAIT(x, 1) "barrier.sync 1;" RET, LATER(x) "barrier.sync 1;" RET}, GOES_ON, WARPS},
    {"tries at an mbarrier are counted", {INIT(1) "mov.u32 %b, 0; L#:" TRY(m) "@%p ret; add.u32 %b, %b, 1; setp.lt.u32 %q, %b, 3000; @%q bra L#;" RET}, GOES_ON},
    {"time out at an mbarrier", {INIT(1) "mov.u64 %k, %globaltimer; L#:" TRY(m) "@%p ret; mov.u64 %l, %globaltimer; sub.u64 %l, %l, %k; setp.lt.u64 %q, %l, 3000000; @%q bra L#;" RET}, GOES_ON},
    {"an mbarrier, a late arrival", {INIT(1) "barrier.sync 1; L#:" TRY(m) "@!%p bra L#;" RET, "barrier.sync 1;" BUSY(60000) "mbarrier.arrive.shared.b64 _, [m];" RET}, GOES_ON, WARPS},
    {"an mbarrier, the arrival after a flag", {INIT(1) "barrier.sync 1; L#:" TRY(m) "@!%p bra L#;" RET, "barrier.sync 1;" WAIT(x, 1) "mbarrier.arrive.shared.b64 _, [m];" RET, "barrier.sync 1; mov.u32 %b, 0; M#: nanosleep.u32 500; add.u32 %b, %b, 1; setp.lt.u32 %q, %b, 300; @%q bra M#;" ST(x, 1) RET}, GOES_ON, WARPS},
    /* Busy loops: each of their turns changes memory, and somebody needs a gap in it. */
    {"under one lock, tried again and again", {"L#:" LOCK(x) LD(b, y) GIVE(x) "setp.ne.u32 %p, %b, 1; @%p bra L#;" RET, LOCK(x) ST(y, 1) GIVE(x) RET}, GOES_ON, .anywhere = true},
    {"under one lock, the loop jumps back when it has it", {LOCK(x) "L#:" LD(b, y) GIVE(x) "setp.eq.u32 %q, %b, 1; @%q ret;" AGAIN(x) "bra L#;", LOCK(x) ST(y, 1) GIVE(x) RET}, GOES_ON, .anywhere = true},
    {"under one lock, both look for the other", {LOCK(x) ST(z, 1) "L#:" LD(b, y) GIVE(x) "setp.eq.u32 %q, %b, 1; @%q ret;" AGAIN(x) "bra L#;", LOCK(x) "L#:" LD(b, z) "setp.eq.u32 %q, %b, 1; @%q bra D#;" GIVE(x) AGAIN(x) "bra L#; D#:" ST(y, 1) GIVE(x) RET}, GOES_ON, .anywhere = true},
    {"under one lock, a third waits too", {LOCK(x) "L#:" LD(b, y) GIVE(x) "setp.eq.u32 %q, %b, 1; @%q ret;" AGAIN(x) "bra L#;", LOCK(x) "L#:" LD(b, y) GIVE(x) "setp.eq.u32 %q, %b, 1; @%q ret;" AGAIN(x) "bra L#;", LOCK(x) ST(y, 1) GIVE(x) RET}, GOES_ON, .anywhere = true},
    {"under two locks, hand over hand", {LOCK(x) "L#:" LOCK(z) GIVE(x) LD(b, y) "setp.eq.u32 %q, %b, 1; @%q bra D#;" GIVE(z) AGAIN(x) "bra L#; D#:" GIVE(z) RET, LOCK(x) LOCK(z) ST(y, 1) GIVE(z) GIVE(x) RET}, GOES_ON, .anywhere = true},
    {"a gap in each turn, the store last", {ST(x, 1) "L#:" LD(b, y) ST(x, 0) "setp.eq.u32 %q, %b, 1; @%q ret;" ST(x, 1) "bra L#;", "M#:" LD(a, w) "setp.eq.u32 %q, %a, 0; @%q bra M#; L#:" LD(a, x) "setp.ne.u32 %p, %a, 0; @%p bra L#;" ST(y, 1) RET, BUSY(5000) ST(w, 1) RET}, GOES_ON, .anywhere = true},
    {"a value that comes by now and then", {"mov.u32 %c, 0; L#: add.u32 %c, %c, 1; and.b32 %c, %c, 15; st.relaxed.gpu.global.u32 [x], %c;" LD(b, y) "setp.ne.u32 %p, %b, 1; @%p bra L#;" RET, "L#:" LD(a, x) "setp.ne.u32 %p, %a, 9; @%p bra L#;" ST(y, 1) RET}, GOES_ON, .anywhere = true},
    /* Wrong ones that come back to the same state: proved. */
    {"no flag", {WAIT(x, 1) RET, BUSY(500) RET}, PROVED},
    {"another value", {WAIT(x, 2) RET, LATER(x) RET}, PROVED},
    {"no flag, sleeping", {"L#: nanosleep.u32 100;" LD(a, x) UNTIL(a, 1) RET}, PROVED},
    {"no flag, atomics that change nothing", {"L#: atom.add.global.u32 %a, [x], 0;" UNTIL(a, 1) RET}, PROVED},
    {"no flag, the same value stored each turn", {"L#:" ST(y, 7) LD(a, x) UNTIL(a, 1) RET}, STUCK},
    {"a lock taken twice", {LOCK(x) "add.u32 %b, %b, 1; L#: atom.cas.relaxed.gpu.global.b32 %a, [x], 0, 1;" UNTIL(a, 0) RET}, PROVED},
    {"two locks, crosswise", {LOCK(x) ST(z, 1) "L#:" LD(a, w) UNTIL(a, 1) LOCK(y) RET, LOCK(y) ST(w, 1) "L#:" LD(a, z) UNTIL(a, 1) LOCK(x) RET}, PROVED},
    {"flags, crosswise", {WAIT(x, 1) ST(y, 1) RET, WAIT(y, 1) ST(x, 1) RET}, PROVED},
    {"flags, crosswise in a warp", {WAIT(x, 1) ST(y, 1) RET, WAIT(y, 1) ST(x, 1) RET}, PROVED, LANES},
    {"a search in rounds, in vain", {"L#:" LD(a, x) LD(b, y) "add.u32 %a, %a, %b;" UNTIL(a, 1) RET}, PROVED},
    {"a search by turns, in vain", {"mov.u32 %b, 0; L#: shl.b32 %b, %b, 2; cvt.u64.u32 %l, %b; mov.u64 %k, x; add.u64 %l, %l, %k; ld.relaxed.gpu.global.u32 %a, [%l]; shr.u32 %b, %b, 2; add.u32 %b, %b, 1; and.b32 %b, %b, 1;" UNTIL(a, 1) RET}, PROVED},
    {"growing pauses up to a bound, in vain", {"mov.u32 %b, 1; L#:" BUSY_R(b) "shl.b32 %b, %b, 1; min.u32 %b, %b, 64;" LD(a, x) UNTIL(a, 1) RET}, STUCK},
    {"tries counted for ever", {"mov.u32 %b, 0; L#:" LD(a, x) "add.u32 %b, %b, 1;" UNTIL(a, 1) RET}, STUCK},
    {"the clock is asked for ever", {"L#: mov.u64 %l, %clock64;" LD(a, x) UNTIL(a, 1) RET}, STUCK},
    {"for blocks that never begin", {MEET RET, MEET RET, MEET RET}, PROVED, APART, 2},
    {"for one at a barrier", {WAIT(x, 1) "barrier.sync 1;" RET, "barrier.sync 1;" ST(x, 1) RET}, PROVED, WARPS},
    {"for a lane at a warp barrier", {WAIT(x, 1) "bar.warp.sync 3;" RET, "bar.warp.sync 3;" ST(x, 1) RET}, PROVED, LANES},
    {"an mbarrier, an arrival too few", {INIT(2) "mbarrier.arrive.shared.b64 _, [m]; L#:" TRY(m) "@!%p bra L#;" RET}, PROVED},
    {"an mbarrier, and a flag behind it", {INIT(1) "barrier.sync 1; L#:" TRY(m) "@!%p bra L#;" ST(x, 1) RET, "barrier.sync 1;" WAIT(x, 1) "mbarrier.arrive.shared.b64 _, [m];" RET}, PROVED, WARPS},
};
/* clang-format on */

static void add_body(struct strbuf *b, const char *code, u32 i) {
  strbuf_printf(b, "T%u:\n", i);
  for (const char *p = code; *p; p++) {
    if (*p == '#')
      strbuf_printf(b, "%u", i);
    else if (*p == ';' || *p == ':')
      strbuf_printf(b, "%c\n", *p);
    else
      strbuf_add(b, p, 1);
  }
}

static str program(struct arena *a, const struct spin_case *c, enum weak_place place, u32 n) {
  struct strbuf b = {0};
  strbuf_printf(&b, ".version 8.0\n.target sm_90\n.address_size 64\n");
  strbuf_printf(
      &b, ".global .align 16 .u32 x[2];\n.global .u32 y;\n.global .u32 z;\n.global .u32 w;\n");
  strbuf_printf(&b, ".visible .entry k() {\n.shared .b64 m;\n.shared .u32 s;\n.local .u32 n;\n"
                    ".reg .pred %%p, %%q;\n.reg .b32 %%i, %%a, %%b, %%c, %%d, %%e, %%f;\n"
                    ".reg .b64 %%l, %%k;\nmov.u32 %%b, 0;\n");
  if (place == APART)
    strbuf_printf(&b, "mov.u32 %%i, %%ctaid.x;\n");
  else if (place == LANES)
    strbuf_printf(&b, "mov.u32 %%i, %%tid.x;\n");
  else
    strbuf_printf(
        &b, "mov.u32 %%i, %%tid.x;\nand.b32 %%a, %%i, 31;\nsetp.ne.u32 %%p, %%a, 0;\n@%%p ret;\n"
            "shr.u32 %%i, %%i, 5;\n");
  for (u32 i = 1; i < n; i++) strbuf_printf(&b, "setp.eq.u32 %%p, %%i, %u;\n@%%p bra T%u;\n", i, i);
  for (u32 i = 0; i < n; i++) add_body(&b, c->thread[i], i);
  strbuf_printf(&b, "}\n");
  str text = str_copy(a, (str){b.p, b.n});
  strbuf_free(&b);
  return text;
}

static const struct {
  enum vm_schedule_kind kind;
  u64 seed;
} plan[] = {{VM_CONVERGED, 0}, {VM_REVERSED, 0}, {VM_SPLIT, 0},       {VM_SPLIT_REVERSED, 0},
            {VM_RANDOM, 1},    {VM_RANDOM, 2},   {VM_ADVERSARIAL, 1}, {VM_ADVERSARIAL, 2},
            {VM_BUFFERED, 1},  {VM_BUFFERED, 2}, {VM_BUFFERED, 3},    {VM_TIMED, 0}};

static void judge_case(const struct spin_case *c, enum weak_place place) {
  struct arena a = {0};
  struct ptx_module *module;
  struct diag why = {0};
  u32 n = 0;
  while (n < COUNT_OF(c->thread) && c->thread[n]) n++;
  str text = program(&a, c, place, n);
  if (!ptx_parse(&a, text, &module, &why))
    ck_abort_msg("%s: line %u: %s\n" STR_F, c->name, why.line, why.text, STR_A(text));
  for (u32 i = 0; i < COUNT_OF(plan); i++) {
    struct vm_config like = {.schedule = plan[i].kind,
                             .max_steps = 4000000, /* that of a puzzle */
                             .sm_count = c->resident ? 1 : 0,
                             .blocks_per_sm = c->resident};
    u32 blocks = place == APART ? n : 1;
    u32 threads = place == APART ? 1 : place == LANES ? n : n * 32;
    enum verdict_kind v = weak_run(module, blocks, threads, plan[i].seed, &like, NULL);
    if (!((u32)c->want >> v & 1))
      ck_abort_msg("%s: place %u, schedule %s, seed %u: %s", c->name, place,
                   vm_schedule_name(plan[i].kind), (u32)plan[i].seed, verdict_text(v));
  }
  arena_free(&a);
}

START_TEST(waits) {
  static const enum weak_place places[] = {APART, WARPS, LANES};
  const struct spin_case *c = &cases[_i];
  if (!c->anywhere) judge_case(c, c->place);
  for (u32 i = 0; c->anywhere && i < COUNT_OF(places); i++) judge_case(c, places[i]);
}
END_TEST

/* A wait in a header of the toolkit is told by the learner's line, though nothing says that the
 * header was inlined there. */
START_TEST(in_a_header) {
  static const char text[] =
      ".version 8.0\n.target sm_90\n.address_size 64\n.global .u32 x;\n"
      ".visible .entry k() {\n.reg .pred %p;\n.reg .b32 %a;\n"
      ".loc 1 6 0\nmov.u32 %a, 0;\n.loc 1 7 0\nadd.u32 %a, %a, 1;\nL:\n"
      ".loc 2 98 0\nld.relaxed.gpu.global.u32 %a, [x];\n"
      "setp.ne.u32 %p, %a, 1;\n@%p bra L;\n.loc 1 9 0\nret;\n}\n"
      ".file 1 \"k.cu\"\n"
      ".file 2 \"/usr/local/cuda/include/cooperative_groups/details/sync.h\"\n";
  struct arena a = {0};
  struct ptx_module *module;
  struct diag why = {0};
  struct vm_machine *m;
  struct vm_counters counters;
  u32 n;
  ck_assert_msg(ptx_parse(&a, str_of(text), &module, &why), "%s", why.text);
  ck_assert(vm_create(module, &(struct vm_config){0}, &m, &why));
  struct detect *d = detect_create(&a, m, NULL);
  struct vm_launch l = {.kernel = ptx_kernel(module, STR("k"), &why), .params = (const u8 *)""};
  ck_assert_int_eq(vm_run(m, &l, &counters, &why), VM_STOPPED);
  const struct finding *const *f = detect_findings(d, &n, NULL);
  ck_assert_uint_eq(n, 1);
  ck_assert_int_eq(f[0]->kind, V_DEADLOCK);
  ck_assert_str_eq(f[0]->accesses[0].file, "k.cu");
  ck_assert_uint_eq(f[0]->accesses[0].line, 7);
  ck_assert_ptr_nonnull(strstr(f[0]->waits, "k.cu:7"));
  detect_destroy(d);
  vm_destroy(m);
  arena_free(&a);
}
END_TEST

Suite *suite_spin(void) {
  Suite *s = suite_create("spin");
  TCase *t = tcase_create("spin");
  tcase_set_timeout(t, 120);
  tcase_add_loop_test(t, waits, 0, COUNT_OF(cases));
  tcase_add_test(t, in_a_header);
  suite_add_tcase(s, t);
  return s;
}
