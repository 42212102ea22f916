/* For editors only (.clangd): the name that headers.def gives to warplings/wmma.h. */
#pragma once
#include "../warplings/wmma.h"
