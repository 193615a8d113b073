// What may not go through anything: bullets, spinning sticks, balls in a closed room; and what may.
#include "tests/support/hull_make.h"
#include "tests/support/long_test.h"
#include "tests/world/collide/contact_world.h"

TestSuite(step_net, .timeout = 60);

typedef struct bullet {
    tn_vec3 half; // of a box; a ball if y is 0
    double speed, spin, thickness, phase, slant;
    bool is_dynamic;
} bullet;

static tn_body_id make_bullet(tn_world *world, const bullet *item) {
    double before = 0.6 + item->speed * (1.0 + item->phase) / 60.0;
    tn_body_def def =
        contact_body_at(-before * cos(item->slant), -before * sin(item->slant) + 0.1, 0.2);
    contact_body_turn(&def, (tn_vec3){0.36, 0.48, 0.8}, 0.7);
    def.velocity.linear =
        (tn_vec3){item->speed * cos(item->slant), item->speed * sin(item->slant), 0.0};
    def.velocity.angular = (tn_vec3){0.5 * item->spin, 0.3 * item->spin, 0.8 * item->spin};
    if (item->half.y == 0.0) {
        return contact_body_create(world, &def, CONTACT_BALL, item->half.x,
                                   contact_material(0.6, 0.0));
    }
    tn_body_id body = tn_body_create(world, &def);
    tn_shape_def shape = tn_shape_def_default();
    tn_box_shape_create(world, body, &shape, item->half);
    return body;
}

static tn_body_id make_sheet(tn_world *world, double thickness, bool is_dynamic) {
    return test_box_create(world, is_dynamic ? TN_BODY_TYPE_DYNAMIC : TN_BODY_TYPE_STATIC, 0.0, 0.0,
                           0.0, (tn_vec3){(0.5 * thickness), 2.0, 2.0});
}

// It is through when its middle comes behind the sheet's middle plane inside the sheet's borders.
static bool goes_through(const bullet *item) {
    tn_world *world = contact_world_create(0.0);
    tn_body_id sheet = make_sheet(world, item->thickness, item->is_dynamic);
    tn_body_id body = make_bullet(world, item);
    bool is_through = false;
    tn_vec3 last = tn_body_get_local_point(world, sheet, tn_body_get_center(world, body));
    for (int i = 0; i < 14 && !is_through; ++i) {
        contact_step(world, 1, 60.0, 4);
        tn_vec3 now = tn_body_get_local_point(world, sheet, tn_body_get_center(world, body));
        if (last.x < 0.0 && now.x >= 0.0) {
            double share = last.x / (last.x - now.x);
            is_through = fabs(last.y + share * (now.y - last.y)) < 2.0 &&
                         fabs(last.z + share * (now.z - last.z)) < 2.0;
        }
        last = now;
    }
    tn_world_destroy(world);
    return is_through;
}

static void assert_bullets_are_stopped(tn_vec3 half, double spin) {
    const double phases[3] = {0.03, 0.4, 0.77}, speeds[3] = {50.0, 400.0, 900.0};
    for (int i = 0; i < 3 * 3 * 2 * 2 * 2; ++i) {
        bullet item = {.half = half, .spin = spin, .phase = phases[i % 3]};
        item.speed = speeds[i / 3 % 3];
        item.is_dynamic = i / 9 % 2 == 1;
        item.slant = i / 18 % 2 == 0 ? 0.0 : 0.5;
        item.thickness = i / 36 == 0 ? 0.001 : 0.005;
        cr_assert_not(goes_through(&item), "%g m/s, %g rad/s, %s sheet of %g m, phase %g, slant %g",
                      item.speed, spin, item.is_dynamic ? "dynamic" : "static", item.thickness,
                      item.phase, item.slant);
    }
}

Test(step_net, a_ball_or_box_of_900_m_s_is_stopped_by_a_sheet_of_1_mm) {
    assert_bullets_are_stopped((tn_vec3){0.05, 0.0, 0.0}, 0.0);
    assert_bullets_are_stopped((tn_vec3){0.05, 0.05, 0.05}, 0.0);
}

Test(step_net, sticks_and_boxes_that_spin_are_stopped_too) {
    assert_bullets_are_stopped((tn_vec3){0.25, 0.01, 0.01}, 0.0);
    assert_bullets_are_stopped((tn_vec3){0.25, 0.01, 0.01}, 40.0);
    assert_bullets_are_stopped((tn_vec3){0.25, 0.01, 0.01}, 300.0);
    assert_bullets_are_stopped((tn_vec3){0.05, 0.05, 0.05}, 300.0);
}

