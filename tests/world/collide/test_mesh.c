// What moves over triangle meshes.
#include "tests/support/hull_make.h"
#include "tests/support/long_test.h"
#include "tests/world/collide/mesh_world.h"

#define GRAVITY 9.81

TestSuite(mesh, .timeout = 60);

// ---- rest -------------------------------------------------------------------------------------

static tn_body_id mesh_drop(tn_world *world, uint32_t i, double x, double y, double z) {
    tn_body_def def = contact_body_at(x, y, z);
    contact_body_turn(&def, (tn_vec3){0.6, 0.8, 0.0}, 0.7 * i);
    tn_material material = contact_material(0.6, 0.0);
    material.rolling_resistance = material.twisting_resistance = 0.01f; // it comes to rest
    return contact_body_create(world, &def, (contact_kind)(i % CONTACT_KIND_COUNT), 0.3, material);
}

// Bumps in a bowl, which keeps what rolls.
static double mesh_bowl(double x, double z) {
    return mesh_bumpy(x, z) + 0.02 * (x * x + z * z);
}

LONG_TEST(mesh, a_pile_comes_to_rest_on_bumps) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    mesh_ground ground = {
        .columns = 60, .rows = 60, .size = 0.31, .x = -9.3, .z = -9.3, .height = mesh_bowl};
    tn_material material = contact_material(0.6, 0.0);
    mesh_body_create(world, TN_BODY_TYPE_STATIC, &ground, material);
    tn_body_id bodies[50];
    for (uint32_t i = 0; i < 50; ++i) {
        bodies[i] =
            mesh_drop(world, i, 0.9 * (i % 4) - 1.35, 1.0 + 0.8 * (i / 16), 0.9 * (i / 4 % 4));
    }
    contact_step(world, 1500, 60.0, 4);
    uint32_t awake = 0;
    for (uint32_t i = 0; i < 50; ++i) {
        tn_vec3 p = tn_body_get_center(world, bodies[i]);
        cr_expect(p.y > mesh_bowl(p.x, p.z) + 0.1, "body %u fell through at %g %g %g", i, p.x, p.y,
                  p.z);
        awake += tn_body_is_awake(world, bodies[i]);
    }
    cr_expect(awake == 0, "%u bodies are awake after 25 s", awake);
    test_world_destroy_quiet(world, &reports);
}

static double mesh_hilly(double x, double z) {
    return 0.5 * sin(1.1 * x) * cos(1.3 * z) + 0.05 * (x * x + z * z);
}

// Boxes fall on hills. No contact is deeper than the boxes really are in the ground, 0.04 m at the
// most, when one lands aslant. (Edges that pass each other reported 0.11 m.)
Test(mesh, no_contact_is_deeper_than_the_overlap) {
    tn_world *world = contact_world_create(GRAVITY);
    mesh_ground ground = {
        .columns = 24, .rows = 24, .size = 0.5, .x = -6.0, .z = -6.0, .height = mesh_hilly};
    mesh_body_create(world, TN_BODY_TYPE_STATIC, &ground, contact_material(0.6, 0.0));
    for (int i = 0; i < 25; ++i) {
        tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 1.3 * (i % 5) - 2.6,
                                           3.0 + 0.1 * (i % 3), 1.2 * (i / 5) - 2.4);
        tn_shape_def def = tn_shape_def_default();
        tn_box_shape_create(world, body, &def, (tn_vec3){0.3, 0.15, 0.24});
    }
    double deepest = 0.0;
    for (int i = 0; i < 180; ++i) {
        tn_world_step(world, 1.0 / 60.0, 4);
        deepest = fmax(deepest, (double)tn_world_get_telemetry(world).deepest_penetration);
    }
    cr_expect(deepest < 0.05, "%g m", deepest);
    tn_world_destroy(world);
}

// ---- blows ------------------------------------------------------------------------------------

Test(mesh, nothing_goes_through_at_any_speed) {
    for (uint32_t i = 0; i < 96; ++i) {
        const double speeds[] = {10.0, 100.0, 400.0};
        tn_world *world = contact_world_create(GRAVITY);
        bool is_bumpy = i % 2 == 0;
        mesh_ground ground = {.columns = 40,
                              .rows = 40,
                              .size = 0.4,
                              .x = -8.0,
                              .z = -8.0,
                              .height = is_bumpy ? mesh_bumpy : mesh_flat};
        mesh_body_create(world, TN_BODY_TYPE_STATIC, &ground, contact_material(0.6, 0.0));
        tn_body_id body = mesh_drop(world, i / 2, 0.03 * i, 2.0, -0.02 * i);
        double speed = speeds[i % 3];
        tn_velocity velocity = {{0.2 * speed, -speed, 0.1 * speed}, {3.0, 1.0, 2.0}};
        tn_body_set_velocity(world, body, velocity);
        double lowest = 10.0;
        for (int k = 0; k < 20; ++k) {
            tn_world_step(world, 1.0 / 60.0, 4);
            tn_vec3 p = tn_body_get_center(world, body);
            bool is_over = fabs(p.x) < 7.9 && fabs(p.z) < 7.9;
            lowest = is_over ? fmin(lowest, p.y - (is_bumpy ? mesh_bumpy(p.x, p.z) : 0.0)) : lowest;
        }
        cr_expect(lowest > 0.05, "a %s of %g m/s comes to %g m over a %s mesh",
                  contact_kind_names[i / 2 % CONTACT_KIND_COUNT], speed, lowest,
                  is_bumpy ? "bumpy" : "flat");
        tn_world_destroy(world);
    }
}

