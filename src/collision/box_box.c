// collision/box_box.c: two boxes by separating axes, in the axes of one of them.
//
// With R = A^T B and t the centre of b in a's axes, all fifteen axes (three faces of each, nine
// pairs of edges) cost a few products each: Gottschalk, Lin, Manocha, "OBBTree: A Hierarchical
// Structure for Rapid Interference Detection", 1996. Along axis L the separation is
// |t . L| - r_a - r_b over |L|. For a pair of edges e_i x b_j the radii are padded by a little of
// the sizes: of nearly parallel edges the cross product is mostly round-off, and the padding keeps
// it from winning.
//
// The axes are measured three at a time, in the lanes of a vector: the faces of one box, or one
// edge with the three of the other.
//
// A face contact is clipped in the reference box's axes, where a side plane is a comparison of one
// coordinate. Features are those of clip.c; corner and edge numbers those of box_hull.c.
// Test: tests/collision/test_box_box.c
#include "collision/narrow.h"
#include "core/lanes.h"

// Relative round-off of the terms of an edge axis.
#define BOX_PADDING 1e-6f

// Of each row of four, the last number is 0.
typedef struct box_pair {
    _Alignas(16) float r[3][4]; // r[i][j]: a's axis i . b's axis j
    float abs_r[3][4];
    float t_a[4], t_b[4]; // from a's centre to b's, in a's axes and in b's
    float h_a[4], h_b[4];
    float margin, tolerance;
    const tni_relative *relative;
} box_pair;

typedef struct box_edge_axis {
    float separation;
    uint32_t i, j;
} box_edge_axis;

static const uint8_t box_next[3] = {1, 2, 0};

static void box_pair_set(box_pair *pair, const float *h_a, const float *h_b,
                         const tni_relative *relative, float margin) {
    const tni_basis *basis = &relative->basis;
    vec3s t = relative->position;
    pair->margin = margin;
    pair->relative = relative;
    f4_store_aligned(pair->h_a, f4_make(h_a[0], h_a[1], h_a[2], 0.0f));
    f4_store_aligned(pair->h_b, f4_make(h_b[0], h_b[1], h_b[2], 0.0f));
    f4_store_aligned(pair->t_a, f4_make(t.x, t.y, t.z, 0.0f));
    tni_f4 r0 = f4_make(basis->x.x, basis->y.x, basis->z.x, 0.0f);
    tni_f4 r1 = f4_make(basis->x.y, basis->y.y, basis->z.y, 0.0f);
    tni_f4 r2 = f4_make(basis->x.z, basis->y.z, basis->z.z, 0.0f);
    const tni_f4 rows[3] = {r0, r1, r2};
    for (uint32_t i = 0; i < 3; ++i) {
        f4_store_aligned(pair->r[i], rows[i]);
        f4_store_aligned(pair->abs_r[i], f4_abs(rows[i]));
    }
    tni_f4 t_b = f4_mul(r0, f4_splat(t.x));
    t_b = f4_add_product(t_b, r1, f4_splat(t.y));
    f4_store_aligned(pair->t_b, f4_add_product(t_b, r2, f4_splat(t.z)));
}

static float box_smallest(const float *h) {
    return maths_min(h[0], maths_min(h[1], h[2]));
}

// ---- axes ----------------------------------------------------------------------------------

// Along the faces of a, and of b.
static tni_f4 box_faces_a(const box_pair *pair) {
    tni_f4 x = f4_load_aligned(pair->abs_r[0]), y = f4_load_aligned(pair->abs_r[1]);
    tni_f4 z = f4_load_aligned(pair->abs_r[2]), w = f4_zero();
    f4_transpose(&x, &y, &z, &w);
    tni_f4 reach = f4_mul(x, f4_splat(pair->h_b[0]));
    reach = f4_add_product(reach, y, f4_splat(pair->h_b[1]));
    reach = f4_add_product(reach, z, f4_splat(pair->h_b[2]));
    tni_f4 distance = f4_abs(f4_load_aligned(pair->t_a));
    return f4_sub(f4_sub(distance, f4_load_aligned(pair->h_a)), reach);
}

