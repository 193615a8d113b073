// bench/stack_energy.c: what falls may lose energy, never gain it.
#include "bench/stack_families.h"
#include "bench/stack_watch.h"

#include <math.h>
#include <stdio.h>

// From 0 to 1, from the seed alone.
static double energy_random(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 16777216.0;
}

// Boxes of random sizes and turns fall on a plane. After a low the energy rises by at most 0.1 % of
// the largest kinetic energy.
static void energy_run_drop(quality *report, uint32_t count, uint32_t seed) {
    uint32_t state = seed * 7919u;
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    tn_shape_def material = quality_material(0.6);
    quality_plane_create(world, &material, 0.0);
    for (uint32_t i = 0; i < count; i++) {
        tn_body_def def = quality_body_at(2.0 * energy_random(&state) - 1.0, 1.5 + 1.2 * i,
                                          2.0 * energy_random(&state) - 1.0);
        tn_vec3 axis = {energy_random(&state) - 0.5, energy_random(&state) - 0.5,
                        energy_random(&state) + 0.1};
        quality_body_turn(&def, axis, 3.0 * energy_random(&state));
        quality_shape box = {QUALITY_BOX,
                             {0.15 + 0.35 * energy_random(&state),
                              0.15 + 0.35 * energy_random(&state),
                              0.15 + 0.35 * energy_random(&state)}};
        quality_body_create(world, &def, &material, &box);
    }
    stack_result result = stack_follow(report, world, stack_plan_of(8.0, 1e6));
    double share = result.rise / result.largest;
    quality_report(report, share < 1e-3, share, "%u boxes, seed %u: %.3g J of %.3g, %.2g J left",
                   count, seed, result.rise, result.largest, result.kinetic);
    tn_world_destroy(world);
}

void stack_energy_run_drops(quality *report) {
    for (uint32_t seed = 1; seed <= 12; seed++) {
        energy_run_drop(report, 25, seed);
    }
    for (uint32_t seed = 1; seed <= 3; seed++) {
        energy_run_drop(report, 60, seed);
    }
}

// A square plate of `side` x `side` cubes of 1 m and 1 t on fixed joints between neighbours; its
// first row is welded to the world where it is held by an edge.
static tn_world *energy_make_plate(int side, double height, bool is_held, tn_solver solver) {
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    tn_world_set_solver(world, solver);
    tn_shape_def material = quality_material(0.6);
    quality_plane_create(world, &material, 0.0);
    tn_body_id plate[20][20];
    quality_shape box = {QUALITY_BOX, {0.5, 0.5, 0.5}};
    for (int i = 0; i < side; i++) {
        for (int k = 0; k < side; k++) {
            tn_body_def def = quality_body_at(i - 0.5 * (side - 1), height, k - 0.5 * (side - 1));
            plate[i][k] = quality_body_create(world, &def, &material, &box);
        }
    }
    for (int i = 0; i < side; i++) {
        for (int k = 0; k < side; k++) {
            tn_vec3 place = tn_body_get_center(world, plate[i][k]);
            for (int way = 0; way < 2; way++) {
                bool is_x = way == 0;
                tn_body_id other = {0};
                if (is_x && i > 0) {
                    other = plate[i - 1][k];
                } else if (!is_x && k > 0) {
                    other = plate[i][k - 1];
                } else if (!is_x || !is_held) {
                    continue;
                }
                tn_vec3 anchor = {place.x - (is_x ? 0.5 : 0.0), place.y,
                                  place.z - (is_x ? 0.0 : 0.5)};
                tn_fixed_joint_def weld = tn_fixed_joint_def_default();
                tn_joint_def_set_frames(world, &weld.base, other, plate[i][k], anchor,
                                        quality_vector(1.0, 0.0, 0.0));
                tn_fixed_joint_create(world, &weld);
            }
        }
    }
    return world;
}

