// bench/limit_ranges.c: a cube comes to rest on a floor and a pendulum swings, over the ranges of
// sizes, masses, steps and places.
//
// The cube falls by a tenth of its size and lies. It may end, and a pendulum's hinge may open, by
// LIMIT_OFF of the size. Beyond the ranges anything but a crash and a state that is not finite is
// taken, and shown.
#include "bench/limit_families.h"
#include "bench/quality_world.h"

#include <math.h>

#define LIMIT_OFF 1e-4 // of the size

typedef struct limit_case {
    double size; // m
    double mass; // kg
    double x;    // m from the origin
    double dt;   // s
    tn_solver solver;
    uint32_t steps;
} limit_case;

typedef struct limit_result {
    double off;     // m: how far the cube is from where it belongs, or how far the hinge opened
    double deepest; // m: of the cube at any step
    bool is_finite;
} limit_result;

static limit_case limit_get_case(void) {
    return (limit_case){1.0, 1000.0, 0.0, 1.0 / 60.0, TN_SOLVER_AUTO, 600};
}

static tn_world *limit_make_world(const limit_case *item) {
    tn_world_def def = tn_world_def_default();
    def.solver = item->solver;
    def.is_sleep_allowed = false;
    return tn_world_create(&def, NULL);
}

static tn_body_id limit_add_cube(tn_world *world, const limit_case *item, tn_vec3 at, double size) {
    tn_body_def def = quality_body_at(at.x, at.y, at.z);
    tn_shape_def material = quality_material(0.5);
    material.density = (float)(item->mass / pow(size, 3.0));
    quality_shape shape = {QUALITY_BOX, {0.5 * size, 0.5 * size, 0.5 * size}};
    return quality_body_create(world, &def, &material, &shape);
}

// Lets the cube fall, and lie for as many steps as the item says.
static limit_result limit_drop(const limit_case *item) {
    tn_world *world = limit_make_world(item);
    double s = item->size, fall = sqrt(0.2 * s / QUALITY_GRAVITY);
    tn_shape_def material = quality_material(0.5);
    quality_block_create(world, &material, (tn_vec3){item->x - 5.0 * s, -10.0 * s, -5.0 * s},
                         (tn_vec3){item->x + 5.0 * s, 0.0, 5.0 * s});
    tn_body_id cube = limit_add_cube(world, item, (tn_vec3){item->x, 0.6 * s, 0.0}, s);
    limit_result result = {0.0, 0.0, true};
    uint32_t steps = item->steps + (uint32_t)ceil(fall / item->dt);
    for (uint32_t i = 0; i < steps; i++) {
        result.is_finite &= tn_world_step(world, item->dt, 4) == TN_RESULT_OK;
        double above = tn_body_get_center(world, cube).y - 0.5 * s;
        result.deepest = fmax(result.deepest, -above);
        result.off = fabs(above);
    }
    result.is_finite &= isfinite(result.off) && tn_body_is_enabled(world, cube);
    tn_world_destroy(world);
    return result;
}

// Lets a bob on a hinge of length `size` swing from the side.
static limit_result limit_swing(const limit_case *item) {
    tn_world *world = limit_make_world(item);
    tn_body_id bob =
        limit_add_cube(world, item, (tn_vec3){item->x + item->size, 0.0, 0.0}, 0.2 * item->size);
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    tn_joint_def_set_frames(world, &def.base, (tn_body_id){0}, bob, (tn_vec3){item->x, 0.0, 0.0},
                            (tn_vec3){0.0, 0.0, 1.0});
    tn_joint_id hinge = tn_hinge_joint_create(world, &def);
    limit_result result = {0.0, 0.0, true};
    for (uint32_t i = 0; i < item->steps; i++) {
        result.is_finite &= tn_world_step(world, item->dt, 4) == TN_RESULT_OK;
        tn_vec3 e = tn_joint_get_error(world, hinge).linear;
        result.off = fmax(result.off, sqrt(e.x * e.x + e.y * e.y + e.z * e.z));
    }
    result.is_finite &= isfinite(result.off) && tn_body_is_enabled(world, bob);
    tn_world_destroy(world);
    return result;
}

