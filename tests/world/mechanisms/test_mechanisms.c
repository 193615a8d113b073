// The direct solver in a world: joints that hold, what they tell, and what comes and goes.
#include "tests/world/world_test.h"

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_solver_world_create(TN_SOLVER_DIRECT, &reports);
}

static void teardown(void) {
    tn_world_destroy(world);
}

TestSuite(mechanisms, .init = setup, .fini = teardown);

static tn_body_id make_link(double x, double mass) {
    tn_body_def def = tn_body_def_default();
    def.type = TN_BODY_TYPE_DYNAMIC;
    def.pose.position = (tn_vec3){x, 0.0, 0.0};
    tn_body_id body = tn_body_create(world, &def);
    tn_mass given = {.mass = mass};
    given.inertia.xx = 0.02 * mass;
    given.inertia.yy = given.inertia.zz = 0.03 * mass;
    tn_body_set_mass(world, body, given);
    return body;
}

static tn_joint_id make_ball(tn_body_id a, tn_body_id b, double x) {
    tn_ball_joint_def def = tn_ball_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &def.base, a, b, (tn_vec3){x, 0.0, 0.0},
                                      (tn_vec3){1.0, 0.0, 0.0}));
    tn_joint_id joint = tn_ball_joint_create(world, &def);
    cr_assert(joint.value != 0);
    return joint;
}

// Links half a metre long from the origin along x, the last of `end_mass`.
static void make_chain(int count, double end_mass, tn_body_id *links, tn_joint_id *joints) {
    tn_body_id before = {0};
    for (int i = 0; i < count; ++i) {
        links[i] = make_link(0.25 + 0.5 * i, i + 1 == count ? end_mass : 1.0);
        joints[i] = make_ball(before, links[i], 0.5 * i);
        before = links[i];
    }
}

Test(mechanisms, hold_a_whipping_chain_with_a_heavy_end) {
    tn_body_id links[10];
    tn_joint_id joints[10];
    make_chain(10, 10000.0, links, joints);
    for (int i = 0; i < 300; ++i) {
        test_step(world, 1);
        cr_assert(tn_world_get_telemetry(world).worst_joint_linear < 1e-9);
    }
    tn_energy energy = tn_world_get_energy(world);
    // It started at rest at height 0. The ledger tells all of it.
    double total = energy.kinetic + energy.potential;
    cr_assert(fabs(total) < 1e-3 * energy.gravity_work, "%g of %g", total, energy.gravity_work);
    cr_assert(fabs(energy.gravity_work + energy.joint_work - energy.kinetic) <
              1e-9 * energy.gravity_work);
}

Test(mechanisms, tell_reactions_efforts_and_work) {
    tn_body_id link = make_link(0.5, 2.0);
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &def.base, (tn_body_id){0}, link,
                                      (tn_vec3){0.0, 0.0, 0.0}, (tn_vec3){0.0, 0.0, 1.0}));
    def.motor = (tn_motor){.mode = TN_MOTOR_MODE_SPEED, .max_force = INFINITY};
    tn_joint_id hinge = tn_hinge_joint_create(world, &def);
    // Held level by a motor at rest: m g at the pin, m g 0.5 m by the motor.
    test_step(world, 30);
    tn_reaction reaction = tn_joint_get_reaction(world, hinge);
    cr_assert(fabs(reaction.force.y - 2.0 * 9.81) < 1e-4, "%g", reaction.force.y);
    double effort = (double)tn_joint_get_motor_effort(world, hinge);
    cr_assert(fabs(effort - 9.81) < 1e-3, "%g", effort);
    cr_assert(fabs(tn_joint_get_motor_work(world, hinge)) < 1e-9);
    // Turned by a quarter upward: the motor lifts the link by half a metre.
    tn_hinge_joint_set_motor(
        world, hinge,
        (tn_motor){.mode = TN_MOTOR_MODE_SPEED, .target_speed = 1.5707964f, .max_force = INFINITY});
    test_step(world, 60);
    double angle = tn_hinge_joint_get_angle(world, hinge);
    // It gets its speed over the first substep: half of one behind.
    cr_assert(fabs(angle - 1.5707963 * (1.0 - 0.5 / 240.0)) < 1e-5, "%g", angle);
    tn_energy energy = tn_world_get_energy(world);
    double work = tn_joint_get_motor_work(world, hinge);
    double gained = energy.kinetic + energy.potential;
    cr_assert(fabs(work - gained) < 1e-5 * gained, "%.9g for %.9g", work, gained);
}

