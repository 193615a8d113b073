// Bodies on their way: what passes goes on, what slides over seams is not felt by them, and a real
// step is. The families of bench/contact_slide.c and contact_pass.c have many more.
#include "tests/world/collide/contact_world.h"

#define HALF 0.25 // m: of what slides, from its middle to the floor

TestSuite(contact_path, .timeout = 60);

// ---- over seams -------------------------------------------------------------------------------

typedef struct slide {
    contact_kind kind;
    double speed, tile, hz, yaw;
    uint32_t substeps;
    bool is_one_body;
    tn_vec3 origin;
} slide;

static tn_body_def slide_get_body(const slide *item) {
    bool is_round = item->kind == CONTACT_BALL || item->kind == CONTACT_CAPSULE;
    double x = is_round ? -0.1 : -0.1 - HALF;
    tn_body_def def =
        contact_body_at(item->origin.x + x, item->origin.y + HALF, item->origin.z + 0.1);
    if (item->kind == CONTACT_CAPSULE) { // it lies along its way
        contact_body_turn(&def, (tn_vec3){0.0, 0.0, 1.0}, 0.5 * M_PI);
    } else if (item->yaw != 0.0) {
        contact_body_turn(&def, (tn_vec3){0.0, 1.0, 0.0}, item->yaw);
    }
    def.velocity.linear.x = item->speed;
    return def;
}

static tn_body_id slide_make(tn_world *world, const slide *item, double to) {
    contact_tiles tiles = {item->origin, -2.0, to, item->tile, item->is_one_body, 0.0};
    contact_tiles_create(world, &tiles);
    tn_body_def def = slide_get_body(item);
    return contact_body_create(world, &def, item->kind, HALF, contact_material(0.0, 0.0));
}

// Without friction it keeps its speed. The sag at the start moves it down by 36 um in a substep or
// two: 0.02 m/s covers that, and 0.3 % of the way what a seam may take of it.
static void assert_slides_on(const slide *item) {
    tn_world *world = contact_world_create(9.81);
    int steps = (int)(fmin(0.6, 0.6 / item->speed + 0.15) * item->hz);
    steps = item->speed < 0.1 ? (int)(3.0 * item->hz) : item->speed < 1.0 ? (int)item->hz : steps;
    tn_body_id body = slide_make(world, item, item->speed * steps / item->hz + 2.0);
    double start = tn_body_get_center(world, body).x, rise = 0.0;
    for (int i = 0; i < steps; ++i) {
        contact_step(world, 1, item->hz, item->substeps);
        rise = fmax(rise, fabs(tn_body_get_velocity(world, body).linear.y));
    }
    double way = item->speed * steps / item->hz;
    double off = fabs(tn_body_get_center(world, body).x - start - way) / way;
    cr_assert(off < 0.003 && rise < 0.02,
              "%s, %g m/s, tiles %g m of %s, yaw %g, %g Hz x %u: %g of the way off, rises %g m/s",
              contact_kind_names[item->kind], item->speed, item->tile,
              item->is_one_body ? "one body" : "many", item->yaw, item->hz, item->substeps, off,
              rise);
    tn_world_destroy(world);
}

static const double slide_speeds[5] = {0.05, 0.3, 2.0, 7.0, 40.0};

Test(contact_path, a_body_slides_over_seams_of_level_tiles_as_over_a_slab) {
    for (int i = 0; i < 4 * 5 * 2; ++i) {
        slide item = {.kind = (contact_kind)(i % 4), .speed = slide_speeds[i / 4 % 5]};
        item.is_one_body = i / 20 == 0;
        item.tile = item.is_one_body ? 1.0 : 0.37;
        item.hz = 60.0;
        item.substeps = 4;
        assert_slides_on(&item);
    }
}

Test(contact_path, seams_are_not_felt_with_one_substep_nor_at_240_hz) {
    for (int i = 0; i < 4 * 2 * 2; ++i) {
        slide item = {.kind = (contact_kind)(i % 4), .speed = i / 4 % 2 == 0 ? 2.0 : 20.0};
        item.tile = 1.0;
        item.is_one_body = i % 2 == 0;
        item.hz = i / 8 == 0 ? 60.0 : 240.0;
        item.substeps = i / 8 == 0 ? 1 : 4;
        assert_slides_on(&item);
    }
}

