// Poses that are closed at the start of a step, beside motors.
#include "scenes/scene.h"
#include "tests/joints/joint_world.h"
#include "tests/support/long_test.h"

static tn_body_id bar_make(tn_world *world, double x, double mass, uint32_t locks) {
    tn_body_def def = tn_body_def_default();
    def.pose.position = (tn_vec3){x, 0.0, 0.1};
    def.has_mass = true;
    def.mass.mass = mass;
    def.mass.inertia = (tn_mat3_symmetric){.xx = 0.02 * mass, .yy = 0.3 * mass, .zz = 0.29 * mass};
    def.locks = locks;
    return tn_body_create(world, &def);
}

// Two bars, the first one hung at a point, and a motor between them whose axis is aslant; locks of
// the second bar leave it a small way. Gives the most that a joint opens by.
static double run_locked_pair(tn_solver solver, uint32_t locks, double rate, uint32_t substeps,
                              float cap) {
    tn_world *world = world_make((tn_vec3){0.0, -9.81, 0.0}, NULL);
    tn_world_set_solver(world, solver);
    tn_body_id a = bar_make(world, -0.5, 1.0, 0), b = bar_make(world, 0.5, 2.0, locks);
    tn_ball_joint_def ball = tn_ball_joint_def_default();
    set_frames(world, &ball.base, world_body, a, (tn_vec3){-1.0, 0.0, 0.05},
               (tn_vec3){1.0, 0.0, 0.0});
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    set_frames(world, &def.base, a, b, (tn_vec3){0.0, 0.0, 0.0}, (tn_vec3){0.3, 0.2, 1.0});
    def.limit = (tn_limit){.is_enabled = true, .lower = -0.3f, .upper = 0.3f};
    def.motor = (tn_motor){.mode = TN_MOTOR_MODE_SPEED, .target_speed = 2.0f, .max_force = cap};
    tn_joint_id joints[2] = {tn_ball_joint_create(world, &ball),
                             tn_hinge_joint_create(world, &def)};
    tn_body_set_velocity(world, b, (tn_velocity){{0.5, 0.3, 0.2}, {0.5, 1.0, -0.7}});
    double most = 0.0;
    for (int i = 0; i < (int)rate; ++i) {
        tn_world_step(world, 1.0 / rate, substeps);
        for (int k = 0; k < 2; ++k) {
            double open = tn_joint_get_error(world, joints[k]).linear_length;
            most = open <= most ? most : open;
        }
    }
    tn_world_destroy(world);
    return most;
}

// Gauss-Seidel lets the motor draw the bars a little past all that the joints can reach; then AUTO
// hands them over to the direct solver, which has to close them. They went metres apart.
LONG_TEST(mechanism_close, a_motor_gives_way_where_it_is_past_what_joints_reach) {
    static const struct {
        uint32_t locks;
        double rate;
        uint32_t substeps;
        float cap;
    } cases[] = {
        {TN_BODY_LOCK_LINEAR_X, 60.0, 4, 100.0f},
        {TN_BODY_LOCK_LINEAR_X, 60.0, 4, 0.0f},
        {TN_BODY_LOCK_LINEAR_X | TN_BODY_LOCK_LINEAR_Z, 240.0, 2, 0.0f},
        {TN_BODY_LOCK_LINEAR_X | TN_BODY_LOCK_LINEAR_Z | TN_BODY_LOCK_ANGULAR_X, 60.0, 4, 0.0f},
        {TN_BODY_LOCK_LINEAR_X | TN_BODY_LOCK_ANGULAR_X | TN_BODY_LOCK_ANGULAR_Y, 60.0, 4, 0.0f},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        for (int k = 0; k < 2; ++k) {
            double open =
                run_locked_pair(k == 0 ? TN_SOLVER_AUTO : TN_SOLVER_DIRECT, cases[i].locks,
                                cases[i].rate, cases[i].substeps, cases[i].cap);
            cr_assert(open < 0.03, "case %zu, %d: open by %g m", i, k, open);
        }
    }
}

// The elbow of an arm that Gauss-Seidel moves opens at a blow of 15 J, and AUTO hands the arm over.
// Friction of 0.2 N m was held as if it had no cap while its joints closed, and gave 1.8 J.
Test(mechanism_close, friction_gives_nothing_where_joints_close_after_a_blow) {
    tn_world_def def = tn_world_def_default();
    def.has_energy_ledger = true;
    scene_run *run = scene_run_create(scene_find("arm"), NULL, &def);
    cr_assert_not_null(run);
    double before = 0.0;
    for (int i = 0; i < 120; ++i) {
        cr_assert(scene_run_step(run, 1.0 / 60.0, 4) == TN_RESULT_OK);
        double work = tn_world_get_energy(run->world).friction_work;
        cr_assert(work <= before + 1e-3, "step %d: friction gave %g J", i, work - before);
        before = work;
    }
    cr_assert(before < -0.5, "friction took %g J", -before);
    scene_run_destroy(run);
}
