/* base.h - CUDA's qualifiers, the C names a kernel may use unasked, and the calls into the device run time. */
#pragma once

#define __global__     __attribute__((global))
#define __device__     __attribute__((device))
#define __host__       __attribute__((host))
#define __shared__     __attribute__((shared))
#define __constant__   __attribute__((constant))
#define __managed__    __device__
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__   __attribute__((noinline))
#define __align__(n)   __attribute__((aligned(n)))
/* nvcc takes alignas behind __shared__ too, where clang wants an attribute. Its argument is a number or a type. */
template <unsigned long n> constexpr unsigned long wl_alignment() { return n; }
template <class T> constexpr unsigned long wl_alignment() { return alignof(T); }
#define alignas(...) __attribute__((aligned(wl_alignment<__VA_ARGS__>())))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__
#define __maxnreg__(n)
#define __cluster_dims__(...)

#define CUDA_VERSION      13000
#define CUDART_VERSION    13000

/* A function of ours that disappears into its caller. */
#define WL_FN static __device__ __inline__ __attribute__((always_inline, nodebug))
/* A longer one, called. */
#define WL_CALL static __device__ __attribute__((nodebug, noinline, unused))
/* The same for members. */
#define WL_MEMBER __device__ __inline__ __attribute__((always_inline, nodebug))

typedef decltype(sizeof(0)) size_t;
typedef decltype((char *)0 - (char *)0) ptrdiff_t;
typedef long clock_t;
#define NULL __null

/* `__half` is a word of the language to clang 14 with -fms-extensions no more than to NVRTC; these are typedefs of CUDA. */
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

typedef long long wl_i64;
typedef unsigned long long wl_u64;

extern "C" {
__device__ int vprintf(const char *format, const char *arguments);
__device__ int printf(const char *format, ...);
__device__ void *malloc(size_t bytes);
__device__ void free(void *memory);
}

WL_FN void *memcpy(void *to, const void *from, size_t bytes) { return __builtin_memcpy(to, from, bytes); }
WL_FN void *memset(void *to, int byte, size_t bytes) { return __builtin_memset(to, byte, bytes); }
WL_FN void *memmove(void *to, const void *from, size_t bytes) { return __builtin_memmove(to, from, bytes); }

/* Placement new, and new and delete on the device heap. */
__device__ __inline__ __attribute__((nodebug)) void *operator new(size_t bytes) { return malloc(bytes); }
__device__ __inline__ __attribute__((nodebug)) void *operator new[](size_t bytes) { return malloc(bytes); }
__device__ __inline__ __attribute__((nodebug)) void *operator new(size_t, void *at) noexcept { return at; }
__device__ __inline__ __attribute__((nodebug)) void operator delete(void *memory) noexcept { free(memory); }
__device__ __inline__ __attribute__((nodebug)) void operator delete[](void *memory) noexcept { free(memory); }
__device__ __inline__ __attribute__((nodebug)) void operator delete(void *memory, size_t) noexcept { free(memory); }
__device__ __inline__ __attribute__((nodebug)) void operator delete[](void *memory, size_t) noexcept { free(memory); }

/* The two names of C++'s library that NVRTC knows without an include. */
namespace std {
template <class T> struct wl_plain { using type = T; };
template <class T> struct wl_plain<T &> { using type = T; };
template <class T> struct wl_plain<T &&> { using type = T; };
template <class T> constexpr __host__ __device__ __attribute__((nodebug)) typename wl_plain<T>::type &&move(T &&v) noexcept { return static_cast<typename wl_plain<T>::type &&>(v); }
template <class T> constexpr __host__ __device__ __attribute__((nodebug)) T &&forward(typename wl_plain<T>::type &v) noexcept { return static_cast<T &&>(v); }
} // namespace std