Test(contact_path, a_yawed_box_or_hull_slides_over_seams_too) {
    for (int i = 0; i < 2 * 2 * 3; ++i) {
        slide item = {.kind = i % 2 == 0 ? CONTACT_BOX : CONTACT_HULL,
                      .speed = i / 2 % 2 == 0 ? 2.0 : 7.0};
        item.yaw = 0.3 * (i / 4 + 1);
        item.tile = 1.0;
        item.hz = 60.0;
        item.substeps = 4;
        assert_slides_on(&item);
    }
}

Test(contact_path, seams_100_km_out_are_not_felt_either) {
    for (int i = 0; i < 4 * 2; ++i) {
        slide item = {.kind = (contact_kind)(i % 4), .speed = i / 4 == 0 ? 2.0 : 20.0};
        item.tile = 1.0;
        item.hz = 60.0;
        item.substeps = 4;
        item.origin = (tn_vec3){1e5, 1e4, -1e5};
        assert_slides_on(&item);
    }
}

// On to tiles that lie lower it may gain the speed of its fall, but lose none, nor rise.
Test(contact_path, a_tile_that_lies_lower_slows_nothing) {
    for (int i = 0; i < 4 * 3 * 2; ++i) {
        slide item = {.kind = (contact_kind)(i % 4), .speed = slide_speeds[1 + i / 4 % 3]};
        double drop = i / 12 == 0 ? 0.001 : 0.005;
        tn_world *world = contact_world_create(9.81);
        contact_tiles upper = {{0}, -3.0, 0.0, 1.0, i % 2 == 0, 0.0};
        contact_tiles lower = {{0.0, -drop, 0.0}, 0.0, 10.0, 1.0, i % 2 == 0, 0.0};
        contact_tiles_create(world, &upper);
        contact_tiles_create(world, &lower);
        tn_body_def def = slide_get_body(&item);
        tn_body_id body =
            contact_body_create(world, &def, item.kind, HALF, contact_material(0.0, 0.0));
        double slowest = item.speed, highest = 0.0;
        for (int k = 0; k < (item.speed < 1.0 ? 150 : 45); ++k) {
            contact_step(world, 1, 60.0, 4);
            slowest = fmin(slowest, tn_body_get_velocity(world, body).linear.x);
            highest = fmax(highest, tn_body_get_center(world, body).y - HALF);
        }
        cr_assert(slowest > 0.997 * item.speed && highest < 2e-4,
                  "%s, %g m/s, %g m lower: slowed to %g m/s, rises %g m",
                  contact_kind_names[item.kind], item.speed, drop, slowest, highest);
        tn_world_destroy(world);
    }
}

// With the impulse at its lower front edge a box keeps at most 0.6 of its speed.
Test(contact_path, a_real_step_of_5_mm_is_felt) {
    for (int i = 0; i < 2 * 5 * 2; ++i) {
        slide item = {.kind = i % 2 == 0 ? CONTACT_BOX : CONTACT_HULL,
                      .speed = slide_speeds[i / 2 % 5]};
        tn_material ice = contact_material(0.0, 0.0);
        tn_world *world = contact_world_create(9.81);
        double rise = i / 10 == 0 ? 0.005 : 0.05;
        contact_block_create(world, (tn_vec3){-3.0, -1.0, -5.0}, (tn_vec3){0.0, 0.0, 5.0}, ice);
        contact_block_create(world, (tn_vec3){0.0, -1.0, -5.0}, (tn_vec3){30.0, rise, 5.0}, ice);
        tn_body_def def = slide_get_body(&item);
        tn_body_id body = contact_body_create(world, &def, item.kind, HALF, ice);
        double slowest = item.speed;
        for (int k = 0; k < (item.speed < 0.1 ? 150 : 30); ++k) {
            contact_step(world, 1, 60.0, 4);
            slowest = fmin(slowest, tn_body_get_velocity(world, body).linear.x);
        }
        cr_assert(slowest < 0.7 * item.speed, "%s, %g m/s, a step of %g m: %g m/s left",
                  contact_kind_names[item.kind], item.speed, rise, slowest);
        tn_world_destroy(world);
    }
}

