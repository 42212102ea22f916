/* integer.h - bits, wide products, packed arithmetic, and min, max, abs of integers. */
#pragma once

/* ---- bits ---- */
WL_FN int __popc(unsigned x) { return __builtin_popcount(x); }
WL_FN int __popcll(wl_u64 x) { return __builtin_popcountll(x); }
WL_FN int __clz(int x) { int n; asm("clz.b32 %0, %1;" : "=r"(n) : "r"(x)); return n; }
WL_FN int __clzll(wl_i64 x) { int n; asm("clz.b64 %0, %1;" : "=r"(n) : "l"(x)); return n; }
WL_FN unsigned __brev(unsigned x) { unsigned r; asm("brev.b32 %0, %1;" : "=r"(r) : "r"(x)); return r; }
WL_FN wl_u64 __brevll(wl_u64 x) { wl_u64 r; asm("brev.b64 %0, %1;" : "=l"(r) : "l"(x)); return r; }
/* The lowest bit set, counted from 1; clz of the reversal of 0 is the width, which must become 0. */
WL_FN int __ffs(int x) { return x ? __clz((int)__brev((unsigned)x)) + 1 : 0; }
WL_FN int __ffsll(wl_i64 x) { return x ? __clzll((wl_i64)__brevll((wl_u64)x)) + 1 : 0; }
WL_FN unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) { return __nvvm_prmt(a, b, selector & 0x7777u); }
WL_FN unsigned __funnelshift_l(unsigned low, unsigned high, unsigned n) { unsigned r; asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(low), "r"(high), "r"(n)); return r; }
WL_FN unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned n) { unsigned r; asm("shf.l.clamp.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(low), "r"(high), "r"(n)); return r; }
WL_FN unsigned __funnelshift_r(unsigned low, unsigned high, unsigned n) { unsigned r; asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(low), "r"(high), "r"(n)); return r; }
WL_FN unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned n) { unsigned r; asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(low), "r"(high), "r"(n)); return r; }
WL_FN unsigned __fns(unsigned mask, unsigned base, int offset) { unsigned r; asm("fns.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(mask), "r"(base), "r"(offset)); return r; }

/* ---- products and averages ---- */
WL_FN int __mulhi(int a, int b) { return __nvvm_mulhi_i(a, b); }
WL_FN unsigned __umulhi(unsigned a, unsigned b) { return __nvvm_mulhi_ui(a, b); }
WL_FN wl_i64 __mul64hi(wl_i64 a, wl_i64 b) { return __nvvm_mulhi_ll(a, b); }
WL_FN wl_u64 __umul64hi(wl_u64 a, wl_u64 b) { return __nvvm_mulhi_ull(a, b); }
WL_FN int __mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
WL_FN unsigned __umul24(unsigned a, unsigned b) { return __nvvm_mul24_ui(a, b); }
WL_FN unsigned __sad(int a, int b, unsigned c) { return __nvvm_sad_i(a, b, c); }
WL_FN unsigned __usad(unsigned a, unsigned b, unsigned c) { return __nvvm_sad_ui(a, b, c); }
WL_FN int __hadd(int a, int b) { return (int)(((wl_i64)a + b) >> 1); }
WL_FN int __rhadd(int a, int b) { return (int)(((wl_i64)a + b + 1) >> 1); }
WL_FN unsigned __uhadd(unsigned a, unsigned b) { return (unsigned)(((wl_u64)a + b) >> 1); }
WL_FN unsigned __urhadd(unsigned a, unsigned b) { return (unsigned)(((wl_u64)a + b + 1) >> 1); }
WL_FN int __dp4a(int a, int b, int c) { int r; asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
WL_FN unsigned __dp4a(unsigned a, unsigned b, unsigned c) { unsigned r; asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
WL_FN int __dp2a_lo(int a, int b, int c) { int r; asm("dp2a.lo.s32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
WL_FN int __dp2a_hi(int a, int b, int c) { int r; asm("dp2a.hi.s32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }

/* ---- four bytes or two halves in a word: sums that do not carry across ---- */
WL_FN unsigned __vadd4(unsigned a, unsigned b) { return ((a & 0x7f7f7f7fu) + (b & 0x7f7f7f7fu)) ^ ((a ^ b) & 0x80808080u); }
WL_FN unsigned __vsub4(unsigned a, unsigned b) { return ((a | 0x80808080u) - (b & 0x7f7f7f7fu)) ^ ((a ^ ~b) & 0x80808080u); }
WL_FN unsigned __vadd2(unsigned a, unsigned b) { return ((a & 0x7fff7fffu) + (b & 0x7fff7fffu)) ^ ((a ^ b) & 0x80008000u); }
WL_FN unsigned __vsub2(unsigned a, unsigned b) { return ((a | 0x80008000u) - (b & 0x7fff7fffu)) ^ ((a ^ ~b) & 0x80008000u); }

/* ---- min, max, abs. Mixed signs follow C: the unsigned type wins ---- */
WL_FN int min(int a, int b) { return a < b ? a : b; }
WL_FN unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
WL_FN unsigned min(int a, unsigned b) { return min((unsigned)a, b); }
WL_FN unsigned min(unsigned a, int b) { return min(a, (unsigned)b); }
WL_FN long min(long a, long b) { return a < b ? a : b; }
WL_FN unsigned long min(unsigned long a, unsigned long b) { return a < b ? a : b; }
WL_FN unsigned long min(long a, unsigned long b) { return min((unsigned long)a, b); }
WL_FN unsigned long min(unsigned long a, long b) { return min(a, (unsigned long)b); }
WL_FN wl_i64 min(wl_i64 a, wl_i64 b) { return a < b ? a : b; }
WL_FN wl_u64 min(wl_u64 a, wl_u64 b) { return a < b ? a : b; }
WL_FN wl_u64 min(wl_i64 a, wl_u64 b) { return min((wl_u64)a, b); }
WL_FN wl_u64 min(wl_u64 a, wl_i64 b) { return min(a, (wl_u64)b); }
WL_FN int max(int a, int b) { return a > b ? a : b; }
WL_FN unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }
WL_FN unsigned max(int a, unsigned b) { return max((unsigned)a, b); }
WL_FN unsigned max(unsigned a, int b) { return max(a, (unsigned)b); }
WL_FN long max(long a, long b) { return a > b ? a : b; }
WL_FN unsigned long max(unsigned long a, unsigned long b) { return a > b ? a : b; }
WL_FN unsigned long max(long a, unsigned long b) { return max((unsigned long)a, b); }
WL_FN unsigned long max(unsigned long a, long b) { return max(a, (unsigned long)b); }
WL_FN wl_i64 max(wl_i64 a, wl_i64 b) { return a > b ? a : b; }
WL_FN wl_u64 max(wl_u64 a, wl_u64 b) { return a > b ? a : b; }
WL_FN wl_u64 max(wl_i64 a, wl_u64 b) { return max((wl_u64)a, b); }
WL_FN wl_u64 max(wl_u64 a, wl_i64 b) { return max(a, (wl_u64)b); }
WL_FN unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
WL_FN unsigned umax(unsigned a, unsigned b) { return a > b ? a : b; }
WL_FN int abs(int a) { return a < 0 ? (int)-(unsigned)a : a; }
WL_FN long abs(long a) { return a < 0 ? (long)-(unsigned long)a : a; }
WL_FN wl_i64 abs(wl_i64 a) { return a < 0 ? (wl_i64)-(wl_u64)a : a; }
WL_FN long labs(long a) { return abs(a); }
WL_FN wl_i64 llabs(wl_i64 a) { return abs(a); }
