// bench/peers/engines.cpp: the engines of `tenon_peers`: tenon, Bullet, ODE, and MuJoCo where it is
// installed.

#include "bench/engines.h"
#include "bench/queries.h"

const bench_engine *const bench_engines[] = {
    &bench_engine_tenon,     &bench_engine_tenon_auto, &bench_engine_bullet,
    &bench_engine_ode_quick, &bench_engine_ode_step,
#ifdef TENON_BENCH_MUJOCO
    &bench_engine_mujoco,
#endif
};
const uint32_t bench_engine_count = sizeof(bench_engines) / sizeof(bench_engines[0]);

const queries_engine *const queries_peers[] = {&queries_engine_bullet, &queries_engine_bullet_rays,
                                               nullptr};