// Straight within 1 mm, at the speed that it has.
Test(contact_path, a_ball_rolls_100_m_over_tiles_on_its_line) {
    for (int i = 0; i < 2; ++i) {
        tn_world *world = contact_world_create(9.81);
        double speed = i == 0 ? 10.0 : 40.0;
        contact_tiles tiles = {{0}, -2.0, 104.0, 1.0, false, 0.6};
        contact_tiles_create(world, &tiles);
        tn_body_def def = contact_body_at(-0.1, HALF, 0.1);
        def.velocity.linear.x = speed;
        def.velocity.angular.z = -speed / HALF;
        tn_body_id ball =
            contact_body_create(world, &def, CONTACT_BALL, HALF, contact_material(0.6, 0.0));
        int steps = (int)(100.0 / speed * 60.0);
        double off = 0.0;
        for (int k = 1; k <= steps; ++k) {
            contact_step(world, 1, 60.0, 4);
            tn_vec3 p = tn_body_get_center(world, ball);
            off = fmax(off, fmax(fabs(p.z - 0.1), fabs(p.y - HALF)));
        }
        cr_assert(off < 1e-3, "%g m/s: %g m off its line", speed, off);
        TEST_NEAR(tn_body_get_center(world, ball).x, -0.1 + speed * steps / 60.0, 0.1);
        tn_world_destroy(world);
    }
}

// ---- what does not touch ----------------------------------------------------------------------

// Two boxes that are bounds of the shapes are parted by the plane y = 0, but for `clear`.
static void assert_pass_unfelt(const contact_kind kinds[2], double speed, double clear,
                               bool is_overtaken) {
    tn_world *world = contact_world_create(0.0);
    double speeds[2] = {speed, is_overtaken ? 0.5 * speed : -speed};
    double closing = speeds[0] - speeds[1];
    tn_body_id bodies[2];
    tn_velocity starts[2];
    for (int i = 0; i < 2; ++i) {
        double side = i == 0 ? -1.0 : 1.0;
        tn_body_def def = contact_body_at(i == 0 ? -0.5 - 0.107 * closing : 0.0, 0.0, 0.0);
        contact_body_turn(&def, (tn_vec3){0.6, 0.0, 0.8}, i == 0 ? 0.5 : -0.8);
        def.pose.position.y = 3.0 * side;
        def.velocity.linear.x = speeds[i];
        bodies[i] = contact_body_create(world, &def, kinds[i], 0.1, contact_material(0.6, 0.0));
        tn_bounds bounds = tn_body_get_bounds(world, bodies[i]);
        double near = i == 0 ? bounds.upper.y : bounds.lower.y;
        tn_pose pose = tn_body_get_pose(world, bodies[i]);
        pose.position.y += 0.5 * side * clear - near;
        tn_body_set_pose(world, bodies[i], pose);
        starts[i] = tn_body_get_velocity(world, bodies[i]);
    }
    contact_step(world, (int)(60.0 * (0.214 + 1.0 / closing)), 60.0, 4);
    for (int i = 0; i < 2; ++i) {
        double change = contact_velocity_change(starts[i], tn_body_get_velocity(world, bodies[i]));
        cr_assert(change == 0.0, "%s and %s, %g m/s%s, %g m clear: changed by %g m/s",
                  contact_kind_names[kinds[0]], contact_kind_names[kinds[1]], speed,
                  is_overtaken ? ", overtaken" : "", clear, change);
    }
    tn_world_destroy(world);
}

Test(contact_path, bodies_that_pass_keep_their_velocity_to_the_last_bit) {
    const double clears[3] = {0.001, 0.003, 0.01};
    for (int i = 0; i < 16 * 3 * 3; ++i) {
        contact_kind kinds[2] = {(contact_kind)(i % 4), (contact_kind)(i / 4 % 4)};
        assert_pass_unfelt(kinds, i / 48 == 0 ? 2.0 : 30.0, clears[i / 16 % 3], i / 48 == 2);
    }
}

