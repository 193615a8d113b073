// bench/engines.c: the engines of `tenon_bench`: tenon alone.

#include "bench/engines.h"
#include "bench/queries.h"

const bench_engine *const bench_engines[] = {&bench_engine_tenon, &bench_engine_tenon_auto};
const uint32_t bench_engine_count = 2;

const queries_engine *const queries_peers[] = {NULL};
