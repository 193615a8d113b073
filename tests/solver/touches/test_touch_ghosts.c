// Touches with edges of level tiles that another touch's plane keeps away.
#include "tests/world/collide/contact_world.h"

TestSuite(touch_ghosts, .timeout = 60);

// Two bodies on a ball joint slide over level tiles of 5 mm without friction. Returns how far the
// first has come in a second at `speed`, and its greatest vertical speed.
static double slide_train(tn_solver solver, contact_kind kind, double speed, double *rise) {
    tn_world *world = contact_world_create(9.81);
    tn_world_set_solver(world, solver);
    for (int i = -2; i < speed + 2; ++i) {
        tn_body_def def = contact_body_at(i + 0.5, -0.0025, 0.0);
        def.type = TN_BODY_TYPE_STATIC;
        tn_body_id tile = tn_body_create(world, &def);
        tn_shape_def ice = tn_shape_def_default();
        ice.material = contact_material(0.0, 0.0);
        tn_box_shape_create(world, tile, &ice, (tn_vec3){0.5, 0.0025, 5.0});
    }
    tn_body_id bodies[2];
    for (int k = 0; k < 2; ++k) {
        tn_body_def def = contact_body_at(-0.35 - 0.6 * k, 0.25, 0.1);
        def.velocity.linear.x = speed;
        bodies[k] = contact_body_create(world, &def, kind, 0.25, contact_material(0.0, 0.0));
    }
    tn_ball_joint_def joint = tn_ball_joint_def_default();
    tn_joint_def_set_frames(world, &joint.base, bodies[0], bodies[1], (tn_vec3){-0.65, 0.25, 0.1},
                            (tn_vec3){1.0, 0.0, 0.0});
    cr_assert(tn_ball_joint_create(world, &joint).value != 0);
    *rise = 0.0;
    for (int i = 0; i < 60; ++i) {
        contact_step(world, 1, 60.0, 4);
        *rise = fmax(*rise, fabs(tn_body_get_velocity(world, bodies[0]).linear.y));
    }
    double way = tn_body_get_center(world, bodies[0]).x + 0.35;
    tn_world_destroy(world);
    return way;
}

Test(touch_ghosts, trains_slide_over_thin_tiles) {
    static const contact_kind kinds[] = {CONTACT_BALL,     CONTACT_BOX,  CONTACT_HULL,
                                         CONTACT_CYLINDER, CONTACT_CONE, CONTACT_ROUNDED_BOX};
    static const double speeds[] = {2.0, 7.0, 40.0};
    for (uint32_t i = 0; i < 6 * 3; ++i) {
        double rise, speed = speeds[i / 6];
        double way = slide_train(TN_SOLVER_DIRECT, kinds[i % 6], speed, &rise);
        cr_expect(fabs(way / speed - 1.0) < 0.003 && rise < 0.02, "%s, %g m/s: %g m, %g m/s up",
                  contact_kind_names[kinds[i % 6]], speed, way, rise);
    }
}

// Every second tile of a way, the first or the second ones.
static void lay_tiles(tn_world *world, double tile, double end, int first) {
    for (double from = -4.0 + first * tile; from < end; from += 2.0 * tile) {
        tn_body_def def = contact_body_at(from + 0.5 * tile, -0.5, 0.0);
        def.type = TN_BODY_TYPE_STATIC;
        tn_shape_def stone = tn_shape_def_default();
        stone.material = contact_material(0.8, 0.0);
        tn_box_shape_create(world, tn_body_create(world, &def), &stone,
                            (tn_vec3){(0.5 * tile), 0.5, 5.0});
    }
}

// A chassis on four ball wheels rolls over level tiles, of which `before` are made before it:
// contacts with the others have their bodies the other way round. Returns how far it has left its
// line.
static double roll_car(double speed, double tile, uint32_t substeps, int before) {
    tn_world *world = contact_world_create(9.81);
    tn_world_set_solver(world, TN_SOLVER_DIRECT);
    for (int k = 0; k < before; ++k) {
        lay_tiles(world, tile, speed + 4.0, k);
    }
    tn_body_def def = contact_body_at(0.0, 0.6, 0.0);
    def.velocity.linear.x = speed;
    tn_body_id car = contact_body_create(world, &def, CONTACT_BOX, 0.2, contact_material(0.8, 0.0));
    for (int i = 0; i < 4; ++i) {
        tn_body_def at = contact_body_at(i & 1 ? 1.1 : -1.1, 0.3, i & 2 ? 1.05 : -1.05);
        at.velocity.linear.x = speed;
        at.velocity.angular.z = -speed / 0.3;
        tn_body_id wheel =
            contact_body_create(world, &at, CONTACT_BALL, 0.3, contact_material(0.8, 0.0));
        tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
        tn_joint_def_set_frames(world, &hinge.base, car, wheel, at.pose.position,
                                (tn_vec3){0.0, 0.0, 1.0});
        cr_assert(tn_hinge_joint_create(world, &hinge).value != 0);
    }
    for (int k = before; k < 2; ++k) {
        lay_tiles(world, tile, speed + 4.0, k);
    }
    double aside = 0.0;
    for (int i = 0; i < 60; ++i) {
        contact_step(world, 1, 60.0, substeps);
        aside = fmax(aside, fabs(tn_body_get_center(world, car).z));
    }
    tn_world_destroy(world);
    return aside;
}

Test(touch_ghosts, wheels_of_a_car_do_not_steer_at_seams) {
    for (uint32_t i = 0; i < 12; ++i) {
        double tile = i % 2 == 0 ? 1.0 : 0.37;
        uint32_t substeps = i % 4 < 2 ? 4 : 2;
        int before = (int)(i / 4);
        double aside = roll_car(40.0, tile, substeps, before);
        cr_assert(aside < 1e-4, "tiles %g m, %u substeps, %d before: %g m aside", tile, substeps,
                  before, aside);
    }
}