static tni_f4 box_faces_b(const box_pair *pair) {
    tni_f4 reach = f4_mul(f4_load_aligned(pair->abs_r[0]), f4_splat(pair->h_a[0]));
    reach = f4_add_product(reach, f4_load_aligned(pair->abs_r[1]), f4_splat(pair->h_a[1]));
    reach = f4_add_product(reach, f4_load_aligned(pair->abs_r[2]), f4_splat(pair->h_a[2]));
    tni_f4 distance = f4_abs(f4_load_aligned(pair->t_b));
    return f4_sub(f4_sub(distance, f4_load_aligned(pair->h_b)), reach);
}

// Of a's edge i with each of b's: -FLT_MAX where they are parallel.
static tni_f4 box_edges(const box_pair *pair, uint32_t i) {
    uint32_t i1 = box_next[i], i2 = box_next[i1];
    // e_i x b_j along axes i1 and i2
    tni_f4 y = f4_sub(f4_splat(-0.0f), f4_load_aligned(pair->r[i2]));
    tni_f4 z = f4_load_aligned(pair->r[i1]);
    tni_f4 length2 = f4_add_product(f4_mul(y, y), z, z);
    tni_f4 distance = f4_mul(f4_splat(pair->t_a[i1]), y);
    distance = f4_abs(f4_add_product(distance, f4_splat(pair->t_a[i2]), z));
    tni_f4 padding = f4_splat(BOX_PADDING);
    tni_f4 r1 = f4_add(f4_load_aligned(pair->abs_r[i1]), padding);
    tni_f4 r2 = f4_add(f4_load_aligned(pair->abs_r[i2]), padding);
    tni_f4 after = f4_yzx(f4_add(f4_load_aligned(pair->abs_r[i]), padding)); // of j + 1
    tni_f4 h_after = f4_yzx(f4_load_aligned(pair->h_b));
    tni_f4 radius = f4_mul(f4_splat(pair->h_a[i1]), r2);
    radius = f4_add_product(radius, f4_splat(pair->h_a[i2]), r1);
    radius = f4_add_product(radius, h_after, f4_yzx(after));
    radius = f4_add_product(radius, f4_yzx(h_after), after);
    tni_f4 separation = f4_div(f4_sub(distance, radius), f4_sqrt(length2));
    return f4_pick(f4_less(length2, f4_splat(NARROW_PARALLEL_SINE2)), f4_splat(-FLT_MAX),
                   separation);
}

static bool box_cache_separates(const box_pair *pair, const tni_manifold_cache *cache) {
    uint32_t i = cache->index_a, j = cache->index_b;
    switch (cache->axis_kind) {
    case NARROW_AXIS_FACE_A:
        return i < 3 && f4_lane(box_faces_a(pair), i) > pair->margin;
    case NARROW_AXIS_FACE_B:
        return j < 3 && f4_lane(box_faces_b(pair), j) > pair->margin;
    case NARROW_AXIS_EDGES:
        return i < 3 && j < 3 && f4_lane(box_edges(pair, i), j) > pair->margin;
    case NARROW_AXIS_FREE: {
        vec3s n = narrow_cache_free(cache);
        vec3s m = basis_mul_transposed(&pair->relative->basis, n);
        float radius = 0.0f;
        for (uint32_t k = 0; k < 3; ++k) {
            radius += fabsf(n.raw[k]) * pair->h_a[k] + fabsf(m.raw[k]) * pair->h_b[k];
        }
        return narrow_dot(n, pair->relative->position) - radius > pair->margin;
    }
    default:
        return false;
    }
}

// The best pair of edges. Stops at the first that separates by more than the margin.
static box_edge_axis box_best_edges(const box_pair *pair) {
    box_edge_axis best = {-FLT_MAX, 0, 0};
    for (uint32_t i = 0; i < 3; ++i) {
        float separation[4];
        f4_store(separation, box_edges(pair, i));
        for (uint32_t j = 0; j < 3; ++j) {
            if (separation[j] > best.separation) {
                best = (box_edge_axis){separation[j], i, j};
                if (separation[j] > pair->margin) {
                    return best;
                }
            }
        }
    }
    return best;
}

