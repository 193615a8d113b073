// What a step keeps of exact mechanisms for the next one never shows: a world that keeps it moves
// to the bit, and tells the same, as one that must find it out anew before every step, whatever is
// changed in between.
#include "tests/world/world_test.h"

#define STEPS      260
#define MECHANISMS 4 // more than there are

// A driven crank with a rod and a piston; beside it an arm that swings on a hinge, with a weight
// hinged to it and a ball on a rope.
typedef struct machine {
    tn_world *world;
    test_reports reports;
    tn_body_id crank, rod, piston, arm, weight, ball, loose;
    tn_joint_id motor, slide, pivot, rope;
} machine;

static tn_joint_id machine_hinge(const machine *m, tn_body_id a, tn_body_id b, double x, double y,
                                 float speed) {
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    cr_assert(tn_joint_def_set_frames(m->world, &def.base, a, b, (tn_vec3){x, y, 0.0},
                                      (tn_vec3){0.0, 0.0, 1.0}));
    if (speed > 0.0f) {
        def.motor =
            (tn_motor){.mode = TN_MOTOR_MODE_SPEED, .target_speed = speed, .max_force = 500.0f};
    }
    return tn_hinge_joint_create(m->world, &def);
}

static void machine_add_crank(machine *m) {
    tn_body_id world = {0};
    m->crank = test_rod_create(m->world, 0.25, 0.0, 3.0, 0.5);
    m->rod = test_rod_create(m->world, 1.25, 0.0, 1.0, 1.5);
    m->piston = test_rod_create(m->world, 2.0, 0.0, 2.0, 0.3);
    m->motor = machine_hinge(m, world, m->crank, 0.0, 0.0, 12.0f);
    machine_hinge(m, m->crank, m->rod, 0.5, 0.0, 0.0f);
    machine_hinge(m, m->rod, m->piston, 2.0, 0.0, 0.0f);
    tn_slider_joint_def slide = tn_slider_joint_def_default();
    cr_assert(tn_joint_def_set_frames(m->world, &slide.base, world, m->piston,
                                      (tn_vec3){2.0, 0.0, 0.0}, (tn_vec3){1.0, 0.0, 0.0}));
    m->slide = tn_slider_joint_create(m->world, &slide);
}

static void machine_add_arm(machine *m) {
    tn_body_id world = {0};
    m->arm = test_rod_create(m->world, 9.5, 0.0, 4.0, 2.0);
    m->weight = test_rod_create(m->world, 8.5, -0.5, 60.0, 0.6);
    m->ball = test_rod_create(m->world, 10.5, -1.5, 0.2, 0.2);
    m->pivot = machine_hinge(m, world, m->arm, 9.0, 0.0, 0.0f);
    machine_hinge(m, m->arm, m->weight, 8.5, 0.0, 0.0f);
    tn_distance_joint_def rope = tn_distance_joint_def_default();
    rope.base.body_a = m->arm;
    rope.base.body_b = m->ball;
    rope.base.frame_a.position = (tn_vec3){1.0, 0.0, 0.0};
    rope.is_rigid = false;
    rope.limit = (tn_limit){.is_enabled = true, .lower = 0.0f, .upper = 1.5f};
    m->rope = tn_distance_joint_create(m->world, &rope);
}

static void machine_create(machine *m, tn_solver solver) {
    memset(m, 0, sizeof *m);
    tn_world_def def = tn_world_def_default();
    def.solver = solver;
    def.is_sleep_allowed = false;
    m->world = test_def_world_create(def, &m->reports);
    machine_add_crank(m);
    machine_add_arm(m);
}

// Falls onto the weight, rolls off it and is gone.
static void machine_drop(machine *m) {
    tn_shape_def shape = tn_shape_def_default();
    tn_vec3 at = tn_body_get_pose(m->world, m->weight).position;
    tn_box_shape_create(m->world, m->weight, &shape, (tn_vec3){0.3, 0.3, 0.3});
    m->loose = test_body_create(m->world, TN_BODY_TYPE_DYNAMIC, at.x + 0.1, at.y + 1.0, 0.05);
    tn_sphere_shape_create(m->world, m->loose, &shape, 0.2f);
}

