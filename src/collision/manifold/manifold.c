// collision/manifold/manifold.c: finds the family for a pair of shapes.
//
// The families know each pair in one order only, a's type not after b's. Here a pair in the other
// order is swapped and its normal turned round at the end; features do not name the order, and a
// pair of shapes keeps its order from step to step, so cache and features stay matched.
// Test: tests/collision/manifold/test_manifold.c
#include "collision/manifold/manifold.h"
#include "collision/narrow.h"
#include "collision/stretch.h"
#include "core/lanes.h"

bool tni_manifold_has_pair(tni_geometry_type a, tni_geometry_type b) {
    return !(a == TNI_GEOMETRY_HALF_SPACE && b == TNI_GEOMETRY_HALF_SPACE) &&
           !(tni_geometry_is_concave(a) && tni_geometry_is_concave(b));
}

static tni_relative manifold_relative(const tni_frame *a, const tni_frame *b) {
    tni_relative relative;
    relative.basis =
        basis_from_quat(maths_quat_mul(maths_quat_conjugate(a->rotation), b->rotation));
    // This is in double: a long lever times the round-off of a rotation must not move the surface.
    tni_dvec3 d = dvec3_sub(dvec3_from_float(b->position), dvec3_from_float(a->position));
    relative.position = dvec3_to_float(dquat_rotate_inverse(dquat_from_float(a->rotation), d));
    return relative;
}

static void manifold_sphere(const tni_geometry *a, const tni_geometry *b,
                            const tni_relative *relative, float margin, tni_manifold *manifold) {
    float radius = a->sphere.radius;
    switch (b->type) {
    case TNI_GEOMETRY_SPHERE:
        tni_collide_spheres(radius, b->sphere.radius, relative, margin, manifold);
        break;
    case TNI_GEOMETRY_CAPSULE:
        tni_collide_sphere_capsule(radius, b->capsule.half_length, b->capsule.radius, relative,
                                   margin, manifold);
        break;
    case TNI_GEOMETRY_BOX:
        tni_collide_sphere_box(radius, b->box.half_extents, relative, margin, manifold);
        break;
    case TNI_GEOMETRY_HULL:
    default:
        tni_collide_sphere_hull(radius, b->hull.hull, relative, margin, manifold);
        break;
    }
}

static void manifold_capsule(const tni_geometry *a, const tni_geometry *b,
                             const tni_relative *relative, float margin, tni_manifold *manifold) {
    if (b->type == TNI_GEOMETRY_CAPSULE) {
        tni_collide_capsules(a, b, relative, margin, manifold);
        return;
    }
    tni_box_hull box;
    const tni_hull *hull = &box.hull;
    if (b->type == TNI_GEOMETRY_BOX) {
        tni_box_hull_set(&box, b->box.half_extents);
    } else {
        hull = b->hull.hull;
    }
    tni_collide_capsule_hull(a->capsule.half_length, a->capsule.radius, hull, relative, margin,
                             manifold);
}

void tni_oriented_box_set(tni_oriented_box *box, versors rotation, vec3s half_extents) {
    vec3s h = half_extents;
    tni_f4 q = f4_load(rotation.raw), q_yzx = f4_yzx(q), two = f4_splat(2.0f);
    tni_f4 squares = f4_mul(q, q), products = f4_mul(q, q_yzx);    // x y, y z, z x
    tni_f4 spins = f4_yzx(f4_yzx(f4_mul(f4_splat_lane(q, 3), q))); // w z, w x, w y
    tni_f4 others = f4_add(f4_yzx(squares), f4_yzx(f4_yzx(squares)));
    // The diagonal, and the numbers right after and right before it on each axis.
    tni_f4 x = f4_sub(f4_splat(1.0f), f4_mul(two, others));
    tni_f4 y = f4_mul(two, f4_add(products, spins));
    tni_f4 z = f4_yzx(f4_yzx(f4_mul(two, f4_sub(products, spins)))), rest = f4_zero();
    f4_transpose(&x, &y, &z, &rest);
    f4_store(box->axes[0], x);
    f4_store(box->axes[1], f4_yzx(f4_yzx(y)));
    f4_store(box->axes[2], f4_yzx(z));
    f4_store(box->half_extents, f4_make(h.x, h.y, h.z, 0.0f));
}

static void manifold_boxes(const tni_geometry *a, const tni_frame *frame_a, const tni_geometry *b,
                           const tni_frame *frame_b, float margin, tni_manifold_cache *cache,
                           tni_manifold *manifold) {
    tni_oriented_box box_a, box_b;
    tni_oriented_box_set(&box_a, frame_a->rotation, a->box.half_extents);
    tni_oriented_box_set(&box_b, frame_b->rotation, b->box.half_extents);
    tni_dvec3 d =
        dvec3_sub(dvec3_from_float(frame_b->position), dvec3_from_float(frame_a->position));
    tni_manifold_compute_boxes(&box_a, &box_b, d, margin, cache, manifold);
    for (uint32_t i = 0; i < manifold->point_count; ++i) {
        vec3s *position = &manifold->points[i].position;
        *position = glms_vec3_add(*position, frame_a->position);
    }
}

