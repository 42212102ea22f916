/* warplings_clang.h - what CUDA C gives a kernel without any include, for clang without NVIDIA's
 * headers. Included in front of the learner's source. Everything here is `nodebug`, so that line
 * tables point at the learner's call and not in here. */
#pragma once
#include "assert.h" /* as with NVRTC, assert needs no include */
#include "warplings/base.h"
#include "warplings/implied.h"
#include "warplings/vector.h"
#include "warplings/sync.h"
#include "warplings/warp.h"
#include "warplings/atomic.h"
#include "warplings/integer.h"
#include "warplings/memory.h"
#include "warplings/float.h"
#include "warplings/math.h"
