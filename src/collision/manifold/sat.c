// collision/manifold/sat.c: the best separating axis of two convex polyhedra.
//
// Two convex polyhedra are apart if and only if some face normal of either, or the cross product of
// an edge of each, separates them. The axis with the largest separation is the one to push along.
// Only those edge pairs matter whose arcs cross on the Gauss map, where a face is a point, an edge
// the arc between its two faces, and b's map is mirrored: they are the edges of the Minkowski
// difference (Dirk Gregorius, "The Separating Axis Test between Convex Polyhedra", GDC 2013).
//
// Most axes are never looked at. With c the other hull's centre and r its inner radius, a face with
// plane (n, d) separates by at most the gap n . c - d, less r. An edge between two faces gives at
// most the largest gap on its arc, less r. And when the best face axis overlaps by d, the shapes,
// pushed apart along a better axis, would meet within d: so both edges must reach into the slab of
// 2 d about the overlap. The present value of the last step's edges is the mark to be beaten.
//
// A triangle that overlaps the other shape pushes it along a normal of its surface alone
// (triangle.h): along the face on the side of the other's centre, or along another axis that it
// allows. Any axis may show that they are apart.
//
// Test: tests/collision/manifold/test_sat.c
#include "collision/manifold/sat.h"
#include "collision/concave/triangle.h"
#include "core/lanes.h"
#include "core/simd_double.h"

// With more corners, support points are found by climbing along edges.
#define SAT_CLIMB_FROM 128

// Corners have this many heights, with room to fill up the last four.
#define SAT_MAX_HEIGHTS (TNI_HULL_MAX_VERTICES + 1)

// ---- supports ------------------------------------------------------------------------------

// Measures how far all corners lie along the direction, four at once. Returns the most.
static float sat_heights(const tni_hull *hull, vec3s direction, float *heights) {
    const float *x = hull->lanes, *y = x + hull->lane_count, *z = y + hull->lane_count;
    tni_f4 u = f4_splat(direction.x), v = f4_splat(direction.y), w = f4_splat(direction.z);
    tni_f4 most = f4_splat(-FLT_MAX);
    for (uint32_t i = 0; i < hull->lane_count; i += 4) {
        tni_f4 height = f4_add_product(f4_mul(f4_load(x + i), u), f4_load(y + i), v);
        height = f4_add_product(height, f4_load(z + i), w);
        f4_store(heights + i, height);
        most = f4_max(most, height);
    }
    most = f4_max(most, f4_swap_inner(most));
    return f4_first(f4_max(most, f4_swap_outer(most)));
}

static const uint8_t sat_first_bit[16] = {0, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0};

// Returns the first of the corners that lie farthest, or `start` if it does.
static uint32_t sat_scan(const tni_hull *hull, vec3s direction, uint32_t start) {
    float heights[SAT_CLIMB_FROM];
    float most = sat_heights(hull, direction, heights);
    uint32_t best = start;
    if (narrow_dot(hull->vertices[start], direction) < most) {
        uint32_t bits = 0;
        for (best = 0; best < hull->lane_count; best += 4) {
            bits = m4_bits(f4_at_most(f4_splat(most), f4_load(heights + best)));
            if (bits != 0) {
                break;
            }
        }
        best += sat_first_bit[bits];
    }
    return best;
}

// Does the same for a hull of up to four corners, such as a triangle. Gives the height as well.
TNI_KERNEL uint32_t sat_scan_four(const tni_hull *hull, vec3s direction, uint32_t start,
                                  float *out_most) {
    const float *x = hull->lanes;
    tni_f4 height = f4_mul(f4_load(x), f4_splat(direction.x));
    height = f4_add_product(height, f4_load(x + 4), f4_splat(direction.y));
    height = f4_add_product(height, f4_load(x + 8), f4_splat(direction.z));
    tni_f4 most = f4_max(height, f4_swap_inner(height));
    most = f4_max(most, f4_swap_outer(most));
    uint32_t bits = m4_bits(f4_at_most(most, height));
    *out_most = f4_first(most);
    return (bits >> start & 1u) != 0 ? start : sat_first_bit[bits];
}

