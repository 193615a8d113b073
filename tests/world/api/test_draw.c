// The world drawn: counts, places, orientation, colours.
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

TestSuite(draw, .init = setup, .fini = teardown);

static tn_vec3 point_of(const float at[3]) {
    return (tn_vec3){(double)at[0], (double)at[1], (double)at[2]};
}

// Six times the volume a closed surface encloses: positive when its triangles face outward.
static double enclosed_volume(const tn_draw *draw) {
    double sum = 0.0;
    for (uint32_t i = 0; i < draw->triangle_count; ++i) {
        tn_vec3 a = point_of(draw->triangles[i].a), b = point_of(draw->triangles[i].b);
        tn_vec3 c = point_of(draw->triangles[i].c);
        sum += a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) +
               a.z * (b.x * c.y - b.y * c.x);
    }
    return sum / 6.0;
}

typedef tn_shape_id (*make_fn)(tn_body_id body, const tn_shape_def *def);

static tn_shape_id make_sphere(tn_body_id body, const tn_shape_def *def) {
    return tn_sphere_shape_create(world, body, def, 0.5f);
}

static tn_shape_id make_capsule(tn_body_id body, const tn_shape_def *def) {
    return tn_capsule_shape_create(world, body, def, 1.0f, 0.5f);
}

static tn_shape_id make_box(tn_body_id body, const tn_shape_def *def) {
    return tn_box_shape_create(world, body, def, (tn_vec3){0.5, 1.0, 1.5});
}

static tn_shape_id make_hull(tn_body_id body, const tn_shape_def *def) {
    const tn_vec3 points[4] = {{0, 0, 0}, {3, 0, 0}, {0, 3, 0}, {0, 0, 3}};
    return hull_shape_make(world, body, def, points, 4);
}

static tn_shape_id make_cylinder(tn_body_id body, const tn_shape_def *def) {
    return tn_cylinder_shape_create(world, body, def, 1.0f, 0.5f);
}

static tn_shape_id make_cone(tn_body_id body, const tn_shape_def *def) {
    return tn_cone_shape_create(world, body, def, 1.0f, 0.5f);
}

static tn_shape_id make_tapered_capsule(tn_body_id body, const tn_shape_def *def) {
    return tn_tapered_capsule_shape_create(world, body, def, 1.0f, 0.5f, 0.25f);
}

static tn_shape_id make_ellipsoid(tn_body_id body, const tn_shape_def *def) {
    return tn_ellipsoid_shape_create(world, body, def, (tn_vec3){0.5, 1.0, 0.75});
}

static tn_shape_id make_rounded_box(tn_body_id body, const tn_shape_def *def) {
    tn_shape_def rounded = *def;
    rounded.rounding = 0.1f;
    return tn_box_shape_create(world, body, &rounded, (tn_vec3){0.4, 0.5, 0.6});
}

// Curved shapes are drawn by their normals: 16 sectors and 16 bands, without the triangles that
// have no area.
Test(draw, curved_surfaces_are_closed_and_face_outward) {
    const make_fn cases[] = {make_cylinder, make_cone, make_tapered_capsule, make_ellipsoid,
                             make_rounded_box};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0);
        tn_shape_def def = tn_shape_def_default();
        def.density = 1.0f;
        cases[i](body, &def);
        double volume = tn_body_get_mass(world, body).mass;
        tn_draw_options options = tn_draw_options_default();
        tn_draw draw;
        cr_assert(tn_world_draw(world, &options, &draw) == TN_RESULT_OK);
        double drawn = enclosed_volume(&draw);
        cr_assert(drawn > 0.93 * volume && drawn < 1.001 * volume, "case %zu: %g of %g", i, drawn,
                  volume);
        cr_assert(draw.line_count > 30);
        tn_body_destroy(world, body);
    }
}