// ---- ends -------------------------------------------------------------------------------------

// Numbers of [0, 1) that are the same everywhere.
static double ends_draw(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) / 16777216.0;
}

static tn_vec3 ends_draw_vector(uint32_t *state) {
    double x = ends_draw(state) - 0.5, y = ends_draw(state) - 0.5, z = ends_draw(state) - 0.5;
    double scale = 1.0 / sqrt(x * x + y * y + z * z);
    return (tn_vec3){scale * x, scale * y, scale * z};
}

static void ends_add_prism(tn_world *world, tn_body_id body, const tn_shape_def *def) {
    tn_vec3 corners[16];
    for (int i = 0; i < 16; ++i) {
        double angle = ((i & 7) + 0.5) * M_PI / 4.0;
        corners[i] = (tn_vec3){0.02 * cos(angle), i < 8 ? -0.25 : 0.25, 0.02 * sin(angle)};
    }
    hull_shape_make(world, body, def, corners, 16);
}

// A stick, capsule, prism or plank of half a metre.
static void ends_add_shape(tn_world *world, tn_body_id body, uint32_t kind) {
    tn_shape_def def = tn_shape_def_default();
    if (kind == 1) {
        tn_capsule_shape_create(world, body, &def, 0.25f, 0.01f);
    } else if (kind == 2) {
        ends_add_prism(world, body, &def);
    } else {
        tn_box_shape_create(world, body, &def, (tn_vec3){0.25, kind == 0 ? 0.01 : 0.08, 0.01});
    }
}

// One that comes to a sheet of 1, 2, 5 or 50 mm at 5 to 900 m/s, at any angle, and may spin. Does
// its middle get behind the sheet?
static bool ends_go_through(uint32_t state, uint32_t kind) {
    static const double sheets[4] = {0.001, 0.002, 0.005, 0.05}, rates[4] = {30, 60, 60, 240};
    double speed = 5.0 * exp(5.2 * ends_draw(&state)), hz = rates[(int)(4.0 * ends_draw(&state))];
    double spin = ends_draw(&state) < 0.3 ? 0.0 : 5.0 * exp(5.2 * ends_draw(&state));
    double thickness = sheets[(int)(4.0 * ends_draw(&state))], phase = 3.0 + ends_draw(&state);
    uint32_t substeps = ends_draw(&state) < 0.3 ? 1 : 4;
    tn_world *world = contact_world_create(0.0);
    tn_body_id sheet = make_sheet(world, thickness, ends_draw(&state) < 0.3);
    tn_body_def def = contact_body_at(-0.6 - speed * phase / hz, 0.1, 0.2);
    contact_body_turn(&def, ends_draw_vector(&state), 6.0 * ends_draw(&state));
    tn_vec3 axis = ends_draw_vector(&state);
    def.velocity.linear.x = speed;
    def.velocity.angular = (tn_vec3){spin * axis.x, spin * axis.y, spin * axis.z};
    tn_body_id body = tn_body_create(world, &def);
    ends_add_shape(world, body, kind);
    bool is_through = false;
    for (int i = 0; i < 24 && !is_through; ++i) {
        contact_step(world, 1, hz, substeps);
        tn_vec3 at = tn_body_get_local_point(world, sheet, tn_body_get_center(world, body));
        is_through = at.x > 0.0 && fabs(at.y) < 1.5 && fabs(at.z) < 1.5;
    }
    tn_world_destroy(world);
    return is_through;
}

// Blows make them spin by half a radian to three in a step: their ends swing through the sheet
// while their middle is still before it. Each of these went through, of 20,000.
Test(step_net, ends_of_what_a_blow_makes_spin_do_not_swing_through_a_sheet) {
    static const uint32_t items[] = {81,   146,  226,  239,  596,  842,  951,  959,
                                     1356, 1506, 1541, 1857, 1989, 2046, 2313, 2343,
                                     2355, 3581, 3647, 4073, 4093, 4265, 5220};
    for (size_t i = 0; i < sizeof items / sizeof *items; ++i) {
        cr_assert_not(ends_go_through(items[i] * 7919u + 17u, items[i] % 4), "%u", items[i]);
    }
}

// ---- a closed room ----------------------------------------------------------------------------

static double next_random(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1.0; // -1 to 1
}

