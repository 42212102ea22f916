/* sync.h - barriers, fences, and time. __syncthreads() itself is built into clang. */
#pragma once

WL_FN int __syncthreads_count(int predicate) { return __nvvm_bar0_popc(predicate); }
WL_FN int __syncthreads_and(int predicate) { return __nvvm_bar0_and(predicate); }
WL_FN int __syncthreads_or(int predicate) { return __nvvm_bar0_or(predicate); }
WL_FN void __syncwarp(unsigned mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }
WL_FN void __barrier_sync(unsigned id) { __nvvm_barrier_sync(id); }
WL_FN void __barrier_sync_count(unsigned id, unsigned threads) { __nvvm_barrier_sync_cnt(id, threads); }

WL_FN void __threadfence_block() { __nvvm_membar_cta(); }
WL_FN void __threadfence() { __nvvm_membar_gl(); }
WL_FN void __threadfence_system() { __nvvm_membar_sys(); }

WL_FN clock_t clock() { return __nvvm_read_ptx_sreg_clock(); }
WL_FN wl_i64 clock64() { return __nvvm_read_ptx_sreg_clock64(); }
WL_FN wl_u64 __globaltimer() { wl_u64 t; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)); return t; }
WL_FN void __nanosleep(unsigned nanoseconds) { asm volatile("nanosleep.u32 %0;" ::"r"(nanoseconds)); }
WL_FN void __trap() { asm volatile("trap;"); }
WL_FN void __brkpt() { asm volatile("brkpt;"); }
