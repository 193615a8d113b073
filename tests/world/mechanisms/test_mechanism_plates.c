// Welded plates under the direct solver: rows that say the same many times, and motion that is
// rigid like the plate.
#include "tests/world/world_test.h"

#define SIDE 7

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_solver_world_create(TN_SOLVER_DIRECT, &reports);
}

static void teardown(void) {
    test_world_destroy_quiet(world, &reports);
}

TestSuite(mechanism_plates, .init = setup, .fini = teardown);

static void weld(tn_body_id a, tn_body_id b) {
    tn_vec3 p = tn_body_get_center(world, a), q = tn_body_get_center(world, b);
    tn_fixed_joint_def def = tn_fixed_joint_def_default();
    tn_vec3 at = {0.5 * (p.x + q.x), p.y, 0.5 * (p.z + q.z)};
    cr_assert(tn_joint_def_set_frames(world, &def.base, a, b, at, (tn_vec3){1.0, 0.0, 0.0}));
    cr_assert(tn_fixed_joint_create(world, &def).value != 0);
}

static void make_plate(tn_body_id boxes[SIDE][SIDE]) {
    for (int i = 0; i < SIDE; ++i) {
        for (int k = 0; k < SIDE; ++k) {
            boxes[i][k] = test_box_create(world, TN_BODY_TYPE_DYNAMIC, i - 3.0, 4.0, k - 3.0,
                                          (tn_vec3){0.5, 0.5, 0.5});
            if (i > 0) {
                weld(boxes[i - 1][k], boxes[i][k]);
            }
            if (k > 0) {
                weld(boxes[i][k - 1], boxes[i][k]);
            }
        }
    }
}

// The greatest speed of a box beside the motion of the first one, m/s.
static double get_worst_speed_within(tn_body_id boxes[SIDE][SIDE]) {
    tn_velocity first = tn_body_get_velocity(world, boxes[0][0]);
    tn_vec3 origin = tn_body_get_center(world, boxes[0][0]);
    double worst = 0.0;
    for (int i = 1; i < SIDE * SIDE; ++i) {
        tn_body_id box = boxes[i / SIDE][i % SIDE];
        tn_vec3 v = tn_body_get_velocity(world, box).linear, w = first.angular;
        tn_vec3 p = tn_body_get_center(world, box);
        double x = p.x - origin.x, y = p.y - origin.y, z = p.z - origin.z;
        double dx = v.x - first.linear.x - (w.y * z - w.z * y);
        double dy = v.y - first.linear.y - (w.z * x - w.x * z);
        double dz = v.z - first.linear.z - (w.x * y - w.y * x);
        worst = fmax(worst, sqrt(dx * dx + dy * dy + dz * dz));
    }
    return worst;
}

Test(mechanism_plates, one_that_falls_on_posts_keeps_no_waves_within) {
    tn_body_id boxes[SIDE][SIDE];
    make_plate(boxes);
    for (int k = 0; k < 4; ++k) {
        test_box_create(world, TN_BODY_TYPE_STATIC, k & 1 ? 1.75 : -1.75, 1.0, k & 2 ? 1.75 : -1.75,
                        (tn_vec3){0.25, 1.0, 0.25});
    }
    double worst = 0.0;
    for (int i = 0; i < 80; ++i) {
        test_step(world, 1);
        worst = fmax(worst, get_worst_speed_within(boxes));
    }
    tn_energy energy = tn_world_get_energy(world);
    cr_assert(worst < 1e-3, "%g m/s", worst);
    cr_assert(energy.kinetic < 10.0, "%g J", energy.kinetic);
}
