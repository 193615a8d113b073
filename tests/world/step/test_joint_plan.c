// What a step keeps about joints for the next one never shows: a world that keeps it moves to the
// bit as one that must find it out anew before every step, whatever is changed in between.
#include "tests/world/world_test.h"

#define SIDE   14 // of a net of balls, whose top row hangs on a static beam
#define JOINTS (2 * SIDE * SIDE)

typedef struct net {
    tn_world *world;
    test_reports reports;
    tn_body_id beam, balls[SIDE][SIDE];
    tn_joint_id joints[JOINTS];
    uint32_t joint_count;
    double dt;
} net;

// Most joints are bare; some have bounded rows, so that lanes of either kind and blocks of their
// own are there.
static void net_tie(net *n, tn_body_id a, tn_body_id b, double x, double y) {
    tn_ball_joint_def def = tn_ball_joint_def_default();
    tn_vec3 at = {x, y, 0.0};
    def.friction = n->joint_count % 23 == 7 ? 0.01f : 0.0f;
    def.base.hertz = n->joint_count % 31 == 3 ? 20.0f : 0.0f;
    cr_assert(tn_joint_def_set_frames(n->world, &def.base, a, b, at, (tn_vec3){1.0, 0.0, 0.0}));
    n->joints[n->joint_count++] = tn_ball_joint_create(n->world, &def);
}

static void net_create(net *n) {
    memset(n, 0, sizeof *n);
    tn_world_def def = tn_world_def_default();
    def.solver = TN_SOLVER_PGS;
    def.is_sleep_allowed = false;
    def.gravity = (tn_vec3){0.0, -9.0, 3.0};
    n->world = test_def_world_create(def, &n->reports);
    n->dt = 1.0 / 60.0;
    n->beam = test_body_create(n->world, TN_BODY_TYPE_STATIC, 0.0, 0.25, 0.0);
    tn_shape_def shape = tn_shape_def_default();
    for (int i = 0; i < SIDE; ++i) {
        for (int k = 0; k < SIDE; ++k) {
            double x = 0.5 * k, y = -0.5 * i;
            n->balls[i][k] = test_body_create(n->world, TN_BODY_TYPE_DYNAMIC, x, y, 0.0);
            tn_sphere_shape_create(n->world, n->balls[i][k], &shape, 0.2f);
            net_tie(n, i > 0 ? n->balls[i - 1][k] : n->beam, n->balls[i][k], x, y + 0.25);
            if (k > 0) {
                net_tie(n, n->balls[i][k - 1], n->balls[i][k], x - 0.25, y);
            }
        }
    }
}

// A change that changes nothing.
static void net_forget(net *n) {
    tn_joint_id joint = n->joints[n->joint_count - 1];
    tn_ball_joint_set_friction(n->world, joint, 0.0f);
}

static void net_change(net *n, int step) {
    tn_bias bias = tn_world_get_joint_bias(n->world);
    tn_shape_def shape = tn_shape_def_default();
    tn_body_id loose;
    switch (step) {
    case 5:
        tn_joint_destroy(n->world, n->joints[40]);
        break;
    case 10:
        tn_body_set_mass(n->world, n->balls[7][7],
                         (tn_mass){.mass = 9.0, .inertia = {.xx = 0.2, .yy = 0.2, .zz = 0.2}});
        break;
    case 15:
        n->dt = 1.0 / 75.0;
        break;
    case 20:
        loose = test_body_create(n->world, TN_BODY_TYPE_DYNAMIC, 3.0, 4.0, 0.0);
        tn_sphere_shape_create(n->world, loose, &shape, 0.3f);
        break;
    case 25:
        tn_body_set_type(n->world, n->balls[SIDE - 1][0], TN_BODY_TYPE_STATIC);
        break;
    case 30:
        tn_body_set_pose(n->world, n->beam, (tn_pose){{0.01, 0.25, 0.0}, {0.0, 0.0, 0.0, 1.0}});
        break;
    case 35:
        bias.hertz *= 0.5f;
        tn_world_set_joint_bias(n->world, bias);
        break;
    case 40:
        tn_body_set_enabled(n->world, n->balls[9][3], false);
        break;
    case 45:
        tn_world_set_solver(n->world, TN_SOLVER_CG);
        break;
    case 50:
        tn_world_set_solver(n->world, TN_SOLVER_PGS);
        break;
    case 55:
        tn_body_set_enabled(n->world, n->balls[9][3], true);
        break;
    case 60:
        tn_ball_joint_set_cone_limit(n->world, n->joints[100],
                                     (tn_limit){.is_enabled = true, .upper = 0.3f});
        break;
    default:
        break;
    }
}

