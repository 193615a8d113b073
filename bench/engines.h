// bench/engines.h: which engines a program runs: tenon first, then its peers if it has any.
#ifndef BENCH_ENGINES_H
#define BENCH_ENGINES_H

#include "bench/engine.h"

TN_EXTERN_C_BEGIN

extern const bench_engine *const bench_engines[];
extern const uint32_t bench_engine_count;

TN_EXTERN_C_END

#endif
