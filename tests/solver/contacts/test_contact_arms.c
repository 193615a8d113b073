// Tests of solver/contacts/contact_arms.h: contacts of what turns, on turntables of every kind.
#include "tests/support/hull_make.h"
#include "tests/support/long_test.h"
#include <string.h>

#include "tests/world/world_test.h"

#define RADIUS 1.5
#define HALF   0.15

static tn_world *make_world(tn_solver solver, uint32_t workers) {
    tn_world_def def = tn_world_def_default();
    def.is_sleep_allowed = false;
    def.solver = solver;
    def.worker_count = workers;
    tn_world *world = tn_world_create(&def, NULL);
    cr_assert_not_null(world);
    return world;
}

// What stands at `local` of a table about whose own y axis both turn, tilted about x by `tilt`.
static tn_body_def get_def(tn_vec3 local, double speed, double tilt) {
    double c = cos(tilt), s = sin(tilt), x = local.x, y = local.y, z = local.z;
    tn_body_def def = tn_body_def_default();
    def.pose.position = (tn_vec3){x, c * y - s * z, s * y + c * z};
    def.pose.rotation.x = sin(0.5 * tilt);
    def.pose.rotation.w = cos(0.5 * tilt);
    def.velocity.angular = (tn_vec3){0.0, speed * c, speed * s};
    def.velocity.linear = (tn_vec3){speed * z, speed * s * x, -speed * c * x};
    return def;
}

static tn_shape_def get_rough(void) {
    tn_shape_def shape = tn_shape_def_default();
    shape.material.friction = 0.9f;
    return shape;
}

static void make_table(tn_world *world, double speed, double tilt) {
    tn_body_def def = get_def((tn_vec3){0.0, -0.1, 0.0}, speed, tilt);
    tn_shape_def shape = get_rough();
    def.type = TN_BODY_TYPE_KINEMATIC;
    tn_body_id table = tn_body_create(world, &def);
    cr_assert(tn_box_shape_create(world, table, &shape, (tn_vec3){3.0, 0.1, 3.0}).value != 0);
}

static tn_body_id make_crate(tn_world *world, double y, double z, double speed, double tilt) {
    tn_body_def def = get_def((tn_vec3){RADIUS, y, z}, speed, tilt);
    tn_shape_def shape = get_rough();
    tn_body_id crate = tn_body_create(world, &def);
    tn_vec3 half = {HALF, HALF, HALF};
    cr_assert(tn_box_shape_create(world, crate, &shape, half).value != 0);
    return crate;
}

// A drum of eight sides.
static tn_body_id make_drum(tn_world *world, double speed) {
    tn_body_def def = get_def((tn_vec3){RADIUS, HALF, 0.0}, speed, 0.0);
    tn_shape_def shape = get_rough();
    tn_vec3 corners[16];
    for (int i = 0; i < 16; ++i) {
        double angle = 0.25 * 3.14159265358979 * (i / 2);
        corners[i] = (tn_vec3){HALF * cos(angle), (i % 2 == 0 ? HALF : -HALF), HALF * sin(angle)};
    }
    tn_body_id drum = tn_body_create(world, &def);
    cr_assert(hull_shape_make(world, drum, &shape, corners, 16).value != 0);
    return drum;
}

static double get_radius(const tn_world *world, tn_body_id body) {
    tn_vec3 p = tn_body_get_center(world, body);
    return hypot(p.x, p.z);
}

static void run(tn_world *world, double seconds, double rate, uint32_t substeps) {
    int count = (int)(seconds * rate + 0.5);
    for (int i = 0; i < count; ++i) {
        cr_assert(tn_world_step(world, 1.0 / rate, substeps) == TN_RESULT_OK);
    }
}