// Returns the corner farthest along the direction. Climbing is exact: on a convex body every local
// best is the best; `start` is any corner.
static uint32_t sat_support(const tni_hull *hull, vec3s direction, uint32_t start) {
    if (hull->lane_count <= SAT_CLIMB_FROM) {
        return sat_scan(hull, direction, start);
    }
    uint32_t best = start;
    float best_dot = narrow_dot(hull->vertices[start], direction);
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

// Returns how far the other hull stands off one face. `relative` is the other hull seen from the
// face's hull.
static float sat_face_separation(const tni_hull *hull, uint32_t face, const tni_hull *other,
                                 const tni_relative *relative, uint32_t *support) {
    tni_plane plane = hull->planes[face];
    vec3s back = glms_vec3_negate(basis_mul_transposed(&relative->basis, plane.normal));
    float most;
    if (other->lane_count == 4) {
        *support = sat_scan_four(other, back, *support, &most);
    } else {
        *support = sat_support(other, back, *support);
        most = narrow_dot(back, other->vertices[*support]);
    }
    return narrow_dot(plane.normal, relative->position) - plane.offset - most;
}

// ---- faces ---------------------------------------------------------------------------------

bool tni_sat_takes(tni_sat_pair *pair, float separation, vec3s axis) {
    if (separation > 0.0f || (pair->side_a & pair->side_b) == TNI_NONE) {
        return true;
    }
    bool is_allowed =
        pair->side_a != TNI_NONE
            ? tni_triangle_allows(pair->a, pair->side_a, axis)
            : tni_triangle_allows(
                  pair->b, pair->side_b,
                  glms_vec3_negate(basis_mul_transposed(&pair->relative->basis, axis)));
    pair->barred = is_allowed ? pair->barred : maths_max(pair->barred, separation);
    return is_allowed;
}

// Does a face of a hull count at this separation?
static bool sat_takes_face(tni_sat_pair *pair, bool is_of_a, uint32_t face, float separation) {
    if (separation > 0.0f || (is_of_a ? pair->side_b : pair->side_a) == TNI_NONE) {
        return true; // a triangle's own face is searched on one side alone
    }
    vec3s normal = (is_of_a ? pair->a : pair->b)->planes[face].normal;
    vec3s axis = is_of_a ? normal : glms_vec3_negate(basis_mul(&pair->relative->basis, normal));
    return tni_sat_takes(pair, separation, axis);
}

// Finds the best face. The face of the largest gap goes first, and the search stops at the first
// that separates by more than the margin. A face must reach `mark` to be of interest.
static tni_sat_face sat_query_faces(tni_sat_pair *pair, bool is_of_a, float mark) {
    const tni_hull *hull = is_of_a ? pair->a : pair->b, *other = is_of_a ? pair->b : pair->a;
    const tni_relative *relative = is_of_a ? pair->relative : &pair->inverse;
    uint32_t side = is_of_a ? pair->side_a : pair->side_b;
    float *gaps = is_of_a ? pair->gaps_a : pair->gaps_b, margin = pair->margin;
    vec3s center = relative_point(relative, other->center);
    float radius = other->ball_radius;
    uint32_t first = 0;
    for (uint32_t face = 0; face < hull->face_count; ++face) {
        gaps[face] = narrow_dot(hull->planes[face].normal, center) - hull->planes[face].offset;
        first = gaps[face] > gaps[first] ? face : first;
    }
    bool is_solid = side == TNI_NONE;
    first = is_solid ? first : side;
    tni_sat_face best = {0.0f, first, 0};
    best.separation = sat_face_separation(hull, first, other, relative, &best.support);
    if (!sat_takes_face(pair, is_of_a, first, best.separation)) {
        best.separation = -FLT_MAX;
    }
    uint32_t support = best.support, face_count = is_solid ? hull->face_count : 0;
    for (uint32_t face = 0; face < face_count && best.separation <= margin; ++face) {
        if (gaps[face] - radius <= maths_max(best.separation, mark) || face == first) {
            continue;
        }
        float separation = sat_face_separation(hull, face, other, relative, &support);
        if (separation > best.separation && sat_takes_face(pair, is_of_a, face, separation)) {
            best = (tni_sat_face){separation, face, support};
        }
    }
    return best;
}

// Returns the mark that a face must reach to matter beside the last pair of edges: twice the
// tolerance that decides between them is left.
static float sat_mark(const tni_sat_pair *pair) {
    return pair->last.separation > -FLT_MAX ? pair->last.separation - 2.0f * pair->tolerance
                                            : -FLT_MAX;
}

tni_sat_face tni_sat_query_faces_of_a(tni_sat_pair *pair) {
    return sat_query_faces(pair, true, sat_mark(pair));
}

tni_sat_face tni_sat_query_faces_of_b(tni_sat_pair *pair) {
    return sat_query_faces(pair, false, sat_mark(pair));
}

// ---- edges ---------------------------------------------------------------------------------

// Returns whether arc (a, b), whose edge runs along e_ab, crosses arc (c, d), whose edge runs along
// e_cd.
static bool sat_arcs_cross(vec3s a, vec3s b, vec3s e_ab, vec3s c, vec3s d, vec3s e_cd) {
    float cba = narrow_dot(c, e_ab), dba = narrow_dot(d, e_ab);
    float adc = narrow_dot(a, e_cd), bdc = narrow_dot(b, e_cd);
    return cba * dba < 0.0f && adc * bdc < 0.0f && cba * bdc > 0.0f;
}

// This is one edge of b, in a's frame.
typedef struct sat_edge {
    vec3s origin, direction, left, right; // left and right: the faces' normals, negated
} sat_edge;

// This is the frame of b, seen from a.
typedef struct sat_axes {
    tni_f4 x, y, z, position;
} sat_axes;

static sat_axes sat_load_axes(const tni_relative *relative) {
    const tni_basis *basis = &relative->basis;
    return (sat_axes){f4_load3(basis->x.raw), f4_load3(basis->y.raw), f4_load3(basis->z.raw),
                      f4_load3(relative->position.raw)};
}

// Does what basis_mul() does.
TNI_KERNEL tni_f4 sat_turn(const sat_axes *axes, vec3s v) {
    tni_f4 sum = f4_mul(axes->x, f4_splat(v.x));
    return f4_add_product(f4_add_product(sum, axes->y, f4_splat(v.y)), axes->z, f4_splat(v.z));
}

static void sat_set_edge_of_b(const tni_hull *b, const sat_axes *axes, uint32_t e, sat_edge *edge) {
    vec3s left = glms_vec3_negate(b->planes[b->half_edges[e].face].normal);
    vec3s right = glms_vec3_negate(b->planes[b->half_edges[e + 1].face].normal);
    tni_f4 origin = sat_turn(axes, b->vertices[b->half_edges[e].origin]);
    f4_store3(edge->origin.raw, f4_add(origin, axes->position));
    f4_store3(edge->direction.raw, sat_turn(axes, b->edge_directions[e / 2]));
    f4_store3(edge->left.raw, sat_turn(axes, left));
    f4_store3(edge->right.raw, sat_turn(axes, right));
}

// Returns the separation of one pair of edges, or -FLT_MAX when it is no edge of the difference.
static float sat_edge_separation(const tni_sat_pair *pair, uint32_t e, const sat_edge *other,
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
    // The arcs cross at the outward normal, which looks with both faces of a's edge, or out of a
    // triangle.
    vec3s outward = a->sides == 0 ? glms_vec3_add(left, right) : glms_vec3_cross(direction, left);
    if (narrow_dot(axis, outward) < 0.0f) {
        axis = glms_vec3_negate(axis);
    }
    *out_normal = axis;
    return narrow_dot(axis, glms_vec3_sub(other->origin, origin));
}

// Returns the largest gap on the arc of edge e. Unless the arc holds the direction straight to the
// other's centre, that is the larger gap of its two faces; and it cannot hold it if both gaps are
// negative.
static float sat_arc_gap(const tni_hull *hull, uint32_t e, const float *gaps, vec3s center) {
    const tni_half_edge *edge = &hull->half_edges[e];
    float left = gaps[edge->face], right = gaps[edge[1].face];
    float larger = maths_max(left, right);
    if (larger <= 0.0f) {
        return larger;
    }
    float c = narrow_dot(hull->planes[edge->face].normal, hull->planes[edge[1].face].normal);
    if (!(left > c * right && right > c * left)) {
        return larger;
    }
    vec3s d = glms_vec3_sub(center, hull->vertices[edge->origin]);
    float along = narrow_dot(hull->edge_directions[e / 2], d);
    return sqrtf(maths_max(narrow_dot(d, d) - along * along, 0.0f));
}

typedef struct sat_filter {
    const float *gaps;
    vec3s center; // of the other hull
    float radius; // of its inner ball
    vec3s normal; // of the face axis, outward
    float slab;   // along the normal, from the farthest corner
    float mark;
} sat_filter;

// Lists the edges of a hull that could give an axis better than the mark. Returns how many.
static uint32_t sat_list_edges(const tni_hull *hull, const sat_filter *filter, uint16_t *list) {
    float heights[SAT_MAX_HEIGHTS];
    float limit = sat_heights(hull, filter->normal, heights) + filter->slab;
    uint32_t count = 0;
    for (uint32_t e = 0; e < hull->half_edge_count; e += 2) {
        float p = heights[hull->half_edges[e].origin];
        float q = heights[hull->half_edges[e + 1].origin];
        if (maths_max(p, q) < limit) {
            continue;
        }
        if (sat_arc_gap(hull, e, filter->gaps, filter->center) - filter->radius >= filter->mark) {
            list[count++] = (uint16_t)e;
        }
    }
    return count;
}

tni_sat_edges tni_sat_query_edges(tni_sat_pair *pair, vec3s normal, float separation) {
    vec3s normal_b = glms_vec3_negate(basis_mul_transposed(&pair->relative->basis, normal));
    tni_sat_edges best = pair->last;
    float mark = maths_max(separation, best.separation);
    float slab = separation + mark - pair->tolerance;
    sat_filter filter_a = {pair->gaps_a,
                           relative_point(pair->relative, pair->b->center),
                           pair->b->ball_radius,
                           normal,
                           slab,
                           mark};
    sat_filter filter_b = {pair->gaps_b,
                           relative_point(&pair->inverse, pair->a->center),
                           pair->a->ball_radius,
                           normal_b,
                           slab,
                           mark};
    uint16_t near_a[TNI_SAT_MAX_EDGES], near_b[TNI_SAT_MAX_EDGES];
    uint32_t count_a = sat_list_edges(pair->a, &filter_a, near_a);
    uint32_t count_b = count_a > 0 ? sat_list_edges(pair->b, &filter_b, near_b) : 0;
    sat_axes axes = sat_load_axes(pair->relative);
    for (uint32_t j = 0; j < count_b; ++j) {
        sat_edge other;
        sat_set_edge_of_b(pair->b, &axes, near_b[j], &other);
        for (uint32_t i = 0; i < count_a; ++i) {
            vec3s axis = maths_vec3_zero();
            float s = sat_edge_separation(pair, near_a[i], &other, &axis);
            if (s > best.separation && tni_sat_takes(pair, s, axis)) {
                best = (tni_sat_edges){s, near_a[i], near_b[j], axis};
                if (s > pair->margin) {
                    return best;
                }
            }
        }
    }
    return best;
}

// ---- the cache -----------------------------------------------------------------------------

// Returns whether the last step's axis was a pair of edges of these two hulls.
static bool sat_cache_has_edges(const tni_sat_pair *pair, const tni_manifold_cache *cache) {
    return cache->axis_kind == NARROW_AXIS_EDGES && cache->index_a < pair->a->half_edge_count &&
           cache->index_b < pair->b->half_edge_count &&
           ((cache->index_a | cache->index_b) & 1u) == 0;
}

// Finds the sides of a triangle on which the other shape is.
static void sat_set_sides(tni_sat_pair *pair) {
    const tni_hull *a = pair->a, *b = pair->b;
    pair->side_a = pair->side_b = TNI_NONE;
    pair->barred = -FLT_MAX;
    pair->is_behind = false;
    if (a->sides != 0) {
        pair->side_a = triangle_get_side(a, relative_point(pair->relative, b->center));
        pair->is_behind = pair->side_a == TNI_NONE;
    }
    if (b->sides != 0) {
        pair->side_b = triangle_get_side(b, relative_point(&pair->inverse, a->center));
        pair->is_behind = pair->is_behind || pair->side_b == TNI_NONE;
    }
}

void tni_sat_begin(tni_sat_pair *pair, const tni_hull *a, const tni_hull *b,
                   const tni_relative *relative, float margin, const tni_manifold_cache *cache) {
    pair->a = a;
    pair->b = b;
    pair->relative = relative;
    pair->inverse = relative_invert(relative);
    pair->margin = margin;
    pair->tolerance = narrow_axis_tolerance(a->inner_radius, b->inner_radius);
    sat_set_sides(pair);
    pair->last = (tni_sat_edges){-FLT_MAX, 0, 0, maths_vec3_zero()};
    if (sat_cache_has_edges(pair, cache)) {
        sat_axes axes = sat_load_axes(relative);
        sat_edge other;
        sat_set_edge_of_b(b, &axes, cache->index_b, &other);
        pair->last.edge_a = cache->index_a;
        pair->last.edge_b = cache->index_b;
        pair->last.separation =
            sat_edge_separation(pair, cache->index_a, &other, &pair->last.normal);
        if (!tni_sat_takes(pair, pair->last.separation, pair->last.normal)) {
            pair->last.separation = -FLT_MAX;
        }
    }
}

bool tni_sat_cache_separates(const tni_sat_pair *pair, const tni_manifold_cache *cache) {
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
    case NARROW_AXIS_EDGES:
        return pair->last.separation > pair->margin;
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
