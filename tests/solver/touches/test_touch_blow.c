// Friction of a blow on a body of a mechanism acts where the blow strikes.
#include "tests/world/collide/contact_world.h"

TestSuite(touch_blow, .timeout = 60);

static double dot_y(tn_quat q, tn_vec3 v) { // the height of a body's vector
    return 2.0 * (q.x * q.y + q.w * q.z) * v.x + (1.0 - 2.0 * (q.x * q.x + q.z * q.z)) * v.y +
           2.0 * (q.y * q.z - q.w * q.x) * v.z;
}

// A box with a small ball welded into it stands on one corner, turned about x and then z, and tips
// over. Returns its greatest spin about the normal.
static double tip_over(tn_solver solver, double about_x, double about_z, uint32_t substeps) {
    tn_world *world = contact_world_create(9.81);
    tn_world_set_solver(world, solver);
    tn_body_def ground = contact_body_at(0.0, -1.0, 0.0);
    ground.type = TN_BODY_TYPE_STATIC;
    tn_shape_def material = tn_shape_def_default();
    material.material = contact_material(0.6, 0.0);
    tn_box_shape_create(world, tn_body_create(world, &ground), &material,
                        (tn_vec3){10.0, 1.0, 10.0});

    tn_vec3 sides = {0.5, 0.3, 0.4};
    tn_body_def def = contact_body_at(0.0, 0.0, 0.0);
    def.pose.rotation.x = sin(0.5 * about_x) * cos(0.5 * about_z);
    def.pose.rotation.y = sin(0.5 * about_x) * sin(0.5 * about_z);
    def.pose.rotation.z = cos(0.5 * about_x) * sin(0.5 * about_z);
    def.pose.rotation.w = cos(0.5 * about_x) * cos(0.5 * about_z);
    tn_quat q = def.pose.rotation;
    def.pose.position.y = 1e-4 + fabs(dot_y(q, (tn_vec3){sides.x, 0.0, 0.0})) +
                          fabs(dot_y(q, (tn_vec3){0.0, sides.y, 0.0})) +
                          fabs(dot_y(q, (tn_vec3){0.0, 0.0, sides.z}));
    tn_body_id box = tn_body_create(world, &def);
    tn_box_shape_create(world, box, &material, sides);
    tn_body_id ball =
        contact_body_create(world, &def, CONTACT_BALL, 0.05, contact_material(0.6, 0.0));
    tn_fixed_joint_def weld = tn_fixed_joint_def_default();
    tn_joint_def_set_frames(world, &weld.base, box, ball, def.pose.position,
                            (tn_vec3){1.0, 0.0, 0.0});
    cr_assert(tn_fixed_joint_create(world, &weld).value != 0);
    double most = 0.0;
    for (int i = 0; i < 30; ++i) {
        contact_step(world, 1, 60.0, substeps);
        most = fmax(most, fabs(tn_body_get_velocity(world, box).angular.y));
    }
    tn_world_destroy(world);
    return most;
}

// Friction at the corner that bore the box before would spin it by 0.6 to 0.9 rad/s.
Test(touch_blow, a_welded_box_that_tips_onto_the_next_corner_does_not_spin) {
    static const double tilts[][2] = {{0.2, 0.1}, {0.3, 0.1}, {0.3, 0.2}};
    for (uint32_t i = 0; i < 3; ++i) {
        double spin = tip_over(TN_SOLVER_DIRECT, tilts[i][0], tilts[i][1], 4);
        cr_assert(spin < 0.2, "tilted by %g and %g: %g rad/s", tilts[i][0], tilts[i][1], spin);
    }
}
