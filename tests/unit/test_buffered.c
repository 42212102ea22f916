/* test_buffered.c - the `buffered` schedule against the memory model (PTX ISA 8.9, 8.10): outcomes
 * that delayed stores explain are shown by some seed, forbidden ones by none. Then every program of
 * tests/litmus. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "exec/exec_case.h"
#include "unit/weak_world.h"

Suite *suite_buffered(void);

/* A field left out is 0: anything will do. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/* clang-format off */
/* In the programs "$" stands for the space. */
#define ST(v, n)   "st.relaxed.gpu.$.u32 [" #v "], " #n ";"
#define STR_(v, n) "st.release.gpu.$.u32 [" #v "], " #n ";"
#define LD(r, v)   "ld.relaxed.gpu.$.u32 %" #r ", [" #v "];"
#define LDA(r, v)  "ld.acquire.gpu.$.u32 %" #r ", [" #v "];"
#define SC         "fence.sc.gpu;"
#define SC_CTA     "fence.sc.cta;"
#define AR         "fence.acq_rel.gpu;"
#define AR_CTA     "fence.acq_rel.cta;"
#define BAR        "barrier.sync 2;"
/* Waits until v is 1; of each thread another label. */
#define WAIT(r, v, label) #label ":" LD(r, v) "setp.ne.u32 %p, %" #r ", 1; @%p bra " #label ";"

