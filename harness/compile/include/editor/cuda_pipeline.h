/* For editors only (.clangd): the name that headers.def gives to warplings/primitives.h. */
#pragma once
#include "../warplings/primitives.h"
