// Tests of world/step/step_joints.c: sweeps over many joints.
#include "tests/support/long_test.h"
#include "tests/world/world_test.h"

#define PLATE_MOST 12

// Boxes welded to their neighbours, one metre apart.
static double drop_plate(int side) {
    tn_world_def def = tn_world_def_default();
    def.solver = TN_SOLVER_PGS;
    def.is_sleep_allowed = false;
    tn_world *world = tn_world_create(&def, NULL);
    tn_body_id boxes[PLATE_MOST][PLATE_MOST];
    cr_assert_not_null(world);
    double first = -0.5 * (side - 1), post = 0.35 * side;
    for (int i = 0; i < 4; ++i) {
        test_box_create(world, TN_BODY_TYPE_STATIC, i % 2 == 0 ? post : -post, 1.0,
                        i / 2 == 0 ? post : -post, (tn_vec3){0.5, 1.0, 0.5});
    }
    for (int i = 0; i < side; ++i) {
        for (int k = 0; k < side; ++k) {
            boxes[i][k] = test_box_create(world, TN_BODY_TYPE_DYNAMIC, first + i, 3.25, first + k,
                                          (tn_vec3){0.5, 0.25, 0.5});
        }
    }
    for (int i = 0; i < 2 * side * side; ++i) {
        int row = i / 2 / side, column = i / 2 % side, along = i % 2;
        if (row + along < side && column + 1 - along < side) {
            tn_fixed_joint_def weld = tn_fixed_joint_def_default();
            tn_vec3 at = {first + row + 0.5 * along, 3.25, first + column + 0.5 * (1 - along)};
            cr_assert(tn_joint_def_set_frames(world, &weld.base, boxes[row][column],
                                              boxes[row + along][column + 1 - along], at,
                                              (tn_vec3){1.0, 0.0, 0.0}));
            cr_assert(tn_fixed_joint_create(world, &weld).value != 0);
        }
    }
    tn_energy start = tn_world_get_energy(world);
    double most = 0.0;
    for (int i = 0; i < 180; ++i) {
        test_step(world, 1);
        tn_energy now = tn_world_get_energy(world);
        most = fmax(most, now.kinetic + now.potential - start.kinetic - start.potential);
    }
    tn_world_destroy(world);
    return most;
}

// With two sweeps over joints plates of 7 and 12 gained 10 and 34 MJ.
LONG_TEST(step_joints, a_welded_plate_dropped_on_posts_gains_no_energy, .timeout = 60) {
    double seven = drop_plate(7), twelve = drop_plate(12);
    cr_expect(seven < 1.0 && twelve < 1.0, "%g J, %g J", seven, twelve);
}
