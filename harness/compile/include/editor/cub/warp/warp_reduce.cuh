/* For editors only (.clangd): the name that headers.def gives to warplings/cub_warp.h. */
#pragma once
#include "../../../warplings/cub_warp.h"
