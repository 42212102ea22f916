/* memory.h - loads and stores with cache hints, questions about address spaces. */
#pragma once

/* A hinted load of one type: __ldcg(p) is ld.global.cg and so on. `way` is the PTX modifier. */
#define WL_LOAD(function, way, type, suffix, constraint)                                           \
  WL_FN type function(const type *p) {                                                             \
    type v;                                                                                        \
    asm volatile("ld.global." way "." suffix " %0, [%1];" : "=" constraint(v) : "l"(p) : "memory"); \
    return v;                                                                                      \
  }
#define WL_LOAD_PAIR(function, way, type, suffix, constraint)                                      \
  WL_FN type function(const type *p) {                                                             \
    type v;                                                                                        \
    asm volatile("ld.global." way ".v2." suffix " {%0, %1}, [%2];"                                 \
                 : "=" constraint(v.x), "=" constraint(v.y) : "l"(p) : "memory");                  \
    return v;                                                                                      \
  }
#define WL_LOAD_FOUR(function, way, type, suffix, constraint)                                      \
  WL_FN type function(const type *p) {                                                             \
    type v;                                                                                        \
    asm volatile("ld.global." way ".v4." suffix " {%0, %1, %2, %3}, [%4];"                         \
                 : "=" constraint(v.x), "=" constraint(v.y), "=" constraint(v.z), "=" constraint(v.w) \
                 : "l"(p) : "memory");                                                             \
    return v;                                                                                      \
  }
#define WL_LOADS(function, way)                                                                    \
  WL_LOAD(function, way, short, "s16", "h")                                                        \
  WL_LOAD(function, way, unsigned short, "u16", "h")                                               \
  WL_LOAD(function, way, int, "s32", "r")                                                          \
  WL_LOAD(function, way, unsigned, "u32", "r")                                                     \
  WL_LOAD(function, way, long, "s64", "l")                                                         \
  WL_LOAD(function, way, unsigned long, "u64", "l")                                                \
  WL_LOAD(function, way, wl_i64, "s64", "l")                                                       \
  WL_LOAD(function, way, wl_u64, "u64", "l")                                                       \
  WL_LOAD(function, way, float, "f32", "f")                                                        \
  WL_LOAD(function, way, double, "f64", "d")                                                       \
  WL_LOAD_PAIR(function, way, int2, "s32", "r")                                                    \
  WL_LOAD_PAIR(function, way, uint2, "u32", "r")                                                   \
  WL_LOAD_PAIR(function, way, float2, "f32", "f")                                                  \
  WL_LOAD_PAIR(function, way, double2, "f64", "d")                                                 \
  WL_LOAD_FOUR(function, way, int4, "s32", "r")                                                    \
  WL_LOAD_FOUR(function, way, uint4, "u32", "r")                                                   \
  WL_LOAD_FOUR(function, way, float4, "f32", "f")
WL_LOADS(__ldg, "nc")
WL_LOADS(__ldca, "ca")
WL_LOADS(__ldcg, "cg")
WL_LOADS(__ldcs, "cs")
WL_LOADS(__ldlu, "lu")
WL_LOADS(__ldcv, "cv")

#define WL_STORE(function, way, type, suffix, constraint)                                          \
  WL_FN void function(type *p, type v) {                                                           \
    asm volatile("st.global." way "." suffix " [%0], %1;" ::"l"(p), constraint(v) : "memory");     \
  }
#define WL_STORE_FOUR(function, way, type, suffix, constraint)                                     \
  WL_FN void function(type *p, type v) {                                                           \
    asm volatile("st.global." way ".v4." suffix " [%0], {%1, %2, %3, %4};" ::"l"(p),               \
                 constraint(v.x), constraint(v.y), constraint(v.z), constraint(v.w) : "memory");   \
  }
#define WL_STORES(function, way)                                                                   \
  WL_STORE(function, way, int, "s32", "r")                                                         \
  WL_STORE(function, way, unsigned, "u32", "r")                                                    \
  WL_STORE(function, way, long, "s64", "l")                                                        \
  WL_STORE(function, way, unsigned long, "u64", "l")                                               \
  WL_STORE(function, way, wl_i64, "s64", "l")                                                      \
  WL_STORE(function, way, wl_u64, "u64", "l")                                                      \
  WL_STORE(function, way, float, "f32", "f")                                                       \
  WL_STORE(function, way, double, "f64", "d")                                                      \
  WL_STORE_FOUR(function, way, int4, "s32", "r")                                                   \
  WL_STORE_FOUR(function, way, float4, "f32", "f")
WL_STORES(__stwb, "wb")
WL_STORES(__stcg, "cg")
WL_STORES(__stcs, "cs")
WL_STORES(__stwt, "wt")

WL_FN unsigned __isShared(const void *p) { return __nvvm_isspacep_shared(p); }
WL_FN unsigned __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }
WL_FN unsigned __isLocal(const void *p) { return __nvvm_isspacep_local(p); }
WL_FN unsigned __isConstant(const void *p) { return __nvvm_isspacep_const(p); }
WL_FN size_t __cvta_generic_to_shared(const void *p) { size_t a; asm("cvta.to.shared.u64 %0, %1;" : "=l"(a) : "l"(p)); return a; }
WL_FN size_t __cvta_generic_to_global(const void *p) { size_t a; asm("cvta.to.global.u64 %0, %1;" : "=l"(a) : "l"(p)); return a; }
WL_FN size_t __cvta_generic_to_local(const void *p) { size_t a; asm("cvta.to.local.u64 %0, %1;" : "=l"(a) : "l"(p)); return a; }
WL_FN void *__cvta_shared_to_generic(size_t a) { void *p; asm("cvta.shared.u64 %0, %1;" : "=l"(p) : "l"(a)); return p; }
WL_FN void *__cvta_global_to_generic(size_t a) { void *p; asm("cvta.global.u64 %0, %1;" : "=l"(p) : "l"(a)); return p; }