// What was put into the ground by half its height and more comes out again, upright or turned.
LONG_TEST(mesh, what_is_deep_in_a_mesh_comes_out) {
    for (uint32_t i = 0; i < 8 * CONTACT_KIND_COUNT; ++i) {
        contact_kind kind = (contact_kind)(i / 8);
        double size = i % 2 == 0 ? 0.25 : 1.0, height = i / 2 % 2 == 0 ? 0.25 : 0.4;
        tn_world *world = contact_world_create(GRAVITY);
        uint32_t count = (uint32_t)(4.0 / size) + 1;
        mesh_ground ground = {.columns = count,
                              .rows = count,
                              .size = size,
                              .x = -2.03,
                              .z = -2.02,
                              .height = mesh_flat};
        mesh_body_create(world, TN_BODY_TYPE_STATIC, &ground, contact_material(0.6, 0.0));
        tn_body_def def = contact_body_at(0.01, height, 0.02);
        contact_body_turn(&def, (tn_vec3){0.6, 0.0, 0.8}, i / 4 % 2 == 0 ? 0.0 : 0.9);
        tn_body_id body = contact_body_create(world, &def, kind, 0.5, contact_material(0.6, 0.0));
        double highest = 0.0;
        for (int k = 0; k < 60; ++k) {
            contact_step(world, 1, 60.0, 4);
            highest = fmax(highest, tn_body_get_center(world, body).y);
        }
        double end = tn_body_get_center(world, body).y;
        cr_expect(end > 0.28 && highest < 1.6, "a %s at %g m in triangles of %g m: %g m, %g m",
                  contact_kind_names[kind], height, size, end, highest);
        tn_world_destroy(world);
    }
}

// A body is on the side of a triangle on which its centroid is, wherever its frame has the origin.
static double mesh_come_to_rest(tn_world *world, tn_body_id body) {
    contact_step(world, 120, 60.0, 4);
    double height = tn_body_get_center(world, body).y;
    tn_world_destroy(world);
    return height;
}

static tn_world *mesh_make_floor(double size) {
    tn_world *world = contact_world_create(GRAVITY);
    mesh_ground ground = {.columns = 8,
                          .rows = 8,
                          .size = size,
                          .x = -4.03 * size,
                          .z = -4.02 * size,
                          .height = mesh_flat};
    mesh_body_create(world, TN_BODY_TYPE_STATIC, &ground, contact_material(0.6, 0.0));
    return world;
}

// A cone, rounded or not, or a pyramid of as many sides as a hull, tip down.
static void mesh_add_tip(tn_world *world, tn_body_id body, int kind) {
    tn_shape_def shape = tn_shape_def_default();
    if (kind < 2) {
        shape.rounding = kind == 0 ? 0.0f : 0.05f;
        cr_assert(tn_cone_shape_create(world, body, &shape, 0.5f, 0.5f).value != 0);
        return;
    }
    tn_vec3 corners[17] = {{0.0, 0.5, 0.0}};
    for (int k = 0; k < 16; ++k) {
        corners[k + 1] = (tn_vec3){0.5 * cos(M_PI * k / 8.0), -0.5, 0.5 * sin(M_PI * k / 8.0)};
    }
    cr_assert(hull_shape_make(world, body, &shape, corners, 17).value != 0);
}

Test(mesh, a_tip_that_stands_in_it_up_to_more_than_half_its_height_comes_out) {
    for (int i = 0; i < 6; ++i) {
        tn_world *world = mesh_make_floor(i % 2 == 0 ? 0.3 : 2.0);
        tn_body_def def = contact_body_at(0.1, -0.03, 0.2); // its middle; the tip is 0.5 m below
        contact_body_turn(&def, (tn_vec3){1.0, 0.0, 0.0}, M_PI);
        tn_body_id body = tn_body_create(world, &def);
        mesh_add_tip(world, body, i / 2);
        cr_assert(tn_body_get_center(world, body).y > 0.1);
        double end = mesh_come_to_rest(world, body);
        cr_expect(end > 0.2, "kind %d, triangles %d: it comes to %g m", i / 2, i % 2, end);
    }
}

Test(mesh, a_hull_lies_on_it_that_was_made_far_from_its_origin) {
    for (int i = 0; i < 8; ++i) {
        double up = i % 2 == 0 ? 3.0 : -3.0, y = 1.0 - up; // it falls from 0.5 m
        tn_vec3 corners[8];
        for (int k = 0; k < 8; ++k) {
            corners[k] =
                (tn_vec3){k & 1 ? 0.5 : -0.5, up + (k & 2 ? 0.5 : -0.5), k & 4 ? 0.5 : -0.5};
        }
        tn_world *world = mesh_make_floor(i / 2 % 2 == 0 ? 0.3 : 2.0);
        tn_body_def def = contact_body_at(0.1, y, 0.2);
        tn_body_id body = tn_body_create(world, &def);
        tn_shape_def shape = tn_shape_def_default();
        shape.rounding = i / 4 == 0 ? 0.0f : 0.1f;
        cr_assert(hull_shape_make(world, body, &shape, corners, 8).value != 0);
        double end = mesh_come_to_rest(world, body), rest = 0.5 + (double)shape.rounding;
        cr_expect(fabs(end - rest) < 0.01, "%g m over its frame: %g m instead of %g m", up, end,
                  rest);
    }
}

// ---- sides ------------------------------------------------------------------------------------

