// Shapes that change in place: their mass, contacts and boxes follow, and sleepers wake.
#include <tenon/affine.h>
#include <tenon/query.h>
#include <tenon/sensor.h>

#include "tests/support/hull_make.h"
#include "tests/world/world_test.h"

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_world_create(&reports);
}

static void teardown(void) {
    tn_world_destroy(world);
}

TestSuite(shape_change, .init = setup, .fini = teardown);

static tn_shape_id add_ball(tn_body_id body, float radius) {
    tn_shape_def def = tn_shape_def_default();
    return tn_sphere_shape_create(world, body, &def, radius);
}

static double get_mass(tn_body_id body) {
    return tn_body_get_mass(world, body).mass;
}

static void check_same_mass(tn_body_id a, tn_body_id b) {
    tn_mass p = tn_body_get_mass(world, a), q = tn_body_get_mass(world, b);
    cr_assert(p.mass == q.mass && memcmp(&p.center, &q.center, sizeof p.center) == 0);
    cr_assert(memcmp(&p.inertia, &q.inertia, sizeof p.inertia) == 0);
}

Test(shape_change, gives_the_mass_of_a_shape_made_so) {
    tn_shape_def def = tn_shape_def_default();
    tn_body_id changed[4], made[4];
    for (int i = 0; i < 4; ++i) {
        changed[i] = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 5.0 * i, 0.0, 0.0);
        made[i] = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 5.0 * i, 9.0, 0.0);
    }
    tn_shape_id ball = add_ball(changed[0], 0.3f);
    cr_assert(tn_sphere_shape_set_radius(world, ball, 0.5f) == TN_RESULT_OK);
    cr_assert(tn_sphere_shape_get_radius(world, ball) == 0.5f);
    add_ball(made[0], 0.5f);
    tn_shape_id pill = tn_capsule_shape_create(world, changed[1], &def, 1.0f, 0.2f);
    cr_assert(tn_capsule_shape_set_radius(world, pill, 0.4f) == TN_RESULT_OK);
    cr_assert(tn_capsule_shape_set_half_length(world, pill, 0.6f) == TN_RESULT_OK);
    tn_capsule_shape_create(world, made[1], &def, 0.6f, 0.4f);
    tn_shape_id box = tn_box_shape_create(world, changed[2], &def, (tn_vec3){1.0, 1.0, 1.0});
    cr_assert(tn_box_shape_set_half_extents(world, box, (tn_vec3){0.5, 1.0, 2.0}) == TN_RESULT_OK);
    cr_assert(tn_box_shape_get_half_extents(world, box).z == 2.0);
    tn_box_shape_create(world, made[2], &def, (tn_vec3){0.5, 1.0, 2.0});
    tn_shape_id moved = add_ball(changed[3], 0.5f);
    tn_pose pose = {{0.25, -0.5, 1.0}, {0.0, 0.6, 0.0, 0.8}};
    cr_assert(tn_shape_set_local_pose(world, moved, pose) == TN_RESULT_OK);
    def.local_pose = pose;
    tn_sphere_shape_create(world, made[3], &def, 0.5f);
    tn_pose of_made = tn_shape_get_local_pose(world, test_first_shape(world, made[3]));
    tn_pose of_moved = tn_shape_get_local_pose(world, moved);
    cr_assert(memcmp(&of_made, &of_moved, sizeof of_made) == 0);
    for (int i = 0; i < 4; ++i) {
        check_same_mass(changed[i], made[i]);
    }
    cr_assert(reports.count == 0);
}

Test(shape_change, leaves_a_mass_that_was_given) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0);
    tn_shape_id ball = add_ball(body, 0.5f);
    tn_mass mass = tn_body_get_mass(world, body);
    mass.mass = 3.0;
    tn_body_set_mass(world, body, mass);
    tn_sphere_shape_set_radius(world, ball, 1.0f);
    tn_shape_set_enabled(world, ball, false);
    cr_assert(get_mass(body) == 3.0);
}

