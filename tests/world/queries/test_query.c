// Rays and boxes find the shapes that stand where they ask, wherever a step has thrown them, and
// asking changes nothing.
#include "tests/support/hull_make.h"
#include "tests/world/movers/affine_world.h"

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_world_create(&reports);
}

static void teardown(void) {
    tn_world_destroy(world);
}

TestSuite(query, .init = setup, .fini = teardown, .timeout = 60);

static tn_ray ray_down(double x, double z) {
    return tn_ray_make((tn_vec3){x, 10.0, z}, (tn_vec3){0.0, -20.0, 0.0});
}

Test(query, a_ray_tells_what_it_meets_first_and_where) {
    tn_body_id floor = test_floor_create(world);
    tn_body_id low = test_ball_create(world, 0.0, 1.0, 0.0, 0.5f);
    tn_body_id high = test_ball_create(world, 0.0, 4.0, 0.0, 0.5f);
    tn_ray ray = ray_down(0.0, 0.0);
    tn_ray_hit hit;
    cr_assert(tn_world_cast_ray(world, &ray, &hit));
    cr_assert(hit.shape.value == test_first_shape(world, high).value);
    cr_assert(fabs(hit.point.y - 4.5) < 1e-9 && fabs(hit.fraction - 5.5 / 20.0) < 1e-12);
    cr_assert(fabs(hit.normal.y - 1.0) < 1e-6);
    tn_body_destroy(world, high);
    cr_assert(tn_world_cast_ray(world, &ray, &hit) &&
              hit.shape.value == test_first_shape(world, low).value);
    ray = ray_down(3.0, 0.0);
    cr_assert(tn_world_cast_ray(world, &ray, &hit) &&
              hit.shape.value == test_first_shape(world, floor).value);
    cr_assert(fabs(hit.point.y) < 1e-6);
    ray.translation.y = 20.0;
    cr_assert(!tn_world_cast_ray(world, &ray, &hit) && hit.shape.value == 0 && hit.fraction == 0.0);
    cr_assert(reports.count == 0);
}

// Twenty balls stand in one place, and in two trees.
Test(query, of_shapes_that_a_ray_meets_at_once_the_oldest_is_told) {
    tn_body_id balls[20];
    for (int i = 0; i < 20; ++i) {
        balls[i] = test_bead_create(world, 0.0, 0.0, 0.0, i % 3 == 1);
    }
    tn_query_filter filter = tn_query_filter_default();
    tn_ray ray = ray_down(0.0, 0.0);
    ray.filter = &filter;
    for (int i = 0; i < 20; ++i) {
        tn_ray_hit hit;
        cr_assert(tn_world_cast_ray(world, &ray, &hit));
        cr_assert(hit.shape.value == test_first_shape(world, balls[i]).value, "ball %d", i);
        tn_body_destroy(world, balls[i]);
    }
}

Test(query, a_ray_that_begins_inside_meets_that_at_once_against_its_way) {
    tn_body_id body = test_ball_create(world, 0.0, 0.0, 0.0, 0.5f);
    tn_ray ray = tn_ray_make((tn_vec3){0.1, 0.0, 0.0}, (tn_vec3){0.0, 0.0, 3.0});
    tn_ray_hit hit;
    cr_assert(tn_world_cast_ray(world, &ray, &hit) &&
              hit.shape.value == test_first_shape(world, body).value);
    cr_assert(hit.fraction == 0.0 && hit.point.x == 0.1 && hit.normal.z == -1.0);
    ray.translation = (tn_vec3){0};
    cr_assert(tn_world_cast_ray(world, &ray, &hit) && hit.normal.z == 0.0);
}

// A box turned by 45 degrees about z, off the middle of a body that is turned by 45 more: flat
// again.
// The square of the length is no number above 0.
Test(query, the_shortest_ray_has_a_direction) {
    test_ball_create(world, 0.0, 0.0, 0.0, 0.5f);
    tn_ray ray = tn_ray_make((tn_vec3){0.1, 0.1, 0.1}, (tn_vec3){0.0, 5e-324, 0.0});
    tn_ray_hit hit;
    cr_assert(tn_world_cast_ray(world, &ray, &hit) && hit.fraction == 0.0);
    cr_assert(hit.normal.x == 0.0 && hit.normal.y == -1.0 && hit.normal.z == 0.0);
}

