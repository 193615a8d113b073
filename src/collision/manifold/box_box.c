// collision/manifold/box_box.c: two boxes by separating axes.
//
// With R = A^T B and t the centre of b in a's axes, all fifteen axes (three faces of each, nine
// pairs of edges) cost a few products each: Gottschalk, Lin, Manocha, "OBBTree: A Hierarchical
// Structure for Rapid Interference Detection", 1996. Along axis L the separation is
// |t . L| - r_a - r_b over |L|. For a pair of edges e_i x b_j the radii are padded by a little of
// the sizes: the cross product of nearly parallel edges is mostly round-off, and the padding keeps
// it from winning.
//
// The axes are measured three at a time, in the lanes of a vector: the faces of one box, or one
// edge with the three of the other. The caller gives both boxes in its own axes, so that a box of
// many pairs is rotated once, and the points go back without another rotation. A face contact is
// clipped in box_clip.c.
// Test: tests/collision/manifold/test_box_box.c
#include "collision/box.h"

// The terms of an edge axis have this relative round-off.
#define BOX_PADDING 1e-6f

typedef struct box_edge_axis {
    float separation;
    uint32_t i, j;
} box_edge_axis;

static void box_store_rows(float (*rows)[4], float (*sizes)[4], const tni_f4 *r) {
    for (uint32_t i = 0; i < 3; ++i) {
        f4_store_aligned(rows[i], r[i]);
        f4_store_aligned(sizes[i], f4_abs(r[i]));
    }
}

static void box_pair_set(tni_box_pair *pair, const tni_oriented_box *a, const tni_oriented_box *b,
                         tni_dvec3 d, float margin) {
    pair->a = a;
    pair->b = b;
    pair->d = dvec3_to_float(d);
    pair->margin = margin;
    f4_store_aligned(pair->h_a, f4_load(a->half_extents));
    f4_store_aligned(pair->h_b, f4_load(b->half_extents));
    tni_f4 x = f4_load(b->axes[0]), y = f4_load(b->axes[1]), z = f4_load(b->axes[2]);
    tni_f4 rest = f4_zero();
    f4_transpose(&x, &y, &z, &rest);
    tni_f4 r[4], t_b = f4_zero();
    for (uint32_t i = 0; i < 3; ++i) {
        const float *axis = a->axes[i];
        r[i] = f4_mul(x, f4_splat(axis[0]));
        r[i] = f4_add_product(r[i], y, f4_splat(axis[1]));
        r[i] = f4_add_product(r[i], z, f4_splat(axis[2]));
        // This is in double: a long lever times the round-off of a product must not move the
        // surface.
        pair->t_a[i] =
            (float)(d.x * (double)axis[0] + d.y * (double)axis[1] + d.z * (double)axis[2]);
        t_b = f4_add_product(t_b, r[i], f4_splat(pair->t_a[i]));
    }
    pair->t_a[3] = 0.0f;
    f4_store_aligned(pair->t_b, t_b);
    box_store_rows(pair->r, pair->abs_r, r);
    r[3] = f4_zero();
    f4_transpose(&r[0], &r[1], &r[2], &r[3]);
    box_store_rows(pair->r_t, pair->abs_r_t, r);
}

// Returns b's frame seen from a's.
static tni_relative box_relative(const tni_box_pair *pair) {
    const float(*r)[4] = pair->r_t;
    tni_relative relative;
    relative.basis.x = box_vec(r[0]);
    relative.basis.y = box_vec(r[1]);
    relative.basis.z = box_vec(r[2]);
    relative.position = box_vec(pair->t_a);
    return relative;
}

// ---- axes ----------------------------------------------------------------------------------

// These return the separations along the faces of a, and of b.
static tni_f4 box_faces_a(const tni_box_pair *pair) {
    tni_f4 reach = f4_mul(f4_load_aligned(pair->abs_r_t[0]), f4_splat(pair->h_b[0]));
    reach = f4_add_product(reach, f4_load_aligned(pair->abs_r_t[1]), f4_splat(pair->h_b[1]));
    reach = f4_add_product(reach, f4_load_aligned(pair->abs_r_t[2]), f4_splat(pair->h_b[2]));
    tni_f4 distance = f4_abs(f4_load_aligned(pair->t_a));
    return f4_sub(f4_sub(distance, f4_load_aligned(pair->h_a)), reach);
}

