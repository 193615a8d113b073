// An island in which a body comes to no finite numbers skips the step, and remembers nothing of it.
#include "tests/world/world_test.h"

#define LINKS 4

// A chain that hangs on the world and lies against a wall of boxes; and a ball by itself.
typedef struct lost_world {
    tn_world *world;
    test_reports reports;
    tn_body_id links[LINKS], boxes[2], alone;
    tn_joint_id joints[LINKS];
} lost_world;

static void make(lost_world *made, tn_solver solver) {
    tn_world_def def = tn_world_def_default();
    def.solver = solver;
    def.has_energy_ledger = true;
    tn_world *world = made->world = test_def_world_create(def, &made->reports);
    tn_body_id before = {0};
    for (int i = 0; i < LINKS; ++i) {
        made->links[i] = test_ball_create(world, i + 1.0, 10.0, 0.0, 0.3f);
        tn_screw_joint_def screw = tn_screw_joint_def_default();
        tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
        tn_joint_def *base = i == 1 ? &screw.base : &hinge.base;
        tn_vec3 at = {i + 0.5, 10.0, 0.0};
        cr_assert(tn_joint_def_set_frames(world, base, before, made->links[i], at,
                                          (tn_vec3){0.0, 0.0, 1.0}));
        base->break_force = 1e7f;
        base->break_time = 0.1f;
        hinge.motor.mode = TN_MOTOR_MODE_SPEED;
        hinge.motor.target_speed = 0.5f;
        hinge.motor.max_force = 5.0f;
        made->joints[i] =
            i == 1 ? tn_screw_joint_create(world, &screw) : tn_hinge_joint_create(world, &hinge);
        before = made->links[i];
    }
    for (int i = 0; i < 2; ++i) {
        made->boxes[i] = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 2.0, 8.9 - i, 0.0,
                                         (tn_vec3){2.0, 0.5, 0.5});
    }
    test_box_create(world, TN_BODY_TYPE_STATIC, 2.0, 6.9, 0.0, (tn_vec3){3.0, 0.5, 3.0});
    made->alone = test_ball_create(world, 50.0, 10.0, 0.0, 0.3f);
    test_step(world, 60);
}

static void assert_joint_is_finite(const lost_world *made, int i) {
    const tn_world *world = made->world;
    tn_reaction reaction = tn_joint_get_reaction(world, made->joints[i]);
    tn_joint_error error = tn_joint_get_error(world, made->joints[i]);
    double sum = reaction.force.x + reaction.force.y + reaction.force.z + reaction.torque.x +
                 reaction.torque.y + reaction.torque.z;
    cr_assert(isfinite(sum), "reaction %d", i);
    cr_assert(isfinite(error.linear_length + error.angular_length), "error %d", i);
    cr_assert(isfinite(tn_joint_get_motor_work(world, made->joints[i])), "work %d", i);
    cr_assert(isfinite(tn_joint_get_motor_effort(world, made->joints[i])), "effort %d", i);
}

static void assert_energy_is_finite(const tn_world *world) {
    tn_energy e = tn_world_get_energy(world);
    cr_assert(isfinite(e.kinetic + e.potential + e.elastic), "energy");
    cr_assert(isfinite(e.gravity_work + e.motor_work + e.spring_work + e.force_work + e.joint_work +
                       e.friction_work + e.impact_work + e.damping_work),
              "work");
}

static void assert_mechanisms_are_finite(const tn_world *world) {
    tn_mechanism_info infos[LINKS];
    uint32_t count = tn_world_get_mechanisms(world, infos, LINKS);
    for (uint32_t i = 0; i < count && i < LINKS; ++i) {
        cr_assert(isfinite(infos[i].residual + infos[i].worst_joint_linear +
                           infos[i].worst_joint_angular),
                  "mechanism %u", i);
    }
}

static const tn_solver solvers[] = {TN_SOLVER_AUTO, TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG};

static void throw_out(lost_world *made, tn_body_id body) {
    tn_vec3 far = {3e38, -3e38, 3e38};
    tn_body_apply_force(made->world, body, far);
    tn_body_apply_torque(made->world, body, far);
}

// The links, or the boxes, which lie on each other.
static void assert_is_put_back(lost_world *made, int which) {
    tn_world *world = made->world;
    tn_body_id *island = which < LINKS ? made->links : made->boxes;
    int count = which < LINKS ? LINKS : 2, own = which < LINKS ? which : which - LINKS;
    tn_pose poses[LINKS];
    tn_velocity velocities[LINKS];
    for (int i = 0; i < count; ++i) {
        poses[i] = tn_body_get_pose(world, island[i]);
        velocities[i] = tn_body_get_velocity(world, island[i]);
    }
    double height = tn_body_get_center(world, made->alone).y;
    throw_out(made, island[own]);
    test_step(world, 1);
    cr_assert(made->reports.last == TN_RESULT_BODY_NOT_FINITE, "%d: %s", which,
              made->reports.message);
    cr_assert_not(tn_body_is_enabled(world, island[own]));
    cr_assert(tn_body_get_center(world, made->alone).y < height);
    for (int i = 0; i < count; ++i) {
        tn_pose pose = tn_body_get_pose(world, island[i]);
        tn_velocity velocity = tn_body_get_velocity(world, island[i]);
        cr_assert(memcmp(&pose, &poses[i], sizeof pose) == 0, "%d, pose %d", which, i);
        cr_assert(!tn_body_is_enabled(world, island[i]) ||
                      memcmp(&velocity, &velocities[i], sizeof velocity) == 0,
                  "%d, velocity %d", which, i);
    }
}

// A mechanism that is solved exactly refuses such forces by itself.
Test(step_lost, the_island_is_put_back_and_the_rest_goes_on) {
    for (int which = 0; which < LINKS + 2; ++which) {
        lost_world made;
        make(&made, TN_SOLVER_PGS);
        assert_is_put_back(&made, which);
        tn_world_destroy(made.world);
    }
}

Test(step_lost, no_getter_stays_without_a_number) {
    for (int s = 0; s < 4; ++s) {
        for (int which = 0; which < LINKS + 2; ++which) {
            lost_world made;
            make(&made, solvers[s]);
            throw_out(&made, which < LINKS ? made.links[which] : made.boxes[which - LINKS]);
            for (int k = 0; k < 3; ++k) {
                test_step(made.world, k == 0 ? 1 : 10);
                assert_energy_is_finite(made.world);
                assert_mechanisms_are_finite(made.world);
                for (int i = 0; i < LINKS; ++i) {
                    assert_joint_is_finite(&made, i);
                }
            }
            tn_world_destroy(made.world);
        }
    }
}

// The mean of its load is part of the hash, and decides when it breaks. Numbers that are none reach
// the whole chain under some solvers, but only the link that was thrown is to blame.
Test(step_lost, a_joint_that_may_break_bears_again_what_hangs_on_it) {
    for (int s = 0; s < 4; ++s) {
        lost_world made;
        make(&made, solvers[s]);
        throw_out(&made, made.links[LINKS - 1]);
        test_step(made.world, 60);
        for (int i = 0; i < LINKS - 1; ++i) {
            cr_assert(tn_body_is_enabled(made.world, made.links[i]), "solver %d, link %d", s, i);
            cr_assert(tn_joint_is_valid(made.world, made.joints[i]), "solver %d, joint %d", s, i);
        }
        tn_joint_set_break_force(made.world, made.joints[0], 1.0f, INFINITY);
        test_step(made.world, 60);
        cr_assert_not(tn_joint_is_valid(made.world, made.joints[0]),
                      "solver %d: its load is no number", s);
        tn_world_destroy(made.world);
    }
}