Test(shape_change, lifts_a_sleeping_ball_that_grows) {
    test_floor_create(world);
    tn_body_id body = test_ball_create(world, 0.0, 0.25, 0.0, 0.25f);
    tn_shape_id ball = test_first_shape(world, body);
    test_step(world, 120);
    cr_assert_not(tn_body_is_awake(world, body));
    tn_sphere_shape_set_radius(world, ball, 0.25f); // as it is
    cr_assert_not(tn_body_is_awake(world, body), "the old value wakes nothing");
    tn_sphere_shape_set_radius(world, ball, 0.5f);
    cr_assert(tn_body_is_awake(world, body));
    test_step(world, 180);
    TEST_NEAR(tn_body_get_pose(world, body).position.y, 0.5, 1e-3);
    // It shrinks and falls onto the floor again.
    tn_sphere_shape_set_radius(world, ball, 0.1f);
    test_step(world, 180);
    TEST_NEAR(tn_body_get_pose(world, body).position.y, 0.1, 1e-3);
}

Test(shape_change, wakes_what_lay_on_it_and_what_it_comes_to) {
    tn_body_id ground = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    tn_shape_id slab = tn_box_shape_create(world, ground, &def, (tn_vec3){5.0, 0.5, 5.0});
    def.local_pose.position.x = 40.0;
    tn_shape_id lift = tn_box_shape_create(world, ground, &def, (tn_vec3){1.0, 0.5, 1.0});
    tn_body_id box =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 1.0, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    test_step(world, 120);
    cr_assert_not(tn_body_is_awake(world, box));
    // The lift's shape comes from afar and reaches into the sleeper.
    tn_shape_set_local_pose(world, lift, (tn_pose){{0.0, 0.3, 0.0}, {0.0, 0.0, 0.0, 1.0}});
    cr_assert(tn_body_is_awake(world, box));
    test_step(world, 240);
    TEST_NEAR(tn_body_get_pose(world, box).position.y, 1.3, 2e-3);
    cr_assert_not(tn_body_is_awake(world, box));
    // What it lay on goes; it falls onto the slab.
    tn_shape_set_local_pose(world, lift, (tn_pose){{40.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}});
    cr_assert(tn_body_is_awake(world, box));
    test_step(world, 240);
    TEST_NEAR(tn_body_get_pose(world, box).position.y, 1.0, 2e-3);
    tn_box_shape_set_half_extents(world, slab, (tn_vec3){5.0, 0.25, 5.0});
    test_step(world, 240);
    TEST_NEAR(tn_body_get_pose(world, box).position.y, 0.75, 2e-3);
}

Test(shape_change, disables_a_shape_as_if_it_were_gone) {
    tn_body_id ground = test_floor_create(world);
    tn_shape_id plane = test_first_shape(world, ground);
    tn_body_id body = test_ball_create(world, 0.0, 0.5, 0.0, 0.5f);
    tn_shape_id sensor;
    tn_shape_def def = tn_shape_def_default();
    def.is_sensor = true;
    sensor = tn_sphere_shape_create(
        world, test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0), &def, 2.0f);
    test_step(world, 120);
    cr_assert_not(tn_body_is_awake(world, body));
    cr_assert(tn_shape_get_overlaps(world, sensor, NULL, 0) == 2);
    cr_assert(tn_shape_is_enabled(world, plane));
    cr_assert(tn_shape_set_enabled(world, plane, false) == TN_RESULT_OK);
    cr_assert(!tn_shape_is_enabled(world, plane) && tn_body_is_awake(world, body));
    tn_ray ray = tn_ray_make((tn_vec3){5.0, 1.0, 0.0}, (tn_vec3){0.0, -5.0, 0.0});
    cr_assert_not(tn_world_cast_ray(world, &ray, NULL));
    test_step(world, 1);
    tn_events events = tn_world_get_events(world);
    cr_assert(events.end_count == 1 && events.sensor_end_count == 1);
    test_step(world, 60);
    cr_assert(tn_body_get_pose(world, body).position.y < -3.0);
    cr_assert(tn_world_count_contacts(world) == 0);
    // A filter that is set meanwhile does not bring it back.
    tn_filter filter = tn_filter_default();
    filter.category = 3;
    tn_shape_set_filter(world, plane, filter);
    cr_assert_not(tn_world_cast_ray(world, &ray, NULL));
    tn_body_set_pose(world, body, (tn_pose){{0.0, 1.0, 0.0}, {0.0, 0.0, 0.0, 1.0}});
    tn_shape_set_enabled(world, plane, true);
    cr_assert(tn_world_cast_ray(world, &ray, NULL));
    test_step(world, 120);
    TEST_NEAR(tn_body_get_pose(world, body).position.y, 0.5, 1e-3);
}

