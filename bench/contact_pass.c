// bench/contact_pass.c: bodies that pass without touching, or touch an edge alone.
//
// Convex bodies that move straight on and are parted by a plane along their way never touch, so
// their velocities afterwards are those before, to the last bit. A ball that meets an edge without
// friction and without restitution loses the part of its velocity along the line from the edge to
// its center, and nothing else.
#include "bench/contact_families.h"
#include "bench/quality_world.h"

#include <math.h>
#include <stdlib.h>

static const quality_kind pass_kinds[] = {QUALITY_BALL, QUALITY_CAPSULE, QUALITY_BOX, QUALITY_HULL};

// A shape of half the reach 0.1 m; capsules are as long as the others are wide.
static quality_shape pass_get_shape(quality_kind kind) {
    return quality_shape_of(kind, 0.1);
}

// Past the edge along z of a block that fills x < 0, y < 0: straight on at the slant, so that the
// nearest approach to the edge is `clear`.
static void pass_run_corner(quality *report, quality_kind kind, double speed, double clear,
                            double slant, tn_vec3 origin) {
    tn_world *world = quality_world_create(0.0);
    tn_shape_def material = quality_material(0.6);
    tn_vec3 lower = {origin.x - 2.0, origin.y - 2.0, origin.z - 2.0};
    tn_vec3 upper = {origin.x, origin.y, origin.z + 2.0};
    quality_block_create(world, &material, lower, upper);
    tn_body_def def = tn_body_def_default();
    quality_body_turn(&def, quality_vector(0.3, 1.0, 0.5), 0.4);
    quality_shape shape = pass_get_shape(kind);
    tn_vec3 along = quality_vector(cos(slant), -sin(slant), 0.0);
    tn_vec3 out = quality_vector(sin(slant), cos(slant), 0.0);
    tn_vec3 in = quality_vector(-out.x, -out.y, 0.0);
    double offset = quality_shape_get_reach(&shape, def.pose.rotation, in) + clear;
    double before = 0.3 + 0.11 * speed; // m to the nearest approach: in the middle of a step
    def.pose.position.x = origin.x + offset * out.x - before * along.x;
    def.pose.position.y = origin.y + offset * out.y - before * along.y;
    def.pose.position.z = origin.z + 0.1;
    def.velocity.linear = quality_vector(speed * along.x, speed * along.y, 0.0);
    tn_body_id body = quality_body_create(world, &def, &material, &shape);
    tn_velocity start = tn_body_get_velocity(world, body);
    quality_world_run(world, 0.25 + 0.6 / speed, 60.0, 4);
    double change = quality_velocity_change(start, tn_body_get_velocity(world, body));
    quality_report(report, change == 0.0, change, "%s %g m/s, %g mm clear, slant %g rad",
                   quality_kind_name(kind), speed, 1e3 * clear, slant);
    tn_world_destroy(world);
}

void contact_pass_run_corner(quality *report) {
    static const double clears[] = {0.001, 0.004, 0.009, 0.015, 0.021};
    static const double speeds[] = {1.0, 3.0, 7.0, 15.0, 31.0};
    tn_vec3 origin = {0};
    for (uint32_t i = 0; i < 4 * 5 * 5 * 2; i++) {
        double slant = i / 100 == 0 ? 0.6 : 1.1;
        pass_run_corner(report, pass_kinds[i % 4], speeds[i / 4 % 5], clears[i / 20 % 5], slant,
                        origin);
    }
}

void contact_pass_run_far(quality *report) {
    static const double speeds[] = {3.0, 31.0};
    tn_vec3 origin = {1e5, 1e5, -1e5};
    for (uint32_t i = 0; i < 4 * 2 * 2; i++) {
        pass_run_corner(report, pass_kinds[i % 4], speeds[i / 4 % 2], i / 8 == 0 ? 0.001 : 0.015,
                        0.6, origin);
    }
}

typedef struct pass_pair {
    quality_kind kinds[2];
    double clear, speed;
    bool is_overtaken; // both move the same way, one twice as fast; else towards each other
} pass_pair;