static const struct weak_case cases[] = {
    /* Store buffering: x = 1; read y | y = 1; read x. Only fence.sc on both sides forbids 0, 0. */
    {"sb", APART, "global", {ST(x, 1) LD(a, y), ST(y, 1) LD(a, x)}, {0, 0}, {ANY, ANY}, SHOWN, 0},
    {"sb in a block", WARPS, "global", {ST(x, 1) LD(a, y), ST(y, 1) LD(a, x)}, {0, 0}, {ANY, ANY},
     SHOWN, 0},
    {"sb in a warp", LANES, "global", {ST(x, 1) LD(a, y), ST(y, 1) LD(a, x)}, {0, 0}, {ANY, ANY},
     SHOWN, 0},
    {"sb in shared memory", WARPS, "shared", {ST(x, 1) LD(a, y), ST(y, 1) LD(a, x)}, {0, 0},
     {ANY, ANY}, SHOWN, 0},
    {"sb release acquire", APART, "global", {STR_(x, 1) LDA(a, y), STR_(y, 1) LDA(a, x)}, {0, 0},
     {ANY, ANY}, SHOWN, 0},
    {"sb acq_rel fences", APART, "global", {ST(x, 1) AR LD(a, y), ST(y, 1) AR LD(a, x)}, {0, 0},
     {ANY, ANY}, SHOWN, 0},
    {"sb one fence.sc", APART, "global", {ST(x, 1) SC LD(a, y), ST(y, 1) LD(a, x)}, {0, 0},
     {ANY, ANY}, SHOWN, 0},
    {"sb fence.sc", APART, "global", {ST(x, 1) SC LD(a, y), ST(y, 1) SC LD(a, x)}, {0, 0},
     {ANY, ANY}, NEVER, 0},
    {"sb fence.sc in a warp", LANES, "global", {ST(x, 1) SC LD(a, y), ST(y, 1) SC LD(a, x)}, {0, 0},
     {ANY, ANY}, NEVER, 0},
    {"sb fence.sc in shared memory", WARPS, "shared",
     {ST(x, 1) SC_CTA LD(a, y), ST(y, 1) SC_CTA LD(a, x)}, {0, 0}, {ANY, ANY}, NEVER, 0},
    {"sb small fences, blocks apart", APART, "global",
     {ST(x, 1) SC_CTA LD(a, y), ST(y, 1) SC_CTA LD(a, x)}, {0, 0}, {ANY, ANY}, SHOWN, 0},
    {"sb small fences, one block", WARPS, "global",
     {ST(x, 1) SC_CTA LD(a, y), ST(y, 1) SC_CTA LD(a, x)}, {0, 0}, {ANY, ANY}, NEVER, 0},
    {"sb, a small fence and a look at one's own", APART, "global",
     {ST(x, 1) SC_CTA LD(b, x) LD(a, y), ST(y, 1) SC_CTA LD(b, y) LD(a, x)}, {0, 0}, {1, 1}, SHOWN,
     0},
    {"sb membar", APART, "global", {ST(x, 1) "membar.gl;" LD(a, y), ST(y, 1) "membar.gl;" LD(a, x)},
     {0, 0}, {ANY, ANY}, NEVER, 0},
    {"sb, the reads are atomics", APART, "global",
     {ST(x, 1) "atom.add.global.u32 %a, [y], 0;", ST(y, 1) "atom.add.global.u32 %a, [x], 0;"},
     {0, 0}, {ANY, ANY}, SHOWN, 0},
    {"sb, the writes are atomics", APART, "global",
     {"atom.exch.global.b32 %b, [x], 1;" LD(a, y), "atom.exch.global.b32 %b, [y], 1;" LD(a, x)},
     {0, 0}, {ANY, ANY}, SHOWN, 0},
    {"sb, the writes are atomics, fences", APART, "global",
     {"atom.exch.global.b32 %b, [x], 1;" AR LD(a, y), "atom.exch.global.b32 %b, [y], 1;" AR LD(a, x)},
     {0, 0}, {ANY, ANY}, NEVER, 0}, /* allowed; this machine performs atomics at once */
    {"sb weak", APART, "global",
     {"st.$.u32 [x], 1; ld.$.u32 %a, [y];", "st.$.u32 [y], 1; ld.$.u32 %a, [x];"}, {0, 0},
     {ANY, ANY}, SHOWN, 1},
    {"sb volatile", APART, "global",
     {"st.volatile.$.u32 [x], 1; ld.volatile.$.u32 %a, [y];",
      "st.volatile.$.u32 [y], 1; ld.volatile.$.u32 %a, [x];"}, {0, 0}, {ANY, ANY}, SHOWN, 0},
    {"sb with own reads", APART, "global", {ST(x, 1) LD(b, x) LD(a, y), ST(y, 1) LD(b, y) LD(a, x)},
     {0, 0}, {1, 1}, SHOWN, 0},
    {"own store is read", APART, "global", {ST(x, 1) LD(a, x), ST(y, 1) LD(a, y)}, {0, ANY},
     {ANY, ANY}, NEVER, 0},
    /* Message passing: x = 1; y = 1 | read y; read x. */
    {"mp", APART, "global", {ST(x, 1) ST(y, 1), LD(a, y) LD(b, x)}, {ANY, 1}, {ANY, 0}, SHOWN, 0},
    {"mp in a warp", LANES, "global", {ST(x, 1) ST(y, 1), LD(a, y) LD(b, x)}, {ANY, 1}, {ANY, 0},
     SHOWN, 0},
    {"mp in shared memory", WARPS, "shared", {ST(x, 1) ST(y, 1), LD(a, y) LD(b, x)}, {ANY, 1},
     {ANY, 0}, SHOWN, 0},
    {"mp weak data", APART, "global", {"st.$.u32 [x], 1;" ST(y, 1), LD(a, y) "ld.$.u32 %b, [x];"},
     {ANY, 1}, {ANY, 0}, SHOWN, 1},
    {"mp weak data, flag by an atomic", APART, "global",
     {"st.$.u32 [x], 1; atom.exch.global.b32 %c, [y], 1;", LD(a, y) "ld.$.u32 %b, [x];"}, {ANY, 1},
     {ANY, 0}, SHOWN, 1},
    {"mp reader's fence only", APART, "global", {ST(x, 1) ST(y, 1), LD(a, y) AR LD(b, x)}, {ANY, 1},
     {ANY, 0}, SHOWN, 0},
    {"mp fences", APART, "global", {ST(x, 1) AR ST(y, 1), LD(a, y) AR LD(b, x)}, {ANY, 1}, {ANY, 0},
     NEVER, 0},
    {"mp fences, flag by an atomic", APART, "global",
     {ST(x, 1) AR "atom.exch.global.b32 %c, [y], 1;", LD(a, y) AR LD(b, x)}, {ANY, 1}, {ANY, 0},
     NEVER, 0},
    {"mp fences, flag by red.release", APART, "global",
     {ST(x, 1) "red.release.gpu.global.add.u32 [y], 1;", LD(a, y) AR LD(b, x)}, {ANY, 1}, {ANY, 0},
     NEVER, 0},
    {"mp release acquire", APART, "global", {ST(x, 1) STR_(y, 1), LDA(a, y) LD(b, x)}, {ANY, 1},
     {ANY, 0}, NEVER, 0},
    {"mp release acquire in shared memory", WARPS, "shared", {ST(x, 1) STR_(y, 1), LDA(a, y) LD(b, x)},
     {ANY, 1}, {ANY, 0}, NEVER, 0},
    {"mp small fence, blocks apart", APART, "global", {ST(x, 1) AR_CTA ST(y, 1), LD(a, y) AR LD(b, x)},
     {ANY, 1}, {ANY, 0}, SHOWN, 0},
    {"mp small release, blocks apart", APART, "global",
     {ST(x, 1) "st.release.cta.$.u32 [y], 1;", "ld.relaxed.gpu.$.u32 %a, [y];" AR LD(b, x)},
     {ANY, 1}, {ANY, 0}, SHOWN, 1},
    {"mp small fences, one block", WARPS, "global",
     {ST(x, 1) AR_CTA ST(y, 1), LD(a, y) AR_CTA LD(b, x)}, {ANY, 1}, {ANY, 0}, NEVER, 0},
    {"mp small fences, one warp", LANES, "global",
     {ST(x, 1) AR_CTA ST(y, 1), LD(a, y) AR_CTA LD(b, x)}, {ANY, 1}, {ANY, 0}, NEVER, 0},
    {"mp halves of a word", APART, "global",
     {"st.relaxed.gpu.$.v2.u32 [x], {1, 1};" ST(y, 1), LD(a, y) AR LD(b, x)}, {ANY, 1}, {ANY, 0},
     SHOWN, 0},
    {"mp on one location", APART, "global", {ST(x, 1) ST(x, 2), LD(a, x) LD(b, x)}, {ANY, 2},
     {ANY, 1}, NEVER, 0},
    {"mp, smaller stores after a larger one", APART, "global",
     {"st.$.u32 [x], 0; st.$.u8 [x], 1; st.$.u8 [x+1], 1;", "ld.$.u32 %a, [x];"}, {ANY, 256},
     {ANY, ANY}, SHOWN, 1},
    {"own smaller stores are read", APART, "global",
     {"st.$.u8 [x], 1; st.$.u8 [x+1], 1; st.$.u16 [x+2], 1; ld.$.u32 %a, [x];", LD(a, y)},
     {65793, ANY}, {ANY, ANY}, SHOWN, 0},
    {"own smaller stores are always read", APART, "global",
     {"st.$.u32 [x], 7; st.$.u8 [x+1], 1; ld.$.u32 %a, [x]; sub.u32 %a, %a, 263; min.u32 %a, %a, 1;",
      LD(a, y)}, {1, ANY}, {ANY, ANY}, NEVER, 0},
    /* Loads that come early: the reader's side of a message, or one fence for two readers. */
    {"mp writer's fence only", APART, "global", {ST(x, 1) AR ST(y, 1), LD(a, y) LD(b, x)}, {ANY, 1},
     {ANY, 0}, SHOWN, 0},
    {"mp writer's fence only, in a block", WARPS, "shared",
     {ST(x, 1) AR_CTA ST(y, 1), LD(a, y) LD(b, x)}, {ANY, 1}, {ANY, 0}, SHOWN, 0},
    {"mp release, relaxed", APART, "global", {ST(x, 1) STR_(y, 1), LD(a, y) LD(b, x)}, {ANY, 1},
     {ANY, 0}, SHOWN, 0},
    {"mp fence.sc, then volatile reads", APART, "global",
     {ST(x, 1) SC ST(y, 1), "ld.volatile.$.u32 %a, [y]; ld.volatile.$.u32 %b, [x];"}, {ANY, 1},
     {ANY, 0}, SHOWN, 0},
    {"mp writer's fence only, the flag read by an atomic", APART, "global",
     {ST(x, 1) AR ST(y, 1), "atom.add.global.u32 %a, [y], 0;" LD(b, x)}, {ANY, 1}, {ANY, 0}, SHOWN, 0},
    {"mp writer's fence only, the data read by an atomic", APART, "global",
     {ST(x, 1) AR ST(y, 1), LD(a, y) "atom.add.global.u32 %b, [x], 0;"}, {ANY, 1}, {ANY, 0}, NEVER,
     0}, /* allowed; this machine performs atomics at once */
    {"mp reader's fence too small", APART, "global", {ST(x, 1) AR ST(y, 1), LD(a, y) AR_CTA LD(b, x)},
     {ANY, 1}, {ANY, 0}, SHOWN, 0},
    {"mp reader's fence.sc too small", APART, "global",
     {ST(x, 1) SC ST(y, 1), LD(a, y) SC_CTA LD(b, x)}, {ANY, 1}, {ANY, 0}, SHOWN, 0},
    {"mp acquire too small", APART, "global",
     {ST(x, 1) AR ST(y, 1), "ld.acquire.cta.$.u32 %a, [y];" LD(b, x)}, {ANY, 1}, {ANY, 0}, SHOWN, 1},
    {"mp a barrier instead of the reader's fence", PAIRED, "global",
     {ST(x, 1) AR ST(y, 1), LD(a, z), WAIT(a, y, U) BAR LD(b, x), BAR LD(b, z)}, {ANY, ANY, 1, ANY},
     {ANY, ANY, 0, ANY}, SHOWN, 0},
    /* What one thread of a block knows, the others know once they have met it. */
    {"mp one acquires, a barrier, another reads", PAIRED, "global",
     {ST(x, 1) AR ST(y, 1), LD(a, z), WAIT(a, y, U) AR BAR LD(b, z), BAR LD(b, x)}, {ANY, ANY, 1, ANY},
     {ANY, ANY, ANY, 0}, NEVER, 0},
    {"mp one's fence is too small, a barrier, another reads", PAIRED, "global",
     {ST(x, 1) AR ST(y, 1), LD(a, z), WAIT(a, y, U) AR_CTA BAR LD(b, z), BAR LD(b, x)}, {ANY, ANY, 1, ANY},
     {ANY, ANY, ANY, 0}, SHOWN, 0},
    {"mp one acquires, a flag in the block, another reads", PAIRED, "global",
     {ST(x, 1) AR ST(y, 1), LD(b, z), WAIT(a, y, U) AR AR_CTA ST(z, 1), WAIT(a, z, V) AR_CTA LD(b, x)},
     {ANY, ANY, 1, 1}, {ANY, ANY, ANY, 0}, NEVER, 0},
    {"mp one reads, a flag in the block, another's read", PAIRED, "global",
     {ST(x, 1) AR ST(y, 1), LD(b, z), WAIT(a, y, U) AR_CTA ST(z, 1), WAIT(a, z, V) AR_CTA LD(b, x)},
     {ANY, ANY, 1, 1}, {ANY, ANY, ANY, 0}, SHOWN, 0},
    {"read, barrier, read", PAIRED, "global",
     {ST(x, 1), LD(b, z), WAIT(a, x, U) BAR LD(b, z), BAR LD(b, x)}, {ANY, ANY, 1, ANY},
     {ANY, ANY, ANY, 0}, NEVER, 0},
    {"read, a flag in the block, read", PAIRED, "global",
     {ST(x, 1), LD(b, z), WAIT(a, x, U) AR_CTA ST(z, 1), WAIT(a, z, V) AR_CTA LD(b, x)}, {ANY, ANY, 1, 1},
     {ANY, ANY, ANY, 0}, NEVER, 0},
    {"read, atomics in the block, read", PAIRED, "global",
     {ST(x, 1), LD(b, y), WAIT(a, x, U) "red.release.cta.global.add.u32 [z], 1;",
      "V: atom.acquire.cta.global.add.u32 %a, [z], 0; setp.ne.u32 %p, %a, 1; @%p bra V;" LD(b, x)}, {ANY, ANY, 1, 1},
     {ANY, ANY, ANY, 0}, NEVER, 0},
    {"iriw, the readers in one block", PAIRED, "global",
     {ST(x, 1), ST(y, 1), LD(a, x) LD(b, y), LD(a, y) LD(b, x)}, {ANY, ANY, 1, 1},
     {ANY, ANY, 0, 0}, SHOWN, 0},
    {"iriw, the readers in one block, small fences", PAIRED, "global",
     {ST(x, 1), ST(y, 1), LD(a, x) AR_CTA LD(b, y), LD(a, y) AR_CTA LD(b, x)}, {ANY, ANY, 1, 1},
     {ANY, ANY, 0, 0}, NEVER, 0}, /* allowed; to this machine two fences of a block may be a meeting */
    {"mp the flag read by atom.acquire", APART, "global",
     {ST(x, 1) AR ST(y, 1), "atom.acquire.gpu.global.add.u32 %a, [y], 0;" LD(b, x)}, {ANY, 1},
     {ANY, 0}, NEVER, 0},
    {"mp reader's fence.release", APART, "global",
     {ST(x, 1) AR ST(y, 1), LD(a, y) "fence.release.gpu;" LD(b, x)}, {ANY, 1}, {ANY, 0}, SHOWN, 0},
    {"mp reader's fence.acquire", APART, "global",
     {ST(x, 1) AR ST(y, 1), LD(a, y) "fence.acquire.gpu;" LD(b, x)}, {ANY, 1}, {ANY, 0}, NEVER, 0},
    {"mp the data in the flag's word", APART, "global",
     {"st.relaxed.gpu.$.u64 [x], 4294967297;",
      "ld.relaxed.gpu.$.u64 %l, [x]; cvt.u32.u64 %a, %l; shr.u64 %l, %l, 32; cvt.u32.u64 %b, %l;"},
     {ANY, 1}, {ANY, 0}, NEVER, 0},
    {"mp branch instead of a fence", APART, "global",
     {ST(x, 1) AR ST(y, 1), LD(a, y) "setp.eq.u32 %p, %a, 0; @%p bra E0;" LD(b, x) "E0:"}, {ANY, 1},
     {ANY, 0}, SHOWN, 0},
    {"mp a relaxed read, then an acquire of the flag", APART, "global",
     {ST(x, 1) STR_(y, 1), LD(a, y) LDA(c, y) LD(b, x)}, {ANY, 1}, {ANY, 0}, NEVER, 0},
    {"mp, the reader's block meets after its fence", PAIRED, "global",
     {ST(x, 1) AR ST(y, 1), LD(a, z), LD(a, y) AR "st.relaxed.cta.$.u32 [z], %a;" BAR,
      BAR "ld.relaxed.cta.$.u32 %a, [z];" LD(b, x)}, {ANY, ANY, 1, 1}, {ANY, ANY, ANY, 0}, NEVER, 1},
    {"iriw", APART, "global", {ST(x, 1), ST(y, 1), LD(a, x) LD(b, y), LD(a, y) LD(b, x)},
     {ANY, ANY, 1, 1}, {ANY, ANY, 0, 0}, SHOWN, 0},
    {"iriw weak", APART, "global",
     {"st.$.u32 [x], 1;", "st.$.u32 [y], 1;", "ld.$.u32 %a, [x]; ld.$.u32 %b, [y];",
      "ld.$.u32 %a, [y]; ld.$.u32 %b, [x];"}, {ANY, ANY, 1, 1}, {ANY, ANY, 0, 0}, SHOWN, 1},
    {"iriw by atomics, relaxed readers", APART, "global",
     {"red.relaxed.gpu.global.add.u32 [x], 1;", "red.relaxed.gpu.global.add.u32 [y], 1;",
      LD(a, x) LD(b, y), LD(a, y) LD(b, x)}, {ANY, ANY, 1, 1}, {ANY, ANY, 0, 0}, SHOWN, 0},
    {"wrc, the reader's fence missing", APART, "global",
     {ST(x, 1), LD(a, x) AR ST(y, 1), LD(a, y) LD(b, x)}, {ANY, 1, 1}, {ANY, ANY, 0}, SHOWN, 0},
    /* Coherence: nobody sees one location go back. */
    {"corr", APART, "global", {ST(x, 1), LD(a, x) LD(b, x)}, {ANY, 1}, {ANY, 0}, NEVER, 0},
    {"corr weak", WARPS, "shared", {"st.$.u32 [x], 1;", "ld.$.u32 %a, [x]; ld.$.u32 %b, [x];"},
     {ANY, 1}, {ANY, 0}, NEVER, 1},
    {"corr after an atomic", APART, "global", {ST(x, 1), "atom.add.global.u32 %a, [x], 0;" LD(b, x)},
     {ANY, 1}, {ANY, 0}, NEVER, 0},
    {"corr, two writers", APART, "global",
     {ST(x, 1), ST(x, 2), LD(a, x) LD(b, x), LD(a, x) LD(b, x)}, {ANY, ANY, 1, 2}, {ANY, ANY, 2, 1},
     NEVER, 0},
    {"corr of parts", APART, "global",
     {"st.$.u32 [x], 257;", "ld.$.u8 %a, [x]; ld.$.u16 %b, [x];"}, {ANY, 1}, {ANY, 0}, NEVER, 1},
    {"an atomic's own result is read", APART, "global",
     {"atom.add.global.u32 %a, [x], 1;" LD(b, x), "atom.add.global.u32 %a, [x], 1;"}, {1, ANY},
     {1, ANY}, NEVER, 0},
    {"coww and a read", APART, "global", {ST(x, 1) LD(a, x), ST(x, 2)}, {0, ANY}, {ANY, ANY}, NEVER,
     0},
    {"a barrier, then an early load", WARPS, "shared",
     {ST(x, 1) BAR LD(a, y), ST(y, 1) BAR LD(a, x)}, {0, ANY}, {ANY, ANY}, NEVER, 0},
    /* Allowed, and not shown: a load waits for its value (docs/memory-model.md). */
    {"lb", APART, "global", {LD(a, y) ST(x, 1), LD(a, x) ST(y, 1)}, {1, 1}, {ANY, ANY}, NEVER, 0},
    /* A lock let go too early: the data lands after it. */
    {"unlock without a fence", APART, "global",
     {"atom.cas.acquire.gpu.global.b32 %c, [z], 0, 1; setp.ne.u32 %p, %c, 0; @%p bra E0;"
      ST(x, 1) "st.relaxed.gpu.global.u32 [z], 2; E0:",
      "atom.cas.acquire.gpu.global.b32 %a, [z], 2, 1; ld.relaxed.gpu.global.u32 %b, [x];"},
     {ANY, 2}, {ANY, 0}, SHOWN, 0},
    {"unlock with release", APART, "global",
     {"atom.cas.acquire.gpu.global.b32 %c, [z], 0, 1; setp.ne.u32 %p, %c, 0; @%p bra E0;"
      ST(x, 1) "st.release.gpu.global.u32 [z], 2; E0:",
      "atom.cas.acquire.gpu.global.b32 %a, [z], 2, 1; ld.relaxed.gpu.global.u32 %b, [x];"},
     {ANY, 2}, {ANY, 0}, NEVER, 0},
    /* S, R and 2+2W. */
    {"s: x = 2; y = 1 | read y; x = 1", APART, "global",
     {ST(x, 2) ST(y, 1), LD(a, y) ST(x, 1)}, {ANY, 1}, {ANY, ANY}, SHOWN, 0, 2, 0},
    {"s with fences", APART, "global",
     {ST(x, 2) AR ST(y, 1), LD(a, y) AR ST(x, 1)}, {ANY, 1}, {ANY, ANY}, NEVER, 0, 2, 0},
    {"r: x = 1; y = 1 | y = 2; read x", APART, "global",
     {ST(x, 1) ST(y, 1), ST(y, 2) LD(a, x)}, {ANY, 0}, {ANY, ANY}, SHOWN, 0, 0, 2},
    {"r with fence.sc", APART, "global",
     {ST(x, 1) SC ST(y, 1), ST(y, 2) SC LD(a, x)}, {ANY, 0}, {ANY, ANY}, NEVER, 0, 0, 2},
    {"2+2w: x = 1; y = 2 | y = 1; x = 2", APART, "global",
     {ST(x, 1) ST(y, 2), ST(y, 1) ST(x, 2)}, {ANY, ANY}, {ANY, ANY}, SHOWN, 0, 1, 1},
    {"2+2w with fences", APART, "global",
     {ST(x, 1) SC ST(y, 2), ST(y, 1) SC ST(x, 2)}, {ANY, ANY}, {ANY, ANY}, NEVER, 0, 1, 1},
    /* Three and four threads: order adds up. */
    {"wrc", APART, "global", {ST(x, 1), LD(a, x) AR ST(y, 1), LD(a, y) AR LD(b, x)}, {ANY, 1, 1},
     {ANY, ANY, 0}, NEVER, 0},
    {"wrc, the middle in the writer's block", PAIRED, "global",
     {ST(x, 1), LD(a, x) AR ST(y, 1), LD(a, y) AR LD(b, x), LD(a, z)}, {ANY, 1, 1, ANY},
     {ANY, ANY, 0, ANY}, NEVER, 0},
    {"isa2", APART, "global",
     {ST(x, 1) AR ST(y, 1), LD(a, y) AR ST(z, 1), LD(a, z) AR LD(b, x)}, {ANY, 1, 1}, {ANY, ANY, 0},
     NEVER, 0},
    {"isa2, the first fence missing", APART, "global",
     {ST(x, 1) ST(y, 1), LD(a, y) AR ST(z, 1), LD(a, z) AR LD(b, x)}, {ANY, 1, 1}, {ANY, ANY, 0},
     SHOWN, 0},
    {"isa2, first a small fence in the block", PAIRED, "global",
     {ST(x, 1) AR_CTA ST(y, 1), LD(a, y) AR ST(z, 1), LD(a, z) AR LD(b, x), LD(b, y)},
     {ANY, 1, 1, ANY}, {ANY, ANY, 0, ANY}, NEVER, 0},
    {"isa2, both fences small", PAIRED, "global",
     {ST(x, 1) AR_CTA ST(y, 1), LD(a, y) AR_CTA ST(z, 1), LD(a, z) AR LD(b, x), LD(b, y)},
     {ANY, 1, 1, ANY}, {ANY, ANY, 0, ANY}, SHOWN, 0},
    {"barrier, then a fence and the flag", PAIRED, "global",
     {ST(x, 1) BAR, BAR AR ST(z, 1), LD(a, z) AR LD(b, x), LD(b, y)}, {ANY, ANY, 1, ANY},
     {ANY, ANY, 0, ANY}, NEVER, 0},
    {"barrier, then the flag without a fence", PAIRED, "global",
     {ST(x, 1) BAR, BAR ST(z, 1), LD(a, z) AR LD(b, x), LD(b, y)}, {ANY, ANY, 1, ANY},
     {ANY, ANY, 0, ANY}, SHOWN, 0},
    {"barrier, then the flag by release", PAIRED, "global",
     {ST(x, 1) BAR, BAR STR_(z, 1), LDA(a, z) LD(b, x), LD(b, y)}, {ANY, ANY, 1, ANY},
     {ANY, ANY, 0, ANY}, NEVER, 0},
    {"a barrier orders the block", WARPS, "global",
     {"st.$.u32 [x], 1;" BAR, BAR "ld.$.u32 %a, [x];"}, {ANY, 0}, {ANY, ANY}, NEVER, 0},
    {"a barrier orders shared memory", WARPS, "shared",
     {"st.$.u32 [x], 1;" BAR, BAR "ld.$.u32 %a, [x];"}, {ANY, 0}, {ANY, ANY}, NEVER, 0},
    {"a warp sync orders the warp", LANES, "global",
     {"st.$.u32 [x], 1; bar.warp.sync 3;", "bar.warp.sync 3; ld.$.u32 %a, [x];"}, {ANY, 0},
     {ANY, ANY}, NEVER, 0},
    {"rwc with fence.sc", APART, "global",
     {ST(x, 1), LD(a, x) SC LD(b, y), ST(y, 1) SC LD(a, x)}, {ANY, 1, 0}, {ANY, 0, ANY}, NEVER, 0},
    {"iriw with fence.sc", APART, "global",
     {ST(x, 1), ST(y, 1), LD(a, x) SC LD(b, y), LD(a, y) SC LD(b, x)}, {ANY, ANY, 1, 1},
     {ANY, ANY, 0, 0}, NEVER, 0},
    {"iriw with fence.sc, paired", PAIRED, "global",
     {ST(x, 1), LD(a, x) SC LD(b, y), ST(y, 1), LD(a, y) SC LD(b, x)}, {ANY, 1, ANY, 1},
     {ANY, 0, ANY, 0}, NEVER, 0},
    {"lost update", APART, "global",
     {"atom.add.global.u32 %a, [x], 1;", "atom.add.global.u32 %a, [x], 1;"}, {0, 0}, {ANY, ANY},
     NEVER, 0},
    {"an atomic sees its thread's store", APART, "global",
     {ST(x, 5) "atom.add.global.u32 %a, [x], 1;", LD(a, y)}, {0, ANY}, {ANY, ANY}, NEVER, 0},
};

