// bench/floor.c: rates of a core from two loops that do nothing else, and what a step needs.

#include "bench/floor.h"

#include "bench/clock.h"

#include <math.h>
#include <stdlib.h>

#define FLOOR_TIME     0.005 // s: how long a loop is run
#define FLOOR_REPEATS  30    // the fastest counts: others share the machine
#define FLOOR_CHAINS   10 // sums that do not wait for each other, as many as hide a sum's latency
#define FLOOR_TURNS    100000
#define FLOOR_SMALLEST 16384 // bytes
#define FLOOR_GROWTH   16
#define FLOOR_OWN      1 // of the sizes, the largest that a core's own caches hold

#define CONTACT_FLOPS 257.0
#define POINT_FLOPS   30.0
#define ROW_FLOPS     34.0
#define CONTACT_BYTES 470.0
#define ROW_BYTES     63.0
#define CONTACT_ROWS  2 // of friction, as telemetry counts

#define JOINT_SWEEPS   4 // what the library makes of joint_iterations 0
#define CONTACT_SWEEPS 2 // and of contact_iterations 0, at least

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
    double lanes = (double)(sizeof(floor_vector) / sizeof(float)) * (is_wide ? 2.0 : 1.0);
    double best = 0.0;
    for (int repeat = 0; repeat < FLOOR_REPEATS; ++repeat) {
        double start = bench_clock_get_seconds();
        if (is_wide) {
            floor_run_wide();
        } else {
            floor_run();
        }
        double time = bench_clock_get_seconds() - start;
        best = time > 0.0 ? fmax(best, 2.0 * lanes * FLOOR_CHAINS * FLOOR_TURNS / time) : best;
    }
    return best;
}

// ---- bytes ------------------------------------------------------------------------------------

// Every number is read and written.
static double floor_run_bytes(floor_vector *numbers, size_t count) {
    floor_vector step = {0};
    step += 0.001f;
    double passes = 0.0, start = bench_clock_get_seconds(), time = 0.0;
    while (time < FLOOR_TIME) {
        for (size_t i = 0; i < count; ++i) {
            numbers[i] += step;
        }
        floor_sink = *(const float *)&numbers[count / 2];
        passes += 1.0;
        time = bench_clock_get_seconds() - start;
    }
    return 2.0 * (double)(sizeof(floor_vector) * count) * passes / time;
}

// 0 without memory.
static double floor_measure_bytes(size_t size) {
    size_t count = size / sizeof(floor_vector);
    floor_vector *numbers = calloc(count, sizeof(floor_vector));
    double best = 0.0;
    for (int repeat = 0; repeat < FLOOR_REPEATS && numbers != NULL; ++repeat) {
        best = fmax(best, floor_run_bytes(numbers, count));
    }
    free(numbers);
    return best;
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

// s: once from where so much data lies, and the rest from the core's own cache.
static double floor_get_transfer(const floor_rates *rates, double data, double bytes) {
    int home = 0;
    double size = (double)FLOOR_SMALLEST * FLOOR_GROWTH;
    while (size <= data && home + 1 < FLOOR_SIZES) {
        size *= FLOOR_GROWTH;
        home += 1;
    }
    int own = home < FLOOR_OWN ? home : FLOOR_OWN;
    if (rates->bytes[home] <= 0.0 || rates->bytes[own] <= 0.0) {
        return 0.0;
    }
    return data / rates->bytes[home] + (bytes - data) / rates->bytes[own];
}

floor_cost floor_get_cost(const tn_telemetry *last, const floor_rates *rates) {
    const tn_world_def def = tn_world_def_default();
    floor_cost cost = {.contact_rows = last->points + CONTACT_ROWS * last->manifolds};
    cost.joint_rows = last->rows - cost.contact_rows;
    double contact_flops = CONTACT_FLOPS * last->manifolds + POINT_FLOPS * last->points;
    double contact_bytes = CONTACT_BYTES * last->manifolds;
    double joint_flops = ROW_FLOPS * cost.joint_rows, joint_bytes = ROW_BYTES * cost.joint_rows;
    double contact_sweeps = (double)last->substeps * (CONTACT_SWEEPS + def.relax_iterations);
    double joint_sweeps = (double)last->substeps * (JOINT_SWEEPS + def.relax_iterations);
    cost.flops = contact_sweeps * contact_flops + joint_sweeps * joint_flops;
    cost.bytes = contact_sweeps * contact_bytes + joint_sweeps * joint_bytes;
    double transfer = floor_get_transfer(rates, contact_bytes + joint_bytes, cost.bytes);
    if (rates->flops > 0.0 && transfer > 0.0) {
        cost.seconds = fmax(cost.flops / rates->flops, transfer);
    }
    return cost;
}
