// Many joints on one body: what they hold, what they cost, and how many of them are redundant.
#include "tests/world/world_test.h"

static tn_body_id make_bob(tn_world *world, double x) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, x, 0.0, 0.0);
    tn_mass mass = {.mass = 2.0};
    mass.inertia.xx = mass.inertia.zz = 0.2;
    mass.inertia.yy = 0.1;
    tn_body_set_mass(world, body, mass);
    return body;
}

// At x, along z from 0 to 1 m.
static void make_hinges(tn_world *world, tn_body_id a, tn_body_id b, double x, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        tn_hinge_joint_def def = tn_hinge_joint_def_default();
        tn_vec3 point = {x, 0.0, (double)i / count};
        cr_assert(tn_joint_def_set_frames(world, &def.base, a, b, point, (tn_vec3){0.0, 0.0, 1.0}));
        cr_assert(tn_hinge_joint_create(world, &def).value != 0);
    }
}

static tn_mechanism_info get_info(const tn_world *world) {
    tn_mechanism_info info;
    cr_assert(tn_world_get_mechanisms(world, &info, 1) == 1);
    return info;
}

// Where a pendulum on so many hinges is after a quarter of a second, and what its matrix takes.
static tn_vec3 swing(uint32_t count, tn_mechanism_info *out_info) {
    test_reports reports;
    tn_world *world = test_solver_world_create(TN_SOLVER_DIRECT, &reports);
    tn_body_id bob = make_bob(world, 1.0);
    make_hinges(world, (tn_body_id){0}, bob, 0.0, count);
    test_step(world, 15);
    *out_info = get_info(world);
    tn_vec3 place = tn_body_get_center(world, bob);
    test_world_destroy_quiet(world, &reports);
    return place;
}

Test(many_joints, swing_as_one_and_cost_by_their_number) {
    tn_mechanism_info one, few, many;
    tn_vec3 as_one = swing(1, &one), as_few = swing(100, &few), as_many = swing(300, &many);
    cr_assert(hypot(as_few.x - as_one.x, as_few.y - as_one.y) < 2e-6);
    cr_assert(hypot(as_many.x - as_one.x, as_many.y - as_one.y) < 2e-6);
    cr_assert(few.dependent_rows == 5 * 99 && many.dependent_rows == 5 * 299, "%u and %u",
              few.dependent_rows, many.dependent_rows);
    cr_assert(many.fill < 3.1 * few.fill, "%u and %u", few.fill, many.fill);
    cr_assert(many.failures == 0 && many.worst_joint_linear < 1e-12);
}

// Two plates with links between them, the upper one hung by a point.
Test(many_joints, hold_one_plate_on_another_by_many_links) {
    tn_mechanism_info infos[2];
    for (uint32_t k = 0; k < 2; ++k) {
        test_reports reports;
        tn_world *world = test_solver_world_create(TN_SOLVER_DIRECT, &reports);
        tn_body_id upper = make_bob(world, 0.0), lower = make_bob(world, 1.0);
        tn_ball_joint_def def = tn_ball_joint_def_default();
        def.base.body_b = upper;
        tn_ball_joint_create(world, &def);
        uint32_t count = 60 + 60 * k;
        for (uint32_t i = 0; i < count; ++i) {
            tn_body_id link = make_bob(world, 0.5);
            double y = 0.1 * (i % 7), z = 0.1 * (i % 11);
            def.base.frame_a.position = (tn_vec3){0.2, y, z};
            def.base.frame_b.position = (tn_vec3){-0.3, y, z};
            def.base.body_a = upper;
            def.base.body_b = link;
            tn_ball_joint_create(world, &def);
            def.base.frame_a.position = (tn_vec3){0.3, y, z};
            def.base.frame_b.position = (tn_vec3){-0.2, y, z};
            def.base.body_a = link;
            def.base.body_b = lower;
            tn_ball_joint_create(world, &def);
        }
        test_step(world, 10);
        infos[k] = get_info(world);
        cr_assert(infos[k].failures == 0 && infos[k].worst_joint_linear < 1e-8, "%u, %g m",
                  infos[k].failures, infos[k].worst_joint_linear);
        test_world_destroy_quiet(world, &reports);
    }
    cr_assert(infos[1].fill < 2.1 * infos[0].fill, "%u and %u", infos[0].fill, infos[1].fill);
}
