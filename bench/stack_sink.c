// bench/stack_sink.c: how far large piles sink into themselves.
//
// What is too large to be solved at once is swept, and lies in its contacts as deep as their
// softness asks for: see world/collide/contact_lift.h. Limits are half of what piles sank to when
// nothing lifted them, awake and standing.
#include "bench/stack_families.h"
#include "bench/stack_watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SINK_CONTACTS 20000

static void sink_add_box(tn_world *world, tn_vec3 at, tn_vec3 half) {
    tn_body_def def = quality_body_at(at.x, at.y, at.z);
    tn_shape_def material = quality_material(0.6);
    quality_shape box = {QUALITY_BOX, half};
    quality_body_create(world, &def, &material, &box);
}

static tn_world *sink_create_world(void) {
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    tn_shape_def material = quality_material(0.6);
    quality_plane_create(world, &material, 0.0);
    return world;
}

static tn_world *sink_create_pyramid(int base) {
    tn_world *world = sink_create_world();
    for (int row = 0; row < base; row++) {
        for (int i = 0; i < base - row; i++) {
            tn_vec3 at = {i - 0.5 * (base - row - 1), row + 0.5, 0.0};
            sink_add_box(world, at, quality_vector(0.5, 0.5, 0.5));
        }
    }
    return world;
}

// Bricks of 1 m in running bond, with half bricks at the ends of every other row.
static tn_world *sink_create_wall(int rows, int columns) {
    tn_world *world = sink_create_world();
    for (int row = 0; row < rows; row++) {
        double y = 0.25 + 0.5 * row, shift = row % 2 == 0 ? 0.0 : 0.5;
        for (int i = 0; i < columns - row % 2; i++) {
            sink_add_box(world, (tn_vec3){i + shift, y, 0.0}, quality_vector(0.5, 0.25, 0.25));
        }
        for (int end = 0; end < 2 && row % 2 == 1; end++) {
            tn_vec3 at = {end == 0 ? -0.25 : columns - 0.75, y, 0.0};
            sink_add_box(world, at, quality_vector(0.25, 0.25, 0.25));
        }
    }
    return world;
}

static void sink_run_standing(quality *report, tn_world *world, double hz, double limit,
                              const char *name) {
    stack_plan plan = stack_plan_of(10.0, 1.0);
    plan.hz = hz;
    tn_world_set_sleep_allowed(world, true);
    plan.ends_asleep = true;
    stack_result result = stack_follow(report, world, plan);
    quality_report(report, result.stands && result.sink <= limit, result.sink, "%s, %g Hz: %s",
                   name, hz, stack_describe(&result));
    tn_world_destroy(world);
}

// Balls, capsules, boxes and prisms, in a square pit.
static tn_world *sink_create_pile(int count, int side) {
    tn_world *world = sink_create_world();
    tn_shape_def material = quality_material(0.6);
    double half = 0.65 * side;
    for (int i = 0; i < 4; i++) {
        double sign = i % 2 == 0 ? 1.0 : -1.0;
        tn_vec3 lower = {-half - 1.0, 0.0, sign > 0.0 ? half : -half - 1.0};
        tn_vec3 upper = {half + 1.0, 40.0, lower.z + 1.0};
        if (i >= 2) {
            lower = (tn_vec3){lower.z, 0.0, lower.x};
            upper = (tn_vec3){upper.z, 40.0, upper.x};
        }
        quality_block_create(world, &material, lower, upper);
    }
    for (int i = 0; i < count; i++) {
        tn_body_def def =
            quality_body_at(1.25 * (i % side - 0.5 * (side - 1)), 1.0 + 1.25 * (i / (side * side)),
                            1.25 * (i / side % side - 0.5 * (side - 1)));
        quality_body_turn(&def, quality_vector(1.0, 0.3 * (i % 7), 0.2 * (i % 5)), 0.7 * (i % 11));
        quality_shape shape =
            quality_shape_of((quality_kind)(i % QUALITY_KIND_COUNT), 0.3 + 0.05 * (i % 3));
        quality_body_create(world, &def, &material, &shape);
    }
    return world;
}

// The mean depth of points that push, by their loads. m
static double sink_get_mean_depth(const tn_world *world) {
    tn_contact_id *contacts = calloc(SINK_CONTACTS, sizeof *contacts);
    double load = 0.0, sum = 0.0;
    uint32_t count = contacts != NULL ? tn_world_get_contacts(world, contacts, SINK_CONTACTS) : 0;
    for (uint32_t i = 0; i < count && i < SINK_CONTACTS; i++) {
        tn_contact contact = tn_contact_get(world, contacts[i]);
        for (uint32_t p = 0; p < contact.point_count; p++) {
            double x = (double)contact.points[p].normal_impulse;
            load += x;
            sum -= x * (double)contact.points[p].separation;
        }
    }
    free(contacts);
    return load > 0.0 ? sum / load : (double)INFINITY;
}

static void sink_run_pile(quality *report, double hz, double limit) {
    tn_world *world = sink_create_pile(400, 7);
    quality_world_run(world, 8.0, report->hz > 0.0 ? report->hz : hz, 4);
    double depth = sink_get_mean_depth(world);
    quality_report(report, depth <= limit, depth, "pile of 400, %g Hz: %.3g mm at its points", hz,
                   1e3 * depth);
    tn_world_destroy(world);
}

void stack_sink_run_large(quality *report) {
    static const int bases[] = {30, 60, 100};
    static const double limits[] = {7.0e-3, 27e-3, 72e-3};
    for (int i = 0; i < 3; i++) {
        char name[32];
        snprintf(name, sizeof name, "pyramid %d", bases[i]);
        sink_run_standing(report, sink_create_pyramid(bases[i]), 60.0, limits[i], name);
    }
    sink_run_standing(report, sink_create_pyramid(30), 30.0, 28e-3, "pyramid 30");
    sink_run_standing(report, sink_create_pyramid(30), 240.0, 6.3e-3, "pyramid 30");
    sink_run_standing(report, sink_create_wall(20, 40), 60.0, 5.9e-3, "wall of 20 x 40");
    sink_run_pile(report, 60.0, 0.19e-3);
}