// The side begins there, up to round-off, and its slope says nothing of a direction.
Test(query, a_ray_meets_the_tip_of_a_cone_along_its_axis) {
    for (int i = 0; i < 1000; ++i) {
        tn_body_id body = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
        tn_shape_def shape = tn_shape_def_default();
        tn_cone_shape_create(world, body, &shape, 0.5f + 0.013f * (float)i, 0.1f + (float)(i % 7));
        tn_ray ray = tn_ray_make((tn_vec3){0.0, 20.0 + 0.1 * i, 0.0}, (tn_vec3){0.0, -150.0, 0.0});
        tn_ray_hit hit;
        cr_assert(tn_world_cast_ray(world, &ray, &hit));
        cr_assert(hit.normal.x == 0.0 && hit.normal.y == 1.0 && hit.normal.z == 0.0, "%d: %g", i,
                  hit.normal.y);
        tn_body_destroy(world, body);
    }
}

// A ray that meets a hull in a corner enters and leaves it at once, up to round-off.
Test(query, at_a_corner_a_ray_enters_before_it_leaves) {
    uint32_t met = 0;
    for (int i = 0; i < 2000; ++i) {
        double s = 1.0 + 0.37 * (i % 41), t = 0.11 + 0.07 * (i % 53), u = 0.3 * (i % 7);
        const tn_vec3 points[5] = {
            {0.0, s, 0.0}, {-t, 0.1, 0.2}, {t, 0.0, u}, {0.3, -s, 1.0}, {u, 0.2, -t}};
        tn_body_id body = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
        tn_shape_def shape = tn_shape_def_default();
        hull_shape_make(world, body, &shape, points, 5);
        tn_vec3 way = {1.0 + 0.1 * (i % 11), 0.01 * (i % 5), 0.5 - 0.1 * (i % 13)};
        tn_ray ray = tn_ray_make((tn_vec3){-3.0 * way.x, s - 3.0 * way.y, -3.0 * way.z},
                                 (tn_vec3){7.0 * way.x, 7.0 * way.y, 7.0 * way.z});
        ray.has_back_faces = true;
        tn_ray_hit first, all[4];
        uint32_t count = tn_world_cast_ray_all(world, &ray, all, 4);
        cr_assert(tn_world_cast_ray(world, &ray, &first) == (count > 0));
        if (count > 0) {
            met += 1;
            cr_assert(!all[0].is_back && all[0].fraction == first.fraction, "%d", i);
            cr_assert(count == 1 || all[1].is_back, "%d", i);
        }
        tn_body_destroy(world, body);
    }
    cr_assert(met > 500, "%u", met);
}

Test(query, a_ray_sees_shapes_turned_and_off_the_middle_of_their_bodies) {
    tn_body_def body_def = tn_body_def_default();
    body_def.pose.position = (tn_vec3){1000.0, 0.0, 0.0};
    body_def.pose.rotation.z = sin(M_PI / 8.0);
    body_def.pose.rotation.w = cos(M_PI / 8.0);
    tn_body_id body = tn_body_create(world, &body_def);
    tn_shape_def def = tn_shape_def_default();
    def.local_pose.position = (tn_vec3){0.0, 2.0, 0.0};
    def.local_pose.rotation.z = sin(M_PI / 8.0);
    def.local_pose.rotation.w = cos(M_PI / 8.0);
    tn_shape_id box = tn_box_shape_create(world, body, &def, (tn_vec3){0.25, 0.5, 0.5});
    tn_ray ray = ray_down(1000.0 - sqrt(2.0), 0.0);
    tn_ray_hit hit;
    cr_assert(tn_world_cast_ray(world, &ray, &hit) && hit.shape.value == box.value);
    cr_assert(fabs(hit.point.y - (sqrt(2.0) + 0.25)) < 1e-6);
    cr_assert(fabs(hit.normal.y - 1.0) < 1e-6);
}

