// Contacts of bodies that coordinates give: what does not touch is not deflected, and seams and
// blows are those of free bodies.
#include "tests/world/collide/contact_world.h"
#include "tests/world/movers/reduced_contacts.h"

#define LENGTH 1.0 // m, of the arm

static test_reports reports;

TestSuite(span_contact_place, .timeout = 60);

// ---- passes ------------------------------------------------------------------------------------

// An arm with a box at its end swings past a block that ends `clear` below the lowest point, or
// past none.
static tn_velocity swing(double speed, double clear, uint32_t substeps, bool has_block) {
    tn_world *world = contacts_world_create(9.81, 0.0, &reports);
    tn_body_id bob = contacts_box_make(world, 0.0, 0.0, 0.0, (tn_vec3){0.1, 0.1, 0.1}, 0.6f);
    reduced_arm arm = {.length = LENGTH};
    reduced_arm_make(world, &arm, bob, -1.0, speed);
    if (has_block) {
        double top = hypot(LENGTH + 0.1, 0.1) + clear;
        test_box_create(world, TN_BODY_TYPE_STATIC, 0.0, -top - 0.5, 0.0,
                        (tn_vec3){0.15, 0.5, 1.0});
    }
    reduced_run(world, 0.7, 42, substeps);
    tn_velocity end = tn_body_get_velocity(world, bob);
    test_world_destroy_quiet(world, &reports);
    return end;
}

Test(span_contact_place, an_arm_that_swings_past_a_block_is_not_deflected) {
    const double speeds[3] = {0.0, 5.0, 20.0};
    for (int i = 0; i < 3 * 2 * 2; ++i) {
        double speed = speeds[i % 3], clear = i / 3 % 2 == 0 ? 1e-3 : 1e-2;
        uint32_t substeps = i / 6 == 0 ? 4 : 1;
        double change = contact_velocity_change(swing(speed, clear, substeps, false),
                                                swing(speed, clear, substeps, true));
        cr_assert(change == 0.0, "%g rad/s, %g m, x %u: %g", speed, clear, substeps, change);
    }
}

// An arm that sleeps stands still, and takes no part in the step.
Test(span_contact_place, a_ball_that_passes_a_sleeping_arm_is_not_deflected) {
    tn_world_def def = tn_world_def_default();
    def.gravity = (tn_vec3){0.0, 0.0, 0.0};
    tn_world *world = test_def_world_create(def, &reports);
    tn_body_id bob = contacts_box_make(world, 0.0, 0.0, 0.0, (tn_vec3){0.1, 0.1, 0.1}, 0.6f);
    reduced_arm arm = {.length = LENGTH};
    reduced_arm_make(world, &arm, bob, 0.0, 0.0);
    reduced_run(world, 2.0, 120, 4);
    cr_assert(!tn_body_is_awake(world, bob));
    tn_body_def ball_def = contact_body_at(-1.0, -LENGTH - 0.201, 0.0);
    ball_def.velocity.linear.x = 17.0;
    tn_body_id ball =
        contact_body_create(world, &ball_def, CONTACT_BALL, 0.1, contact_material(0.6, 0.0));
    reduced_run(world, 0.2, 12, 4);
    tn_velocity now = tn_body_get_velocity(world, ball);
    cr_assert(now.linear.x == 17.0 && now.linear.y == 0.0 && now.angular.z == 0.0);
    cr_assert(!tn_body_is_awake(world, bob));
    test_world_destroy_quiet(world, &reports);
}

// ---- blows -------------------------------------------------------------------------------------

// A tilted box that bounces on its corners, with six coordinates or free.
static tn_velocity bounce(bool is_reduced, double hz, double tilt) {
    tn_world *world = contacts_world_create(9.81, 0.0, &reports);
    contacts_floor_make(world, 0.5f, 0.9f);
    tn_body_id box = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 5.0, 0.0);
    tn_shape_def def = contacts_shape(0.5f, 0.9f);
    cr_assert(tn_box_shape_create(world, box, &def, (tn_vec3){0.5, 0.5, 0.5}).value != 0);
    const double u[6] = {0.9, 1.1, 0.1, 0.2, 0.1, tilt}, v[6] = {1.0, 0.0, 0.0, 0.0, 0.0, 0.5};
    tn_reduced_id id = contacts_make(world, box, 6, quality_reduced_free, u, v);
    if (!is_reduced) {
        tn_reduced_destroy(world, id);
    }
    reduced_run(world, 0.4, (int)(0.4 * hz + 0.5), 4);
    tn_velocity end = tn_body_get_velocity(world, box);
    test_world_destroy_quiet(world, &reports);
    return end;
}