Test(mechanisms, go_on_while_joints_come_and_go) {
    tn_body_id links[12];
    tn_joint_id joints[12];
    make_chain(12, 50.0, links, joints);
    for (int k = 0; k < 40; ++k) {
        test_step(world, 5);
        int i = 1 + (k * 7) % 11;
        if (tn_joint_is_valid(world, joints[i])) {
            tn_joint_destroy(world, joints[i]);
        } else {
            tn_vec3 at = tn_body_get_pose(world, links[i]).position;
            tn_ball_joint_def def = tn_ball_joint_def_default();
            tn_joint_def_set_frames(world, &def.base, links[i - 1], links[i], at,
                                    (tn_vec3){1.0, 0.0, 0.0});
            joints[i] = tn_ball_joint_create(world, &def);
        }
        test_step(world, 1);
        cr_assert(tn_world_get_telemetry(world).worst_joint_linear < 1e-6, "change %d: %g", k,
                  tn_world_get_telemetry(world).worst_joint_linear);
    }
    tn_body_destroy(world, links[3]);
    test_step(world, 60);
    cr_assert(tn_world_get_telemetry(world).worst_joint_linear < 1e-6);
    cr_assert(reports.count == 0, "%s", reports.message);
}

Test(mechanisms, allocate_nothing_while_nothing_changes) {
    tn_body_id links[8];
    tn_joint_id joints[8];
    make_chain(8, 5.0, links, joints);
    test_step(world, 10);
    for (int i = 0; i < 100; ++i) {
        test_step(world, 1);
        cr_assert(tn_world_get_telemetry(world).allocations == 0, "step %d", i);
    }
}

Test(mechanisms, are_left_by_joints_that_ask_for_gauss_seidel) {
    tn_body_id links[4];
    tn_joint_id joints[4];
    make_chain(4, 100.0, links, joints);
    test_step(world, 30);
    cr_assert(tn_world_get_telemetry(world).worst_joint_linear < 1e-9);
    tn_joint_set_solver(world, joints[2], TN_SOLVER_PGS);
    test_step(world, 30);
    double with_pgs = tn_world_get_telemetry(world).worst_joint_linear;
    // The worst is the one joint that Gauss-Seidel has to itself.
    cr_assert(with_pgs > 1e-7 && with_pgs < 0.1, "%g", with_pgs);
    tn_joint_set_solver(world, joints[2], TN_SOLVER_AUTO);
    test_step(world, 30);
    cr_assert(tn_world_get_telemetry(world).worst_joint_linear < 1e-9);
    tn_joint_set_solver(world, joints[2], (tn_solver)7);
    cr_assert(reports.last == TN_RESULT_INVALID_ARGUMENT);
    tn_world_set_solver(world, (tn_solver)-1);
    cr_assert(reports.count == 2 && reports.last == TN_RESULT_INVALID_ARGUMENT);
    cr_assert(tn_world_get_solver(world) == TN_SOLVER_DIRECT);
}

// What touches something is moved by Gauss-Seidel; its joints are closed all the same.
Test(mechanisms, fall_on_a_floor_and_stay_whole) {
    tn_body_id links[6];
    tn_joint_id joints[6];
    make_chain(6, 2.0, links, joints);
    tn_shape_def shape = tn_shape_def_default();
    shape.density = 0.0f;
    for (int i = 0; i < 6; ++i) {
        tn_sphere_shape_create(world, links[i], &shape, 0.1f);
    }
    tn_body_def floor_def = tn_body_def_default();
    floor_def.type = TN_BODY_TYPE_STATIC;
    floor_def.pose.position.y = -2.0;
    tn_body_id floor = tn_body_create(world, &floor_def);
    tn_half_space_shape_create(world, floor, &shape);
    for (int i = 0; i < 600; ++i) {
        test_step(world, 1);
        cr_assert(tn_world_get_telemetry(world).worst_joint_linear < 1e-4, "step %d: %g", i,
                  tn_world_get_telemetry(world).worst_joint_linear);
    }
    cr_assert(reports.count == 0, "%s", reports.message);
    cr_assert(tn_world_get_telemetry(world).points > 0);
    // It started at rest at height 0.
    tn_energy energy = tn_world_get_energy(world);
    cr_assert(energy.kinetic + energy.potential < 1e-3);
}

