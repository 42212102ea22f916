/* assert.h - for kernels: a failed assertion stops the launch and names the line.
 * May be included again after NDEBUG changed, as in C. */
#ifndef WARPLINGS_ASSERT_DECLARED
#define WARPLINGS_ASSERT_DECLARED
extern "C" __attribute__((device)) void __assertfail(const char *text, const char *file, unsigned line,
                                                     const char *function, decltype(sizeof(0)) char_bytes);
#endif
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition)                                                                          \
  ((condition) ? (void)0 : __assertfail(#condition, __FILE__, __LINE__, __func__, sizeof(char)))
#endif
