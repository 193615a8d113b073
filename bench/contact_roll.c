// bench/contact_roll.c: what rolls over level tiles, over a real edge, and a plank that tips.
#include "bench/contact_families.h"
#include "bench/quality_world.h"

#include <math.h>
#include <stdlib.h>

#define ROLL_RADIUS 0.25 // m
#define ROLL_ASIDE  1e-3 // m from the straight line, in up to 100 m

typedef struct roll_case {
    quality_kind kind;
    double speed, tile, seconds;
    uint32_t substeps;
    bool is_one_body;
} roll_case;

// Rolling without slip, x = v t with friction as without, for nothing resists.
static void roll_run_one(quality *report, const roll_case *item) {
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    quality_floor tiles = {{0},
                           -2.0,
                           item->speed * item->seconds + 2.0,
                           item->tile,
                           item->is_one_body,
                           quality_material(0.6)};
    quality_floor_create(world, &tiles);
    tn_body_def def = quality_body_at(-0.1, ROLL_RADIUS, 0.1);
    if (item->kind == QUALITY_CAPSULE) { // across
        quality_body_turn(&def, quality_vector(1.0, 0.0, 0.0), 0.5 * QUALITY_PI);
    }
    def.velocity.linear.x = item->speed;
    def.velocity.angular.z = -item->speed / ROLL_RADIUS;
    quality_shape shape = quality_shape_of(item->kind, ROLL_RADIUS);
    tn_body_id body = quality_body_create(world, &def, &tiles.material, &shape);
    double rise = 0.0, aside = 0.0;
    uint32_t steps = quality_count_steps(item->seconds, 60.0);
    for (uint32_t i = 0; i < steps; i++) {
        tn_world_step(world, 1.0 / 60.0, item->substeps);
        rise = fmax(rise, fabs(tn_body_get_velocity(world, body).linear.y));
        aside = fmax(aside, fabs(tn_body_get_center(world, body).z - 0.1));
    }
    double way = item->speed * steps / 60.0;
    double off = fabs(tn_body_get_center(world, body).x + 0.1 - way) / way;
    double figure = fmax(fmax(off / 0.003, rise / 0.02), aside / ROLL_ASIDE);
    quality_report(
        report, figure <= 1.0, figure,
        "%s %g m/s, tiles %g m of %s, x %u: way %.2g off, vertical %.2g m/s, aside %.2g m",
        quality_kind_name(item->kind), item->speed, item->tile,
        item->is_one_body ? "one body" : "many", item->substeps, off, rise, aside);
    tn_world_destroy(world);
}

void contact_roll_run_seams(quality *report) {
    static const double speeds[] = {0.3, 2.0, 7.0, 20.0, 40.0};
    static const double times[] = {4.0, 5.0, 10.0, 5.0, 2.5}; // s: 100 m where it is fast
    for (uint32_t i = 0; i < 2 * 5 * 2 * 2; i++) {
        roll_case item = {.kind = i % 2 == 0 ? QUALITY_BALL : QUALITY_CAPSULE,
                          .speed = speeds[i / 2 % 5],
                          .seconds = times[i / 2 % 5],
                          .tile = i / 10 % 2 == 0 ? 1.0 : 0.37,
                          .is_one_body = i % 4 < 2,
                          .substeps = i / 20 == 0 ? 4 : 1};
        roll_run_one(report, &item);
    }
}

// A chassis on four ball wheels that turn freely. It keeps its height, within 5 mm, its line,
// within 5 cm, and its speed, within 0.5 %.
static void roll_run_car(quality *report, double speed, double tile, bool is_one_body,
                         tn_solver solver) {
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    tn_world_set_solver(world, solver);
    quality_floor tiles = {{0}, -4.0, 2.5 * speed + 4.0, tile, is_one_body, quality_material(0.8)};
    quality_floor_create(world, &tiles);
    double radius = 0.3;
    tn_body_def def = quality_body_at(0.0, 2.0 * radius, 0.0);
    def.velocity.linear.x = speed;
    quality_shape chassis = {QUALITY_BOX, {1.5, 0.2, 0.7}};
    tn_shape_def material = quality_material(0.8);
    material.density = 500.0f;
    tn_body_id car = quality_body_create(world, &def, &material, &chassis);
    quality_shape ball = {QUALITY_BALL, {radius, 0.0, 0.0}};
    for (int i = 0; i < 4; i++) {
        tn_body_def wheel = quality_body_at(i & 1 ? 1.1 : -1.1, radius, i & 2 ? 1.05 : -1.05);
        wheel.velocity.linear.x = speed;
        wheel.velocity.angular.z = -speed / radius;
        tn_body_id body = quality_body_create(world, &wheel, &material, &ball);
        tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
        tn_joint_def_set_frames(world, &hinge.base, car, body, wheel.pose.position,
                                quality_vector(0.0, 0.0, 1.0));
        tn_hinge_joint_create(world, &hinge);
    }
    double rise = 0.0, aside = 0.0;
    for (int i = 0; i < 150; i++) {
        tn_world_step(world, 1.0 / 60.0, 4);
        tn_vec3 place = tn_body_get_center(world, car);
        rise = fmax(rise, fabs(place.y - 2.0 * radius));
        aside = fmax(aside, fabs(place.z));
    }
    double off = fabs(tn_body_get_velocity(world, car).linear.x - speed) / speed;
    double figure = fmax(fmax(rise / 5e-3, aside / 5e-2), off / 5e-3);
    quality_report(report, figure <= 1.0, figure,
                   "%g m/s, tiles %g m of %s, %s: rises %.2g m, aside %.2g m, speed %.2g off",
                   speed, tile, is_one_body ? "one body" : "many", quality_solver_name(solver),
                   rise, aside, off);
    tn_world_destroy(world);
}

