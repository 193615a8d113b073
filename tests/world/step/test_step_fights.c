// Joints that cannot all be closed say so, whoever solves them; those that bear a load do not.
#include <criterion/criterion.h>
#include <math.h>
#include <tenon/tenon.h>

static const tn_solver solvers[] = {TN_SOLVER_AUTO, TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG};

static tn_world *make_world(tn_solver solver) {
    tn_world_def def = tn_world_def_default();
    tn_world *world = tn_world_create(&def, NULL);
    tn_world_set_solver(world, solver);
    return world;
}

static tn_body_id make_box(tn_world *world, double x, double y, float density) {
    tn_body_def def = tn_body_def_default();
    def.type = TN_BODY_TYPE_DYNAMIC;
    def.pose.position.x = x;
    def.pose.position.y = y;
    tn_body_id body = tn_body_create(world, &def);
    tn_shape_def shape = tn_shape_def_default();
    shape.density = density;
    tn_box_shape_create(world, body, &shape, (tn_vec3){0.2, 0.1, 0.15});
    return body;
}

// One of six kinds, with frame a moved by `shift` or turned.
static tn_joint_id make_joint(tn_world *world, int kind, tn_body_id body, double shift,
                              double turn) {
    tn_joint_def base = tn_joint_def_default();
    base.body_b = body;
    base.frame_a.position = (tn_vec3){0.6 * shift, 0.8 * shift, 0.0};
    base.frame_a.rotation.z = sin(0.5 * turn);
    base.frame_a.rotation.w = cos(0.5 * turn);
    tn_ball_joint_def ball = tn_ball_joint_def_default();
    tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
    tn_slider_joint_def slider = tn_slider_joint_def_default();
    tn_fixed_joint_def fixed = tn_fixed_joint_def_default();
    tn_universal_joint_def universal = tn_universal_joint_def_default();
    tn_six_axis_joint_def six = tn_six_axis_joint_def_default();
    ball.base = hinge.base = slider.base = fixed.base = universal.base = six.base = base;
    return kind == 0   ? tn_ball_joint_create(world, &ball)
           : kind == 1 ? tn_hinge_joint_create(world, &hinge)
           : kind == 2 ? tn_slider_joint_create(world, &slider)
           : kind == 3 ? tn_fixed_joint_create(world, &fixed)
           : kind == 4 ? tn_universal_joint_create(world, &universal)
                       : tn_six_axis_joint_create(world, &six);
}

Test(step_fights, joints_that_contradict_each_other_say_so) {
    static const double shifts[] = {0.01, 0.1, 1.0, 0.0};
    for (int i = 0; i < 4 * 4 * 5; ++i) {
        int kind = i / 16;
        double shift = shifts[i / 4 % 4], turn = shift > 0.0 ? 0.0 : 0.5;
        bool may_turn = turn > 0.0 && (kind == 0 || kind == 4); // such joints can all be closed
        bool trembles = solvers[i % 4] == TN_SOLVER_CG && shift == 0.01; // and does not stand
        if (may_turn || trembles) {
            continue;
        }
        tn_world *world = make_world(solvers[i % 4]);
        tn_body_id body = make_box(world, 0.0, 0.0, 1000.0f);
        tn_joint_id first = make_joint(world, kind, body, 0.0, 0.0);
        tn_joint_id second = make_joint(world, kind, body, shift, turn);
        for (int k = 0; k < 90; ++k) {
            tn_world_step(world, 1.0 / 60.0, 4);
        }
        tn_joint_redundancy of_first = tn_joint_get_redundancy(world, first);
        tn_joint_redundancy of_second = tn_joint_get_redundancy(world, second);
        double left = fmax(fmax(of_first.linear, of_second.linear),
                           fmax(of_first.angular, of_second.angular));
        cr_expect((of_first.fights || of_second.fights) && left > 0.3 * fmax(0.8 * shift, turn),
                  "solver %d, kind %d, %g m, %g rad: left open by %g", (int)solvers[i % 4], kind,
                  shift, turn, left);
        tn_world_destroy(world);
    }
}

