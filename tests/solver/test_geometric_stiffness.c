// Tests of solver/geometric_stiffness.c: chains of light links with heavy ends.
#include <tenon/tenon.h>

#include <criterion/criterion.h>
#include <math.h>

#define LINKS 20

// Links of 1 kg and 0.5 m from the world along x, with a ball of `mass` at the end. Returns the
// largest joint error of ten seconds, m.
static double drop_chain(double mass) {
    tn_world_def world_def = tn_world_def_default();
    world_def.enable_sleep = false;
    tn_world *world = tn_world_create(&world_def, NULL);
    tn_body_id previous = {0};
    for (int i = 0; i <= LINKS; ++i) {
        bool is_end = i == LINKS;
        tn_body_def def = tn_body_def_default();
        double m = is_end ? mass : 1.0, r = 0.2;
        double along = is_end ? 0.4 * m * r * r : 0.05 * 0.05 / 6.0;
        double across = is_end ? along : (0.5 * 0.5 + 0.05 * 0.05) / 12.0;
        def.has_mass = true;
        def.mass.mass = m;
        def.mass.inertia = (tn_mat3_symmetric){along, across, across, 0.0, 0.0, 0.0};
        def.pose.position.x = is_end ? 0.5 * LINKS + r : 0.25 + 0.5 * i;
        tn_body_id body = tn_body_create(world, &def);
        tn_ball_joint_def joint = tn_ball_joint_def_default();
        tn_position anchor = {0.5 * i, 0.0, 0.0};
        tn_dvec3 axis = {1.0, 0.0, 0.0};
        cr_assert(tn_joint_def_set_frames(world, &joint.base, previous, body, anchor, axis));
        tn_ball_joint_create(world, &joint);
        previous = body;
    }
    double worst = 0.0;
    for (int i = 0; i < 600; ++i) {
        cr_assert(tn_world_step(world, 1.0 / 60.0, 4) == TN_RESULT_OK);
        worst = fmax(worst, tn_world_get_telemetry(world).worst_joint_linear);
    }
    tn_world_destroy(world);
    return worst;
}

// Without the added inertia the gaps are 7 m and 60 m: the links shake apart. What is left is what
// Gauss-Seidel does not converge on.
Test(geometric_stiffness, a_chain_with_a_heavy_end_does_not_shake_apart) {
    double thousand = drop_chain(1000.0), ten_thousand = drop_chain(10000.0);
    cr_assert(thousand < 0.5, "1000:1 opens by %g m", thousand);
    cr_assert(ten_thousand < 4.0, "10000:1 opens by %g m", ten_thousand);
}
