// bench/contact_fast.c: bullets, blades, closed rooms and a flail: what may not tunnel.
#include "bench/contact_families.h"
#include "bench/quality_world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// A bullet and a sheet of 4 m x 4 m across its way. It is through when its middle is behind the
// sheet's middle plane, and came there inside the sheet's borders.
typedef struct fast_bullet {
    quality_shape shape;
    const char *name;
    double speed, spin, thickness, phase, slant;
    bool is_dynamic;
} fast_bullet;

static void fast_run_bullet(quality *report, const fast_bullet *item) {
    tn_world *world = quality_world_create(0.0);
    tn_shape_def material = quality_material(0.6);
    tn_body_def def = tn_body_def_default();
    def.type = item->is_dynamic ? TN_BODY_TYPE_DYNAMIC : TN_BODY_TYPE_STATIC;
    quality_shape sheet_shape = {QUALITY_BOX, {0.5 * item->thickness, 2.0, 2.0}};
    tn_body_id sheet = quality_body_create(world, &def, &material, &sheet_shape);

    tn_vec3 along = {cos(item->slant), sin(item->slant), 0.0};
    double before = 0.6 + item->speed * (3.0 + item->phase) / 60.0;
    def = quality_body_at(-before * along.x, -before * along.y + 0.1, 0.2);
    quality_body_turn(&def, quality_vector(0.3, 0.2, 1.0), 0.7);
    def.velocity.linear = quality_vector(item->speed * along.x, item->speed * along.y, 0.0);
    tn_vec3 zero = {0};
    def.velocity.angular = quality_add(zero, item->spin, quality_vector(0.5, 0.3, 0.8));
    tn_body_id bullet = quality_body_create(world, &def, &material, &item->shape);

    bool is_through = false;
    double behind = 0.0;
    tn_vec3 last = tn_body_get_local_point(world, sheet, tn_body_get_center(world, bullet));
    for (int i = 0; i < 24 && !is_through; i++) {
        tn_world_step(world, 1.0 / 60.0, 4);
        tn_vec3 now = tn_body_get_local_point(world, sheet, tn_body_get_center(world, bullet));
        if (last.x < 0.0 && now.x >= 0.0) {
            double share = last.x / (last.x - now.x);
            double y = last.y + share * (now.y - last.y), z = last.z + share * (now.z - last.z);
            is_through = fabs(y) < 2.0 && fabs(z) < 2.0;
            behind = now.x;
        }
        last = now;
    }
    quality_report(report, !is_through, is_through ? behind : 0.0,
                   "%s%s %g m/s, %s sheet of %g mm, phase %.2g, slant %g", item->name,
                   item->spin > 0.0 ? " spinning" : "", item->speed,
                   item->is_dynamic ? "dynamic" : "static", 1e3 * item->thickness, item->phase,
                   item->slant);
    tn_world_destroy(world);
}

// 3 shapes x spin x 3 speeds x 3 sheets x static or dynamic x 3 phases of a step x 2 slants.
void contact_fast_run_bullets(quality *report) {
    static const char *const names[] = {"ball", "box", "stick"};
    static const quality_shape shapes[] = {{QUALITY_BALL, {0.05, 0.05, 0.05}},
                                           {QUALITY_BOX, {0.05, 0.05, 0.05}},
                                           {QUALITY_BOX, {0.25, 0.01, 0.01}}};
    static const double speeds[] = {50.0, 400.0, 900.0};
    static const double sheets[] = {0.001, 0.005, 0.05};
    static const double phases[] = {0.03, 0.4, 0.77};
    for (uint32_t i = 0; i < 648; i++) {
        uint32_t shape = i % 3;
        fast_bullet item = {.shape = shapes[shape],
                            .name = names[shape],
                            .spin = i / 3 % 2 == 0 ? 0.0
                                    : i / 324 == 0 ? 40.0
                                                   : 300.0,
                            .speed = speeds[i / 6 % 3],
                            .thickness = sheets[i / 18 % 3],
                            .is_dynamic = i / 54 % 2 == 1,
                            .phase = phases[i / 108 % 3],
                            .slant = i / 324 == 0 ? 0.0 : 0.5};
        fast_run_bullet(report, &item);
    }
}

// A body of 1 kg at rest before a sheet of 1 cm, which a force of one step throws at it, at up to
// 1.7 km/s; or a spring, or gravity. It is through when it is behind the sheet at the end.
typedef enum fast_throw {
    FAST_THROW_FORCE,
    FAST_THROW_ON_FLOOR, // the same, for a body that lies
    FAST_THROW_SPRING,
    FAST_THROW_GRAVITY,
    FAST_THROW_COUNT,
} fast_throw;

