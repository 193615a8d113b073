// bench/apart.h: as many worlds of one scene at once as threads, as one engine.
//
// They have nothing in common but the machine. So what they get done in the time of a world alone
// tells what the machine has for so many threads: two processors that are one core's two threads,
// or that a host gives to others too, are not two. Large worlds also share the cache and the way to
// memory, which threads in one world have to themselves.
#ifndef BENCH_APART_H
#define BENCH_APART_H

#include "bench/engine.h"

// One for each thread; set `worker_count`. Null is made where there are no threads.
extern const bench_engine bench_engine_tenon_apart;

#endif