// A ball 1 to 10 mm clear of a block's edge at a slant.
static void assert_corner_unfelt(double speed, double clear, tn_vec3 origin) {
    tn_world *world = contact_world_create(0.0);
    contact_block_create(world, (tn_vec3){origin.x - 2.0, origin.y - 2.0, origin.z - 2.0},
                         (tn_vec3){origin.x, origin.y, origin.z + 2.0}, contact_material(0.6, 0.0));
    double c = cos(0.6), s = sin(0.6), before = 0.3 + 0.11 * speed;
    tn_body_def def = contact_body_at(origin.x + (0.1 + clear) * s - before * c,
                                      origin.y + (0.1 + clear) * c + before * s, origin.z + 0.1);
    def.velocity.linear = (tn_vec3){speed * c, -speed * s, 0.0};
    tn_body_id ball =
        contact_body_create(world, &def, CONTACT_BALL, 0.1, contact_material(0.6, 0.0));
    tn_velocity start = tn_body_get_velocity(world, ball);
    contact_step(world, (int)(60.0 * (0.25 + 0.6 / speed)), 60.0, 4);
    double change = contact_velocity_change(start, tn_body_get_velocity(world, ball));
    cr_assert(change == 0.0, "%g m/s, %g m clear: changed by %g m/s", speed, clear, change);
    tn_world_destroy(world);
}

Test(contact_path, a_slantwise_pass_of_a_corner_is_not_felt) {
    const double clears[3] = {0.001, 0.003, 0.01}, speeds[4] = {1.0, 7.0, 15.0, 31.0};
    for (int i = 0; i < 24; ++i) {
        tn_vec3 far = {1e5, 1e5, -1e5};
        assert_corner_unfelt(speeds[i % 4], clears[i / 4 % 3], i / 12 == 0 ? (tn_vec3){0} : far);
    }
}

// A fall beside a wall is the same as one in the open, bit by bit.
Test(contact_path, a_fall_beside_a_wall_is_a_free_fall) {
    for (int i = 0; i < 4 * 3; ++i) {
        tn_velocity ends[2];
        for (int has_wall = 0; has_wall < 2; ++has_wall) {
            tn_world *world = contact_world_create(9.81);
            if (has_wall == 1) {
                contact_block_create(world, (tn_vec3){-1.0, -2.0, -1.0}, (tn_vec3){0.0, 0.0, 1.0},
                                     contact_material(0.6, 0.0));
            }
            const double clears[3] = {0.001, 0.003, 0.01};
            tn_body_def def = contact_body_at(0.1 + clears[i / 4], 0.5, 0.1);
            def.velocity.linear.y = -5.0;
            tn_body_id body = contact_body_create(world, &def, (contact_kind)(i % 4), 0.1,
                                                  contact_material(0.6, 0.0));
            contact_step(world, 30, 60.0, 4);
            ends[has_wall] = tn_body_get_velocity(world, body);
            tn_world_destroy(world);
        }
        double change = contact_velocity_change(ends[0], ends[1]);
        cr_assert(change == 0.0, "%s: changed by %g m/s", contact_kind_names[i % 4], change);
    }
}

// From the block's edge to the ball's middle points n = (-cos p, sin p), sin p = (r - depth) / r:
// without friction or restitution the ball leaves along the tangent there.
Test(contact_path, a_ball_that_meets_an_edge_leaves_along_its_tangent) {
    const double speeds[3] = {1.0, 10.0, 31.0};
    for (int i = 0; i < 4 * 3; ++i) {
        double radius = 0.1, depth = 0.006 + 0.025 * (i % 4), speed = speeds[i / 4];
        tn_material ice = contact_material(0.0, 0.0);
        tn_world *world = contact_world_create(0.0);
        contact_block_create(world, (tn_vec3){0.0, -2.0, -2.0}, (tn_vec3){2.0, 0.0, 2.0}, ice);
        tn_body_def def = contact_body_at(-0.2 - 0.057 * speed, radius - depth, 0.1);
        def.velocity.linear.x = speed;
        tn_body_id ball = contact_body_create(world, &def, CONTACT_BALL, radius, ice);
        contact_step(world, (int)(60.0 * (0.2 / speed + 0.057)) + 4, 60.0, 4);
        double sine = (radius - depth) / radius, cosine = sqrt(1.0 - sine * sine);
        tn_velocity end = tn_body_get_velocity(world, ball);
        double off =
            hypot(end.linear.x - speed * sine * sine, end.linear.y - speed * sine * cosine);
        // Normals are found within 0.1 mm of the meeting: 0.05 rad covers that.
        cr_assert(off < 0.05 * speed, "%g m/s, %g m below the top: %g m/s off", speed, depth, off);
        tn_world_destroy(world);
    }
}