typedef struct fast_thrown {
    fast_throw way;
    quality_shape shape;
    double gain; // m/s, of a step of 1/60 s
    double gap;  // m
    double hz;
    uint32_t substeps;
} fast_thrown;

static void fast_pull(tn_world *world, tn_body_id body, const fast_thrown *item, double from) {
    tn_spring_force_def spring = tn_spring_force_def_default();
    spring.base.connector_count = 2;
    spring.base.connectors[0].point = (tn_vec3){from + 4.0, 0.0, 0.0};
    spring.base.connectors[1].body = body;
    spring.spring.stiffness = 60.0 * item->gain / 4.0;
    tn_spring_force_create(world, &spring);
}

static void fast_run_thrown(quality *report, const fast_thrown *item) {
    static const char *const names[] = {"force", "force on a floor", "spring", "gravity"};
    double force = 60.0 * item->gain;
    tn_world *world =
        quality_world_create(item->way == FAST_THROW_ON_FLOOR ? QUALITY_GRAVITY : 0.0);
    if (item->way == FAST_THROW_GRAVITY) {
        tn_world_set_gravity(world, (tn_vec3){force, 0.0, 0.0});
    }
    tn_shape_def material = quality_material(0.3);
    quality_block_create(world, &material, (tn_vec3){-0.005, -5.0, -5.0},
                         (tn_vec3){0.005, 5.0, 5.0});
    if (item->way == FAST_THROW_ON_FLOOR) {
        quality_block_create(world, &material, (tn_vec3){-20.0, -2.1, -5.0},
                             (tn_vec3){20.0, -0.1, 5.0});
    }
    double from = -0.105 - item->gap;
    tn_body_def def = quality_body_at(from, 0.0, 0.0);
    tn_body_id body = quality_body_create(world, &def, &material, &item->shape);
    tn_mass mass = tn_body_get_mass(world, body);
    mass.mass = 1.0;
    tn_body_set_mass(world, body, mass);
    if (item->way == FAST_THROW_ON_FLOOR) {
        quality_world_run(world, 0.5, 60.0, 4);
    }
    if (item->way == FAST_THROW_SPRING) {
        fast_pull(world, body, item, from);
    } else if (item->way != FAST_THROW_GRAVITY) {
        tn_body_apply_force(world, body, (tn_vec3){force, 0.0, 0.0});
    }
    quality_world_run(world, 20.0 / item->hz, item->hz, item->substeps);
    double x = tn_body_get_center(world, body).x;
    quality_report(report, x < 0.0, x < 0.0 ? 0.0 : x, "%s, %s of %g m/s, %g m before, %g Hz x %u",
                   quality_kind_name(item->shape.kind), names[item->way], item->gain, item->gap,
                   item->hz, item->substeps);
    tn_world_destroy(world);
}

// Springs and gravity go on, and what presses a body with thousands of times its weight presses it
// through a sheet: so they are weaker.
void contact_fast_run_thrown(quality *report) {
    static const double gains[] = {2.0, 17.0, 50.0, 170.0, 1700.0};
    static const double gaps[] = {0.005, 0.02, 0.1, 0.5, 2.0}, rates[] = {30.0, 60.0, 240.0};
    static const quality_shape shapes[] = {{QUALITY_BALL, {0.1, 0.1, 0.1}},
                                           {QUALITY_BOX, {0.1, 0.1, 0.1}},
                                           {QUALITY_CAPSULE, {0.1, 0.1, 0.1}}};
    for (uint32_t i = 0; i < FAST_THROW_COUNT * 3 * 5 * 5 * 3 * 2; i++) {
        fast_thrown item = {.way = (fast_throw)(i % FAST_THROW_COUNT),
                            .shape = shapes[i / 4 % 3],
                            .gain = gains[i / 12 % 5],
                            .gap = gaps[i / 60 % 5],
                            .hz = rates[i / 300 % 3],
                            .substeps = i / 900 == 0 ? 4 : 1};
        bool lasts = item.way == FAST_THROW_SPRING || item.way == FAST_THROW_GRAVITY;
        if (lasts && (item.gain > 50.0 || item.substeps == 1)) {
            continue;
        }
        fast_run_thrown(report, &item);
    }
}

