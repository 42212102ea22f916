/* groups_copy.h - cooperative_groups::memcpy_async for clang: a group copies together, each call one batch; wait ends with
 * the group's barrier. Pieces are as large as the type, the promise or the addresses allow. */
#ifndef WARPLINGS_GROUPS_COPY
#define WARPLINGS_GROUPS_COPY
#include "warplings/groups.h"
#include "warplings/cuda_copy.h"

namespace cooperative_groups {

template <cuda::std::size_t align, class Group> WL_FN void wl_copy(const Group &g, void *to, const void *from, size_t bytes) {
  using namespace cuda::wl;
  size_t both = (size_t)to | (size_t)from | bytes;
  if (align >= 16 || both % 16 == 0) copy<16>(g, (char *)to, (const char *)from, bytes, nullptr);
  else if (align >= 8 || both % 8 == 0) copy<8>(g, (char *)to, (const char *)from, bytes, nullptr);
  else if (align >= 4 || both % 4 == 0) copy<4>(g, (char *)to, (const char *)from, bytes, nullptr);
  else copy<1>(g, (char *)to, (const char *)from, bytes, nullptr);
  copy_commit();
}

template <class T> struct wl_align { static constexpr size_t value = alignof(T); };
template <> struct wl_align<void> { static constexpr size_t value = 1; };

template <class Group, class T> WL_FN void memcpy_async(const Group &g, T *to, const T *from, size_t bytes) { wl_copy<wl_align<T>::value>(g, to, from, bytes); }
template <class Group, class T, size_t A> WL_FN void memcpy_async(const Group &g, T *to, const T *from, cuda::aligned_size_t<A> bytes) { wl_copy<A>(g, to, from, bytes); }
/* These two count elements. */
template <class Group, class T> WL_FN void memcpy_async(const Group &g, T *to, size_t room, const T *from, size_t n) { wl_copy<alignof(T)>(g, to, from, (room < n ? room : n) * sizeof(T)); }
template <class Group, class T, size_t A> WL_FN void memcpy_async(const Group &g, T *to, cuda::aligned_size_t<A> room, const T *from, cuda::aligned_size_t<A> n) { wl_copy<A>(g, to, from, (room < n ? room : n) * sizeof(T)); }

template <unsigned others, class Group> WL_FN void wait_prior(const Group &g) {
  cuda::wl::copy_wait<(others < 8 ? others : 8)>();
  g.sync();
}
template <class Group> WL_FN void wait(const Group &g) { wait_prior<0>(g); }

} // namespace cooperative_groups
#endif