// With the arms of the step's start friction pushes along the tangent there, outward by
// (w dt)² r / 2 in each step: 0.14 m in these 10 s at 60 Hz and 1 rad/s.
Test(contact_arms, a_crate_stays_where_it_stands_on_a_turntable) {
    const struct {
        double rate, speed, tolerance;
        uint32_t substeps;
        bool is_first; // made before the table: the contact's a
    } cases[7] = {{60.0, 1.0, 1e-4, 4, false},  {60.0, 1.0, 6e-4, 1, false},
                  {240.0, 1.0, 1e-4, 4, false}, {60.0, 2.0, 2e-4, 4, false},
                  {60.0, 1.0, 1e-4, 8, false},  {60.0, 1.0, 1e-4, 4, true},
                  {60.0, -2.0, 2e-4, 4, true}};
    for (int i = 0; i < 7; ++i) {
        tn_world *world = make_world(TN_SOLVER_AUTO, 1);
        tn_body_id crate = {0};
        if (cases[i].is_first) {
            crate = make_crate(world, HALF, 0.0, cases[i].speed, 0.0);
        }
        make_table(world, cases[i].speed, 0.0);
        if (!cases[i].is_first) {
            crate = make_crate(world, HALF, 0.0, cases[i].speed, 0.0);
        }
        run(world, 10.0, cases[i].rate, cases[i].substeps);
        double off = get_radius(world, crate) - RADIUS;
        cr_assert(fabs(off) < cases[i].tolerance, "case %d: off by %g m", i, off);
        tn_world_destroy(world);
    }
}

Test(contact_arms, so_does_a_drum) {
    tn_world *world = make_world(TN_SOLVER_AUTO, 1);
    make_table(world, 2.0, 0.0);
    tn_body_id drum = make_drum(world, 2.0);
    run(world, 10.0, 60.0, 4);
    TEST_NEAR(get_radius(world, drum), RADIUS, 2e-4);
    tn_world_destroy(world);
}

// The load is borne by friction that goes round in the crate's own axes: 0.34 of the weight along
// the slope, and the centripetal force. It stays at its place of the table.
Test(contact_arms, so_does_a_crate_on_a_tilted_table) {
    const double tilt = 0.35, speed = 1.0, seconds = 6.0;
    tn_world *world = make_world(TN_SOLVER_AUTO, 1);
    make_table(world, speed, tilt);
    tn_body_id crate = make_crate(world, HALF, 0.0, speed, tilt);
    run(world, seconds, 60.0, 4);
    tn_vec3 p = tn_body_get_center(world, crate);
    double y = cos(tilt) * p.y + sin(tilt) * p.z, z = cos(tilt) * p.z - sin(tilt) * p.y;
    TEST_NEAR(hypot(p.x, z), RADIUS, 1e-3);
    TEST_NEAR(y, HALF, 1e-3);
    TEST_NEAR(remainder(atan2(-z, p.x) - speed * seconds, 6.28318530717959), 0.0, 1e-3);
    tn_world_destroy(world);
}

// A ball that rolls on a turntable goes round in a circle at 2/7 of its speed (J. Burns, "Ball
// rolling on a turntable: analog for charged particle dynamics", Am. J. Phys. 49, 1981), here about
// the table's own axis. Its arm does not turn with it, and the table's follows the ball.
Test(contact_arms, a_ball_that_rolls_on_a_turntable_goes_round_at_two_sevenths_of_its_speed) {
    const double speeds[2] = {1.0, 2.0}, radius = 0.2;
    for (int i = 0; i < 2; ++i) {
        double speed = speeds[i];
        tn_world *world = make_world(TN_SOLVER_AUTO, 1);
        make_table(world, speed, 0.0);
        tn_body_id ball = test_ball_create(world, RADIUS, radius, 0.0, (float)radius);
        tn_velocity velocity = {{0.0, 0.0, -2.0 / 7.0 * speed * RADIUS},
                                {5.0 / 7.0 * speed * RADIUS / radius, speed, 0.0}};
        tn_body_set_velocity(world, ball, velocity);
        run(world, 10.0, 60.0, 4);
        tn_vec3 p = tn_body_get_center(world, ball);
        TEST_NEAR(hypot(p.x, p.z), RADIUS, 5e-4); // 0.010 and 0.041 before
        double late = atan2(-p.z, p.x) - 2.0 / 7.0 * speed * 10.0;
        TEST_NEAR(remainder(late, 6.28318530717959), 0.0, 2e-3);
        tn_world_destroy(world);
    }
}