/* clang-format on */

START_TEST(outcomes) { weak_check(&cases[_i]); }
END_TEST

/* ---- the litmus programs ---- */
static u32 option(const char *options, const char *name, u32 otherwise) {
  const char *at = strstr(options, name);
  return at ? (u32)strtoul(at + strlen(name), NULL, 10) : otherwise;
}

static void all_seeds(struct exec_cases *all, const struct exec_case *c) {
  enum { SEEDS = 30 };
  struct diag why = {0};
  struct ptx_module *module;
  str text;
  if (!file_read(&all->keep, c->file, 1 << 20, &text, &why) ||
      !ptx_parse(&all->keep, text, &module, &why))
    ck_abort_msg("%s: %s", c->file, why.text);
  struct vm_config like = {.schedule = VM_BUFFERED,
                           .sm_count = option(c->options, "--sms", 0),
                           .blocks_per_sm = option(c->options, "--blocks-per-sm", 0)};
  struct detect_policy policy = {.strict_volatile = strstr(c->options, "--strict volatile"),
                                 .strict_same_value = strstr(c->options, "--strict same-value")};
  bool passes = c->want.kinds == 1u << V_PASS, found = false;
  for (u64 seed = 1; seed <= SEEDS; seed++) {
    enum verdict_kind v = weak_run(module, option(c->options, "--grid", 1),
                                   option(c->options, "--block", 1), seed, &like, &policy);
    found |= c->want.kinds >> v & 1;
    /* A wrong one may also show its wrong value (they trap), or be lucky. */
    if (passes ? v != V_PASS : v != V_RACE && v != V_TRAP && v != V_PASS)
      ck_abort_msg("%s: seed %llu: %s", c->file, (unsigned long long)seed, verdict_text(v));
  }
  if (!found) ck_abort_msg("%s: no seed shows what is expected", c->file);
}

