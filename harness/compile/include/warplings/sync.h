/* sync.h - barriers, fences, and time. __syncthreads() itself is built into clang. */
#pragma once

/* clang 14 believes that its built-in barriers change no variable of internal linkage, and moves accesses to a
 * __shared__ one across them. An empty asm on both sides tells it otherwise. */
WL_FN void wl_clobber() { asm volatile("" ::: "memory"); }
WL_FN void wl_syncthreads() { wl_clobber(); __syncthreads(); wl_clobber(); }
#define __syncthreads() wl_syncthreads()
WL_FN int __syncthreads_count(int predicate) { wl_clobber(); int r = __nvvm_bar0_popc(predicate); wl_clobber(); return r; }
WL_FN int __syncthreads_and(int predicate) { wl_clobber(); int r = __nvvm_bar0_and(predicate); wl_clobber(); return r; }
WL_FN int __syncthreads_or(int predicate) { wl_clobber(); int r = __nvvm_bar0_or(predicate); wl_clobber(); return r; }
WL_FN void __syncwarp(unsigned mask = 0xffffffffu) { wl_clobber(); __nvvm_bar_warp_sync(mask); wl_clobber(); }
WL_FN void __barrier_sync(unsigned id) { wl_clobber(); __nvvm_barrier_sync(id); wl_clobber(); }
WL_FN void __barrier_sync_count(unsigned id, unsigned threads) { wl_clobber(); __nvvm_barrier_sync_cnt(id, threads); wl_clobber(); }

WL_FN void __threadfence_block() { wl_clobber(); __nvvm_membar_cta(); wl_clobber(); }
WL_FN void __threadfence() { wl_clobber(); __nvvm_membar_gl(); wl_clobber(); }
WL_FN void __threadfence_system() { wl_clobber(); __nvvm_membar_sys(); wl_clobber(); }

WL_FN clock_t clock() { return __nvvm_read_ptx_sreg_clock(); }
WL_FN wl_i64 clock64() { return __nvvm_read_ptx_sreg_clock64(); }
WL_FN wl_u64 __globaltimer() { wl_u64 t; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)); return t; }
WL_FN void __nanosleep(unsigned nanoseconds) { asm volatile("nanosleep.u32 %0;" ::"r"(nanoseconds)); }
WL_FN void __trap() { asm volatile("trap;"); }
WL_FN void __brkpt() { asm volatile("brkpt;"); }
