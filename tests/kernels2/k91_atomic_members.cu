// TIER core TOOLS nvrtc
// The same with NVIDIA's own headers: no stand-in for this one, so none for the others.
#include <cuda/std/version>
#include "k90_atomic_members.cu"