// Returns the height after a second of what is thrown up from below.
static double mesh_throw_up(contact_kind kind, bool is_two_sided) {
    tn_world *world = contact_world_create(0.0);
    mesh_ground ground = {.columns = 10,
                          .rows = 10,
                          .size = 1.0,
                          .x = -5.0,
                          .z = -5.0,
                          .height = mesh_flat,
                          .is_two_sided = is_two_sided};
    mesh_body_create(world, TN_BODY_TYPE_STATIC, &ground, contact_material(0.6, 0.0));
    tn_body_def def = contact_body_at(0.1, -1.5, 0.2);
    def.velocity.linear.y = 3.0;
    tn_body_id body = contact_body_create(world, &def, kind, 0.3, contact_material(0.6, 0.0));
    contact_step(world, 60, 60.0, 4);
    double height = tn_body_get_center(world, body).y;
    tn_world_destroy(world);
    return height;
}

Test(mesh, one_side_lets_pass_from_behind) {
    for (contact_kind kind = 0; kind < CONTACT_KIND_COUNT; ++kind) {
        double height = mesh_throw_up(kind, false);
        cr_expect(height > 1.3, "a %s comes to %g m", contact_kind_names[kind], height);
    }
}

Test(mesh, two_sides_hold_from_both) {
    for (contact_kind kind = 0; kind < CONTACT_KIND_COUNT; ++kind) {
        double height = mesh_throw_up(kind, true);
        cr_expect(height < -0.29, "a %s comes to %g m", contact_kind_names[kind], height);
    }
}

// ---- changes ----------------------------------------------------------------------------------

static tn_world *mesh_make_rest(tn_body_id *ground_body, tn_body_id bodies[4]) {
    tn_world_def world_def = tn_world_def_default();
    tn_world *world = tn_world_create(&world_def, NULL);
    mesh_ground ground = {
        .columns = 20, .rows = 20, .size = 0.6, .x = -6.0, .z = -6.0, .height = mesh_flat};
    *ground_body =
        mesh_body_create(world, TN_BODY_TYPE_STATIC, &ground, contact_material(0.6, 0.0));
    for (uint32_t i = 0; i < 4; ++i) {
        tn_body_def def = contact_body_at(1.5 * i - 2.0, 0.31, 0.1);
        bodies[i] =
            contact_body_create(world, &def, (contact_kind)i, 0.3, contact_material(0.6, 0.0));
    }
    contact_step(world, 180, 60.0, 4);
    return world;
}

static void mesh_assert_fall(tn_world *world, const tn_body_id bodies[4]) {
    contact_step(world, 60, 60.0, 4);
    for (uint32_t i = 0; i < 4; ++i) {
        double y = tn_body_get_center(world, bodies[i]).y;
        cr_expect(y < -2.0, "the %s stays at %g m", contact_kind_names[i], y);
    }
    tn_world_destroy(world);
}

Test(mesh, what_rests_falls_when_the_shape_is_destroyed) {
    tn_body_id ground, bodies[4];
    tn_shape_id shape;
    tn_world *world = mesh_make_rest(&ground, bodies);
    for (uint32_t i = 0; i < 4; ++i) {
        cr_expect(!tn_body_is_awake(world, bodies[i]), "the %s is awake", contact_kind_names[i]);
    }
    tn_body_get_shapes(world, ground, &shape, 1);
    tn_shape_destroy(world, shape);
    mesh_assert_fall(world, bodies);
}

Test(mesh, what_rests_falls_when_the_body_is_destroyed) {
    tn_body_id ground, bodies[4];
    tn_world *world = mesh_make_rest(&ground, bodies);
    tn_body_destroy(world, ground);
    mesh_assert_fall(world, bodies);
}

Test(mesh, what_rests_falls_when_the_filter_changes) {
    tn_body_id ground, bodies[4];
    tn_shape_id shape;
    tn_world *world = mesh_make_rest(&ground, bodies);
    tn_body_get_shapes(world, ground, &shape, 1);
    tn_shape_set_filter(world, shape, (tn_filter){.category = 2, .mask = 2});
    mesh_assert_fall(world, bodies);
}

Test(mesh, what_rests_falls_when_the_body_is_disabled_or_moved_away) {
    tn_body_id ground, bodies[4];
    tn_world *world = mesh_make_rest(&ground, bodies);
    tn_body_set_enabled(world, ground, false);
    mesh_assert_fall(world, bodies);
    world = mesh_make_rest(&ground, bodies);
    tn_body_set_pose(world, ground, (tn_pose){{100.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}});
    mesh_assert_fall(world, bodies);
}

Test(mesh, a_ground_that_is_put_elsewhere_carries_there) {
    tn_body_id ground, bodies[4];
    tn_world *world = mesh_make_rest(&ground, bodies);
    double half = 0.5 * 0.3;
    tn_body_set_pose(world, ground, (tn_pose){{0.05, -0.5, 0.0}, {0.0, sin(half), 0.0, cos(half)}});
    contact_step(world, 120, 60.0, 4);
    for (uint32_t i = 0; i < 4; ++i) {
        double y = tn_body_get_center(world, bodies[i]).y;
        cr_expect(fabs(y + 0.2) < 0.01 || (i == CONTACT_CAPSULE && y > -0.25), "the %s is at %g m",
                  contact_kind_names[i], y);
    }
    tn_world_destroy(world);
}

// ---- the same -----------------------------------------------------------------------------------

