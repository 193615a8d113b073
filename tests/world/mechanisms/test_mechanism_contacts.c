// Contacts of mechanisms that the direct solver moves: bounces, loads, mechanisms on each other.
#include "tests/world/world_test.h"

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_solver_world_create(TN_SOLVER_DIRECT, &reports);
}

static void teardown(void) {
    test_world_destroy_quiet(world, &reports);
}

TestSuite(mechanism_contacts, .init = setup, .fini = teardown);

static tn_shape_id add_box(tn_body_id body, tn_vec3 half_extents, float restitution) {
    tn_shape_def def = tn_shape_def_default();
    def.material.restitution = restitution;
    return tn_box_shape_create(world, body, &def, half_extents);
}

// A lever: a beam from x - 1 to x + 1, hinged at its middle to the world.
static tn_body_id make_lever(double x, double y, float restitution) {
    tn_body_id beam = test_body_create(world, TN_BODY_TYPE_DYNAMIC, x, y, 0.0);
    add_box(beam, (tn_vec3){1.0, 0.05, 0.1}, restitution);
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &def.base, (tn_body_id){0}, beam, (tn_vec3){x, y, 0.0},
                                      (tn_vec3){0.0, 0.0, 1.0}));
    cr_assert(tn_hinge_joint_create(world, &def).value != 0);
    return beam;
}

// Of all mechanisms.
static double step_and_get_gap(void) {
    test_step(world, 1);
    tn_mechanism_info info[8];
    uint32_t count = tn_world_get_mechanisms(world, info, 8);
    cr_assert(count > 0 && count <= 8);
    double gap = 0.0;
    for (uint32_t i = 0; i < count; ++i) {
        cr_assert(info[i].method == TN_MECHANISM_METHOD_DIRECT && info[i].failures == 0);
        gap = fmax(gap, info[i].worst_joint_linear);
    }
    return gap;
}

// A ball on a rod of 1 m that falls from the horizontal onto a wall under its hinge: it hits with
// w = sqrt(2 g / L) and leaves with e w, so that it rises to e^2 of the height.
Test(mechanism_contacts, a_pendulum_bounces_off_a_wall_by_its_restitution) {
    tn_body_id ball = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 1.0, 0.0, 0.0);
    tn_shape_def shape = tn_shape_def_default();
    shape.material.restitution = 0.5f;
    shape.material.friction = 0.0f;
    tn_sphere_shape_create(world, ball, &shape, 0.02f);
    tn_ball_joint_def def = tn_ball_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &def.base, (tn_body_id){0}, ball,
                                      (tn_vec3){0.0, 0.0, 0.0}, (tn_vec3){1.0, 0.0, 0.0}));
    tn_ball_joint_create(world, &def);
    tn_body_id wall = test_body_create(world, TN_BODY_TYPE_STATIC, -0.12, -1.0, 0.0);
    add_box(wall, (tn_vec3){0.1, 0.5, 0.5}, 0.0f);
    double highest = -1.0;
    bool has_hit = false;
    for (int i = 0; i < 120; ++i) {
        cr_assert(step_and_get_gap() < 1e-9);
        double speed = tn_body_get_velocity(world, ball).linear.x;
        has_hit |= speed > 0.1;
        highest = has_hit ? fmax(highest, tn_body_get_pose(world, ball).position.y) : highest;
        if (has_hit && speed < 0.0) {
            break;
        }
    }
    // To 1 % of the speed, 2 % of the height.
    cr_assert(fabs(highest + 0.75) < 0.02 * 0.25, "%g", highest);
}

// A box on a beam that rests on a stop beside its hinge: nothing moves, nothing sinks.
Test(mechanism_contacts, a_loose_box_rests_on_a_lever) {
    tn_body_id beam = make_lever(0.0, 1.0, 0.0f);
    tn_body_id stop = test_body_create(world, TN_BODY_TYPE_STATIC, 0.8, 0.85, 0.0);
    add_box(stop, (tn_vec3){0.1, 0.1, 0.1}, 0.0f);
    tn_body_id box =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.6, 1.15, 0.0, (tn_vec3){0.1, 0.1, 0.1});
    for (int i = 0; i < 300; ++i) {
        cr_assert(step_and_get_gap() < 1e-9);
        if (i > 60) {
            tn_velocity v = tn_body_get_velocity(world, box);
            cr_assert(fabs(v.linear.y) < 1e-3, "step %d: %g m/s", i, v.linear.y);
        }
    }
    cr_assert(fabs(tn_body_get_pose(world, box).position.y - 1.15) < 1e-3);
    cr_assert(fabs(tn_body_get_pose(world, beam).rotation.z) < 1e-3);
    cr_assert(tn_world_get_telemetry(world).deepest_penetration < 1e-3);
}

