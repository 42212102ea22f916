/* For editors only (.clangd): the name that headers.def gives to warplings/groups_reduce.h. */
#pragma once
#include "../../warplings/groups_reduce.h"
