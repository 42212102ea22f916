/* atomic.h - the atomic functions in their three scopes: the list of atomic_list.h, read three times. */
#pragma once

#define WL_NAME(function) function
#define WL_ATOM(operation) __nvvm_atom_##operation
#define WL_SCOPE ""
#include "warplings/atomic_list.h"
#undef WL_NAME
#undef WL_ATOM
#undef WL_SCOPE

#define WL_NAME(function) function##_block
#define WL_ATOM(operation) __nvvm_atom_cta_##operation
#define WL_SCOPE ".cta"
#include "warplings/atomic_list.h"
#undef WL_NAME
#undef WL_ATOM
#undef WL_SCOPE

#define WL_NAME(function) function##_system
#define WL_ATOM(operation) __nvvm_atom_sys_##operation
#define WL_SCOPE ".sys"
#include "warplings/atomic_list.h"
#undef WL_NAME
#undef WL_ATOM
#undef WL_SCOPE