static tni_f4 box_faces_b(const tni_box_pair *pair) {
    tni_f4 reach = f4_mul(f4_load_aligned(pair->abs_r[0]), f4_splat(pair->h_a[0]));
    reach = f4_add_product(reach, f4_load_aligned(pair->abs_r[1]), f4_splat(pair->h_a[1]));
    reach = f4_add_product(reach, f4_load_aligned(pair->abs_r[2]), f4_splat(pair->h_a[2]));
    tni_f4 distance = f4_abs(f4_load_aligned(pair->t_b));
    return f4_sub(f4_sub(distance, f4_load_aligned(pair->h_b)), reach);
}

// Measures a's edge i with each of b's edges: -FLT_MAX where they are parallel.
static tni_f4 box_edges(const tni_box_pair *pair, uint32_t i) {
    uint32_t i1 = box_after(i), i2 = box_after(i1);
    // These are e_i x b_j along axes i1 and i2.
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

static bool box_cache_separates(const tni_box_pair *pair, const tni_manifold_cache *cache) {
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
        tni_relative relative = box_relative(pair);
        vec3s m = basis_mul_transposed(&relative.basis, n);
        float radius = 0.0f;
        for (uint32_t k = 0; k < 3; ++k) {
            radius += fabsf(n.raw[k]) * pair->h_a[k] + fabsf(m.raw[k]) * pair->h_b[k];
        }
        return narrow_dot(n, relative.position) - radius > pair->margin;
    }
    default:
        return false;
    }
}

// Returns the largest of four lanes, in all of them.
static tni_f4 box_greatest(tni_f4 a) {
    a = f4_max(a, f4_swap_inner(a));
    return f4_max(a, f4_swap_outer(a));
}

// Returns the best pair of edges, or the first that separates by more than the margin. The nine
// numbers are compared at once: compared one after the other they would be branches that no
// processor predicts.
static box_edge_axis box_best_edges(const tni_box_pair *pair) {
    tni_f4 rows[3], margin = f4_splat(pair->margin);
    uint32_t apart = 0, largest = 0;
    for (uint32_t i = 0; i < 3; ++i) {
        rows[i] = f4_set_lane(box_edges(pair, i), 3, -FLT_MAX);
        apart |= m4_bits(f4_less(margin, rows[i])) << (4 * i);
    }
    tni_f4 most = box_greatest(f4_max(f4_max(rows[0], rows[1]), rows[2]));
    for (uint32_t i = 0; i < 3; ++i) {
        largest |= m4_bits(f4_at_most(most, rows[i])) << (4 * i);
    }
    uint32_t bits = apart != 0 ? apart : largest, at = 0;
    while (at < 11 && (bits >> at & 1u) == 0) {
        at += 1;
    }
    box_edge_axis best = {f4_lane(rows[at / 4], at % 4), at / 4, at % 4};
    return best;
}

// ---- edges ---------------------------------------------------------------------------------

// Returns the edge along an axis of the box about `center` that reaches farthest in a direction,
// where `plus_1` and `plus_2` say whether it looks along the next two axes.
static narrow_segment box_edge(const tni_oriented_box *box, vec3s center, uint32_t axis,
                               bool plus_1, bool plus_2, uint32_t *out_number) {
    uint32_t k1 = box_after(axis), k2 = box_after(k1);
    const float *h = box->half_extents;
    float along_1 = plus_1 ? h[k1] : -h[k1], along_2 = plus_2 ? h[k2] : -h[k2];
    const float *u = box->axes[k1], *v = box->axes[k2], *e = box->axes[axis];
    narrow_segment edge;
    edge.middle = maths_vec3(center.x + along_1 * u[0] + along_2 * v[0],
                             center.y + along_1 * u[1] + along_2 * v[1],
                             center.z + along_1 * u[2] + along_2 * v[2]);
    edge.direction = box_vec(e);
    edge.half_length = h[axis];
    *out_number = 4 * axis + (plus_1 ? 1u : 0u) + (plus_2 ? 2u : 0u);
    return edge;
}

