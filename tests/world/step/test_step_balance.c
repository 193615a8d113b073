// What machines end a step with that nothing gave them is taken from them.
#include "tests/support/long_test.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tenon/machines.h>

static const tn_solver solvers[] = {TN_SOLVER_AUTO, TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG};

static double number(void) { // from -1 to 1
    return rand() / (0.5 * (double)RAND_MAX) - 1.0;
}

static tn_pose pose_at(double x, double y, double z, double turn) {
    tn_pose pose = {{x, y, z}, {sin(turn), 0.3 * turn, 0.2, cos(turn)}};
    return pose;
}

// A body on a cylindrical joint and a hinge whose frames are a metre apart.
static tn_body_id make_contradiction_on(tn_world *world, tn_body_id on, int variant) {
    tn_body_def def = tn_body_def_default();
    tn_body_id body = tn_body_create(world, &def);
    tn_cylindrical_joint_def slide = tn_cylindrical_joint_def_default();
    tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
    double k = 0.37 * variant;
    slide.base.body_a = hinge.base.body_a = on;
    slide.base.body_b = hinge.base.body_b = body;
    slide.base.frame_a = pose_at(sin(k), -0.5, cos(3.0 * k), k);
    slide.base.frame_b = pose_at(0.3, cos(k), 0.4, 1.0 - k);
    hinge.base.frame_a = pose_at(-0.6, sin(2.0 * k), 0.1, 2.0 * k);
    hinge.base.frame_b = pose_at(cos(k), 0.2, -0.7, 0.5 * k);
    tn_cylindrical_joint_create(world, &slide);
    tn_hinge_joint_create(world, &hinge);
    return body;
}

static tn_body_id make_contradiction(tn_world *world, int variant) {
    return make_contradiction_on(world, (tn_body_id){0}, variant);
}

Test(step_balance, joints_that_contradict_each_other_speed_nothing_up) {
    for (int variant = 0; variant < 40; variant++) {
        tn_world_def def = tn_world_def_default();
        def.solver = solvers[variant % 4];
        tn_world *world = tn_world_create(&def, NULL);
        tn_body_id body = make_contradiction(world, variant);
        double fastest = 0.0;
        for (int i = 0; i < 200; i++) {
            tn_world_step(world, 1.0 / 60.0, 4);
            tn_vec3 v = tn_body_get_velocity(world, body).linear;
            double speed = sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
            fastest = i < 100 ? 0.0 : fmax(fastest, speed);
        }
        cr_expect(tn_body_is_enabled(world, body), "variant %d is lost", variant);
        cr_expect_lt(fastest, 30.0, "variant %d: %g m/s", variant, fastest);
        tn_world_destroy(world);
    }
}

static double get_works(const tn_energy *e) {
    return e->gravity_work + e->motor_work + e->spring_work + e->force_work + e->joint_work +
           e->friction_work + e->impact_work + e->damping_work;
}

// Returns the most that the ledger is off, as a share of what has moved by then.
static double watch_ledger(tn_world *world, double dt, uint32_t substeps) {
    double start = tn_world_get_energy(world).kinetic, moved = 1.0, most = 0.0;
    for (int i = 0; i < 60; i++) {
        tn_world_step(world, dt, substeps);
        tn_energy e = tn_world_get_energy(world);
        double off = get_works(&e) - (e.kinetic - start);
        moved = fmax(moved, fabs(e.joint_work) + fabs(e.gravity_work));
        most = fmax(most, isfinite(off) ? fabs(off) / moved : (double)INFINITY);
    }
    return most;
}

static tn_world *make_measured(tn_solver solver) {
    tn_world_def def = tn_world_def_default();
    def.solver = solver;
    def.has_energy_ledger = true;
    def.is_sleep_allowed = false;
    return tn_world_create(&def, NULL);
}

// Within a step they give and take up to 1e10 J, of which it ends with nothing.
Test(step_balance, the_ledger_has_what_is_taken_from_joints_that_contradict_each_other) {
    for (int i = 0; i < 160; i++) {
        tn_world *world = make_measured(solvers[i % 4]);
        make_contradiction(world, i / 4);
        double most = watch_ledger(world, 1.0 / 60.0, 4);
        cr_expect(most < 1e-3, "variant %d, solver %d: %g", i / 4, i % 4, most);
        tn_world_destroy(world);
    }
}

