/* mutate.h - changes PTX text as a careless compiler or a malicious author would: tokens, lines,
 * modifiers, types, numbers, registers. Random bytes would not get past the parser. Knows the
 * tables of ptx/ and no fuzzer. */
#ifndef WL_TEST_FUZZ_MUTATE_H
#define WL_TEST_FUZZ_MUTATE_H
#include "base/base.h"

/* Changes text[0..n) in place, up to max bytes; the new length. The same seed, the same change. */
size_t fuzz_mutate(char *text, size_t n, size_t max, u64 seed);
/* Lines of b into a copy of a, their registers renamed to some of a's. */
size_t fuzz_cross(str a, str b, char *out, size_t max, u64 seed);
#endif