// A ball that slides begins to roll at 5/7 of its speed, whatever its radius. With one substep at
// 30 Hz it has sunk in by 3.4 mm of 150; with friction at the middle of that it rolled as a smaller
// ball, by 0.4 % too slow.
Test(contact_arms, a_ball_that_has_sunk_in_rolls_as_large_as_it_is) {
    const double rates[3] = {30.0, 60.0, 240.0}, radius = 0.15;
    for (int i = 0; i < 6; ++i) {
        tn_world *world = make_world(TN_SOLVER_AUTO, 1);
        test_floor_create(world);
        tn_body_id ball = test_ball_create(world, 0.0, radius, 0.0, (float)radius);
        tn_body_set_velocity(world, ball, (tn_velocity){.linear = {5.0, 0.0, 0.0}});
        run(world, 2.0, rates[i % 3], i < 3 ? 1 : 4);
        tn_velocity velocity = tn_body_get_velocity(world, ball);
        TEST_NEAR(velocity.linear.x, 5.0 * 5.0 / 7.0, 2e-4);
        TEST_NEAR(-radius * velocity.angular.z, 5.0 * 5.0 / 7.0, 2e-4);
        tn_world_destroy(world);
    }
}

// A crate half a millimetre above the table: its gate shuts at some substep of the first step. Then
// it has the speed of the table where it stands at the end, and not of where the step began, which
// is another by w² r dt = 0.1 m/s.
Test(contact_arms, a_contact_that_comes_late_in_a_step_begins_with_arms_of_its_time) {
    for (uint32_t substeps = 4; substeps <= 16; substeps *= 2) {
        const double speed = 2.0;
        tn_world *world = make_world(TN_SOLVER_AUTO, 1);
        make_table(world, speed, 0.0);
        tn_body_id crate = make_crate(world, HALF + 5e-4, 0.0, speed, 0.0);
        run(world, 1.0 / 60.0, 60.0, substeps);
        tn_vec3 p = tn_body_get_center(world, crate);
        tn_vec3 v = tn_body_get_linear_velocity(world, crate);
        double x = (double)v.x - speed * p.z, z = (double)v.z + speed * p.x;
        cr_assert(hypot(x, z) < 0.02, "%u substeps: off by %g m/s", substeps, hypot(x, z));
        tn_world_destroy(world);
    }
}

// ---- energy ------------------------------------------------------------------------------------

static tn_shape_def get_material(float friction) {
    tn_shape_def shape = tn_shape_def_default();
    shape.material.friction = friction;
    return shape;
}

// A plane through the origin; its outward normal is turned from y by `angle` about z.
static void make_plane(tn_world *world, float friction, double angle) {
    tn_body_def def = tn_body_def_default();
    tn_shape_def shape = get_material(friction);
    def.type = TN_BODY_TYPE_STATIC;
    def.pose.rotation.z = sin(0.5 * angle);
    def.pose.rotation.w = cos(0.5 * angle);
    tn_half_space_shape_create(world, tn_body_create(world, &def), &shape);
}

// A body about z, at (x, y).
static tn_body_id make_body(tn_world *world, double x, double y, double angle) {
    tn_body_def def = tn_body_def_default();
    def.pose.position = (tn_vec3){x, y, 0.0};
    def.pose.rotation.z = sin(0.5 * angle);
    def.pose.rotation.w = cos(0.5 * angle);
    return tn_body_create(world, &def);
}

static double get_energy(const tn_world *world) {
    tn_energy energy = tn_world_get_energy(world);
    return energy.kinetic + energy.potential;
}

