// Bodies that coordinates give, at what is thin: nothing goes through.
#include "tests/support/long_test.h"
#include "tests/world/collide/contact_world.h"
#include "tests/world/movers/affine_world.h"
#include "tests/world/movers/reduced_contacts.h"

static test_reports reports;

TestSuite(span_contact_net, .timeout = 60);

typedef struct bullet {
    tn_vec3 half; // of a box; of a capsule along y where `is_round`
    double speed, spin, thickness, phase;
    bool is_affine;
    bool keeps_volume, is_round;
} bullet;

static tn_body_id bullet_make(tn_world *world, const bullet *item) {
    tn_body_id body = contacts_box_make(world, 0.0, 9.0, 0.0, item->half, 0.6f);
    if (item->is_round) {
        tn_shape_id box;
        tn_body_get_shapes(world, body, &box, 1);
        tn_shape_destroy(world, box);
        tn_shape_def def = tn_shape_def_default();
        tn_capsule_shape_create(world, body, &def, (float)item->half.y, (float)item->half.x);
    }
    return body;
}

static void assert_is_stopped(const bullet *item) {
    tn_world *world = contacts_world_create(0.0, 0.0, &reports);
    test_box_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0,
                    (tn_vec3){(0.5 * item->thickness), 2.0, 2.0});
    tn_body_id body = bullet_make(world, item);
    double before = 0.6 + item->speed * (1.0 + item->phase) / 60.0;
    const double u[6] = {-before, 0.1, 0.2, 0.3, 0.2, 0.5};
    const double v[6] = {item->speed, 0.0, 0.0, 0.0, 0.0, item->spin};
    tn_reduced_id id = contacts_make(world, body, 6, quality_reduced_free, u, v);
    if (item->is_affine) {
        tn_reduced_destroy(world, id);
        affine_make(world, body, 1e7, 0.3, 0.01,
                    item->keeps_volume ? TN_AFFINE_KEPT_VOLUME : TN_AFFINE_KEPT_NOTHING);
    }
    for (int i = 0; i < 12; ++i) {
        reduced_run(world, 1.0 / 60.0, 1, 4);
        tn_vec3 at = tn_body_get_center(world, body);
        bool is_beside = fabs(at.y) > 2.0 || fabs(at.z) > 2.0;
        cr_assert(is_beside || at.x < 0.0, "%g m/s, %g rad/s, sheet of %g m: at %g m", item->speed,
                  item->spin, item->thickness, at.x);
    }
    test_world_destroy_quiet(world, &reports);
}

static const tn_vec3 cube = {0.05, 0.05, 0.05}, stick = {0.25, 0.01, 0.01};

// A blow makes the stick spin by more than a radian in a substep. Its coordinates, three turns one
// after the other, go on all the same.
Test(span_contact_net, a_stick_does_not_go_through_a_sheet) {
    for (int i = 0; i < 3 * 2 * 2; ++i) {
        const double phases[3] = {0.03, 0.4, 0.77};
        assert_is_stopped(&(bullet){.half = stick,
                                    .speed = i / 3 % 2 == 0 ? 100.0 : 900.0,
                                    .spin = i / 6 == 0 ? 0.0 : 40.0,
                                    .thickness = 1e-3,
                                    .phase = phases[i % 3]});
    }
}

Test(span_contact_net, a_box_does_not_go_through_a_sheet) {
    assert_is_stopped(&(bullet){.half = cube, .speed = 900.0, .thickness = 1e-3, .phase = 0.4});
    assert_is_stopped(
        &(bullet){.half = cube, .speed = 900.0, .spin = 40.0, .thickness = 5e-3, .phase = 0.4});
    assert_is_stopped(&(bullet){.half = cube,
                                .speed = 100.0,
                                .spin = 40.0,
                                .thickness = 1e-3,
                                .phase = 0.4,
                                .is_affine = true});
    assert_is_stopped(&(bullet){
        .half = stick, .speed = 100.0, .thickness = 1e-3, .phase = 0.4, .is_affine = true});
    assert_is_stopped(&(bullet){
        .half = cube, .speed = 900.0, .thickness = 1e-3, .phase = 0.03, .is_affine = true});
    assert_is_stopped(&(bullet){
        .half = cube, .speed = 900.0, .thickness = 5e-2, .phase = 0.4, .is_affine = true});
}

