// world/api/energy.c: energy and momentum of the dynamic bodies now, beside the ledger of work.
//
//     T = sum m v^2 / 2 + w . I w / 2        U = -sum m s g . x      (s: the body's gravity scale)
//     (of an affine body: solver/movers/affine.h)
//     P = sum m v                            L = sum x x m v + I w   about the world's origin
//
// Test: tests/world/api/test_energy.c
#include "solver/movers/affine.h"
#include "world/bodies.h"
#include "world/joints.h"

tni_dvec3 tni_body_spin(const tn_world *world, const tni_body *body) {
    const tni_reduced *affine = tni_body_get_affine(world, body);
    if (affine != NULL) {
        return tni_affine_get_spin(affine);
    }
    tni_dmat3 inertia = tni_body_world_inertia(body);
    return dmat3_mul_vec(&inertia, body->angular_velocity);
}

double tni_body_kinetic_energy(const tn_world *world, const tni_body *body) {
    const tni_reduced *affine = tni_body_get_affine(world, body);
    if (affine != NULL) {
        return tni_affine_get_kinetic_energy(affine);
    }
    double linear = body->mass * dvec3_dot(body->velocity, body->velocity);
    return 0.5 * (linear + dvec3_dot(body->angular_velocity, tni_body_spin(world, body)));
}

typedef struct energy_sum {
    double kinetic, potential;
    tni_dvec3 linear, angular;
} energy_sum;

static void energy_add_body(const tn_world *world, energy_sum *sum, const tni_body *body) {
    tni_dvec3 momentum = dvec3_scale(body->velocity, body->mass);
    double weight = body->mass * (double)body->gravity_scale;
    sum->kinetic += tni_body_kinetic_energy(world, body);
    sum->potential -= weight * dvec3_dot(tni_world_get_gravity(world), body->position);
    sum->linear = dvec3_add(sum->linear, momentum);
    sum->angular = dvec3_add(sum->angular, dvec3_cross(body->position, momentum));
    sum->angular = dvec3_add(sum->angular, tni_body_spin(world, body));
}

static double energy_of_joints(const tn_world *world) {
    double sum = 0.0;
    for (uint32_t i = 0; i < world->joint_pool.slot_count; ++i) {
        if (tni_pool_handle(&world->joint_pool, i) == 0 || tni_joint_at(world, i)->is_disabled) {
            continue;
        }
        const tni_joint *joint = tni_joint_at(world, i);
        sum += !tni_joint_is_function(joint) || joint->rows.rows > 0
                   ? tni_joint_get_elastic_energy(world, joint)
                   : world->features.spans->read_elastic_energy(joint);
    }
    return sum;
}

static double energy_of_affine(const tn_world *world) {
    double sum = 0.0;
    for (uint32_t i = 0; i < world->reduced_list.count; ++i) {
        const tni_reduced *reduced = tni_reduced_at(world, world->reduced_list.items[i]);
        sum += reduced->affine != NULL ? tni_affine_get_elastic_energy(reduced) : 0.0;
    }
    return sum;
}

tn_energy tn_world_get_energy(const tn_world *world) {
    tn_energy energy = {0};
    if (!world) {
        return energy;
    }
    energy_sum sum = {0};
    for (uint32_t i = 0; i < world->body_pool.slot_count; ++i) {
        const tni_body *body = tni_body_at(world, i);
        bool counts = tni_pool_handle(&world->body_pool, i) != 0 &&
                      body->type == TN_BODY_TYPE_DYNAMIC && body->is_enabled;
        if (counts) {
            energy_add_body(world, &sum, body);
        }
    }
    energy.kinetic = sum.kinetic;
    energy.potential = sum.potential;
    energy.elastic = energy_of_joints(world) + energy_of_affine(world);
    energy.linear_momentum = dvec3_to_plain(sum.linear);
    energy.angular_momentum = dvec3_to_plain(sum.angular);
    energy.gravity_work = world->ledger.gravity;
    energy.motor_work = world->ledger.motor;
    energy.spring_work = world->ledger.spring;
    energy.force_work = world->ledger.force;
    energy.joint_work = world->ledger.joint;
    energy.friction_work = world->ledger.friction;
    energy.impact_work = world->ledger.impact;
    energy.damping_work = world->ledger.damping;
    return energy;
}