static void manifold_polyhedron(const tni_geometry *a, const tni_geometry *b,
                                const tni_relative *relative, float margin,
                                tni_manifold_cache *cache, tni_manifold *manifold) {
    tni_box_hull box;
    const tni_hull *hull = &box.hull;
    if (a->type == TNI_GEOMETRY_BOX) {
        tni_box_hull_set(&box, a->box.half_extents);
    } else {
        hull = a->hull.hull;
    }
    tni_collide_hulls(hull, b->hull.hull, relative, margin, cache, manifold);
}

// Makes the manifold of the shapes without their roundings, but for those of curved shapes, which
// have them.
static void manifold_compute_sharp(const tni_geometry *a, const tni_frame *frame_a,
                                   const tni_geometry *b, const tni_frame *frame_b, float margin,
                                   tni_manifold_cache *cache, tni_manifold *manifold) {
    if (a->type == TNI_GEOMETRY_BOX && b->type == TNI_GEOMETRY_BOX) {
        manifold_boxes(a, frame_a, b, frame_b, margin, cache, manifold);
        return;
    }
    bool is_swapped = a->type > b->type;
    if (is_swapped) {
        const tni_geometry *geometry = a;
        a = b;
        b = geometry;
        const tni_frame *frame = frame_a;
        frame_a = frame_b;
        frame_b = frame;
    }
    if (b->type == TNI_GEOMETRY_HALF_SPACE) {
        tni_collide_half_space(a, frame_a, frame_b, margin, manifold);
    } else {
        tni_relative relative = manifold_relative(frame_a, frame_b);
        if (tni_geometry_is_curved(b) || tni_geometry_is_curved(a)) {
            tni_collide_convex(a, b, &relative, margin, cache, manifold);
        } else if (a->type == TNI_GEOMETRY_SPHERE) {
            manifold_sphere(a, b, &relative, margin, manifold);
        } else if (a->type == TNI_GEOMETRY_CAPSULE) {
            manifold_capsule(a, b, &relative, margin, manifold);
        } else {
            manifold_polyhedron(a, b, &relative, margin, cache, manifold);
        }
    }
    if (manifold->point_count == 0) {
        return;
    }
    tni_relative outer = {basis_from_quat(frame_a->rotation), frame_a->position};
    relative_manifold(&outer, manifold);
    if (is_swapped) {
        manifold->normal = glms_vec3_negate(manifold->normal);
    }
}

// A rounded shape is its core with a ball about each point: cores that are as much farther apart
// touch in the same way. A point is midway between the surfaces.
static void manifold_compute_rounded(const tni_geometry *a, const tni_frame *frame_a,
                                     const tni_geometry *b, const tni_frame *frame_b, float margin,
                                     tni_manifold_cache *cache, tni_manifold *manifold) {
    float both = a->rounding + b->rounding, off = 0.5f * (a->rounding - b->rounding);
    manifold_compute_sharp(a, frame_a, b, frame_b, margin + both, cache, manifold);
    for (uint32_t i = 0; i < manifold->point_count; ++i) {
        tni_manifold_point *point = &manifold->points[i];
        point->separation -= both;
        point->position = maths_vec3_add_scaled(point->position, off, manifold->normal);
    }
}

static bool manifold_is_rounded(const tni_geometry *a, const tni_geometry *b) {
    bool is_curved = tni_geometry_is_curved(a) || tni_geometry_is_curved(b);
    bool is_level = a->type == TNI_GEOMETRY_HALF_SPACE || b->type == TNI_GEOMETRY_HALF_SPACE;
    return a->rounding + b->rounding > 0.0f && (is_level || !is_curved);
}

void tni_manifold_compute(const tni_geometry *a, const tni_frame *frame_a, const tni_geometry *b,
                          const tni_frame *frame_b, float margin, tni_manifold_cache *cache,
                          tni_manifold *manifold) {
    manifold->point_count = 0;
    manifold->normal = maths_vec3(0.0f, 1.0f, 0.0f);
    if (!tni_manifold_has_pair(a->type, b->type)) {
        return;
    }
    if (a->stretch != NULL || b->stretch != NULL) {
        const tni_stretch *stretch = a->stretch != NULL ? a->stretch : b->stretch;
        stretch->collide(a, frame_a, b, frame_b, margin, cache, manifold);
    } else if (manifold_is_rounded(a, b)) {
        manifold_compute_rounded(a, frame_a, b, frame_b, margin, cache, manifold);
    } else {
        manifold_compute_sharp(a, frame_a, b, frame_b, margin, cache, manifold);
    }
}