// A blade of 0.5 m turns about its end at 120 rad/s, two radians a step, and a thin rod stands
// across at 0.4 m. A rod that is fixed stops it; one that is free is struck: it weighs far less
// than the blade and must get half of the speed of the place that strikes it, or more.
typedef struct fast_blade {
    bool is_rod_free, is_kinematic;
    double phase, radius;
    tn_solver solver;
} fast_blade;

static tn_body_id fast_make_blade(tn_world *world, const fast_blade *item, double turn) {
    tn_shape_def material = quality_material(0.3);
    tn_body_def def = quality_body_at(0.25 * cos(turn), 0.25 * sin(turn), 0.0);
    quality_body_turn(&def, quality_vector(0.0, 0.0, 1.0), turn);
    def.type = item->is_kinematic ? TN_BODY_TYPE_KINEMATIC : TN_BODY_TYPE_DYNAMIC;
    def.velocity.angular.z = 120.0;
    def.velocity.linear = quality_vector(-30.0 * sin(turn), 30.0 * cos(turn), 0.0);
    quality_shape shape = {QUALITY_BOX, {0.25, 0.02, 0.05}};
    if (item->is_kinematic) { // as long to the other side, so that it turns about its center
        def.pose.position = (tn_vec3){0};
        def.velocity.linear = (tn_vec3){0};
        shape.half.x = 0.5;
        return quality_body_create(world, &def, &material, &shape);
    }
    tn_body_id blade = quality_body_create(world, &def, &material, &shape);
    tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
    tn_body_id ground = {0};
    tn_vec3 axis = {0};
    tn_joint_def_set_frames(world, &hinge.base, ground, blade, axis, quality_vector(0.0, 0.0, 1.0));
    tn_hinge_joint_create(world, &hinge);
    return blade;
}

static void fast_run_blade(quality *report, const fast_blade *item) {
    tn_world *world = quality_world_create(0.0);
    tn_world_set_solver(world, item->solver);
    // The rod stands at the angle 0; the blade comes from behind it.
    double turn = (item->is_kinematic ? -1.6 : -3.0) + 0.3 * item->phase;
    tn_body_id blade = fast_make_blade(world, item, turn);
    tn_shape_def material = quality_material(0.3);
    tn_body_def def = quality_body_at(0.4, 0.0, 0.0);
    quality_body_turn(&def, quality_vector(1.0, 0.0, 0.0), 0.5 * QUALITY_PI);
    def.type = item->is_rod_free ? TN_BODY_TYPE_DYNAMIC : TN_BODY_TYPE_STATIC;
    quality_shape shape = {QUALITY_CAPSULE, {item->radius, 0.3, 0.0}};
    tn_body_id rod = quality_body_create(world, &def, &material, &shape);

    double fastest = 0.0, last = turn, turned = turn;
    for (int i = 0; i < 12; i++) {
        tn_world_step(world, 1.0 / 60.0, 4);
        tn_vec3 tip = tn_body_get_world_vector(world, blade, quality_vector(1.0, 0.0, 0.0));
        double now = atan2(tip.y, tip.x);
        if (hypot(tip.x, tip.y) < 0.8) { // of the stick: 0.24 m
            break;
        }
        turned += remainder(now - last, 2.0 * QUALITY_PI);
        last = now;
        fastest = fmax(fastest, quality_length(tn_body_get_velocity(world, rod).linear));
        if (turned > 0.3) {
            break;
        }
    }
    double figure = item->is_rod_free ? fmax(0.0, 24.0 - fastest) : fmax(0.0, turned);
    bool is_right = item->is_rod_free ? fastest >= 24.0 : turned < 0.05;
    quality_report(report, is_right, figure, "%s blade, %s rod of %g mm, phase %g, %s",
                   item->is_kinematic ? "driven" : "hinged", item->is_rod_free ? "free" : "fixed",
                   2e3 * item->radius, item->phase, quality_solver_name(item->solver));
    tn_world_destroy(world);
}

void contact_fast_run_blade(quality *report) {
    for (uint32_t i = 0; i < 3 * 5 * 2 * QUALITY_SOLVER_COUNT; i++) {
        fast_blade item = {.is_rod_free = i % 3 > 0,
                           .is_kinematic = i % 3 == 2,
                           .phase = i / 3 % 5,
                           .radius = i / 15 % 2 == 0 ? 0.005 : 0.01,
                           .solver = quality_solvers[i / 30]};
        fast_run_blade(report, &item);
    }
}