// Runs and destroys a world. Returns the most that its energy is off, as a share of the largest
// kinetic energy.
static double run_for_loss(tn_world *world, double seconds, double rate, uint32_t substeps) {
    double first = get_energy(world), off = 0.0, largest = 0.0;
    for (int i = 0; i < (int)(seconds * rate + 0.5); ++i) {
        run(world, 1.0 / rate, rate, substeps);
        off = fmax(off, fabs(get_energy(world) - first));
        largest = fmax(largest, tn_world_get_energy(world).kinetic);
    }
    tn_world_destroy(world);
    return off / largest;
}

// Without friction, against a wall: its feet slide, and both contacts bear it.
static tn_world *make_ladder(bool is_capsule) {
    const double lean = 1.2, length = 2.0, thick = is_capsule ? 0.2 : 0.05;
    tn_world *world = make_world(TN_SOLVER_AUTO, 1);
    tn_shape_def ice = get_material(0.0f);
    make_plane(world, 0.0f, 0.0);
    make_plane(world, 0.0f, -1.57079632679490);
    double x = length * cos(lean) + (is_capsule ? thick : thick * sin(lean));
    double y = length * sin(lean) + (is_capsule ? thick : thick * cos(lean));
    double angle = 3.14159265358979 - lean;
    tn_body_id body = make_body(world, x, y, is_capsule ? angle - 1.57079632679490 : angle);
    if (is_capsule) {
        tn_capsule_shape_create(world, body, &ice, (float)length, (float)thick);
    } else {
        tn_box_shape_create(world, body, &ice, (tn_vec3){length, thick, 0.25});
    }
    return world;
}

// Arms that stand through a step lost 0.6 % at 60 Hz and 1.1 % at 30 Hz.
Test(contact_arms, a_ladder_that_slides_down_a_wall_keeps_its_energy) {
    for (int is_capsule = 0; is_capsule < 2; ++is_capsule) {
        cr_expect(run_for_loss(make_ladder(is_capsule != 0), 0.9, 60.0, 4) < 2e-4);
        cr_expect(run_for_loss(make_ladder(is_capsule != 0), 0.9, 30.0, 4) < 1e-3);
    }
}

Test(contact_arms, what_a_ladder_loses_falls_with_the_square_of_the_substep) {
    double coarse = run_for_loss(make_ladder(false), 0.9, 60.0, 1);
    double fine = run_for_loss(make_ladder(false), 0.9, 60.0, 2);
    cr_expect(fine < 0.35 * coarse, "%g of %g", fine, coarse);
}

// Beyond its balance, on an edge or a round end that does not slip. 2.2 and 1.7 % lost before.
Test(contact_arms, what_pivots_on_an_edge_or_a_round_end_keeps_its_energy) {
    for (int is_capsule = 0; is_capsule < 2; ++is_capsule) {
        tn_world *world = make_world(TN_SOLVER_AUTO, 1);
        tn_shape_def rough = get_material(2.0f);
        make_plane(world, 2.0f, 0.0);
        if (is_capsule) {
            tn_body_id pencil = make_body(world, 0.9 * sin(0.1), 0.1 + 0.9 * cos(0.1), -0.1);
            tn_capsule_shape_create(world, pencil, &rough, 0.9f, 0.1f);
        } else {
            double diagonal = 0.5 * hypot(0.15, 1.0), beyond = 0.1;
            tn_body_id domino = make_body(world, diagonal * sin(beyond), diagonal * cos(beyond),
                                          -atan(0.15) - beyond);
            tn_box_shape_create(world, domino, &rough, (tn_vec3){0.075, 0.5, 0.25});
        }
        double loss = run_for_loss(world, is_capsule ? 0.9 : 0.75, 60.0, 4);
        cr_expect(loss < 5e-4, "%d: %g", is_capsule, loss);
    }
}

