/* atomic_list.h - every atomic function once. atomic.h sets WL_NAME, WL_ATOM and WL_SCOPE for a scope
 * and includes this; no guard, for that reason. clang 14 takes the scoped minimum and maximum of unsigned
 * integers for signed ones, hence the PTX there. */

WL_FN int WL_NAME(atomicAdd)(int *p, int v) { return WL_ATOM(add_gen_i)(p, v); }
WL_FN unsigned WL_NAME(atomicAdd)(unsigned *p, unsigned v) { return WL_ATOM(add_gen_i)((int *)p, v); }
WL_FN wl_u64 WL_NAME(atomicAdd)(wl_u64 *p, wl_u64 v) { return WL_ATOM(add_gen_ll)((wl_i64 *)p, v); }
WL_FN float WL_NAME(atomicAdd)(float *p, float v) { return WL_ATOM(add_gen_f)(p, v); }
WL_FN double WL_NAME(atomicAdd)(double *p, double v) { return WL_ATOM(add_gen_d)(p, v); }

WL_FN int WL_NAME(atomicSub)(int *p, int v) { return WL_ATOM(add_gen_i)(p, (int)-(unsigned)v); }
WL_FN unsigned WL_NAME(atomicSub)(unsigned *p, unsigned v) { return WL_ATOM(add_gen_i)((int *)p, -v); }

WL_FN int WL_NAME(atomicExch)(int *p, int v) { return WL_ATOM(xchg_gen_i)(p, v); }
WL_FN unsigned WL_NAME(atomicExch)(unsigned *p, unsigned v) { return WL_ATOM(xchg_gen_i)((int *)p, v); }
WL_FN wl_u64 WL_NAME(atomicExch)(wl_u64 *p, wl_u64 v) { return WL_ATOM(xchg_gen_ll)((wl_i64 *)p, v); }
WL_FN float WL_NAME(atomicExch)(float *p, float v) { return __builtin_bit_cast(float, WL_ATOM(xchg_gen_i)((int *)p, __builtin_bit_cast(int, v))); }

WL_FN int WL_NAME(atomicCAS)(int *p, int expected, int v) { return WL_ATOM(cas_gen_i)(p, expected, v); }
WL_FN unsigned WL_NAME(atomicCAS)(unsigned *p, unsigned expected, unsigned v) { return WL_ATOM(cas_gen_i)((int *)p, expected, v); }
WL_FN wl_u64 WL_NAME(atomicCAS)(wl_u64 *p, wl_u64 expected, wl_u64 v) { return WL_ATOM(cas_gen_ll)((wl_i64 *)p, expected, v); }
WL_FN unsigned short WL_NAME(atomicCAS)(unsigned short *p, unsigned short expected, unsigned short v) { unsigned short old; asm volatile("atom" WL_SCOPE ".cas.b16 %0, [%1], %2, %3;" : "=h"(old) : "l"(p), "h"(expected), "h"(v) : "memory"); return old; }

WL_FN int WL_NAME(atomicMin)(int *p, int v) { return WL_ATOM(min_gen_i)(p, v); }
WL_FN unsigned WL_NAME(atomicMin)(unsigned *p, unsigned v) { unsigned old; asm volatile("atom" WL_SCOPE ".min.u32 %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(v) : "memory"); return old; }
WL_FN wl_i64 WL_NAME(atomicMin)(wl_i64 *p, wl_i64 v) { return WL_ATOM(min_gen_ll)(p, v); }
WL_FN wl_u64 WL_NAME(atomicMin)(wl_u64 *p, wl_u64 v) { wl_u64 old; asm volatile("atom" WL_SCOPE ".min.u64 %0, [%1], %2;" : "=l"(old) : "l"(p), "l"(v) : "memory"); return old; }
WL_FN int WL_NAME(atomicMax)(int *p, int v) { return WL_ATOM(max_gen_i)(p, v); }
WL_FN unsigned WL_NAME(atomicMax)(unsigned *p, unsigned v) { unsigned old; asm volatile("atom" WL_SCOPE ".max.u32 %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(v) : "memory"); return old; }
WL_FN wl_i64 WL_NAME(atomicMax)(wl_i64 *p, wl_i64 v) { return WL_ATOM(max_gen_ll)(p, v); }
WL_FN wl_u64 WL_NAME(atomicMax)(wl_u64 *p, wl_u64 v) { wl_u64 old; asm volatile("atom" WL_SCOPE ".max.u64 %0, [%1], %2;" : "=l"(old) : "l"(p), "l"(v) : "memory"); return old; }

WL_FN int WL_NAME(atomicAnd)(int *p, int v) { return WL_ATOM(and_gen_i)(p, v); }
WL_FN unsigned WL_NAME(atomicAnd)(unsigned *p, unsigned v) { return WL_ATOM(and_gen_i)((int *)p, v); }
WL_FN wl_u64 WL_NAME(atomicAnd)(wl_u64 *p, wl_u64 v) { return WL_ATOM(and_gen_ll)((wl_i64 *)p, v); }
WL_FN int WL_NAME(atomicOr)(int *p, int v) { return WL_ATOM(or_gen_i)(p, v); }
WL_FN unsigned WL_NAME(atomicOr)(unsigned *p, unsigned v) { return WL_ATOM(or_gen_i)((int *)p, v); }
WL_FN wl_u64 WL_NAME(atomicOr)(wl_u64 *p, wl_u64 v) { return WL_ATOM(or_gen_ll)((wl_i64 *)p, v); }
WL_FN int WL_NAME(atomicXor)(int *p, int v) { return WL_ATOM(xor_gen_i)(p, v); }
WL_FN unsigned WL_NAME(atomicXor)(unsigned *p, unsigned v) { return WL_ATOM(xor_gen_i)((int *)p, v); }
WL_FN wl_u64 WL_NAME(atomicXor)(wl_u64 *p, wl_u64 v) { return WL_ATOM(xor_gen_ll)((wl_i64 *)p, v); }

WL_FN unsigned WL_NAME(atomicInc)(unsigned *p, unsigned limit) { return WL_ATOM(inc_gen_ui)(p, limit); }
WL_FN unsigned WL_NAME(atomicDec)(unsigned *p, unsigned limit) { return WL_ATOM(dec_gen_ui)(p, limit); }
