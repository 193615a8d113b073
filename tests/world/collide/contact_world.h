// tests/world/collide/contact_world.h: bodies of eight kinds, floors of tiles, and what became of
// them.
#ifndef TESTS_WORLD_CONTACT_WORLD_H
#define TESTS_WORLD_CONTACT_WORLD_H

#include "tests/support/hull_make.h"
#include "tests/world/world_test.h"

typedef enum contact_kind {
    CONTACT_BALL,
    CONTACT_CAPSULE,
    CONTACT_BOX,
    CONTACT_HULL, // a prism of eight sides about y, whose flat sides face x and z
    CONTACT_CYLINDER,
    CONTACT_CONE,
    CONTACT_ROUNDED_BOX,
    CONTACT_ELLIPSOID,
    CONTACT_KIND_COUNT
} contact_kind;

static const char *const contact_kind_names[CONTACT_KIND_COUNT] = {
    "ball", "capsule", "box", "hull", "cylinder", "cone", "rounded box", "ellipsoid"};

// Without sleep; gravity down.
static inline tn_world *contact_world_create(double gravity) {
    tn_world_def def = tn_world_def_default();
    def.gravity = (tn_vec3){0.0, -gravity, 0.0};
    def.is_sleep_allowed = false;
    tn_world *world = tn_world_create(&def, NULL);
    cr_assert_not_null(world);
    return world;
}

static inline tn_body_def contact_body_at(double x, double y, double z) {
    tn_body_def def = tn_body_def_default();
    def.pose.position = (tn_vec3){x, y, z};
    return def;
}

// The rotation is from none, about a world axis of unit length.
static inline void contact_body_turn(tn_body_def *def, tn_vec3 axis, double angle) {
    double scale = sin(0.5 * angle);
    def->pose.rotation.x = scale * axis.x;
    def->pose.rotation.y = scale * axis.y;
    def->pose.rotation.z = scale * axis.z;
    def->pose.rotation.w = cos(0.5 * angle);
}

static inline void contact_shape_add(tn_world *world, tn_body_id body, contact_kind kind,
                                     double half, tn_material material) {
    tn_shape_def def = tn_shape_def_default();
    def.material = material;
    float h = (float)half;
    if (kind == CONTACT_BALL) {
        tn_sphere_shape_create(world, body, &def, h);
    } else if (kind == CONTACT_CAPSULE) {
        tn_capsule_shape_create(world, body, &def, h, h);
    } else if (kind == CONTACT_BOX) {
        tn_box_shape_create(world, body, &def, (tn_vec3){(double)h, (double)h, (double)h});
    } else if (kind == CONTACT_CYLINDER) {
        tn_cylinder_shape_create(world, body, &def, h, h);
    } else if (kind == CONTACT_CONE) {
        def.local_pose.position.y = (double)h; // its centre of mass is at the origin
        tn_cone_shape_create(world, body, &def, 2.0f * h, h);
    } else if (kind == CONTACT_ROUNDED_BOX) {
        def.rounding = 0.2f * h;
        double core = 0.8 * (double)h;
        tn_box_shape_create(world, body, &def, (tn_vec3){core, core, core});
    } else if (kind == CONTACT_ELLIPSOID) {
        tn_ellipsoid_shape_create(world, body, &def, (tn_vec3){1.2 * half, (double)h, 1.1 * half});
    } else {
        tn_vec3 corners[16];
        double radius = half / cos(M_PI / 8.0);
        for (int i = 0; i < 16; ++i) {
            double angle = ((i & 7) + 0.5) * M_PI / 4.0;
            corners[i] =
                (tn_vec3){radius * cos(angle), (double)(i < 8 ? -h : h), radius * sin(angle)};
        }
        hull_shape_make(world, body, &def, corners, 16);
    }
}

static inline tn_material contact_material(double friction, double restitution) {
    tn_material material = tn_shape_def_default().material;
    material.friction = (float)friction;
    material.restitution = (float)restitution;
    return material;
}

static inline tn_body_id contact_body_create(tn_world *world, const tn_body_def *def,
                                             contact_kind kind, double half, tn_material material) {
    tn_body_id body = tn_body_create(world, def);
    contact_shape_add(world, body, kind, half, material);
    return body;
}

// A static box between two corners.
static inline tn_body_id contact_block_create(tn_world *world, tn_vec3 lower, tn_vec3 upper,
                                              tn_material material) {
    tn_body_def def = contact_body_at(0.5 * (lower.x + upper.x), 0.5 * (lower.y + upper.y),
                                      0.5 * (lower.z + upper.z));
    def.type = TN_BODY_TYPE_STATIC;
    tn_body_id body = tn_body_create(world, &def);
    tn_shape_def shape = tn_shape_def_default();
    shape.material = material;
    tn_box_shape_create(world, body, &shape,
                        (tn_vec3){(0.5 * (upper.x - lower.x)), (0.5 * (upper.y - lower.y)),
                                  (0.5 * (upper.z - lower.z))});
    return body;
}

// Static tiles along x from one place to another, tops at the origin's height, a seam there.
typedef struct contact_tiles {
    tn_vec3 origin;
    double from, to, tile; // m
    bool is_one_body;
    double friction;
} contact_tiles;

static inline void contact_tiles_create(tn_world *world, const contact_tiles *tiles) {
    tn_body_def def = contact_body_at(tiles->origin.x, tiles->origin.y - 0.5, tiles->origin.z);
    def.type = TN_BODY_TYPE_STATIC;
    tn_vec3 half = {(0.5 * tiles->tile), 0.5, 5.0};
    tn_shape_def shape = tn_shape_def_default();
    shape.material = contact_material(tiles->friction, 0.0);
    tn_body_id body = tiles->is_one_body ? tn_body_create(world, &def) : (tn_body_id){0};
    int first = (int)floor(tiles->from / tiles->tile), last = (int)ceil(tiles->to / tiles->tile);
    for (int i = first; i < last; ++i) {
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

// How much two velocities differ, all in all.
static inline double contact_velocity_change(tn_velocity a, tn_velocity b) {
    double v =
        hypot(hypot(a.linear.x - b.linear.x, a.linear.y - b.linear.y), a.linear.z - b.linear.z);
    double w = hypot(hypot(a.angular.x - b.angular.x, a.angular.y - b.angular.y),
                     a.angular.z - b.angular.z);
    return hypot(v, w);
}

static inline void contact_step(tn_world *world, int count, double hz, uint32_t substeps) {
    for (int i = 0; i < count; ++i) {
        cr_assert(tn_world_step(world, 1.0 / hz, substeps) == TN_RESULT_OK);
    }
}

#endif
