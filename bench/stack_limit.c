// bench/stack_limit.c: thresholds known from statics: stands below them, falls or slides above.
#include "bench/stack_families.h"
#include "bench/stack_watch.h"

#include <math.h>
#include <stdio.h>

static const double limit_rates[] = {60.0, 30.0, 240.0};
#define LIMIT_RATE_COUNT 3

static void limit_report(quality *report, tn_world *world, stack_plan plan, bool should_stand,
                         const char *name) {
    stack_result result = stack_follow(report, world, plan);
    double moved = hypot(result.drift, result.sink), figure = should_stand ? moved : 0.0;
    if (!should_stand && result.stands) {
        figure = plan.fallen; // by so much it ought to have moved
    }
    quality_report(report, result.stands == should_stand, figure, "%s, %g Hz, should %s: %s", name,
                   plan.hz, should_stand ? "stand" : "fall", stack_describe(&result));
    tn_world_destroy(world);
}

// Equal blocks of length L over a table's edge, the k-th from the top shifted by L / 2k against the
// next one: the harmonic stack, on the verge for the factor 1.
static void limit_run_overhang(quality *report, int count, double factor, double hz) {
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    tn_shape_def material = quality_material(0.6);
    tn_vec3 lower = {-0.5, -0.25, -0.25}, upper = {0.5, 0.0, 0.25};
    quality_block_create(world, &material, lower, upper);
    quality_shape block = {QUALITY_BOX, {0.5, 0.125, 0.25}};
    double x = 0.0;
    for (int i = 0; i < count; i++) {
        x += factor * 0.5 / (count - i);
        tn_body_def def = quality_body_at(x, 0.25 * i + 0.125, 0.0);
        quality_body_create(world, &def, &material, &block);
    }
    stack_plan plan = stack_plan_of(5.0, 0.2);
    plan.hz = hz;
    char name[64];
    snprintf(name, sizeof name, "%d blocks, factor %g", count, factor);
    limit_report(report, world, plan, factor < 1.0, name);
}

void stack_limit_run_overhang(quality *report) {
    static const double factors[] = {0.9, 0.97, 1.03, 1.1};
    for (uint32_t i = 0; i < 2 * 4 * LIMIT_RATE_COUNT; i++) {
        limit_run_overhang(report, i / 4 % 2 == 0 ? 8 : 4, factors[i % 4], limit_rates[i / 8]);
    }
}

#define LIMIT_ARCH_STONES 15
#define LIMIT_ARCH_RADIUS 4.0    // m, mean
#define LIMIT_ARCH_SHARE  0.1061 // least thickness over radius for 15 stones

// A semicircle of straight-sided stones on a plane. It stands as long as a line of thrust fits into
// it: from 0.1075 of the mean radius for infinitely many stones (J. Heyman, The Safety of Masonry
// Arches, 1969), and from 0.1061 for 15, between whose joints alone it can open (the largest share
// for which no thrust at the crown keeps the line inside at all joints, found by bisection).
static void limit_run_arch(quality *report, double factor, double hz) {
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    tn_shape_def material = quality_material(0.6);
    quality_plane_create(world, &material, 0.0);
    material.density = 2400.0f;
    double thickness = factor * LIMIT_ARCH_SHARE * LIMIT_ARCH_RADIUS;
    double half_angle = 0.5 * QUALITY_PI / LIMIT_ARCH_STONES;
    tn_vec3 corners[8];
    for (uint32_t i = 0; i < 8; i++) {
        double radius = LIMIT_ARCH_RADIUS + (i & 1 ? 0.5 : -0.5) * thickness;
        double angle = i & 2 ? half_angle : -half_angle;
        corners[i].x = (radius * cos(angle) - LIMIT_ARCH_RADIUS);
        corners[i].y = (radius * sin(angle));
        corners[i].z = i & 4 ? 0.5 : -0.5;
    }
    for (int i = 0; i < LIMIT_ARCH_STONES; i++) {
        double angle = (2 * i + 1) * half_angle;
        tn_body_def def =
            quality_body_at(LIMIT_ARCH_RADIUS * cos(angle), LIMIT_ARCH_RADIUS * sin(angle), 0.0);
        quality_body_turn(&def, quality_vector(0.0, 0.0, 1.0), angle);
        tn_body_id stone = tn_body_create(world, &def);
        quality_hull_shape_create(world, stone, &material, corners, 8);
    }
    stack_plan plan = stack_plan_of(10.0, 0.6);
    plan.hz = hz;
    char name[64];
    snprintf(name, sizeof name, "thickness %g of the least", factor);
    limit_report(report, world, plan, factor > 1.0, name);
}