static uint64_t mesh_hash_pile(uint32_t workers, bool *out_is_right) {
    tn_world_def def = tn_world_def_default();
    def.worker_count = workers;
    def.is_sleep_allowed = false;
    tn_world *world = tn_world_create(&def, NULL);
    mesh_ground ground = {
        .columns = 50, .rows = 50, .size = 0.4, .x = -10.0, .z = -10.0, .height = mesh_bumpy};
    mesh_body_create(world, TN_BODY_TYPE_STATIC, &ground, contact_material(0.6, 0.0));
    for (uint32_t i = 0; i < 200; ++i) {
        mesh_drop(world, i, 0.8 * (i % 8) - 3.2, 1.0 + 0.9 * (i / 64), 0.8 * (i / 8 % 8) - 3.2);
    }
    contact_step(world, 90, 60.0, 4);
    uint64_t hash = tn_world_get_hash(world);
    *out_is_right = tn_world_get_telemetry(world).reports == 0;
    tn_world_destroy(world);
    return hash;
}

LONG_TEST(mesh, any_number_of_workers_gives_the_same_bits) {
    bool is_right;
    uint64_t one = mesh_hash_pile(1, &is_right);
    cr_expect(is_right);
    for (uint32_t workers = 2; workers <= 4; ++workers) {
        cr_expect(mesh_hash_pile(workers, &is_right) == one, "%u workers", workers);
    }
}

Test(mesh, two_worlds_share_a_mesh) {
    mesh_ground ground = {
        .columns = 10, .rows = 10, .size = 1.0, .x = -5.0, .z = -5.0, .height = mesh_bumpy};
    tn_mesh *mesh = mesh_ground_create(&ground);
    tn_world *worlds[2];
    tn_body_id bodies[2];
    for (int w = 0; w < 2; ++w) {
        worlds[w] = contact_world_create(GRAVITY);
        tn_body_id body = test_body_create(worlds[w], TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
        tn_shape_def def = tn_shape_def_default();
        tn_shape_id shape = tn_mesh_shape_create(worlds[w], body, &def, mesh, NULL, 0);
        cr_assert(tn_mesh_shape_get_mesh(worlds[w], shape) == mesh);
        bodies[w] = mesh_drop(worlds[w], 2, 0.3, 1.0, 0.2);
    }
    tn_mesh_release(mesh);
    contact_step(worlds[0], 100, 60.0, 4);
    tn_vec3 there = tn_body_get_center(worlds[0], bodies[0]);
    tn_world_destroy(worlds[0]);
    contact_step(worlds[1], 100, 60.0, 4);
    tn_vec3 here = tn_body_get_center(worlds[1], bodies[1]);
    cr_expect(memcmp(&here, &there, sizeof here) == 0);
    tn_world_destroy(worlds[1]);
}

Test(mesh, far_from_the_origin_as_at_home) {
    const double offset = 131072.0; // m: representable with a step of 1.5e-11 m
    tn_vec3 ends[2];
    for (int k = 0; k < 2; ++k) {
        tn_world *world = contact_world_create(GRAVITY);
        mesh_ground ground = {
            .columns = 20, .rows = 20, .size = 0.5, .x = -5.0, .z = -5.0, .height = mesh_bumpy};
        tn_body_id floor =
            mesh_body_create(world, TN_BODY_TYPE_STATIC, &ground, contact_material(0.6, 0.0));
        tn_body_set_pose(world, floor, (tn_pose){{k * offset, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}});
        tn_body_id body = mesh_drop(world, 2, k * offset + 0.3, 1.0, 0.2);
        contact_step(world, 60, 60.0, 4);
        ends[k] = tn_body_get_center(world, body);
        ends[k].x -= k * offset;
        tn_world_destroy(world);
    }
    cr_expect(fabs(ends[0].x - ends[1].x) < 1e-4 && fabs(ends[0].y - ends[1].y) < 1e-4 &&
                  fabs(ends[0].z - ends[1].z) < 1e-4,
              "%g %g %g for %g %g %g", ends[1].x, ends[1].y, ends[1].z, ends[0].x, ends[0].y,
              ends[0].z);
}

// ---- meshes that move ---------------------------------------------------------------------------

Test(mesh, a_lift_carries_what_stands_on_it) {
    for (contact_kind kind = 0; kind < CONTACT_KIND_COUNT; ++kind) {
        tn_world *world = contact_world_create(GRAVITY);
        mesh_ground ground = {
            .columns = 8, .rows = 8, .size = 0.5, .x = -2.0, .z = -2.0, .height = mesh_flat};
        tn_body_id lift =
            mesh_body_create(world, TN_BODY_TYPE_KINEMATIC, &ground, contact_material(0.6, 0.0));
        tn_body_def def = contact_body_at(0.1, 0.3, 0.2);
        if (kind == CONTACT_CAPSULE) {
            contact_body_turn(&def, (tn_vec3){1.0, 0.0, 0.0}, M_PI / 2.0);
        }
        tn_body_id body = contact_body_create(world, &def, kind, 0.3, contact_material(0.6, 0.0));
        for (int k = 0; k < 300; ++k) {
            double up = k < 120 ? 2.0 : k < 180 ? 0.0 : -1.0;
            tn_body_set_velocity(world, lift, (tn_velocity){{0.3, up, 0.0}, {0.0, 0.0, 0.0}});
            tn_world_step(world, 1.0 / 60.0, 4);
        }
        tn_vec3 p = tn_body_get_center(world, body), q = tn_body_get_center(world, lift);
        cr_expect(fabs(p.y - q.y - 0.3) < 0.01, "a %s is %g m over the lift",
                  contact_kind_names[kind], p.y - q.y);
        cr_expect(kind == CONTACT_BALL || kind == CONTACT_CAPSULE || fabs(p.x - q.x - 0.1) < 0.05,
                  "a %s is at %g m on the lift", contact_kind_names[kind], p.x - q.x);
        tn_world_destroy(world);
    }
}

// A box goes round with the table: within 3 mm after two turns and a half.
Test(mesh, a_turntable_takes_a_box_round) {
    tn_world *world = contact_world_create(GRAVITY);
    mesh_ground ground = {
        .columns = 12, .rows = 12, .size = 0.5, .x = -3.0, .z = -3.0, .height = mesh_flat};
    tn_body_id table =
        mesh_body_create(world, TN_BODY_TYPE_KINEMATIC, &ground, contact_material(0.8, 0.0));
    tn_body_set_velocity(world, table, (tn_velocity){{0.0, 0.0, 0.0}, {0.0, 1.0, 0.0}});
    tn_body_def def = contact_body_at(1.5, 0.2, 0.0);
    def.velocity = (tn_velocity){{0.0, 0.0, -1.5}, {0.0, 1.0, 0.0}};
    tn_body_id body =
        contact_body_create(world, &def, CONTACT_BOX, 0.2, contact_material(0.8, 0.0));
    contact_step(world, 940, 60.0, 4);
    tn_vec3 p = tn_body_get_center(world, body);
    cr_expect(fabs(hypot(p.x, p.z) - 1.5) < 3e-3 && fabs(p.y - 0.2) < 2e-3, "at %g m, %g m high",
              hypot(p.x, p.z), p.y);
    tn_world_destroy(world);
}

// ---- dynamic meshes -----------------------------------------------------------------------------

static tn_body_id mesh_box_body_create(tn_world *world, double x, double y, double z,
                                       uint32_t cuts) {
    tn_mesh *mesh = mesh_box_create((tn_vec3){0.4, 0.3, 0.5}, cuts);
    cr_assert(fabs((double)tn_mesh_get_volume(mesh) - 0.48) < 1e-6, "%g m^3",
              (double)tn_mesh_get_volume(mesh));
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, x, y, z);
    tn_shape_def def = tn_shape_def_default();
    cr_assert(tn_mesh_shape_create(world, body, &def, mesh, NULL, 0).value != 0);
    tn_mesh_release(mesh);
    return body;
}

