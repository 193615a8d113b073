// world/collide/contact_recycle.c: lets manifolds follow their shapes instead of making them anew.
//
// The search for the best axis and the clipping of faces find which features of two polyhedra meet,
// and where. While the shapes hardly move relative to each other the answer stays the same, so it
// is kept: each point as one anchor on a's surface and one on b's, the normal in a's frame. With
// x_a, x_b the anchors carried along by the shapes and n the normal carried along by a,
//     separation = n·(x_b - x_a)        position = (x_a + x_b)/2
// which is exact in the motion along the normal. It misses the sliding of clipped corners along
// edges: no more than the shapes' sideways motion since the manifold was made, times the slope of
// one face to the other. The motion is measured against the pose at that time and not from step to
// step, so that errors do not add up: with d the change of b's centre in a's frame and q, p the
// quaternions of the relative rotation then and now, no point of b has moved by more than
// |d| + 2 |q - p| r, r the reach of b. Round shapes are not worth it, and shapes of affine bodies
// also move in other ways.
// Source: the idea of persistent manifolds, E. Coumans, "Contact generation", GDC 2010; here they
// are kept whole or made anew whole.
// Test: tests/world/collide/test_contact_recycle.c
#include "core/lanes.h"
#include "world/collide/contact_path.h"

// A manifold follows this share of the thinner shape's inner radius, at most the second number, m.
#define RECYCLE_SHARE 1e-3f
#define RECYCLE_MOST  1e-4f

typedef struct recycle_axes {
    tni_f4 x, y, z;
} recycle_axes;

static vec3s recycle_turn(const tni_oriented_box *box, vec3s v) {
    const float(*axes)[4] = box->axes;
    return maths_vec3(axes[0][0] * v.x + axes[1][0] * v.y + axes[2][0] * v.z,
                      axes[0][1] * v.x + axes[1][1] * v.y + axes[2][1] * v.z,
                      axes[0][2] * v.x + axes[1][2] * v.y + axes[2][2] * v.z);
}

static vec3s recycle_turn_back(const tni_oriented_box *box, vec3s v) {
    const float(*axes)[4] = box->axes;
    return maths_vec3(axes[0][0] * v.x + axes[0][1] * v.y + axes[0][2] * v.z,
                      axes[1][0] * v.x + axes[1][1] * v.y + axes[1][2] * v.z,
                      axes[2][0] * v.x + axes[2][1] * v.y + axes[2][2] * v.z);
}

// ---- memory -----------------------------------------------------------------------------------

static tni_contact_memory *recycle_get_memory(const tn_world *world, const tni_contact *contact) {
    return tni_contact_memory_at(world, contact->handle & TNI_POOL_INDEX_MASK);
}

static inline vec3s recycle_relative_position(const tni_contact_path *path) {
    tni_dvec3 d = dvec3_sub(path->b->center, path->a->center);
    return recycle_turn_back(&path->box_a, dvec3_to_float(d));
}

static inline versors recycle_relative_rotation(const tni_shape_motion *a,
                                                const tni_shape_motion *b) {
    return maths_quat_mul(maths_quat_conjugate(a->rotation), b->rotation);
}

void tni_contact_remember(tni_contact *contact, tni_contact_path *path) {
    const tn_world *world = path->world;
    const tni_shape_motion *a = path->a, *b = path->b;
    contact->is_remembered = false;
    if (path->reach > RECYCLE_MOST || a->is_deformed || b->is_deformed) {
        return;
    }
    const tni_shape *shape_a = tni_shape_at(world, contact->shape_a);
    const tni_shape *shape_b = tni_shape_at(world, contact->shape_b);
    if (!tni_geometry_is_polyhedron(&shape_a->geometry) ||
        !tni_geometry_is_polyhedron(&shape_b->geometry)) {
        return;
    }
    contact->is_remembered = true;
    tni_contact_memory *memory = recycle_get_memory(world, contact);
    float inner = maths_min(tni_geometry_inner_radius(&shape_a->geometry),
                            tni_geometry_inner_radius(&shape_b->geometry));
    float most = 0.5f * maths_min(RECYCLE_SHARE * inner, RECYCLE_MOST);
    float most_turn = most * maths_inverse_or_zero(2.0f * shape_b->size);
    memory->most_way2 = most * most;
    memory->most_turn2 = most_turn * most_turn;
    memory->margin = path->margin;
    tni_contact_path_set_boxes(path);
    memory->position = recycle_relative_position(path);
    memory->rotation = recycle_relative_rotation(a, b);
    const tni_manifold *manifold = &contact->manifold;
    memory->point_count = manifold->point_count;
    memory->normal = recycle_turn_back(&path->box_a, manifold->normal);
    vec3s from_a = dvec3_to_float(dvec3_sub(contact->origin, a->center));
    vec3s from_b = dvec3_to_float(dvec3_sub(contact->origin, b->center));
    for (uint32_t p = 0; p < manifold->point_count; ++p) {
        const tni_manifold_point *point = &manifold->points[p];
        memory->features[p] = point->feature;
        vec3s half = glms_vec3_scale(manifold->normal, 0.5f * point->separation);
        vec3s on_a = glms_vec3_sub(point->position, half);
        vec3s on_b = glms_vec3_add(point->position, half);
        on_a = recycle_turn_back(&path->box_a, glms_vec3_add(from_a, on_a));
        on_b = recycle_turn_back(&path->box_b, glms_vec3_add(from_b, on_b));
        for (int k = 0; k < 3; ++k) {
            memory->anchor_a[k][p] = on_a.raw[k];
            memory->anchor_b[k][p] = on_b.raw[k];
        }
    }
}

