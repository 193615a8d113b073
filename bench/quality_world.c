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
static tn_vec3 quality_get_corner(const quality_shape *shape, uint32_t index) {
    double angle = ((index & 7) + 0.5) * QUALITY_PI / 4.0;
    double radius = shape->half.x / cos(QUALITY_PI / 8.0);
    double y = index < 8 ? -shape->half.y : shape->half.y;
    return quality_vector(radius * cos(angle), y, radius * sin(angle));
}

double quality_shape_get_reach(const quality_shape *shape, tn_quat rotation, tn_vec3 along) {
    tn_quat back = {-rotation.x, -rotation.y, -rotation.z, rotation.w};
    tn_vec3 d = quality_rotate(back, along);
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
    def.gravity.y = -gravity;
    def.is_sleep_allowed = false;
    return tn_world_create(&def, NULL);
}

tn_body_def quality_body_at(double x, double y, double z) {
    tn_body_def def = tn_body_def_default();
    def.pose.position.x = x;
    def.pose.position.y = y;
    def.pose.position.z = z;
    return def;
}

static tn_quat quality_multiply(tn_quat p, tn_quat q) {
    return (tn_quat){
        p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
        p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
        p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w,
        p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z,
    };
}

void quality_body_turn(tn_body_def *def, tn_vec3 axis, double angle) {
    double scale = sin(0.5 * angle) / quality_length(axis);
    tn_quat turn = {axis.x * scale, axis.y * scale, axis.z * scale, cos(0.5 * angle)};
    def->pose.rotation = quality_multiply(turn, def->pose.rotation);
}

tn_shape_def quality_material(double friction) {
    tn_shape_def def = tn_shape_def_default();
    def.material.friction = (float)friction;
    return def;
}

tn_body_id quality_body_create(tn_world *world, const tn_body_def *def,
                               const tn_shape_def *material, const quality_shape *shape) {
    tn_body_id body = tn_body_create(world, def);
    tn_vec3 half = shape->half;
    if (shape->kind == QUALITY_BALL) {
        tn_sphere_shape_create(world, body, material, (float)half.x);
    } else if (shape->kind == QUALITY_CAPSULE) {
        tn_capsule_shape_create(world, body, material, (float)half.y, (float)half.x);
    } else if (shape->kind == QUALITY_BOX) {
        tn_box_shape_create(world, body, material, half);
    } else {
        tn_vec3 corners[16];
        for (uint32_t i = 0; i < 16; i++) {
            corners[i] = quality_get_corner(shape, i);
        }
        quality_hull_shape_create(world, body, material, corners, 16);
    }
    return body;
}

tn_shape_id quality_hull_shape_create(tn_world *world, tn_body_id body,
                                      const tn_shape_def *material, const tn_vec3 *points,
                                      uint32_t count) {
    tn_hull_def def = tn_hull_def_default();
    def.points = points;
    def.point_count = count;
    tn_hull *hull = tn_hull_create(&def, NULL);
    tn_shape_id shape = tn_hull_shape_create(world, body, material, hull);
    tn_hull_release(hull);
    return shape;
}

tn_body_id quality_block_create(tn_world *world, const tn_shape_def *material, tn_vec3 lower,
                                tn_vec3 upper) {
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
    tn_vec3 half = {(0.5 * tiles->tile), 0.5, 5.0};
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
            shape.local_pose.position.x = middle;
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

tn_vec3 quality_vector(double x, double y, double z) {
    tn_vec3 v = {x, y, z};
    return v;
}

double quality_dot(tn_vec3 a, tn_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

double quality_length(tn_vec3 v) {
    return sqrt(quality_dot(v, v));
}

tn_vec3 quality_cross(tn_vec3 a, tn_vec3 b) {
    return quality_vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

tn_vec3 quality_add(tn_vec3 a, double factor, tn_vec3 b) {
    return quality_vector(a.x + factor * b.x, a.y + factor * b.y, a.z + factor * b.z);
}

tn_vec3 quality_subtract(tn_vec3 a, tn_vec3 b) {
    return quality_vector(a.x - b.x, a.y - b.y, a.z - b.z);
}

tn_vec3 quality_between(tn_vec3 from, tn_vec3 to) {
    return quality_vector(to.x - from.x, to.y - from.y, to.z - from.z);
}

tn_vec3 quality_rotate(tn_quat rotation, tn_vec3 v) {
    tn_vec3 axis = quality_vector(rotation.x, rotation.y, rotation.z);
    tn_vec3 once = quality_cross(axis, v);
    return quality_add(quality_add(v, 2.0 * rotation.w, once), 2.0, quality_cross(axis, once));
}

double quality_angle_between(tn_quat a, tn_quat b) {
    double dot = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    double length = 0.0; // of the vector part of conjugate(a) b
    tn_vec3 u = quality_vector(a.x, a.y, a.z);
    tn_vec3 v = quality_vector(b.x, b.y, b.z);
    tn_vec3 part = quality_add(quality_add(quality_cross(v, u), a.w, v), -b.w, u);
    length = quality_length(part);
    return 2.0 * atan2(length, fabs(dot));
}

double quality_velocity_change(tn_velocity a, tn_velocity b) {
    return hypot(quality_length(quality_subtract(a.linear, b.linear)),
                 quality_length(quality_subtract(a.angular, b.angular)));
}

// ---- coordinates ------------------------------------------------------------------------------

void quality_reduced_free(const tn_reduced_input *input, tn_reduced_output *out, void *context) {
    (void)context;
    const double *u = input->coordinates, *w = input->speeds;
    double sy = sin(u[3]), cy = cos(u[3]), sx = sin(u[4]), cx = cos(u[4]);
    tn_quat turn_y = {0.0, sin(0.5 * u[3]), 0.0, cos(0.5 * u[3])};
    tn_quat turn_x = {sin(0.5 * u[4]), 0.0, 0.0, cos(0.5 * u[4])};
    tn_quat turn_z = {0.0, 0.0, sin(0.5 * u[5]), cos(0.5 * u[5])};
    tn_vec3 y = {0.0, 1.0, 0.0}, x = {cy, 0.0, -sy}, z = {sy * cx, -sx, cy * cx};
    tn_reduced_motion *motion = &out->bodies[0];
    motion->pose.rotation = quality_multiply(quality_multiply(turn_y, turn_x), turn_z);
    motion->pose.position = (tn_vec3){u[0], u[1], u[2]};
    motion->linear[0].x = motion->linear[1].y = motion->linear[2].z = 1.0;
    motion->angular[3] = y;
    motion->angular[4] = x;
    motion->angular[5] = z;
    tn_vec3 rate = {w[4] * x.x, w[3] + w[4] * x.y, w[4] * x.z};
    tn_vec3 of_x = quality_cross(y, x), of_z = quality_cross(rate, z), none = {0};
    motion->angular_acceleration = quality_add(quality_add(none, w[4] * w[3], of_x), w[5], of_z);
}