Test(mesh, a_closed_mesh_has_the_mass_of_its_box) {
    tn_world *world = contact_world_create(GRAVITY);
    tn_body_id body = mesh_box_body_create(world, 0.0, 0.0, 0.0, 2);
    tn_body_id box = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    tn_box_shape_create(world, box, &def, (tn_vec3){0.4, 0.3, 0.5});
    tn_mass mass = tn_body_get_mass(world, body), want = tn_body_get_mass(world, box);
    cr_expect(fabs(mass.mass - want.mass) < 1e-3 &&
                  fabs(mass.inertia.xx - want.inertia.xx) < 1e-3 &&
                  fabs(mass.inertia.zz - want.inertia.zz) < 1e-3,
              "%g kg for %g", mass.mass, want.mass);
    tn_world_destroy(world);
}

// On a half-space, a block, a hull and a ball that stands still.
Test(mesh, a_closed_mesh_falls_and_rests) {
    for (int floor = 0; floor < 2; ++floor) {
        for (uint32_t cuts = 1; cuts <= 3; ++cuts) {
            tn_world *world = contact_world_create(GRAVITY);
            tn_body_id ground = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
            tn_shape_def def = tn_shape_def_default();
            if (floor == 0) {
                tn_half_space_shape_create(world, ground, &def);
            } else {
                def.local_pose.position.y = -1.0;
                tn_box_shape_create(world, ground, &def, (tn_vec3){5.0, 1.0, 5.0});
            }
            tn_body_id body = mesh_box_body_create(world, 0.7, 0.6, 0.3, cuts);
            contact_step(world, 240, 60.0, 4);
            tn_vec3 p = tn_body_get_center(world, body);
            tn_vec3 w = tn_body_get_velocity(world, body).angular;
            cr_expect(fabs(p.y - 0.3) < 2e-3 && fabs(p.x - 0.7) < 0.01 &&
                          fabs(w.x) + fabs(w.y) + fabs(w.z) < 1e-3,
                      "floor %d, %u cuts: at %g %g %g, turning %g", floor, cuts, p.x, p.y, p.z,
                      fabs(w.x) + fabs(w.y) + fabs(w.z));
            tn_world_destroy(world);
        }
    }
}

Test(mesh, everything_rests_on_a_dynamic_mesh) {
    for (contact_kind kind = 0; kind < CONTACT_KIND_COUNT; ++kind) {
        tn_world *world = contact_world_create(GRAVITY);
        tn_body_id ground = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
        tn_shape_def def = tn_shape_def_default();
        tn_half_space_shape_create(world, ground, &def);
        tn_body_id mesh = mesh_box_body_create(world, 0.0, 0.3, 0.0, 2);
        tn_body_def body_def = contact_body_at(0.05, 0.95, 0.04);
        if (kind == CONTACT_CAPSULE) {
            contact_body_turn(&body_def, (tn_vec3){1.0, 0.0, 0.0}, M_PI / 2.0);
        }
        tn_body_id body =
            contact_body_create(world, &body_def, kind, 0.2, contact_material(0.6, 0.0));
        contact_step(world, 120, 60.0, 4);
        double y = tn_body_get_center(world, body).y, under = tn_body_get_center(world, mesh).y;
        cr_expect(fabs(y - 0.8) < 5e-3 && fabs(under - 0.3) < 5e-3, "a %s is at %g m over %g",
                  contact_kind_names[kind], y, under);
        tn_world_destroy(world);
    }
}

