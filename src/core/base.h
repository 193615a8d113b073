// core/base.h: every source file includes this first: the public plain types, and TN_ASSERT.
#ifndef TNI_CORE_BASE_H
#define TNI_CORE_BASE_H

// If the CPU has fused multiply-adds, gcc makes them from alternating sums while it vectorises
// straight-line code, even with -ffp-contract=off: that would give other bits than on other CPUs.
#if defined(__GNUC__) && !defined(__clang__) && defined(__FMA__)
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

#include "tenon/base.h"

// Asserts catch our own bugs only, never a caller's mistake: those are reported in every build.
#ifndef NDEBUG
#include <assert.h>
#define TN_ASSERT(condition) assert(condition)
#else
#define TN_ASSERT(condition) ((void)sizeof((condition) ? 1 : 0))
#endif

// This is for innermost functions whose constant arguments must reach their loops. Without
// optimization it would only make functions so long that compiling one of eight lanes takes minutes
// and gigabytes, and the same holds with every access checked.
#if defined(__GNUC__) && defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
#define TNI_FORCE_INLINE static inline __attribute__((always_inline))
#elif defined(_MSC_VER)
#define TNI_FORCE_INLINE static __forceinline
#else
#define TNI_FORCE_INLINE static inline
#endif

// This does the same for whole kernels. They are most of the library's size: where size counts, on
// WebAssembly and with TENON_SMALL, the compiler may choose.
#if defined(__wasm__) || defined(TENON_SMALL)
#define TNI_KERNEL static inline
#else
#define TNI_KERNEL TNI_FORCE_INLINE
#endif

// Such a function keeps one copy, however often and with whatever constants it is called.
#if defined(__clang__)
#define TNI_NO_INLINE __attribute__((noinline))
#elif defined(__GNUC__)
#define TNI_NO_INLINE __attribute__((noinline, noclone))
#elif defined(_MSC_VER)
#define TNI_NO_INLINE __declspec(noinline)
#else
#define TNI_NO_INLINE
#endif

// Such a function is seldom called: it keeps one copy, too, and that is compiled for size.
#if defined(__GNUC__)
#define TNI_RARE TNI_NO_INLINE __attribute__((cold))
#else
#define TNI_RARE TNI_NO_INLINE
#endif

// Asks for the cache line at p, which will be read soon. It changes nothing but time.
#if defined(__GNUC__)
#define TNI_PREFETCH(p) __builtin_prefetch(p)
#else
#define TNI_PREFETCH(p) ((void)(p))
#endif
// Does the same for a line that will be written, and that another processor may have. Compilers
// give the instruction only if they may use later extensions; all x86-64 processors take it.
#if defined(__GNUC__) && defined(__x86_64__)
#define TNI_PREFETCH_TO_WRITE(p) __asm__ volatile("prefetchw %0" : : "m"(*(const char *)(p)))
#elif defined(__GNUC__)
#define TNI_PREFETCH_TO_WRITE(p) __builtin_prefetch(p, 1)
#else
#define TNI_PREFETCH_TO_WRITE(p) ((void)(p))
#endif
#define TNI_CACHE_LINE 64

// This stands for no index: the end of a linked list, a slot that is not there.
#define TNI_NONE UINT32_MAX

#endif
