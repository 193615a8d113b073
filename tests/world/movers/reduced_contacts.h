// tests/world/movers/reduced_contacts.h: objects that are given by coordinates and touch others,
// for the tests of contacts.
#ifndef TESTS_WORLD_REDUCED_CONTACTS_H
#define TESTS_WORLD_REDUCED_CONTACTS_H

#include "bench/quality_world.h"
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
    def.gravity = (tn_vec3){gravity * sin(slope), -gravity * cos(slope), 0.0};
    def.is_sleep_allowed = false;
    def.has_energy_ledger = true;
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
                                          tn_reduced_fn function, const double *coordinates,
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
static inline void contacts_planar(const tn_reduced_input *input, tn_reduced_output *out,
                                   void *context) {
    (void)context;
    const double *u = input->coordinates;
    tn_reduced_motion *motion = &out->bodies[0];
    reduced_place(motion, u[0], u[1], input->freedoms > 2 ? u[2] : 0.0);
    motion->linear[0] = (tn_vec3){1.0, 0.0, 0.0};
    motion->linear[1] = (tn_vec3){0.0, 1.0, 0.0};
    motion->angular[2] = (tn_vec3){0.0, 0.0, 1.0};
}

// Along x at a height of 0.5 m.
static inline void contacts_slider(const tn_reduced_input *input, tn_reduced_output *out,
                                   void *context) {
    (void)context;
    out->bodies[0].pose.position = (tn_vec3){input->coordinates[0], 0.5, 0.0};
    out->bodies[0].linear[0] = (tn_vec3){1.0, 0.0, 0.0};
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
