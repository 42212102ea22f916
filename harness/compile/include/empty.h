/* Kernels have these names without including anything; the file is here so that the include works. */
#pragma once