void stack_limit_run_arch(quality *report) {
    static const double factors[] = {0.85, 0.95, 1.05, 1.15};
    for (uint32_t i = 0; i < 4 * LIMIT_RATE_COUNT; i++) {
        limit_run_arch(report, factors[i % 4], limit_rates[i / 4]);
    }
}

// Gravity is tilted instead of the floor, by `factor` times the angle of friction. Below it nothing
// creeps (1 mm in 2 s); above it the way is g (sin - mu cos) t^2 / 2 (within 2 %). A stack of three
// is asked only whether it stays.
static void limit_run_friction(quality *report, quality_kind kind, int height, double factor,
                               double hz) {
    double friction = 0.5, angle = factor * atan(friction), seconds = 2.0;
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    tn_vec3 gravity = {QUALITY_GRAVITY * sin(angle), -QUALITY_GRAVITY * cos(angle), 0.0};
    tn_world_set_gravity(world, gravity);
    tn_shape_def material = quality_material(friction);
    quality_plane_create(world, &material, 0.0);
    quality_shape shape = {kind, {0.25, 0.05, 0.25}};
    tn_body_id top = {0};
    for (int i = 0; i < height; i++) {
        tn_body_def def = quality_body_at(0.0, 0.05 + 0.1 * i, 0.0);
        top = quality_body_create(world, &def, &material, &shape);
    }
    quality_world_run(world, seconds, hz, 4);
    double slide = QUALITY_GRAVITY * (sin(angle) - friction * cos(angle)) * seconds * seconds / 2.0;
    double want = fmax(0.0, slide);
    double off = fabs(tn_body_get_center(world, top).x - want);
    quality_report(report, off <= fmax(1e-3, 0.02 * want), off,
                   "%d %s, %g of the angle, %g Hz: off the way of %.3g m", height,
                   quality_kind_name(kind), factor, hz, want);
    tn_world_destroy(world);
}

void stack_limit_run_friction(quality *report) {
    static const double factors[] = {0.95, 0.99, 1.01, 1.05};
    for (uint32_t i = 0; i < 4 * 2 * LIMIT_RATE_COUNT; i++) {
        quality_kind kind = i / 4 % 2 == 0 ? QUALITY_BOX : QUALITY_HULL;
        limit_run_friction(report, kind, 1, factors[i % 4], limit_rates[i / 8]);
    }
    for (uint32_t i = 0; i < 2 * LIMIT_RATE_COUNT; i++) {
        limit_run_friction(report, QUALITY_BOX, 3, factors[i % 2], limit_rates[i / 2]);
    }
}

// A box of 0.4 m x 1 m tips when gravity leans by more than tan = 0.4.
static void limit_run_tipping(quality *report, double factor, double hz) {
    double angle = factor * atan(0.4);
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    tn_vec3 gravity = {QUALITY_GRAVITY * sin(angle), -QUALITY_GRAVITY * cos(angle), 0.0};
    tn_world_set_gravity(world, gravity);
    tn_shape_def material = quality_material(1.2);
    quality_plane_create(world, &material, 0.0);
    quality_shape shape = {QUALITY_BOX, {0.2, 0.5, 0.2}};
    tn_body_def def = quality_body_at(0.0, 0.5, 0.0);
    tn_body_id box = quality_body_create(world, &def, &material, &shape);
    quality_world_run(world, 5.0, hz, 4);
    double tilt = quality_angle_between(def.pose.rotation, tn_body_get_pose(world, box).rotation);
    bool has_tipped = tilt > 0.3;
    double off = factor > 1.0 ? fmax(0.0, 0.3 - tilt) : tilt;
    quality_report(report, has_tipped == (factor > 1.0) && (has_tipped || tilt < 0.01), off,
                   "%g of the angle, %g Hz", factor, hz);
    tn_world_destroy(world);
}

void stack_limit_run_tipping(quality *report) {
    static const double factors[] = {0.9, 0.97, 1.03, 1.1};
    for (uint32_t i = 0; i < 4 * LIMIT_RATE_COUNT; i++) {
        limit_run_tipping(report, factors[i % 4], limit_rates[i / 4]);
    }
}