// A cube of 1 m, twice as high and sheared by 0.5: its top is at y = 1 and slides along x with the
// height; its right face leans.
Test(query, a_ray_sees_an_affine_body_as_it_is_deformed) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 3.0, 0.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    tn_shape_id box = tn_box_shape_create(world, body, &def, (tn_vec3){0.5, 0.5, 0.5});
    tn_reduced_id affine = affine_make(world, body, 1e5, 0.3, 0.0, TN_AFFINE_KEPT_NOTHING);
    const double a[9] = {1.0, 0.5, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 1.0};
    affine_set(world, affine, a, NULL);
    tn_ray ray = ray_down(3.6, 0.0);
    tn_ray_hit hit;
    cr_assert(tn_world_cast_ray(world, &ray, &hit) && hit.shape.value == box.value);
    cr_assert(fabs(hit.point.y - 1.0) < 1e-6 && fabs(hit.normal.y - 1.0) < 1e-6);
    // The right face is x = 3.5 + y / 4, of the normal (4, -1, 0).
    ray = tn_ray_make((tn_vec3){10.0, 0.8, 0.2}, (tn_vec3){-10.0, 0.0, 0.0});
    cr_assert(tn_world_cast_ray(world, &ray, &hit) && fabs(hit.point.x - 3.7) < 1e-6);
    cr_assert(fabs(hit.normal.x - 4.0 / sqrt(17.0)) < 1e-6);
    cr_assert(fabs(hit.normal.y + 1.0 / sqrt(17.0)) < 1e-6);
    ray = ray_down(2.2, 0.0);
    cr_assert(!tn_world_cast_ray(world, &ray, &hit) && reports.count == 0);
}

// Mirrored along y, and flattened: inside out, its surface faces outward all the same.
Test(query, a_ray_meets_an_affine_body_that_is_inside_out_from_outside) {
    const double a[9] = {1.0, 0.3, 0.0, 0.0, -0.5, 0.0, 0.0, 0.0, 1.0};
    for (int kind = 0; kind < 3; ++kind) {
        tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 10.0 * kind, 0.0, 0.0);
        tn_shape_def def = tn_shape_def_default();
        if (kind == 0) {
            tn_box_shape_create(world, body, &def, (tn_vec3){0.5, 0.5, 0.5});
        } else if (kind == 1) {
            tn_sphere_shape_create(world, body, &def, 0.5f);
        } else {
            tn_capsule_shape_create(world, body, &def, 0.25f, 0.25f);
        }
        affine_set(world, affine_make(world, body, 1e5, 0.3, 0.0, TN_AFFINE_KEPT_NOTHING), a, NULL);
        for (int side = 0; side < 2; ++side) {
            float way = side == 0 ? -4.0f : 4.0f;
            tn_ray ray = tn_ray_make((tn_vec3){10.0 * kind + 0.05, -0.5 * (double)way, 0.05},
                                     (tn_vec3){0.0, (double)way, 0.0});
            tn_ray_hit hit;
            cr_assert(tn_world_cast_ray(world, &ray, &hit), "kind %d", kind);
            cr_assert(fabs(fabs(hit.point.y) - 0.25) < 0.05, "kind %d: at %g", kind, hit.point.y);
            cr_assert(hit.normal.y * (double)way < -3.0, "kind %d, side %d: normal %g", kind, side,
                      hit.normal.y);
            double length = (hit.normal.x * hit.normal.x + hit.normal.y * hit.normal.y +
                             hit.normal.z * hit.normal.z);
            cr_assert(fabs(length - 1.0) < 1e-5, "kind %d", kind);
        }
    }
}