// ---- following --------------------------------------------------------------------------------

static bool recycle_is_near(const tni_contact_memory *memory, const tni_contact_path *path) {
    vec3s way = glms_vec3_sub(recycle_relative_position(path), memory->position);
    versors q = recycle_relative_rotation(path->a, path->b);
    float turn2 = 0.0f;
    for (int k = 0; k < 4; ++k) {
        float d = q.raw[k] - memory->rotation.raw[k];
        turn2 += d * d;
    }
    return glms_vec3_dot(way, way) <= memory->most_way2 && turn2 <= memory->most_turn2;
}

// Turns anchors into world axes, about the contact's origin.
TNI_KERNEL recycle_axes recycle_carry(const float anchor[3][TNI_MANIFOLD_MAX_POINTS],
                                      const tni_oriented_box *box, vec3s center) {
    const float(*r)[4] = box->axes;
    tni_f4 x = f4_load(anchor[0]), y = f4_load(anchor[1]), z = f4_load(anchor[2]);
    recycle_axes out;
    out.x = f4_add_product(f4_splat(center.x), f4_splat(r[0][0]), x);
    out.y = f4_add_product(f4_splat(center.y), f4_splat(r[0][1]), x);
    out.z = f4_add_product(f4_splat(center.z), f4_splat(r[0][2]), x);
    out.x = f4_add_product(f4_add_product(out.x, f4_splat(r[1][0]), y), f4_splat(r[2][0]), z);
    out.y = f4_add_product(f4_add_product(out.y, f4_splat(r[1][1]), y), f4_splat(r[2][1]), z);
    out.z = f4_add_product(f4_add_product(out.z, f4_splat(r[1][2]), y), f4_splat(r[2][2]), z);
    return out;
}

static void recycle_follow(const tni_contact_memory *memory, tni_contact *contact,
                           const tni_contact_path *path) {
    vec3s center_a = dvec3_to_float(dvec3_sub(path->a->center, contact->origin));
    vec3s center_b = dvec3_to_float(dvec3_sub(path->b->center, contact->origin));
    vec3s n = recycle_turn(&path->box_a, memory->normal);
    recycle_axes on_a = recycle_carry(memory->anchor_a, &path->box_a, center_a);
    recycle_axes on_b = recycle_carry(memory->anchor_b, &path->box_b, center_b);
    tni_f4 separation = f4_mul(f4_splat(n.x), f4_sub(on_b.x, on_a.x));
    separation = f4_add_product(separation, f4_splat(n.y), f4_sub(on_b.y, on_a.y));
    separation = f4_add_product(separation, f4_splat(n.z), f4_sub(on_b.z, on_a.z));
    tni_f4 half = f4_splat(0.5f);
    tni_f4 p0 = f4_mul(half, f4_add(on_a.x, on_b.x)), p1 = f4_mul(half, f4_add(on_a.y, on_b.y));
    tni_f4 p2 = f4_mul(half, f4_add(on_a.z, on_b.z)), p3 = separation;
    f4_transpose(&p0, &p1, &p2, &p3); // each lane vector is now a point: position and separation
    const tni_f4 points[TNI_MANIFOLD_MAX_POINTS] = {p0, p1, p2, p3};
    contact->manifold.normal = n;
    for (uint32_t p = 0; p < memory->point_count; ++p) {
        float numbers[4];
        f4_store(numbers, points[p]);
        contact->manifold.points[p].position = maths_vec3(numbers[0], numbers[1], numbers[2]);
        contact->manifold.points[p].separation = numbers[3];
        contact->manifold.points[p].feature = memory->features[p];
    }
}

bool tni_contact_recycle(tni_contact *contact, tni_contact_path *path) {
    if (!contact->is_remembered) {
        return false;
    }
    const tni_contact_memory *memory = recycle_get_memory(path->world, contact);
    tni_contact_path_set_boxes(path);
    if (path->margin > memory->margin || !recycle_is_near(memory, path)) {
        return false;
    }
    contact->manifold.point_count = memory->point_count;
    if (memory->point_count > 0) {
        contact->origin = path->a->is_dynamic ? path->a->center : path->b->center;
        recycle_follow(memory, contact, path);
    }
    return true;
}
