// Tests of bench/ground.h, bench/model_concave.h and what bench/overlap.h says of sensors.
#include "bench/ground.h"
#include "bench/overlap.h"
#include "tests/world/world_test.h"

// A slope: the height is 0.5 x, over 4 m by 4 m from the origin on.
enum {
    SLOPE_SIDE = 5
};

static tn_body_id add_slope(tn_world *world, bool is_field) {
    float heights[SLOPE_SIDE * SLOPE_SIDE], positions[3 * SLOPE_SIDE * SLOPE_SIDE];
    uint32_t indices[6 * (SLOPE_SIDE - 1) * (SLOPE_SIDE - 1)], count = 0;
    for (uint32_t i = 0; i < SLOPE_SIDE * SLOPE_SIDE; ++i) {
        heights[i] = 0.5f * (float)(i % SLOPE_SIDE);
        positions[3 * i] = (float)(i % SLOPE_SIDE);
        positions[3 * i + 1] = heights[i];
        positions[3 * i + 2] = (float)(i / SLOPE_SIDE);
    }
    for (uint32_t a = 0; a + SLOPE_SIDE + 1 < SLOPE_SIDE * SLOPE_SIDE; ++a) {
        uint32_t b = a + 1, c = a + SLOPE_SIDE;
        const uint32_t corners[6] = {a, c, b, b, c, c + 1};
        if (a % SLOPE_SIDE + 1 < SLOPE_SIDE) {
            memcpy(&indices[count], corners, sizeof corners);
            count += 6;
        }
    }
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    if (is_field) {
        tn_height_field_def field_def = tn_height_field_def_default();
        field_def.heights = heights;
        field_def.columns = field_def.rows = SLOPE_SIDE;
        tn_height_field *field = tn_height_field_create(&field_def, NULL);
        cr_assert(tn_height_field_shape_create(world, body, &def, field, NULL, 0).value != 0);
        tn_height_field_release(field);
    } else {
        tn_mesh_def mesh_def = tn_mesh_def_default();
        mesh_def.positions = positions;
        mesh_def.position_count = SLOPE_SIDE * SLOPE_SIDE;
        mesh_def.indices = indices;
        mesh_def.triangle_count = count / 3;
        tn_mesh *mesh = tn_mesh_create(&mesh_def, NULL);
        cr_assert(tn_mesh_shape_create(world, body, &def, mesh, NULL, 0).value != 0);
        tn_mesh_release(mesh);
    }
    return body;
}

static void add_ball(tn_world *world, tn_vec3 at, float radius) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, at.x, at.y, at.z);
    tn_shape_def def = tn_shape_def_default();
    cr_assert(tn_sphere_shape_create(world, body, &def, radius).value != 0);
}

static model_state *get_states(const bench_model *model) {
    model_state *states = calloc(model->body_count, sizeof *states);
    for (uint32_t i = 0; i < model->body_count; ++i) {
        states[i].pose = model->bodies[i].pose;
    }
    return states;
}

static void measure_slope(bool is_field, tn_vec3 ball, double *out_depth, uint32_t *out_lost) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    add_slope(world, is_field);
    add_ball(world, ball, 0.3f);
    bench_model *model = model_create(world);
    cr_assert_not_null(model);
    cr_expect(model->shapes[0].vertex_count == SLOPE_SIDE * SLOPE_SIDE, "%u",
              model->shapes[0].vertex_count);
    cr_expect(model->shapes[0].index_count == 96);
    ground_finder *finder = ground_finder_create(model);
    cr_assert_not_null(finder);
    model_state *states = get_states(model);
    *out_depth = ground_finder_find_deepest(finder, states);
    *out_lost = ground_finder_count_lost(finder, states);
    free(states);
    ground_finder_destroy(finder);
    model_destroy(model);
    test_world_destroy_quiet(world, &reports);
}

// A ball whose middle is 0.2 m over a slope of 1 in 2, straight up, is 0.2 cos(slope) from it.
Test(ground, a_ball_is_as_deep_in_a_slope_as_geometry_says) {
    for (int is_field = 0; is_field < 2; ++is_field) {
        double depth = 0.0;
        uint32_t lost = 9;
        measure_slope(is_field != 0, (tn_vec3){2.3, 0.5 * 2.3 + 0.2, 1.6}, &depth, &lost);
        cr_expect(fabs(depth - (0.3 - 0.2 * 2.0 / sqrt(5.0))) < 1e-6, "%g", depth);
        cr_expect(lost == 0);
        measure_slope(is_field != 0, (tn_vec3){2.3, 2.0, 1.6}, &depth, &lost);
        cr_expect(depth == 0.0 && lost == 0);
    }
}

Test(ground, what_is_below_the_ground_or_fell_beside_it_is_lost) {
    for (int is_field = 0; is_field < 2; ++is_field) {
        double depth = 0.0;
        uint32_t lost = 9;
        measure_slope(is_field != 0, (tn_vec3){2.3, 0.5 * 2.3 - 0.1, 1.6}, &depth, &lost);
        cr_expect(lost == 1);
        measure_slope(is_field != 0, (tn_vec3){-3.0, -5.0, 1.6}, &depth, &lost);
        cr_expect(lost == 1);
        measure_slope(is_field != 0, (tn_vec3){-3.0, 0.5, 1.6}, &depth, &lost);
        cr_expect(lost == 0, "beside the ground and not below it");
    }
}

static uint32_t count_noticed(tn_vec3 ball) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    tn_body_id gate = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    def.is_sensor = true;
    tn_box_shape_create(world, gate, &def, (tn_vec3){1.0, 0.5, 1.0});
    add_ball(world, ball, 0.4f);
    tn_body_id box = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 3.0, 0.0);
    def.is_sensor = false;
    tn_box_shape_create(world, box, &def, (tn_vec3){0.5, 0.5, 0.5});
    bench_model *model = model_create(world);
    cr_assert(model != NULL && model->sensor_count == 1);
    overlap_finder *finder = overlap_finder_create(model);
    model_state *states = get_states(model);
    uint32_t count = overlap_finder_count_noticed(finder, states);
    cr_expect(overlap_finder_find_deepest(finder, states) == 0.0, "a sensor pushes nothing");
    states[2].pose.position.y = 0.9; // now the box is in it too
    cr_expect(overlap_finder_count_noticed(finder, states) == count + 1);
    free(states);
    overlap_finder_destroy(finder);
    model_destroy(model);
    test_world_destroy_quiet(world, &reports);
    return count;
}

// The ball's middle is 0.3 m beside the box along x and z: 0.42 m from its edge.
Test(ground, sensors_notice_what_overlaps_them) {
    cr_expect_eq(count_noticed((tn_vec3){1.3, 0.0, 0.0}), 1u);
    cr_expect_eq(count_noticed((tn_vec3){1.3, 0.0, 1.3}), 0u);
}