// ---- faces ---------------------------------------------------------------------------------

// One corner of the clipped polygon: u and v along the reference face's axes, w above the face.
typedef struct box_corner {
    float u, v, w;
    uint32_t feature;
    uint8_t edge; // of the incident box, or 12 + side plane: the polygon's side that leaves here
} box_corner;

#define BOX_SIDE 12

// The reference box's face looks along axis k in the sense of `sign`; the incident box is "other".
typedef struct box_face {
    const float *h;
    uint32_t k, k1, k2;
    bool is_plus;
    bool reference_is_a;
    float tolerance;
} box_face;

// The number of the edge along an axis through a corner (corner bits as in box_hull.c).
static uint32_t box_edge_number(uint32_t axis, uint32_t corner) {
    uint32_t k1 = box_next[axis], k2 = box_next[k1];
    return 4 * axis + (corner >> k1 & 1u) + 2 * (corner >> k2 & 1u);
}

// Side planes 0 to 3: +u, +v, -u, -v. The reference corner where two of them meet.
static uint32_t box_side_corner(const box_face *face, uint32_t side, uint32_t other) {
    bool plus_u = side == 0 || other == 0, plus_v = side == 1 || other == 1;
    return (face->is_plus ? 1u : 0u) << face->k | (plus_u ? 1u : 0u) << face->k1 |
           (plus_v ? 1u : 0u) << face->k2;
}

// The polygon's side that leaves the corner crosses a side plane.
static uint32_t box_cut_feature(const box_face *face, uint32_t edge, uint32_t side) {
    if (edge >= BOX_SIDE) {
        return feature_of_vertex(face->reference_is_a,
                                 box_side_corner(face, side, edge - BOX_SIDE));
    }
    uint32_t along = (side & 1u) == 0 ? face->k2 : face->k1;
    uint32_t reference = box_edge_number(along, box_side_corner(face, side, side));
    return face->reference_is_a ? feature_of_edges(reference, edge)
                                : feature_of_edges(edge, reference);
}

// Whether the side has anything to cut.
static bool box_is_outside(const box_face *face, uint32_t side, const box_corner *corner,
                           uint32_t count) {
    float limit = face->h[(side & 1u) != 0 ? face->k2 : face->k1];
    bool is_outside = false;
    for (uint32_t i = 0; i < count; ++i) {
        float x = (side & 1u) != 0 ? corner[i].v : corner[i].u;
        is_outside |= (side < 2 ? x : -x) > limit;
    }
    return is_outside;
}

// As clip.c: a corner outside by less than the tolerance stays, moved onto the side plane.
static uint32_t box_clip_side(const box_face *face, uint32_t side, const box_corner *in,
                              uint32_t count, box_corner *out) {
    bool is_v = (side & 1u) != 0;
    float sign = side < 2 ? 1.0f : -1.0f;
    float limit = face->h[is_v ? face->k2 : face->k1];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const box_corner *p = &in[i], *q = &in[i + 1 < count ? i + 1 : 0];
        float dp = sign * (is_v ? p->v : p->u) - limit;
        float dq = sign * (is_v ? q->v : q->u) - limit;
        bool p_inside = dp <= face->tolerance, q_inside = dq <= face->tolerance;
        if (p_inside) {
            out[kept] = *p;
            if (dp > 0.0f) {
                *(is_v ? &out[kept].v : &out[kept].u) = sign * limit;
            }
            kept += 1;
        }
        if (p_inside == q_inside) {
            continue;
        }
        if ((p_inside ? dp : dq) < 0.0f) {
            box_corner *cut = &out[kept++];
            float t = dp / (dp - dq);
            cut->u = is_v ? p->u + t * (q->u - p->u) : sign * limit;
            cut->v = is_v ? sign * limit : p->v + t * (q->v - p->v);
            cut->w = p->w + t * (q->w - p->w);
            cut->feature = box_cut_feature(face, p->edge, side);
            cut->edge = p_inside ? (uint8_t)(BOX_SIDE + side) : p->edge;
        } else if (p_inside) {
            out[kept - 1].edge = (uint8_t)(BOX_SIDE + side);
        }
    }
    return kept;
}