Test(shape_change, takes_the_mass_of_a_disabled_shape) {
    tn_body_id body = test_ball_create(world, 0.0, 0.0, 0.0, 0.5f);
    double one = get_mass(body);
    tn_shape_id second = add_ball(body, 0.5f);
    TEST_NEAR(get_mass(body), 2.0 * one, 1e-9 * one);
    tn_shape_set_enabled(world, second, false);
    cr_assert(get_mass(body) == one);
    tn_body_set_enabled(world, body, false);
    tn_body_set_enabled(world, body, true); // the shape stays disabled
    tn_shape_set_density(world, second, 77.0f);
    cr_assert(!tn_shape_is_enabled(world, second) && get_mass(body) == one);
    tn_shape_set_density(world, second, 1000.0f);
    tn_shape_set_enabled(world, second, true);
    TEST_NEAR(get_mass(body), 2.0 * one, 1e-9 * one);
}

Test(shape_change, swaps_hulls) {
    const tn_vec3 small[4] = {{0.5, 0, 0}, {-0.5, 0, 0.5}, {-0.5, 0, -0.5}, {0, 0.5, 0}};
    tn_vec3 large[4];
    for (int i = 0; i < 4; ++i) {
        large[i] = (tn_vec3){2.0 * small[i].x, 2.0 * small[i].y, 2.0 * small[i].z};
    }
    tn_hull *a = hull_make(small, 4), *b = hull_make(large, 4);
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    tn_shape_id shape = tn_hull_shape_create(world, body, &def, a);
    double mass = get_mass(body);
    cr_assert(tn_hull_shape_set_hull(world, shape, b) == TN_RESULT_OK);
    cr_assert(tn_hull_shape_get_hull(world, shape) == b);
    TEST_NEAR(get_mass(body), 8.0 * mass, 1e-4 * mass);
    TEST_REPORTS(&reports, tn_hull_shape_set_hull(world, shape, NULL), TN_RESULT_INVALID_ARGUMENT);
    cr_assert(tn_hull_shape_get_hull(world, shape) == b);
    tn_hull_release(a);
    tn_hull_release(b);
    test_step(world, 5);
    tn_vec3 corner;
    cr_assert(tn_hull_get_vertices(tn_hull_shape_get_hull(world, shape), &corner, 1) == 4,
              "the shape keeps it");
}

Test(shape_change, moves_the_bounds_at_once) {
    tn_world_set_gravity(world, (tn_vec3){0});
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 10.0, 0.0, 0.0);
    tn_shape_id ball = add_ball(body, 0.5f);
    tn_bounds bounds = tn_shape_get_bounds(world, ball);
    TEST_NEAR(bounds.lower.x, 9.5, 2e-6);
    TEST_NEAR(bounds.upper.y, 0.5, 2e-6);
    tn_sphere_shape_set_radius(world, ball, 2.0f);
    bounds = tn_shape_get_bounds(world, ball);
    TEST_NEAR(bounds.lower.x, 8.0, 2e-6);
    tn_ray ray = tn_ray_make((tn_vec3){0}, (tn_vec3){20.0, 0.0, 0.0});
    tn_ray_hit hit;
    cr_assert(tn_world_cast_ray(world, &ray, &hit));
    TEST_NEAR(hit.point.x, 8.0, 1e-6);
    tn_shape_set_local_pose(world, ball, (tn_pose){{-7.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}});
    cr_assert(tn_world_cast_ray(world, &ray, &hit));
    TEST_NEAR(hit.point.x, 1.0, 1e-6);
    // The frame of the body stays, and its centre of mass follows the shape.
    TEST_NEAR(tn_body_get_pose(world, body).position.x, 10.0, 1e-12);
    TEST_NEAR(tn_body_get_center(world, body).x, 3.0, 1e-12);
}