// ---- mirrored, exchanged ----------------------------------------------------------------------

static void make_mirrored(tn_world *world, const contact_kind kinds[2], bool is_exchanged,
                          bool is_mirrored, tn_body_id bodies[2]) {
    double sign = is_mirrored ? -1.0 : 1.0, speed = 10.0;
    for (int k = 0; k < 2; ++k) {
        int i = is_exchanged ? 1 - k : k;
        double side = i == 0 ? -1.0 : 1.0;
        tn_body_def def =
            contact_body_at(sign * side * (0.25 + 0.08 * speed), 0.04 * side, 0.03 * side);
        // Mirrored at x = 0 an axis keeps x, and turns y and z about.
        contact_body_turn(&def, (tn_vec3){0.36, sign * 0.48, sign * side * 0.8}, 0.6);
        def.velocity.linear.x = -sign * side * speed;
        def.velocity.angular = (tn_vec3){0.5, sign, sign * 2.0 * side};
        bodies[i] = contact_body_create(world, &def, kinds[i], 0.1, contact_material(0.4, 0.3));
    }
}

// A hull is mirrored with its points in another order, which plays no part.
Test(contact_path, mirrored_and_exchanged_pairs_have_mirrored_answers) {
    for (int i = 0; i < 4 * 4 * 3; ++i) {
        contact_kind kinds[2] = {(contact_kind)(i % 4), (contact_kind)(i / 4 % 4)};
        bool is_exchanged = i / 16 != 1, is_mirrored = i / 16 != 0;
        tn_world *worlds[2] = {contact_world_create(0.0), contact_world_create(0.0)};
        tn_body_id bodies[2][2];
        make_mirrored(worlds[0], kinds, false, false, bodies[0]);
        make_mirrored(worlds[1], kinds, is_exchanged, is_mirrored, bodies[1]);
        contact_step(worlds[0], 30, 60.0, 4);
        contact_step(worlds[1], 30, 60.0, 4);
        for (int k = 0; k < 2; ++k) {
            tn_vec3 a = tn_body_get_center(worlds[0], bodies[0][k]);
            tn_vec3 b = tn_body_get_center(worlds[1], bodies[1][k]);
            double x = is_mirrored ? -b.x : b.x;
            double apart = hypot(hypot(a.x - x, a.y - b.y), a.z - b.z);
            // What the last bits of floats become in the blow and the 0.3 s after it.
            cr_assert(apart < 1e-5, "%s and %s: %g m apart", contact_kind_names[kinds[0]],
                      contact_kind_names[kinds[1]], apart);
        }
        tn_world_destroy(worlds[0]);
        tn_world_destroy(worlds[1]);
    }
}

// ---- workers ----------------------------------------------------------------------------------

// Bodies of all kinds slide over tiles and into each other.
static uint64_t run_crowd(uint32_t workers) {
    tn_world_def def = tn_world_def_default();
    def.worker_count = workers;
    tn_world *world = tn_world_create(&def, NULL);
    contact_tiles tiles = {{0}, -2.0, 12.0, 0.37, false, 0.3};
    contact_tiles_create(world, &tiles);
    for (int i = 0; i < 60; ++i) {
        tn_body_def body =
            contact_body_at(0.6 * (i % 10), 0.3 + 0.6 * (i / 20), 0.6 * (i / 10 % 2));
        body.velocity.linear = (tn_vec3){i % 3 * 6.0, 0.0, i % 5 - 2.0};
        contact_body_create(world, &body, (contact_kind)(i % 4), 0.2, contact_material(0.3, 0.2));
    }
    contact_step(world, 60, 60.0, 4);
    uint64_t hash = tn_world_get_hash(world);
    tn_world_destroy(world);
    return hash;
}

Test(contact_path, workers_change_no_bit_of_what_is_followed) {
    uint64_t serial = run_crowd(1);
    cr_assert(run_crowd(2) == serial);
    cr_assert(run_crowd(3) == serial);
}

