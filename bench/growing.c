// bench/growing.c: the longest step of a world that grows, beside those around it.
//
// Twenty boxes in each step come down onto a plane, up to 20,000. What is timed is a step with the
// making of its boxes: whatever the world enlarges for them is in it. A step that halts shows as a
// multiple of the median of the steps around it. The world grows several times in the same way, and
// of each step the lowest time counts.
#include "bench/growing.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <tenon/tenon.h>

#include "bench/clock.h"

#define BOXES_PER_STEP 20
#define STEP_COUNT     1000
#define REPEATS        2
#define AROUND         20    // steps on either side
#define BOX_HALF       0.25  // m
#define SIDE           150.0 // m, of the square they come down on
#define HEIGHT         3.0   // m
#define STEP_TIME      (1.0 / 60.0)
#define SUBSTEPS       4

// The steps that are one row of the table: up to these many boxes.
static const uint32_t ends[] = {2500, 5000, 10000, 20000};

typedef struct growing_times {
    double steps[STEP_COUNT]; // ms
    uint32_t contacts;        // at the end
    double bytes;
} growing_times;

// From 0 to 1, the same on all machines.
static double growing_draw(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 16777216.0;
}

static void growing_add_ground(tn_world *world) {
    tn_body_def body_def = tn_body_def_default();
    body_def.type = TN_BODY_TYPE_STATIC;
    tn_shape_def shape_def = tn_shape_def_default();
    tn_half_space_shape_create(world, tn_body_create(world, &body_def), &shape_def);
}

static void growing_add_box(tn_world *world, uint32_t *seed) {
    tn_body_def body_def = tn_body_def_default();
    body_def.pose.position.x = SIDE * (growing_draw(seed) - 0.5);
    body_def.pose.position.y = HEIGHT;
    body_def.pose.position.z = SIDE * (growing_draw(seed) - 0.5);
    tn_shape_def shape_def = tn_shape_def_default();
    tn_vec3 half_extents = {BOX_HALF, BOX_HALF, BOX_HALF};
    tn_box_shape_create(world, tn_body_create(world, &body_def), &shape_def, half_extents);
}

// Lowers the times to those of this run, where they are less.
static bool growing_measure(growing_times *times) {
    tn_world_def def = tn_world_def_default();
    tn_world *world = tn_world_create(&def, NULL);
    if (world == NULL) {
        return false;
    }
    growing_add_ground(world);
    uint32_t seed = 1;
    bool has_stepped = true;
    for (uint32_t s = 0; s < STEP_COUNT && has_stepped; ++s) {
        double start = bench_clock_get_seconds();
        for (uint32_t i = 0; i < BOXES_PER_STEP; ++i) {
            growing_add_box(world, &seed);
        }
        has_stepped = tn_world_step(world, STEP_TIME, SUBSTEPS) == TN_RESULT_OK;
        double took = 1e3 * (bench_clock_get_seconds() - start);
        times->steps[s] = fmin(times->steps[s], took);
    }
    times->contacts = tn_world_count_contacts(world);
    times->bytes = (double)tn_world_get_telemetry(world).bytes;
    tn_world_destroy(world);
    return has_stepped;
}

static int growing_compare(const void *a, const void *b) {
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

static double growing_get_median(const double *steps, uint32_t step) {
    double around[2 * AROUND + 1];
    uint32_t first = step > AROUND ? step - AROUND : 0;
    uint32_t last = step + AROUND < STEP_COUNT ? step + AROUND : STEP_COUNT - 1;
    for (uint32_t i = first; i <= last; ++i) {
        around[i - first] = steps[i];
    }
    qsort(around, last - first + 1, sizeof *around, growing_compare);
    return around[(last - first) / 2];
}

static void growing_print(const double *steps, uint32_t first, uint32_t last) {
    uint32_t worst = first;
    double worst_ratio = 0.0;
    for (uint32_t s = first; s < last; ++s) {
        double ratio = steps[s] / growing_get_median(steps, s);
        if (ratio > worst_ratio) {
            worst_ratio = ratio;
            worst = s;
        }
    }
    printf("| %u to %u | %u | %.2f | %.2f | %.2f |\n", (unsigned)(first * BOXES_PER_STEP),
           (unsigned)(last * BOXES_PER_STEP), (unsigned)((worst + 1) * BOXES_PER_STEP),
           steps[worst], growing_get_median(steps, worst), worst_ratio);
}

bool growing_run(void) {
    growing_times *times = malloc(sizeof *times);
    bool is_good = times != NULL;
    for (uint32_t s = 0; s < STEP_COUNT && is_good; ++s) {
        times->steps[s] = HUGE_VAL;
    }
    for (uint32_t i = 0; i < REPEATS && is_good; ++i) {
        is_good = growing_measure(times);
    }
    if (is_good) {
        puts("| boxes | worst at | step, ms | median around it, ms | times "
             "|\n|---|---|---|---|---|");
        uint32_t first = AROUND;
        for (uint32_t i = 0; i < sizeof ends / sizeof *ends; ++i) {
            growing_print(times->steps, first, ends[i] / BOXES_PER_STEP);
            first = ends[i] / BOXES_PER_STEP;
        }
        printf("At the end %u contacts and %.1f MB.\n", (unsigned)times->contacts,
               1e-6 * times->bytes);
    } else {
        fputs("tenon_bench: out of memory\n", stderr);
    }
    free(times);
    return is_good;
}