// A contradiction whose hinge is driven and bounded.
static tn_body_id make_driven_contradiction_on(tn_world *world, tn_body_id on, int variant) {
    tn_body_id body = make_contradiction_on(world, on, variant);
    tn_shape_def shape = tn_shape_def_default();
    shape.filter.mask = 0;
    tn_box_shape_create(world, body, &shape, (tn_vec3){0.6, 0.15, 0.05});
    tn_motor motor = {.mode = TN_MOTOR_MODE_SPEED, .target_speed = 3.0f, .max_force = 50.0f};
    tn_limit limit = {.is_enabled = true, .lower = -0.3f, .upper = 0.4f};
    tn_joint_id joints[4];
    uint32_t count = tn_body_get_joints(world, body, joints, 4), driven = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (tn_joint_get_type(world, joints[i]) == TN_JOINT_TYPE_HINGE) {
            tn_hinge_joint_set_motor(world, joints[i], motor);
            tn_hinge_joint_set_limit(world, joints[i], limit);
            driven++;
        }
    }
    cr_assert_eq(driven, 1);
    return body;
}

// Conjugate gradients that fail become soft between a refresh and a sweep. What their motors and
// limits took along was still that of stiff joints: they gave 861 N·s, and bodies got 1061.
LONG_TEST(step_balance,
          the_ledger_has_what_is_taken_from_driven_joints_that_contradict_each_other) {
    for (int i = 0; i < 160; i++) {
        tn_world *world = make_measured(solvers[i % 4]);
        tn_body_id on = make_driven_contradiction_on(world, (tn_body_id){0}, i / 4);
        make_driven_contradiction_on(world, on, i / 4);
        double most = watch_ledger(world, 1.0 / 60.0, 4);
        cr_expect(most < 1e-3, "variant %d, solver %d: %g", i / 4, i % 4, most);
        tn_world_destroy(world);
    }
}

// Locks leave rows that see next to nothing of a body. With an inverse that was as wrong as it was
// large, sweeps took bodies to 1e10 J and back within a substep, and lost count.
LONG_TEST(step_balance, the_ledger_has_what_is_taken_from_locked_bodies_whose_joints_contradict) {
    for (int i = 0; i < 192; i++) {
        int variant = i / 8;
        tn_world *world = make_measured(solvers[i % 4]);
        tn_body_id body = make_contradiction(world, variant);
        bool is_box = i / 4 % 2 == 1;
        uint32_t turns = 1u << (3 + variant % 3) | 1u << (3 + variant / 3 % 3);
        if (is_box) {
            tn_shape_def shape = tn_shape_def_default();
            shape.filter.mask = 0;
            tn_box_shape_create(world, body, &shape, (tn_vec3){0.6, 0.15, 0.05});
        }
        tn_body_set_locks(world, body, is_box ? turns : 1u << variant % 6);
        double most = watch_ledger(world, 1.0 / 60.0, 4);
        cr_expect(most < 1e-3, "variant %d, solver %d, box %d: %g", variant, i % 4, is_box, most);
        tn_world_destroy(world);
    }
}

// Two bodies of 1 kg fly on at `speed`, joined a metre apart. Returns the greatest energy about
// their common centre.
static double fight_in_flight(int variant, double speed) {
    tn_world_def def = tn_world_def_default();
    def.solver = solvers[variant % 4];
    def.gravity = (tn_vec3){0};
    tn_world *world = tn_world_create(&def, NULL);
    tn_body_def other = tn_body_def_default();
    tn_body_id bodies[2] = {tn_body_create(world, &other)};
    bodies[1] = make_contradiction_on(world, bodies[0], variant);
    for (int i = 0; i < 2; i++) {
        tn_body_set_velocity(world, bodies[i], (tn_velocity){.linear = {speed, 0.0, 0.0}});
    }
    double most = 0.0;
    for (int i = 0; i < 100; i++) {
        tn_world_step(world, 1.0 / 60.0, 4);
        most = fmax(most, tn_world_get_energy(world).kinetic - speed * speed);
    }
    tn_vec3 v = tn_body_get_velocity(world, bodies[0]).linear;
    tn_vec3 w = tn_body_get_velocity(world, bodies[1]).linear;
    cr_expect(fabs(v.x + w.x - 2.0 * speed) < 1e-4 * speed, "variant %d: %g m/s", variant, v.x);
    cr_expect(hypot(v.y + w.y, v.z + w.z) < 1e-4 * speed, "variant %d", variant);
    tn_world_destroy(world);
    return most;
}

// Under AUTO and DIRECT the pair stood still after a step.
Test(step_balance, a_common_velocity_stays_and_feeds_nothing) {
    for (int variant = 0; variant < 16; variant++) {
        double most = fight_in_flight(variant, 100.0); // of 10 kJ
        cr_expect_lt(most, 100.0, "variant %d: %g J", variant, most);
    }
}