// Two turned bodies along x, parted by the plane y = 0 but for `clear`.
static void pass_run_pair(quality *report, const pass_pair *item) {
    tn_world *world = quality_world_create(0.0);
    tn_shape_def material = quality_material(0.6);
    double speeds[2] = {item->speed, item->is_overtaken ? 0.5 * item->speed : -item->speed};
    double closing = speeds[0] - speeds[1];
    double clear = 0.5 * item->clear;
    tn_body_id bodies[2];
    tn_velocity starts[2];
    for (int i = 0; i < 2; i++) {
        quality_shape shape = pass_get_shape(item->kinds[i]);
        tn_body_def def = quality_body_at(i == 0 ? -0.5 - 0.107 * closing : 0.0, 0.0, 0.0);
        quality_body_turn(&def, quality_vector(0.2, 0.7, 1.0), i == 0 ? 0.5 : -0.8);
        tn_vec3 inward = quality_vector(0.0, i == 0 ? 1.0 : -1.0, 0.0);
        double reach = quality_shape_get_reach(&shape, def.pose.rotation, inward);
        def.pose.position.y = (i == 0 ? -1.0 : 1.0) * (reach + clear);
        def.velocity.linear.x = speeds[i];
        bodies[i] = quality_body_create(world, &def, &material, &shape);
        starts[i] = tn_body_get_velocity(world, bodies[i]);
    }
    quality_world_run(world, 0.214 + 1.0 / closing, 60.0, 4);
    double change = 0.0;
    for (int i = 0; i < 2; i++) {
        change = fmax(change,
                      quality_velocity_change(starts[i], tn_body_get_velocity(world, bodies[i])));
    }
    quality_report(report, change == 0.0, change, "%s and %s, %g m/s %s, %g mm clear",
                   quality_kind_name(item->kinds[0]), quality_kind_name(item->kinds[1]),
                   item->speed, item->is_overtaken ? "overtaking" : "head on", 1e3 * item->clear);
    tn_world_destroy(world);
}

// Along a half-space.
static void pass_run_plane(quality *report, quality_kind kind, double clear, double speed) {
    tn_world *world = quality_world_create(0.0);
    tn_shape_def material = quality_material(0.6);
    quality_plane_create(world, &material, 0.0);
    quality_shape shape = pass_get_shape(kind);
    tn_body_def def = tn_body_def_default();
    quality_body_turn(&def, quality_vector(0.2, 0.7, 1.0), 0.5);
    tn_vec3 down = quality_vector(0.0, -1.0, 0.0);
    def.pose.position.y = quality_shape_get_reach(&shape, def.pose.rotation, down) + clear;
    def.velocity.linear.x = speed;
    tn_body_id body = quality_body_create(world, &def, &material, &shape);
    tn_velocity start = tn_body_get_velocity(world, body);
    quality_world_run(world, 0.3, 60.0, 4);
    double change = quality_velocity_change(start, tn_body_get_velocity(world, body));
    quality_report(report, change == 0.0, change, "%s along a plane, %g m/s, %g mm clear",
                   quality_kind_name(kind), speed, 1e3 * clear);
    tn_world_destroy(world);
}

// Balls, boxes, ball and box at 1 to 11 mm; every pair of types at 1, 3 and 10 mm.
void contact_pass_run_pairs(quality *report) {
    static const double speeds[] = {1.0, 5.0, 20.0, 60.0};
    for (uint32_t i = 0; i < 3 * 4 * 6; i++) {
        pass_pair item = {.clear = 0.001 + 0.002 * (i / 12), .speed = speeds[i / 3 % 4]};
        item.kinds[0] = i % 3 == 1 ? QUALITY_BOX : QUALITY_BALL;
        item.kinds[1] = i % 3 == 0 ? QUALITY_BALL : QUALITY_BOX;
        pass_run_pair(report, &item);
    }
    static const double clears[] = {0.001, 0.003, 0.01};
    for (uint32_t i = 0; i < 16 * 3 * 3; i++) {
        pass_pair item = {.clear = clears[i / 16 % 3], .speed = i / 48 == 0 ? 2.0 : 30.0};
        item.kinds[0] = pass_kinds[i % 4];
        item.kinds[1] = pass_kinds[i / 4 % 4];
        item.is_overtaken = i / 48 == 2;
        pass_run_pair(report, &item);
    }
    for (uint32_t i = 0; i < 4 * 3; i++) {
        pass_run_plane(report, pass_kinds[i % 4], clears[i / 4], 10.0);
    }
}

// Runs of one body with gravity, with and without the obstacle: equal to the last bit.
typedef struct pass_flight {
    quality_shape shape;
    tn_body_def def;
    tn_vec3 lower, upper; // of the obstacle
    double seconds;
} pass_flight;

