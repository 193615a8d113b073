// tests/world/reduced_contacts.h: objects that are given by coordinates and touch others, for the
// tests of contacts.
#ifndef TESTS_WORLD_REDUCED_CONTACTS_H
#define TESTS_WORLD_REDUCED_CONTACTS_H

#include "reduced_world.h"

static inline tn_shape_def contacts_shape(float friction, float restitution) {
    tn_shape_def def = tn_shape_def_default();
    def.material.friction = friction;
    def.material.restitution = restitution;
    return def;
}

// With gravity along a slope of this angle, rad, so that the world's floor is the slope.
static inline tn_world *contacts_world_create(double gravity, double slope, test_reports *reports) {
    tn_world_def def = tn_world_def_default();
    def.gravity = (tn_vec3){(float)(gravity * sin(slope)), (float)(-gravity * cos(slope)), 0.0f};
    def.enable_sleep = false;
    def.enable_energy_ledger = true;
    return test_def_world_create(def, reports);
}

static inline tn_body_id contacts_floor_make(tn_world *world, float friction, float restitution) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
    tn_shape_def def = contacts_shape(friction, restitution);
    cr_assert(tn_half_space_shape_create(world, body, &def).value != 0);
    return body;
}

static inline tn_body_id contacts_box_make(tn_world *world, double x, double y, double z,
                                           tn_vec3 half, float friction) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, x, y, z);
    tn_shape_def def = contacts_shape(friction, 0.0f);
    cr_assert(tn_box_shape_create(world, body, &def, half).value != 0);
    return body;
}

static inline tn_body_id contacts_ball_make(tn_world *world, double x, double y, float radius,
                                            float friction, float restitution) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, x, y, 0.0);
    tn_shape_def def = contacts_shape(friction, restitution);
    cr_assert(tn_sphere_shape_create(world, body, &def, radius).value != 0);
    return body;
}

static inline tn_reduced_id contacts_make(tn_world *world, tn_body_id body, uint32_t freedoms,
                                          tn_reduced_fn *function, const double *coordinates,
                                          const double *speeds) {
    tn_reduced_def def = tn_reduced_def_default();
    def.freedoms = freedoms;
    def.body_count = 1;
    def.bodies[0] = body;
    def.function = function;
    for (uint32_t k = 0; k < freedoms; ++k) {
        def.coordinates[k] = coordinates[k];
        def.speeds[k] = speeds != NULL ? speeds[k] : 0.0;
    }
    tn_reduced_id id = tn_reduced_create(world, &def);
    cr_assert(id.value != 0);
    return id;
}

// In the plane z = 0: x, y and, of three freedoms, the angle.
static inline void contacts_planar(const tn_reduced_input *input, void *context,
                                   tn_reduced_output *out) {
    (void)context;
    const double *u = input->coordinates;
    tn_reduced_motion *motion = &out->bodies[0];
    reduced_place(motion, u[0], u[1], input->freedoms > 2 ? u[2] : 0.0);
    motion->linear[0] = (tn_dvec3){1.0, 0.0, 0.0};
    motion->linear[1] = (tn_dvec3){0.0, 1.0, 0.0};
    motion->angular[2] = (tn_dvec3){0.0, 0.0, 1.0};
}

// Along x at a height of 0.5 m.
static inline void contacts_slider(const tn_reduced_input *input, void *context,
                                   tn_reduced_output *out) {
    (void)context;
    out->bodies[0].pose.position = (tn_position){input->coordinates[0], 0.5, 0.0};
    out->bodies[0].linear[0] = (tn_dvec3){1.0, 0.0, 0.0};
}

static inline tn_dvec3 contacts_cross(tn_dvec3 a, tn_dvec3 b) {
    return (tn_dvec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline void contacts_multiply(const double p[4], const double q[4], double out[4]) {
    out[0] = p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1];
    out[1] = p[3] * q[1] - p[0] * q[2] + p[1] * q[3] + p[2] * q[0];
    out[2] = p[3] * q[2] + p[0] * q[1] - p[1] * q[0] + p[2] * q[3];
    out[3] = p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2];
}

// All six: x, y, z, then turns about y, about x of what that makes of it, and about its own z.
static inline void contacts_free(const tn_reduced_input *input, void *context,
                                 tn_reduced_output *out) {
    (void)context;
    const double *u = input->coordinates, *w = input->speeds;
    double sy = sin(u[3]), cy = cos(u[3]), sx = sin(u[4]), cx = cos(u[4]);
    const double turn_y[4] = {0.0, sin(0.5 * u[3]), 0.0, cos(0.5 * u[3])};
    const double turn_x[4] = {sin(0.5 * u[4]), 0.0, 0.0, cos(0.5 * u[4])};
    const double turn_z[4] = {0.0, 0.0, sin(0.5 * u[5]), cos(0.5 * u[5])};
    tn_dvec3 y = {0.0, 1.0, 0.0}, x = {cy, 0.0, -sy}, z = {sy * cx, -sx, cy * cx};
    tn_reduced_motion *motion = &out->bodies[0];
    double both[4];
    contacts_multiply(turn_y, turn_x, both);
    contacts_multiply(both, turn_z, motion->pose.rotation);
    motion->pose.position = (tn_position){u[0], u[1], u[2]};
    motion->linear[0].x = motion->linear[1].y = motion->linear[2].z = 1.0;
    motion->angular[3] = y;
    motion->angular[4] = x;
    motion->angular[5] = z;
    tn_dvec3 rate = {w[4] * x.x, w[3] + w[4] * x.y, w[4] * x.z};
    tn_dvec3 of_x = contacts_cross(y, x), of_z = contacts_cross(rate, z);
    motion->angular_acceleration =
        (tn_dvec3){w[4] * w[3] * of_x.x + w[5] * of_z.x, w[4] * w[3] * of_x.y + w[5] * of_z.y,
                   w[4] * w[3] * of_x.z + w[5] * of_z.z};
}

// Of the body's only contact: N·s along the normal in the last step.
static inline double contacts_impulse(const tn_world *world, tn_body_id body) {
    tn_contact_id id = {0};
    cr_assert(tn_body_get_contacts(world, body, &id, 1) == 1);
    tn_contact contact = tn_contact_get(world, id);
    double sum = 0.0;
    for (uint32_t p = 0; p < contact.point_count; ++p) {
        sum += (double)contact.points[p].normal_impulse;
    }
    return sum;
}

// J: the ledger's sum.
static inline double contacts_get_work(const tn_world *world) {
    tn_energy e = tn_world_get_energy(world);
    return e.gravity_work + e.motor_work + e.spring_work + e.force_work + e.joint_work +
           e.friction_work + e.impact_work + e.damping_work;
}

#endif