// A stick of 0.6 m that turns about a ball joint at its middle, where it stands still, against a
// fixed rod across its way at 0.25 m: neither of its tips may get past it. What a blow has turned
// so far out of its plane that it no longer reaches the rod may swing past between that and the
// joint.
static void fast_run_stick(quality *report, double speed, double phase, quality_kind kind,
                           tn_solver solver) {
    tn_world *world = quality_world_create(0.0);
    tn_world_set_solver(world, solver);
    tn_shape_def material = quality_material(0.3);
    double turn = -1.4 + 0.13 * phase;
    tn_body_def def = quality_body_at(0.0, 0.0, 0.0);
    quality_body_turn(&def, quality_vector(0.0, 0.0, 1.0), turn - 0.5 * QUALITY_PI);
    def.velocity.angular.z = speed;
    quality_shape shape = {kind, {0.015, kind == QUALITY_CAPSULE ? 0.285 : 0.3, 0.015}};
    tn_body_id stick = quality_body_create(world, &def, &material, &shape);
    tn_ball_joint_def joint = tn_ball_joint_def_default();
    tn_body_id ground = {0};
    tn_vec3 middle = {0};
    tn_joint_def_set_frames(world, &joint.base, ground, stick, middle,
                            quality_vector(0.0, 0.0, 1.0));
    tn_ball_joint_create(world, &joint);
    tn_vec3 lower = {0.24, -0.01, -0.5}, upper = {0.26, 0.01, 0.5};
    quality_block_create(world, &material, lower, upper);
    double past = 0.0, last = turn, turned = turn;
    for (int i = 0; i < 12; i++) {
        tn_world_step(world, 1.0 / 60.0, 4);
        tn_vec3 tip = tn_body_get_world_vector(world, stick, quality_vector(0.0, 1.0, 0.0));
        double now = atan2(tip.y, tip.x);
        if (hypot(tip.x, tip.y) < 0.8) { // of the stick: 0.24 m
            break;
        }
        turned += remainder(now - last, QUALITY_PI); // half a turn: it has two tips
        last = now;
        past = fmax(past, fmax(turned, -turned - QUALITY_PI));
    }
    quality_report(report, past < 0.05, past, "%s, %g rad/s, phase %g, %s", quality_kind_name(kind),
                   speed, phase, quality_solver_name(solver));
    tn_world_destroy(world);
}

void contact_fast_run_stick(quality *report) {
    static const double speeds[] = {20.0, 60.0, 90.0};
    for (uint32_t i = 0; i < 3 * 4 * 2 * QUALITY_SOLVER_COUNT; i++) {
        quality_kind kind = i / 12 % 2 == 0 ? QUALITY_CAPSULE : QUALITY_BOX;
        fast_run_stick(report, speeds[i % 3], i / 3 % 4, kind, quality_solvers[i / 24]);
    }
}

// A closed room of 2 m with walls of 0.1 m around the origin.
static void fast_make_room(tn_world *world, const tn_shape_def *material) {
    for (int axis = 0; axis < 3; axis++) {
        for (int side = -1; side <= 1; side += 2) {
            double lower[3] = {-1.1, -1.1, -1.1}, upper[3] = {1.1, 1.1, 1.1};
            lower[axis] = side < 0 ? -1.1 : 1.0;
            upper[axis] = side < 0 ? -1.0 : 1.1;
            tn_vec3 low = {lower[0], lower[1], lower[2]};
            tn_vec3 high = {upper[0], upper[1], upper[2]};
            quality_block_create(world, material, low, high);
        }
    }
}

static double fast_get_outside(tn_vec3 place) {
    return fmax(fmax(fabs(place.x), fabs(place.y)), fabs(place.z)) - 1.0;
}

