// Blows of one body in their order: corners of rooms, two walls, and rows of balls as ever.
#include "tests/world/collide/contact_world.h"

TestSuite(contact_blows, .timeout = 60);

// A closed room of 2 m around the origin, with walls of 0.1 m that meet at their rims.
static void make_room(tn_world *world, tn_material material) {
    for (int axis = 0; axis < 3; ++axis) {
        for (int side = -1; side <= 1; side += 2) {
            double lower[3] = {-1.1, -1.1, -1.1}, upper[3] = {1.1, 1.1, 1.1};
            lower[axis] = side < 0 ? -1.1 : 1.0;
            upper[axis] = side < 0 ? -1.0 : 1.1;
            contact_block_create(world, (tn_vec3){lower[0], lower[1], lower[2]},
                                 (tn_vec3){upper[0], upper[1], upper[2]}, material);
        }
    }
}

static double get_outside(tn_vec3 p) {
    return fmax(fmax(fabs(p.x), fabs(p.y)), fabs(p.z)) - 1.0;
}

static tn_vec3 get_velocity(double speed, tn_vec3 way) {
    double scale = speed / hypot(hypot(way.x, way.y), way.z);
    return (tn_vec3){scale * way.x, scale * way.y, scale * way.z};
}

// The ball meets all three walls within two steps. Without friction, with restitution 1 it comes
// back along the line that it came on; without restitution it stays.
Test(contact_blows, a_ball_comes_back_from_the_corner_of_a_room_as_it_came) {
    const tn_vec3 ways[5] = {
        {1.0, 1.0, 1.0}, {1.0, 0.95, 0.9}, {1.0, 0.8, 0.9}, {0.7, 1.0, 0.8}, {0.6, 0.7, 1.0}};
    for (int i = 0; i < 5 * 2 * 2; ++i) {
        double e = i % 2 == 0 ? 1.0 : 0.0, sign = i / 10 == 0 ? 1.0 : -1.0;
        tn_material material = contact_material(0.0, e);
        tn_world *world = contact_world_create(0.0);
        make_room(world, material);
        tn_body_def def = contact_body_at(0.0, 0.0, 0.0);
        def.velocity.linear = get_velocity(sign * 100.0, ways[i / 2 % 5]);
        tn_body_id ball = contact_body_create(world, &def, CONTACT_BALL, 0.1, material);
        contact_step(world, 2, 60.0, 4);
        tn_velocity end = tn_body_get_velocity(world, ball), want = def.velocity;
        want.linear.x *= -e;
        want.linear.y *= -e;
        want.linear.z *= -e;
        double off = contact_velocity_change(end, want);
        // Walls are met within 0.1 mm, which bias takes back at some mm/s.
        cr_assert(off < 0.01, "way %d, restitution %g: %g m/s off", i / 2 % 5, e, off);
        cr_assert(get_outside(tn_body_get_center(world, ball)) <= -0.1 + 1e-3);
        tn_world_destroy(world);
    }
}

Test(contact_blows, nothing_leaves_a_room_by_its_corner) {
    for (int i = 0; i < 4 * 5; ++i) {
        const tn_vec3 ways[5] = {
            {1.0, 1.0, 1.0}, {1.0, 0.95, 0.9}, {1.0, 0.8, 0.9}, {0.7, 1.0, 0.8}, {0.6, 0.7, 1.0}};
        tn_material material = contact_material(0.0, 0.0);
        tn_world *world = contact_world_create(0.0);
        make_room(world, material);
        tn_body_def def = contact_body_at(0.0, 0.0, 0.0);
        def.velocity.linear = get_velocity(100.0, ways[i / 4]);
        tn_body_id body = contact_body_create(world, &def, (contact_kind)(i % 4), 0.1, material);
        for (int k = 0; k < 12; ++k) {
            contact_step(world, 1, 60.0, 4);
            double outside = get_outside(tn_body_get_center(world, body));
            cr_assert(outside < 0.0, "%s, way %d: %g m outside", contact_kind_names[i % 4], i / 4,
                      outside);
        }
        tn_world_destroy(world);
    }
}

// A ball flies at a wall, beyond which a block stands. It bounces off the wall and goes by the
// block's rim, which a straight way would have met: x is turned about, y is kept.
Test(contact_blows, a_wall_keeps_a_ball_from_what_stands_behind_it) {
    const double speeds[3] = {20.0, 60.0, 150.0};
    for (int i = 0; i < 3 * 4; ++i) {
        double speed = speeds[i % 3], slant = 0.3 + 0.2 * (i / 3);
        tn_material material = contact_material(0.0, 1.0);
        tn_world *world = contact_world_create(0.0);
        contact_block_create(world, (tn_vec3){0.0, -5.0, -1.0}, (tn_vec3){0.02, 5.0, 1.0},
                             material);
        contact_block_create(world, (tn_vec3){0.03, -5.0, -1.0}, (tn_vec3){0.5, 0.0, 1.0},
                             material);
        contact_block_create(world, (tn_vec3){0.03, 0.0, -1.0}, (tn_vec3){0.5, 5.0, 1.0}, material);
        tn_body_def def = contact_body_at(-0.1 - 0.4 * speed / 60.0 * cos(slant),
                                          -0.4 * speed / 60.0 * sin(slant), 0.0);
        def.velocity.linear = (tn_vec3){speed * cos(slant), speed * sin(slant), 0.0};
        tn_body_id ball = contact_body_create(world, &def, CONTACT_BALL, 0.1, material);
        contact_step(world, 1, 60.0, 4);
        tn_velocity want = def.velocity;
        want.linear.x = -want.linear.x;
        double off = contact_velocity_change(tn_body_get_velocity(world, ball), want);
        cr_assert(off < 1e-3 * speed, "%g m/s, slant %g: %g m/s off", speed, slant, off);
        tn_world_destroy(world);
    }
}