// A heavy box takes the end of a lever along within the step in which it hits. What the world tells
// as the depth is that at the end of the step: with the lever where it was, 30 mm.
Test(mechanism_contacts, tell_depths_with_both_bodies_where_they_are) {
    make_lever(0.0, 0.0, 0.0f);
    tn_body_id box =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.8, 0.25, 0.0, (tn_vec3){0.1, 0.1, 0.1});
    tn_body_set_velocity(world, box, (tn_velocity){.linear = {0.0, -4.0, 0.0}});
    double depth = 0.0;
    for (int i = 0; i < 10; ++i) {
        cr_assert(step_and_get_gap() < 1e-9);
        depth = fmax(depth, tn_world_get_telemetry(world).deepest_penetration);
    }
    cr_assert(tn_body_get_velocity(world, box).linear.y > -3.9, "no hit");
    cr_assert(depth < 2e-3, "%g", depth);
}

// Two levers, the end of one above that of the other: pushed down, it takes the other along.
Test(mechanism_contacts, two_mechanisms_that_touch_give_way_to_each_other) {
    tn_body_id low = make_lever(0.0, 0.0, 0.0f), high = make_lever(1.8, 0.11, 0.0f);
    // Momentum about the two hinges: the high one turns its left end down.
    tn_body_set_velocity(world, high, (tn_velocity){.angular = {0.0, 0.0, 2.0}});
    for (int i = 0; i < 20; ++i) {
        cr_assert(step_and_get_gap() < 1e-9);
    }
    double of_low = tn_body_get_velocity(world, low).angular.z;
    double of_high = tn_body_get_velocity(world, high).angular.z;
    // The end of the high one, 1 m from its hinge, meets the low one at 0.8 m: with the blow x over
    // their moment of inertia 2 - x and -0.8 x, which without restitution is one speed there.
    double blow = 2.0 / 1.64;
    cr_assert(fabs(of_low + 0.8 * blow) < 0.01 && fabs(of_high - 2.0 + blow) < 0.01, "%g and %g",
              of_low, of_high);
    cr_assert(tn_world_get_telemetry(world).deepest_penetration < 2e-3);
}

// A box falls on a lever, slides down it and lies on the floor: all the work in the ledger adds up
// to the change of kinetic energy, that of the contacts between them too.
Test(mechanism_contacts, the_ledger_adds_up) {
    tn_world_destroy(world);
    tn_world_def def = tn_world_def_default();
    def.solver = TN_SOLVER_DIRECT;
    def.has_energy_ledger = true;
    def.is_sleep_allowed = false;
    world = tn_world_create(&def, NULL);
    test_floor_create(world);
    make_lever(0.0, 0.6, 0.0f);
    tn_body_id box =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.5, 1.2, 0.0, (tn_vec3){0.1, 0.1, 0.1});
    tn_body_set_velocity(world, box, (tn_velocity){.linear = {0.5, 0.0, 0.0}});
    double start = tn_world_get_energy(world).kinetic;
    for (int i = 0; i < 180; ++i) {
        cr_assert(step_and_get_gap() < 1e-6);
        tn_energy e = tn_world_get_energy(world);
        double sum = e.gravity_work + e.motor_work + e.spring_work + e.force_work + e.joint_work +
                     e.friction_work + e.impact_work + e.damping_work;
        cr_assert(fabs(e.kinetic - start - sum) < 1e-3 * fabs(e.gravity_work), "step %d: %g of %g",
                  i, e.kinetic - start - sum, e.gravity_work);
    }
    tn_energy e = tn_world_get_energy(world);
    cr_assert(e.impact_work < -0.5 * e.gravity_work && e.friction_work < 0.0, "%g %g %g",
              e.gravity_work, e.impact_work, e.friction_work);
}