// A swept plate is soft: its joints open while it bends, by millimeters, and close again. It sags,
// swings and comes to rest, like a spring whose energy no ledger knows, so that kinetic and
// potential energy fall and rise in turn. They must never be more than at the start; 0.1 % of the
// weight times 1 m is allowed.
static void energy_report_plate(quality *report, tn_world *world, int side) {
    stack_result result = stack_follow(report, world, stack_plan_of(5.0, 1e6));
    double allowed = 1e-3 * side * side * 1000.0 * QUALITY_GRAVITY;
    double gap = tn_world_get_telemetry(world).worst_joint_linear;
    quality_report(report, result.gain < allowed, result.gain,
                   "%d x %d: %.3g J at most, %.2g J at the end, gap %.2g m", side, side,
                   result.largest, result.kinetic, gap);
    tn_world_destroy(world);
}

static const int energy_sides[] = {7, 10, 12, 16, 20};

// Four of them, or those of one edge.
static void energy_add_posts(tn_world *world, int side, bool is_edge) {
    tn_shape_def material = quality_material(0.6);
    for (int k = 0; k < 4; k += is_edge ? 2 : 1) {
        double x = (k & 1 ? 0.25 : -0.25) * side, z = (k & 2 ? 0.25 : -0.25) * side;
        tn_vec3 lower = {x - 0.25, 0.0, z - 0.25}, upper = {x + 0.25, 2.0, z + 0.25};
        quality_block_create(world, &material, lower, upper);
    }
}

// From 3 m above four posts.
void stack_energy_run_plates(quality *report) {
    for (int i = 0; i < 5; i++) {
        int side = energy_sides[i];
        tn_world *world = energy_make_plate(side, 5.5, false, TN_SOLVER_AUTO);
        energy_add_posts(world, side, false);
        energy_report_plate(report, world, side);
    }
}

// Swept; where the world chooses it solves these exactly.
void stack_energy_run_edges(quality *report) {
    for (int i = 0; i < 5; i++) {
        tn_world *world = energy_make_plate(energy_sides[i], 30.0, true, TN_SOLVER_PGS);
        energy_report_plate(report, world, energy_sides[i]);
    }
}

// Solved exactly a plate is rigid, and so is its motion 1.5 s after it was let go, when it has
// landed and bounced: every box turns as the first one does, and goes with it. J beside that.
static double energy_find_inner(const tn_world *world, const tn_body_id *boxes, int count) {
    tn_velocity first = tn_body_get_velocity(world, boxes[0]);
    tn_vec3 origin = tn_body_get_center(world, boxes[0]);
    double inner = 0.0;
    for (int i = 1; i < count; i++) {
        tn_velocity v = tn_body_get_velocity(world, boxes[i]);
        tn_vec3 p = tn_body_get_center(world, boxes[i]);
        tn_vec3 around = quality_cross(first.angular, quality_between(origin, p));
        tn_vec3 goes = quality_add(first.linear, 1.0, around);
        double off = quality_length(quality_subtract(v.linear, goes));
        double turn = quality_length(quality_subtract(v.angular, first.angular));
        inner += 500.0 * off * off + 500.0 / 6.0 * turn * turn;
    }
    return inner;
}

// On four posts, on those of one edge, and welded to the world by an edge.
void stack_energy_run_exact(quality *report) {
    for (int i = 0; i < 4 * 3; i++) {
        int side = energy_sides[i % 4], kind = i / 4;
        tn_world *world =
            energy_make_plate(side, kind == 2 ? 30.0 : 5.5, kind == 2, TN_SOLVER_DIRECT);
        if (kind < 2) {
            energy_add_posts(world, side, kind == 1);
        }
        tn_body_id boxes[400];
        uint32_t count = tn_world_get_bodies(world, boxes, 400), moving = 0;
        for (uint32_t k = 0; k < count; k++) {
            bool moves = tn_body_get_type(world, boxes[k]) == TN_BODY_TYPE_DYNAMIC;
            boxes[moving] = boxes[k];
            moving += moves ? 1 : 0;
        }
        stack_result result = stack_follow(report, world, stack_plan_of(1.5, 1e6));
        double inner = energy_find_inner(world, boxes, (int)moving);
        quality_report(report, inner < 0.1 && result.gain < 9.81 * side * side,
                       fmax(inner, result.gain), "%d x %d, %s: %.3g J inside, %.3g J in all", side,
                       side,
                       kind == 0   ? "four posts"
                       : kind == 1 ? "two posts"
                                   : "by an edge",
                       inner, result.kinetic);
        tn_world_destroy(world);
    }
}
