/* primitives.h - <cuda_pipeline_primitives.h> and <cuda_awbarrier_primitives.h> for clang: asynchronous copies in groups,
 * and barrier objects in shared memory, as C functions. */
#ifndef WARPLINGS_PRIMITIVES
#define WARPLINGS_PRIMITIVES
#include "warplings/cuda_mbarrier.h"

typedef uint64_t __mbarrier_t;
typedef uint64_t __mbarrier_token_t;

WL_FN uint32_t __mbarrier_maximum_count() { return (1 << 14) - 1; }
WL_FN void __mbarrier_init(__mbarrier_t *b, uint32_t expected) { cuda::wl::mbarrier_init(b, expected); }
WL_FN void __mbarrier_inval(__mbarrier_t *b) { cuda::wl::mbarrier_inval(b); }
WL_FN __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *b) { return cuda::wl::mbarrier_arrive(b, 1); }
WL_FN __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *b) { return cuda::wl::mbarrier_arrive_drop(b); }
WL_FN bool __mbarrier_test_wait(__mbarrier_t *b, __mbarrier_token_t t) { return cuda::wl::mbarrier_test_wait(b, t); }
WL_FN bool __mbarrier_test_wait_parity(__mbarrier_t *b, bool parity) { return cuda::wl::mbarrier_test_wait_parity(b, parity); }
/* A wait that may give up at any time, so one look is enough. */
WL_FN bool __mbarrier_try_wait(__mbarrier_t *b, __mbarrier_token_t t, uint32_t) { return cuda::wl::mbarrier_try_wait(b, t); }
WL_FN bool __mbarrier_try_wait_parity(__mbarrier_t *b, bool parity, uint32_t) { return cuda::wl::mbarrier_try_wait_parity(b, parity); }
WL_FN uint32_t __mbarrier_token_pending_count(__mbarrier_token_t t) { return cuda::wl::mbarrier_pending(t); }

/* Copies `bytes`, 4, 8 or 16; the last `zeros` of them are zero instead. */
WL_FN void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t zeros = 0) {
  if (bytes == 16) cuda::wl::copy_piece<16>(to, from, (unsigned)zeros);
  else if (bytes == 8) cuda::wl::copy_piece<8>(to, from, (unsigned)zeros);
  else if (bytes == 4) cuda::wl::copy_piece<4>(to, from, (unsigned)zeros);
  else __trap();
}
WL_FN void __pipeline_commit() { cuda::wl::copy_commit(); }
WL_FN void __pipeline_wait_prior(size_t others) {
  switch (others) {
  case 0: cuda::wl::copy_wait<0>(); break;
  case 1: cuda::wl::copy_wait<1>(); break;
  case 2: cuda::wl::copy_wait<2>(); break;
  case 3: cuda::wl::copy_wait<3>(); break;
  case 4: cuda::wl::copy_wait<4>(); break;
  case 5: cuda::wl::copy_wait<5>(); break;
  case 6: cuda::wl::copy_wait<6>(); break;
  case 7: cuda::wl::copy_wait<7>(); break;
  default: cuda::wl::copy_wait<8>();
  }
}
WL_FN void __pipeline_arrive_on(__mbarrier_t *b) { cuda::wl::copy_arrive(b); }
#endif
