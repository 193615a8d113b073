// collision/sat.c: two convex polyhedra by separating axes.
//
// Two convex polyhedra are apart if and only if some face normal of either, or the cross product of
// an edge of each, separates them. The axis with the largest separation is the one to push along.
// Of the edge pairs only those matter whose arcs cross on the Gauss map, where a face is a point,
// an edge the arc between its two faces, and b's map is mirrored: they are the edges of the
// Minkowski difference (Dirk Gregorius, "The Separating Axis Test between Convex Polyhedra", GDC
// 2013). When the best face axis n overlaps by d, the shapes, pushed apart along a better axis,
// would meet within d: so both edges must reach into the slab of 2 d about the overlap, and the
// rest is not looked at. When the best face axis leaves a gap, that axis is the answer if the
// corner it finds lies over the face; if not, the closest points come from GJK.
//
// Coherence: the last axis is tried first to leave early, and it gets a small bonus so that a
// resting manifold does not flip between axes that are equal up to round-off.
// Test: tests/collision/test_sat.c
#include "collision/gjk.h"
#include "collision/narrow.h"

// From this many corners on, support points are found by climbing along edges.
#define SAT_CLIMB_FROM 24

typedef struct sat_pair {
    const tni_hull *a, *b;
    const tni_relative *relative; // b seen from a
    tni_relative inverse;         // a seen from b
    float margin;
    float tolerance;
} sat_pair;

typedef struct sat_face {
    float separation;
    uint32_t face, support;
} sat_face;

typedef struct sat_edges {
    float separation;
    uint32_t edge_a, edge_b; // half edges, even
    vec3s normal;            // from a to b
} sat_edges;

// ---- supports ------------------------------------------------------------------------------

// The corner farthest along the direction. Climbing is exact: on a convex body every local best is
// the best; `start` is any corner.
static uint32_t sat_support(const tni_hull *hull, vec3s direction, uint32_t start) {
    uint32_t best = start;
    float best_dot = narrow_dot(hull->vertices[start], direction);
    if (hull->vertex_count < SAT_CLIMB_FROM) {
        for (uint32_t i = 0; i < hull->vertex_count; ++i) {
            float d = narrow_dot(hull->vertices[i], direction);
            if (d > best_dot) {
                best_dot = d;
                best = i;
            }
        }
        return best;
    }
    for (bool is_climbing = true; is_climbing;) {
        is_climbing = false;
        uint32_t first = hull->vertex_edges[best], e = first;
        do {
            uint32_t vertex = hull->half_edges[e ^ 1u].origin;
            float d = narrow_dot(hull->vertices[vertex], direction);
            if (d > best_dot) {
                best_dot = d;
                best = vertex;
                is_climbing = true;
            }
            e = hull->half_edges[e ^ 1u].next;
        } while (e != first);
    }
    return best;
}

// How far the other hull stands off one face. `relative` is the other seen from the face's hull.
static float sat_face_separation(const tni_hull *hull, uint32_t face, const tni_hull *other,
                                 const tni_relative *relative, uint32_t *support) {
    tni_plane plane = hull->planes[face];
    vec3s back = glms_vec3_negate(basis_mul_transposed(&relative->basis, plane.normal));
    *support = sat_support(other, back, *support);
    return narrow_dot(plane.normal, relative->position) - plane.offset -
           narrow_dot(back, other->vertices[*support]);
}

// The best face of one hull; stops at the first that separates by more than the margin. The ball of
// the inner radius is inside the other hull, so its distance from a face bounds what the face can
// give: the face of the largest bound goes first, and most others need no search for the support.
static sat_face sat_query_faces(const tni_hull *hull, const tni_hull *other,
                                const tni_relative *relative, float margin) {
    vec3s center = relative_point(relative, other->center);
    float radius = other->inner_radius;
    uint32_t first = 0;
    float highest = -FLT_MAX;
    for (uint32_t face = 0; face < hull->face_count; ++face) {
        float gap = narrow_dot(hull->planes[face].normal, center) - hull->planes[face].offset;
        if (gap > highest) {
            highest = gap;
            first = face;
        }
    }
    sat_face best = {0.0f, first, 0};
    best.separation = sat_face_separation(hull, first, other, relative, &best.support);
    uint32_t support = best.support;
    for (uint32_t face = 0; face < hull->face_count && best.separation <= margin; ++face) {
        float gap = narrow_dot(hull->planes[face].normal, center) - hull->planes[face].offset;
        if (gap - radius <= best.separation || face == first) {
            continue;
        }
        float separation = sat_face_separation(hull, face, other, relative, &support);
        if (separation > best.separation) {
            best = (sat_face){separation, face, support};
        }
    }
    return best;
}