// ---- what turns -------------------------------------------------------------------------------

// A bar that has bounced off one end turns by 0.8 rad a step. Its lowest points, where a step
// begins, go up, and the other end comes down.
Test(contact_path, the_other_end_of_a_turning_bar_is_stopped_too) {
    for (int i = 0; i < 40; ++i) {
        tn_world *world = contact_world_create(9.81);
        tn_material material = contact_material(0.0, 0.9);
        tn_shape_def shape = tn_shape_def_default();
        shape.material = material;
        tn_body_id floor = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
        tn_half_space_shape_create(world, floor, &shape);
        tn_body_def def = contact_body_at(0.0, 1.2, 0.0);
        contact_body_turn(&def, (tn_vec3){0.0, 0.0, 1.0}, 0.8 + 0.005 * i);
        def.velocity.angular.z = -3.08;
        def.locks = TN_BODY_LOCK_LINEAR_Z | TN_BODY_LOCK_ANGULAR_X | TN_BODY_LOCK_ANGULAR_Y;
        tn_body_id body = tn_body_create(world, &def);
        tn_box_shape_create(world, body, &shape, (tn_vec3){0.3, 0.05, 0.03});
        double deepest = 0.0;
        for (int k = 0; k < 20; ++k) {
            contact_step(world, 1, 30.0, 4);
            for (int corner = 0; corner < 4; ++corner) {
                tn_vec3 own = {corner & 1 ? 0.3 : -0.3, corner & 2 ? 0.05 : -0.05, 0.0};
                deepest = fmax(deepest, -tn_body_get_world_point(world, body, own).y);
            }
        }
        cr_assert(deepest < 5e-3, "run %d: %g m deep", i, deepest);
        tn_world_destroy(world);
    }
}

// A ball rolls down on to the next facet of a hollow whose facets meet at an edge. Gravity brings
// it nearer to that edge than its speed at a step's start tells. It loses what the turn of its way
// costs, and not the speed at which the edge seems to come.
Test(contact_path, a_ball_that_gravity_brings_near_an_edge_keeps_its_speed) {
    const double slopes[2] = {0.5, 0.2}; // rad, of the upper and the lower facet
    for (int i = 0; i < 40; ++i) {
        tn_world *world = contact_world_create(9.81);
        tn_material ice = contact_material(0.0, 0.0);
        for (int k = 0; k < 2; ++k) {
            double side = k == 0 ? -1.0 : 1.0, c = cos(slopes[k]), s = sin(slopes[k]);
            tn_body_def def = contact_body_at(side * c - 0.1 * s, -side * s - 0.1 * c, 0.0);
            contact_body_turn(&def, (tn_vec3){0.0, 0.0, 1.0}, -slopes[k]);
            def.type = TN_BODY_TYPE_STATIC;
            tn_body_id facet = tn_body_create(world, &def);
            tn_shape_def shape = tn_shape_def_default();
            shape.material = ice;
            tn_box_shape_create(world, facet, &shape, (tn_vec3){1.0, 0.1, 1.0});
        }
        double c = cos(slopes[0]), s = sin(slopes[0]), back = 0.2 + 0.002 * i, radius = 0.15;
        tn_body_def def = contact_body_at(-back * c + radius * s, back * s + radius * c, 0.0);
        def.velocity.linear = (tn_vec3){2.0 * c, -2.0 * s, 0.0};
        tn_body_id ball = contact_body_create(world, &def, CONTACT_BALL, radius, ice);
        double start = 2.0 + 9.81 * def.pose.position.y;
        contact_step(world, 15, 60.0, 4);
        tn_vec3 v = tn_body_get_velocity(world, ball).linear;
        double end = 0.5 * (v.x * v.x + v.y * v.y) + 9.81 * tn_body_get_center(world, ball).y;
        double turn = slopes[0] - slopes[1], met = 4.0 + 2.0 * 9.81 * back * s;
        double cost = 0.5 * met * sin(turn) * sin(turn);
        cr_assert(start - end < 1.25 * cost, "%d: loses %g of %g J/kg", i, start - end, cost);
        tn_world_destroy(world);
    }
}
