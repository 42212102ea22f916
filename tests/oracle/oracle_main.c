/* oracle_main.c - make oracle: many random programs, the detector beside the oracle. Stops at the
 * first disagreement.
 *
 *   oracle [COUNT [FIRST]]   programs FIRST, FIRST + 1, ...; 20000 from 1 on */
#include <inttypes.h>
#include <stdlib.h>
#include "oracle/compare.h"

int main(int argc, char **argv) {
  u64 count = argc > 1 ? strtoull(argv[1], NULL, 10) : 20000;
  u64 first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  struct compare_count n = {0};
  struct strbuf why = {0};
  for (u64 i = 0; i < count; i++)
    if (!compare_program(first + i, 3, &n, &why)) {
      fprintf(stderr, "%.*s\n", (int)why.n, why.p);
      return 1;
    }
  printf("oracle: %" PRIu64 " programs, %" PRIu64 " runs, %" PRIu64 " with a race, %" PRIu64
         " events: no disagreement\n",
         n.programs, n.runs, n.racy, n.events);
  return 0;
}
