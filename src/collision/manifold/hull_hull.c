// collision/manifold/hull_hull.c: the manifold of two convex polyhedra.
//
// The best separating axis comes from sat.c. A face axis gives the incident face clipped to the
// reference face (clip.c), an edge axis the point where the edges cross. When the best face axis
// leaves a gap it is the answer only if the corner it finds lies over the face; if not, the closest
// points come from GJK (gap.c).
//
// Coherence: the last axis gets a small bonus, so that a resting manifold does not flip between
// axes that are equal up to round-off. Test: tests/collision/manifold/test_hull_hull.c
#include "collision/concave/triangle.h"
#include "collision/manifold/sat.h"

static narrow_segment hull_hull_segment(const tni_hull *hull, uint32_t e) {
    vec3s p = hull->vertices[hull->half_edges[e].origin];
    vec3s q = hull->vertices[hull->half_edges[e + 1].origin];
    narrow_segment segment = {glms_vec3_scale(glms_vec3_add(p, q), 0.5f),
                              hull->edge_directions[e / 2], 0.5f * glms_vec3_distance(p, q)};
    return segment;
}

static void hull_hull_clip(const tni_sat_pair *pair, bool is_face_of_a, const tni_sat_face *face,
                           tni_manifold *manifold) {
    if (is_face_of_a) {
        tni_clip_faces(pair->a, face->face, pair->b, face->support, pair->relative, true,
                       pair->margin, manifold);
        return;
    }
    tni_clip_faces(pair->b, face->face, pair->a, face->support, &pair->inverse, false, pair->margin,
                   manifold);
    relative_manifold(pair->relative, manifold);
    manifold->normal = glms_vec3_negate(manifold->normal);
}

static float hull_hull_least_separation(const tni_manifold *manifold) {
    float least = FLT_MAX;
    for (uint32_t i = 0; i < manifold->point_count; ++i) {
        least = maths_min(least, manifold->points[i].separation);
    }
    return least;
}

// Adds the deepest corner where it lies beside the prism that the points were clipped to, as in a
// deep overlap over a small face. It stands for the depth, in the place of the last point if there
// are four.
static void hull_hull_add_support(const tni_sat_pair *pair, bool is_face_of_a,
                                  const tni_sat_face *face, tni_manifold *manifold) {
    uint32_t last = TNI_MANIFOLD_MAX_POINTS - 1;
    uint32_t index = manifold->point_count < last ? manifold->point_count : last;
    tni_manifold_point *point = &manifold->points[index];
    vec3s corner = is_face_of_a ? relative_point(pair->relative, pair->b->vertices[face->support])
                                : pair->a->vertices[face->support];
    float half = is_face_of_a ? -0.5f * face->separation : 0.5f * face->separation;
    point->position = maths_vec3_add_scaled(corner, half, manifold->normal);
    point->separation = face->separation;
    point->feature = feature_of_vertex(!is_face_of_a, face->support);
    manifold->point_count = index + 1;
}

static float hull_hull_size(const tni_hull *hull) {
    vec3s d = glms_vec3_sub(hull->upper, hull->lower);
    return d.x + d.y + d.z;
}

// Returns whether a's face is taken. Among nearly equal faces that of a triangle is, so that what
// slides over a mesh goes straight; else that of the last step, else that of the larger hull, whose
// sides cut less.
static bool hull_hull_prefers_face_of_a(const tni_sat_pair *pair, const tni_sat_face *face_a,
                                        const tni_sat_face *face_b,
                                        const tni_manifold_cache *cache) {
    float bonus = hull_hull_size(pair->a) >= hull_hull_size(pair->b) ? 0.25f : -0.25f;
    bonus = cache->axis_kind == NARROW_AXIS_FACE_A ? 0.5f : bonus;
    bonus = cache->axis_kind == NARROW_AXIS_FACE_B ? -0.5f : bonus;
    bonus = pair->a->sides != 0 ? 1.0f : pair->b->sides != 0 ? -1.0f : bonus;
    return face_a->separation + bonus * pair->tolerance >= face_b->separation;
}

// Drops a contact across a gap that lies behind the plane of a triangle.
static void hull_hull_drop_behind(const tni_sat_pair *pair, tni_manifold *manifold) {
    if (manifold->point_count == 0 || (pair->side_a & pair->side_b) == TNI_NONE) {
        return;
    }
    vec3s back = glms_vec3_negate(basis_mul_transposed(&pair->relative->basis, manifold->normal));
    bool faces = pair->side_a != TNI_NONE ? triangle_faces(pair->a, pair->side_a, manifold->normal)
                                          : triangle_faces(pair->b, pair->side_b, back);
    manifold->point_count = faces ? manifold->point_count : 0;
}

