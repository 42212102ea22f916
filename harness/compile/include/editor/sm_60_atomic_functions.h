/* For editors only (.clangd): the name that headers.def gives to empty.h. */
#pragma once
#include "../empty.h"