Test(draw, surfaces_are_closed_and_face_outward) {
    typedef struct draw_case {
        make_fn make;
        uint32_t triangles, lines;
        double volume, tolerance;
    } draw_case;
    const draw_case cases[] = {
        // 16 sectors and 8 bands lie inside the ball and enclose 6 % less.
        {make_sphere, 224, 72, 0.5236, 0.05},
        {make_capsule, 256, 100, 0.5236 + 1.5708, 0.12},
        {make_box, 12, 12, 6.0, 1e-4},
        {make_hull, 4, 6, 4.5, 1e-4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        // Far out and turned: the origin asked for brings it back.
        tn_body_def body_def = tn_body_def_default();
        body_def.pose.position = (tn_vec3){5e4, 6e4, -7e4};
        body_def.pose.rotation.x = 0.5;
        tn_body_id body = tn_body_create(world, &body_def);
        tn_shape_def def = tn_shape_def_default();
        def.local_pose.position.y = 1.0;
        def.local_pose.rotation.z = 0.3;
        cr_assert(cases[i].make(body, &def).value != 0);
        tn_draw_options options = tn_draw_options_default();
        options.origin = body_def.pose.position;
        tn_draw draw;
        cr_assert(tn_world_draw(world, &options, &draw) == TN_RESULT_OK);
        cr_assert(draw.triangle_count == cases[i].triangles, "case %zu: %u", i,
                  draw.triangle_count);
        cr_assert(draw.line_count == cases[i].lines, "case %zu: %u", i, draw.line_count);
        TEST_NEAR(enclosed_volume(&draw), cases[i].volume, cases[i].tolerance);
        options.draws_wireframe = false;
        tn_world_draw(world, &options, &draw);
        cr_assert(draw.line_count == 0 && draw.triangle_count == cases[i].triangles);
        options.draws_shapes = false;
        options.draws_bounds = true;
        tn_world_draw(world, &options, &draw);
        cr_assert(draw.line_count == 12 && draw.triangle_count == 0);
        tn_body_destroy(world, body);
    }
}

Test(draw, a_half_space_is_a_grid_that_faces_up) {
    test_floor_create(world);
    tn_draw_options options = tn_draw_options_default();
    options.plane_extent = 7.0f;
    tn_draw draw;
    cr_assert(tn_world_draw(world, &options, &draw) == TN_RESULT_OK);
    cr_assert(draw.triangle_count == 2 && draw.line_count == 22);
    for (uint32_t i = 0; i < 2; ++i) {
        tn_vec3 a = point_of(draw.triangles[i].a), b = point_of(draw.triangles[i].b);
        tn_vec3 c = point_of(draw.triangles[i].c);
        cr_assert((b.z - a.z) * (c.x - a.x) - (b.x - a.x) * (c.z - a.z) > 0.0);
        cr_assert(a.x == -7.0 && a.y == 0.0);
    }
}

Test(draw, joints_contacts_and_forces_are_lines) {
    test_floor_create(world);
    tn_body_id box =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    test_step(world, 30);
    tn_draw_options options = tn_draw_options_default();
    options.draws_shapes = options.draws_wireframe = false;
    tn_draw draw;
    tn_world_draw(world, &options, &draw);
    cr_assert(draw.line_count == 4 * 4 && draw.triangle_count == 0);
    options.draws_contacts = false;
    options.draws_forces = true;
    tn_world_draw(world, &options, &draw);
    cr_assert(draw.line_count == 4 + 1);
    double force = 0.0;
    for (uint32_t i = 0; i < 4; ++i) {
        force += (double)(draw.lines[i].b[1] - draw.lines[i].a[1]) / 0.001;
    }
    TEST_NEAR(force, 9810.0, 500.0);
    options.draws_forces = false;
    tn_ball_joint_def def = tn_ball_joint_def_default();
    def.base.body_b = box;
    cr_assert(tn_ball_joint_create(world, &def).value != 0);
    tn_world_draw(world, &options, &draw);
    // One arm, two frames of three axes, the gap.
    cr_assert(draw.line_count == 1 + 6 + 1);
}

Test(draw, an_empty_world_draws_nothing) {
    tn_draw draw = {NULL, NULL, 9, 9};
    cr_assert(tn_world_draw(world, NULL, &draw) == TN_RESULT_OK);
    cr_assert(draw.line_count == 0 && draw.triangle_count == 0);
}

Test(draw, color_tells_awake_from_asleep) {
    test_floor_create(world);
    tn_body_id box =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    tn_draw draw;
    tn_world_draw(world, NULL, &draw);
    uint32_t awake = draw.triangles[draw.triangle_count - 1].color;
    test_step(world, 300);
    cr_assert(!tn_body_is_awake(world, box));
    tn_world_draw(world, NULL, &draw);
    cr_assert(draw.triangles[draw.triangle_count - 1].color != awake);
}

// The volume that is drawn is det A times that at rest.
Test(draw, affine_bodies_are_drawn_deformed) {
    const make_fn makes[] = {make_sphere, make_capsule, make_box};
    for (size_t i = 0; i < sizeof makes / sizeof *makes; ++i) {
        tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0);
        tn_shape_def def = tn_shape_def_default();
        def.filter.mask = 0;
        cr_assert(makes[i](body, &def).value != 0);
        tn_draw_options options = tn_draw_options_default();
        tn_draw draw;
        tn_world_draw(world, &options, &draw);
        double volume = enclosed_volume(&draw);
        tn_affine_def affine = tn_affine_def_default();
        affine.body = body;
        tn_reduced_id id = tn_affine_create(world, &affine);
        const double u[TN_AFFINE_FREEDOMS] = {0, 0, 0, 1.5, 0.5, 0, 0, 0.8, 0, 0, 0.2, 1.25};
        tn_reduced_set_coordinates(world, id, u, TN_AFFINE_FREEDOMS);
        tn_world_draw(world, &options, &draw);
        TEST_NEAR(enclosed_volume(&draw), 1.5 * volume, 1e-4 * volume);
        tn_body_destroy(world, body);
    }
}