static void make_room(tn_world *world, tn_material material) {
    for (int axis = 0; axis < 3; ++axis) {
        for (int side = -1; side <= 1; side += 2) {
            double lower[3] = {-1.1, -1.1, -1.1}, upper[3] = {1.1, 1.1, 1.1};
            lower[axis] = side < 0 ? -1.1 : 1.0;
            upper[axis] = side < 0 ? -1.0 : 1.1;
            contact_block_create(world, (tn_vec3){lower[0], lower[1], lower[2]},
                                 (tn_vec3){upper[0], upper[1], upper[2]}, material);
        }
    }
}

static tn_body_id throw_ball(tn_world *world, double radius, double speed, uint32_t *seed,
                             tn_material material) {
    double reach = 0.95 - radius;
    double x = reach * next_random(seed), y = reach * next_random(seed);
    tn_body_def def = contact_body_at(x, y, reach * next_random(seed));
    tn_vec3 way = {next_random(seed), next_random(seed), next_random(seed)};
    double scale = speed / hypot(hypot(way.x, way.y), way.z);
    def.velocity.linear = (tn_vec3){scale * way.x, scale * way.y, scale * way.z};
    return contact_body_create(world, &def, CONTACT_BALL, radius, material);
}

static double get_outside(const tn_world *world, tn_body_id body) {
    tn_vec3 p = tn_body_get_center(world, body);
    return fmax(fmax(fabs(p.x), fabs(p.y)), fabs(p.z)) - 1.0;
}

// Each alone: of a minute 3 s, which at 170 m/s are 250 blows.
Test(step_net, no_ball_leaves_a_closed_room) {
    tn_material material = contact_material(0.0, 1.0);
    uint32_t seed = 7;
    for (int i = 0; i < 20; ++i) {
        tn_world *world = contact_world_create(9.81);
        make_room(world, material);
        double speed = 170.0 * (i + 1) / 20.0;
        tn_body_id ball = throw_ball(world, 0.1, speed, &seed, material);
        for (int k = 0; k < 180; ++k) {
            contact_step(world, 1, 60.0, 4);
            cr_assert(get_outside(world, ball) < 0.0, "%g m/s, step %d: %g m outside", speed, k,
                      get_outside(world, ball));
        }
        tn_world_destroy(world);
    }
}

static uint64_t run_crowd(uint32_t workers, int steps) {
    tn_material material = contact_material(0.0, 1.0);
    tn_world_def def = tn_world_def_default();
    def.worker_count = workers;
    tn_world *world = tn_world_create(&def, NULL);
    make_room(world, material);
    tn_body_id balls[40];
    uint32_t seed = 11;
    for (int i = 0; i < 40; ++i) {
        balls[i] = throw_ball(world, 0.05, 170.0 * (i + 1) / 40.0, &seed, material);
    }
    for (int k = 0; k < steps; ++k) {
        contact_step(world, 1, 60.0, 4);
        // Where everything has bounced once, nothing is made anew.
        cr_assert(k < 60 || tn_world_get_telemetry(world).allocations == 0, "step %d", k);
        for (int i = 0; i < 40; ++i) {
            cr_assert(get_outside(world, balls[i]) < 0.0, "ball %d, step %d", i, k);
        }
    }
    uint64_t hash = tn_world_get_hash(world);
    tn_world_destroy(world);
    return hash;
}

LONG_TEST(step_net, a_crowd_of_fast_balls_stays_in_its_room_without_allocating) {
    run_crowd(1, 300);
}

LONG_TEST(step_net, workers_change_no_bit_of_a_crowd) {
    uint64_t serial = run_crowd(1, 60);
    cr_assert(run_crowd(2, 60) == serial);
    cr_assert(run_crowd(3, 60) == serial);
}

// ---- what may pass ----------------------------------------------------------------------------

static bool refuse_pair(const tn_world *world, tn_shape_id a, tn_shape_id b, void *user_data) {
    (void)world, (void)a, (void)b, (void)user_data;
    return false;
}

static bool leave_out(const tn_world *world, const tn_contact *contact,
                      tn_contact_settings *settings, void *user_data) {
    (void)world, (void)contact, (void)settings, (void)user_data;
    return false;
}

// Goes through a sheet that may not stop it, and is where it would be without one.
static void assert_passes(tn_world *world, tn_body_id body) {
    tn_vec3 start = tn_body_get_center(world, body);
    contact_step(world, 6, 60.0, 4);
    tn_velocity velocity = tn_body_get_velocity(world, body);
    TEST_NEAR(velocity.linear.x, 400.0, 0.0);
    TEST_NEAR(tn_body_get_center(world, body).x, start.x + 40.0, 1e-4);
}

