// Contacts of round shapes that are made anew in each substep.
#include "tests/world/collide/contact_world.h"

TestSuite(contact_follow, .timeout = 60);

// The lower end of a rod lies on the floor and stays, the other one comes down within the step.
static double drop_other_end(double hz, uint32_t substeps, double tilt) {
    const double half = 0.25, radius = 0.01, spin = 0.33 * hz;
    tn_world *world = contact_world_create(0.0);
    tn_vec3 lower = {-1.0, -1.0, -1.0}, upper = {1.0, 0.0, 1.0};
    contact_block_create(world, lower, upper, contact_material(0.6, 0.0));
    tn_body_def def = contact_body_at(0.0, half * sin(tilt) + radius - 0.002, 0.0);
    contact_body_turn(&def, (tn_vec3){0.0, 0.0, 1.0}, tilt - 0.5 * M_PI);
    def.velocity.angular.z = -spin;
    def.velocity.linear.y = -1.004 * spin * half * cos(tilt);
    tn_body_id rod = tn_body_create(world, &def);
    tn_shape_def shape = tn_shape_def_default();
    tn_capsule_shape_create(world, rod, &shape, (float)half, (float)radius);
    contact_step(world, 1, hz, substeps);
    tn_vec3 axis = tn_body_get_world_vector(world, rod, (tn_vec3){0.0, 1.0, 0.0});
    double bottom = tn_body_get_center(world, rod).y + half * axis.y - radius;
    tn_world_destroy(world);
    return bottom;
}

Test(contact_follow, the_far_end_of_a_rod_that_lies_down_is_stopped) {
    const double rates[3] = {30.0, 60.0, 240.0};
    for (int i = 0; i < 3 * 2 * 3; ++i) {
        double tilt = 0.26 + 0.02 * (i / 6), bottom;
        bottom = drop_other_end(rates[i % 3], i / 3 % 2 == 0 ? 4 : 8, tilt);
        cr_assert(bottom > -0.003, "%g Hz, from %g rad: at %g m", rates[i % 3], tilt, bottom);
    }
}