static tn_body_id pass_fly(tn_world *world, const pass_flight *item, bool has_obstacle) {
    tn_shape_def material = quality_material(0.6);
    tn_body_id body = quality_body_create(world, &item->def, &material, &item->shape);
    if (has_obstacle) {
        quality_block_create(world, &material, item->lower, item->upper);
    }
    quality_world_run(world, item->seconds, 60.0, 4);
    return body;
}

static double pass_get_deflection(const pass_flight *item) {
    tn_world *free_world = quality_world_create(QUALITY_GRAVITY);
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    tn_velocity free_end = tn_body_get_velocity(free_world, pass_fly(free_world, item, false));
    tn_velocity end = tn_body_get_velocity(world, pass_fly(world, item, true));
    tn_world_destroy(free_world);
    tn_world_destroy(world);
    return quality_velocity_change(free_end, end);
}

// A ball thrown level over a block that ends at x = 0: the parabola comes nearest to it at its far
// edge, by `clear`.
void contact_pass_run_over_block(quality *report) {
    static const double speeds[] = {2.0, 5.0, 10.0, 20.0, 40.0};
    static const double clears[] = {0.001, 0.005, 0.01};
    for (uint32_t i = 0; i < 5 * 3; i++) {
        double speed = speeds[i % 5], clear = clears[i / 5], radius = 0.1;
        double back = fmin(0.07 * speed, 1.0); // m before the far edge where it begins
        // Its height above the edge is lowered until the least distance is the one wanted.
        double low = radius, high = 2.0;
        for (int k = 0; k < 60; k++) {
            double middle = 0.5 * (low + high);
            double least = 10.0;
            for (int j = 0; j <= 4000; j++) {
                double t = fmax(0.0, (back + 0.4 * j / 4000.0 - 0.2) / speed);
                double x = speed * t - back, y = middle - 0.5 * QUALITY_GRAVITY * t * t;
                least = fmin(least, x < 0.0 ? y : hypot(x, y));
            }
            *(least - radius > clear ? &high : &low) = middle;
        }
        pass_flight item = {.shape = {QUALITY_BALL, {radius, radius, radius}},
                            .def = quality_body_at(-back, high, 0.1),
                            .lower = {-0.5 * back - 0.2, -0.5, -1.0},
                            .upper = {0.0, 0.0, 1.0},
                            .seconds = back / speed + 0.1};
        item.def.velocity.linear.x = speed;
        double change = pass_get_deflection(&item);
        quality_report(report, change == 0.0, change, "ball %g m/s, %g mm clear", speed,
                       1e3 * clear);
    }
}

// A fall along a wall that stands at x < 0 and is 2 m high; the body begins above its top.
void contact_pass_run_beside_wall(quality *report) {
    static const double clears[] = {0.001, 0.005, 0.01};
    static const double speeds[] = {0.0, 3.0, 10.0, 30.0};
    for (uint32_t i = 0; i < 4 * 4 * 3; i++) {
        quality_kind kind = pass_kinds[i % 4];
        pass_flight item = {.shape = pass_get_shape(kind),
                            .def = quality_body_at(0.0, 0.5, 0.1),
                            .lower = {-1.0, -2.0, -1.0},
                            .upper = {0.0, 0.0, 1.0},
                            .seconds = 0.6};
        tn_vec3 inward = {-1.0, 0.0, 0.0};
        item.def.pose.position.x =
            quality_shape_get_reach(&item.shape, item.def.pose.rotation, inward) + clears[i / 16];
        item.def.velocity.linear.y = -speeds[i / 4 % 4];
        double change = pass_get_deflection(&item);
        quality_report(report, change == 0.0, change, "%s thrown down at %g m/s, %g mm clear",
                       quality_kind_name(kind), speeds[i / 4 % 4], 1e3 * clears[i / 16]);
    }
}