// Bodies on hinges, balls and rods that close loops about half a metre off. Returns how many there
// are.
static uint32_t make_open_loops(tn_world *world, uint32_t seed, tn_body_id bodies[4],
                                tn_joint_id joints[8]) {
    srand(seed);
    for (int i = 0; i < 4; i++) {
        tn_body_def def = tn_body_def_default();
        def.pose.position = (tn_vec3){1.0 + number(), 3.0 + number(), 1.0 + number()};
        bodies[i] = tn_body_create(world, &def);
        tn_shape_def shape = tn_shape_def_default();
        shape.filter.mask = 0;
        tn_box_shape_create(world, bodies[i], &shape, (tn_vec3){0.2, 0.15, 0.1});
    }
    for (int j = 0; j < 8; j++) {
        int a = j % 5 - 1, b = (j + 1 + j / 4) % 4;
        tn_joint_def base = tn_joint_def_default();
        tn_joint_def_set_frames(world, &base, a < 0 || a == b ? (tn_body_id){0} : bodies[a],
                                bodies[b], tn_body_get_center(world, bodies[b]),
                                (tn_vec3){number(), number(), 1.0});
        base.frame_b.position.x += 0.5 * number();
        base.frame_b.position.y += 0.5 * number();
        base.frame_b.position.z += 0.5 * number();
        tn_ball_joint_def ball = tn_ball_joint_def_default();
        tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
        tn_distance_joint_def rod = tn_distance_joint_def_default();
        ball.base = hinge.base = rod.base = base;
        rod.length = 0.5f;
        joints[j] = j % 3 == 0   ? tn_ball_joint_create(world, &ball)
                    : j % 3 == 1 ? tn_hinge_joint_create(world, &hinge)
                                 : tn_distance_joint_create(world, &rod);
    }
    return 8;
}

// What closes mechanisms after a sweep turns bodies under the inertia that the next sweep sees.
LONG_TEST(step_balance, the_ledger_has_what_is_taken_from_loops_that_cannot_close) {
    for (uint32_t i = 0; i < 96; i++) {
        tn_world *world = make_measured(solvers[i % 4]);
        tn_body_id bodies[4];
        tn_joint_id joints[8];
        make_open_loops(world, i / 4, bodies, joints);
        double most = watch_ledger(world, i / 4 % 2 == 0 ? 1.0 / 60.0 : 1.0 / 30.0, 1 + i / 4 % 4);
        cr_expect(most < 1e-3, "seed %u, solver %u: %g", i / 4, i % 4, most);
        tn_world_destroy(world);
    }
}

// They swung on for ever, at up to 54 m/s, and nothing told of it but under DIRECT.
LONG_TEST(step_balance, loops_that_cannot_close_come_to_rest_and_tell, .timeout = 60) {
    for (uint32_t variant = 0; variant < 48; variant++) {
        tn_world_def def = tn_world_def_default();
        def.solver = solvers[variant % 4];
        tn_world *world = tn_world_create(&def, NULL);
        tn_body_id bodies[4];
        tn_joint_id joints[8];
        uint32_t count = make_open_loops(world, variant / 4, bodies, joints), fights = 0;
        for (int i = 0; i < 480; i++) {
            tn_world_step(world, 1.0 / 60.0, 4);
        }
        for (uint32_t i = 0; i < 4; i++) {
            tn_velocity velocity = tn_body_get_velocity(world, bodies[i]);
            double speed = hypot(hypot(velocity.linear.x, velocity.linear.y), velocity.linear.z);
            cr_expect(speed < 0.5, "variant %u: %g m/s", variant, speed);
        }
        for (uint32_t j = 0; j < count; j++) {
            fights += tn_joint_get_redundancy(world, joints[j]).fights ? 1 : 0;
        }
        cr_expect(fights > 0, "variant %u: open by %g m", variant,
                  tn_world_get_telemetry(world).worst_joint_linear);
        tn_world_destroy(world);
    }
}

// A body swings past the opposite of where its joint's twist is defined.
static double swing_past_opposite(tn_solver solver, double aside) {
    tn_world_def def = tn_world_def_default();
    def.gravity = (tn_vec3){0};
    def.solver = solver;
    def.is_sleep_allowed = false;
    tn_world *world = tn_world_create(&def, NULL);
    tn_body_def ball = tn_body_def_default();
    ball.pose.position.y = -1.0;
    ball.velocity.angular = (tn_vec3){aside, 0.0, 6.0};
    ball.velocity.linear = (tn_vec3){6.0, 0.0, -aside};
    tn_body_id body = tn_body_create(world, &ball);
    tn_ball_joint_def joint = tn_ball_joint_def_default();
    tn_joint_def_set_frames(world, &joint.base, (tn_body_id){0}, body, (tn_vec3){0},
                            (tn_vec3){0.0, -1.0, 0.0});
    joint.twist_limit = (tn_limit){.is_enabled = true, .lower = -0.2f, .upper = 0.2f};
    tn_ball_joint_create(world, &joint);
    double start = tn_body_get_kinetic_energy(world, body), most = 0.0;
    for (int i = 0; i < 180; i++) {
        tn_world_step(world, 1.0 / 60.0, 4);
        most = fmax(most, tn_body_get_kinetic_energy(world, body) / start);
    }
    tn_world_destroy(world);
    return most;
}