Test(step_net, what_a_filter_lets_pass_is_not_put_back) {
    const bullet item = {.half = {0.05, 0.05, 0.05}, .speed = 400.0, .thickness = 0.001};
    tn_world *world = contact_world_create(0.0);
    tn_body_id sheet = make_sheet(world, 0.001, false);
    tn_shape_set_filter(world, test_first_shape(world, sheet), (tn_filter){0});
    assert_passes(world, make_bullet(world, &item));
    tn_world_destroy(world);

    world = contact_world_create(0.0);
    make_sheet(world, 0.001, false);
    tn_world_set_contact_filter(world, refuse_pair, NULL);
    assert_passes(world, make_bullet(world, &item));
    tn_world_destroy(world);
}

Test(step_net, what_a_pre_solve_leaves_out_is_not_put_back) {
    const bullet item = {.half = {0.05, 0.05, 0.05}, .speed = 400.0, .thickness = 0.001};
    tn_world *world = contact_world_create(0.0);
    make_sheet(world, 0.001, false);
    tn_world_set_pre_solve(world, leave_out, NULL);
    test_want_pre_solve(world);
    assert_passes(world, make_bullet(world, &item));
    tn_world_destroy(world);
}

Test(step_net, disabled_bodies_are_passed) {
    const bullet item = {.half = {0.05, 0.05, 0.05}, .speed = 400.0, .thickness = 0.001};
    tn_world *world = contact_world_create(0.0);
    tn_body_set_enabled(world, make_sheet(world, 0.001, false), false);
    assert_passes(world, make_bullet(world, &item));
    tn_world_destroy(world);
}

// In the open nothing is put back, however fast it goes and spins.
Test(step_net, what_meets_nothing_keeps_its_way_and_velocity) {
    const bullet item = {.half = {0.25, 0.01, 0.01}, .speed = 900.0, .spin = 300.0};
    tn_world *world = contact_world_create(0.0);
    test_box_create(world, TN_BODY_TYPE_STATIC, 30.0, 3.0, 0.0, (tn_vec3){20.0, 0.5, 5.0});
    tn_body_id body = make_bullet(world, &item);
    double start = tn_body_get_center(world, body).x;
    contact_step(world, 6, 60.0, 4);
    TEST_NEAR(tn_body_get_velocity(world, body).linear.x, 900.0, 0.0);
    TEST_NEAR(tn_body_get_center(world, body).x, start + 90.0, 1e-4);
    tn_world_destroy(world);
}

// Sixty boxes fall on each other from up to 60 m. None that the net put back to another's surface
// is held there while it goes on falling: the fastest come down at sqrt(2 g 60 m) = 34.3 m/s.
Test(step_net, nothing_is_held_in_the_air) {
    tn_world *world = contact_world_create(9.81);
    test_floor_create(world);
    tn_body_id boxes[60];
    for (int i = 0; i < 60; ++i) {
        boxes[i] = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.3 * (i % 4), 0.5 + i,
                                   0.2 * (i % 3), (tn_vec3){0.4, 0.4, 0.4});
    }
    for (int k = 0; k < 320; ++k) {
        contact_step(world, 1, 60.0, 4);
        for (int i = 0; i < 60; ++i) {
            double fall = -tn_body_get_velocity(world, boxes[i]).linear.y;
            cr_assert(fall < 35.0, "box %d, step %d: %g m/s", i, k, fall);
        }
    }
    tn_world_destroy(world);
}

// ---- on joints ----------------------------------------------------------------------------------

// A stick of 0.6 m on a ball joint at its middle, and a fixed rod across its way at 0.25 m. Returns
// how far a tip got past the rod, rad, before a blow turned the stick out of the plane of both.
static double get_past_rod(tn_solver solver, double speed, double phase) {
    tn_world *world = contact_world_create(0.0);
    tn_world_set_solver(world, solver);
    double turn = -1.4 + 0.13 * phase;
    tn_body_def def = contact_body_at(0.0, 0.0, 0.0);
    contact_body_turn(&def, (tn_vec3){0.0, 0.0, 1.0}, turn - 0.5 * 3.14159265358979);
    def.velocity.angular.z = speed;
    tn_body_id stick = tn_body_create(world, &def);
    tn_shape_def shape = tn_shape_def_default();
    shape.material.friction = 0.3f;
    tn_box_shape_create(world, stick, &shape, (tn_vec3){0.015, 0.3, 0.015});
    tn_ball_joint_def joint = tn_ball_joint_def_default();
    joint.base.body_b = stick;
    cr_assert(tn_ball_joint_create(world, &joint).value != 0);
    test_box_create(world, TN_BODY_TYPE_STATIC, 0.25, 0.0, 0.0, (tn_vec3){0.01, 0.01, 0.5});
    double past = 0.0, last = turn, turned = turn;
    for (int i = 0; i < 12; ++i) {
        contact_step(world, 1, 60.0, 4);
        tn_vec3 tip = tn_body_get_world_vector(world, stick, (tn_vec3){0.0, 1.0, 0.0});
        if (hypot(tip.x, tip.y) < 0.8) {
            break;
        }
        double now = atan2(tip.y, tip.x);
        turned += remainder(now - last, 3.14159265358979);
        last = now;
        past = fmax(past, fmax(turned, -turned - 3.14159265358979));
    }
    tn_world_destroy(world);
    return past;
}

