// Nets of particles that something heavy lies in are not left to sweeps.
#include "tests/world/world_test.h"

#define SIDE 10

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_solver_world_create(TN_SOLVER_AUTO, &reports);
}

static void teardown(void) {
    test_world_destroy_quiet(world, &reports);
}

TestSuite(mechanism_press, .init = setup, .fini = teardown);

typedef struct net {
    bool is_rope;
    double slack; // length of a thread over the way between knots
    bool is_held; // by its border
    double height;
} net;

static tn_body_id make_knot(const net *made, int row, int column) {
    tn_body_def def = tn_body_def_default();
    bool is_border = row % (SIDE - 1) == 0 || column % (SIDE - 1) == 0;
    def.is_particle = true;
    def.type = made->is_held && is_border ? TN_BODY_TYPE_STATIC : TN_BODY_TYPE_DYNAMIC;
    def.pose.position = (tn_vec3){0.1 * row, made->height, 0.1 * column};
    def.has_mass = true;
    def.mass.mass = 0.005;
    tn_body_id knot = tn_body_create(world, &def);
    tn_shape_def shape = tn_shape_def_default();
    shape.filter.group = -1;
    tn_sphere_shape_create(world, knot, &shape, 0.02f);
    return knot;
}

static void tie(const net *made, tn_body_id a, tn_body_id b) {
    tn_distance_joint_def def = tn_distance_joint_def_default();
    def.base.body_a = a;
    def.base.body_b = b;
    def.length = 0.1f;
    if (made->is_rope) {
        def.is_rigid = false;
        def.limit.is_enabled = true;
        def.limit.upper = (float)(0.1 * made->slack);
    }
    cr_assert(tn_distance_joint_create(world, &def).value != 0);
}

static void make_net(const net *made) {
    tn_body_id knots[SIDE][SIDE];
    for (int i = 0; i < SIDE; i++) {
        for (int k = 0; k < SIDE; k++) {
            bool ties_row = !made->is_held || k % (SIDE - 1) != 0;
            bool ties_column = !made->is_held || i % (SIDE - 1) != 0;
            knots[i][k] = make_knot(made, i, k);
            if (i > 0 && ties_row) {
                tie(made, knots[i - 1][k], knots[i][k]);
            }
            if (k > 0 && ties_column) {
                tie(made, knots[i][k - 1], knots[i][k]);
            }
        }
    }
}

static tn_body_id make_ball(double height, double mass) {
    tn_body_def def = tn_body_def_default();
    def.pose.position = (tn_vec3){0.5, height, 0.5};
    tn_body_id ball = tn_body_create(world, &def);
    tn_shape_def shape = tn_shape_def_default();
    shape.density = (float)(mass / (4.0 / 3.0 * 3.14159265 * 0.008));
    tn_sphere_shape_create(world, ball, &shape, 0.2f);
    return ball;
}

static double get_lowest(tn_body_id body, int steps, double hertz) {
    double lowest = 1e9;
    for (int i = 0; i < steps; i++) {
        tn_world_step(world, 1.0 / hertz, 4);
        lowest = fmin(lowest, tn_body_get_center(world, body).y);
    }
    return lowest;
}

static tn_mechanism_info get_net(void) {
    tn_mechanism_info info = {0};
    cr_assert(tn_world_get_mechanisms(world, &info, 1) == 1);
    return info;
}

// The lowest place of the ball at 240 Hz and more: 0.010 m. Swept: -0.086 m at 60 Hz.
Test(mechanism_press, a_net_of_ropes_holds_a_ball_of_200_knots) {
    make_net(&(net){.is_rope = true, .slack = 1.1, .is_held = true});
    double lowest = get_lowest(make_ball(0.25, 1.0), 40, 60.0);
    cr_assert(fabs(lowest - 0.010) < 0.04, "%g", lowest);
    cr_assert(get_net().method == TN_MECHANISM_METHOD_CG);
    cr_assert(get_net().reason == TN_MECHANISM_REASON_MASSES);
    cr_assert(get_net().failures == 0);
}

// 0.174 m; swept 0.011 m.
Test(mechanism_press, a_net_of_rods_holds_a_ball_of_200_knots) {
    make_net(&(net){.is_held = true});
    double lowest = get_lowest(make_ball(0.25, 1.0), 30, 60.0);
    cr_assert(fabs(lowest - 0.174) < 0.04, "%g", lowest);
}

Test(mechanism_press, a_net_is_swept_until_and_after_something_lies_in_it) {
    make_net(&(net){.is_rope = true, .slack = 1.1, .is_held = true});
    tn_body_id ball = make_ball(0.35, 1.0);
    get_lowest(ball, 5, 60.0);
    cr_assert(get_net().method == TN_MECHANISM_METHOD_PGS);
    get_lowest(ball, 40, 60.0);
    cr_assert(get_net().method == TN_MECHANISM_METHOD_CG);
    tn_body_destroy(world, ball);
    get_lowest(make_ball(1e4, 1.0), 65, 60.0);
    cr_assert(get_net().method == TN_MECHANISM_METHOD_PGS);
}

Test(mechanism_press, a_net_that_lies_on_something_heavy_stays_swept) {
    test_box_create(world, TN_BODY_TYPE_STATIC, 0.5, -1.2, 0.5, (tn_vec3){2.0, 1.0, 2.0});
    tn_body_id ball = make_ball(0.0, 10.0);
    make_net(&(net){.is_rope = true, .slack = 1.0, .height = 0.23});
    for (int i = 0; i < 40; i++) {
        get_lowest(ball, 1, 60.0);
        cr_assert(get_net().method == TN_MECHANISM_METHOD_PGS, "step %d: %d for %d", i,
                  get_net().method, get_net().reason);
    }
}

Test(mechanism_press, a_light_ball_leaves_a_net_swept) {
    make_net(&(net){.is_rope = true, .slack = 1.1, .is_held = true});
    get_lowest(make_ball(0.25, 0.03), 40, 60.0);
    cr_assert(get_net().method == TN_MECHANISM_METHOD_PGS);
}