// ---- edges ---------------------------------------------------------------------------------

// Whether arc (a, b), whose edge runs along e_ab, crosses arc (c, d), whose edge runs along e_cd.
static bool sat_arcs_cross(vec3s a, vec3s b, vec3s e_ab, vec3s c, vec3s d, vec3s e_cd) {
    float cba = narrow_dot(c, e_ab), dba = narrow_dot(d, e_ab);
    float adc = narrow_dot(a, e_cd), bdc = narrow_dot(b, e_cd);
    return cba * dba < 0.0f && adc * bdc < 0.0f && cba * bdc > 0.0f;
}

// One edge of b, in a's frame.
typedef struct sat_edge {
    vec3s origin, direction, left, right; // left and right: the faces' normals, negated
    uint32_t index;
} sat_edge;

static sat_edge sat_edge_of_b(const sat_pair *pair, uint32_t e) {
    const tni_hull *b = pair->b;
    const tni_basis *basis = &pair->relative->basis;
    sat_edge edge;
    edge.index = e;
    edge.origin = relative_point(pair->relative, b->vertices[b->half_edges[e].origin]);
    edge.direction = basis_mul(basis, b->edge_directions[e / 2]);
    edge.left = basis_mul(basis, glms_vec3_negate(b->planes[b->half_edges[e].face].normal));
    edge.right = basis_mul(basis, glms_vec3_negate(b->planes[b->half_edges[e + 1].face].normal));
    return edge;
}

// The separation of one pair of edges, or -FLT_MAX when it is no edge of the difference.
static float sat_edge_separation(const sat_pair *pair, uint32_t e, const sat_edge *other,
                                 vec3s *out_normal) {
    const tni_hull *a = pair->a;
    vec3s direction = a->edge_directions[e / 2];
    vec3s left = a->planes[a->half_edges[e].face].normal;
    vec3s right = a->planes[a->half_edges[e + 1].face].normal;
    if (!sat_arcs_cross(left, right, direction, other->left, other->right, other->direction)) {
        return -FLT_MAX;
    }
    vec3s axis = glms_vec3_cross(direction, other->direction);
    float length2 = glms_vec3_norm2(axis);
    if (length2 < NARROW_PARALLEL_SINE2) {
        return -FLT_MAX;
    }
    axis = glms_vec3_scale(axis, 1.0f / sqrtf(length2));
    vec3s origin = a->vertices[a->half_edges[e].origin];
    // The arcs cross at the outward normal: it looks with both faces of a's edge.
    if (narrow_dot(axis, glms_vec3_add(left, right)) < 0.0f) {
        axis = glms_vec3_negate(axis);
    }
    *out_normal = axis;
    return narrow_dot(axis, glms_vec3_sub(other->origin, origin));
}

// The most that a unit vector of the arc from `left` to `right`, both square to `edge`, can have
// along d.
static float sat_arc_reach(vec3s left, vec3s right, vec3s edge, vec3s d) {
    float l = narrow_dot(left, d), r = narrow_dot(right, d), c = narrow_dot(left, right);
    if (l > c * r && r > c * l) {
        float along = narrow_dot(edge, d);
        return sqrtf(maths_max(narrow_dot(d, d) - along * along, 0.0f));
    }
    return maths_max(l, r);
}

// Lists the edges of a hull that could give an axis better than `best`: those that reach up to the
// slab's limit along the normal, and whose arc holds a direction along which the other hull's inner
// ball is not too deep. Center is the other's, in this hull's frame. Returns how many.
static uint32_t sat_list_edges(const tni_hull *hull, vec3s center, float radius, vec3s normal,
                               float limit, float best, uint16_t *list) {
    uint32_t count = 0;
    for (uint32_t e = 0; e < hull->half_edge_count; e += 2) {
        const tni_half_edge *edge = &hull->half_edges[e];
        vec3s origin = hull->vertices[edge->origin];
        float p = narrow_dot(normal, origin);
        float q = narrow_dot(normal, hull->vertices[edge[1].origin]);
        if (maths_max(p, q) < limit) {
            continue;
        }
        vec3s left = hull->planes[edge->face].normal, right = hull->planes[edge[1].face].normal;
        float reach =
            sat_arc_reach(left, right, hull->edge_directions[e / 2], glms_vec3_sub(center, origin));
        if (reach - radius >= best) {
            list[count++] = (uint16_t)e;
        }
    }
    return count;
}