Test(shape_change, of_an_affine_body_keeps_it_going) {
    test_floor_create(world);
    tn_body_id body =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 1.0, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    tn_affine_def def = tn_affine_def_default();
    def.body = body;
    cr_assert(tn_affine_create(world, &def).value != 0);
    test_step(world, 30);
    tn_box_shape_set_half_extents(world, test_first_shape(world, body), (tn_vec3){0.5, 0.25, 0.5});
    test_step(world, 120);
    tn_shape_set_enabled(world, test_first_shape(world, body), false);
    test_step(world, 5);
    tn_shape_set_enabled(world, test_first_shape(world, body), true);
    test_step(world, 120);
    cr_assert(reports.count == 0, "%s", reports.message);
    TEST_NEAR(tn_body_get_center(world, body).y, 0.25, 0.05);
}

Test(shape_change, refuses_bad_values_and_keeps_the_old) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    tn_shape_id ball = add_ball(body, 0.5f), none = {0};
    tn_shape_id pill = tn_capsule_shape_create(world, body, &def, 1.0f, 0.2f);
    tn_shape_id box = tn_box_shape_create(world, body, &def, (tn_vec3){1.0, 1.0, 1.0});
    TEST_REPORTS(&reports, tn_sphere_shape_set_radius(world, ball, 0.0f),
                 TN_RESULT_INVALID_ARGUMENT);
    TEST_REPORTS(&reports, tn_sphere_shape_set_radius(world, ball, NAN), TN_RESULT_NOT_FINITE);
    TEST_REPORTS(&reports, tn_sphere_shape_set_radius(world, pill, 1.0f), TN_RESULT_WRONG_TYPE);
    TEST_REPORTS(&reports, tn_sphere_shape_set_radius(world, none, 1.0f), TN_RESULT_INVALID_ID);
    TEST_REPORTS(&reports, tn_capsule_shape_set_radius(world, pill, -1.0f),
                 TN_RESULT_INVALID_ARGUMENT);
    TEST_REPORTS(&reports, tn_capsule_shape_set_half_length(world, pill, INFINITY),
                 TN_RESULT_NOT_FINITE);
    TEST_REPORTS(&reports, tn_box_shape_set_half_extents(world, box, (tn_vec3){1.0, NAN, 1.0}),
                 TN_RESULT_NOT_FINITE);
    TEST_REPORTS(&reports, tn_box_shape_set_half_extents(world, box, (tn_vec3){1.0, 0.0, 1.0}),
                 TN_RESULT_INVALID_ARGUMENT);
    TEST_REPORTS(&reports, tn_hull_shape_set_hull(world, box, NULL), TN_RESULT_WRONG_TYPE);
    TEST_REPORTS(&reports, tn_shape_set_local_pose(world, box, (tn_pose){0}), TN_RESULT_ZERO_AXIS);
    TEST_REPORTS(&reports, tn_shape_set_enabled(world, none, false), TN_RESULT_INVALID_ID);
    TEST_REPORTS(&reports, tn_shape_is_enabled(world, none), TN_RESULT_INVALID_ID);
    TEST_REPORTS(&reports, tn_shape_get_bounds(world, none), TN_RESULT_INVALID_ID);
    tn_body_def particle = tn_body_def_default();
    particle.is_particle = true;
    tn_shape_id bead = add_ball(tn_body_create(world, &particle), 0.1f);
    tn_pose aside = {{0.1, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}};
    TEST_REPORTS(&reports, tn_shape_set_local_pose(world, bead, aside), TN_RESULT_INVALID_ARGUMENT);
    cr_assert(tn_sphere_shape_get_radius(world, ball) == 0.5f);
    cr_assert(tn_capsule_shape_get_radius(world, pill) == 0.2f);
    cr_assert(tn_box_shape_get_half_extents(world, box).y == 1.0);
}

// ---- lengths of all convex shapes ---------------------------------------------------------------

#define KINDS 8

