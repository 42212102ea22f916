/* stdint.h - for kernels: LP64, as on every machine that CUDA runs on. With NVRTC the 64-bit types are `long long`,
 * since NVIDIA's own headers declare them so there, and a second declaration must be the same. */
#pragma once
#ifdef __CUDACC_RTC__
#define WL_INT64 long long
#else
#define WL_INT64 long
#endif
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef WL_INT64 int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned WL_INT64 uint64_t;
typedef WL_INT64 intptr_t;
typedef unsigned WL_INT64 uintptr_t;
typedef WL_INT64 intmax_t;
typedef unsigned WL_INT64 uintmax_t;
typedef int8_t int_least8_t;
typedef int16_t int_least16_t;
typedef int32_t int_least32_t;
typedef int64_t int_least64_t;
typedef uint8_t uint_least8_t;
typedef uint16_t uint_least16_t;
typedef uint32_t uint_least32_t;
typedef uint64_t uint_least64_t;
#define INT8_MIN   (-128)
#define INT16_MIN  (-32767 - 1)
#define INT32_MIN  (-2147483647 - 1)
#define INT64_MIN  (-9223372036854775807L - 1)
#define INT8_MAX   127
#define INT16_MAX  32767
#define INT32_MAX  2147483647
#define INT64_MAX  9223372036854775807L
#define UINT8_MAX  255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295U
#define UINT64_MAX 18446744073709551615UL
#define SIZE_MAX   UINT64_MAX