Test(step_balance, a_swing_past_the_opposite_gains_nothing_by_a_twist_limit) {
    for (int i = 0; i < 12; i++) {
        double most = swing_past_opposite(solvers[i % 3], 0.05 * i);
        cr_expect_lt(most, 1.005, "%d: %g", i, most);
    }
}

// A light and a heavy ball on a rod, let fall on a floor from which they bounce.
Test(step_balance, auto_keeps_an_uneven_machine_exact_where_it_bounces) {
    tn_world *world = tn_world_create(NULL, NULL);
    tn_body_def ground = tn_body_def_default();
    ground.type = TN_BODY_TYPE_STATIC;
    tn_shape_def material = tn_shape_def_default();
    material.material.restitution = 0.4f;
    tn_half_space_shape_create(world, tn_body_create(world, &ground), &material);
    tn_body_id bodies[2];
    for (int i = 0; i < 2; i++) {
        tn_body_def def = tn_body_def_default();
        def.pose.position = (tn_vec3){1.0 * i, 1.0 + 0.3 * i, 0.0};
        bodies[i] = tn_body_create(world, &def);
        material.density = i == 0 ? 1000.0f : 10.0f;
        tn_sphere_shape_create(world, bodies[i], &material, 0.2f);
    }
    tn_ball_joint_def joint = tn_ball_joint_def_default();
    tn_joint_def_set_frames(world, &joint.base, bodies[0], bodies[1], (tn_vec3){0.5, 1.15, 0.0},
                            (tn_vec3){1.0, 0.0, 0.0});
    tn_ball_joint_create(world, &joint);
    for (int i = 0; i < 90; i++) {
        tn_world_step(world, 1.0 / 60.0, 4);
        tn_mechanism_info info = {0};
        tn_world_get_mechanisms(world, &info, 1);
        cr_assert_eq(info.method, TN_MECHANISM_METHOD_DIRECT, "step %d", i);
    }
    cr_expect_lt(tn_world_get_telemetry(world).worst_joint_linear, 1e-6);
    tn_world_destroy(world);
}

// Memory as it comes: no byte of it is a bool.
static void *dirty_alloc(size_t size, size_t alignment, void *user_data) {
    (void)user_data;
    void *block = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    return block != NULL ? memset(block, 0xcd, size) : NULL;
}

static void dirty_free(void *block, size_t size, void *user_data) {
    (void)size, (void)user_data;
    free(block);
}

// A joint's bodies have both become kinematic, and a free ball, whose island has no joint, lies on
// one of them. Only the sanitizer notices what is read too early.
Test(step_balance, reads_no_balance_of_an_island_without_joints) {
    tn_world_def def = tn_world_def_default();
    def.alloc = dirty_alloc;
    def.free = dirty_free;
    tn_world *world = tn_world_create(&def, NULL);
    tn_shape_def shape = tn_shape_def_default();
    tn_body_id bodies[3];
    for (int i = 0; i < 3; ++i) {
        tn_body_def body = tn_body_def_default();
        body.pose.position = (tn_vec3){i == 0 ? 3.0 : 0.0, i == 2 ? 1.0 : 0.0, 0.0};
        bodies[i] = tn_body_create(world, &body);
        tn_sphere_shape_create(world, bodies[i], &shape, 0.5f);
    }
    tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
    hinge.base.body_a = bodies[0];
    hinge.base.body_b = bodies[1];
    cr_assert(tn_hinge_joint_create(world, &hinge).value != 0);
    tn_body_set_type(world, bodies[0], TN_BODY_TYPE_KINEMATIC);
    tn_body_set_type(world, bodies[1], TN_BODY_TYPE_KINEMATIC);
    for (int i = 0; i < 5; ++i) {
        cr_assert(tn_world_step(world, 1.0 / 60.0, 4) == TN_RESULT_OK);
    }
    cr_assert(tn_world_count_contacts(world) > 0);
    cr_assert(tn_body_get_pose(world, bodies[2]).position.y > 0.9);
    tn_world_destroy(world);
}
