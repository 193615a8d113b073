// bench/quality_world.c: worlds, bodies and small vector arithmetic of the quality runs.
#include "bench/quality_world.h"

#include <math.h>
#include <string.h>

const tn_solver quality_solvers[QUALITY_SOLVER_COUNT] = {TN_SOLVER_AUTO, TN_SOLVER_PGS,
                                                         TN_SOLVER_DIRECT, TN_SOLVER_CG};

const char *quality_solver_name(tn_solver solver) {
    switch (solver) {
    case TN_SOLVER_PGS:
        return "Gauss-Seidel";
    case TN_SOLVER_DIRECT:
        return "direct";
    case TN_SOLVER_CG:
        return "conjugate gradients";
    default:
        return "auto";
    }
}

bool quality_read_solver(const char *word, tn_solver *out_solver) {
    static const char *const words[QUALITY_SOLVER_COUNT] = {"auto", "pgs", "direct", "cg"};
    for (uint32_t i = 0; i < QUALITY_SOLVER_COUNT; i++) {
        if (strcmp(word, words[i]) == 0) {
            *out_solver = quality_solvers[i];
            return true;
        }
    }
    return false;
}

const char *quality_kind_name(quality_kind kind) {
    static const char *const names[] = {"ball", "capsule", "box", "hull"};
    return names[kind];
}

quality_shape quality_shape_of(quality_kind kind, double reach) {
    quality_shape shape = {kind, {reach, reach, reach}};
    if (kind == QUALITY_CAPSULE) { // lies or stands: reach from axis to surface, as much beyond
        shape.half.y = reach;
    }
    return shape;
}

// A corner of the prism: 0 to 7 below, 8 to 15 above. Its flat sides face x and z.
static tn_dvec3 quality_get_corner(const quality_shape *shape, uint32_t index) {
    double angle = ((index & 7) + 0.5) * QUALITY_PI / 4.0;
    double radius = shape->half.x / cos(QUALITY_PI / 8.0);
    double y = index < 8 ? -shape->half.y : shape->half.y;
    return quality_vector(radius * cos(angle), y, radius * sin(angle));
}

double quality_shape_get_reach(const quality_shape *shape, const double *rotation, tn_dvec3 along) {
    double back[4] = {-rotation[0], -rotation[1], -rotation[2], rotation[3]};
    tn_dvec3 d = quality_rotate(back, along);
    double reach = 0.0;
    switch (shape->kind) {
    case QUALITY_BALL:
        return shape->half.x;
    case QUALITY_CAPSULE:
        return shape->half.x + shape->half.y * fabs(d.y);
    case QUALITY_BOX:
        return shape->half.x * fabs(d.x) + shape->half.y * fabs(d.y) + shape->half.z * fabs(d.z);
    default:
        for (uint32_t i = 0; i < 16; i++) {
            reach = fmax(reach, quality_dot(d, quality_get_corner(shape, i)));
        }
        return reach;
    }
}

tn_world *quality_world_create(double gravity) {
    tn_world_def def = tn_world_def_default();
    def.gravity.y = (float)-gravity;
    def.enable_sleep = false;
    return tn_world_create(&def, NULL);
}

tn_body_def quality_body_at(double x, double y, double z) {
    tn_body_def def = tn_body_def_default();
    def.pose.position.x = x;
    def.pose.position.y = y;
    def.pose.position.z = z;
    return def;
}

void quality_body_turn(tn_body_def *def, tn_dvec3 axis, double angle) {
    double scale = sin(0.5 * angle) / quality_length(axis);
    double a[4] = {axis.x * scale, axis.y * scale, axis.z * scale, cos(0.5 * angle)};
    const double *b = def->pose.rotation;
    double product[4] = {
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    };
    for (int i = 0; i < 4; i++) {
        def->pose.rotation[i] = product[i];
    }
}

tn_shape_def quality_material(double friction) {
    tn_shape_def def = tn_shape_def_default();
    def.material.friction = (float)friction;
    return def;
}

static tn_vec3 quality_to_float(tn_dvec3 v) {
    tn_vec3 result = {(float)v.x, (float)v.y, (float)v.z};
    return result;
}

tn_body_id quality_body_create(tn_world *world, const tn_body_def *def,
                               const tn_shape_def *material, const quality_shape *shape) {
    tn_body_id body = tn_body_create(world, def);
    tn_vec3 half = quality_to_float(shape->half);
    if (shape->kind == QUALITY_BALL) {
        tn_sphere_shape_create(world, body, material, half.x);
    } else if (shape->kind == QUALITY_CAPSULE) {
        tn_capsule_shape_create(world, body, material, half.y, half.x);
    } else if (shape->kind == QUALITY_BOX) {
        tn_box_shape_create(world, body, material, half);
    } else {
        tn_vec3 corners[16];
        for (uint32_t i = 0; i < 16; i++) {
            corners[i] = quality_to_float(quality_get_corner(shape, i));
        }
        tn_hull_id hull = tn_hull_create(world, corners, 16, NULL);
        tn_hull_shape_create(world, body, material, hull);
        tn_hull_destroy(world, hull);
    }
    return body;
}

tn_body_id quality_block_create(tn_world *world, const tn_shape_def *material, tn_position lower,
                                tn_position upper) {
    tn_body_def def = quality_body_at(0.5 * (lower.x + upper.x), 0.5 * (lower.y + upper.y),
                                      0.5 * (lower.z + upper.z));
    def.type = TN_BODY_TYPE_STATIC;
    quality_shape box = {
        QUALITY_BOX,
        {0.5 * (upper.x - lower.x), 0.5 * (upper.y - lower.y), 0.5 * (upper.z - lower.z)}};
    return quality_body_create(world, &def, material, &box);
}