// The incident face's corners in the reference box's axes. `r` has the reference's axes in rows,
// `t` is the incident centre.
static void box_incident_corners(const box_face *face, float r[3][3], const float *t,
                                 const float *h, box_corner *corner) {
    uint32_t k = face->k;
    uint32_t m = 0;
    m = fabsf(r[k][1]) > fabsf(r[k][m]) ? 1 : m;
    m = fabsf(r[k][2]) > fabsf(r[k][m]) ? 2 : m;
    uint32_t m1 = box_next[m], m2 = box_next[m1];
    // The face that looks against the reference normal.
    bool is_plus = (r[k][m] > 0.0f) != face->is_plus;
    float center[3], side_1[3], side_2[3];
    for (uint32_t i = 0; i < 3; ++i) {
        center[i] = t[i] + (is_plus ? h[m] : -h[m]) * r[i][m];
        side_1[i] = h[m1] * r[i][m1];
        side_2[i] = h[m2] * r[i][m2];
    }
    static const float sign_1[4] = {-1.0f, 1.0f, 1.0f, -1.0f};
    static const float sign_2[4] = {-1.0f, -1.0f, 1.0f, 1.0f};
    for (uint32_t c = 0; c < 4; ++c) {
        float p[3];
        for (uint32_t i = 0; i < 3; ++i) {
            p[i] = center[i] + sign_1[c] * side_1[i] + sign_2[c] * side_2[i];
        }
        uint32_t number = (is_plus ? 1u : 0u) << m | (sign_1[c] > 0.0f ? 1u : 0u) << m1 |
                          (sign_2[c] > 0.0f ? 1u : 0u) << m2;
        corner[c].u = p[face->k1];
        corner[c].v = p[face->k2];
        corner[c].w = (face->is_plus ? p[k] : -p[k]) - face->h[k];
        corner[c].feature = feature_of_vertex(!face->reference_is_a, number);
        corner[c].edge = (uint8_t)box_edge_number((c & 1u) == 0 ? m1 : m2, number);
    }
}

static bool box_is_over(const box_face *face, const box_corner *corner) {
    float u = face->h[face->k1], v = face->h[face->k2];
    for (uint32_t c = 0; c < 4; ++c) {
        if (fabsf(corner[c].u) > u || fabsf(corner[c].v) > v) {
            return false;
        }
    }
    return true;
}

// Fills the manifold in the reference box's frame, the normal outward from it.
static void box_clip(const box_face *face, float r[3][3], const float *t, const float *h_other,
                     float margin, tni_manifold *manifold) {
    // Four planes add at most one corner each.
    box_corner corners[2][8];
    uint32_t count = 4, current = 0;
    box_incident_corners(face, r, t, h_other, corners[0]);
    if (!box_is_over(face, corners[0])) {
        for (uint32_t side = 0; side < 4 && count > 0; ++side) {
            if (box_is_outside(face, side, corners[current], count)) {
                count = box_clip_side(face, side, corners[current], count, corners[1 - current]);
                current = 1 - current;
            }
        }
    }
    tni_manifold_point points[8];
    uint32_t kept = 0;
    float sign = face->is_plus ? 1.0f : -1.0f;
    for (uint32_t c = 0; c < count; ++c) {
        const box_corner *corner = &corners[current][c];
        if (corner->w <= margin) {
            tni_manifold_point *p = &points[kept++];
            p->position.raw[face->k] = sign * (face->h[face->k] + 0.5f * corner->w);
            p->position.raw[face->k1] = corner->u;
            p->position.raw[face->k2] = corner->v;
            p->separation = corner->w;
            p->feature = corner->feature;
        }
    }
    vec3s normal = maths_vec3_zero();
    normal.raw[face->k] = sign;
    tni_manifold_reduce(points, kept, normal, manifold);
}

