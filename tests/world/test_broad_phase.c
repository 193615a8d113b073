// The broad phase: every pair that is near is found, against all pairs by force.
#include "world/world_internal.h"
#include "world_test.h"

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_world_create(&reports);
}

static void teardown(void) {
    tn_world_destroy(world);
}

TestSuite(broad_phase, .init = setup, .fini = teardown);

static uint32_t random_state = 12345;

static double random_between(double lower, double upper) {
    random_state = random_state * 1664525u + 1013904223u;
    return lower + (upper - lower) * (random_state >> 8) / 16777216.0;
}

static tn_body_id make_random_body(double half_size) {
    tn_body_def def = tn_body_def_default();
    def.type = (tn_body_type)(random_state >> 16 & 3);
    def.type = def.type > TN_BODY_TYPE_DYNAMIC ? TN_BODY_TYPE_DYNAMIC : def.type;
    def.pose.position =
        (tn_position){random_between(-half_size, half_size), random_between(-half_size, half_size),
                      random_between(-half_size, half_size)};
    for (int i = 0; i < 4; ++i) {
        def.pose.rotation[i] = random_between(-1.0, 1.0);
    }
    def.velocity.linear.x = random_between(-20.0, 20.0);
    def.velocity.angular.y = random_between(-20.0, 20.0);
    tn_body_id body = tn_body_create(world, &def);
    tn_shape_def shape = tn_shape_def_default();
    float size = (float)random_between(0.2, 1.0);
    if (random_state >> 20 & 1) {
        tn_sphere_shape_create(world, body, &shape, size);
    } else {
        shape.local_pose.position.x = 0.5f;
        tn_box_shape_create(world, body, &shape, (tn_vec3){size, 0.3f, 0.5f * size});
    }
    return body;
}

// Every pair whose tight boxes overlap and that may touch has a contact.
static void check_all_pairs(void) {
    for (uint32_t a = 0; a < world->shape_pool.slot_count; ++a) {
        if (tni_pool_handle(&world->shape_pool, a) == 0) {
            continue;
        }
        const tni_shape *shape = &world->shapes[a];
        tni_bounds bounds_a = tni_shape_tight_bounds(world, a);
        cr_assert(shape->leaf == TNI_NONE || tni_bounds_contain(&shape->bounds, &bounds_a));
        for (uint32_t b = a + 1; b < world->shape_pool.slot_count; ++b) {
            if (tni_pool_handle(&world->shape_pool, b) == 0 || !tni_shapes_may_touch(world, a, b)) {
                continue;
            }
            tni_bounds bounds_b = tni_shape_tight_bounds(world, b);
            bool has_contact = tni_map_get(&world->pairs, tni_pair_key(a, b)) != TNI_NONE;
            bool is_plane = shape->geometry.type == TNI_GEOMETRY_HALF_SPACE;
            bool overlaps =
                is_plane ? bounds_b.lower.y <= 0.0f : tni_bounds_overlap(&bounds_a, &bounds_b);
            cr_assert(has_contact || !overlaps, "shapes %u and %u", a, b);
        }
    }
    cr_assert(tni_tree_is_valid(&world->static_tree) && tni_tree_is_valid(&world->moving_tree));
}

static void update(double dt) {
    for (uint32_t i = 0; i < world->awake_bodies.count; ++i) {
        tni_body_update_bounds(world, world->awake_bodies.items[i], dt);
    }
    cr_assert(tni_world_update_pairs(world));
}

Test(broad_phase, finds_the_pairs_that_all_against_all_finds, .timeout = 60) {
    tn_body_id bodies[150];
    test_floor_create(world);
    for (int i = 0; i < 150; ++i) {
        bodies[i] = make_random_body(5.0);
    }
    update(1.0 / 60.0);
    check_all_pairs();
    for (int round = 0; round < 60; ++round) {
        // Move, turn, change, take away and make some by hand, then step.
        for (int i = 0; i < 5; ++i) {
            int pick = (int)random_between(0.0, 150.0);
            tn_pose pose = tn_body_get_pose(world, bodies[pick]);
            pose.position.x += random_between(-2.0, 2.0);
            pose.position.y += random_between(0.0, 2.0);
            switch (i) {
            case 0:
                tn_body_destroy(world, bodies[pick]);
                bodies[pick] = make_random_body(5.0);
                break;
            case 1:
                tn_body_set_type(world, bodies[pick], (tn_body_type)(int)random_between(0.0, 3.0));
                break;
            case 2:
                tn_body_set_enabled(world, bodies[pick], !tn_body_is_enabled(world, bodies[pick]));
                break;
            default:
                tn_body_set_pose(world, bodies[pick], pose);
                break;
            }
        }
        test_step(world, 1);
        update(0.0);
        check_all_pairs();
    }
    cr_assert(reports.count == 0);
}

// Two worlds with the same content whose shapes entered the trees in a different way.
Test(broad_phase, contacts_come_in_the_order_of_their_shapes) {
    for (int i = 0; i < 40; ++i) {
        test_ball_create(world, 0.3 * (i * 17 % 40), 0.0, 0.0, 0.5f);
    }
    update(0.0);
    cr_assert(world->contact_pool.live_count > 80);
    uint64_t previous = 0;
    for (uint32_t i = 0; i < world->contact_pool.live_count; ++i) {
        const tni_contact *contact = &world->contacts[i];
        uint64_t key = tni_pair_key(contact->shape_a, contact->shape_b);
        cr_assert(contact->shape_a < contact->shape_b && key > previous);
        previous = key;
    }
}

Test(broad_phase, a_resting_body_stays_out_of_the_search) {
    test_floor_create(world);
    test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0, (tn_vec3){0.5f, 0.5f, 0.5f});
    test_step(world, 10);
    for (int i = 0; i < 20; ++i) {
        for (uint32_t j = 0; j < world->awake_bodies.count; ++j) {
            tni_body_update_bounds(world, world->awake_bodies.items[j], 1.0 / 60.0);
        }
        cr_assert(world->move_list.count == 0);
        test_step(world, 1);
    }
}

Test(broad_phase, a_fast_ball_does_not_pass_a_thin_wall) {
    tn_world_set_gravity(world, (tn_vec3){0});
    test_box_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0, (tn_vec3){0.01f, 5.0f, 5.0f});
    for (int i = 0; i < 20; ++i) {
        tn_body_id ball = test_ball_create(world, -5.0 - 0.13 * i, 0.0, 0.0, 0.05f);
        tn_body_set_linear_velocity(world, ball, (tn_vec3){200.0f, 0.0f, 0.0f});
        test_step(world, 30);
        cr_assert(tn_body_get_pose(world, ball).position.x < 0.0, "ball %d is at %g", i,
                  tn_body_get_pose(world, ball).position.x);
        tn_body_destroy(world, ball);
    }
}

Test(broad_phase, bounds_of_a_body_at_the_end_of_the_numbers_are_finite) {
    tn_body_id ball = test_ball_create(world, 1e300, 0.0, -1e300, 1.0f);
    tn_body_id other = test_ball_create(world, 1e300, 0.0, -1e300, 1.0f);
    test_step(world, 2);
    tn_bounds bounds = tn_body_get_bounds(world, ball);
    cr_assert(isfinite(bounds.lower.x) && isfinite(bounds.upper.x) && isfinite(bounds.lower.z));
    cr_assert(tn_body_is_valid(world, other));
}