Test(query, filters_hide_shapes_from_rays_and_boxes) {
    tn_body_id body = test_ball_create(world, 0.0, 0.0, 0.0, 0.5f);
    tn_filter filter = tn_shape_get_filter(world, test_first_shape(world, body));
    tn_ray ray = ray_down(0.0, 0.0);
    tn_bounds box = {{-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}};
    filter.category = 4;
    filter.mask = 8;
    tn_shape_set_filter(world, test_first_shape(world, body), filter);
    const struct {
        tn_query_filter filter;
        bool hits;
    } cases[] = {
        // The shape's mask does not hold it.
        {{.category = 1, .mask = UINT64_MAX}, false},
        {{.category = 8, .mask = UINT64_MAX}, true},
        {{.category = 8, .mask = 3}, false}, // nor the ray's mask the shape
        {{.category = 8, .mask = 4}, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        ray.filter = &cases[i].filter;
        cr_assert(tn_world_cast_ray(world, &ray, NULL) == cases[i].hits, "case %zu", i);
        cr_assert(tn_world_find_shapes(world, box, ray.filter, NULL, 0) ==
                  (cases[i].hits ? 1u : 0u));
    }
}

// Of three balls in a row the ray passes over those that are ignored, and those the callback says
// no to; a callback may ask, but change nothing.
typedef struct query_question {
    tn_shape_id refused;
    tn_body_id body;
    uint32_t asked, answers;
    bool was_changed;
} query_question;

static bool refuse_one(const tn_world *asked, tn_shape_id shape, void *user_data) {
    query_question *question = user_data;
    question->asked += 1;
    tn_ray ray = ray_down(0.0, 0.0);
    question->answers += tn_world_cast_ray(asked, &ray, NULL) ? 1 : 0;
    uint32_t before = reports.count;
    tn_body_set_linear_velocity(world, question->body, (tn_vec3){1.0, 0.0, 0.0});
    question->was_changed |= reports.count == before;
    return shape.value != question->refused.value;
}

Test(query, bodies_to_ignore_and_a_callback_are_looked_through) {
    tn_body_id balls[3];
    for (int i = 0; i < 3; ++i) {
        balls[i] = test_ball_create(world, 0.0, 6.0 - 2.0 * i, 0.0, 0.5f);
    }
    query_question question = {.refused = test_first_shape(world, balls[1]), .body = balls[0]};
    tn_query_filter filter = tn_query_filter_default();
    filter.ignored = balls;
    filter.ignored_count = 1;
    tn_ray ray = ray_down(0.0, 0.0);
    ray.filter = &filter;
    tn_ray_hit hit;
    cr_assert(tn_world_cast_ray(world, &ray, &hit));
    cr_assert(hit.shape.value == test_first_shape(world, balls[1]).value);
    filter.accept = refuse_one;
    filter.user_data = &question;
    cr_assert(tn_world_cast_ray(world, &ray, &hit));
    cr_assert(hit.shape.value == test_first_shape(world, balls[2]).value);
    cr_assert(question.asked > 0 && question.answers == question.asked && !question.was_changed);
    tn_bounds box = {{-1.0, -10.0, -1.0}, {1.0, 10.0, 1.0}};
    tn_shape_id found[3];
    cr_assert(tn_world_find_shapes(world, box, &filter, found, 3) == 1);
    cr_assert(found[0].value == test_first_shape(world, balls[2]).value);
    cr_assert(tn_world_find_shapes(world, box, NULL, found, 3) == 3);
}

// Balls thrown about by an explosion of overlaps: asked for at once, they are seen where they are.
Test(query, what_a_blow_threw_out_of_its_box_is_seen_where_it_is) {
    tn_world_set_gravity(world, (tn_vec3){0});
    tn_body_id hammer = test_ball_create(world, 0.0, 0.0, 0.0, 0.5f);
    tn_body_id ball = test_ball_create(world, 1.05, 0.0, 0.0, 0.5f);
    tn_body_set_linear_velocity(world, hammer, (tn_vec3){200.0, 0.0, 0.0});
    tn_material material = tn_shape_get_material(world, test_first_shape(world, ball));
    material.restitution = 1.0f;
    tn_shape_set_material(world, test_first_shape(world, ball), material);
    cr_assert(tn_world_step(world, 1.0 / 60.0, 4) == TN_RESULT_OK);
    tn_vec3 place = tn_body_get_pose(world, ball).position;
    cr_assert(place.x > 2.5, "it was not thrown far: %g", place.x);
    tn_ray ray = ray_down(place.x, 0.0);
    tn_ray_hit hit;
    cr_assert(tn_world_cast_ray(world, &ray, &hit) &&
              hit.shape.value == test_first_shape(world, ball).value);
    tn_bounds box = {{place.x - 0.1, -0.1, -0.1}, {place.x + 0.1, 0.1, 0.1}};
    tn_shape_id found[4];
    cr_assert(tn_world_find_shapes(world, box, ray.filter, found, 4) == 1);
    cr_assert(found[0].value == test_first_shape(world, ball).value);
    // And no longer where it was.
    ray = ray_down(1.05, 0.0);
    cr_assert(!tn_world_cast_ray(world, &ray, &hit) ||
              hit.shape.value != test_first_shape(world, ball).value);
    tn_body_destroy(world, ball);
    ray = ray_down(place.x, 0.0);
    cr_assert(!tn_world_cast_ray(world, &ray, &hit));
    cr_assert(tn_world_find_shapes(world, box, ray.filter, found, 4) == 0);
    cr_assert(reports.count == 0);
}

Test(query, disabled_and_moved_bodies_are_seen_where_they_are_now) {
    tn_body_id body = test_ball_create(world, 0.0, 0.0, 0.0, 0.5f);
    tn_ray here = ray_down(0.0, 0.0), there = ray_down(50.0, 0.0);
    cr_assert(tn_world_cast_ray(world, &here, NULL) && !tn_world_cast_ray(world, &there, NULL));
    tn_pose pose = tn_body_get_pose(world, body);
    pose.position.x = 50.0;
    tn_body_set_pose(world, body, pose);
    cr_assert(!tn_world_cast_ray(world, &here, NULL) && tn_world_cast_ray(world, &there, NULL));
    tn_body_set_enabled(world, body, false);
    cr_assert(!tn_world_cast_ray(world, &there, NULL));
    tn_body_set_enabled(world, body, true);
    cr_assert(tn_world_cast_ray(world, &there, NULL));
}

Test(query, a_box_finds_shapes_and_half_spaces_in_order) {
    tn_body_id plane = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    tn_shape_id half_space = tn_half_space_shape_create(world, plane, &def);
    tn_shape_id balls[20], found[32];
    for (int i = 0; i < 20; ++i) {
        balls[i] = test_first_shape(world, test_ball_create(world, 2.0 * i, 1.0, 0.0, 0.5f));
    }
    tn_bounds box = {{-1.0, 0.8, -1.0}, {18.3, 1.0, 1.0}};
    tn_query_filter filter = tn_query_filter_default();
    cr_assert(tn_world_find_shapes(world, box, &filter, found, 32) == 10);
    for (int i = 0; i < 10; ++i) {
        cr_assert(found[i].value == balls[i].value);
    }
    cr_assert(tn_world_find_shapes(world, box, &filter, found, 3) == 10);
    box.lower.y = -0.1;
    cr_assert(tn_world_find_shapes(world, box, &filter, found, 32) == 11);
    cr_assert(found[0].value == half_space.value);
}

// Floats near 1600 are 1.2e-4 apart.
Test(query, a_box_is_not_rounded) {
    tn_body_id body =
        test_box_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0, (tn_vec3){1600.0, 1.0, 1.0});
    tn_bounds own = tn_shape_get_bounds(world, test_first_shape(world, body));
    tn_bounds box = {{own.upper.x, -1.0, -1.0}, {own.upper.x + 10.0, 1.0, 1.0}};
    cr_assert(tn_world_find_shapes(world, box, NULL, NULL, 0) == 1);
    box.lower.x = own.upper.x + 1e-5;
    cr_assert(tn_world_find_shapes(world, box, NULL, NULL, 0) == 0);
    box = (tn_bounds){{own.lower.x - 10.0, -1.0, -1.0}, {own.lower.x - 1e-5, 1.0, 1.0}};
    cr_assert(tn_world_find_shapes(world, box, NULL, NULL, 0) == 0);
}