static void box_face_contact(const box_pair *pair, bool is_face_of_a, uint32_t k,
                             tni_manifold *manifold) {
    const float *h = is_face_of_a ? pair->h_a : pair->h_b;
    const float *h_other = is_face_of_a ? pair->h_b : pair->h_a;
    bool is_plus = is_face_of_a ? pair->t_a[k] > 0.0f : pair->t_b[k] < 0.0f;
    float tolerance = narrow_clip_tolerance(box_smallest(pair->h_a), box_smallest(pair->h_b));
    box_face face = {h, k, box_next[k], box_next[box_next[k]], is_plus, is_face_of_a, tolerance};
    float r[3][3], t[3];
    for (uint32_t i = 0; i < 3; ++i) {
        t[i] = is_face_of_a ? pair->t_a[i] : -pair->t_b[i];
        for (uint32_t j = 0; j < 3; ++j) {
            r[i][j] = is_face_of_a ? pair->r[i][j] : pair->r[j][i];
        }
    }
    box_clip(&face, r, t, h_other, pair->margin, manifold);
    if (!is_face_of_a) {
        relative_manifold(pair->relative, manifold);
        manifold->normal = glms_vec3_negate(manifold->normal);
    }
}

// ---- edges ---------------------------------------------------------------------------------

// The edge along an axis that reaches farthest in the given direction (its box's own axes).
static narrow_segment box_support_edge(const float *h, uint32_t axis, vec3s direction,
                                       uint32_t *out_number) {
    narrow_segment edge = {maths_vec3_zero(), maths_vec3_zero(), h[axis]};
    uint32_t corner = 0;
    for (uint32_t k = 0; k < 3; ++k) {
        if (k != axis) {
            bool is_plus = direction.raw[k] > 0.0f;
            edge.middle.raw[k] = is_plus ? h[k] : -h[k];
            corner |= (is_plus ? 1u : 0u) << k;
        }
    }
    edge.direction.raw[axis] = 1.0f;
    *out_number = box_edge_number(axis, corner);
    return edge;
}

// True when the closest points of the two lines lie on the edges.
static bool box_edge_contact(const box_pair *pair, uint32_t i, uint32_t j, tni_manifold *manifold) {
    uint32_t i1 = box_next[i], i2 = box_next[i1];
    vec3s normal = maths_vec3_zero();
    normal.raw[i1] = -pair->r[i2][j];
    normal.raw[i2] = pair->r[i1][j];
    normal = maths_vec3_normalize_or(normal, maths_vec3(1.0f, 0.0f, 0.0f));
    if (narrow_dot(normal, pair->relative->position) < 0.0f) {
        normal = glms_vec3_negate(normal);
    }
    uint32_t number_a, number_b;
    vec3s back = glms_vec3_negate(basis_mul_transposed(&pair->relative->basis, normal));
    narrow_segment a = box_support_edge(pair->h_a, i, normal, &number_a);
    narrow_segment b = box_support_edge(pair->h_b, j, back, &number_b);
    b.middle = relative_point(pair->relative, b.middle);
    b.direction = basis_mul(&pair->relative->basis, b.direction);
    return tni_collide_edges(&a, &b, normal, pair->tolerance, feature_of_edges(number_a, number_b),
                             manifold);
}

// ---- the pair ------------------------------------------------------------------------------

// The closest points by GJK, where no face or crossing of edges carries them.
static void box_gap(const box_pair *pair, tni_manifold_cache *cache, tni_manifold *manifold) {
    tni_box_hull a, b;
    tni_box_hull_set(&a, maths_vec3(pair->h_a[0], pair->h_a[1], pair->h_a[2]));
    tni_box_hull_set(&b, maths_vec3(pair->h_b[0], pair->h_b[1], pair->h_b[2]));
    vec3s axis;
    manifold->point_count = 0;
    bool is_near = tni_collide_gap(&a.hull, &b.hull, pair->relative, pair->margin, &axis, manifold);
    if (!is_near && axis.x * axis.x + axis.y * axis.y + axis.z * axis.z > 0.5f) {
        narrow_cache_set_free(cache, axis);
    }
}

static float box_face_area(const float *h, uint32_t k) {
    return h[box_next[k]] * h[box_next[box_next[k]]];
}

typedef struct box_best_face {
    float separation;
    uint32_t k;
    bool is_of_a;
} box_best_face;