static void net_compare(const net *kept, const net *fresh, int step) {
    cr_assert(tn_world_get_hash(kept->world) == tn_world_get_hash(fresh->world), "step %d", step);
    for (uint32_t i = 0; i < kept->joint_count; ++i) {
        if (!tn_joint_is_valid(kept->world, kept->joints[i])) {
            continue;
        }
        tn_reaction p = tn_joint_get_reaction(kept->world, kept->joints[i]);
        tn_reaction q = tn_joint_get_reaction(fresh->world, fresh->joints[i]);
        cr_assert(memcmp(&p, &q, sizeof p) == 0, "step %d, joint %u", step, i);
    }
    tn_telemetry t = tn_world_get_telemetry(kept->world), u = tn_world_get_telemetry(fresh->world);
    cr_assert(t.worst_joint_linear == u.worst_joint_linear && t.islands == u.islands);
    cr_assert(t.worst_linear_joint.value == u.worst_linear_joint.value);
}

Test(joint_plan, what_is_kept_never_shows, .timeout = 60) {
    net kept, fresh;
    net_create(&kept);
    net_create(&fresh);
    for (int step = 0; step < 70; ++step) {
        net_change(&kept, step);
        net_change(&fresh, step);
        net_forget(&fresh);
        tn_world_step(kept.world, kept.dt, 4);
        tn_world_step(fresh.world, fresh.dt, 4);
        net_compare(&kept, &fresh, step);
    }
    test_world_destroy_quiet(kept.world, &kept.reports);
    test_world_destroy_quiet(fresh.world, &fresh.reports);
}

// Bodies that fall asleep and wake change who is where; a net that hangs still sleeps as it did.
Test(joint_plan, what_sleeps_and_wakes_is_found_again, .timeout = 60) {
    net kept, fresh;
    net_create(&kept);
    net_create(&fresh);
    for (int i = 0; i < 2; ++i) {
        net *n = i == 0 ? &kept : &fresh;
        tn_world_set_sleep_allowed(n->world, true);
        tn_world_set_gravity(n->world, (tn_vec3){0.0, -1.0, 0.0});
    }
    bool has_slept = false;
    for (int step = 0; step < 200; ++step) {
        if (step == 150) {
            tn_body_set_awake(kept.world, kept.balls[3][3], true);
            tn_body_set_awake(fresh.world, fresh.balls[3][3], true);
        }
        bool sleeps = tn_world_get_telemetry(kept.world).awake_bodies == 0;
        has_slept = has_slept || sleeps;
        if (step % 7 == 0 && !sleeps) {
            tn_body_id probe = test_body_create(fresh.world, TN_BODY_TYPE_STATIC, 50.0, 0.0, 0.0);
            tn_body_set_type(fresh.world, probe, TN_BODY_TYPE_KINEMATIC);
            tn_body_destroy(fresh.world, probe);
        }
        tn_world_step(kept.world, kept.dt, 4);
        tn_world_step(fresh.world, fresh.dt, 4);
        for (int k = 0; k < SIDE; ++k) {
            tn_pose p = tn_body_get_pose(kept.world, kept.balls[SIDE - 1][k]);
            tn_pose q = tn_body_get_pose(fresh.world, fresh.balls[SIDE - 1][k]);
            cr_assert(memcmp(&p, &q, sizeof p) == 0, "step %d", step);
        }
    }
    cr_assert(has_slept);
    tn_world_destroy(kept.world);
    tn_world_destroy(fresh.world);
}