// Coincident, redundant and contradictory: nothing may explode.
Test(mechanisms, survive_joints_that_cannot_hold) {
    tn_body_id links[3];
    tn_joint_id joints[3];
    make_chain(3, 1.0, links, joints);
    // Twice the same, and one that wants the end elsewhere.
    make_ball(links[0], links[1], 0.5);
    tn_ball_joint_def def = tn_ball_joint_def_default();
    def.base.body_b = links[2];
    def.base.frame_a.position = (tn_vec3){4.0, 0.0, 0.0};
    def.base.frame_b.position = (tn_vec3){0.25, 0.0, 0.0};
    cr_assert(tn_ball_joint_create(world, &def).value != 0);
    for (int i = 0; i < 240; ++i) {
        test_step(world, 1);
        tn_energy energy = tn_world_get_energy(world);
        cr_assert(isfinite(energy.kinetic) && energy.kinetic < 1e6, "step %d: %g J", i,
                  energy.kinetic);
    }
    for (int i = 0; i < 3; ++i) {
        tn_vec3 at = tn_body_get_pose(world, links[i]).position;
        cr_assert(fabs(at.x) < 10.0 && fabs(at.y) < 10.0 && fabs(at.z) < 10.0);
    }
}

Test(mechanisms, follow_a_kinematic_body) {
    tn_body_id carrier = test_body_create(world, TN_BODY_TYPE_KINEMATIC, 0.0, 0.0, 0.0);
    tn_body_id link = make_link(0.25, 1.0);
    make_ball(carrier, link, 0.0);
    tn_body_set_velocity(world, carrier,
                         (tn_velocity){.linear = {1.0, 0.0, 0.0}, .angular = {0.0, 2.0, 0.0}});
    for (int i = 0; i < 120; ++i) {
        test_step(world, 1);
        cr_assert(tn_world_get_telemetry(world).worst_joint_linear < 1e-6, "step %d: %g", i,
                  tn_world_get_telemetry(world).worst_joint_linear);
    }
    cr_assert(fabs(tn_body_get_pose(world, carrier).position.x - 2.0) < 1e-9);
}

// ---- telemetry ---------------------------------------------------------------------------------

static tn_joint_id make_hinge(tn_body_id a, tn_body_id b, double x, double y) {
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &def.base, a, b, (tn_vec3){x, y, 0.0},
                                      (tn_vec3){0.0, 0.0, 1.0}));
    return tn_hinge_joint_create(world, &def);
}

static bool is_one_of(tn_joint_id joint, const tn_joint_id *joints, int count) {
    bool found = false;
    for (int i = 0; i < count; ++i) {
        found = found || joints[i].value == joint.value;
    }
    return found;
}

Test(mechanisms, are_listed_with_their_size_and_effort) {
    tn_body_id links[5];
    tn_joint_id joints[5];
    make_chain(5, 1000.0, links, joints);
    tn_body_id apart = make_link(9.0, 1.0);
    tn_joint_id lonely = make_ball((tn_body_id){0}, apart, 8.75);
    cr_assert(tn_world_get_mechanisms(world, NULL, 0) == 0, "before the first step");
    test_step(world, 20);
    tn_mechanism_info infos[3];
    memset(infos, 0xff, sizeof infos);
    cr_assert(tn_world_get_mechanisms(world, NULL, 0) == 2);
    cr_assert(tn_world_get_mechanisms(world, infos, 1) == 2);
    cr_assert(infos[1].bodies == UINT32_MAX, "beyond the capacity");
    cr_assert(tn_world_get_mechanisms(world, infos, 3) == 2);
    const tn_mechanism_info *chain = &infos[0];
    cr_assert(chain->method == TN_MECHANISM_METHOD_DIRECT);
    cr_assert(chain->bodies == 5 && chain->joints == 5 && chain->rows == 15);
    cr_assert(chain->dependent_rows == 0 && chain->dependent_joint.value == 0);
    // A chain has no fill: five blocks on the diagonal and four below it, of 3 x 3.
    cr_assert(chain->fill == 9 * 9, "%u", chain->fill);
    cr_assert(chain->stages >= 4 && chain->iterations >= chain->stages);
    cr_assert(chain->splits == 0 && chain->failures == 0);
    tn_telemetry telemetry = tn_world_get_telemetry(world);
    cr_assert(chain->solve_ms > 0.0);
    cr_assert(chain->solve_ms + infos[1].solve_ms <= telemetry.solve_ms);
    cr_assert(is_one_of(chain->worst_linear_joint, joints, 5));
    tn_joint_error error = tn_joint_get_error(world, chain->worst_linear_joint);
    cr_assert(fabs(error.linear_length - chain->worst_joint_linear) < 1e-15);
    cr_assert(infos[1].bodies == 1 && infos[1].rows == 3);
    cr_assert(infos[1].worst_linear_joint.value == lonely.value);
    double worst = fmax(chain->worst_joint_linear, infos[1].worst_joint_linear);
    cr_assert(worst == telemetry.worst_joint_linear);
    // What Gauss-Seidel has to itself is in none.
    tn_world_set_solver(world, TN_SOLVER_PGS);
    cr_assert(tn_world_get_mechanisms(world, NULL, 0) == 2, "of the last step");
    test_step(world, 1);
    cr_assert(tn_world_get_mechanisms(world, infos, 3) == 0);
    cr_assert(tn_world_get_mechanisms(NULL, infos, 3) == 0);
}