// A blow strains them to several times their length within a substep, and turns them inside out.
LONG_TEST(span_contact_net, bodies_that_strain_do_not_go_through_a_sheet) {
    static const double phases[3] = {0.03, 0.4, 0.77}, sheets[3] = {0.001, 0.005, 0.05};
    static const tn_vec3 rod = {0.02, 0.2, 0.02};
    for (int i = 0; i < 3 * 3 * 2 * 2 * 2; ++i) {
        assert_is_stopped(&(bullet){.half = i / 36 == 0 ? stick : rod,
                                    .is_round = i / 36 == 1,
                                    .speed = 900.0,
                                    .spin = i / 9 % 2 == 0 ? 0.0 : 40.0,
                                    .thickness = sheets[i / 3 % 3],
                                    .phase = phases[i % 3],
                                    .is_affine = true,
                                    .keeps_volume = i / 18 % 2 == 1});
    }
}

// A free ball that the drift took through a plate of coordinates comes back with it.
Test(span_contact_net, a_spinning_ball_does_not_go_through_a_plate_of_coordinates) {
    const double speeds[2] = {400.0, 900.0}, phases[2] = {0.03, 0.4};
    for (int i = 0; i < 2 * 2; ++i) {
        tn_world *world = contacts_world_create(0.0, 0.0, &reports);
        tn_body_id plate =
            contacts_box_make(world, 0.0, 0.5, 0.0, (tn_vec3){0.0005, 2.0, 2.0}, 0.6f);
        contacts_make(world, plate, 1, contacts_slider, (double[]){0.0}, NULL);
        double speed = speeds[i % 2];
        tn_body_def def = contact_body_at(-0.6 - speed * (3.0 + phases[i / 2]) / 60.0, 0.6, 0.2);
        def.velocity.linear.x = speed;
        def.velocity.angular = (tn_vec3){20.0, 12.0, 32.0};
        tn_body_id ball =
            contact_body_create(world, &def, CONTACT_BALL, 0.05, contact_material(0.6, 0.0));
        for (int k = 0; k < 12; ++k) {
            reduced_run(world, 1.0 / 60.0, 1, 4);
            tn_vec3 at = tn_body_get_center(world, ball), of = tn_body_get_center(world, plate);
            bool is_beside = fabs(at.y - 0.5) > 2.0 || fabs(at.z) > 2.0;
            cr_assert(is_beside || at.x < of.x, "%g m/s: %g m behind", speed, at.x - of.x);
        }
        test_world_destroy_quiet(world, &reports);
    }
}

// Two radians in a step: as the step begins no point of the blade that is near the rod goes to it.
Test(span_contact_net, a_blade_that_stands_across_turns_into_a_rod_and_stops) {
    for (uint32_t substeps = 1; substeps <= 4; substeps += 3) {
        tn_world *world = contacts_world_create(0.0, 0.0, &reports);
        tn_body_id blade =
            contacts_box_make(world, 0.0, 0.0, 0.0, (tn_vec3){0.5, 0.02, 0.05}, 0.3f);
        reduced_arm arm = {.length = 0.0};
        tn_reduced_id id = reduced_arm_make(world, &arm, blade, -1.6, 120.0);
        test_box_create(world, TN_BODY_TYPE_STATIC, 0.4, 0.0, 0.0, (tn_vec3){0.005, 0.005, 0.3});
        for (int i = 0; i < 6; ++i) {
            reduced_run(world, 1.0 / 60.0, 1, substeps);
            double angle = reduced_coordinate(world, id, 0);
            cr_assert(angle < 0.01, "x %u, step %d: %g rad", substeps, i, angle);
        }
        test_world_destroy_quiet(world, &reports);
    }
}