// The normal is that of the plank and turns with it; the points are those of the edge, and stay.
Test(contact_arms, a_plank_that_slides_over_an_edge_keeps_its_energy) {
    tn_world *world = make_world(TN_SOLVER_AUTO, 1);
    tn_shape_def ice = get_material(0.0f);
    make_plane(world, 0.0f, 0.0);
    tn_body_id block = test_body_create(world, TN_BODY_TYPE_STATIC, -1.0, 0.5, 0.0);
    tn_box_shape_create(world, block, &ice, (tn_vec3){1.0, 0.5, 2.0});
    double tilt = 0.6, half = 2.0, c = cos(tilt), s = sin(tilt);
    tn_body_id plank = make_body(world, c / s - c * half + s * 0.05, s * half + c * 0.05, -tilt);
    tn_box_shape_create(world, plank, &ice, (tn_vec3){half, 0.05, 0.25});
    double loss = run_for_loss(world, 0.6, 60.0, 4);
    cr_expect(loss < 3e-4, "%g", loss);
}

// The side of a long ellipsoid is curved about a point far outside of it, at 25 m where it is 1 m
// long and 2 cm thick. A small pitch takes the point of contact to its end, and not beyond.
Test(contact_arms, a_long_ellipsoid_that_pitches_gains_no_energy) {
    for (int i = 0; i < 30; ++i) {
        double thin = 0.1 * pow(0.9, i);
        tn_world *world = make_world(TN_SOLVER_AUTO, 1);
        test_floor_create(world);
        tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, thin, 0.0);
        tn_shape_def shape = tn_shape_def_default();
        tn_ellipsoid_shape_create(world, body, &shape, (tn_vec3){0.5, thin, thin});
        double weight = 9.81 * tn_body_get_mass(world, body).mass;
        run(world, 0.2, 60.0, 2);
        tn_body_set_angular_velocity(world, body, (tn_vec3){3.0, 2.0, 20.0});
        double before = tn_body_get_kinetic_energy(world, body);
        for (int step = 0; step < 60; ++step) {
            run(world, 1.0 / 60.0, 60.0, 2);
            double height = tn_body_get_center(world, body).y - thin;
            double energy = tn_body_get_kinetic_energy(world, body) + weight * height;
            cr_assert(energy < before, "%g m thick: %g of %g J", thin, energy, before);
        }
        tn_world_destroy(world);
    }
}

// It spins by 112 rad/s about its axis and at first by 1 rad/s about the normal, which friction
// brakes. Its points go round with the axis, not with the spin: with arms that turned with both it
// lost 8e-4 of its energy at 240 Hz and ended 0.07 rad aside.
Test(contact_arms, a_capsule_that_rolls_fast_and_yaws_keeps_its_line_of_contact) {
    for (int i = 0; i < 2; ++i) {
        const double rate = i == 0 ? 60.0 : 240.0, speed = 28.0, radius = 0.25;
        tn_world *world = make_world(TN_SOLVER_AUTO, 1);
        tn_shape_def material = get_material(0.5f);
        make_plane(world, 0.5f, 0.0);
        tn_body_def def = tn_body_def_default();
        def.pose.position.y = radius;
        def.pose.rotation.x = def.pose.rotation.w = sqrt(0.5);
        def.velocity = (tn_velocity){{speed, 0.0, 0.0}, {0.0, 1.0, -speed / radius}};
        tn_body_id body = tn_body_create(world, &def);
        tn_capsule_shape_create(world, body, &material, 0.5f, (float)radius);
        run(world, 0.2, rate, i == 0 ? 4 : 1);
        double first = get_energy(world);
        run(world, 1.8, rate, i == 0 ? 4 : 1);
        tn_vec3 axis = tn_body_get_world_vector(world, body, (tn_vec3){0.0, 1.0, 0.0});
        TEST_NEAR(get_energy(world) / first, 1.0, 1e-4);
        TEST_NEAR(axis.y, 0.0, 1e-3);
        TEST_NEAR(atan2(axis.x, axis.z), 0.039, 0.01); // that of fine steps
        tn_world_destroy(world);
    }
}