// 10,000 kg at the end of a chain of 1 kg links swing onto a floor: the stages that this makes fail
// are taken by other means, and the joints hold.
Test(mechanism_contacts, a_heavy_blow_on_a_light_chain_leaves_its_joints_closed) {
    tn_body_id floor = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, -3.0, 0.0);
    tn_shape_def shape = tn_shape_def_default();
    tn_half_space_shape_create(world, floor, &shape);
    tn_body_id before = {0};
    shape.density = 0.0f;
    for (int i = 0; i < 10; ++i) {
        tn_body_id link = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.25 + 0.5 * i, 0.0, 0.0);
        tn_mass mass = {.mass = i == 9 ? 1e4 : 1.0};
        mass.inertia.xx = 0.02 * mass.mass;
        mass.inertia.yy = mass.inertia.zz = 0.03 * mass.mass;
        tn_body_set_mass(world, link, mass);
        tn_ball_joint_def def = tn_ball_joint_def_default();
        tn_joint_def_set_frames(world, &def.base, before, link, (tn_vec3){0.5 * i, 0.0, 0.0},
                                (tn_vec3){1.0, 0.0, 0.0});
        tn_ball_joint_create(world, &def);
        tn_sphere_shape_create(world, link, &shape, 0.1f);
        before = link;
    }
    double gap = 0.0, depth = 0.0;
    for (int i = 0; i < 300; ++i) {
        gap = fmax(gap, step_and_get_gap());
        depth = fmax(depth, tn_world_get_telemetry(world).deepest_penetration);
    }
    cr_assert(gap < 1e-6, "%g", gap);
    cr_assert(depth < 0.01, "%g", depth);
}

// Two balls welded side by side roll on a floor: with the rolling resistance c the pair slows down
// by c g r / (k^2 + r^2), k^2 = 2/5 r^2.
Test(mechanism_contacts, rolling_resistance_slows_a_mechanism_down) {
    tn_body_id floor = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
    tn_shape_def shape = tn_shape_def_default();
    shape.material.friction = 1.0f;
    shape.material.rolling_resistance = 0.01f;
    tn_half_space_shape_create(world, floor, &shape);
    tn_body_id balls[2];
    for (int i = 0; i < 2; ++i) {
        balls[i] = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 2.0 * i);
        tn_sphere_shape_create(world, balls[i], &shape, 0.5f);
        tn_body_set_velocity(world, balls[i],
                             (tn_velocity){.linear = {1.0, 0.0, 0.0}, .angular = {0.0, 0.0, -2.0}});
    }
    tn_fixed_joint_def def = tn_fixed_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &def.base, balls[0], balls[1],
                                      (tn_vec3){0.0, 0.5, 1.0}, (tn_vec3){1.0, 0.0, 0.0}));
    cr_assert(tn_fixed_joint_create(world, &def).value != 0);
    for (int i = 0; i < 60; ++i) {
        cr_assert(step_and_get_gap() < 1e-9);
    }
    double expected = 1.0 - 0.01 * 9.81 / (1.4 * 0.5);
    double speed = tn_body_get_velocity(world, balls[0]).linear.x;
    cr_assert(fabs(speed - expected) < 0.005 * (1.0 - expected), "%g of %g", speed, expected);
}

// Two balls welded one above the other fall on a floor while they fly along it at 3 m/s. Returns
// the speed after the first bounce: along the way they go, and beside it.
static tn_vec3 bounce_pair(double angle) {
    tn_body_id floor = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
    tn_shape_def shape = tn_shape_def_default();
    shape.material.friction = 0.2f;
    shape.material.restitution = 0.5f;
    tn_half_space_shape_create(world, floor, &shape);
    tn_body_id balls[2];
    for (int i = 0; i < 2; ++i) {
        balls[i] = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.6 + 0.2 * i, 0.0);
        tn_sphere_shape_create(world, balls[i], &shape, 0.1f);
        tn_velocity v = {.linear = {3.0 * cos(angle), 0.0, 3.0 * sin(angle)}};
        tn_body_set_velocity(world, balls[i], v);
    }
    tn_fixed_joint_def def = tn_fixed_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &def.base, balls[0], balls[1],
                                      (tn_vec3){0.0, 0.7, 0.0}, (tn_vec3){1.0, 0.0, 0.0}));
    cr_assert(tn_fixed_joint_create(world, &def).value != 0);
    tn_vec3 v = {0.0, -1.0, 0.0};
    for (int i = 0; i < 40 && v.y < 0.0; ++i) {
        cr_assert(step_and_get_gap() < 1e-9);
        v = tn_body_get_velocity(world, balls[0]).linear;
    }
    cr_assert(v.y > 0.0);
    tn_vec3 turned = {v.x * cos(angle) + v.z * sin(angle), v.y,
                      v.z * cos(angle) - v.x * sin(angle)};
    return turned;
}

