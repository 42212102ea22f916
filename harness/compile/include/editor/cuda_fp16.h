/* For editors only (.clangd): the name that headers.def gives to warplings/half.h. */
#pragma once
#include "../warplings/half.h"
