// Contacts with what lies behind another contact's plane: they are not there, and others are.
#include "tests/support/long_test.h"
#include "tests/world/collide/contact_world.h"

#define HALF 0.25 // m: of what slides, from its middle to the floor

TestSuite(contact_ghosts, .timeout = 60);

// ---- events -----------------------------------------------------------------------------------

// The x of the tile of an event.
static double get_tile(const tn_world *world, const tn_contact_event *event, tn_body_id body) {
    tn_body_id a = tn_shape_get_body(world, event->shape_a);
    tn_body_id tile = a.value == body.value ? tn_shape_get_body(world, event->shape_b) : a;
    return tn_body_get_center(world, tile).x;
}

// Ten tiles, each a body. Every one that it comes to begins to touch once, when it is there, and
// ends when it is left.
static void assert_each_tile_begins_once(contact_kind kind, double speed) {
    tn_world *world = contact_world_create(9.81);
    contact_tiles tiles = {{0}, 0.0, 10.0, 1.0, false, 0.0};
    contact_tiles_create(world, &tiles);
    tn_body_def def = contact_body_at(0.4, HALF, 0.1);
    if (kind == CONTACT_CAPSULE) {
        contact_body_turn(&def, (tn_vec3){0.0, 0.0, 1.0}, 0.5 * M_PI);
    }
    def.velocity.linear.x = speed;
    tn_body_id body = contact_body_create(world, &def, kind, HALF, contact_material(0.0, 0.0));
    int begins[10] = {0}, ends[10] = {0};
    double reach = kind == CONTACT_BALL ? 0.01 : kind == CONTACT_CAPSULE ? 2.0 * HALF : 1.1 * HALF;
    int steps = (int)(9.0 / speed * 60.0);
    for (int i = 0; i < steps; ++i) {
        double from = tn_body_get_center(world, body).x - reach;
        contact_step(world, 1, 60.0, 4);
        double to = tn_body_get_center(world, body).x + reach;
        tn_events events = tn_world_get_events(world);
        for (uint32_t e = 0; e < events.begin_count; ++e) {
            double x = get_tile(world, &events.begins[e], body);
            begins[(int)x] += 1;
            cr_assert(from < x + 0.5 && to > x - 0.5, "%s, %g m/s: begins at %g, from %g to %g",
                      contact_kind_names[kind], speed, x, from, to);
        }
        for (uint32_t e = 0; e < events.end_count; ++e) {
            ends[(int)get_tile(world, &events.ends[e], body)] += 1;
        }
    }
    int last = (int)(tn_body_get_center(world, body).x - reach);
    for (int i = 0; i < 10; ++i) {
        cr_assert(begins[i] <= 1 && ends[i] <= 1, "%s, %g m/s: tile %d begins %d times, ends %d",
                  contact_kind_names[kind], speed, i, begins[i], ends[i]);
        // A ball may fly over a tile's edge without having carried on it for as long as a step.
        cr_assert(i >= last || begins[i] == 1, "%s, %g m/s: tile %d is not touched",
                  contact_kind_names[kind], speed, i);
        cr_assert(i >= last - 1 || ends[i] == 1, "%s, %g m/s: tile %d does not end",
                  contact_kind_names[kind], speed, i);
    }
    tn_world_destroy(world);
}

Test(contact_ghosts, each_tile_begins_to_touch_once_and_none_ahead) {
    const double speeds[3] = {0.7, 2.0, 7.0};
    for (int i = 0; i < 4 * 3; ++i) {
        assert_each_tile_begins_once((contact_kind)(i % 4), speeds[i / 4]);
    }
}

// ---- round shapes -----------------------------------------------------------------------------

// Rolling capsules and balls, whose contacts with the edges of tiles are turned: they carry.
Test(contact_ghosts, what_rolls_over_seams_stays_on_its_height) {
    for (int i = 0; i < 2 * 4; ++i) {
        const double speeds[4] = {0.3, 2.0, 7.0, 40.0};
        double speed = speeds[i / 2], height = 0.0;
        tn_world *world = contact_world_create(9.81);
        contact_tiles tiles = {{0}, -2.0, 0.6 * speed + 3.0, 0.37, i % 4 < 2, 0.6};
        contact_tiles_create(world, &tiles);
        tn_body_def def = contact_body_at(-0.1, HALF, 0.1);
        def.velocity.linear.x = speed;
        def.velocity.angular.z = -speed / HALF;
        if (i % 2 == 1) { // across its way
            contact_body_turn(&def, (tn_vec3){1.0, 0.0, 0.0}, 0.5 * M_PI);
        }
        tn_body_id body =
            contact_body_create(world, &def, i % 2 == 0 ? CONTACT_BALL : CONTACT_CAPSULE, HALF,
                                contact_material(0.6, 0.0));
        for (int k = 0; k < (speed < 1.0 ? 120 : 36); ++k) {
            contact_step(world, 1, 60.0, 4);
            height = fmax(height, fabs(tn_body_get_center(world, body).y - HALF));
        }
        cr_assert(height < 5e-4, "%s, %g m/s: %g m off its height", i % 2 == 0 ? "ball" : "capsule",
                  speed, height);
        TEST_NEAR(tn_body_get_velocity(world, body).linear.x, speed, 0.005 * speed);
        tn_world_destroy(world);
    }
}

