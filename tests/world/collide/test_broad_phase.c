// The broad phase: every pair that is near is found, against all pairs by force.
#include "tests/world/world_test.h"

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
        (tn_vec3){random_between(-half_size, half_size), random_between(-half_size, half_size),
                  random_between(-half_size, half_size)};
    def.pose.rotation.x = random_between(-1.0, 1.0);
    def.pose.rotation.y = random_between(-1.0, 1.0);
    def.pose.rotation.z = random_between(-1.0, 1.0);
    def.pose.rotation.w = random_between(-1.0, 1.0);
    def.velocity.linear.x = random_between(-20.0, 20.0);
    def.velocity.angular.y = random_between(-20.0, 20.0);
    tn_body_id body = tn_body_create(world, &def);
    tn_shape_def shape = tn_shape_def_default();
    float size = (float)random_between(0.2, 1.0);
    if (random_state >> 20 & 1) {
        tn_sphere_shape_create(world, body, &shape, size);
    } else {
        shape.local_pose.position.x = 0.5;
        tn_box_shape_create(world, body, &shape, (tn_vec3){(double)size, 0.3, 0.5 * (double)size});
    }
    return body;
}

static bool bounds_overlap(const tn_bounds *a, const tn_bounds *b) {
    return a->lower.x <= b->upper.x && b->lower.x <= a->upper.x && a->lower.y <= b->upper.y &&
           b->lower.y <= a->upper.y && a->lower.z <= b->upper.z && b->lower.z <= a->upper.z;
}

static bool may_touch(tn_body_id a, tn_body_id b) {
    return tn_body_is_enabled(world, a) && tn_body_is_enabled(world, b) &&
           (tn_body_get_type(world, a) == TN_BODY_TYPE_DYNAMIC ||
            tn_body_get_type(world, b) == TN_BODY_TYPE_DYNAMIC);
}

static bool have_contact(tn_body_id a, tn_body_id b) {
    tn_contact_id ids[256];
    uint32_t count = tn_body_get_contacts(world, a, ids, 256);
    cr_assert(count <= 256);
    for (uint32_t i = 0; i < count; ++i) {
        tn_contact contact = tn_contact_get(world, ids[i]);
        if (contact.body_a.value == b.value || contact.body_b.value == b.value) {
            return true;
        }
    }
    return false;
}

// Steps by so little that nothing moves, and asserts that every pair of bodies whose boxes overlap
// and that may touch has a contact then.
static void check_all_pairs(const tn_body_id *bodies, int count) {
    tn_bounds bounds[200];
    for (int i = 0; i < count; ++i) {
        bounds[i] = tn_body_get_bounds(world, bodies[i]);
    }
    cr_assert(tn_world_step(world, 1e-9, 1) == TN_RESULT_OK);
    for (int i = 0; i < count; ++i) {
        for (int j = i + 1; j < count; ++j) {
            // The floor's box is all of space; the floor is below 0.
            bool overlap =
                i == 0 ? bounds[j].lower.y <= 0.0 : bounds_overlap(&bounds[i], &bounds[j]);
            if (overlap && may_touch(bodies[i], bodies[j])) {
                cr_assert(have_contact(bodies[i], bodies[j]), "bodies %d and %d", i, j);
            }
        }
    }
}