Test(mesh, an_open_mesh_moves_by_the_mass_that_was_set) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    mesh_ground ground = {
        .columns = 4, .rows = 4, .size = 0.25, .x = -0.5, .z = -0.5, .height = mesh_flat};
    tn_body_id body =
        mesh_body_create(world, TN_BODY_TYPE_STATIC, &ground, contact_material(0.6, 0.0));
    tn_body_set_type(world, body, TN_BODY_TYPE_DYNAMIC);
    cr_expect(reports.last == TN_RESULT_INVALID_MASS);
    tn_body_set_mass(world, body,
                     (tn_mass){.mass = 2.0, .inertia = {.xx = 0.2, .yy = 0.4, .zz = 0.2}});
    cr_expect(tn_body_set_type(world, body, TN_BODY_TYPE_DYNAMIC) == TN_RESULT_OK);
    tn_world_step(world, 1.0 / 60.0, 4);
    cr_expect(tn_body_get_velocity(world, body).linear.y < -0.1);
    tn_world_destroy(world);
}

// ---- edges --------------------------------------------------------------------------------------

// A profile along x, drawn out along z from -3 to 3 m: `count` points of (x, y).
static tn_body_id mesh_profile_create(tn_world *world, const double (*points)[2], uint32_t count,
                                      double friction) {
    enum {
        CUTS = 7
    };
    float positions[3 * 16 * (CUTS + 1)];
    uint32_t indices[6 * 16 * CUTS], *next = indices;
    for (uint32_t j = 0; j <= CUTS; ++j) {
        for (uint32_t i = 0; i < count; ++i) {
            float *place = &positions[3 * (j * count + i)];
            place[0] = (float)points[i][0];
            place[1] = (float)points[i][1];
            place[2] = (float)(6.0 * j / CUTS - 3.0);
        }
    }
    for (uint32_t j = 0; j < CUTS; ++j) {
        for (uint32_t i = 0; i + 1 < count; ++i, next += 6) {
            uint32_t a = j * count + i, b = a + 1, c = a + count, d = c + 1;
            const uint32_t corners[6] = {a, c, b, b, c, d};
            memcpy(next, corners, sizeof corners);
        }
    }
    tn_mesh_def def = tn_mesh_def_default();
    def.positions = positions;
    def.position_count = count * (CUTS + 1);
    def.indices = indices;
    def.triangle_count = 2 * CUTS * (count - 1);
    tn_mesh *mesh = tn_mesh_create(&def, NULL);
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
    tn_shape_def shape = tn_shape_def_default();
    shape.material.friction = (float)friction;
    cr_assert(tn_mesh_shape_create(world, body, &shape, mesh, NULL, 0).value != 0);
    tn_mesh_release(mesh);
    return body;
}

// Steps of 0.2 m up to the right: the tops at 0, 0.2, 0.4 and 0.6 m.
static const double mesh_steps[8][2] = {{-4.0, 0.0}, {0.0, 0.0}, {0.0, 0.2}, {0.5, 0.2},
                                        {0.5, 0.4},  {1.0, 0.4}, {1.0, 0.6}, {5.0, 0.6}};

// A plank lies over the edge of a step, its middle still on it.
Test(mesh, a_box_rests_over_the_edge_of_a_step) {
    for (int i = 0; i < 20; ++i) {
        double x = 1.02 + 0.015 * i, yaw = 0.05 * i;
        tn_world *world = contact_world_create(GRAVITY);
        mesh_profile_create(world, mesh_steps, 8, 0.6);
        tn_body_def def = contact_body_at(x, 0.8, 0.021 * i);
        contact_body_turn(&def, (tn_vec3){0.0, 1.0, 0.0}, yaw);
        tn_body_id body =
            contact_body_create(world, &def, CONTACT_BOX, 0.2, contact_material(0.6, 0.0));
        contact_step(world, 120, 60.0, 4);
        tn_vec3 p = tn_body_get_center(world, body);
        cr_expect(fabs(p.x - x) < 2e-3 && fabs(p.y - 0.8) < 2e-3, "from %g, yaw %g: at %g %g", x,
                  yaw, p.x, p.y);
        tn_world_destroy(world);
    }
}

// Whatever comes down the steps gains no more energy than they give.
Test(mesh, nothing_is_thrown_by_steps) {
    for (uint32_t i = 0; i < 40; ++i) {
        tn_world *world = contact_world_create(GRAVITY);
        mesh_profile_create(world, mesh_steps, 8, 0.4);
        contact_kind kind = (contact_kind)(i % CONTACT_KIND_COUNT);
        tn_body_def def =
            contact_body_at(2.0, 0.6 + (kind == CONTACT_CAPSULE ? 0.41 : 0.21), 0.05 * i - 1.0);
        contact_body_turn(&def, (tn_vec3){0.0, 1.0, 0.0}, 0.11 * i);
        def.velocity.linear.x = -1.0 - 0.15 * i;
        double speed = -def.velocity.linear.x;
        tn_body_id body = contact_body_create(world, &def, kind, 0.2, contact_material(0.4, 0.0));
        double fastest = 0.0, highest = 0.0, deepest = 1.0;
        for (int k = 0; k < 180; ++k) {
            tn_world_step(world, 1.0 / 60.0, 4);
            tn_vec3 p = tn_body_get_center(world, body);
            tn_vec3 v = tn_body_get_velocity(world, body).linear;
            fastest = fmax(fastest, v.x * v.x + v.y * v.y + v.z * v.z + 2.0 * GRAVITY * p.y);
            highest = fmax(highest, p.y);
            double ground = p.x > 1.0 ? 0.6 : p.x > 0.5 ? 0.4 : p.x > 0.0 ? 0.2 : 0.0;
            deepest = p.x > -3.9 ? fmin(deepest, p.y - ground) : deepest;
        }
        double most = speed * speed + 2.0 * GRAVITY * def.pose.position.y;
        cr_expect(fastest < 1.02 * most + 0.02 && highest < def.pose.position.y + 0.3,
                  "a %s of %g m/s: energy %g for %g, up to %g m", contact_kind_names[kind], speed,
                  fastest, most, highest);
        cr_expect(deepest > 0.1, "a %s of %g m/s sinks to %g m", contact_kind_names[kind], speed,
                  deepest);
        tn_world_destroy(world);
    }
}