// ---- flats and edges --------------------------------------------------------------------------

// Shapes with flats and round edges meet the side of the next tile with any normal between that of
// the top and that of the side. They slide on as if there was one slab.
Test(contact_ghosts, shapes_with_flats_slide_over_seams_without_loss) {
    const contact_kind kinds[4] = {CONTACT_CYLINDER, CONTACT_CONE, CONTACT_ROUNDED_BOX,
                                   CONTACT_BOX};
    for (int i = 0; i < 4 * 4 * 3; ++i) {
        const double yaws[4] = {0.0, 0.2, 0.4, 0.78}, speeds[3] = {0.7, 4.0, 20.0};
        double yaw = yaws[i / 4 % 4], speed = speeds[i / 16];
        contact_kind kind = kinds[i % 4];
        for (uint32_t substeps = 1; substeps <= 4; substeps += 3) {
            tn_world *world = contact_world_create(9.81);
            contact_tiles tiles = {{0}, -2.0, 2.0 * speed + 3.0, 0.9, i % 2 == 0, 0.0};
            contact_tiles_create(world, &tiles);
            tn_body_def def = contact_body_at(0.0, HALF, 0.1);
            contact_body_turn(&def, (tn_vec3){0.0, 1.0, 0.0}, yaw);
            def.velocity.linear.x = speed;
            tn_body_id body =
                contact_body_create(world, &def, kind, HALF, contact_material(0.0, 0.0));
            contact_step(world, 120, 60.0, substeps);
            tn_vec3 at = tn_body_get_center(world, body);
            double lost = 1.0 - tn_body_get_velocity(world, body).linear.x / speed;
            // Contacts give way within a single substep, and bodies tilt on them.
            cr_expect(fabs(lost) < (substeps == 1 ? 4e-3 : 1e-3) && fabs(at.y - HALF) < 2e-3 &&
                          fabs(at.z - 0.1) < 2e-3,
                      "%s, %g m/s, yaw %g, %u substeps: loses %g, at %g %g",
                      contact_kind_names[kind], speed, yaw, substeps, lost, at.y, at.z);
            tn_world_destroy(world);
        }
    }
}

// ---- boxes ------------------------------------------------------------------------------------

// A plank whose middle is beyond a tile's edge tips and comes to rest on the edge and on a box that
// lies lower: that lies behind the tile's plane, but so does the plank's end.
Test(contact_ghosts, a_plank_tips_over_an_edge_on_to_a_lower_box) {
    for (int i = 0; i < 2 * 2; ++i) {
        double drop = i % 2 == 0 ? 0.1 : 0.3, half_length = 1.0, half_height = 0.05;
        tn_material rough = contact_material(0.6, 0.0);
        tn_world *world = contact_world_create(9.81);
        contact_block_create(world, (tn_vec3){-4.0, -2.0, -2.0}, (tn_vec3){0.0, 0.0, 2.0}, rough);
        contact_block_create(world, (tn_vec3){i / 2 == 0 ? 0.0 : 0.4, -2.0, -2.0},
                             (tn_vec3){4.0, -drop, 2.0}, rough);
        tn_body_id plank = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.05, half_height, 0.0,
                                           (tn_vec3){half_length, half_height, 0.25});
        double deepest = 0.0, gap = 0.0, tip = 0.0;
        for (int k = 0; k < 180; ++k) {
            contact_step(world, 1, 60.0, 4);
            tn_vec3 local = tn_body_get_local_point(world, plank, (tn_vec3){0});
            tn_vec3 corner = {half_length, -half_height, 0.0};
            gap = -half_height - local.y;
            tip = tn_body_get_world_point(world, plank, corner).y + drop;
            deepest = fmax(deepest, fmax(-gap, -tip));
        }
        cr_assert(deepest < 2e-3, "%g m lower: %g m deep", drop, deepest);
        // It lies on both.
        cr_assert(fabs(gap) < 1e-3 && fabs(tip) < 1e-3, "%g m lower: %g, %g m off", drop, gap, tip);
        tn_world_destroy(world);
    }
}