// Makes a shape of a kind, small or of its final lengths.
static tn_shape_id make_kind(tn_world *in, tn_body_id body, int kind, bool is_final) {
    tn_shape_def def = tn_shape_def_default();
    float s = is_final ? 1.0f : 0.5f;
    tn_vec3 half = {0.25, 0.5, 0.75}, other = {0.5, 0.25, 0.25};
    switch (kind) {
    case 0:
        return tn_cylinder_shape_create(in, body, &def, 0.5f * s, 0.75f * s);
    case 1:
        return tn_cone_shape_create(in, body, &def, 0.5f * s, 0.75f * s);
    case 2:
        return tn_tapered_cylinder_shape_create(in, body, &def, 0.5f * s, 0.75f * s, 0.25f * s);
    case 3:
        return tn_tapered_capsule_shape_create(in, body, &def, 0.5f * s, 0.75f * s, 0.25f * s);
    case 4:
        return tn_ellipsoid_shape_create(in, body, &def, is_final ? half : other);
    default:
        def.rounding = is_final ? 0.125f : 0.0f;
        break;
    }
    return kind == 5   ? tn_box_shape_create(in, body, &def, half)
           : kind == 6 ? tn_cylinder_shape_create(in, body, &def, 0.5f, 0.25f)
                       : tn_cone_shape_create(in, body, &def, 0.5f, 0.25f);
}

static void finish_kind(tn_world *in, tn_shape_id shape, int kind) {
    switch (kind) {
    case 0:
        cr_assert(tn_cylinder_shape_set_half_length(in, shape, 0.5f) == TN_RESULT_OK);
        cr_assert(tn_cylinder_shape_set_radius(in, shape, 0.75f) == TN_RESULT_OK);
        cr_assert(tn_cylinder_shape_get_radius(in, shape) == 0.75f);
        break;
    case 1:
        cr_assert(tn_cone_shape_set_half_length(in, shape, 0.5f) == TN_RESULT_OK);
        cr_assert(tn_cone_shape_set_radius(in, shape, 0.75f) == TN_RESULT_OK);
        cr_assert(tn_cone_shape_get_radius(in, shape) == 0.75f);
        break;
    case 2:
        cr_assert(tn_tapered_cylinder_shape_set_lengths(in, shape, 0.5f, 0.75f, 0.25f) ==
                  TN_RESULT_OK);
        cr_assert(tn_tapered_cylinder_shape_get_radius_top(in, shape) == 0.25f);
        break;
    case 3:
        cr_assert(tn_tapered_capsule_shape_set_lengths(in, shape, 0.5f, 0.75f, 0.25f) ==
                  TN_RESULT_OK);
        cr_assert(tn_tapered_capsule_shape_get_half_length(in, shape) == 0.5f);
        break;
    case 4:
        cr_assert(tn_ellipsoid_shape_set_radii(in, shape, (tn_vec3){0.25, 0.5, 0.75}) ==
                  TN_RESULT_OK);
        cr_assert(tn_ellipsoid_shape_get_radii(in, shape).z == 0.75);
        break;
    default:
        cr_assert(tn_shape_set_rounding(in, shape, 0.125f) == TN_RESULT_OK);
        cr_assert(tn_shape_get_rounding(in, shape) == 0.125f);
        break;
    }
}

// What one world says of a shape of a kind, after a second on the floor.
typedef struct kind_answer {
    tn_mass mass;
    tn_bounds bounds, later;
    tn_ray_hit hit;
    tn_probe_hit nearest;
    uint64_t hash;
} kind_answer;