Test(step_net, a_stick_on_a_joint_does_not_get_past_a_rod) {
    for (int i = 0; i < 4 * 3 * 4; ++i) {
        double speed = 30.0 + 30.0 * (i / 4 % 3), past;
        past = get_past_rod((tn_solver)(i / 12), speed, i % 4);
        cr_assert(past < 0.05, "solver %d, %g rad/s, phase %d: %g rad", i / 12, speed, i % 4, past);
    }
}

// Three balls in a row on joints, thrown at a sheet of 1 mm.
static bool goes_through_in_a_row(tn_solver solver, double speed, double phase, bool is_fixed) {
    tn_world *world = contact_world_create(0.0);
    tn_world_set_solver(world, solver);
    tn_body_id sheet = make_sheet(world, 0.001, false), balls[3];
    for (int i = 0; i < 3; ++i) {
        double x = -1.2 + 0.15 * i - speed * (1.0 + phase) / 60.0;
        tn_body_def def = contact_body_at(x, 0.1 + 0.2 * i, 0.2);
        def.velocity.linear.x = speed;
        balls[i] = contact_body_create(world, &def, CONTACT_BALL, 0.05, contact_material(0.3, 0.0));
        if (i > 0 && is_fixed) {
            tn_fixed_joint_def joint = tn_fixed_joint_def_default();
            tn_vec3 at = {x - 0.075, 0.2 * i, 0.2};
            tn_joint_def_set_frames(world, &joint.base, balls[i - 1], balls[i], at,
                                    (tn_vec3){0.0, 0.0, 1.0});
            tn_fixed_joint_create(world, &joint);
        } else if (i > 0) {
            test_bodies_tie(world, balls[i - 1], balls[i]);
        }
    }
    bool is_through = false;
    tn_vec3 last[3] = {{-1.0, 0.0, 0.0}, {-1.0, 0.0, 0.0}, {-1.0, 0.0, 0.0}};
    for (int k = 0; k < 16 * 3; ++k) {
        if (k % 3 == 0) {
            contact_step(world, 1, 60.0, 4);
        }
        tn_vec3 now =
            tn_body_get_local_point(world, sheet, tn_body_get_center(world, balls[k % 3]));
        double share = last[k % 3].x / (last[k % 3].x - now.x);
        double y = last[k % 3].y + share * (now.y - last[k % 3].y);
        is_through |= last[k % 3].x < 0.0 && now.x >= 0.0 && fabs(y) < 2.0;
        last[k % 3] = now;
    }
    tn_world_destroy(world);
    return is_through;
}

Test(step_net, balls_on_joints_are_stopped_by_a_sheet_whoever_solves_them) {
    const double speeds[3] = {50.0, 400.0, 900.0};
    for (int i = 0; i < 4 * 3 * 3 * 2; ++i) {
        double phase = 0.03 + 0.37 * (i % 3);
        cr_assert_not(
            goes_through_in_a_row((tn_solver)(i / 18), speeds[i / 3 % 3], phase, i / 9 % 2 == 1),
            "solver %d, %g m/s, phase %g, %s joints", i / 18, speeds[i / 3 % 3], phase,
            i / 9 % 2 == 1 ? "fixed" : "ball");
    }
}

// ---- what is thrown from rest within a step -----------------------------------------------------

#define THROWN_MASS 1.0   // kg
#define THROWN_SIZE 0.1   // m, half
#define THROWN_WALL 0.005 // m, half its thickness

typedef struct thrown {
    contact_kind kind;
    double change; // m/s, in a step of 1/60 s
    double gap;    // m
    double hz;
    uint32_t substeps;
    bool is_pair;   // it pulls another body on a ball joint
    bool by_spring; // which pulls from behind the wall, and goes on
} thrown;