Test(mechanism_contacts, a_bounce_rubs_as_much_in_every_direction) {
    tn_vec3 straight = bounce_pair(0.0);
    teardown();
    setup();
    tn_vec3 askew = bounce_pair(0.25 * M_PI);
    cr_assert(straight.x < 2.5 && fabs(straight.z) < 1e-3);
    cr_assert(fabs(askew.x - straight.x) < 1e-3 && fabs(askew.z) < 1e-3, "%g %g of %g", askew.x,
              askew.z, straight.x);
}

// A rod that hangs at its middle over a floor turns by more than a radian in a step: what it meets
// on its way is not where it points to.
Test(mechanism_contacts, a_rod_that_spins_fast_meets_the_floor_on_its_way) {
    tn_body_id floor = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    tn_half_space_shape_create(world, floor, &def);
    tn_body_id rod = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.15, 0.0);
    tn_box_shape_create(world, rod, &def, (tn_vec3){0.2, 0.01, 0.01});
    tn_ball_joint_def joint = tn_ball_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &joint.base, (tn_body_id){0}, rod,
                                      (tn_vec3){0.0, 0.15, 0.0}, (tn_vec3){1.0, 0.0, 0.0}));
    cr_assert(tn_ball_joint_create(world, &joint).value != 0);
    test_step(world, 1);
    tn_body_set_velocity(world, rod, (tn_velocity){.angular = {0.0, 0.0, 100.0}});
    for (int i = 0; i < 20; ++i) {
        cr_assert(step_and_get_gap() < 1e-9);
        tn_pose pose = tn_body_get_pose(world, rod);
        double depth = test_box_bottom(&pose, (tn_vec3){0.2, 0.01, 0.01});
        cr_assert(depth > -0.002, "%d: %g m deep", i, -depth);
    }
}

// A row of boxes on hinges lies on the ground. Returns how deep the deepest is after 2 s, m.
static double lay_row(double hz, uint32_t substeps) {
    test_floor_create(world);
    tn_body_id boxes[4];
    for (int i = 0; i < 4; ++i) {
        boxes[i] =
            test_box_create(world, TN_BODY_TYPE_DYNAMIC, i, 0.2, 0.0, (tn_vec3){0.4, 0.2, 0.3});
    }
    for (int i = 0; i < 3; ++i) {
        tn_hinge_joint_def def = tn_hinge_joint_def_default();
        cr_assert(tn_joint_def_set_frames(world, &def.base, boxes[i], boxes[i + 1],
                                          (tn_vec3){i + 0.5, 0.2, 0.0}, (tn_vec3){0.0, 1.0, 0.0}));
        cr_assert(tn_hinge_joint_create(world, &def).value != 0);
    }
    for (int i = 0; i < (int)(2.0 * hz); ++i) {
        tn_world_step(world, 1.0 / hz, substeps);
    }
    double deepest = 0.0;
    for (int i = 0; i < 4; ++i) {
        deepest = fmax(deepest, 0.2 - tn_body_get_pose(world, boxes[i]).position.y);
        cr_assert(fabs(tn_body_get_velocity(world, boxes[i]).linear.x) < 1e-6);
    }
    return deepest;
}

// Without the load of the last step the row would fall by g h^2 / 2 in each: 1.36 mm at 60 Hz.
Test(mechanism_contacts, lie_as_deep_with_one_substep_as_with_four) {
    const double rates[] = {30.0, 60.0, 120.0};
    for (int i = 0; i < 6; ++i) {
        double deep = lay_row(rates[i % 3], i < 3 ? 1 : 4);
        cr_assert(deep > 0.0 && deep < 5e-5, "%g Hz x %d: %g m", rates[i % 3], i < 3 ? 1 : 4, deep);
        teardown();
        setup();
    }
}