static kind_answer ask_kind(int kind, bool changes, bool steps_before) {
    test_reports own_reports;
    tn_world *own = test_world_create(&own_reports);
    test_floor_create(own);
    tn_body_id body = test_body_create(own, TN_BODY_TYPE_DYNAMIC, 0.0, 1.0, 0.0);
    tn_shape_id shape = make_kind(own, body, kind, !changes);
    tn_pose start = tn_body_get_pose(own, body);
    if (steps_before) {
        // It lies on the floor with its old lengths, and is put back.
        test_step(own, 90);
        tn_body_set_pose(own, body, start);
        tn_body_set_linear_velocity(own, body, (tn_vec3){0});
        tn_body_set_angular_velocity(own, body, (tn_vec3){0});
    }
    if (changes) {
        finish_kind(own, shape, kind);
    }
    kind_answer answer = {.mass = tn_body_get_mass(own, body),
                          .bounds = tn_shape_get_bounds(own, shape)};
    tn_ray ray = tn_ray_make((tn_vec3){5.0, 1.1, 0.1}, (tn_vec3){-10.0, 0.0, 0.0});
    cr_assert(tn_world_cast_ray(own, &ray, &answer.hit));
    tn_probe probe = tn_sphere_probe_make((tn_vec3){2.0, 1.5, 1.0}, 0.1f);
    probe.max_distance = 10.0;
    cr_assert(tn_world_find_nearest(own, &probe, &answer.nearest, 1) > 0);
    test_step(own, 60);
    answer.later = tn_shape_get_bounds(own, shape);
    answer.hash = tn_world_get_hash(own);
    cr_assert(own_reports.count == 0, "%s", own_reports.message);
    tn_world_destroy(own);
    return answer;
}

Test(shape_change, gives_every_convex_shape_the_motion_of_one_made_so) {
    for (int kind = 0; kind < KINDS; ++kind) {
        kind_answer made = ask_kind(kind, false, false), changed = ask_kind(kind, true, false);
        cr_assert(memcmp(&made.mass, &changed.mass, sizeof made.mass) == 0, "kind %d", kind);
        cr_assert(memcmp(&made.bounds, &changed.bounds, sizeof made.bounds) == 0, "kind %d", kind);
        cr_assert(made.hit.fraction == changed.hit.fraction, "kind %d", kind);
        cr_assert(made.nearest.distance == changed.nearest.distance, "kind %d", kind);
        cr_assert(made.hash == changed.hash, "kind %d", kind);
        // Contacts of the old lengths leave nothing behind.
        kind_answer later = ask_kind(kind, true, true);
        cr_assert(memcmp(&made.mass, &later.mass, sizeof made.mass) == 0, "kind %d", kind);
        TEST_NEAR(later.later.lower.y, made.later.lower.y, 1e-3);
        TEST_NEAR(later.later.upper.y, made.later.upper.y, 2e-3);
    }
}

Test(shape_change, lifts_a_sleeping_drum_that_grows) {
    test_floor_create(world);
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.25, 0.0);
    tn_shape_def def = tn_shape_def_default();
    tn_shape_id drum = tn_cylinder_shape_create(world, body, &def, 0.25f, 0.25f);
    test_step(world, 120);
    cr_assert_not(tn_body_is_awake(world, body));
    tn_cylinder_shape_set_half_length(world, drum, 0.25f);
    tn_shape_set_rounding(world, drum, 0.0f);
    cr_assert_not(tn_body_is_awake(world, body), "the old value wakes nothing");
    tn_cylinder_shape_set_half_length(world, drum, 0.5f);
    cr_assert(tn_body_is_awake(world, body));
    test_step(world, 240);
    TEST_NEAR(tn_body_get_pose(world, body).position.y, 0.5, 1e-3);
    cr_assert_not(tn_body_is_awake(world, body));
    tn_shape_set_rounding(world, drum, 0.1f);
    cr_assert(tn_body_is_awake(world, body));
    test_step(world, 240);
    TEST_NEAR(tn_body_get_pose(world, body).position.y, 0.6, 1e-3);
}