// A flat box slides down a ramp on to the level, where the edge between both is concave.
Test(mesh, a_box_slides_from_a_ramp_to_the_level) {
    const double ramp[4][2] = {{-8.0, 3.0}, {-2.0, 0.0}, {0.0, 0.0}, {20.0, 0.0}};
    for (int i = 0; i < 12; ++i) {
        tn_world *world = contact_world_create(GRAVITY);
        mesh_profile_create(world, ramp, 4, 0.0);
        double slope = atan2(3.0, 6.0), x = -4.0 - 0.1 * i;
        tn_body_def def =
            contact_body_at(x + 0.2 * sin(slope), -0.5 * (x + 2.0) + 0.2 * cos(slope), 0.03 * i);
        contact_body_turn(&def, (tn_vec3){0.0, 0.0, 1.0}, -slope);
        tn_body_id body = tn_body_create(world, &def);
        tn_shape_def shape = tn_shape_def_default();
        shape.material = contact_material(0.0, 0.0);
        tn_box_shape_create(world, body, &shape, (tn_vec3){0.6, 0.2, 0.4});
        double lowest = 1.0, start = tn_body_get_center(world, body).y;
        for (int k = 0; k < 150; ++k) {
            tn_world_step(world, 1.0 / 60.0, 4);
            lowest = fmin(lowest, tn_body_get_center(world, body).y);
        }
        tn_vec3 v = tn_body_get_velocity(world, body).linear;
        double most = sqrt(2.0 * GRAVITY * (start - 0.2));
        cr_expect(lowest > 0.18 && v.x > 0.3 * most && v.x < 1.01 * most && fabs(v.z) < 0.01,
                  "run %d: lowest %g m, %g m/s of %g, aside %g", i, lowest, v.x, most, v.z);
        tn_world_destroy(world);
    }
}

// Along the foot of a wall, touching it: neither the wall nor the floor catches.
Test(mesh, nothing_is_caught_along_a_wall) {
    const double corner[3][2] = {{-2.0, 0.0}, {0.0, 0.0}, {0.0, 2.0}};
    for (uint32_t i = 0; i < 8; ++i) {
        contact_kind kind = i % 2 == 0 ? CONTACT_BOX : CONTACT_BALL;
        tn_world *world = contact_world_create(GRAVITY);
        mesh_profile_create(world, corner, 3, 0.0);
        tn_body_def def = contact_body_at(-0.2, 0.2, -2.5);
        def.velocity.linear = (tn_vec3){0.2, 0.0, 2.0};
        tn_body_id body = contact_body_create(world, &def, kind, 0.2, contact_material(0.0, 0.0));
        contact_step(world, 120, 60.0, i < 4 ? 4 : 1);
        tn_vec3 p = tn_body_get_center(world, body), v = tn_body_get_velocity(world, body).linear;
        cr_expect(fabs(v.z - 2.0) < 0.01 && fabs(p.x + 0.2) < 6e-3 && fabs(p.y - 0.2) < 2e-3,
                  "a %s goes on with %g m/s at %g %g", contact_kind_names[kind], v.z, p.x, p.y);
        tn_world_destroy(world);
    }
}

// A sensor that reaches into a hill notices it, one that is only in the box of the mesh does not;
// a sensor mesh notices a ball that touches one of its triangles.
Test(mesh, sensors_meet_triangles_and_not_the_box_of_a_mesh) {
    tn_world *world = tn_world_create(NULL, NULL);
    mesh_ground ground = {.columns = 20, .rows = 20, .size = 0.5, .x = -5.0, .z = -5.0};
    ground.height = mesh_bumpy;
    tn_body_id land = mesh_body_create(world, TN_BODY_TYPE_STATIC, &ground, tn_material_default());
    tn_shape_def def = tn_shape_def_default();
    def.is_sensor = true;
    double x = 1.2083, top = mesh_bumpy(x, 0.0);
    tn_body_id low = test_body_create(world, TN_BODY_TYPE_STATIC, x, top, 0.0);
    tn_body_id high = test_body_create(world, TN_BODY_TYPE_STATIC, -x, 0.15, 0.0);
    tn_shape_id inside = tn_sphere_shape_create(world, low, &def, 0.1f);
    tn_shape_id above = tn_sphere_shape_create(world, high, &def, 0.1f);
    cr_assert(tn_world_step(world, 1.0 / 60.0, 4) == TN_RESULT_OK);
    cr_expect(tn_shape_get_overlaps(world, inside, NULL, 0) == 1);
    cr_expect(tn_shape_get_overlaps(world, above, NULL, 0) == 0);
    tn_body_set_pose(world, land, (tn_pose){{0.0, 3.0, 0.0}, {0.0, 0.0, 0.0, 1.0}});
    cr_assert(tn_world_step(world, 1.0 / 60.0, 4) == TN_RESULT_OK);
    cr_expect(tn_shape_get_overlaps(world, inside, NULL, 0) == 0);
    tn_world_destroy(world);
}

