// tests/forces/force_world.h: worlds with forces, and numbers to compare with.
#ifndef TESTS_FORCES_FORCE_WORLD_H
#define TESTS_FORCES_FORCE_WORLD_H

#include "../joints/joint_world.h"

#define FORCE_G 9.81

static const tn_vec3 force_no_gravity = {0.0, 0.0, 0.0};
static const tn_vec3 force_gravity = {0.0, -9.81, 0.0};

static inline tn_connector connector_at(tn_body_id body, double x, double y, double z) {
    tn_connector connector = tn_connector_default();
    connector.body = body;
    connector.point = (tn_vec3){x, y, z};
    return connector;
}

static inline tn_connector connector_along(tn_body_id body, tn_vec3 axis, double amount) {
    tn_connector connector = tn_connector_default();
    connector.body = body;
    connector.axis = axis;
    connector.amount = amount;
    return connector;
}

static inline tn_force_id spring_make(tn_world *world, tn_connector a, tn_connector b,
                                      double stiffness, double damping, double length) {
    tn_spring_force_def def = tn_spring_force_def_default();
    def.base.connectors[0] = a;
    def.base.connectors[1] = b;
    def.spring = (tn_force_spring){stiffness, damping, length};
    tn_force_id force = tn_spring_force_create(world, &def);
    cr_assert(force.value != 0);
    return force;
}

static inline tn_force_id air_make(tn_world *world, tn_connector at, double area, tn_vec3 wind) {
    tn_air_force_def def = tn_air_force_def_default();
    def.base.connectors[0] = at;
    def.base.connectors[0].amount = area;
    def.base.connector_count = 1;
    def.air.wind = wind;
    tn_force_id force = tn_air_force_create(world, &def);
    cr_assert(force.value != 0);
    return force;
}

static inline tn_force_id water_make(tn_world *world, tn_body_id body, double linear_drag) {
    tn_buoyancy_force_def def = tn_buoyancy_force_def_default();
    def.base.connectors[0].body = body;
    def.base.connector_count = 1;
    def.buoyancy.linear_drag = linear_drag;
    tn_force_id force = tn_buoyancy_force_create(world, &def);
    cr_assert(force.value != 0);
    return force;
}

// A body with one box, by its density.
static inline tn_body_id box_make(tn_world *world, tn_vec3 at, tn_vec3 half, float density) {
    tn_body_def def = tn_body_def_default();
    def.pose.position = at;
    tn_body_id body = tn_body_create(world, &def);
    tn_shape_def shape = tn_shape_def_default();
    shape.density = density;
    cr_assert(tn_box_shape_create(world, body, &shape, half).value != 0);
    return body;
}

static inline tn_vec3 center_of(const tn_world *world, tn_body_id body) {
    return tn_body_get_center(world, body);
}

static inline tn_vec3 velocity_of(const tn_world *world, tn_body_id body) {
    return tn_body_get_velocity(world, body).linear;
}

#endif
