// How many rows say what others say: what Gruebler's count leaves, in every step.
#include "tests/world/world_test.h"

#define LEGS 6

static tn_body_id make_part(tn_world *world, double x, double y, double mass, double thin) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, x, y, 0.0);
    tn_mass given = {.mass = mass};
    given.inertia.xx = given.inertia.zz = mass / 12.0;
    given.inertia.yy = thin * mass / 12.0;
    tn_body_set_mass(world, body, given);
    return body;
}

static void make_hinge(tn_world *world, tn_body_id a, tn_body_id b, double x, double y) {
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &def.base, a, b, (tn_vec3){x, y, 0.0},
                                      (tn_vec3){0.0, 0.0, 1.0}));
    cr_assert(tn_hinge_joint_create(world, &def).value != 0);
}

// A table that swings on equal legs. It has one freedom of its 6 (legs + 1): of 10 rows for each
// leg as many are left over.
static void expect_rank(double leg_mass, double thin) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    tn_body_id table = make_part(world, 0.0, 1.0, 1000.0, 1.0);
    for (int i = 0; i < LEGS; ++i) {
        double x = (double)i - 0.5 * (LEGS - 1);
        tn_body_id leg = make_part(world, x, 0.5, leg_mass, thin);
        make_hinge(world, (tn_body_id){0}, leg, x, 0.0);
        make_hinge(world, leg, table, x, 1.0);
    }
    tn_body_set_velocity(world, table, (tn_velocity){.linear = {0.5, 0.0, 0.0}});
    const uint32_t wanted = 10 * LEGS - (6 * (LEGS + 1) - 1);
    for (int i = 0; i < 120; ++i) {
        test_step(world, 1);
        tn_mechanism_info info;
        cr_assert(tn_world_get_mechanisms(world, &info, 1) == 1);
        cr_assert(info.method == TN_MECHANISM_METHOD_DIRECT && info.rows == 10 * LEGS);
        cr_assert(info.dependent_rows == wanted, "%g kg, %g, step %d: %u of %u", leg_mass, thin, i,
                  info.dependent_rows, wanted);
        cr_assert(info.dependent_joint.value != 0);
    }
    tn_world_destroy(world);
}

// However light and slender: such legs leave much to rows that are none of their own.
Test(mechanism_rank, is_that_of_the_linkage_whatever_its_links_are_like) {
    expect_rank(1.0, 1.0);
    expect_rank(1.0, 1e-4);
    expect_rank(1e-3, 1e-4);
    expect_rank(10.0, 1e-6);
}

// Rows between links of 1 kg and 10,000 kg nearly depend on each other, but do not.
Test(mechanism_rank, a_heavy_load_makes_no_row_redundant) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    tn_body_id before = {0};
    for (int i = 0; i < 20; ++i) {
        tn_body_id link = make_part(world, 0.0, -0.5 - i, i == 19 ? 1e4 : 1.0, 1e-2);
        tn_ball_joint_def def = tn_ball_joint_def_default();
        tn_joint_def_set_frames(world, &def.base, before, link, (tn_vec3){0.0, -(double)i, 0.0},
                                (tn_vec3){1.0, 0.0, 0.0});
        cr_assert(tn_ball_joint_create(world, &def).value != 0);
        before = link;
    }
    tn_body_set_velocity(world, before, (tn_velocity){.linear = {1.0, 0.0, 0.5}});
    for (int i = 0; i < 60; ++i) {
        test_step(world, 1);
        tn_mechanism_info info;
        cr_assert(tn_world_get_mechanisms(world, &info, 1) == 1);
        cr_assert(info.dependent_rows == 0 && info.dependent_joint.value == 0, "%u",
                  info.dependent_rows);
    }
    tn_world_destroy(world);
}
