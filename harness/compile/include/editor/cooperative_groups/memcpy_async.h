/* For editors only (.clangd): the name that headers.def gives to warplings/groups_copy.h. */
#pragma once
#include "../../warplings/groups_copy.h"