// Whether the last step's axis was a pair of edges of these two hulls.
static bool sat_cache_has_edges(const sat_pair *pair, const tni_manifold_cache *cache) {
    return cache->axis_kind == NARROW_AXIS_EDGES && cache->index_a < pair->a->half_edge_count &&
           cache->index_b < pair->b->half_edge_count &&
           ((cache->index_a | cache->index_b) & 1u) == 0;
}

// The most edges that a hull can have: 3 V - 6.
#define SAT_MAX_EDGES (3 * TNI_HULL_MAX_VERTICES - 6)

// The best pair of edges, of those that could beat the face axis (normal from a to b, in a's frame,
// with its negative separation). The pair of the last step goes first and sets the mark.
static sat_edges sat_query_edges(const sat_pair *pair, const tni_manifold_cache *cache,
                                 vec3s normal, float separation) {
    uint16_t near_a[SAT_MAX_EDGES], near_b[SAT_MAX_EDGES];
    vec3s normal_b = glms_vec3_negate(basis_mul_transposed(&pair->relative->basis, normal));
    uint32_t top_a = sat_support(pair->a, normal, 0);
    uint32_t top_b = sat_support(pair->b, normal_b, 0);
    sat_edges best = {-FLT_MAX, 0, 0, maths_vec3_zero()};
    if (sat_cache_has_edges(pair, cache)) {
        sat_edge other = sat_edge_of_b(pair, cache->index_b);
        best.edge_a = cache->index_a;
        best.edge_b = cache->index_b;
        best.separation = sat_edge_separation(pair, cache->index_a, &other, &best.normal);
    }
    float mark = maths_max(separation, best.separation);
    float slab = 2.0f * separation - pair->tolerance;
    float limit_a = narrow_dot(normal, pair->a->vertices[top_a]) + slab;
    float limit_b = narrow_dot(normal_b, pair->b->vertices[top_b]) + slab;
    uint32_t count_a = sat_list_edges(pair->a, relative_point(pair->relative, pair->b->center),
                                      pair->b->inner_radius, normal, limit_a, mark, near_a);
    uint32_t count_b = sat_list_edges(pair->b, relative_point(&pair->inverse, pair->a->center),
                                      pair->a->inner_radius, normal_b, limit_b, mark, near_b);
    for (uint32_t j = 0; j < count_b; ++j) {
        sat_edge other = sat_edge_of_b(pair, near_b[j]);
        for (uint32_t i = 0; i < count_a; ++i) {
            vec3s axis = maths_vec3_zero();
            float s = sat_edge_separation(pair, near_a[i], &other, &axis);
            if (s > best.separation) {
                best = (sat_edges){s, near_a[i], near_b[j], axis};
                if (s > pair->margin) {
                    return best;
                }
            }
        }
    }
    return best;
}

bool tni_collide_edges(const narrow_segment *a, const narrow_segment *b, vec3s normal,
                       float tolerance, uint32_t feature, tni_manifold *manifold) {
    vec3s between = glms_vec3_sub(b->middle, a->middle);
    float k = narrow_dot(a->direction, b->direction);
    float p = narrow_dot(a->direction, between), q = narrow_dot(b->direction, between);
    float sine2 = maths_max(1.0f - k * k, 1e-6f);
    float s = (p - k * q) / sine2, t = (k * p - q) / sine2;
    bool is_inside =
        fabsf(s) <= a->half_length + tolerance && fabsf(t) <= b->half_length + tolerance;
    s = maths_clamp(s, -a->half_length, a->half_length);
    t = maths_clamp(t, -b->half_length, b->half_length);
    vec3s on_a = maths_vec3_add_scaled(a->middle, s, a->direction);
    vec3s on_b = maths_vec3_add_scaled(b->middle, t, b->direction);
    manifold->normal = normal;
    manifold->point_count = 1;
    manifold->points[0].position = glms_vec3_scale(glms_vec3_add(on_a, on_b), 0.5f);
    manifold->points[0].separation = narrow_dot(normal, glms_vec3_sub(on_b, on_a));
    manifold->points[0].feature = feature;
    return is_inside;
}

static narrow_segment sat_segment(const tni_hull *hull, uint32_t e) {
    vec3s p = hull->vertices[hull->half_edges[e].origin];
    vec3s q = hull->vertices[hull->half_edges[e + 1].origin];
    narrow_segment segment = {glms_vec3_scale(glms_vec3_add(p, q), 0.5f),
                              hull->edge_directions[e / 2], 0.5f * glms_vec3_distance(p, q)};
    return segment;
}

// ---- a gap ---------------------------------------------------------------------------------

