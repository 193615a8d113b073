// bench/measure.h: quality of a run, computed from poses and a model by the same code for all
// engines.
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "bench/model.h"

typedef struct bench_quality {
    double drift;       // m: how far, sideways, a body has moved from where it began, at the end
    double sink;        // m: how far a body has come down, at the end
    double fall_time;   // s: when a body had first come down by half its height; < 0: never
    double penetration; // m: deepest of all samples
    double penetration_end; // m: deepest at the end
    double gap;             // m: largest joint gap of all steps
    double gap_end;         // m: largest joint gap at the end
    double motor_speed;     // rad/s: mean over the second half of the run, of the first hinge motor
    double momentum_change; // largest |L - L0| / |L0|: angular momentum about the centres of mass
    double energy_change;   // (E - E0) / E0 of kinetic energy at the end
    double energy_lost; // largest drop of all energy, as a share of the potential energy given up
    double ground;      // m: how deep a body was in the ground, of all samples
    double ground_end;  // m: at the end
    double lost;        // bodies that are below the ground at the end
    double height_end;  // m: of the centre of mass of all bodies, at the end
    double speed_end;   // m/s: the root of twice their kinetic energy over their mass, at the end
    double noticed;     // what the engine's sensors noticed, as a share of what they overlapped
} bench_quality;

typedef struct bench_measure bench_measure;

// `figures` are bench_figure bits: what is not asked for is not computed. Null without memory.
bench_measure *measure_create(const bench_model *model, uint32_t figures);
void measure_destroy(bench_measure *measure);
// The states after a step; `time` is that of the scene, of a run that ends at `end_time`, s.
void measure_add_sample(bench_measure *measure, const model_state *states, double time,
                        double end_time);
// How many pairs the engine's sensors noticed in that step.
void measure_add_noticed(bench_measure *measure, const model_state *states, uint32_t noticed);
bench_quality measure_get_quality(const bench_measure *measure);

#endif