// A number from -1 to 1 that depends on the seed alone.
static double fast_random(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

static tn_body_id fast_throw_ball(tn_world *world, const tn_shape_def *material, double radius,
                                  double speed, uint32_t *seed) {
    double reach = 0.95 - radius;
    tn_body_def def = quality_body_at(reach * fast_random(seed), reach * fast_random(seed),
                                      reach * fast_random(seed));
    tn_vec3 way = {fast_random(seed), fast_random(seed), fast_random(seed)};
    tn_vec3 zero = {0};
    def.velocity.linear = quality_add(zero, speed / quality_length(way), way);
    quality_shape ball = {QUALITY_BALL, {radius, radius, radius}};
    return quality_body_create(world, &def, material, &ball);
}

// 40 balls, each alone in the room for a minute, restitution 1.
void contact_fast_run_room(quality *report) {
    tn_shape_def material = quality_material(0.0);
    material.material.restitution = 1.0f;
    uint32_t seed = 7;
    for (uint32_t i = 0; i < 40; i++) {
        tn_world *world = quality_world_create(QUALITY_GRAVITY);
        fast_make_room(world, &material);
        double speed = 170.0 * (i + 1) / 40.0;
        tn_body_id ball = fast_throw_ball(world, &material, 0.1, speed, &seed);
        double outside = 0.0;
        int step = 0;
        for (; step < 3600 && outside <= 0.0; step++) {
            tn_world_step(world, 1.0 / 60.0, 4);
            outside = fmax(outside, fast_get_outside(tn_body_get_center(world, ball)));
        }
        double end = quality_length(tn_body_get_velocity(world, ball).linear);
        quality_report(report, outside <= 0.0, outside, "%g m/s: %.1f s, at the end %.4g m/s",
                       speed, step / 60.0, end);
        tn_world_destroy(world);
    }
}

// 40 balls of up to 170 m/s together, for a minute, in four rooms: of 60 and 240 Hz, two seeds.
void contact_fast_run_crowd(quality *report) {
    tn_shape_def material = quality_material(0.0);
    material.material.restitution = 1.0f;
    for (uint32_t run = 0; run < 4; run++) {
        uint32_t seed = 11 + run / 2, out = 0;
        double hz = run % 2 == 0 ? 60.0 : 240.0;
        tn_world *world = quality_world_create(QUALITY_GRAVITY);
        fast_make_room(world, &material);
        tn_body_id balls[40];
        for (uint32_t i = 0; i < 40; i++) {
            balls[i] = fast_throw_ball(world, &material, 0.05, 170.0 * (i + 1) / 40.0, &seed);
        }
        quality_world_run(world, hz > 100.0 ? 15.0 : 60.0, hz, 4);
        for (uint32_t i = 0; i < 40; i++) {
            out += fast_get_outside(tn_body_get_center(world, balls[i])) > 0.0 ? 1 : 0;
        }
        quality_report(report, out == 0, out, "40 balls, %g Hz, seed %u, %.3g J left", hz,
                       11 + run / 2, tn_world_get_energy(world).kinetic);
        tn_world_destroy(world);
    }
}

// Into the corner of the room at 100 m/s, without friction. A ball of restitution 1 comes back
// along the line that it came on; without restitution it stays; boxes may not get out.
static void fast_run_room_corner(quality *report, quality_kind kind, double restitution,
                                 tn_vec3 way) {
    tn_world *world = quality_world_create(0.0);
    tn_shape_def material = quality_material(0.0);
    material.material.restitution = (float)restitution;
    fast_make_room(world, &material);
    tn_vec3 zero = {0};
    double speed = 100.0;
    tn_body_def def = quality_body_at(0.0, 0.0, 0.0);
    def.velocity.linear = quality_add(zero, speed / quality_length(way), way);
    quality_shape shape = quality_shape_of(kind, 0.1);
    tn_body_id body = quality_body_create(world, &def, &material, &shape);
    // A ball has met all three walls within two steps, and none of those opposite.
    double outside = 0.0;
    int steps = kind == QUALITY_BALL ? 2 : 12;
    for (int i = 0; i < steps; i++) {
        tn_world_step(world, 1.0 / 60.0, 4);
        outside = fmax(outside, fast_get_outside(tn_body_get_center(world, body)));
    }
    double off = 0.0;
    if (kind == QUALITY_BALL) {
        tn_vec3 want = quality_add(zero, -restitution, def.velocity.linear);
        tn_velocity end = tn_body_get_velocity(world, body);
        off = quality_length(quality_subtract(end.linear, want)) / speed;
    }
    quality_report(report, outside <= 0.0 && off < 0.01, fmax(outside, off),
                   "%s, restitution %g, way (%g, %g, %g)", quality_kind_name(kind), restitution,
                   way.x, way.y, way.z);
    tn_world_destroy(world);
}

void contact_fast_run_room_corner(quality *report) {
    static const tn_vec3 ways[] = {
        {1.0, 1.0, 1.0}, {1.0, 0.95, 0.9}, {1.0, 0.8, 0.9}, {0.7, 1.0, 0.8}, {0.6, 0.7, 1.0}};
    for (uint32_t i = 0; i < 5 * QUALITY_SOLVER_COUNT; i++) {
        quality_kind kind = i / 5 < 2 ? QUALITY_BALL : i / 5 == 2 ? QUALITY_BOX : QUALITY_CAPSULE;
        fast_run_room_corner(report, kind, i / 5 == 1 ? 1.0 : 0.0, ways[i % 5]);
    }
}

// A chain of eight links of 0.25 m with a ball of 10 kg at its end swings about the origin like one
// bar; the head meets a wall of 5 cm square on. It may not get through, it may not gain energy, and
// where joints are solved exactly none may open by 1 mm. (Those of Gauss-Seidel give way by
// decimetres under the load of 100 m/s alone.)
static void fast_run_flail(quality *report, double speed, double phase, bool is_dynamic,
                           tn_solver solver) {
    tn_world *world = quality_world_create(0.0);
    tn_world_set_solver(world, solver);
    tn_shape_def material = quality_material(0.5);
    double length = 2.25, turn_speed = speed / length, turn = -0.5 * QUALITY_PI * phase / 4.0;
    tn_body_def wall = quality_body_at(-0.175, length, 0.0);
    wall.type = is_dynamic ? TN_BODY_TYPE_DYNAMIC : TN_BODY_TYPE_STATIC;
    quality_shape wall_shape = {QUALITY_BOX, {0.025, 1.0, 1.0}};
    tn_body_id wall_body = quality_body_create(world, &wall, &material, &wall_shape);
    tn_body_id before = {0}, head = {0};
    for (int i = 0; i < 9; i++) {
        bool is_head = i == 8;
        double radius = is_head ? length : 0.25 * i + 0.125;
        tn_body_def def = quality_body_at(radius * cos(turn), radius * sin(turn), 0.0);
        quality_body_turn(&def, quality_vector(0.0, 0.0, 1.0), turn - 0.5 * QUALITY_PI);
        def.velocity.angular.z = turn_speed;
        def.velocity.linear =
            quality_vector(-radius * turn_speed * sin(turn), radius * turn_speed * cos(turn), 0.0);
        quality_shape shape = {QUALITY_CAPSULE, {0.02, 0.1, 0.0}};
        if (is_head) {
            shape = (quality_shape){QUALITY_BALL, {0.15, 0.15, 0.15}};
        }
        material.density = is_head ? 707.0f : 7800.0f; // 10 kg, 2.2 kg
        tn_body_id body = quality_body_create(world, &def, &material, &shape);
        tn_ball_joint_def joint = tn_ball_joint_def_default();
        tn_vec3 anchor = {0.25 * i * cos(turn), 0.25 * i * sin(turn), 0.0};
        tn_joint_def_set_frames(world, &joint.base, before, body, anchor,
                                quality_vector(0.0, 0.0, 1.0));
        tn_ball_joint_create(world, &joint);
        before = body;
        head = body;
    }
    bool is_through = false;
    bool is_exact = solver == TN_SOLVER_AUTO || solver == TN_SOLVER_DIRECT;
    double gap = 0.0, energy = tn_world_get_energy(world).kinetic, most = energy;
    tn_vec3 last = tn_body_get_local_point(world, wall_body, tn_body_get_center(world, head));
    for (int i = 0; i < 40 && !is_through; i++) {
        tn_world_step(world, 1.0 / 60.0, 4);
        gap = fmax(gap, tn_world_get_telemetry(world).worst_joint_linear);
        most = fmax(most, tn_world_get_energy(world).kinetic);
        tn_vec3 now = tn_body_get_local_point(world, wall_body, tn_body_get_center(world, head));
        if (last.x > 0.0 && now.x <= 0.0) {
            is_through = fabs(0.5 * (last.y + now.y)) < 1.0;
        }
        last = now;
    }
    bool is_right = !is_through && most <= 1.001 * energy && (!is_exact || gap < 1e-3);
    quality_report(report, is_right, is_exact ? gap : most / energy - 1.0,
                   "%g m/s, %s wall, phase %g, %s: %s, joints open by %.2g m", speed,
                   is_dynamic ? "dynamic" : "static", phase, quality_solver_name(solver),
                   is_through ? "THROUGH" : "held", gap);
    tn_world_destroy(world);
}

void contact_fast_run_flail(quality *report) {
    static const double speeds[] = {50.0, 100.0, 200.0};
    for (uint32_t i = 0; i < 3 * 4 * 2 * QUALITY_SOLVER_COUNT; i++) {
        fast_run_flail(report, speeds[i % 3], 0.4 + 0.9 * (i / 3 % 4), i / 12 % 2 == 1,
                       quality_solvers[i / 24]);
    }
}
