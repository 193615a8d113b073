// bench/engine.h: what the benchmark asks of an engine: make a scene, step it, read its poses.
//
// tenon makes the scene itself (scenes/); a peer is fed from the model of tenon's world before its
// first step. Every engine runs at its own defaults, with sleeping off unless the case is of bodies
// asleep, on one thread; tenon with Gauss-Seidel, and once more with the solvers it chooses itself.
#ifndef BENCH_ENGINE_H
#define BENCH_ENGINE_H

#include "bench/cases.h"
#include "bench/model.h"

TN_EXTERN_C_BEGIN

typedef struct bench_engine bench_engine;

// From, m; then the way, m.
typedef struct bench_ray {
    double origin[3], translation[3];
} bench_ray;

struct bench_engine {
    const char *name;
    bool is_for_small; // run only where the case is small: its cost grows with the cube of the size
    // Null when the scene holds something that the engine has no equal of, or without memory.
    void *(*create)(const bench_engine *engine, const bench_case *item, const bench_model *model);
    // What the scene does by itself before and after a step, outside of the clock. May be null.
    void (*before_step)(void *world);
    void (*step)(void *world);
    void (*after_step)(void *world);
    // Poses and velocities of the model's bodies, in its order. Null: quality is not measured.
    void (*read)(const void *world, model_state *out_states);
    void (*destroy)(void *world);
    bool is_tenon;         // tells its hash, memory and stages
    uint32_t worker_count; // of tenon with threads: wall time counts, not the processor's
    // The share of each way that is free, 1 of one that meets nothing. May be null.
    void (*cast_rays)(void *world, const bench_ray *rays, uint32_t count, double *out_free);
    // How many pairs of a sensor and a shape in it the last step found. Not timed. May be null.
    uint32_t (*count_noticed)(void *world);
};

extern const bench_engine bench_engine_tenon;         // Gauss-Seidel, as the peers
extern const bench_engine bench_engine_tenon_auto;    // scenes with joints: the world chooses
extern const bench_engine bench_engine_tenon_workers; // Gauss-Seidel; set `worker_count`
extern const bench_engine bench_engine_bullet;
extern const bench_engine bench_engine_ode_quick; // iterative, dWorldQuickStep
extern const bench_engine bench_engine_ode_step;  // dense and direct, dWorldStep
extern const bench_engine bench_engine_mujoco;    // reduced coordinates, where it is installed

TN_EXTERN_C_END

#endif