// The errors balance whichever two joints contradict each other, also where conjugate gradients
// solve the one and sweep the other.
Test(step_fights, pairs_of_any_kinds_rest_where_their_errors_balance) {
    static const int kinds[] = {0, 1, 3, 4, 5};
    static const double shifts[] = {1.0, 0.15, 0.05};
    for (int i = 0; i < 4 * 3 * 5 * 5 * 2; ++i) {
        tn_world *world = make_world(solvers[i % 4]);
        tn_world_set_gravity(world, (tn_vec3){0.0, 0.0, 0.0});
        double shift = shifts[i / 4 % 3];
        int first = kinds[i / 12 % 5], second = kinds[i / 60 % 5];
        bool is_second = i / 300 == 1;
        tn_body_id body = make_box(world, 0.0, 0.0, 1000.0f);
        tn_joint_id joints[2];
        joints[0] = make_joint(world, first, body, is_second ? 0.0 : shift, 0.0);
        joints[1] = make_joint(world, second, body, is_second ? shift : 0.0, 0.0);
        for (int k = 0; k < 180; ++k) {
            tn_world_step(world, 1.0 / 60.0, 4);
        }
        double errors[2];
        for (int k = 0; k < 2; ++k) {
            errors[k] = tn_joint_get_error(world, joints[k]).linear_length;
        }
        cr_expect(fmin(errors[0], errors[1]) > 0.4 * shift &&
                      tn_joint_get_redundancy(world, joints[0]).fights,
                  "solver %d, kinds %d and %d, %g m: %g and %g m", (int)solvers[i % 4], first,
                  second, shift, errors[0], errors[1]);
        tn_world_destroy(world);
    }
}

// A thousand times the weight of its links gives a chain under sweeps no reason to say so.
Test(step_fights, joints_that_give_way_under_a_load_do_not_fight) {
    tn_world *world = make_world(TN_SOLVER_PGS);
    tn_body_id last = {0};
    tn_joint_id joints[6];
    for (int i = 0; i < 6; ++i) {
        tn_body_id body = make_box(world, 0.0, -0.3 * i - 0.15, i == 5 ? 1e6f : 1e3f);
        tn_ball_joint_def def = tn_ball_joint_def_default();
        def.base.body_a = last;
        def.base.body_b = body;
        def.base.frame_a.position.y = i == 0 ? 0.0 : -0.15;
        def.base.frame_b.position.y = 0.15;
        joints[i] = tn_ball_joint_create(world, &def);
        last = body;
    }
    double open = 0.0;
    for (int k = 0; k < 120; ++k) {
        tn_world_step(world, 1.0 / 60.0, 4);
        for (int i = 0; i < 6; ++i) {
            open = fmax(open, tn_joint_get_error(world, joints[i]).linear_length);
            cr_assert_not(tn_joint_get_redundancy(world, joints[i]).fights, "joint %d", i);
        }
    }
    cr_assert(open > 1e-3); // it gives way
    tn_world_destroy(world);
}

// Nobody fights any more once one of two lets go.
Test(step_fights, what_is_let_go_closes_and_fights_no_more) {
    tn_world *world = make_world(TN_SOLVER_PGS);
    tn_body_id body = make_box(world, 0.0, 0.0, 1000.0f);
    tn_joint_id first = make_joint(world, 1, body, 0.0, 0.0);
    tn_joint_id second = make_joint(world, 1, body, 0.1, 0.0);
    for (int k = 0; k < 60; ++k) {
        tn_world_step(world, 1.0 / 60.0, 4);
    }
    cr_assert(tn_joint_get_redundancy(world, first).fights);
    tn_joint_destroy(world, second);
    for (int k = 0; k < 60; ++k) {
        tn_world_step(world, 1.0 / 60.0, 4);
    }
    cr_assert_not(tn_joint_get_redundancy(world, first).fights);
    tn_world_destroy(world);
}
