// tests/world/mechanisms/auto_world.h: a world of links in a plane, and what AUTO chooses for them.
#ifndef TESTS_WORLD_MECHANISMS_AUTO_WORLD_H
#define TESTS_WORLD_MECHANISMS_AUTO_WORLD_H

#include "tests/world/world_test.h"

static tn_world *world;
static test_reports reports;

static inline void make_world(double tolerance) {
    tn_world_def def = tn_world_def_default();
    def.is_sleep_allowed = false;
    def.joint_tolerance = tolerance;
    world = test_def_world_create(def, &reports);
}

static inline void setup(void) {
    make_world(0.0);
}

static inline void teardown(void) {
    tn_world_destroy(world);
}

static inline tn_body_id make_link(double x, double y, double mass) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, x, y, 0.0);
    tn_mass given = {.mass = mass};
    given.inertia.xx = given.inertia.yy = given.inertia.zz = 0.02 * mass;
    tn_body_set_mass(world, body, given);
    return body;
}

static inline tn_joint_id hinge(tn_body_id a, tn_body_id b, double x, double y) {
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &def.base, a, b, (tn_vec3){x, y, 0.0},
                                      (tn_vec3){0.0, 0.0, 1.0}));
    return tn_hinge_joint_create(world, &def);
}

static inline tn_mechanism_info get_only(void) {
    tn_mechanism_info infos[2];
    cr_assert(tn_world_get_mechanisms(world, infos, 2) == 1);
    return infos[0];
}

static inline void expect(tn_mechanism_method method, tn_mechanism_reason reason) {
    test_step(world, 1);
    tn_mechanism_info info = get_only();
    cr_assert(info.method == method && info.reason == reason, "method %d, reason %d",
              (int)info.method, (int)info.reason);
}

#endif