// A pile that is asked thousands of questions moves as one that is asked nothing; and 10,000 rays
// at once say what each of them says alone.
Test(query, asking_changes_no_motion_and_many_rays_say_what_one_says) {
    enum {
        RAYS = 2000
    };
    tn_world_def def = tn_world_def_default();
    def.worker_count = 3;
    test_reports other_reports;
    tn_world *worlds[2] = {world, test_def_world_create(def, &other_reports)};
    for (int w = 0; w < 2; ++w) {
        test_floor_create(worlds[w]);
        for (int i = 0; i < 300; ++i) {
            test_ball_create(worlds[w], 0.9 * (i % 6), 1.0 + 0.9 * (i / 36), 0.9 * (i / 6 % 6),
                             0.5f);
        }
    }
    static tn_ray rays[RAYS];
    static tn_ray_hit hits[RAYS];
    for (int i = 0; i < RAYS; ++i) {
        double x = -1.0 + 0.13 * (i % 50), z = -1.0 + 0.15 * (i / 50);
        rays[i] = tn_ray_make((tn_vec3){x, 20.0, z}, (tn_vec3){0.3, -30.0, 0.1});
    }
    for (int step = 0; step < 30; ++step) {
        for (int w = 0; w < 2; ++w) {
            cr_assert(tn_world_step(worlds[w], 1.0 / 60.0, 4) == TN_RESULT_OK);
        }
        uint32_t count = tn_world_cast_rays(worlds[1], rays, RAYS, hits), expected = 0;
        for (int i = step; i < RAYS; i += 37) {
            tn_ray_hit hit;
            tn_world_cast_ray(worlds[1], &rays[i], &hit);
            cr_assert(hit.shape.value == hits[i].shape.value && hit.fraction == hits[i].fraction);
        }
        for (int i = 0; i < RAYS; ++i) {
            expected += hits[i].shape.value != 0 ? 1 : 0;
        }
        cr_assert(count == expected && count > 1000);
    }
    cr_assert(tn_world_get_hash(worlds[0]) == tn_world_get_hash(worlds[1]));
    test_world_destroy_quiet(worlds[1], &other_reports);
}

