// world/contact_apart.c: boxes that are near and no more, told apart without a search.
//
// In a heap half of the pairs whose bounds overlap do not touch, and the axis that parts one parts
// it for many steps: the search leaves it in the contact's cache (collision/box_box.c). Here it is
// tried on the axes of the world, which are there for all pairs of a shape, before anything is
// turned into the frame of one box. With d from centre to centre, n the axis of unit length,
// a_i, b_j the axes and g_i, h_j the half extents, the boxes are apart by
//     |n . d| - sum_i g_i |n . a_i| - sum_j h_j |n . b_j|
// (S. Gottschalk, M. Lin, D. Manocha, "OBBTree", 1996). A pair passes only when that is more than
// the margin by more than the round-off of both computations, so that the search would say so too.
// Test: tests/world/test_manifold_update.c
#include "collision/narrow.h"
#include "world/narrow.h"

// Of the sizes and the distance: some tens of roundings of either way to compute it.
#define APART_ROUND_OFF 4e-6f

typedef struct apart_pair {
    const tni_shape_motion *a, *b;
    vec3s d; // from a's centre to b's
} apart_pair;

static float apart_sum(vec3s v) {
    return fabsf(v.x) + fabsf(v.y) + fabsf(v.z);
}

static float apart_reach(const tni_shape_motion *motion, vec3s n) {
    vec3s h = motion->half_extents;
    return h.x * fabsf(narrow_dot(n, motion->axes[0])) +
           h.y * fabsf(narrow_dot(n, motion->axes[1])) +
           h.z * fabsf(narrow_dot(n, motion->axes[2]));
}

// Along an axis of one box, of which `own` is the half extent.
static float apart_along_face(const apart_pair *pair, vec3s n, float own,
                              const tni_shape_motion *other) {
    return fabsf(narrow_dot(n, pair->d)) - own - apart_reach(other, n);
}

bool tni_contact_is_apart(const tni_contact *contact, const tni_shape_motion *a,
                          const tni_shape_motion *b, float margin) {
    const tni_manifold_cache *cache = &contact->cache;
    uint32_t i = cache->index_a, j = cache->index_b;
    if (i > 2 || j > 2) {
        return false;
    }
    apart_pair pair = {a, b, dvec3_to_float(dvec3_sub(b->center, a->center))};
    float size = apart_sum(a->half_extents) + apart_sum(b->half_extents) + apart_sum(pair.d);
    float least = margin + APART_ROUND_OFF * size;
    switch (cache->axis_kind) {
    case NARROW_AXIS_FACE_A:
        return apart_along_face(&pair, a->axes[i], a->half_extents.raw[i], b) > least;
    case NARROW_AXIS_FACE_B:
        return apart_along_face(&pair, b->axes[j], b->half_extents.raw[j], a) > least;
    case NARROW_AXIS_EDGES: {
        // Not of unit length: the round-off grows as it gets shorter, the sizes do not.
        vec3s n = glms_vec3_cross(a->axes[i], b->axes[j]);
        float length2 = narrow_dot(n, n);
        float gap = fabsf(narrow_dot(n, pair.d)) - apart_reach(a, n) - apart_reach(b, n);
        return length2 > 2.0f * NARROW_PARALLEL_SINE2 &&
               gap > margin * sqrtf(length2) + APART_ROUND_OFF * size;
    }
    default:
        return false;
    }
}