Test(shape_change, turns_cylinders_into_cones_and_back) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    tn_shape_id shape = tn_cylinder_shape_create(world, body, &def, 0.5f, 0.5f);
    double mass = get_mass(body);
    TEST_REPORTS(&reports, tn_cone_shape_set_radius(world, shape, 1.0f), TN_RESULT_WRONG_TYPE);
    tn_tapered_cylinder_shape_set_lengths(world, shape, 0.5f, 0.5f, 0.0f);
    cr_assert(tn_shape_get_type(world, shape) == TN_SHAPE_TYPE_CONE);
    TEST_NEAR(get_mass(body), mass / 3.0, 1e-6 * mass);
    TEST_REPORTS(&reports, tn_cylinder_shape_set_radius(world, shape, 1.0f), TN_RESULT_WRONG_TYPE);
    cr_assert(tn_cone_shape_set_radius(world, shape, 1.0f) == TN_RESULT_OK);
    tn_tapered_cylinder_shape_set_lengths(world, shape, 0.5f, 0.25f, 0.5f);
    cr_assert(tn_shape_get_type(world, shape) == TN_SHAPE_TYPE_TAPERED_CYLINDER);
    tn_tapered_cylinder_shape_set_lengths(world, shape, 0.5f, 0.5f, 0.5f);
    cr_assert(tn_shape_get_type(world, shape) == TN_SHAPE_TYPE_CYLINDER && get_mass(body) == mass);
}

Test(shape_change, refuses_bad_lengths_of_all_kinds) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0);
    tn_shape_id shapes[KINDS];
    for (int kind = 0; kind < KINDS; ++kind) {
        shapes[kind] = make_kind(world, body, kind, true);
    }
    tn_mass mass = tn_body_get_mass(world, body);
    TEST_REPORTS(&reports, tn_cylinder_shape_set_radius(world, shapes[0], 0.0f),
                 TN_RESULT_INVALID_ARGUMENT);
    TEST_REPORTS(&reports, tn_cylinder_shape_set_half_length(world, shapes[0], NAN),
                 TN_RESULT_NOT_FINITE);
    TEST_REPORTS(&reports, tn_cone_shape_set_radius(world, shapes[1], -1.0f),
                 TN_RESULT_INVALID_ARGUMENT);
    TEST_REPORTS(&reports, tn_cone_shape_set_half_length(world, shapes[1], INFINITY),
                 TN_RESULT_NOT_FINITE);
    TEST_REPORTS(&reports,
                 tn_tapered_cylinder_shape_set_lengths(world, shapes[2], 0.5f, 0.0f, 0.0f),
                 TN_RESULT_INVALID_ARGUMENT);
    TEST_REPORTS(&reports, tn_tapered_capsule_shape_set_lengths(world, shapes[3], 0.1f, 1.0f, 0.5f),
                 TN_RESULT_INVALID_ARGUMENT);
    TEST_REPORTS(&reports, tn_ellipsoid_shape_set_radii(world, shapes[4], (tn_vec3){1.0, 0.0, 1.0}),
                 TN_RESULT_INVALID_ARGUMENT);
    TEST_REPORTS(&reports,
                 tn_ellipsoid_shape_set_radii(world, shapes[4], (tn_vec3){1.0, 1e300, 1.0}),
                 TN_RESULT_NOT_FINITE);
    TEST_REPORTS(&reports, tn_shape_set_rounding(world, shapes[5], -0.1f),
                 TN_RESULT_INVALID_ARGUMENT);
    TEST_REPORTS(&reports, tn_shape_set_rounding(world, shapes[5], NAN), TN_RESULT_NOT_FINITE);
    TEST_REPORTS(&reports, tn_shape_set_rounding(world, shapes[3], 0.1f), TN_RESULT_WRONG_TYPE);
    TEST_REPORTS(&reports, tn_shape_set_rounding(world, (tn_shape_id){0}, 0.1f),
                 TN_RESULT_INVALID_ID);
    TEST_REPORTS(&reports, tn_ellipsoid_shape_set_radii(world, shapes[0], (tn_vec3){1.0, 1.0, 1.0}),
                 TN_RESULT_WRONG_TYPE);
    tn_mass now = tn_body_get_mass(world, body);
    cr_assert(memcmp(&mass, &now, sizeof mass) == 0);
    tn_body_id jelly =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 9.0, 1.0, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    tn_affine_def def = tn_affine_def_default();
    def.body = jelly;
    cr_assert(tn_affine_create(world, &def).value != 0);
    TEST_REPORTS(&reports, tn_shape_set_rounding(world, test_first_shape(world, jelly), 0.1f),
                 TN_RESULT_WRONG_TYPE);
    cr_assert(tn_shape_get_rounding(world, test_first_shape(world, jelly)) == 0.0f);
}
