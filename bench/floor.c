// bench/floor.c: rates of a core from two loops that do nothing else, and what a step needs.

#include "bench/floor.h"

#include "bench/clock.h"

#include <math.h>
#include <stdlib.h>

#define FLOOR_TIME     0.15 // s: how long a loop is run
#define FLOOR_CHAINS   10   // sums that do not wait for each other, as many as hide a sum's latency
#define FLOOR_TURNS    100000
#define FLOOR_SMALLEST 16384 // bytes
#define FLOOR_GROWTH   16

#define CONTACT_FLOPS 257.0
#define POINT_FLOPS   30.0
#define ROW_FLOPS     34.0
#define CONTACT_BYTES 470.0
#define ROW_BYTES     63.0
#define CONTACT_ROWS  2 // of friction, as telemetry counts

#define FEW_JOINTS      64 // the library's own rule for joint_iterations 0
#define FEW_ITERATIONS  4
#define MANY_ITERATIONS 2

// ---- operations -------------------------------------------------------------------------------

// Products and sums in as wide vectors as the library's loops; without them, in plain numbers.
#if defined(__GNUC__)
typedef float floor_vector __attribute__((vector_size(16)));
typedef float floor_wide_vector __attribute__((vector_size(32)));
#else
typedef float floor_vector;
#endif

#define FLOOR_LOOP(type)                                                                           \
    type sums[FLOOR_CHAINS], factor = {0}, step = {0};                                             \
    factor += 0.999f;                                                                              \
    step += 0.001f;                                                                                \
    for (int i = 0; i < FLOOR_CHAINS; ++i) {                                                       \
        sums[i] = step * (float)i;                                                                 \
    }                                                                                              \
    for (int turn = 0; turn < FLOOR_TURNS; ++turn) {                                               \
        for (int i = 0; i < FLOOR_CHAINS; ++i) {                                                   \
            sums[i] = sums[i] * factor + step;                                                     \
        }                                                                                          \
    }                                                                                              \
    for (int i = 1; i < FLOOR_CHAINS; ++i) {                                                       \
        sums[0] += sums[i];                                                                        \
    }                                                                                              \
    floor_sink = *(const float *)&sums[0];

static volatile float floor_sink; // so that the loops are not left out

static void floor_run(void) {
    FLOOR_LOOP(floor_vector)
}

#if defined(__GNUC__) && defined(__x86_64__)
__attribute__((target("avx2"))) static void floor_run_wide(void) {
    FLOOR_LOOP(floor_wide_vector)
}

static bool floor_is_wide(void) {
    return __builtin_cpu_supports("avx2") != 0;
}
#else
static void floor_run_wide(void) {
    floor_run();
}

static bool floor_is_wide(void) {
    return false;
}
#endif

static double floor_measure_flops(void) {
    bool is_wide = floor_is_wide();
    size_t lanes = sizeof(floor_vector) / sizeof(float) * (is_wide ? 2 : 1);
    double turns = 0.0, start = bench_clock_get_seconds(), time = 0.0;
    while (time < FLOOR_TIME) {
        if (is_wide) {
            floor_run_wide();
        } else {
            floor_run();
        }
        turns += FLOOR_TURNS;
        time = bench_clock_get_seconds() - start;
    }
    return 2.0 * (double)lanes * FLOOR_CHAINS * turns / time;
}

// ---- bytes ------------------------------------------------------------------------------------

// Every number is read and written. 0 without memory.
static double floor_measure_bytes(size_t size) {
    size_t count = size / sizeof(float);
    float *numbers = calloc(count, sizeof(float));
    if (numbers == NULL) {
        return 0.0;
    }
    double bytes = 0.0, start = bench_clock_get_seconds(), time = 0.0;
    while (time < FLOOR_TIME) {
        for (size_t i = 0; i < count; ++i) {
            numbers[i] += 1.0f;
        }
        floor_sink = numbers[count / 2];
        bytes += 2.0 * (double)size;
        time = bench_clock_get_seconds() - start;
    }
    free(numbers);
    return bytes / time;
}

floor_rates floor_measure_rates(void) {
    floor_rates rates = {.flops = floor_measure_flops()};
    size_t size = FLOOR_SMALLEST;
    for (int i = 0; i < FLOOR_SIZES; ++i, size *= FLOOR_GROWTH) {
        rates.bytes[i] = floor_measure_bytes(size);
    }
    return rates;
}

// ---- a step -----------------------------------------------------------------------------------

// The rate for so much data.
static double floor_get_rate(const floor_rates *rates, double bytes) {
    int index = 0;
    for (double size = FLOOR_SMALLEST; size < bytes && index + 1 < FLOOR_SIZES; ++index) {
        size *= FLOOR_GROWTH;
    }
    return rates->bytes[index];
}

static uint32_t floor_get_joint_sweeps(const tn_telemetry *last, const tn_world_def *def) {
    if (def->joint_iterations != 0) {
        return def->joint_iterations;
    }
    return last->joints <= FEW_JOINTS ? FEW_ITERATIONS : MANY_ITERATIONS;
}

floor_cost floor_get_cost(const tn_telemetry *last, const tn_world_def *def,
                          const floor_rates *rates) {
    floor_cost cost = {.contact_rows = last->points + CONTACT_ROWS * last->manifolds};
    cost.joint_rows = last->rows - cost.contact_rows;
    double contact_flops = CONTACT_FLOPS * last->manifolds + POINT_FLOPS * last->points;
    double contact_bytes = CONTACT_BYTES * last->manifolds;
    double joint_flops = ROW_FLOPS * cost.joint_rows, joint_bytes = ROW_BYTES * cost.joint_rows;
    double contact_sweeps =
        (double)last->substeps * (def->contact_iterations + def->relax_iterations);
    double joint_sweeps =
        (double)last->substeps * (floor_get_joint_sweeps(last, def) + def->relax_iterations);
    cost.flops = contact_sweeps * contact_flops + joint_sweeps * joint_flops;
    cost.bytes = contact_sweeps * contact_bytes + joint_sweeps * joint_bytes;
    double rate = floor_get_rate(rates, contact_bytes + joint_bytes);
    if (rates->flops > 0.0 && rate > 0.0) {
        cost.seconds = fmax(cost.flops / rates->flops, cost.bytes / rate);
    }
    return cost;
}
