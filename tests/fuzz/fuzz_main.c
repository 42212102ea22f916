/* fuzz_main.c - libFuzzer's side: `make fuzz`. With -DFUZZ_PARSER bytes go through the parser only,
 * otherwise through the machine. Mutations are mostly those of mutate.c. */
#include <string.h>
#include "fuzz/mutate.h"
#include "fuzz/target.h"

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t n);
size_t LLVMFuzzerMutate(u8 *bytes, size_t n, size_t max); /* libFuzzer's own */
size_t LLVMFuzzerCustomMutator(u8 *bytes, size_t n, size_t max, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const u8 *a, size_t an, const u8 *b, size_t bn, u8 *out,
                                 size_t max, unsigned seed);

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t n) {
#ifdef FUZZ_PARSER
  fuzz_parse(bytes, n);
#else
  fuzz_machine(bytes, n);
#endif
  return 0;
}

size_t LLVMFuzzerCustomMutator(u8 *bytes, size_t n, size_t max, unsigned seed) {
  if (n == 0 || seed % 16 == 0) return LLVMFuzzerMutate(bytes, n, max);
  return fuzz_mutate((char *)bytes, n, max, seed);
}

size_t LLVMFuzzerCustomCrossOver(const u8 *a, size_t an, const u8 *b, size_t bn, u8 *out,
                                 size_t max, unsigned seed) {
  return fuzz_cross((str){(const char *)a, an}, (str){(const char *)b, bn}, (char *)out, max, seed);
}
