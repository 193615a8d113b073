// tests/support/body_make.h: a body without shape.
#ifndef TESTS_SUPPORT_BODY_MAKE_H
#define TESTS_SUPPORT_BODY_MAKE_H

#include <criterion/criterion.h>

#include "tenon/machines.h"

// A body with a given mass and principal inertia, without shape.
static inline tn_body_id body_make(tn_world *world, double x, double y, double z, double mass,
                                   double inertia) {
    tn_body_def def = tn_body_def_default();
    def.pose.position = (tn_vec3){x, y, z};
    def.has_mass = true;
    def.mass.mass = mass;
    def.mass.inertia.xx = def.mass.inertia.yy = def.mass.inertia.zz = inertia;
    tn_body_id body = tn_body_create(world, &def);
    cr_assert(body.value != 0);
    return body;
}

#endif
