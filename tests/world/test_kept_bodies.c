// What a step keeps of a net's bodies for the next one never shows: a world that keeps it moves to
// the bit as one in which something that changes nothing is set before every step, whatever else is
// changed in between.
#include "world_test.h"

// Enough for strips.
#define SIDE  32
#define STEPS 90

typedef struct net {
    tn_world *world;
    test_reports reports;
    tn_body_id balls[SIDE][SIDE];
} net;

static void net_tie(const net *n, tn_body_id a, tn_body_id b, double x, double y) {
    tn_ball_joint_def def = tn_ball_joint_def_default();
    tn_position at = {x, y, 0.0};
    cr_assert(tn_joint_def_set_frames(n->world, &def.base, a, b, at, (tn_dvec3){1.0, 0.0, 0.0}));
    tn_ball_joint_create(n->world, &def);
}

// Hung by its upper corners, under a tension that stiffens some of its balls.
static void net_create(net *n, uint32_t workers) {
    memset(n, 0, sizeof *n);
    tn_world_def def = tn_world_def_default();
    tn_shape_def shape = tn_shape_def_default();
    def.solver = TN_SOLVER_PGS;
    def.enable_sleep = false;
    def.worker_count = workers;
    def.gravity = (tn_vec3){0.0f, -9.0f, 2.0f};
    shape.filter.group = -1;
    n->world = test_def_world_create(def, &n->reports);
    for (int i = 0; i < SIDE; ++i) {
        for (int k = 0; k < SIDE; ++k) {
            double x = 0.5 * k, y = -0.5 * i;
            bool is_fixed = i == 0 && (k == 0 || k == SIDE - 1);
            tn_body_type type = is_fixed ? TN_BODY_TYPE_STATIC : TN_BODY_TYPE_DYNAMIC;
            n->balls[i][k] = test_body_create(n->world, type, x, y, 0.0);
            tn_sphere_shape_create(n->world, n->balls[i][k], &shape, 0.2f);
            if (i > 0) {
                net_tie(n, n->balls[i - 1][k], n->balls[i][k], x, y + 0.25);
            }
            if (k > 0) {
                net_tie(n, n->balls[i][k - 1], n->balls[i][k], x - 0.25, y);
            }
        }
    }
}

static void net_set_nothing(const net *n) {
    tn_world_set_gravity(n->world, tn_world_get_gravity(n->world));
}

// A ball of its own that falls through the net, or onto it.
static void net_drop(const net *n, bool hits) {
    tn_shape_def shape = tn_shape_def_default();
    tn_body_id loose = test_body_create(n->world, TN_BODY_TYPE_DYNAMIC, 8.0, -3.0, -1.0);
    shape.filter.group = hits ? 0 : -1;
    tn_sphere_shape_create(n->world, loose, &shape, 0.3f);
    tn_body_set_velocity(n->world, loose,
                         (tn_velocity){.linear = {0.0, 0.0, 4.0}, .angular = {0.0, 1.0, 0.0}});
}

static void net_change(net *n, int step) {
    tn_body_id ball = n->balls[20][7];
    switch (step) {
    case 8:
        tn_body_apply_force(n->world, ball, (tn_vec3){900.0f, 200.0f, 0.0f});
        break;
    case 14:
        tn_body_apply_torque(n->world, ball, (tn_vec3){0.0f, 20.0f, 30.0f});
        break;
    case 20:
        tn_body_set_velocity(n->world, ball,
                             (tn_velocity){.linear = {1.0, 0.0, 2.0}, .angular = {3.0, 0.0, 0.0}});
        break;
    case 26:
        tn_world_set_gravity(n->world, (tn_vec3){1.0f, -8.0f, 0.0f});
        break;
    case 32:
        tn_body_set_damping(n->world, ball, 0.5f, 0.2f);
        break;
    case 38:
        tn_body_set_damping(n->world, ball, 0.0f, 0.0f);
        break;
    case 44:
        tn_body_set_pose(n->world, n->balls[0][0],
                         (tn_pose){{0.02, 0.01, 0.0}, {0.0, 0.0, 0.0, 1.0}});
        break;
    case 50:
        net_drop(n, false);
        break;
    case 56:
        net_drop(n, true);
        break;
    case 80:
        tn_body_set_enabled(n->world, n->balls[SIDE - 1][3], false);
        break;
    default:
        break;
    }
}

Test(kept_bodies, what_is_kept_never_shows, .timeout = 60) {
    net kept, fresh;
    net_create(&kept, 1);
    net_create(&fresh, 2);
    for (int step = 0; step < STEPS; ++step) {
        net_change(&kept, step);
        net_change(&fresh, step);
        net_set_nothing(&fresh);
        tn_world_step(kept.world, 1.0 / 60.0, 4);
        tn_world_step(fresh.world, 1.0 / 60.0, 4);
        cr_assert(tn_world_get_hash(kept.world) == tn_world_get_hash(fresh.world), "step %d", step);
        tn_telemetry t = tn_world_get_telemetry(kept.world);
        tn_telemetry u = tn_world_get_telemetry(fresh.world);
        cr_assert(t.islands == u.islands && t.awake_bodies == u.awake_bodies);
    }
    test_world_destroy_quiet(kept.world, &kept.reports);
    test_world_destroy_quiet(fresh.world, &fresh.reports);
}

// A step of another length, and one that cannot be made, leave nothing behind.
Test(kept_bodies, steps_of_any_length_follow_each_other, .timeout = 60) {
    net kept, fresh;
    net_create(&kept, 2);
    net_create(&fresh, 1);
    for (int step = 0; step < 30; ++step) {
        double dt = step == 12 || step > 20 ? 1.0 / 90.0 : 1.0 / 60.0;
        uint32_t substeps = step == 16 ? 8 : 4;
        net_set_nothing(&fresh);
        tn_world_step(kept.world, dt * substeps / 4, substeps);
        tn_world_step(fresh.world, dt * substeps / 4, substeps);
        cr_assert(tn_world_get_hash(kept.world) == tn_world_get_hash(fresh.world), "step %d", step);
    }
    test_world_destroy_quiet(kept.world, &kept.reports);
    test_world_destroy_quiet(fresh.world, &fresh.reports);
}