// The axis of the largest separation; the last one gets a bonus.
static uint32_t box_largest(const float *separation, uint32_t last, float bonus) {
    uint32_t best = 0;
    for (uint32_t k = 1; k < 3; ++k) {
        float lead = (best == last ? bonus : 0.0f) - (k == last ? bonus : 0.0f);
        if (separation[k] > separation[best] + lead) {
            best = k;
        }
    }
    return best;
}

// The best of the six face axes; false when one separates, which the cache then names. Of nearly
// equal faces of the two boxes the last one wins, else the larger: its sides cut less.
static bool box_find_face(const box_pair *pair, tni_manifold_cache *cache, box_best_face *best) {
    float of_a[4], of_b[4];
    f4_store(of_a, box_faces_a(pair));
    f4_store(of_b, box_faces_b(pair));
    bool was_a = cache->axis_kind == NARROW_AXIS_FACE_A;
    bool was_b = cache->axis_kind == NARROW_AXIS_FACE_B;
    float bonus = 0.5f * pair->tolerance;
    uint32_t a = box_largest(of_a, was_a ? cache->index_a : TNI_NONE, bonus);
    uint32_t b = box_largest(of_b, was_b ? cache->index_b : TNI_NONE, bonus);
    if (of_a[a] > pair->margin) {
        narrow_cache_set(cache, NARROW_AXIS_FACE_A, a, 0);
        return false;
    }
    if (of_b[b] > pair->margin) {
        narrow_cache_set(cache, NARROW_AXIS_FACE_B, 0, b);
        return false;
    }
    float lead = box_face_area(pair->h_a, a) >= box_face_area(pair->h_b, b) ? 0.5f : -0.5f;
    lead = was_a ? 1.0f : (was_b ? -1.0f : lead);
    bool is_of_a = of_a[a] + lead * bonus >= of_b[b];
    *best = (box_best_face){is_of_a ? of_a[a] : of_b[b], is_of_a ? a : b, is_of_a};
    return true;
}

void tni_collide_boxes(vec3s half_a, vec3s half_b, const tni_relative *relative, float margin,
                       tni_manifold_cache *cache, tni_manifold *manifold) {
    box_pair pair;
    box_pair_set(&pair, half_a.raw, half_b.raw, relative, margin);
    if (box_cache_separates(&pair, cache)) {
        return;
    }
    pair.tolerance = narrow_axis_tolerance(box_smallest(pair.h_a), box_smallest(pair.h_b));
    box_best_face face;
    if (!box_find_face(&pair, cache, &face)) {
        return;
    }
    box_edge_axis edges = box_best_edges(&pair);
    if (edges.separation > margin) {
        narrow_cache_set(cache, NARROW_AXIS_EDGES, edges.i, edges.j);
        return;
    }
    float lead = cache->axis_kind == NARROW_AXIS_EDGES ? 0.5f : 1.0f;
    if (edges.separation > face.separation + lead * pair.tolerance) {
        narrow_cache_set(cache, NARROW_AXIS_EDGES, edges.i, edges.j);
        bool is_crossing = box_edge_contact(&pair, edges.i, edges.j, manifold);
        if (!is_crossing && edges.separation > 0.0f) {
            box_gap(&pair, cache, manifold);
        }
        return;
    }
    box_face_contact(&pair, face.is_of_a, face.k, manifold);
    narrow_cache_set(cache, face.is_of_a ? NARROW_AXIS_FACE_A : NARROW_AXIS_FACE_B,
                     face.is_of_a ? face.k : 0, face.is_of_a ? 0 : face.k);
    float least = FLT_MAX;
    for (uint32_t i = 0; i < manifold->point_count; ++i) {
        least = maths_min(least, manifold->points[i].separation);
    }
    bool is_apart = face.separation > 0.0f || edges.separation > 0.0f;
    if (is_apart && least > face.separation + pair.tolerance) {
        box_gap(&pair, cache, manifold);
    } else if (least == FLT_MAX && edges.separation > -FLT_MAX) {
        // The deepest corner lies beside the face; the edges are nearly as good an axis.
        box_edge_contact(&pair, edges.i, edges.j, manifold);
    }
}