// Contacts give way by tens of micrometres, so free blocks tilt by as many microradians: 1 % of the
// way is allowed.
Test(contact_ghosts, two_free_blocks_side_by_side_are_slid_over) {
    for (int i = 0; i < 4 * 2; ++i) {
        double speed = i / 4 == 0 ? 1.0 : 7.0, off = 0.0, rise = 0.0;
        tn_world *world = contact_world_create(9.81);
        test_floor_create(world);
        for (int side = 0; side < 2; ++side) {
            tn_body_def def = contact_body_at(side - 0.5, 0.5, 0.0);
            contact_body_create(world, &def, CONTACT_BOX, 0.5, contact_material(0.6, 0.0));
        }
        contact_kind kind = (contact_kind)(i % 4);
        bool is_round = kind == CONTACT_BALL || kind == CONTACT_CAPSULE;
        tn_body_def def = contact_body_at(is_round ? -0.1 : -0.1 - HALF, 1.0 + HALF, 0.0);
        if (kind == CONTACT_CAPSULE) {
            contact_body_turn(&def, (tn_vec3){0.0, 0.0, 1.0}, 0.5 * M_PI);
        }
        tn_body_id body = contact_body_create(world, &def, kind, HALF, contact_material(0.0, 0.0));
        contact_step(world, 30, 60.0, 4); // it settles
        tn_body_set_velocity(world, body, (tn_velocity){{speed, 0.0, 0.0}, {0.0, 0.0, 0.0}});
        double start = tn_body_get_center(world, body).x;
        for (int k = 1; start + speed * k / 60.0 < 0.9; ++k) {
            contact_step(world, 1, 60.0, 4);
            rise = fmax(rise, fabs(tn_body_get_velocity(world, body).linear.y));
            off = fmax(off, fabs(tn_body_get_center(world, body).x - start - speed * k / 60.0));
        }
        cr_assert(off < 0.01 && rise < 0.02, "%s, %g m/s: %g m off, rises at %g m/s",
                  contact_kind_names[kind], speed, off, rise);
        tn_world_destroy(world);
    }
}

// It comes to rest where it fell, unturned, at its height: balls within 1 mm, others within 6 mm,
// as after a fall on one slab.
Test(contact_ghosts, a_fall_on_a_seam_ends_where_it_fell) {
    for (int i = 0; i < 3 * 3 * 2; ++i) {
        const contact_kind kinds[3] = {CONTACT_BALL, CONTACT_BOX, CONTACT_HULL};
        const double asides[3] = {0.0, 0.001, 0.05};
        contact_kind kind = kinds[i % 3];
        double aside = asides[i / 3 % 3], height = i / 9 == 0 ? 0.1 : 1.0;
        tn_world *world = contact_world_create(9.81);
        contact_tiles tiles = {{0}, -3.0, 3.0, 1.0, false, 0.6};
        contact_tiles_create(world, &tiles);
        tn_body_def def = contact_body_at(aside, HALF + height, 0.1);
        tn_body_id body = contact_body_create(world, &def, kind, HALF, contact_material(0.6, 0.0));
        contact_step(world, (int)(60.0 * (sqrt(2.0 * height / 9.81) + 0.5)), 60.0, 4);
        tn_pose pose = tn_body_get_pose(world, body);
        double off =
            hypot(hypot(pose.position.x - aside, pose.position.z - 0.1), pose.position.y - HALF);
        double turn = 2.0 * hypot(hypot(pose.rotation.x, pose.rotation.y), pose.rotation.z);
        off = fmax(off, HALF * turn);
        cr_assert(off < (kind == CONTACT_BALL ? 1e-3 : 6e-3), "%s from %g m, %g m aside: %g m off",
                  contact_kind_names[kind], height, aside, off);
        tn_world_destroy(world);
    }
}

// ---- heaps ------------------------------------------------------------------------------------

// Forty angles of two bars each, dropped in turn, each turned by 0.3 rad more than the last one.
#define HEAP_COUNT 40

static void heap_create(tn_world *world, double turn, tn_body_id bodies[HEAP_COUNT]) {
    contact_tiles tiles = {{0}, -10.0, 10.0, 0.5, false, 0.5};
    contact_tiles_create(world, &tiles);
    for (int i = 0; i < HEAP_COUNT; ++i) {
        tn_body_def def = contact_body_at(0.1 * (i % 3), 0.6 + 0.5 * (i / 2), 0.7 * (i % 2));
        contact_body_turn(&def, (tn_vec3){0.6, 0.0, 0.8}, 0.3 * i + turn);
        bodies[i] = tn_body_create(world, &def);
        for (int side = -1; side <= 1; side += 2) {
            tn_shape_def shape = tn_shape_def_default();
            shape.local_pose.position =
                side < 0 ? (tn_vec3){0.0, -0.15, 0.0} : (tn_vec3){0.15, 0.05, 0.0};
            tn_box_shape_create(world, bodies[i], &shape,
                                side < 0 ? (tn_vec3){0.2, 0.05, 0.1} : (tn_vec3){0.05, 0.15, 0.1});
        }
    }
}

