// world/collide/contact_apart.c: finds that near boxes are apart, without a search.
//
// In a heap half of the pairs whose bounds overlap do not touch, and the axis that parts one parts
// it for many steps: the search leaves it in the contact's cache (collision/manifold/box_box.c).
// Here the axis is tried with the boxes' world axes, which all pairs of a shape share, before
// anything is turned into the frame of one box. With d from centre to centre, n the axis of unit
// length, a_i, b_j the axes and g_i, h_j the half extents, the boxes are apart by
//     |n . d| - sum_i g_i |n . a_i| - sum_j h_j |n . b_j|
// (S. Gottschalk, M. Lin, D. Manocha, "OBBTree", 1996). A pair passes only when that is more than
// the margin by more than the round-off of both computations, so that the search would say so too.
// Test: tests/world/collide/test_manifold_update.c
#include "collision/narrow.h"
#include "core/lanes.h"
#include "core/simd_double.h"
#include "world/collide/contact_path.h"

// The round-off as a share of the sizes and the distance: some tens of roundings either way.
#define APART_ROUND_OFF 4e-6f

typedef struct apart_pair {
    const tni_oriented_box *a, *b;
    tni_f4 d; // from a's centre to b's
} apart_pair;

static float apart_size(tni_f4 v) {
    return f4_sum3(f4_abs(v));
}

static float apart_reach(const tni_oriented_box *box, tni_f4 n) {
    tni_f4 x = f4_load(box->axes[0]), y = f4_load(box->axes[1]), z = f4_load(box->axes[2]);
    tni_f4 rest = f4_zero();
    f4_transpose(&x, &y, &z, &rest);
    tni_f4 along = f4_mul(x, f4_splat_lane(n, 0));
    along = f4_add_product(along, y, f4_splat_lane(n, 1));
    along = f4_add_product(along, z, f4_splat_lane(n, 2));
    return f4_dot3(f4_abs(along), f4_load(box->half_extents));
}

// Returns the gap along axis i of one box.
static float apart_along_face(const apart_pair *pair, const tni_oriented_box *own, uint32_t i,
                              const tni_oriented_box *other) {
    tni_f4 n = f4_load(own->axes[i]);
    return fabsf(f4_dot3(n, pair->d)) - own->half_extents[i] - apart_reach(other, n);
}

bool tni_contact_is_apart(const tni_contact *contact, tni_contact_path *path) {
    const tni_manifold_cache *cache = &contact->cache;
    uint32_t i = cache->index_a, j = cache->index_b;
    if (i > 2 || j > 2) {
        return false;
    }
    tni_contact_path_set_boxes(path);
    tni_dvec3 d = dvec3_sub(path->b->center, path->a->center);
    apart_pair pair = {&path->box_a, &path->box_b, f4_from_doubles(d.x, d.y, d.z)};
    float size = apart_size(f4_load(pair.a->half_extents)) +
                 apart_size(f4_load(pair.b->half_extents)) + apart_size(pair.d);
    float least = path->margin + APART_ROUND_OFF * size;
    switch (cache->axis_kind) {
    case NARROW_AXIS_FACE_A:
        return apart_along_face(&pair, pair.a, i, pair.b) > least;
    case NARROW_AXIS_FACE_B:
        return apart_along_face(&pair, pair.b, j, pair.a) > least;
    case NARROW_AXIS_EDGES: {
        // This axis has no unit length: a shorter one has more round-off but no larger sizes.
        tni_f4 n = f4_cross(f4_load(pair.a->axes[i]), f4_load(pair.b->axes[j]));
        float length2 = f4_dot3(n, n);
        float gap = fabsf(f4_dot3(n, pair.d)) - apart_reach(pair.a, n) - apart_reach(pair.b, n);
        return length2 > 2.0f * NARROW_PARALLEL_SINE2 &&
               gap > path->margin * sqrtf(length2) + APART_ROUND_OFF * size;
    }
    default:
        return false;
    }
}
