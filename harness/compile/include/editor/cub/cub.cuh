/* For editors only (.clangd): the name that headers.def gives to warplings/cub_all.h. */
#pragma once
#include "../../warplings/cub_all.h"
