/* One translation unit per instruction set behind one choice, made once at start.
 *
 * Each family's file is compiled once per instruction set, with TL_VARIANT set to its name; that
 * build defines the kernels tl_NAME_VARIANT. The baseline build also defines the public functions
 * tl_NAME (TL_PUBLIC is 1), each an indexed jump. (Compilers' own mechanisms do not survive: clang
 * 14 cannot link target_clones, and an ifunc resolver dies at start under ASan, TSan and MSan.)
 *
 *     TL_VARIANTS(lerp, double, (double, double, double));
 *
 *     double TL_KERNEL(lerp)(double a, double b, double t) { ... }
 *
 *     #if TL_PUBLIC
 *     double tl_lerp(double a, double b, double t)
 *     {
 *         return TL_CALL(lerp, a, b, t);
 *     }
 *     #endif
 */
#ifndef TL_DISPATCH_H
#define TL_DISPATCH_H

#include "truelerp.h"

#include <float.h>

#if FLT_EVAL_METHOD != 0 || defined(__FAST_MATH__)
#error "truelerp needs plain binary64 arithmetic: no excess precision (x87), no -ffast-math"
#endif

#define TL_PASTE_(name, variant) tl_##name##_##variant
#define TL_PASTE(name, variant) TL_PASTE_(name, variant)
#define TL_KERNEL(name) TL_PASTE(name, TL_VARIANT)

#if defined(__x86_64__)
#define TL_HAS_FMA_VARIANT 1
#else
#define TL_HAS_FMA_VARIANT 0
#endif

enum { TL_VARIANT_BASELINE, TL_VARIANT_FMA };

/* The library's only mutable state. Any value serves any caller, so no order is needed; a read is
 * an ordinary load on x86-64. */
#if TL_HAS_FMA_VARIANT
extern _Atomic unsigned tl_variant __attribute__((visibility("hidden")));
#else
enum { tl_variant = TL_VARIANT_BASELINE };
#endif

/* Declares a function's kernels; at the top of its file. */
#if TL_HAS_FMA_VARIANT
#define TL_VARIANTS(name, result, parameters)                                                      \
    result tl_##name##_baseline parameters;                                                        \
    result tl_##name##_fma parameters
#else
#define TL_VARIANTS(name, result, parameters) result tl_##name##_baseline parameters
#endif

/* Calls the chosen kernel. A branch that is always taken the same way costs a cycle, a jump through
 * a table two. */
#if TL_HAS_FMA_VARIANT
#define TL_CALL(name, ...)                                                                         \
    (__builtin_expect(tl_variant == TL_VARIANT_FMA, 1) ? tl_##name##_fma(__VA_ARGS__)              \
                                                       : tl_##name##_baseline(__VA_ARGS__))
#else
#define TL_CALL(name, ...) tl_##name##_baseline(__VA_ARGS__)
#endif

#endif
