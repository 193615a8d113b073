// bench/limit_counts.c: a million bodies, a hundred thousand joints on a body, a thousand shapes on
// one.
#include "bench/clock.h"
#include "bench/limit_families.h"
#include "bench/quality_world.h"

#include <math.h>
#include <stdlib.h>

#define COUNT_STEPS 10

static double count_get_milliseconds(double since) {
    return 1000.0 * (bench_clock_get_seconds() - since) / COUNT_STEPS;
}

static void count_step(tn_world *world) {
    for (int i = 0; i < COUNT_STEPS; i++) {
        tn_world_step(world, 1.0 / 60.0, 4);
    }
}

// Returns how far something falls within the steps, m.
static double count_get_fall(void) {
    double time = COUNT_STEPS / 60.0;
    return 0.5 * QUALITY_GRAVITY * time * time;
}

// Boxes apart from each other, half of which fall on to the other half, which is static.
static void count_run_bodies(quality *report, uint32_t count) {
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    tn_body_id *bodies = malloc(count * sizeof *bodies);
    tn_shape_def material = quality_material(0.5);
    quality_shape shape = {QUALITY_BOX, {0.25, 0.25, 0.25}};
    uint32_t side = (uint32_t)ceil(cbrt(count)), made = 0;
    double start = bench_clock_get_seconds();
    for (uint32_t i = 0; bodies != NULL && i < count; i++) {
        tn_body_def def =
            quality_body_at(2.0 * (i % side), 2.0 * (i / side % side), 2.0 * (i / side / side));
        bodies[i] = quality_body_create(world, &def, &material, &shape);
        made += tn_body_is_valid(world, bodies[i]) ? 1 : 0;
    }
    double to_make = bench_clock_get_seconds() - start;
    start = bench_clock_get_seconds();
    count_step(world);
    double step = count_get_milliseconds(start), worst = 0.0;
    for (uint32_t i = 0; i < made; i++) {
        double from = 2.0 * (i / side % side);
        double off = from - count_get_fall() - tn_body_get_center(world, bodies[i]).y;
        worst = fmax(worst, fabs(off));
    }
    quality_report(report, made == count && worst < 1e-6, worst,
                   "%u bodies: made in %.1f s, %.0f ms a step", count, to_make, step);
    free(bodies);
    tn_world_destroy(world);
}

void limit_counts_run_bodies(quality *report) {
    count_run_bodies(report, 100000);
    count_run_bodies(report, 1000000);
}

// A hub with spokes' ends on ball joints; all of it falls.
static void count_run_joints(quality *report, uint32_t count, tn_solver solver) {
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    tn_world_set_solver(world, solver);
    tn_joint_id *joints = malloc(count * sizeof *joints);
    tn_body_def hub_def = quality_body_at(0.0, 0.0, 0.0);
    hub_def.has_mass = true;
    hub_def.mass = (tn_mass){1000.0, {0.0, 0.0, 0.0}, {400.0, 400.0, 400.0, 0.0, 0.0, 0.0}};
    tn_body_id hub = tn_body_create(world, &hub_def);
    double start = bench_clock_get_seconds();
    uint32_t made = 0;
    for (uint32_t i = 0; joints != NULL && i < count; i++) {
        double angle = 2.0 * QUALITY_PI * i / count;
        tn_body_def def = quality_body_at(5.0 * cos(angle), 0.0, 5.0 * sin(angle));
        def.has_mass = true;
        def.mass = (tn_mass){0.01, {0.0, 0.0, 0.0}, {1e-5, 1e-5, 1e-5, 0.0, 0.0, 0.0}};
        tn_body_id end = tn_body_create(world, &def);
        tn_ball_joint_def joint = tn_ball_joint_def_default();
        tn_joint_def_set_frames(world, &joint.base, hub, end,
                                (tn_vec3){4.0 * cos(angle), 0.0, 4.0 * sin(angle)},
                                (tn_vec3){0.0, 1.0, 0.0});
        joints[i] = tn_ball_joint_create(world, &joint);
        made += tn_joint_is_valid(world, joints[i]) ? 1 : 0;
    }
    double to_make = bench_clock_get_seconds() - start;
    start = bench_clock_get_seconds();
    count_step(world);
    double step = count_get_milliseconds(start);
    double worst = fabs(count_get_fall() + tn_body_get_center(world, hub).y);
    for (uint32_t i = 0; i < made; i++) {
        tn_vec3 e = tn_joint_get_error(world, joints[i]).linear;
        worst = fmax(worst, sqrt(e.x * e.x + e.y * e.y + e.z * e.z));
    }
    quality_report(report, made == count && worst < 1e-6, worst,
                   "%u joints, %s: made in %.1f s, %.0f ms a step", count,
                   quality_solver_name(solver), to_make, step);
    free(joints);
    tn_world_destroy(world);
}

void limit_counts_run_joints(quality *report) {
    count_run_joints(report, 10000, TN_SOLVER_AUTO);
    count_run_joints(report, 100000, TN_SOLVER_PGS);
    count_run_joints(report, 100000, TN_SOLVER_AUTO);
}

// A cube of balls on one body lies on a floor.
static void count_run_shapes(quality *report, uint32_t side) {
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    tn_shape_def material = quality_material(0.5);
    quality_block_create(world, &material, (tn_vec3){-20.0, -2.0, -20.0},
                         (tn_vec3){20.0, 0.0, 20.0});
    double radius = 0.05;
    tn_body_def def = quality_body_at(0.0, 1.1 * radius * side, 0.0);
    tn_body_id body = tn_body_create(world, &def);
    double start = bench_clock_get_seconds();
    for (uint32_t i = 0; i < side * side * side; i++) {
        tn_shape_def shape = quality_material(0.5);
        shape.local_pose.position = (tn_vec3){radius * (2.0 * (i % side) - (side - 1)),
                                              radius * (2.0 * (i / side % side) - (side - 1)),
                                              radius * (2.0 * (i / side / side) - (side - 1))};
        tn_sphere_shape_create(world, body, &shape, (float)radius);
    }
    double to_make = bench_clock_get_seconds() - start;
    for (int i = 0; i < 30; i++) {
        count_step(world);
    }
    start = bench_clock_get_seconds();
    count_step(world);
    double step = count_get_milliseconds(start);
    double off = fabs(tn_body_get_center(world, body).y - radius * side);
    bool has_all = tn_body_get_shapes(world, body, NULL, 0) == side * side * side;
    quality_report(report, has_all && off < 1e-4, off, "%u balls: made in %.2f s, %.2f ms a step",
                   side * side * side, to_make, step);
    tn_world_destroy(world);
}

void limit_counts_run_shapes(quality *report) {
    count_run_shapes(report, 5);
    count_run_shapes(report, 10);
    count_run_shapes(report, 15);
}
