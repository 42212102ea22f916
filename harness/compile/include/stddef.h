/* stddef.h - for kernels. */
#pragma once
typedef decltype(sizeof(0)) size_t;
typedef decltype((char *)0 - (char *)0) ptrdiff_t;
#ifndef NULL
#define NULL __null
#endif
#ifndef offsetof
#ifdef __CUDACC_RTC__ /* NVRTC's front end has no __builtin_offsetof, but a constant expression for it */
#define offsetof(type, member) ((size_t)__INTADDR__(&(((type *)0)->member)))
#else
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
#endif