// Bodies of several shapes, so that all of them may have level neighbours: a heap of them stays
// above the floor, and none sinks into another as it would without its contacts.
LONG_TEST(contact_ghosts, a_heap_keeps_its_contacts) {
    tn_world *world = contact_world_create(9.81);
    tn_body_id bodies[HEAP_COUNT];
    heap_create(world, 0.0, bodies);
    contact_step(world, 300, 60.0, 4);
    float deepest = 0.0f;
    for (int i = 0; i < HEAP_COUNT; ++i) {
        cr_assert(tn_body_get_bounds(world, bodies[i]).lower.y > -0.01, "body %d at %g, %g, %g", i,
                  tn_body_get_center(world, bodies[i]).x, tn_body_get_center(world, bodies[i]).y,
                  tn_body_get_center(world, bodies[i]).z);
        tn_contact_id contacts[32];
        uint32_t count = tn_body_get_contacts(world, bodies[i], contacts, 32);
        for (uint32_t k = 0; k < count && k < 32; ++k) {
            tn_contact contact = tn_contact_get(world, contacts[k]);
            for (uint32_t p = 0; p < contact.point_count; ++p) {
                deepest = fminf(deepest, contact.points[p].separation);
            }
        }
    }
    cr_assert(deepest > -0.02f, "%g m deep", (double)deepest);
    tn_world_destroy(world);
}

// Angles that a blow drives into one another are taken apart and not blown apart: nothing in the
// heap moves faster than it fell, 13 m/s, though it may be pressed from both sides.
LONG_TEST(contact_ghosts, angles_that_are_stuck_in_one_another_do_not_burst) {
    const double turns[2] = {0.06, 0.07};
    for (int k = 0; k < 2; ++k) {
        tn_world *world = contact_world_create(9.81);
        tn_body_id bodies[HEAP_COUNT];
        heap_create(world, turns[k], bodies);
        for (int step = 0; step < 300; ++step) {
            contact_step(world, 1, 60.0, 4);
            for (int i = 0; i < HEAP_COUNT; ++i) {
                tn_vec3 v = tn_body_get_velocity(world, bodies[i]).linear;
                double speed = hypot(hypot(v.x, v.y), v.z);
                cr_assert(speed < 15.0, "turn %g, step %d: %g m/s", turns[k], step, speed);
            }
        }
        tn_world_destroy(world);
    }
}

// ---- grounds ----------------------------------------------------------------------------------

// Where a capsule that tumbles over a wide ground is after a second, with a box at rest on the same
// ground or without.
static tn_pose tumble(tn_body_type ground_type, bool has_box) {
    tn_world *world = contact_world_create(9.81);
    tn_body_def floor = contact_body_at(0.0, -1.0, 0.0);
    floor.type = ground_type;
    tn_shape_def shape = tn_shape_def_default();
    tn_box_shape_create(world, tn_body_create(world, &floor), &shape, (tn_vec3){50.0, 1.0, 50.0});
    if (has_box) {
        tn_body_def box = contact_body_at(30.0, 0.5, 0.0);
        tn_box_shape_create(world, tn_body_create(world, &box), &shape, (tn_vec3){0.5, 0.5, 0.5});
    }
    tn_body_def def = contact_body_at(0.0, 0.5, 0.0);
    contact_body_turn(&def, (tn_vec3){0.6, 0.0, 0.8}, 1.2);
    def.velocity = (tn_velocity){{2.0, 0.0, 1.0}, {3.0, 1.0, -5.0}};
    tn_body_id body =
        contact_body_create(world, &def, CONTACT_CAPSULE, HALF, contact_material(0.6, 0.0));
    contact_step(world, 60, 60.0, 4);
    tn_pose pose = tn_body_get_pose(world, body);
    tn_world_destroy(world);
    return pose;
}

// The face of the box on the ground once kept the capsule's contact from following the capsule.
Test(contact_ghosts, what_rolls_does_not_feel_what_lies_elsewhere_on_the_ground) {
    const tn_body_type types[2] = {TN_BODY_TYPE_STATIC, TN_BODY_TYPE_KINEMATIC};
    for (int i = 0; i < 2; ++i) {
        tn_pose alone = tumble(types[i], false), other = tumble(types[i], true);
        cr_expect(memcmp(&alone, &other, sizeof alone) == 0, "%.17g and %.17g", alone.position.x,
                  other.position.x);
    }
}