// Off the floor and within the same step off a wall that stands on it, or the other way round.
Test(contact_blows, two_walls_are_met_one_after_the_other_within_a_step) {
    for (int i = 0; i < 9; ++i) {
        double speed = 60.0, first = 0.1 + 0.1 * (i % 3), second = 0.2 + 0.2 * (i / 3);
        tn_material material = contact_material(0.0, 1.0);
        tn_world *world = contact_world_create(0.0);
        contact_block_create(world, (tn_vec3){-5.0, -1.0, -2.0}, (tn_vec3){0.0, 0.0, 2.0},
                             material);
        contact_block_create(world, (tn_vec3){0.0, -1.0, -2.0}, (tn_vec3){1.0, 5.0, 2.0}, material);
        // Floor and wall are met at these shares of the step.
        double c = sqrt(0.5);
        tn_body_def def =
            contact_body_at(-0.1 - c * speed * second / 60.0, 0.1 + c * speed * first / 60.0, 0.0);
        def.velocity.linear = (tn_vec3){c * speed, -c * speed, 0.0};
        tn_body_id ball = contact_body_create(world, &def, CONTACT_BALL, 0.1, material);
        contact_step(world, 1, 60.0, 4);
        tn_velocity want = {{-c * speed, c * speed, 0.0}, {0.0, 0.0, 0.0}};
        double off = contact_velocity_change(tn_body_get_velocity(world, ball), want);
        cr_assert(off < 1e-3 * speed, "met at %g and %g: %g m/s off", first, second, off);
        tn_vec3 p = tn_body_get_center(world, ball);
        // Where two mirrors would have it.
        TEST_NEAR(p.x, -0.1 - c * speed * (1.0 - second) / 60.0, 5e-3);
        TEST_NEAR(p.y, 0.1 + c * speed * (1.0 - first) / 60.0, 5e-3);
        tn_world_destroy(world);
    }
}

// Each ball is struck by one neighbour before it reaches the other.
Test(contact_blows, a_row_of_balls_hands_a_blow_on_to_its_end) {
    for (int has_gaps = 0; has_gaps < 2; ++has_gaps) {
        tn_world *world = contact_world_create(0.0);
        tn_body_id balls[5];
        for (int i = 0; i < 5; ++i) {
            double x = i == 0 ? -1.0 : (0.2 + 0.01 * has_gaps) * i;
            tn_body_def def = contact_body_at(x, 0.0, 0.0);
            def.velocity.linear.x = i == 0 ? 10.0 : 0.0;
            balls[i] =
                contact_body_create(world, &def, CONTACT_BALL, 0.1, contact_material(0.0, 1.0));
        }
        contact_step(world, 30, 60.0, 4);
        for (int i = 0; i < 5; ++i) {
            tn_velocity v = tn_body_get_velocity(world, balls[i]);
            TEST_NEAR(v.linear.x, i == 4 ? 10.0 : 0.0, 1e-3);
            TEST_NEAR(v.linear.y, 0.0, 1e-6);
        }
        tn_world_destroy(world);
    }
}

// The side of the next tile of a floor is no wall: what bounces well is not thrown back or up.
Test(contact_blows, seams_of_a_floor_give_no_blow) {
    for (int i = 0; i < CONTACT_KIND_COUNT * 3; ++i) {
        const double speeds[3] = {2.0, 7.0, 30.0};
        contact_kind kind = (contact_kind)(i / 3);
        double speed = speeds[i % 3], rise = 0.0;
        tn_world *world = contact_world_create(9.81);
        tn_material material = contact_material(0.0, 0.8);
        for (int k = -2; k < speed + 4.0; ++k) {
            contact_block_create(world, (tn_vec3){(double)k, -0.5, -3.0},
                                 (tn_vec3){k + 1.0, 0.0, 3.0}, material);
        }
        tn_body_def def = contact_body_at(0.3, 0.25, 0.1);
        def.velocity.linear.x = speed;
        if (kind == CONTACT_CAPSULE) {
            contact_body_turn(&def, (tn_vec3){1.0, 0.0, 0.0}, 0.5 * M_PI);
        }
        tn_body_id body = contact_body_create(world, &def, kind, 0.25, material);
        for (int k = 0; k < 60; ++k) {
            contact_step(world, 1, 60.0, 4);
            rise = fmax(rise, fabs(tn_body_get_velocity(world, body).linear.y));
        }
        double end = tn_body_get_velocity(world, body).linear.x;
        cr_expect(rise < 0.03 && fabs(end / speed - 1.0) < 2e-3, "%s at %g m/s: %g m/s, %g m/s up",
                  contact_kind_names[kind], speed, end, rise);
        tn_world_destroy(world);
    }
}
