// Loads that go from the points of one tile to those of the next.
#include "tests/world/collide/contact_world.h"

#define HALF 0.25 // m: of what slides, from its middle to the floor

TestSuite(contact_hand_on, .timeout = 60);

// The fastest that a body goes up or down while it slides without friction, x v t.
static double slide(contact_kind kind, double speed, double tile, double hz, uint32_t substeps) {
    tn_world *world = contact_world_create(9.81);
    contact_tiles tiles = {{0}, -2.0, speed + 2.0, tile, false, 0.0};
    contact_tiles_create(world, &tiles);
    tn_body_def def = contact_body_at(-0.1 - HALF, HALF, 0.1);
    if (kind == CONTACT_CAPSULE) { // it lies along its way
        contact_body_turn(&def, (tn_vec3){0.0, 0.0, 1.0}, 0.5 * M_PI);
    }
    def.velocity.linear.x = speed;
    tn_body_id body = contact_body_create(world, &def, kind, HALF, contact_material(0.0, 0.0));
    double rise = 0.0;
    for (int i = 0; i < (int)hz; ++i) {
        contact_step(world, 1, hz, substeps);
        rise = fmax(rise, fabs(tn_body_get_velocity(world, body).linear.y));
    }
    TEST_NEAR(tn_body_get_center(world, body).x, -0.1 - HALF + speed, 0.003 * speed);
    tn_world_destroy(world);
    return rise;
}

// One substep of 1/60 s: a body that nothing bears falls by 0.16 m/s.
Test(contact_hand_on, what_slides_from_tile_to_tile_does_not_bob) {
    for (uint32_t i = 0; i < 4 * 2 * 2; ++i) {
        contact_kind kind = (contact_kind)(i % 4);
        double speed = i / 4 % 2 == 0 ? 20.0 : 40.0, tile = i / 8 == 0 ? 0.37 : 1.0;
        double rise = slide(kind, speed, tile, 60.0, 1);
        cr_assert(rise < 0.02, "%s, %g m/s, tiles of %g m: %g m/s", contact_kind_names[kind], speed,
                  tile, rise);
    }
}

// Two boxes on a joint, 0.67 m a step over tiles 5 mm thick: they lost hold of these and went
// through.
Test(contact_hand_on, boxes_on_a_joint_slide_over_thin_tiles) {
    double speed = 40.0, rise = 0.0;
    tn_world *world = contact_world_create(9.81);
    for (int k = -4; k < 44; ++k) {
        contact_block_create(world, (tn_vec3){k, -0.005, -5.0}, (tn_vec3){k + 1.0, 0.0, 5.0},
                             contact_material(0.0, 0.0));
    }
    tn_body_id bodies[2];
    for (int i = 0; i < 2; ++i) {
        tn_body_def def = contact_body_at(-0.35 - 0.6 * i, HALF, 0.1);
        def.velocity.linear.x = speed;
        bodies[i] = contact_body_create(world, &def, CONTACT_BOX, HALF, contact_material(0.0, 0.0));
    }
    tn_ball_joint_def joint = tn_ball_joint_def_default();
    tn_joint_def_set_frames(world, &joint.base, bodies[0], bodies[1], (tn_vec3){-0.65, HALF, 0.1},
                            (tn_vec3){0.0, 0.0, 1.0});
    tn_ball_joint_create(world, &joint);
    for (int i = 0; i < 60; ++i) {
        contact_step(world, 1, 60.0, 4);
        rise = fmax(rise, fabs(tn_body_get_velocity(world, bodies[0]).linear.y));
    }
    cr_assert(rise < 0.02, "%g m/s up", rise);
    TEST_NEAR(tn_body_get_center(world, bodies[0]).x, speed - 0.35, 0.003 * speed);
    tn_world_destroy(world);
}

// Nothing is handed to a body that leaves: it falls as free as any.
Test(contact_hand_on, what_leaves_its_floor_falls_freely) {
    tn_world *world = contact_world_create(9.81);
    contact_tiles tiles = {{0}, -2.0, 0.0, 0.37, false, 0.0};
    contact_tiles_create(world, &tiles);
    tn_body_def def = contact_body_at(-1.0, HALF, 0.0);
    def.velocity.linear.x = 7.0;
    tn_body_id ball =
        contact_body_create(world, &def, CONTACT_BALL, HALF, contact_material(0.0, 0.0));
    contact_step(world, 20, 60.0, 1); // its middle passes the edge after 8.6 steps
    double before = tn_body_get_velocity(world, ball).linear.y;
    contact_step(world, 12, 60.0, 1);
    TEST_NEAR(tn_body_get_velocity(world, ball).linear.y - before, -9.81 * 0.2, 1e-4);
    TEST_NEAR(tn_body_get_velocity(world, ball).linear.x, 7.0, 1.0);
    tn_world_destroy(world);
}
