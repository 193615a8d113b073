// TN_SOLVER_AUTO and rope joints: their load counts as a pulley's does.
#include "auto_world.h"

TestSuite(automatic_ropes, .init = setup, .fini = teardown);

static tn_joint_id make_rope_joint(const tn_body_id *bodies, const tn_vec3 *points, uint32_t count,
                                   bool is_rigid) {
    tn_rope_joint_def def = tn_rope_joint_def_default();
    def.point_count = count;
    def.is_rigid = is_rigid;
    for (uint32_t k = 0; k < count; ++k) {
        def.points[k].body = bodies[k];
        def.points[k].position = points[k];
    }
    return tn_rope_joint_create(world, &def);
}

// A rope joint's load counts as a pulley's does: both weights hang from its sheaves, whichever of
// its points are on them.
Test(automatic_ropes, takes_a_rope_joint_with_a_load_over_sheaves) {
    for (int k = 0; k < 4; ++k) {
        teardown();
        setup();
        tn_body_id a = make_link(-1.0, -1.0, 3.0), b = make_link(1.5, -1.0, 1.0);
        tn_body_id beam =
            test_box_create(world, TN_BODY_TYPE_STATIC, 0.0, 1.0, 0.0, (tn_vec3){2.0, 0.1, 0.1});
        tn_body_id holder = k % 2 == 0 ? (tn_body_id){0} : beam;
        double y = k % 2 == 0 ? 1.0 : 0.0; // in the holder's frame
        tn_body_id bodies[] = {a, holder, holder, b};
        tn_vec3 points[] = {{0.0, 0.0, 0.0}, {-1.0, y, 0.0}, {1.0, y, 0.0}, {0.0, 0.0, 0.0}};
        cr_assert(make_rope_joint(bodies, points, 4, k >= 2).value != 0);
        // The rope ties a body that does not move to the others: a function of three bodies.
        expect(TN_MECHANISM_METHOD_DIRECT,
               k % 2 == 0 ? TN_MECHANISM_REASON_HUNG : TN_MECHANISM_REASON_LOOPS);
    }
}

// The rope goes from a weight over a sheave on a light block to the ceiling: the block bears twice
// the weight.
Test(automatic_ropes, takes_a_rope_joint_whose_light_sheave_bears_a_heavy_load) {
    for (int k = 0; k < 2; ++k) {
        teardown();
        setup();
        tn_body_id weight = make_link(0.0, -2.0, k == 0 ? 9.0 : 3.0);
        tn_body_id block = make_link(0.0, -1.0, 1.0);
        tn_joint_id above = hinge((tn_body_id){0}, block, 0.0, -0.5);
        tn_hinge_joint_set_friction(world, above, 0.1f);
        tn_body_id bodies[] = {weight, block, (tn_body_id){0}};
        tn_vec3 points[] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {1.0, 1.0, 0.0}};
        cr_assert(make_rope_joint(bodies, points, 3, false).value != 0);
        expect(k == 0 ? TN_MECHANISM_METHOD_DIRECT : TN_MECHANISM_METHOD_PGS,
               k == 0 ? TN_MECHANISM_REASON_MASSES : TN_MECHANISM_REASON_LIGHT);
    }
}

Test(automatic_ropes, sweeps_a_rope_joint_between_loose_bodies) {
    tn_body_id bodies[] = {make_link(0.0, 0.0, 1.0), make_link(1.0, 0.0, 2.0)};
    tn_vec3 points[] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    cr_assert(make_rope_joint(bodies, points, 2, false).value != 0);
    expect(TN_MECHANISM_METHOD_PGS, TN_MECHANISM_REASON_LIGHT);
}

// Sweeps would lose 0.57 % of the greatest kinetic energy.
Test(automatic_ropes, keeps_the_energy_of_a_swinging_atwood_machine_on_a_rope_joint) {
    double swing = 1.2, length = 0.7;
    tn_body_id a = make_link(-1.0, -1.0, 3.0);
    tn_body_id b = make_link(1.0 + length * sin(swing), -0.5 - length * cos(swing), 1.0);
    tn_body_id bodies[] = {a, {0}, {0}, b};
    tn_vec3 points[] = {{0.0, 0.0, 0.0}, {-1.0, 1.0, 0.0}, {1.0, 1.0, 0.0}, {0.0, 0.0, 0.0}};
    cr_assert(make_rope_joint(bodies, points, 4, false).value != 0);
    tn_energy first = tn_world_get_energy(world);
    double start = first.kinetic + first.potential, most = 0.0, off = 0.0;
    for (int i = 0; i < 180; ++i) {
        test_step(world, 1);
        tn_energy now = tn_world_get_energy(world);
        most = fmax(most, now.kinetic);
        off = fmax(off, fabs(now.kinetic + now.potential - start));
    }
    cr_assert(off < 1e-3 * most, "off by %g of %g J", off, most);
}
