// tools/tenon/case_shape.c: the shapes of a case's bodies as shapes of tenon.
//
// A cylinder has no shape of its own in tenon. One that rolls, that is one whose axis is level over
// the plane it may touch, is a capsule between the centres of its two end faces: it meets a plane
// at exactly the two ends of the line where the true cylinder does, whatever its turn, and never
// falls from edge to edge as a prism does. The round caps that stand out at the ends matter only
// where something is beside them. Any other cylinder is a prism of CASE_CYLINDER_SIDES sides around
// it, standing on its true rim.
#include "tools/tenon/case_world.h"
#include "tools/tenon/vector.h"

#define CASE_CYLINDER_SIDES 48
#define CASE_CYLINDER_LEVEL 1e-3 // sine of the angle up to which an axis counts as level

static bool case_cylinder_rolls(const case_world *run, uint32_t body) {
    const case_shape *shape = &run->model->bodies[body].shape;
    tn_vec3 axis = tn_body_get_world_vector(run->world, run->bodies[body], shape->axis);
    bool rolls = false;
    for (uint32_t i = 0; i < run->model->contact_count; i++) {
        const case_contact *contact = &run->model->contacts[i];
        if (contact->kind == CASE_CONTACT_KIND_PLANE && contact->takes_part[body]) {
            if (fabs(vector_dot(axis, contact->normal)) > CASE_CYLINDER_LEVEL) {
                return false;
            }
            rolls = true;
        }
    }
    return rolls;
}

// The shortest rotation from the y axis, along which capsules lie, to `axis`.
static tn_quat case_turn_from_y(tn_vec3 axis) {
    double w = 1.0 + axis.y;
    if (w < 1e-9) {
        return (tn_quat){1.0, 0.0, 0.0, 0.0};
    }
    double length = sqrt(axis.z * axis.z + axis.x * axis.x + w * w);
    return (tn_quat){(axis.z / length), 0.0, (-axis.x / length), (w / length)};
}

static bool case_add_prism(case_world *run, uint32_t body, const tn_shape_def *def) {
    const case_shape *shape = &run->model->bodies[body].shape;
    tn_vec3 points[2 * CASE_CYLINDER_SIDES];
    tn_vec3 other = fabs(shape->axis.x) < 0.7 ? (tn_vec3){1, 0, 0} : (tn_vec3){0, 1, 0};
    tn_vec3 u = vector_cross(shape->axis, other);
    double length = vector_length(u);
    u = (tn_vec3){u.x / length, u.y / length, u.z / length};
    tn_vec3 v = vector_cross(shape->axis, u);
    for (uint32_t i = 0; i < CASE_CYLINDER_SIDES; i++) {
        double angle = 6.283185307179586 * i / CASE_CYLINDER_SIDES;
        double c = shape->radius * cos(angle);
        double s = shape->radius * sin(angle);
        for (uint32_t end = 0; end < 2; end++) {
            double h = end == 0 ? 0.5 * shape->length : -0.5 * shape->length;
            points[2 * i + end] = (tn_vec3){(c * u.x + s * v.x + h * shape->axis.x),
                                            (c * u.y + s * v.y + h * shape->axis.y),
                                            (c * u.z + s * v.z + h * shape->axis.z)};
        }
    }
    tn_hull_id hull = tn_hull_create(run->world, points, 2 * CASE_CYLINDER_SIDES, NULL);
    return tn_hull_shape_create(run->world, run->bodies[body], def, hull).value != 0;
}

static bool case_add_cylinder(case_world *run, uint32_t body, tn_shape_def *def) {
    const case_shape *shape = &run->model->bodies[body].shape;
    if (!case_cylinder_rolls(run, body)) {
        return case_add_prism(run, body, def);
    }
    def->local_pose.rotation = case_turn_from_y(shape->axis);
    return tn_capsule_shape_create(run->world, run->bodies[body], def, (float)(0.5 * shape->length),
                                   (float)shape->radius)
               .value != 0;
}

static bool case_add_convex(case_world *run, uint32_t body, const tn_shape_def *def) {
    const case_shape *shape = &run->model->bodies[body].shape;
    tn_hull_id hull = tn_hull_create(run->world, shape->vertices, shape->vertex_count, NULL);
    return hull.value != 0 &&
           tn_hull_shape_create(run->world, run->bodies[body], def, hull).value != 0;
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