static uint32_t sat_count_unique(const uint16_t *index, uint32_t count, uint16_t unique[2]) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; ++i) {
        bool is_known =
            (found > 0 && unique[0] == index[i]) || (found > 1 && unique[1] == index[i]);
        if (is_known) {
            continue;
        }
        if (found == 2) {
            return 3;
        }
        unique[found++] = index[i];
    }
    return found;
}

// The edge between two corners, or TNI_NONE when they are not neighbours.
static uint32_t sat_edge_between(const tni_hull *hull, uint32_t from, uint32_t to) {
    uint32_t first = hull->vertex_edges[from], e = first;
    do {
        if (hull->half_edges[e ^ 1u].origin == to) {
            return e / 2;
        }
        e = hull->half_edges[e ^ 1u].next;
    } while (e != first);
    return TNI_NONE;
}

static uint32_t sat_gap_feature(const tni_hull *a, const tni_hull *b, const tni_gjk_result *gjk) {
    uint16_t corner_a[2], corner_b[2];
    uint32_t count_a = sat_count_unique(gjk->index_a, gjk->count, corner_a);
    uint32_t count_b = sat_count_unique(gjk->index_b, gjk->count, corner_b);
    if (count_a == 1) {
        return feature_of_vertex(true, corner_a[0]);
    }
    if (count_b == 1) {
        return feature_of_vertex(false, corner_b[0]);
    }
    if (count_a == 2 && count_b == 2) {
        uint32_t edge_a = sat_edge_between(a, corner_a[0], corner_a[1]);
        uint32_t edge_b = sat_edge_between(b, corner_b[0], corner_b[1]);
        if (edge_a != TNI_NONE && edge_b != TNI_NONE) {
            return feature_of_edges(edge_a, edge_b);
        }
    }
    return feature_of_other(1);
}

bool tni_collide_gap(const tni_hull *a, const tni_hull *b, const tni_relative *relative,
                     float margin, vec3s *out_axis, tni_manifold *manifold) {
    tni_gjk_result gjk;
    tni_gjk_distance(a->vertices, a->vertex_count, b->vertices, b->vertex_count, relative, &gjk);
    *out_axis = gjk.normal;
    if (gjk.is_overlapping || gjk.distance > margin) {
        return false;
    }
    manifold->normal = gjk.normal;
    manifold->point_count = 1;
    manifold->points[0].position = glms_vec3_scale(glms_vec3_add(gjk.point_a, gjk.point_b), 0.5f);
    manifold->points[0].separation = gjk.distance;
    manifold->points[0].feature = sat_gap_feature(a, b, &gjk);
    return true;
}

// ---- the pair ------------------------------------------------------------------------------

// Whether the axis of the last step still separates.
static bool sat_cache_separates(const sat_pair *pair, const tni_manifold_cache *cache) {
    uint32_t support = 0;
    vec3s normal;
    switch (cache->axis_kind) {
    case NARROW_AXIS_FACE_A:
        return cache->index_a < pair->a->face_count &&
               sat_face_separation(pair->a, cache->index_a, pair->b, pair->relative, &support) >
                   pair->margin;
    case NARROW_AXIS_FACE_B:
        return cache->index_b < pair->b->face_count &&
               sat_face_separation(pair->b, cache->index_b, pair->a, &pair->inverse, &support) >
                   pair->margin;
    case NARROW_AXIS_EDGES: {
        if (!sat_cache_has_edges(pair, cache)) {
            return false;
        }
        sat_edge other = sat_edge_of_b(pair, cache->index_b);
        return sat_edge_separation(pair, cache->index_a, &other, &normal) > pair->margin;
    }
    case NARROW_AXIS_FREE: {
        normal = narrow_cache_free(cache);
        vec3s back = glms_vec3_negate(basis_mul_transposed(&pair->relative->basis, normal));
        vec3s top_a = pair->a->vertices[sat_support(pair->a, normal, 0)];
        vec3s top_b = pair->b->vertices[sat_support(pair->b, back, 0)];
        return narrow_dot(normal, pair->relative->position) - narrow_dot(normal, top_a) -
                   narrow_dot(back, top_b) >
               pair->margin;
    }
    default:
        return false;
    }
}

