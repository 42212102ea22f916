/* For editors only (.clangd): the name that headers.def gives to warplings/groups.h. */
#pragma once
#include "../warplings/groups.h"
