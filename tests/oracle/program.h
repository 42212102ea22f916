/* program.h - random tiny programs that synchronise, rightly or wrongly, for the oracle. */
#ifndef WL_TEST_ORACLE_PROGRAM_H
#define WL_TEST_ORACLE_PROGRAM_H
#include "base/base.h"

enum { PROGRAM_THREADS = 6, PROGRAM_LINES = 200, PROGRAM_FIRST_LINE = 101 };
struct program {
  str text; /* PTX, kernel k without parameters; every instruction in question has a .loc */
  u32 blocks, block_threads, cluster, warps_per_block;
  /* By line - PROGRAM_FIRST_LINE: what all bytes that it stores are, no two lines the same; 0 =
   * none, or a sum. has_sums: some line stores a value that is not its own. */
  u8 stores[PROGRAM_LINES];
  bool has_sums;
  u32 ids[PROGRAM_THREADS],
      thread_count; /* that act: (block * warps_per_block + warp) * 32 + lane */
};
/* A function of the seed alone. */
struct program program_make(struct arena *keep, u64 seed);
#endif