static tn_joint_id make_crank(tn_body_id link, tn_motor motor) {
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &def.base, (tn_body_id){0}, link,
                                      (tn_vec3){0.0, 0.0, 0.0}, (tn_vec3){0.0, 0.0, 1.0}));
    def.motor = motor;
    return tn_hinge_joint_create(world, &def);
}

static uint32_t count_stages(void) {
    tn_mechanism_info info;
    cr_assert(tn_world_get_mechanisms(world, &info, 1) == 1);
    return info.stages;
}

// 60 rad/s are 0.25 rad in a substep.
Test(mechanisms, are_cut_while_they_turn_fast_unless_motors_prescribe_how) {
    tn_body_id link = make_link(0.25, 1.0);
    tn_motor motor = {.mode = TN_MOTOR_MODE_SPEED, .target_speed = 60.0f, .max_force = INFINITY};
    tn_joint_id crank = make_crank(link, motor);
    test_step(world, 2);
    cr_assert(count_stages() == 4, "%u", count_stages());
    cr_assert(fabs(tn_hinge_joint_get_speed(world, crank) - 60.0) < 1e-6);
    // At its cap it prescribes nothing.
    motor.max_force = 1e-3f;
    motor.target_speed = 100.0f;
    tn_hinge_joint_set_motor(world, crank, motor);
    test_step(world, 2);
    cr_assert(count_stages() == 16, "%u", count_stages());
    motor.mode = TN_MOTOR_MODE_OFF;
    tn_hinge_joint_set_motor(world, crank, motor);
    test_step(world, 2);
    cr_assert(count_stages() == 16, "%u", count_stages());
}

// Four hinges with parallel axes around three bodies: 20 rows for 18 - 1 freedoms.
Test(mechanisms, tell_how_many_rows_depend_on_others_and_of_whom) {
    tn_body_id bodies[3];
    const double middles[3][2] = {{0.0, 0.5}, {0.5, 1.0}, {1.0, 0.5}};
    const double pins[4][2] = {{0.0, 0.0}, {0.0, 1.0}, {1.0, 1.0}, {1.0, 0.0}};
    for (int i = 0; i < 3; ++i) {
        bodies[i] = make_link(middles[i][0], 1.0);
        tn_body_set_pose(world, bodies[i],
                         (tn_pose){.position = {middles[i][0], middles[i][1], 0.0},
                                   .rotation = {0.0, 0.0, 0.0, 1.0}});
    }
    tn_joint_id joints[4];
    for (int i = 0; i < 4; ++i) {
        joints[i] = make_hinge(i > 0 ? bodies[i - 1] : (tn_body_id){0},
                               i < 3 ? bodies[i] : (tn_body_id){0}, pins[i][0], pins[i][1]);
        cr_assert(joints[i].value != 0);
    }
    tn_body_set_velocity(world, bodies[1], (tn_velocity){.linear = {1.0, 0.0, 0.0}});
    tn_mechanism_info info;
    for (int i = 0; i < 60; ++i) {
        test_step(world, 1);
        cr_assert(tn_world_get_mechanisms(world, &info, 1) == 1);
        cr_assert(info.rows == 20 && info.dependent_rows == 3, "step %d: %u of %u", i,
                  info.dependent_rows, info.rows);
        cr_assert(is_one_of(info.dependent_joint, joints, 4));
        cr_assert(info.worst_joint_linear < 1e-9 && info.failures == 0);
    }
    // Opened, nothing is said twice.
    tn_joint_destroy(world, joints[3]);
    test_step(world, 1);
    cr_assert(tn_world_get_mechanisms(world, &info, 1) == 1);
    cr_assert(info.rows == 15 && info.dependent_rows == 0 && info.dependent_joint.value == 0);
    // Closed by a ball, only its row along the axes is.
    tn_vec3 end = tn_body_get_world_point(world, bodies[2], (tn_vec3){0.0, -0.5, 0.0});
    tn_ball_joint_def ball = tn_ball_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &ball.base, bodies[2], (tn_body_id){0}, end,
                                      (tn_vec3){1.0, 0.0, 0.0}));
    tn_joint_id closing = tn_ball_joint_create(world, &ball);
    test_step(world, 1);
    cr_assert(tn_world_get_mechanisms(world, &info, 1) == 1);
    cr_assert(info.rows == 18 && info.dependent_rows == 1, "%u", info.dependent_rows);
    tn_joint_destroy(world, closing);
    // A door on two hinges.
    tn_body_id door = make_link(10.0, 5.0);
    make_hinge((tn_body_id){0}, door, 9.5, 0.0);
    make_hinge((tn_body_id){0}, door, 9.5, 0.0);
    tn_mechanism_info infos[2];
    test_step(world, 1);
    cr_assert(tn_world_get_mechanisms(world, infos, 2) == 2);
    cr_assert(infos[1].rows == 10 && infos[1].dependent_rows == 5, "%u", infos[1].dependent_rows);
}