// Adds the point where two edges cross. Returns true when the closest points of the two lines lie
// on the edges. With n = a_i x b_j:
// n . a_i1 = -r[i2][j], n . a_i2 = r[i1][j], n . b_j1 = r[i][j2], n . b_j2 = -r[i][j1].
static bool box_edge_contact(const tni_box_pair *pair, uint32_t i, uint32_t j,
                             tni_manifold *manifold) {
    uint32_t i1 = box_after(i), i2 = box_after(i1), j1 = box_after(j), j2 = box_after(j1);
    const float *e = pair->a->axes[i], *f = pair->b->axes[j];
    vec3s normal = glms_vec3_cross(box_vec(e), box_vec(f));
    normal = maths_vec3_normalize_or(normal, maths_vec3(1.0f, 0.0f, 0.0f));
    float sense = 1.0f;
    if (narrow_dot(normal, pair->d) < 0.0f) {
        normal = glms_vec3_negate(normal);
        sense = -1.0f;
    }
    const float *r_i = pair->r[i];
    uint32_t number_a, number_b;
    narrow_segment a = box_edge(pair->a, maths_vec3_zero(), i, -sense * pair->r[i2][j] > 0.0f,
                                sense * pair->r[i1][j] > 0.0f, &number_a);
    narrow_segment b =
        box_edge(pair->b, pair->d, j, -sense * r_i[j2] > 0.0f, sense * r_i[j1] > 0.0f, &number_b);
    return tni_collide_edges(&a, &b, normal, pair->tolerance, feature_of_edges(number_a, number_b),
                             manifold);
}

// ---- the pair ------------------------------------------------------------------------------

// Finds the closest points by GJK, where no face or crossing of edges carries them.
static void box_gap(const tni_box_pair *pair, tni_manifold_cache *cache, tni_manifold *manifold) {
    tni_box_hull a, b;
    tni_box_hull_set(&a, box_vec(pair->h_a));
    tni_box_hull_set(&b, box_vec(pair->h_b));
    tni_relative relative = box_relative(pair);
    vec3s axis;
    manifold->point_count = 0;
    bool is_near = tni_collide_gap(&a.hull, &b.hull, &relative, pair->margin, &axis, manifold);
    if (is_near) {
        tni_relative outer = {.position = maths_vec3_zero()};
        outer.basis.x = box_vec(pair->a->axes[0]);
        outer.basis.y = box_vec(pair->a->axes[1]);
        outer.basis.z = box_vec(pair->a->axes[2]);
        relative_manifold(&outer, manifold);
    } else if (axis.x * axis.x + axis.y * axis.y + axis.z * axis.z > 0.5f) {
        narrow_cache_set_free(cache, axis);
    }
}

static float box_face_area(const float *h, uint32_t k) {
    return h[box_after(k)] * h[box_after(box_after(k))];
}

typedef struct box_best_face {
    float separation;
    uint32_t k;
    bool is_of_a;
} box_best_face;

// Returns the axis of the largest separation; the last one gets a bonus.
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

// Finds the best of the six face axes; returns false when one separates, which the cache then
// names. Among nearly equal faces of the two boxes that of the last step wins, else the larger one,
// whose sides cut less.
static bool box_find_face(const tni_box_pair *pair, tni_manifold_cache *cache,
                          box_best_face *best) {
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

void tni_manifold_compute_boxes(const tni_oriented_box *a, const tni_oriented_box *b, tni_dvec3 d,
                                float margin, tni_manifold_cache *cache, tni_manifold *manifold) {
    manifold->point_count = 0;
    tni_box_pair pair;
    box_pair_set(&pair, a, b, d, margin);
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
    tni_box_clip(&pair, face.is_of_a, face.k, manifold);
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