static bool ask_inside(const tn_world *asked, tn_shape_id a, tn_shape_id b, void *user_data) {
    (void)a;
    (void)b;
    tn_ray ray = ray_down(0.0, 0.0);
    *(bool *)user_data = tn_world_cast_ray(asked, &ray, NULL);
    return true;
}

Test(query, bad_questions_are_refused_with_a_report) {
    test_floor_create(world);
    test_ball_create(world, 0.0, 0.4, 0.0, 0.5f);
    tn_ray ray = ray_down(0.0, 0.0), bad = ray;
    tn_ray_hit hits[2];
    tn_query_filter filter = tn_query_filter_default(), without_array = filter;
    without_array.ignored_count = 1;
    tn_bounds box = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}},
              exchanged = {{1.0, 1.0, 1.0}, {0.0, 0.0, 0.0}};
    cr_assert(!tn_world_cast_ray(NULL, &ray, hits) && hits[0].shape.value == 0);
    cr_assert(tn_world_cast_rays(NULL, &ray, 1, hits) == 0);
    cr_assert(reports.count == 0);
    bad.translation.x = NAN;
    cr_assert(!tn_world_cast_ray(world, &bad, hits) && reports.last == TN_RESULT_NOT_FINITE);
    bad = ray;
    bad.origin.z = (double)INFINITY;
    tn_ray two[2] = {ray, bad};
    cr_assert(tn_world_cast_rays(world, two, 2, hits) == 0);
    cr_assert(reports.last == TN_RESULT_NOT_FINITE && hits[0].shape.value == 0);
    cr_assert(!tn_world_cast_ray(world, NULL, hits));
    cr_assert(reports.last == TN_RESULT_INVALID_ARGUMENT && reports.count == 3);
    cr_assert(tn_world_cast_rays(world, &ray, 1, NULL) == 0 && reports.count == 4);
    cr_assert(tn_world_cast_rays(world, NULL, 0, NULL) == 0 && reports.count == 4);
    cr_assert(tn_world_find_shapes(world, box, &without_array, NULL, 0) == 0 && reports.count == 5);
    cr_assert(tn_world_find_shapes(world, exchanged, &filter, NULL, 0) == 0 && reports.count == 6);
    box.upper.x = (double)NAN;
    cr_assert(tn_world_find_shapes(world, box, &filter, NULL, 0) == 0);
    cr_assert(reports.last == TN_RESULT_NOT_FINITE);
    bool was_answered = true;
    tn_world_set_contact_filter(world, ask_inside, &was_answered);
    tn_world_step(world, 1.0 / 60.0, 4);
    cr_assert(!was_answered && reports.last == TN_RESULT_WORLD_LOCKED);
}

Test(query, a_million_kilometres_are_no_matter) {
    test_ball_create(world, 1.0e9, 0.0, 0.0, 0.5f);
    tn_ray ray = ray_down(1.0e9, 0.0);
    tn_ray_hit hit;
    cr_assert(tn_world_cast_ray(world, &ray, &hit) && fabs(hit.point.y - 0.5) < 1e-6);
    ray = tn_ray_make((tn_vec3){-3.0e38, 0.0, 0.0}, (tn_vec3){3.0e38, 3.0e38, 0.0});
    cr_assert(!tn_world_cast_ray(world, &ray, &hit) && reports.count == 0);
}
