/* For editors only (.clangd): the name that headers.def gives to warplings/device_runtime.h. */
#pragma once
#include "../warplings/device_runtime.h"