// A ball that is cast down, one that is put there, and the nearest point, against the height of
// the triangle below.
Test(mesh, queries_meet_triangles) {
    tn_world *world = tn_world_create(NULL, NULL);
    mesh_ground ground = {.columns = 20, .rows = 20, .size = 0.5, .x = -5.0, .z = -5.0};
    ground.height = mesh_flat;
    mesh_body_create(world, TN_BODY_TYPE_STATIC, &ground, tn_material_default());
    for (int i = 0; i < 200; ++i) {
        double x = -4.0 + 0.04 * i, z = 3.5 * sin(0.7 * i);
        tn_probe probe = tn_sphere_probe_make((tn_vec3){x, 2.0, z}, 0.25f);
        probe.translation = (tn_vec3){0.3, -4.0, -0.2};
        tn_probe_hit hit;
        cr_assert(tn_world_cast_probe(world, &probe, &hit));
        cr_expect(fabs(hit.fraction - 1.75 / 4.0) < 1e-4, "%d: %g", i, hit.fraction);
        cr_expect(fabs(hit.normal.y) > 0.9999);
        probe.max_distance = 5.0;
        cr_assert(tn_world_find_nearest(world, &probe, &hit, 1) == 1);
        cr_expect(fabs(hit.distance - 1.75) < 1e-4, "%d: %g", i, hit.distance);
        cr_expect(tn_world_overlap_probe(world, &probe, &hit, 1) == 0);
        probe.pose.position.y = 0.2;
        cr_expect(tn_world_overlap_probe(world, &probe, &hit, 1) == 1);
    }
    tn_world_destroy(world);
}

// Steps a crate a metre from the middle of a ground whose surface begins to move after it has come
// to rest, and returns where the crate is half a second later.
static tn_vec3 carry_crate(bool is_mesh, tn_surface_velocity velocity) {
    tn_world *world = tn_world_create(NULL, NULL);
    tn_body_id land, crate = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 1.0, 0.25, 0.1,
                                             (tn_vec3){0.25, 0.25, 0.25});
    if (is_mesh) {
        mesh_ground ground = {.columns = 8, .rows = 8, .size = 1.3, .x = -5.0, .z = -5.0};
        ground.height = mesh_flat;
        land = mesh_body_create(world, TN_BODY_TYPE_STATIC, &ground, tn_material_default());
    } else {
        land =
            test_box_create(world, TN_BODY_TYPE_STATIC, 0.0, -1.0, 0.0, (tn_vec3){5.0, 1.0, 5.0});
    }
    tn_shape_id shape;
    cr_assert(tn_body_get_shapes(world, land, &shape, 1) == 1);
    test_step(world, 60);
    tn_shape_set_surface_velocity(world, shape, velocity);
    test_step(world, 30);
    tn_vec3 place = tn_body_get_pose(world, crate).position;
    tn_world_destroy(world);
    return place;
}

// The parts that the crate touches are there when the surface begins to move, and they turn about
// the mesh's own axis.
Test(mesh, a_surface_that_begins_to_move_carries_as_that_of_a_box) {
    static const tn_surface_velocity velocities[2] = {{.linear = {1.5, 0.0, 0.4}},
                                                      {.angular = {0.0, 1.2, 0.0}}};
    for (int i = 0; i < 2; ++i) {
        tn_vec3 of_box = carry_crate(false, velocities[i]);
        tn_vec3 of_mesh = carry_crate(true, velocities[i]);
        cr_assert(fabs(of_box.x - 1.0) + fabs(of_box.z - 0.1) > 0.1, "%g %g", of_box.x, of_box.z);
        cr_expect(fabs(of_mesh.x - of_box.x) < 5e-3 && fabs(of_mesh.z - of_box.z) < 5e-3,
                  "%d: %g %g for %g %g", i, of_mesh.x, of_mesh.z, of_box.x, of_box.z);
    }
}

static bool count_question(const tn_world *world, const tn_contact *contact,
                           tn_contact_settings *settings, void *user_data) {
    (void)world, (void)contact, (void)settings;
    *(int *)user_data += 1;
    return true;
}

// What is set while something lies on the mesh holds for the triangles that it touches.
Test(mesh, events_and_questions_asked_for_later_come_of_triangles_too) {
    tn_world *world = tn_world_create(NULL, NULL);
    mesh_ground ground = {.columns = 8, .rows = 8, .size = 1.3, .x = -5.0, .z = -5.0};
    ground.height = mesh_flat;
    tn_body_id land = mesh_body_create(world, TN_BODY_TYPE_STATIC, &ground, tn_material_default());
    test_box_create(world, TN_BODY_TYPE_DYNAMIC, 1.0, 0.25, 0.1, (tn_vec3){0.25, 0.25, 0.25});
    tn_shape_id shape;
    int questions = 0;
    cr_assert(tn_body_get_shapes(world, land, &shape, 1) == 1);
    tn_world_set_pre_solve(world, count_question, &questions);
    test_step(world, 10);
    cr_expect(questions == 0 && tn_world_get_events(world).persist_count == 0);
    tn_shape_set_pre_solve(world, shape, true);
    tn_shape_set_persist_events(world, shape, true);
    test_step(world, 2);
    cr_expect(questions > 0 && tn_world_get_events(world).persist_count > 0);
    tn_world_destroy(world);
}
