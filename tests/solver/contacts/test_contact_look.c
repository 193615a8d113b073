// Contacts of what joints bend off its way: what is passed is not felt, what is met is.
#include "tests/world/joints/swing_test.h"

static test_reports reports;

static const tn_solver solvers[] = {TN_SOLVER_AUTO, TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG};

// A chain of hinged links of 1 m from 1 rad before its lowest point, whose bob swings past a block
// with its top so far below the axis, or past none at 0. Returns the bob's velocity at the end, and
// the farthest that it got from the axis.
typedef struct look_case {
    tn_solver solver;
    int links;
    bool is_capsule; // else a ball
    double speed, hz;
    uint32_t substeps;
} look_case;

static tn_velocity run_swing(const look_case *item, double top, double *farthest) {
    tn_world *world = test_solver_world_create(item->solver, &reports);
    tn_body_id before = {0};
    tn_shape_def shape = tn_shape_def_default();
    for (int i = 0; i < item->links; ++i) {
        double radius = i + 1, spin = item->speed / item->links;
        tn_body_def def = tn_body_def_default();
        def.pose.position = (tn_vec3){-radius * sin(1.0), -radius * cos(1.0), 0.0};
        def.pose.rotation.z = sin(-0.5);
        def.pose.rotation.w = cos(-0.5);
        def.velocity.angular.z = spin;
        def.velocity.linear = (tn_vec3){spin * radius * cos(1.0), -spin * radius * sin(1.0), 0.0};
        tn_body_id body = tn_body_create(world, &def);
        if (item->is_capsule && i + 1 == item->links) {
            tn_capsule_shape_create(world, body, &shape, 0.1f, 0.1f);
        } else {
            tn_sphere_shape_create(world, body, &shape, 0.1f);
        }
        tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
        tn_vec3 anchor = {-i * sin(1.0), -i * cos(1.0), 0.0};
        tn_joint_def_set_frames(world, &hinge.base, before, body, anchor, (tn_vec3){0.0, 0.0, 1.0});
        cr_assert(tn_hinge_joint_create(world, &hinge).value != 0);
        before = body;
    }
    if (top > 0.0) {
        test_box_create(world, TN_BODY_TYPE_STATIC, 0.0, -top - 0.25, 0.0,
                        (tn_vec3){0.15, 0.25, 1.0});
    }
    int steps = (int)((0.4 + 0.3 * item->links) * item->hz);
    for (int i = 0; i < steps; ++i) {
        tn_world_step(world, 1.0 / item->hz, item->substeps);
        tn_vec3 place = tn_body_get_center(world, before);
        *farthest = fmax(*farthest, hypot(place.x, place.y));
    }
    tn_velocity end = tn_body_get_velocity(world, before);
    test_world_destroy_quiet(world, &reports);
    return end;
}

// How much a block changes that ends `clear` below where the bob gets without it.
static double get_change(const look_case *item, double clear) {
    double farthest = item->links, unused = 0.0;
    tn_velocity free_end = run_swing(item, 0.0, &farthest);
    double top = farthest + (item->is_capsule ? 0.2 : 0.1) + clear;
    tn_velocity end = run_swing(item, top, &unused);
    double linear = hypot(end.linear.x - free_end.linear.x, end.linear.y - free_end.linear.y);
    return linear + fabs(end.angular.z - free_end.angular.z);
}

Test(contact_look, what_swings_past_a_block_is_as_if_there_were_none) {
    static const double rates[] = {30.0, 60.0, 240.0}, speeds[] = {5.0, 20.0};
    for (uint32_t i = 0; i < 4 * 2 * 2 * 3 * 2; ++i) {
        look_case item = {.solver = solvers[i % 4],
                          .links = 1 + i / 4 % 2,
                          .is_capsule = i / 8 % 2 == 1,
                          .speed = speeds[i / 48],
                          .hz = rates[i / 16 % 3],
                          .substeps = 4};
        double change = get_change(&item, 0.001);
        cr_assert(change == 0.0, "solver %d, %d links, %g m/s, %g Hz: %g", (int)item.solver,
                  item.links, item.speed, item.hz, change);
    }
}

Test(contact_look, what_swings_into_a_block_is_struck) {
    for (uint32_t i = 0; i < 4 * 2 * 2; ++i) {
        look_case item = {.solver = solvers[i % 4],
                          .links = 1 + i / 4 % 2,
                          .is_capsule = i / 8 == 1,
                          .speed = 10.0,
                          .hz = 60.0,
                          .substeps = 4};
        double change = get_change(&item, -0.02);
        cr_assert(change > 0.5, "solver %d, %d links: %g", (int)item.solver, item.links, change);
    }
}

// Nothing bends the way of a chain at rest, and its contacts push as ever.
Test(contact_look, a_chain_comes_to_lie_on_the_floor) {
    for (uint32_t i = 0; i < 4; ++i) {
        tn_world *world = test_solver_world_create(solvers[i], &reports);
        test_box_create(world, TN_BODY_TYPE_STATIC, 0.0, -1.0, 0.0, (tn_vec3){10.0, 0.5, 10.0});
        tn_body_id before = {0};
        for (int k = 0; k < 5; ++k) {
            tn_body_id link = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.5 * k, 1.0, 0.0);
            tn_shape_def shape = tn_shape_def_default();
            tn_sphere_shape_create(world, link, &shape, 0.1f);
            if (k > 0) {
                tn_ball_joint_def joint = tn_ball_joint_def_default();
                tn_joint_def_set_frames(world, &joint.base, before, link,
                                        (tn_vec3){0.5 * k - 0.25, 1.0, 0.0},
                                        (tn_vec3){0.0, 0.0, 1.0});
                cr_assert(tn_ball_joint_create(world, &joint).value != 0);
            }
            tn_body_set_velocity(world, link, (tn_velocity){.angular = {0.0, 0.0, 2.0 * k}});
            before = link;
        }
        test_step(world, 180);
        double height = tn_body_get_center(world, before).y;
        cr_assert(fabs(height + 0.4) < 0.005, "solver %d: at %g m", (int)solvers[i], height);
        test_world_destroy_quiet(world, &reports);
    }
}

// A blade of 120 rad/s, two radians a step, on a hinge at its end, and a fixed rod across its way.
Test(contact_look, a_blade_on_a_hinge_stops_at_a_rod) {
    for (uint32_t i = 0; i < 4 * 5; ++i) {
        tn_world *world = test_solver_world_create(solvers[i % 4], &reports);
        tn_world_set_gravity(world, (tn_vec3){0.0, 0.0, 0.0});
        double turn = -3.0 + 0.3 * (i / 4), last = turn, turned = turn;
        tn_body_id blade = test_blade_create(world, turn);
        test_box_create(world, TN_BODY_TYPE_STATIC, 0.4, 0.0, 0.0, (tn_vec3){0.01, 0.01, 0.3});
        for (int step = 0; step < 12; ++step) {
            test_step(world, 1);
            tn_vec3 tip = tn_body_get_world_vector(world, blade, (tn_vec3){1.0, 0.0, 0.0});
            double now = atan2(tip.y, tip.x);
            turned += remainder(now - last, 2.0 * 3.14159265358979);
            last = now;
            cr_assert(turned < 0.05, "solver %d, phase %u: at %g rad", (int)solvers[i % 4], i / 4,
                      turned);
        }
        test_world_destroy_quiet(world, &reports);
    }
}