// ---- worlds in parts ---------------------------------------------------------------------------

// Far away, a field of crates with more than 700 contacts, and some tied in pairs: parts of
// contacts alone, or of joints too.
static void make_field(tn_world *world, bool has_joints) {
    tn_body_id floor = test_body_create(world, TN_BODY_TYPE_STATIC, 30.0, -0.5, 0.0);
    tn_shape_def shape = tn_shape_def_default(), bead = shape;
    tn_box_shape_create(world, floor, &shape, (tn_vec3){20.0, 0.5, 20.0});
    bead.filter.group = -1;
    tn_body_id last = {0};
    for (int i = 0; i < 800; ++i) {
        double x = 15.0 + 1.05 * (i % 20), z = -15.0 + 1.05 * (i / 40);
        double y = i / 20 % 2 == 0 ? 0.5 : 1.5;
        tn_body_id crate = test_body_create(world, TN_BODY_TYPE_DYNAMIC, x, y, z);
        tn_box_shape_create(world, crate, &bead, (tn_vec3){0.5, 0.5, 0.5});
        if (has_joints && i % 2 == 1) {
            test_bodies_tie(world, last, crate);
        }
        last = crate;
    }
}

static tn_vec3 run_in_parts(uint32_t workers, bool has_joints) {
    tn_world *world = make_world(TN_SOLVER_PGS, workers);
    make_field(world, has_joints);
    make_table(world, 2.0, 0.0);
    tn_body_id crate = make_crate(world, HALF, 0.0, 2.0, 0.0);
    run(world, 1.0, 60.0, 4);
    cr_assert(tn_world_get_telemetry(world).manifolds > 700);
    tn_vec3 p = tn_body_get_center(world, crate);
    tn_world_destroy(world);
    return p;
}

// 0.10 m farther out before.
LONG_TEST(contact_arms, a_turntable_in_a_world_of_parts_is_as_good_with_any_number_of_workers,
          .timeout = 60) {
    for (int has_joints = 0; has_joints < 2; ++has_joints) {
        tn_vec3 first = run_in_parts(1, has_joints != 0);
        TEST_NEAR(hypot(first.x, first.z), RADIUS, 2e-4);
        for (uint32_t workers = 2; workers <= 3; ++workers) {
            tn_vec3 p = run_in_parts(workers, has_joints != 0);
            cr_assert(memcmp(&p, &first, sizeof p) == 0, "%u workers", workers);
        }
    }
}

// ---- mechanisms --------------------------------------------------------------------------------

// Two crates side by side on a hinge, whose contacts are a mechanism's with the direct solver.
Test(contact_arms, crates_on_a_hinge_stay_where_they_stand_on_a_turntable) {
    const tn_solver solvers[3] = {TN_SOLVER_AUTO, TN_SOLVER_PGS, TN_SOLVER_DIRECT};
    for (int i = 0; i < 3; ++i) {
        tn_world *world = make_world(solvers[i], 1);
        make_table(world, 1.0, 0.0);
        tn_body_id a = make_crate(world, HALF, 0.0, 1.0, 0.0);
        tn_body_id b = make_crate(world, HALF, 0.35, 1.0, 0.0);
        tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
        tn_joint_def_set_frames(world, &hinge.base, a, b, (tn_vec3){RADIUS, HALF, 0.175},
                                (tn_vec3){1.0, 0.0, 0.0});
        cr_assert(tn_hinge_joint_create(world, &hinge).value != 0);
        double before = get_radius(world, b);
        run(world, 10.0, 60.0, 4);
        TEST_NEAR(get_radius(world, a), RADIUS, 5e-4);
        TEST_NEAR(get_radius(world, b), before, 5e-4);
        tn_world_destroy(world);
    }
}