static void make_floor(double y) {
    tn_body_def def = tn_body_def_default();
    def.type = TN_BODY_TYPE_STATIC;
    def.pose.position.y = y;
    tn_shape_def shape = tn_shape_def_default();
    cr_assert(tn_half_space_shape_create(world, tn_body_create(world, &def), &shape).value != 0);
}

Test(mechanisms, are_listed_as_coupled_while_a_joint_of_gauss_seidel_holds_them) {
    tn_body_id links[3];
    tn_joint_id joints[3];
    make_chain(3, 1.0, links, joints);
    tn_mechanism_info info;
    test_step(world, 1);
    cr_assert(tn_world_get_mechanisms(world, &info, 1) == 1);
    cr_assert(info.method == TN_MECHANISM_METHOD_DIRECT);
    tn_joint_set_stiffness(world, joints[1], 10.0f, 1.0f); // as soft as it may be
    test_step(world, 1);
    cr_assert(tn_world_get_mechanisms(world, &info, 1) == 1);
    cr_assert(info.method == TN_MECHANISM_METHOD_DIRECT && info.joints == 3);
    tn_joint_destroy(world, joints[1]);
    tn_ball_joint_def def = tn_ball_joint_def_default();
    def.base.solver = TN_SOLVER_PGS;
    cr_assert(tn_joint_def_set_frames(world, &def.base, links[0], links[1],
                                      (tn_vec3){1.0, 0.0, 0.0}, (tn_vec3){1.0, 0.0, 0.0}));
    cr_assert(tn_ball_joint_create(world, &def).value != 0);
    // One on either side of it.
    tn_mechanism_info infos[2];
    for (int i = 0; i < 60; ++i) {
        test_step(world, 1);
        cr_assert(tn_world_get_mechanisms(world, infos, 2) == 2);
        for (int k = 0; k < 2; ++k) {
            cr_assert(infos[k].method == TN_MECHANISM_METHOD_PGS_CLOSED);
            cr_assert(infos[k].stages == 0 && infos[k].iterations == 0 && infos[k].splits == 0);
            cr_assert(infos[k].failures == 0 && infos[k].fill > 0 && infos[k].solve_ms > 0.0);
        }
    }
    cr_assert(reports.count == 0, "%s: %s", reports.function, reports.message);
}