tn_body_id quality_plane_create(tn_world *world, const tn_shape_def *material, double top) {
    tn_body_def def = quality_body_at(0.0, top, 0.0);
    def.type = TN_BODY_TYPE_STATIC;
    tn_body_id body = tn_body_create(world, &def);
    tn_half_space_shape_create(world, body, material);
    return body;
}

void quality_floor_create(tn_world *world, const quality_floor *tiles) {
    tn_body_def def = quality_body_at(tiles->origin.x, tiles->origin.y - 0.5, tiles->origin.z);
    def.type = TN_BODY_TYPE_STATIC;
    tn_vec3 half = {(float)(0.5 * tiles->tile), 0.5f, 5.0f};
    tn_shape_def shape = tiles->material;
    tn_body_id body = {0};
    if (tiles->is_one_body) {
        body = tn_body_create(world, &def);
    }
    int first = (int)floor(tiles->from / tiles->tile);
    int last = (int)ceil(tiles->to / tiles->tile);
    for (int i = first; i < last; i++) {
        double middle = (i + 0.5) * tiles->tile;
        if (tiles->is_one_body) {
            shape.local_pose.position.x = (float)middle;
        } else {
            def.pose.position.x = tiles->origin.x + middle;
            body = tn_body_create(world, &def);
        }
        tn_box_shape_create(world, body, &shape, half);
    }
}

uint32_t quality_count_steps(double seconds, double hz) {
    return (uint32_t)(seconds * hz + 0.5);
}

void quality_world_run(tn_world *world, double seconds, double hz, uint32_t substeps) {
    uint32_t steps = quality_count_steps(seconds, hz);
    for (uint32_t i = 0; i < steps; i++) {
        tn_world_step(world, 1.0 / hz, substeps);
    }
}

tn_dvec3 quality_vector(double x, double y, double z) {
    tn_dvec3 v = {x, y, z};
    return v;
}

double quality_dot(tn_dvec3 a, tn_dvec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

double quality_length(tn_dvec3 v) {
    return sqrt(quality_dot(v, v));
}

tn_dvec3 quality_cross(tn_dvec3 a, tn_dvec3 b) {
    return quality_vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

tn_dvec3 quality_add(tn_dvec3 a, double factor, tn_dvec3 b) {
    return quality_vector(a.x + factor * b.x, a.y + factor * b.y, a.z + factor * b.z);
}

tn_dvec3 quality_subtract(tn_dvec3 a, tn_dvec3 b) {
    return quality_vector(a.x - b.x, a.y - b.y, a.z - b.z);
}

tn_dvec3 quality_between(tn_position from, tn_position to) {
    return quality_vector(to.x - from.x, to.y - from.y, to.z - from.z);
}

tn_dvec3 quality_rotate(const double *rotation, tn_dvec3 v) {
    tn_dvec3 axis = quality_vector(rotation[0], rotation[1], rotation[2]);
    tn_dvec3 once = quality_cross(axis, v);
    return quality_add(quality_add(v, 2.0 * rotation[3], once), 2.0, quality_cross(axis, once));
}

double quality_angle_between(const double *a, const double *b) {
    double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    double length = 0.0; // of the vector part of conjugate(a) b
    tn_dvec3 u = quality_vector(a[0], a[1], a[2]);
    tn_dvec3 v = quality_vector(b[0], b[1], b[2]);
    tn_dvec3 part = quality_add(quality_add(quality_cross(v, u), a[3], v), -b[3], u);
    length = quality_length(part);
    return 2.0 * atan2(length, fabs(dot));
}

double quality_velocity_change(tn_velocity a, tn_velocity b) {
    return hypot(quality_length(quality_subtract(a.linear, b.linear)),
                 quality_length(quality_subtract(a.angular, b.angular)));
}

// ---- coordinates ------------------------------------------------------------------------------

static void quality_multiply(const double p[4], const double q[4], double out[4]) {
    out[0] = p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1];
    out[1] = p[3] * q[1] - p[0] * q[2] + p[1] * q[3] + p[2] * q[0];
    out[2] = p[3] * q[2] + p[0] * q[1] - p[1] * q[0] + p[2] * q[3];
    out[3] = p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2];
}

void quality_reduced_free(const tn_reduced_input *input, tn_reduced_output *out, void *context) {
    (void)context;
    const double *u = input->coordinates, *w = input->speeds;
    double sy = sin(u[3]), cy = cos(u[3]), sx = sin(u[4]), cx = cos(u[4]);
    const double turn_y[4] = {0.0, sin(0.5 * u[3]), 0.0, cos(0.5 * u[3])};
    const double turn_x[4] = {sin(0.5 * u[4]), 0.0, 0.0, cos(0.5 * u[4])};
    const double turn_z[4] = {0.0, 0.0, sin(0.5 * u[5]), cos(0.5 * u[5])};
    tn_dvec3 y = {0.0, 1.0, 0.0}, x = {cy, 0.0, -sy}, z = {sy * cx, -sx, cy * cx};
    tn_reduced_motion *motion = &out->bodies[0];
    double both[4];
    quality_multiply(turn_y, turn_x, both);
    quality_multiply(both, turn_z, motion->pose.rotation);
    motion->pose.position = (tn_position){u[0], u[1], u[2]};
    motion->linear[0].x = motion->linear[1].y = motion->linear[2].z = 1.0;
    motion->angular[3] = y;
    motion->angular[4] = x;
    motion->angular[5] = z;
    tn_dvec3 rate = {w[4] * x.x, w[3] + w[4] * x.y, w[4] * x.z};
    tn_dvec3 of_x = quality_cross(y, x), of_z = quality_cross(rate, z), none = {0};
    motion->angular_acceleration = quality_add(quality_add(none, w[4] * w[3], of_x), w[5], of_z);
}
