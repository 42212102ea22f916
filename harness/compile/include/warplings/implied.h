/* implied.h - names that nvcc gives a file without any #include, since its <cuda_runtime.h> brings parts of the host's
 * C library: INFINITY, INT_MAX, M_PI, uint. In front of every source. */
#pragma once
#include <limits.h>
#include <math.h>
#include <stddef.h>
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
#ifndef RAND_MAX
#define RAND_MAX 2147483647
#endif