static void sat_clip(const sat_pair *pair, bool is_face_of_a, const sat_face *face,
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

static float sat_least_separation(const tni_manifold *manifold) {
    float least = FLT_MAX;
    for (uint32_t i = 0; i < manifold->point_count; ++i) {
        least = maths_min(least, manifold->points[i].separation);
    }
    return least;
}

// Deep overlap over a small face: the deepest corner lies beside the prism that the points were
// clipped to. It stands for the depth, in the place of the last point if there are four.
static void sat_add_support(const sat_pair *pair, bool is_face_of_a, const sat_face *face,
                            tni_manifold *manifold) {
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

static float sat_size(const tni_hull *hull) {
    vec3s d = glms_vec3_sub(hull->upper, hull->lower);
    return d.x + d.y + d.z;
}

// Of nearly equal faces the last one, else that of the larger hull: its sides cut less.
static bool sat_prefers_face_of_a(const sat_pair *pair, const sat_face *face_a,
                                  const sat_face *face_b, const tni_manifold_cache *cache) {
    float bonus = sat_size(pair->a) >= sat_size(pair->b) ? 0.25f : -0.25f;
    bonus = cache->axis_kind == NARROW_AXIS_FACE_A ? 0.5f : bonus;
    bonus = cache->axis_kind == NARROW_AXIS_FACE_B ? -0.5f : bonus;
    return face_a->separation + bonus * pair->tolerance >= face_b->separation;
}

// Overlapping along every face axis: looks for a better pair of edges. True when it made the
// manifold, or found the shapes to be apart after all.
static bool sat_try_edges(const sat_pair *pair, bool is_face_of_a, const sat_face *face,
                          tni_manifold_cache *cache, tni_manifold *manifold) {
    vec3s normal = is_face_of_a ? pair->a->planes[face->face].normal
                                : glms_vec3_negate(basis_mul(&pair->relative->basis,
                                                             pair->b->planes[face->face].normal));
    sat_edges edges = sat_query_edges(pair, cache, normal, face->separation);
    float lead = cache->axis_kind == NARROW_AXIS_EDGES ? 0.5f : 1.0f;
    if (!(edges.separation > face->separation + lead * pair->tolerance)) {
        return false;
    }
    narrow_cache_set(cache, NARROW_AXIS_EDGES, edges.edge_a, edges.edge_b);
    if (edges.separation > pair->margin) {
        return true;
    }
    narrow_segment a = sat_segment(pair->a, edges.edge_a);
    narrow_segment b = sat_segment(pair->b, edges.edge_b);
    b.middle = relative_point(pair->relative, b.middle);
    b.direction = basis_mul(&pair->relative->basis, b.direction);
    uint32_t feature = feature_of_edges(edges.edge_a / 2, edges.edge_b / 2);
    bool is_crossing = tni_collide_edges(&a, &b, edges.normal, pair->tolerance, feature, manifold);
    if (!is_crossing && edges.separation > 0.0f) {
        vec3s axis;
        manifold->point_count = 0;
        tni_collide_gap(pair->a, pair->b, pair->relative, pair->margin, &axis, manifold);
    }
    return true;
}

void tni_collide_hulls(const tni_hull *a, const tni_hull *b, const tni_relative *relative,
                       float margin, tni_manifold_cache *cache, tni_manifold *manifold) {
    sat_pair pair = {a,        b,
                     relative, relative_invert(relative),
                     margin,   narrow_axis_tolerance(a->inner_radius, b->inner_radius)};
    if (sat_cache_separates(&pair, cache)) {
        return;
    }
    sat_face face_a = sat_query_faces(a, b, relative, margin);
    if (face_a.separation > margin) {
        narrow_cache_set(cache, NARROW_AXIS_FACE_A, face_a.face, 0);
        return;
    }
    sat_face face_b = sat_query_faces(b, a, &pair.inverse, margin);
    if (face_b.separation > margin) {
        narrow_cache_set(cache, NARROW_AXIS_FACE_B, 0, face_b.face);
        return;
    }
    bool is_face_of_a = sat_prefers_face_of_a(&pair, &face_a, &face_b, cache);
    const sat_face *face = is_face_of_a ? &face_a : &face_b;
    bool is_apart = maths_max(face_a.separation, face_b.separation) > 0.0f;
    if (!is_apart && sat_try_edges(&pair, is_face_of_a, face, cache, manifold)) {
        return;
    }
    sat_clip(&pair, is_face_of_a, face, manifold);
    narrow_cache_set(cache, is_face_of_a ? NARROW_AXIS_FACE_A : NARROW_AXIS_FACE_B,
                     is_face_of_a ? face->face : 0, is_face_of_a ? 0 : face->face);
    if (sat_least_separation(manifold) <= face->separation + pair.tolerance) {
        return;
    }
    if (!is_apart) {
        sat_add_support(&pair, is_face_of_a, face, manifold);
        return;
    }
    // The corner lies beside the face: the closest features are others.
    vec3s axis;
    manifold->point_count = 0;
    if (!tni_collide_gap(a, b, relative, margin, &axis, manifold) &&
        axis.x + axis.y + axis.z != 0.0f) {
        narrow_cache_set_free(cache, axis);
    }
}