void contact_roll_run_car(quality *report) {
    static const double speeds[] = {2.0, 10.0, 40.0};
    for (uint32_t i = 0; i < 3 * 2 * 2 * QUALITY_SOLVER_COUNT; i++) {
        roll_run_car(report, speeds[i % 3], i / 3 % 2 == 0 ? 1.0 : 0.37, i / 6 % 2 == 0,
                     quality_solvers[i / 12]);
    }
}

// A ball over the edge of a block, at the origin. Turned by the angle t from upright about the edge
// it has v^2 = v0^2 + 2 c g r (1 - cos t), with c = 1 without friction and 5/7 rolling, and leaves
// the edge where v^2 = g r cos t. Up to 0.05 rad before that, at most 0.5 rad where it rolls (there
// friction still holds it), its surface stays on the edge: within 0.1 mm above, 0.3 mm below.
static void roll_run_edge(quality *report, double speed, double friction, double hz) {
    double radius = 0.2;
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    tn_shape_def material = quality_material(friction);
    tn_vec3 lower = {-3.0, -3.0, -2.0}, upper = {0.0, 0.0, 2.0};
    quality_block_create(world, &material, lower, upper);
    tn_body_def def = quality_body_at(-0.05 - 0.1 * speed, radius, 0.0);
    def.velocity.linear.x = speed;
    def.velocity.angular.z = friction > 0.0 ? -speed / radius : 0.0;
    quality_shape ball = {QUALITY_BALL, {radius, 0.0, 0.0}};
    tn_body_id body = quality_body_create(world, &def, &material, &ball);

    double c = friction > 0.0 ? 5.0 / 7.0 : 1.0;
    double cosine = (speed * speed / (QUALITY_GRAVITY * radius) + 2.0 * c) / (1.0 + 2.0 * c);
    double leaves = cosine < 1.0 ? acos(cosine) - 0.05 : 0.0;
    leaves = friction > 0.0 ? fmin(leaves, 0.5) : leaves;
    double above = 0.0, below = 0.0;
    for (uint32_t i = 0; i < 600 * (uint32_t)(hz / 60.0); i++) {
        tn_world_step(world, 1.0 / hz, 4);
        tn_vec3 place = tn_body_get_center(world, body);
        double angle = atan2(place.x, place.y);
        if (angle > leaves) {
            break;
        }
        if (place.x > 0.0) {
            above = fmax(above, hypot(place.x, place.y) - radius);
            below = fmax(below, radius - hypot(place.x, place.y));
        }
    }
    quality_report(report, above < 1e-4 && below < 3e-4, fmax(above, below),
                   "%g m/s, friction %g, %g Hz: above by %.2g m, below %.2g m", speed, friction, hz,
                   above, below);
    tn_world_destroy(world);
}

void contact_roll_run_edge(quality *report) {
    static const double speeds[] = {0.05, 0.1, 0.2, 0.4, 0.6};
    for (uint32_t i = 0; i < 5 * 2 * 2; i++) {
        roll_run_edge(report, speeds[i % 5], i / 5 % 2 == 0 ? 0.0 : 0.6,
                      i / 10 == 0 ? 60.0 : 240.0);
    }
}

// A plank lies on a tile with its middle beyond the edge, tips, and comes to rest on the edge and
// on a box that lies lower by `drop`. The edge never gets deeper than 2 mm into it, and at rest it
// touches both within 1 mm.
static void roll_run_plank(quality *report, double beyond, double drop, bool is_near) {
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    tn_shape_def material = quality_material(0.6);
    tn_vec3 lower = {-4.0, -2.0, -2.0}, upper = {0.0, 0.0, 2.0};
    quality_block_create(world, &material, lower, upper);
    tn_vec3 low = {is_near ? 0.0 : 0.4, -2.0, -2.0}, top = {4.0, -drop, 2.0};
    quality_block_create(world, &material, low, top);
    double half_length = 1.0, half_height = 0.05;
    tn_body_def def = quality_body_at(beyond, half_height, 0.0);
    quality_shape shape = {QUALITY_BOX, {half_length, half_height, 0.25}};
    tn_body_id plank = quality_body_create(world, &def, &material, &shape);
    double deepest = 0.0, gap = 0.0, tip = 0.0;
    for (int i = 0; i < 240; i++) {
        tn_world_step(world, 1.0 / 60.0, 4);
        tn_vec3 edge = {0.0, 0.0, 0.0};
        tn_vec3 local = tn_body_get_local_point(world, plank, edge);
        gap = -half_height - local.y; // of the edge below the lower face
        deepest = fmax(deepest, fabs(local.x) < half_length ? -gap : 0.0);
        tn_vec3 corner = {half_length, -half_height, 0.0};
        tip = tn_body_get_world_point(world, plank, corner).y + drop;
        deepest = fmax(deepest, -tip);
    }
    double energy = tn_body_get_kinetic_energy(world, plank);
    double rest = fmax(fabs(gap), fabs(tip));
    bool is_right = deepest < 2e-3 && rest < 1e-3 && energy < 1e-3;
    quality_report(report, is_right, fmax(deepest, rest),
                   "%g m beyond, box %g m lower%s: deepest %.2g m, at rest %.2g m off, %.2g J",
                   beyond, drop, is_near ? ", close" : "", deepest, rest, energy);
    tn_world_destroy(world);
}

void contact_roll_run_plank(quality *report) {
    static const double beyonds[] = {0.02, 0.05, 0.1};
    for (uint32_t i = 0; i < 3 * 2 * 2; i++) {
        roll_run_plank(report, beyonds[i % 3], i / 3 % 2 == 0 ? 0.1 : 0.3, i / 6 == 1);
    }
}