static tn_body_id thrown_add(tn_world *world, const thrown *item, double x) {
    tn_body_def def = contact_body_at(x, 0.0, 0.0);
    tn_body_id body =
        contact_body_create(world, &def, item->kind, THROWN_SIZE, contact_material(0.3, 0.0));
    tn_mass mass = tn_body_get_mass(world, body);
    mass.mass = THROWN_MASS;
    tn_body_set_mass(world, body, mass);
    return body;
}

static void thrown_pull(tn_world *world, tn_body_id body, const thrown *item, double from) {
    tn_spring_force_def spring = tn_spring_force_def_default();
    spring.base.connector_count = 2;
    spring.base.connectors[0].point = (tn_vec3){from + 4.0, 0.0, 0.0};
    spring.base.connectors[1].body = body;
    spring.spring.stiffness = 60.0 * item->change * THROWN_MASS / 4.0;
    cr_assert(tn_spring_force_create(world, &spring).value != 0);
}

// Returns where the middle of the body ends, m before the middle of the wall.
static double thrown_run(const thrown *item) {
    tn_world *world = contact_world_create(0.0);
    contact_block_create(world, (tn_vec3){-THROWN_WALL, -5.0, -5.0},
                         (tn_vec3){THROWN_WALL, 5.0, 5.0}, contact_material(0.3, 0.0));
    double from = -THROWN_WALL - THROWN_SIZE - item->gap;
    tn_body_id body = thrown_add(world, item, from);
    if (item->is_pair) {
        tn_body_id other = thrown_add(world, item, from - 4.0 * THROWN_SIZE);
        tn_ball_joint_def joint = tn_ball_joint_def_default();
        tn_joint_def_set_frames(world, &joint.base, body, other,
                                (tn_vec3){from - 2.0 * THROWN_SIZE, 0.0, 0.0},
                                (tn_vec3){0.0, 1.0, 0.0});
        cr_assert(tn_ball_joint_create(world, &joint).value != 0);
    }
    if (item->by_spring) {
        thrown_pull(world, body, item, from);
    } else {
        tn_body_apply_force(world, body, (tn_vec3){60.0 * item->change * THROWN_MASS, 0.0, 0.0});
    }
    contact_step(world, 20, item->hz, item->substeps);
    double before = -tn_body_get_center(world, body).x;
    tn_world_destroy(world);
    return before;
}

static void assert_thrown_are_stopped(thrown item, double most) {
    static const double changes[] = {2.0, 17.0, 50.0, 170.0, 1700.0};
    static const double gaps[] = {0.005, 0.02, 0.1, 0.5, 2.0};
    for (int i = 0; i < 5 * 5; ++i) {
        item.change = changes[i % 5];
        item.gap = gaps[i / 5];
        if (item.change <= most) {
            double before = thrown_run(&item);
            cr_assert(before > 0.0, "%s, %g m/s, %g m before, %g Hz x %u: %g m behind",
                      contact_kind_names[item.kind], item.change, item.gap, item.hz, item.substeps,
                      -before);
        }
    }
}

// The step begins with bodies at rest, so nothing but the force says where they will go.
Test(step_net, a_force_for_one_step_throws_no_body_through_a_wall) {
    static const contact_kind kinds[3] = {CONTACT_BALL, CONTACT_BOX, CONTACT_CAPSULE};
    static const double rates[3] = {30.0, 60.0, 240.0};
    for (int i = 0; i < 3 * 3 * 2 * 2; ++i) {
        thrown item = {.kind = kinds[i % 3], .hz = rates[i / 3 % 3]};
        item.substeps = i / 9 % 2 == 0 ? 4 : 1;
        item.is_pair = i / 18 == 1;
        assert_thrown_are_stopped(item, 2000.0);
    }
}

// Forces of springs are found in the step. A spring that goes on to press a body with thousands of
// times its weight presses it through.
Test(step_net, a_spring_pulls_no_body_through_a_wall) {
    static const contact_kind kinds[3] = {CONTACT_BALL, CONTACT_BOX, CONTACT_CAPSULE};
    static const double rates[3] = {30.0, 60.0, 240.0};
    for (int i = 0; i < 3 * 3; ++i) {
        thrown item = {.kind = kinds[i % 3], .hz = rates[i / 3], .substeps = 4, .by_spring = true};
        assert_thrown_are_stopped(item, 50.0);
    }
}