// Two blows each. With the arms and columns of the substep's start it is 0.5 m/s off.
Test(span_contact_place, a_box_bounces_on_its_corners_as_a_free_one) {
    const double tilts[2] = {0.25, 0.5}, rates[3] = {30.0, 60.0, 240.0};
    const double tolerances[3] = {2e-2, 5e-3, 2e-3};
    for (int i = 0; i < 2 * 3; ++i) {
        double tilt = tilts[i % 2], hz = rates[i / 2];
        double off = contact_velocity_change(bounce(true, hz, tilt), bounce(false, 240.0, tilt));
        cr_assert(off < tolerances[i / 2], "tilted by %g rad, %g Hz: %g", tilt, hz, off);
    }
}

// The angle of an arm that falls from 2 rad onto a floor and bounces on a corner of its box.
static double bounce_arm(double hz, uint32_t substeps) {
    tn_world *world = contacts_world_create(9.81, 0.0, &reports);
    test_box_create(world, TN_BODY_TYPE_STATIC, 0.0, -1.1, 0.0, (tn_vec3){4.0, 0.5, 4.0});
    tn_body_id bob = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0);
    tn_shape_def def = contacts_shape(0.3f, 0.9f);
    cr_assert(tn_box_shape_create(world, bob, &def, (tn_vec3){0.1, 0.1, 0.1}).value != 0);
    reduced_arm arm = {.length = LENGTH};
    tn_reduced_id id = reduced_arm_make(world, &arm, bob, 2.0, 0.0);
    reduced_run(world, 1.2, (int)(1.2 * hz + 0.5), substeps);
    double angle = reduced_coordinate(world, id, 0);
    test_world_destroy_quiet(world, &reports);
    return angle;
}

// After several blows. With the time and the arms of a plane of the step's start it is 0.05 rad off
// at 60 Hz.
Test(span_contact_place, an_arm_bounces_at_the_times_of_its_blows) {
    double right = bounce_arm(960.0, 4);
    TEST_NEAR(bounce_arm(30.0, 4), right, 2e-4);
    TEST_NEAR(bounce_arm(60.0, 4), right, 1e-4);
    TEST_NEAR(bounce_arm(60.0, 1), right, 5e-4);
}

// ---- seams -------------------------------------------------------------------------------------

// The height and speed of a box with six coordinates that slides over level tiles.
static void slide_over_tiles(double speed, double tile, uint32_t substeps) {
    tn_world *world = contacts_world_create(9.81, 0.0, &reports);
    contact_tiles tiles = {.tile = tile, .from = -1.0, .to = speed + 1.0};
    contact_tiles_create(world, &tiles);
    tn_body_id box = contacts_box_make(world, 0.0, 5.0, 0.0, (tn_vec3){0.25, 0.25, 0.25}, 0.0f);
    const double u[6] = {-0.35, 0.25, 0.1}, v[6] = {speed};
    contacts_make(world, box, 6, quality_reduced_free, u, v);
    for (int i = 0; i < 60; ++i) {
        reduced_run(world, 1.0 / 60.0, 1, substeps);
        tn_velocity now = tn_body_get_velocity(world, box);
        cr_assert(fabs((double)now.linear.y) < 0.02, "%g m/s: %g", speed, (double)now.linear.y);
    }
    TEST_NEAR(tn_body_get_center(world, box).x, u[0] + speed, 1e-4 * speed);
    test_world_destroy_quiet(world, &reports);
}

Test(span_contact_place, a_box_slides_over_seams_at_its_speed) {
    slide_over_tiles(0.3, 0.37, 4);
    slide_over_tiles(2.0, 0.37, 1);
    slide_over_tiles(7.0, 0.37, 4);
    slide_over_tiles(40.0, 0.37, 4);
}

// In each substep it comes to another tile, which knows nothing of its weight: 0.05 m/s where the
// load is not handed on.
Test(span_contact_place, a_fast_box_takes_its_load_along_to_the_next_tile) {
    slide_over_tiles(40.0, 1.0, 1);
}
