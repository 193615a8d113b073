// world/api/draw.c: the world as flat arrays of lines and triangles.
//
// Test: tests/world/api/test_draw.c
#include "core/float_environment.h"
#include "world/api/draw_internal.h"
#include "world/records/convert.h"

tn_draw_options tn_draw_options_default(void) {
    tn_draw_options options = {0};
    options.draws_shapes = true;
    options.draws_wireframe = true;
    options.draws_joints = true;
    options.draws_contacts = true;
    options.force_scale = 0.001f;
    options.plane_extent = 20.0f;
    return options;
}

static void draw_place(const tni_draw_sink *sink, tni_dvec3 point, float out[3]) {
    tni_dvec3 v = dvec3_sub(point, sink->origin);
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
}

void tni_draw_add_line(tni_draw_sink *sink, tni_dvec3 a, tni_dvec3 b, uint32_t color) {
    if (sink->lines) {
        tn_draw_line *line = &sink->lines[sink->line_count];
        draw_place(sink, a, line->a);
        draw_place(sink, b, line->b);
        line->color = color;
    }
    sink->line_count += 1;
}

void tni_draw_add_triangle(tni_draw_sink *sink, tni_dvec3 a, tni_dvec3 b, tni_dvec3 c,
                           uint32_t color) {
    if (sink->triangles) {
        tn_draw_triangle *triangle = &sink->triangles[sink->triangle_count];
        draw_place(sink, a, triangle->a);
        draw_place(sink, b, triangle->b);
        draw_place(sink, c, triangle->c);
        triangle->color = color;
    }
    sink->triangle_count += 1;
}

static void draw_all(tni_draw_sink *sink, const tn_world *world, const tn_draw_options *options) {
    for (uint32_t i = 0; i < world->shape_pool.slot_count; ++i) {
        if (tni_pool_handle(&world->shape_pool, i) == 0 || tni_shape_at(world, i)->part != NULL) {
            continue;
        }
        tni_draw_shape(sink, world, i, options);
        if (options->draws_bounds) {
            tni_draw_bounds(sink, world, i);
        }
    }
    for (uint32_t i = 0; i < world->joint_pool.slot_count; ++i) {
        if (tni_pool_handle(&world->joint_pool, i) != 0) {
            tni_draw_joint(sink, world, i, options);
        }
    }
    for (uint32_t i = 0; i < world->force_list.count; ++i) {
        tni_draw_force(sink, world, world->force_list.items[i], options);
    }
    for (uint32_t i = 0; i < world->contact_pool.slot_count; ++i) {
        if (tni_pool_handle(&world->contact_pool, i) != 0) {
            tni_draw_contact(sink, world, i, options);
        }
    }
}

static bool draw_reserve(tn_world *world, uint32_t line_count, uint32_t triangle_count) {
    tn_draw_line *lines = tni_array_grow(&world->allocator, world->draw_lines, 0,
                                         &world->draw_line_capacity, line_count, sizeof *lines);
    if (line_count > 0 && !lines) {
        return false;
    }
    world->draw_lines = lines;
    tn_draw_triangle *triangles =
        tni_array_grow(&world->allocator, world->draw_triangles, 0, &world->draw_triangle_capacity,
                       triangle_count, sizeof *triangles);
    if (triangle_count > 0 && !triangles) {
        return false;
    }
    world->draw_triangles = triangles;
    return true;
}

static bool draw_options_are_valid(const tn_draw_options *options) {
    return convert_is_finite(options->origin) && isfinite(options->force_scale) &&
           isfinite(options->plane_extent) && options->plane_extent > 0.0f;
}

// Draws twice: first to count.
static tn_result draw_world(tn_world *world, const tn_draw_options *options, tn_draw *out_draw) {
    if (!out_draw || !draw_options_are_valid(options)) {
        return tni_world_report(world, TN_RESULT_INVALID_ARGUMENT, "tn_world_draw",
                                "Drawing needs out_draw, a finite origin and force_scale, and "
                                "plane_extent > 0.",
                                0);
    }
    tni_draw_sink sink = {.origin = dvec3_from_plain(options->origin)};
    draw_all(&sink, world, options);
    if (!draw_reserve(world, sink.line_count, sink.triangle_count)) {
        return tni_world_report(world, TN_RESULT_OUT_OF_MEMORY, "tn_world_draw",
                                "There is no memory for the lines and triangles.", 0);
    }
    sink.line_count = 0;
    sink.triangle_count = 0;
    sink.lines = world->draw_lines;
    sink.triangles = world->draw_triangles;
    draw_all(&sink, world, options);
    *out_draw = (tn_draw){sink.lines, sink.triangles, sink.line_count, sink.triangle_count};
    return TN_RESULT_OK;
}

tn_result tn_world_draw(tn_world *world, const tn_draw_options *given_options, tn_draw *out_draw) {
    if (out_draw) {
        *out_draw = (tn_draw){0};
    }
    if (!world) {
        return TN_RESULT_INVALID_ARGUMENT;
    }
    if (tni_world_refuses(world, __func__)) {
        return TN_RESULT_WORLD_LOCKED;
    }
    tn_draw_options options = given_options ? *given_options : tn_draw_options_default();
    tni_float_environment host = tni_float_environment_enter();
    tn_result result = draw_world(world, &options, out_draw);
    tni_float_environment_leave(host);
    return result;
}