static void machine_change(machine *m, int step) {
    tn_pose pose;
    switch (step) {
    case 20:
        tn_body_apply_force(m->world, m->rod, (tn_vec3){90.0, 20.0, 0.0});
        break;
    case 30:
        tn_body_set_damping(m->world, m->arm, 0.5f, 0.2f);
        break;
    case 40:
        tn_hinge_joint_set_friction(m->world, m->pivot, 1.0f);
        break;
    case 50:
        tn_body_set_mass(m->world, m->rod,
                         (tn_mass){.mass = 9.0, .inertia = {.xx = 0.2, .yy = 0.9, .zz = 0.9}});
        break;
    case 60:
        tn_body_set_locks(m->world, m->ball, TN_BODY_LOCK_LINEAR_Z);
        break;
    case 70:
        tn_world_set_gravity(m->world, (tn_vec3){0.5, -8.0, 0.0});
        break;
    case 80:
        machine_drop(m);
        break;
    case 150: // far from its joint, which Gauss-Seidel brings together
        pose = tn_body_get_pose(m->world, m->ball);
        pose.position.x += 2.0;
        tn_body_set_pose(m->world, m->ball, pose);
        break;
    case 190:
        tn_world_set_solver(m->world, TN_SOLVER_PGS);
        break;
    case 200:
        tn_world_set_solver(m->world, TN_SOLVER_DIRECT);
        break;
    case 210:
        tn_slider_joint_set_limit(m->world, m->slide,
                                  (tn_limit){.is_enabled = true, .lower = -0.9f, .upper = 0.9f});
        break;
    case 220:
        tn_joint_destroy(m->world, m->rope);
        break;
    case 235:
        tn_world_set_integrator(m->world, TN_INTEGRATOR_RATTLE);
        break;
    case 245:
        tn_world_set_integrator(m->world, TN_INTEGRATOR_AUTO);
        break;
    default:
        break;
    }
}

static void machine_tell_apart(const machine *kept, const machine *fresh, int step) {
    tn_telemetry t = tn_world_get_telemetry(kept->world);
    tn_telemetry u = tn_world_get_telemetry(fresh->world);
    tn_mechanism_info a[MECHANISMS], b[MECHANISMS];
    uint32_t count = tn_world_get_mechanisms(kept->world, a, MECHANISMS);
    cr_assert(tn_world_get_hash(kept->world) == tn_world_get_hash(fresh->world), "step %d", step);
    cr_assert(t.islands == u.islands && t.joints == u.joints && t.rows == u.rows);
    cr_assert(t.worst_joint_linear == u.worst_joint_linear);
    cr_assert(count == tn_world_get_mechanisms(fresh->world, b, MECHANISMS));
    for (uint32_t i = 0; i < count && i < MECHANISMS; ++i) {
        cr_assert(a[i].method == b[i].method && a[i].reason == b[i].reason, "step %d", step);
        cr_assert(a[i].bodies == b[i].bodies && a[i].rows == b[i].rows);
        cr_assert(a[i].iterations == b[i].iterations && a[i].fill == b[i].fill);
        cr_assert(a[i].dependent_rows == b[i].dependent_rows);
    }
    tn_reaction p = tn_joint_get_reaction(kept->world, kept->motor);
    tn_reaction q = tn_joint_get_reaction(fresh->world, fresh->motor);
    cr_assert(p.force.x == q.force.x && p.force.y == q.force.y && p.torque.z == q.torque.z);
}

static void machine_compare(tn_solver solver) {
    machine kept, fresh;
    machine_create(&kept, solver);
    machine_create(&fresh, solver);
    for (int step = 0; step < STEPS; ++step) {
        machine_change(&kept, step);
        machine_change(&fresh, step);
        tn_slider_joint_set_friction(fresh.world, fresh.slide, 0.0f); // a change that is none
        double dt = step >= 100 && step < 110 ? 1.0 / 75.0 : 1.0 / 60.0;
        tn_world_step(kept.world, dt, 4);
        tn_world_step(fresh.world, dt, 4);
        machine_tell_apart(&kept, &fresh, step);
    }
    test_world_destroy_quiet(kept.world, &kept.reports);
    test_world_destroy_quiet(fresh.world, &fresh.reports);
}

Test(kept_mechanisms, what_is_kept_never_shows_where_all_is_asked_for) {
    machine_compare(TN_SOLVER_DIRECT);
}

Test(kept_mechanisms, what_is_kept_never_shows_where_it_was_chosen) {
    machine_compare(TN_SOLVER_AUTO);
}

// Bodies that are put back move the same way again: nothing that is kept stands for where they
// were.
Test(kept_mechanisms, bodies_that_are_put_back_go_the_same_way_again) {
    machine m;
    machine_create(&m, TN_SOLVER_AUTO);
    const tn_body_id bodies[3] = {m.crank, m.rod, m.piston};
    tn_pose poses[3];
    tn_velocity velocities[3];
    double ends[2];
    for (int i = 0; i < 20; ++i) {
        tn_world_step(m.world, 1.0 / 60.0, 4);
    }
    for (int i = 0; i < 3; ++i) {
        poses[i] = tn_body_get_pose(m.world, bodies[i]);
        velocities[i] = tn_body_get_velocity(m.world, bodies[i]);
    }
    for (int turn = 0; turn < 2; ++turn) {
        for (int i = 0; i < 3; ++i) {
            tn_body_set_pose(m.world, bodies[i], poses[i]);
            tn_body_set_velocity(m.world, bodies[i], velocities[i]);
        }
        tn_world_step(m.world, 1.0 / 60.0, 4);
        ends[turn] = tn_body_get_pose(m.world, m.piston).position.x;
        cr_assert(fabs(ends[turn] - poses[2].position.x) > 1e-3);
    }
    cr_assert(fabs(ends[0] - ends[1]) < 1e-9, "%g", ends[0] - ends[1]);
    test_world_destroy_quiet(m.world, &m.reports);
}
