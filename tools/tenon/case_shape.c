// tools/tenon/case_shape.c: the shapes of a case's bodies as shapes of tenon.
#include <math.h>

#include "tools/tenon/case_world.h"

// The shortest rotation from the y axis, along which cylinders lie, to `axis`.
static tn_quat case_turn_from_y(tn_vec3 axis) {
    double w = 1.0 + axis.y;
    if (w < 1e-9) {
        return (tn_quat){1.0, 0.0, 0.0, 0.0};
    }
    double length = sqrt(axis.z * axis.z + axis.x * axis.x + w * w);
    return (tn_quat){(axis.z / length), 0.0, (-axis.x / length), (w / length)};
}

static bool case_add_cylinder(case_world *run, uint32_t body, tn_shape_def *def) {
    const case_shape *shape = &run->model->bodies[body].shape;
    def->local_pose.rotation = case_turn_from_y(shape->axis);
    return tn_cylinder_shape_create(run->world, run->bodies[body], def,
                                    (float)(0.5 * shape->length), (float)shape->radius)
               .value != 0;
}

// Tells why there is no hull, which belongs to no world that would.
static void case_report_hull(const case_world *run, tn_result result) {
    tn_report report = {.result = result, .function = "tn_hull_create"};
    report.message = result == TN_RESULT_TOO_LARGE
                         ? "A hull has at most 65535 points, 255 corners and 1e9 m."
                         : tn_result_text(result);
    if (run->report != NULL) {
        run->report(&report, run->report_user_data);
    }
}

static bool case_add_convex(case_world *run, uint32_t body, const tn_shape_def *def) {
    const case_shape *shape = &run->model->bodies[body].shape;
    tn_hull_def hull_def = tn_hull_def_default();
    hull_def.points = shape->vertices;
    hull_def.point_count = shape->vertex_count;
    tn_result result;
    tn_hull *hull = tn_hull_create(&hull_def, &result);
    if (hull == NULL) {
        case_report_hull(run, result);
        return false;
    }
    tn_shape_id made = tn_hull_shape_create(run->world, run->bodies[body], def, hull);
    tn_hull_release(hull);
    return made.value != 0;
}

bool case_shape_add(case_world *run, uint32_t body) {
    const case_shape *shape = &run->model->bodies[body].shape;
    tn_shape_def def = tn_shape_def_default();
    def.has_pre_solve = true;
    def.material = case_contact_body_material(run->model);
    def.user_data = &run->tags[body];
    def.density = 0.0f;
    if (!run->model->has_contacts) {
        def.filter.mask = 0; // drawn, but touched by nothing
    }
    tn_vec3 half = {(0.5 * shape->size.x), (0.5 * shape->size.y), (0.5 * shape->size.z)};
    switch (shape->type) {
    case CASE_SHAPE_TYPE_NONE:
        return true;
    case CASE_SHAPE_TYPE_SPHERE:
        return tn_sphere_shape_create(run->world, run->bodies[body], &def, (float)shape->radius)
                   .value != 0;
    case CASE_SHAPE_TYPE_BOX:
        return tn_box_shape_create(run->world, run->bodies[body], &def, half).value != 0;
    case CASE_SHAPE_TYPE_CYLINDER:
        return case_add_cylinder(run, body, &def);
    case CASE_SHAPE_TYPE_CONVEX:
        return case_add_convex(run, body, &def);
    }
    return true;
}