// A chain whips down onto a floor with friction, at every mass of its end.
Test(mechanisms, lie_on_a_floor_with_their_joints_closed) {
    const double masses[4] = {1.0, 100.0, 1000.0, 10000.0};
    for (int k = 0; k < 4; ++k) {
        tn_body_id links[10];
        tn_joint_id joints[10];
        make_chain(10, masses[k], links, joints);
        tn_shape_def shape = tn_shape_def_default();
        shape.density = 0.0f;
        for (int i = 0; i < 10; ++i) {
            tn_sphere_shape_create(world, links[i], &shape, 0.1f);
        }
        make_floor(-3.0);
        double start = tn_world_get_energy(world).potential, most = 0.0, gap = 0.0, depth = 0.0;
        for (int i = 0; i < 400; ++i) {
            test_step(world, 1);
            tn_telemetry telemetry = tn_world_get_telemetry(world);
            tn_energy energy = tn_world_get_energy(world);
            most = fmax(most, energy.kinetic + energy.potential - start);
            gap = fmax(gap, telemetry.worst_joint_linear);
            depth = fmax(depth, telemetry.deepest_penetration);
        }
        cr_assert(most < 1e-3 * masses[k], "%g kg: %g J gained", masses[k], most);
        // Over 40 starts up to 0.2 m apart the widest gap is 1.3e-9 m.
        cr_assert(gap < 1e-6, "%g kg: gap %g", masses[k], gap);
        // Over the same starts it is 1.5 mm deep at most, but 1 to 16 mm with 10,000 kg.
        cr_assert(depth < (k < 3 ? 2e-3 : 1e-2), "%g kg: %g deep", masses[k], depth);
        teardown();
        setup();
    }
}

Test(mechanisms, meet_a_tolerance_or_not_in_every_step) {
    tn_body_id links[6];
    tn_joint_id joints[6];
    make_chain(6, 1000.0, links, joints);
    test_step(world, 1);
    cr_assert(tn_world_get_telemetry(world).meets_tolerance, "none is asked for");
    tn_world_destroy(world);
    const double tolerances[3][2] = {{1e-6, 0.0}, {0.0, 1e-30}, {1e-6, 1e-30}};
    for (int k = 0; k < 3; ++k) {
        tn_world_def def = tn_world_def_default();
        def.joint_tolerance = tolerances[k][0];
        def.joint_tolerance_angular = tolerances[k][1];
        def.solver = TN_SOLVER_DIRECT;
        def.is_sleep_allowed = false;
        world = tn_world_create(&def, NULL);
        cr_assert(tn_world_get_telemetry(world).meets_tolerance, "before the first step");
        make_chain(6, 1000.0, links, joints);
        // Balls have no angular rows.
        test_step(world, 60);
        cr_assert(tn_world_get_telemetry(world).meets_tolerance);
        tn_world_set_solver(world, TN_SOLVER_PGS);
        for (int i = 0; i < 60; ++i) {
            test_step(world, 1);
            tn_telemetry telemetry = tn_world_get_telemetry(world);
            bool within =
                !(def.joint_tolerance > 0.0) || telemetry.worst_joint_linear <= def.joint_tolerance;
            cr_assert(telemetry.meets_tolerance == within);
            cr_assert(within || is_one_of(telemetry.worst_linear_joint, joints, 6));
        }
        cr_assert(tn_world_get_telemetry(world).meets_tolerance == !(def.joint_tolerance > 0.0));
        if (k < 2) {
            tn_world_destroy(world);
        }
    }
}

static void make_world(bool has_ledger) {
    tn_world_destroy(world);
    tn_world_def def = tn_world_def_default();
    def.solver = TN_SOLVER_DIRECT;
    def.has_energy_ledger = has_ledger;
    world = tn_world_create(&def, NULL);
    cr_assert(world != NULL);
}

// With a ledger all mechanisms go substep by substep, without one those that nothing disturbs do
// not. What hangs on a body that moves is disturbed.
Test(mechanisms, move_the_same_whether_they_take_their_substeps_one_by_one) {
    tn_pose ends[2][2];
    for (int i = 0; i < 2; ++i) {
        make_world(i == 0);
        tn_body_id links[4], carried = make_link(3.25, 1.0);
        tn_joint_id joints[4];
        make_chain(4, 3.0, links, joints);
        tn_body_def def = tn_body_def_default();
        def.type = TN_BODY_TYPE_KINEMATIC;
        def.pose.position = (tn_vec3){3.0, 0.0, 0.0};
        tn_body_id cart = tn_body_create(world, &def);
        tn_body_set_velocity(world, cart, (tn_velocity){.linear = {0.5, 0.0, 0.0}});
        make_ball(cart, carried, 3.0);
        test_step(world, 120);
        ends[i][0] = tn_body_get_pose(world, links[3]);
        ends[i][1] = tn_body_get_pose(world, carried);
    }
    for (int k = 0; k < 2; ++k) {
        tn_vec3 p = ends[0][k].position, q = ends[1][k].position;
        cr_assert(p.x == q.x && p.y == q.y && p.z == q.z, "body %d", k);
    }
    // The cart has gone a metre.
    cr_assert(fabs(ends[0][1].position.x - 4.0) < 0.6, "%g", ends[0][1].position.x);
}