// Looks for a better pair of edges when the shapes overlap along every face axis. Returns true when
// it made the manifold, or found the shapes to be apart after all.
static bool hull_hull_try_edges(tni_sat_pair *pair, bool is_face_of_a, const tni_sat_face *face,
                                tni_manifold_cache *cache, tni_manifold *manifold) {
    vec3s normal = is_face_of_a ? pair->a->planes[face->face].normal
                                : glms_vec3_negate(basis_mul(&pair->relative->basis,
                                                             pair->b->planes[face->face].normal));
    tni_sat_edges edges = tni_sat_query_edges(pair, normal, face->separation);
    float lead = cache->axis_kind == NARROW_AXIS_EDGES ? 0.5f : 1.0f;
    if (!(edges.separation > face->separation + lead * pair->tolerance)) {
        return false;
    }
    narrow_cache_set(cache, NARROW_AXIS_EDGES, edges.edge_a, edges.edge_b);
    if (edges.separation > pair->margin) {
        return true;
    }
    narrow_segment a = hull_hull_segment(pair->a, edges.edge_a);
    narrow_segment b = hull_hull_segment(pair->b, edges.edge_b);
    b.middle = relative_point(pair->relative, b.middle);
    b.direction = basis_mul(&pair->relative->basis, b.direction);
    uint32_t feature = feature_of_edges(edges.edge_a / 2, edges.edge_b / 2);
    bool is_crossing = tni_collide_edges(&a, &b, edges.normal, pair->tolerance, feature, manifold);
    if (!is_crossing && edges.separation <= 0.0f && (pair->a->sides | pair->b->sides) != 0) {
        manifold->point_count = 0; // a better axis was barred, and the edges pass each other
        return false;
    }
    if (!is_crossing && edges.separation > 0.0f) {
        vec3s axis;
        manifold->point_count = 0;
        tni_collide_gap(pair->a, pair->b, pair->relative, pair->margin, &axis, manifold);
        hull_hull_drop_behind(pair, manifold);
    }
    return true;
}

// Is one of the two a triangle that lies straight under the centroid of the other?
static bool hull_hull_is_under(const tni_sat_pair *pair) {
    return (pair->a->sides != 0 &&
            tni_triangle_is_under(pair->a, relative_point(pair->relative, pair->b->center))) ||
           (pair->b->sides != 0 &&
            tni_triangle_is_under(pair->b, relative_point(&pair->inverse, pair->a->center)));
}

// Is a triangle met at an edge where it may not be, and much less deep than along the axis that it
// allows? Then a neighbour is met there.
static bool hull_hull_is_beside(const tni_sat_pair *pair, float separation) {
    return pair->barred > -FLT_MAX && separation <= 0.0f &&
           separation < TNI_TRIANGLE_BESIDE * pair->barred - pair->tolerance &&
           !hull_hull_is_under(pair);
}

void tni_collide_hulls(const tni_hull *a, const tni_hull *b, const tni_relative *relative,
                       float margin, tni_manifold_cache *cache, tni_manifold *manifold) {
    tni_sat_pair pair;
    tni_sat_begin(&pair, a, b, relative, margin, cache);
    if (pair.is_behind || tni_sat_cache_separates(&pair, cache)) {
        return;
    }
    tni_sat_face face_a = tni_sat_query_faces_of_a(&pair);
    if (face_a.separation > margin) {
        narrow_cache_set(cache, NARROW_AXIS_FACE_A, face_a.face, 0);
        return;
    }
    tni_sat_face face_b = tni_sat_query_faces_of_b(&pair);
    if (face_b.separation > margin) {
        narrow_cache_set(cache, NARROW_AXIS_FACE_B, 0, face_b.face);
        return;
    }
    bool is_face_of_a = hull_hull_prefers_face_of_a(&pair, &face_a, &face_b, cache);
    const tni_sat_face *face = is_face_of_a ? &face_a : &face_b;
    bool is_apart = maths_max(face_a.separation, face_b.separation) > 0.0f;
    if (!is_apart && hull_hull_try_edges(&pair, is_face_of_a, face, cache, manifold)) {
        return;
    }
    if (hull_hull_is_beside(&pair, face->separation)) {
        return;
    }
    hull_hull_clip(&pair, is_face_of_a, face, manifold);
    narrow_cache_set(cache, is_face_of_a ? NARROW_AXIS_FACE_A : NARROW_AXIS_FACE_B,
                     is_face_of_a ? face->face : 0, is_face_of_a ? 0 : face->face);
    if (hull_hull_least_separation(manifold) <= face->separation + pair.tolerance) {
        return;
    }
    if (!is_apart) {
        // A corner beside a triangle is beside the surface, or over the next triangle.
        if ((is_face_of_a ? a : b)->sides == 0) {
            hull_hull_add_support(&pair, is_face_of_a, face, manifold);
        }
        return;
    }
    // The corner lies beside the face: other features are the closest.
    vec3s axis;
    manifold->point_count = 0;
    if (!tni_collide_gap(a, b, relative, margin, &axis, manifold) && glms_vec3_norm2(axis) > 0.5f) {
        narrow_cache_set_free(cache, axis);
    }
    hull_hull_drop_behind(&pair, manifold);
}