START_TEST(litmus) {
  static struct exec_cases all;
  struct diag why = {0};
  if (!exec_cases_folder(&all, "tests/litmus", ".ptx", "auto", &why)) ck_abort_msg("%s", why.text);
  ck_assert_uint_ge(all.count, 235);
  for (u32 i = 0; i < all.count; i++) all_seeds(&all, &all.list[i]);
}
END_TEST

/* A run is a function of its seed. */
START_TEST(repeats) {
  u32 differ = 0;
  struct arena a = {0};
  struct diag why = {0};
  struct ptx_module *module;
  str text;
  ck_assert(file_read(&a, "tests/litmus/mp_lanes_no_fences.ptx", 1 << 20, &text, &why));
  ck_assert(ptx_parse(&a, text, &module, &why));
  for (u64 seed = 1; seed <= 40; seed++) {
    enum verdict_kind one = weak_run(module, 1, 2, seed, NULL, NULL);
    ck_assert_int_eq(one, weak_run(module, 1, 2, seed, NULL, NULL));
    differ += one == V_TRAP;
  }
  ck_assert_uint_gt(differ, 0);
  arena_free(&a);
}
END_TEST

Suite *suite_buffered(void) {
  Suite *s = suite_create("buffered");
  TCase *t = tcase_create("outcomes");
  tcase_set_timeout(t, 300);
  tcase_add_loop_test(t, outcomes, 0, COUNT_OF(cases));
  tcase_add_test(t, litmus);
  tcase_add_test(t, repeats);
  suite_add_tcase(s, t);
  return s;
}