// A ball flies level at a block's edge, its lowest point `depth` below the top. From the edge to
// its center points n = (-cos p, sin p), sin p = (r - depth) / r.
void contact_pass_run_ball_edge(quality *report) {
    static const double speeds[] = {1.0, 4.0, 10.0, 20.0, 31.0};
    double radius = 0.1;
    for (uint32_t i = 0; i < 6 * 5; i++) {
        double depth = 0.006 + 0.016 * (i % 6), speed = speeds[i / 6];
        tn_world *world = quality_world_create(0.0);
        tn_shape_def ice = quality_material(0.0);
        tn_vec3 lower = {0.0, -2.0, -2.0}, upper = {2.0, 0.0, 2.0};
        quality_block_create(world, &ice, lower, upper);
        quality_shape ball = {QUALITY_BALL, {radius, radius, radius}};
        tn_body_def def = quality_body_at(-0.2 - 0.057 * speed, radius - depth, 0.1);
        def.velocity.linear.x = speed;
        tn_body_id body = quality_body_create(world, &def, &ice, &ball);
        quality_world_run(world, 0.2 / speed + 0.057 + 4.0 / 60.0, 60.0, 4);
        double sine = (radius - depth) / radius, cosine = sqrt(1.0 - sine * sine);
        tn_vec3 want = {speed * sine * sine, speed * sine * cosine, 0.0};
        tn_velocity end = tn_body_get_velocity(world, body);
        double off = quality_length(quality_subtract(end.linear, want)) / speed;
        quality_report(report, off < 0.05, off, "%g m/s, %g mm below the top", speed, 1e3 * depth);
        tn_world_destroy(world);
    }
}

// Two bodies that collide askew, and the same with the roles of a and b exchanged or mirrored at
// x = 0: where the first is at the end of half a second, the other is too, mirrored back.
typedef struct pass_mirror {
    quality_kind kinds[2];
    double speed;
    bool is_exchanged, is_mirrored;
} pass_mirror;

static void pass_mirror_build(tn_world *world, const pass_mirror *item, tn_body_id *bodies) {
    tn_shape_def material = quality_material(0.4);
    material.material.restitution = 0.3f;
    double sign = item->is_mirrored ? -1.0 : 1.0;
    for (int k = 0; k < 2; k++) {
        int i = item->is_exchanged ? 1 - k : k;
        double side = i == 0 ? -1.0 : 1.0;
        tn_body_def def =
            quality_body_at(sign * side * (0.25 + 0.08 * item->speed), 0.04 * side, 0.03 * side);
        // Mirrored at x = 0 an axis keeps x, and turns y and z about.
        quality_body_turn(&def, quality_vector(0.3, sign * 0.5, sign * side), 0.6);
        def.velocity.linear.x = -sign * side * item->speed;
        def.velocity.angular = quality_vector(0.5, sign * 1.0, sign * 2.0 * side);
        quality_shape shape = pass_get_shape(item->kinds[i]);
        bodies[i] = quality_body_create(world, &def, &material, &shape);
    }
}

void contact_pass_run_mirror(quality *report) {
    static const double speeds[] = {1.0, 10.0};
    for (uint32_t i = 0; i < 10 * 2 * 3; i++) {
        static const int firsts[] = {0, 0, 0, 0, 1, 1, 1, 2, 2, 3};
        static const int seconds[] = {0, 1, 2, 3, 1, 2, 3, 2, 3, 3};
        pass_mirror item = {.speed = speeds[i / 10 % 2]};
        item.kinds[0] = pass_kinds[firsts[i % 10]];
        item.kinds[1] = pass_kinds[seconds[i % 10]];
        pass_mirror other = item;
        other.is_exchanged = i / 20 != 1;
        other.is_mirrored = i / 20 != 0;
        tn_world *worlds[2] = {quality_world_create(0.0), quality_world_create(0.0)};
        tn_body_id bodies[2][2];
        pass_mirror_build(worlds[0], &item, bodies[0]);
        pass_mirror_build(worlds[1], &other, bodies[1]);
        double apart = 0.0;
        quality_world_run(worlds[0], 0.5, 60.0, 4);
        quality_world_run(worlds[1], 0.5, 60.0, 4);
        for (int k = 0; k < 2; k++) {
            tn_vec3 a = tn_body_get_center(worlds[0], bodies[0][k]);
            tn_vec3 b = tn_body_get_center(worlds[1], bodies[1][k]);
            b.x = other.is_mirrored ? -b.x : b.x;
            apart = fmax(apart, quality_length(quality_between(a, b)));
        }
        quality_report(report, apart < 1e-4, apart, "%s and %s at %g m/s%s%s",
                       quality_kind_name(item.kinds[0]), quality_kind_name(item.kinds[1]),
                       item.speed, other.is_exchanged ? ", a and b exchanged" : "",
                       other.is_mirrored ? ", mirrored" : "");
        tn_world_destroy(worlds[0]);
        tn_world_destroy(worlds[1]);
    }
}