static void limit_report_drop(quality *report, const limit_case *item) {
    limit_result result = limit_drop(item);
    bool is_right = result.is_finite && result.off <= LIMIT_OFF * item->size;
    quality_report(report, is_right, result.off,
                   "cube of %g m, %g kg, %g m away, %g s: %.2g m off, %.2g m deep at most",
                   item->size, item->mass, item->x, item->dt, result.off, result.deepest);
}

static void limit_report_swing(quality *report, const limit_case *item) {
    limit_result result = limit_swing(item);
    bool is_right = result.is_finite && result.off <= LIMIT_OFF * item->size;
    quality_report(report, is_right, result.off,
                   "pendulum of %g m, %g kg, %g m away, %g s: %.2g m open", item->size, item->mass,
                   item->x, item->dt, result.off);
}

void limit_ranges_run_sizes(quality *report) {
    for (int power = -4; power <= 4; power++) {
        double size = pow(10.0, power);
        limit_case item = limit_get_case();
        item.size = size;
        item.mass = 1000.0 * pow(size, 3.0);
        limit_result result = limit_drop(&item);
        bool is_right = result.is_finite && result.off <= LIMIT_OFF * size;
        quality_report(report, is_right, result.off / size, "cube of %g m: %.2g m deep at most",
                       size, result.deepest);
    }
}

void limit_ranges_run_lengths(quality *report) {
    for (int power = -4; power <= 4; power++) {
        double size = pow(10.0, power);
        limit_case item = limit_get_case();
        item.size = size;
        item.mass = pow(size, 3.0);
        limit_result result = limit_swing(&item);
        bool is_right = result.is_finite && result.off <= LIMIT_OFF * size;
        quality_report(report, is_right, result.off / size, "pendulum of %g m: %.2g m open", size,
                       result.off);
    }
}

void limit_ranges_run_masses(quality *report) {
    for (int power = -6; power <= 9; power++) {
        limit_case item = limit_get_case();
        item.mass = pow(10.0, power);
        limit_report_drop(report, &item);
        limit_report_swing(report, &item);
    }
}

void limit_ranges_run_steps(quality *report) {
    static const double steps[] = {1e-6, 1e-5, 1e-4, 1e-3, 1.0 / 60.0, 0.1, 1.0};
    for (uint32_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        limit_case item = limit_get_case();
        item.dt = steps[i];
        // The cube of a shorter step is smaller, so that it lies within some thousand steps.
        item.size = item.dt < 1e-3 ? 1e4 * item.dt * item.dt * QUALITY_GRAVITY * 100.0 : 1.0;
        limit_report_drop(report, &item);
        item.size = 1.0;
        limit_report_swing(report, &item);
    }
}

void limit_ranges_run_places(quality *report) {
    for (int power = 3; power <= 5; power++) {
        limit_case item = limit_get_case();
        item.x = pow(10.0, power);
        limit_report_drop(report, &item);
        limit_report_swing(report, &item);
    }
}

static void limit_report_beyond(quality *report, const limit_case *item) {
    limit_result drop = limit_drop(item), swing = limit_swing(item);
    quality_report(report, drop.is_finite && swing.is_finite,
                   fmax(drop.off, swing.off) / item->size,
                   "%g m, %g kg, %g m away, %g s: cube %.2g m off, %.2g m deep at most; hinge %.2g "
                   "m open",
                   item->size, item->mass, item->x, item->dt, drop.off, drop.deepest, swing.off);
}

void limit_ranges_run_beyond(quality *report) {
    static const double sizes[] = {1e-5, 1e5}, masses[] = {1e-12, 1e15};
    static const double places[] = {1e6, 1e7, 1e8, 1e9}, steps[] = {1e-9, 3.0, 10.0};
    for (uint32_t i = 0; i < 2; i++) {
        limit_case item = limit_get_case();
        item.size = sizes[i];
        item.mass = 1000.0 * pow(item.size, 3.0);
        limit_report_beyond(report, &item);
    }
    for (uint32_t i = 0; i < 2; i++) {
        limit_case item = limit_get_case();
        item.mass = masses[i];
        limit_report_beyond(report, &item);
    }
    for (uint32_t i = 0; i < 4; i++) {
        limit_case item = limit_get_case();
        item.x = places[i];
        limit_report_beyond(report, &item);
    }
    for (uint32_t i = 0; i < 3; i++) {
        limit_case item = limit_get_case();
        item.dt = steps[i];
        item.size = i == 0 ? 1e-12 : 1.0;
        limit_report_beyond(report, &item);
    }
}
