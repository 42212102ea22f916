/* For editors only (.clangd): the name that headers.def gives to warplings/cub_block.h. */
#pragma once
#include "../../../warplings/cub_block.h"