// Moves, turns, changes, takes away and makes some by hand.
static void change_some(tn_body_id *bodies, int count) {
    for (int i = 0; i < 5; ++i) {
        int pick = (int)random_between(1.0, (double)count);
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
}

static double get_fastest(const tn_body_id *bodies, int count) {
    double fastest = 0.0;
    for (int i = 0; i < count; ++i) {
        tn_vec3 v = tn_body_get_velocity(world, bodies[i]).linear;
        fastest = fmax(fastest, hypot(hypot(v.x, v.y), v.z));
    }
    return fastest;
}

Test(broad_phase, finds_the_pairs_that_all_against_all_finds, .timeout = 60) {
    tn_body_id bodies[150] = {test_floor_create(world)};
    for (int i = 1; i < 150; ++i) {
        bodies[i] = make_random_body(5.0);
    }
    check_all_pairs(bodies, 150);
    cr_assert(tn_world_count_contacts(world) > 100);
    for (int round = 0; round < 60; ++round) {
        change_some(bodies, 150);
        check_all_pairs(bodies, 150);
        test_step(world, 1);
        // What pushed in the tiny step is no load that the long one has a million times.
        cr_assert(get_fastest(bodies, 150) < 100.0, "%g m/s", get_fastest(bodies, 150));
    }
    cr_assert(reports.count == 0, "%s: %s", reports.function, reports.message);
}

Test(broad_phase, contacts_come_in_the_order_of_their_shapes) {
    for (int i = 0; i < 40; ++i) {
        test_ball_create(world, 0.3 * (i * 17 % 40), 0.0, 0.0, 0.5f);
    }
    test_step(world, 1);
    static tn_contact_id ids[1000];
    uint32_t count = tn_world_get_contacts(world, ids, 1000);
    cr_assert(count > 80 && count <= 1000);
    for (uint32_t i = 0; i < count; ++i) {
        tn_contact contact = tn_contact_get(world, ids[i]);
        cr_assert(contact.shape_a.value < contact.shape_b.value);
        if (i > 0) {
            tn_contact previous = tn_contact_get(world, ids[i - 1]);
            cr_assert(previous.shape_a.value < contact.shape_a.value ||
                      (previous.shape_a.value == contact.shape_a.value &&
                       previous.shape_b.value < contact.shape_b.value));
        }
    }
}

Test(broad_phase, a_fast_ball_does_not_pass_a_thin_wall) {
    tn_world_set_gravity(world, (tn_vec3){0});
    test_box_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0, (tn_vec3){0.01, 5.0, 5.0});
    for (int i = 0; i < 20; ++i) {
        tn_body_id ball = test_ball_create(world, -5.0 - 0.13 * i, 0.0, 0.0, 0.05f);
        tn_body_set_linear_velocity(world, ball, (tn_vec3){200.0, 0.0, 0.0});
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

// Shapes that stand in the broad phase have a box to draw.
static bool is_in_broad_phase(void) {
    tn_draw_options options = tn_draw_options_default();
    options.draws_shapes = options.draws_wireframe = options.draws_contacts = options.draws_joints =
        false;
    options.draws_bounds = true;
    tn_draw draw;
    cr_assert(tn_world_draw(world, &options, &draw) == TN_RESULT_OK);
    cr_assert(draw.line_count == 0 || draw.line_count == 12);
    return draw.line_count == 12;
}

Test(broad_phase, what_can_touch_nothing_stays_out) {
    test_floor_create(world);
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 2.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    def.filter.mask = 0;
    tn_shape_id shape = tn_sphere_shape_create(world, body, &def, 0.5f);
    tn_filter open = tn_shape_def_default().filter;
    const struct {
        tn_filter filter;
        bool is_in;
    } cases[] = {{{1, 0, 0}, false}, {open, true},        {{0, ~0ull, 0}, false},
                 {{0, 0, 5}, true},  {{1, 0, -5}, false}, {{0, ~0ull, -5}, false},
                 {{4, 8, -5}, true}, {def.filter, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        tn_shape_set_filter(world, shape, cases[i].filter);
        cr_assert(is_in_broad_phase() == cases[i].is_in, "case %zu", i);
        test_step(world, 1);
        tn_body_set_type(world, body, TN_BODY_TYPE_STATIC);
        tn_body_set_enabled(world, body, false);
        cr_assert(!is_in_broad_phase());
        tn_body_set_enabled(world, body, true);
        tn_body_set_type(world, body, TN_BODY_TYPE_DYNAMIC);
        cr_assert(is_in_broad_phase() == cases[i].is_in, "case %zu", i);
    }
    cr_assert(tn_body_get_bounds(world, body).upper.x > 0.49);
    tn_shape_set_filter(world, shape, open);
    test_step(world, 180);
    TEST_NEAR(tn_body_get_pose(world, body).position.y, 0.5, 0.01);
    cr_assert(tn_world_count_contacts(world) == 1);
    tn_shape_set_filter(world, shape, def.filter);
    cr_assert(tn_world_count_contacts(world) == 0);
    test_step(world, 60);
    cr_assert(tn_body_get_pose(world, body).position.y < -1.0);
    cr_assert(reports.count == 0);
}

static tn_shape_id make_ball(double x, double height, int32_t group) {
    tn_body_def def = tn_body_def_default();
    def.pose.position = (tn_vec3){x, height, 0.0};
    tn_shape_def shape = tn_shape_def_default();
    shape.filter.group = group;
    return tn_sphere_shape_create(world, tn_body_create(world, &def), &shape, 0.5f);
}

// Shapes of one group below zero do not touch; one that leaves it, or comes to it, finds those that
// have moved in the meantime.
Test(broad_phase, a_world_of_one_group_finds_who_leaves_it) {
    tn_shape_id balls[4];
    for (int i = 0; i < 4; ++i) {
        balls[i] = make_ball(0.4 * i, 0.0, -3);
    }
    for (int step = 0; step < 60; ++step) {
        tn_world_step(world, 1.0 / 60.0, 4);
    }
    cr_assert(tn_world_get_telemetry(world).contacts == 0);
    tn_shape_set_filter(world, balls[1], tn_shape_def_default().filter);
    tn_world_step(world, 1.0 / 60.0, 4);
    cr_assert(tn_world_count_contacts(world) == 3);
    tn_filter filter = tn_shape_get_filter(world, balls[0]);
    tn_shape_set_filter(world, balls[1], filter);
    for (int step = 0; step < 60; ++step) {
        tn_world_step(world, 1.0 / 60.0, 4);
    }
    cr_assert(tn_world_count_contacts(world) == 0);
    double height = tn_body_get_center(world, tn_shape_get_body(world, balls[0])).y;
    double x = tn_body_get_center(world, tn_shape_get_body(world, balls[0])).x;
    make_ball(x, height, 0);
    tn_world_step(world, 1.0 / 60.0, 4);
    cr_assert(tn_world_count_contacts(world) > 0);
}
