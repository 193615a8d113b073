// collision/manifold/box_clip.c: one box's face clipped against the sides of the other's, in lanes.
//
// Let u and v be the axes of the reference face, w the height above it, f and g its half sides. The
// incident face is a parallelogram, and its part over the reference face has three kinds of
// corners: its own that lie over the face, cuts of its sides by the planes u = +-f, v = +-g, and
// corners of the face that lie under it. Each kind comes in fours, so each is found in the four
// lanes of a vector without a branch: the four sides p-q are cut at both ends by the planes of u
// and then by those of v, as in Y.-D. Liang, B. A. Barsky, "A New Concept and Method for Line
// Clipping", ACM Transactions on Graphics 3, 1984; and a corner of the face lies under the
// incident face when it is on the inner side of all four. The result is that of cutting the polygon
// by one plane after the other (clip.c), in another order.
//
// As there, a corner outside by less than a tolerance counts as inside, moved onto the plane; and a
// corner of the face counts only if it is still inside when moved outward along v by as much, for
// otherwise that corner is already there as a cut. Features are those of clip.c; corner and edge
// numbers those of box_hull.c. Test: tests/collision/manifold/test_box_box.c
#include "collision/box.h"

// Candidates stand by kind, four of each.
enum {
    CLIP_CORNERS = 0,
    CLIP_ENTRIES = 4,
    CLIP_EXITS = 8,
    CLIP_REFERENCE = 12,
    CLIP_CANDIDATES = 16
};

// At most eight corners can be real; round-off might show a few more.
#define CLIP_MAX_POINTS CLIP_CANDIDATES

typedef struct clip_face {
    const tni_oriented_box *reference, *incident;
    uint32_t k, k1, k2; // of the reference box: the face's axis, u and v
    uint32_t m, m1, m2; // of the incident box: its face's axis, and along its sides
    bool is_plus, incident_is_plus;
    bool reference_is_a;
    float margin, tolerance;
} clip_face;

// These are u, v and w of one end of the four sides.
typedef struct clip_end {
    tni_f4 x[3];
} clip_end;

// The incident face is given by its middle, and the vectors from there to the middle of two sides.
typedef struct clip_patch {
    float center[3], side_1[3], side_2[3];
    clip_end p, q;
} clip_patch;

typedef struct clip_candidates {
    _Alignas(16) float x[3][CLIP_CANDIDATES];
    float plane[CLIP_CANDIDATES]; // of entries and exits: 0 to 3 for +u, +v, -u, -v
    uint32_t bits;                // which ones are there
} clip_candidates;

// Corner c of the incident face, once round, and the one after it, have these signs of both sides.
static const float clip_signs_1[2][4] = {{-1.0f, 1.0f, 1.0f, -1.0f}, {1.0f, 1.0f, -1.0f, -1.0f}};
static const float clip_signs_2[2][4] = {{-1.0f, -1.0f, 1.0f, 1.0f}, {-1.0f, 1.0f, 1.0f, -1.0f}};

// ---- the incident face ---------------------------------------------------------------------

static tni_f4 clip_with_sign_of(tni_f4 size, tni_f4 x) {
    return f4_pick(f4_less(x, f4_zero()), f4_sub(f4_splat(-0.0f), size), size);
}

// Moves a number onto the plane where it is beyond by less than the tolerance.
static tni_f4 clip_snap(tni_f4 x, float limit, float tolerance) {
    tni_f4 size = f4_abs(x), plane = f4_splat(limit);
    tni_m4 is_near =
        m4_and(f4_less(plane, size), f4_at_most(f4_sub(size, plane), f4_splat(tolerance)));
    return f4_pick(is_near, clip_with_sign_of(plane, x), x);
}

static clip_end clip_corners(const clip_face *face, const clip_patch *patch, uint32_t which) {
    tni_f4 sign_1 = f4_load(clip_signs_1[which]), sign_2 = f4_load(clip_signs_2[which]);
    clip_end end;
    for (uint32_t i = 0; i < 3; ++i) {
        tni_f4 x = f4_add_product(f4_splat(patch->center[i]), sign_1, f4_splat(patch->side_1[i]));
        end.x[i] = f4_add_product(x, sign_2, f4_splat(patch->side_2[i]));
    }
    const float *h = face->reference->half_extents;
    end.x[0] = clip_snap(end.x[0], h[face->k1], face->tolerance);
    end.x[1] = clip_snap(end.x[1], h[face->k2], face->tolerance);
    return end;
}

// Sets the incident face. `r` has the reference's axes in rows and the incident box's in columns,
// `t` is the centre of the incident box.
static void clip_set_patch(const clip_face *face, const float (*r)[4], const float *t, float t_sign,
                           clip_patch *patch) {
    const float *h = face->incident->half_extents;
    float out = face->incident_is_plus ? h[face->m] : -h[face->m];
    const uint32_t rows[3] = {face->k1, face->k2, face->k};
    for (uint32_t i = 0; i < 3; ++i) {
        const float *row = r[rows[i]];
        float sign = i == 2 && !face->is_plus ? -1.0f : 1.0f;
        patch->center[i] = sign * (t_sign * t[rows[i]] + out * row[face->m]);
        patch->side_1[i] = sign * (h[face->m1] * row[face->m1]);
        patch->side_2[i] = sign * (h[face->m2] * row[face->m2]);
    }
    patch->center[2] -= face->reference->half_extents[face->k];
    patch->p = clip_corners(face, patch, 0);
    patch->q = clip_corners(face, patch, 1);
}

// ---- cuts ----------------------------------------------------------------------------------

// This is the outcome for one end of the sides at the planes of one coordinate: it was outside, and
// then the side either reached the plane and was cut there, or it did not.
typedef struct clip_cut {
    tni_m4 is_outside, is_made;
} clip_cut;

// Cuts the sides' ends `p`, which run to `q`, at the planes |x[along]| = limit.
TNI_KERNEL clip_cut clip_cut_ends(const clip_end *p, const clip_end *q, uint32_t along, float limit,
                                  clip_end *out) {
    tni_f4 plane = f4_splat(limit), x = p->x[along];
    tni_f4 size = f4_abs(x);
    tni_m4 is_minus = f4_less(x, f4_zero());
    tni_f4 other = f4_pick(is_minus, f4_sub(f4_splat(-0.0f), q->x[along]), q->x[along]);
    clip_cut cut;
    cut.is_outside = f4_less(plane, size);
    cut.is_made = m4_and(cut.is_outside, f4_less(other, plane));
    tni_f4 way = f4_pick(cut.is_made, f4_sub(size, other), f4_splat(1.0f));
    tni_f4 t = f4_div(f4_sub(size, plane), way);
    for (uint32_t i = 0; i < 3; ++i) {
        tni_f4 cut_x = i == along ? clip_with_sign_of(plane, x)
                                  : f4_add_product(p->x[i], t, f4_sub(q->x[i], p->x[i]));
        out->x[i] = f4_pick(cut.is_made, cut_x, p->x[i]);
    }
    return cut;
}

// Returns which reference side made the cut: the one of v when v cut last.
static tni_f4 clip_planes(const clip_end *u_cut, const clip_end *v_cut, tni_m4 is_by_v) {
    tni_f4 zero = f4_zero();
    tni_f4 of_u = f4_pick(f4_less(u_cut->x[0], zero), f4_splat(2.0f), zero);
    tni_f4 of_v = f4_pick(f4_less(v_cut->x[1], zero), f4_splat(3.0f), f4_splat(1.0f));
    return f4_pick(is_by_v, of_v, of_u);
}

static void clip_store(clip_candidates *list, uint32_t first, const clip_end *ends,
                       tni_m4 are_there, float margin) {
    for (uint32_t i = 0; i < 3; ++i) {
        f4_store_aligned(&list->x[i][first], ends->x[i]);
    }
    tni_m4 are_near = f4_at_most(ends->x[2], f4_splat(margin));
    list->bits |= m4_bits(m4_and(are_there, are_near)) << first;
}

static tni_m4 clip_is_over(const clip_end *ends, float f, float g) {
    return m4_and(f4_at_most(f4_abs(ends->x[0]), f4_splat(f)),
                  f4_at_most(f4_abs(ends->x[1]), f4_splat(g)));
}

// Finds where the sides enter the reference face's region and where they leave it.
static void clip_add_cuts(const clip_face *face, const clip_patch *patch, clip_candidates *list) {
    const float *h = face->reference->half_extents;
    float f = h[face->k1], g = h[face->k2];
    clip_end p_u, q_u, p_v, q_v;
    clip_cut p_by_u = clip_cut_ends(&patch->p, &patch->q, 0, f, &p_u);
    clip_cut q_by_u = clip_cut_ends(&patch->q, &patch->p, 0, f, &q_u);
    tni_m4 is_missed = m4_or(m4_and_not(p_by_u.is_outside, p_by_u.is_made),
                             m4_and_not(q_by_u.is_outside, q_by_u.is_made));
    p_u.x[1] = clip_snap(p_u.x[1], g, face->tolerance);
    q_u.x[1] = clip_snap(q_u.x[1], g, face->tolerance);
    clip_cut p_by_v = clip_cut_ends(&p_u, &q_u, 1, g, &p_v);
    clip_cut q_by_v = clip_cut_ends(&q_u, &p_u, 1, g, &q_v);
    tni_m4 enters = m4_or(p_by_v.is_made, m4_and_not(p_by_u.is_made, p_by_v.is_outside));
    tni_m4 leaves = m4_or(q_by_v.is_made, m4_and_not(q_by_u.is_made, q_by_v.is_outside));
    clip_store(list, CLIP_ENTRIES, &p_v, m4_and_not(enters, is_missed), face->margin);
    clip_store(list, CLIP_EXITS, &q_v, m4_and_not(leaves, is_missed), face->margin);
    f4_store_aligned(&list->plane[CLIP_ENTRIES], clip_planes(&p_u, &p_v, p_by_v.is_made));
    f4_store_aligned(&list->plane[CLIP_EXITS], clip_planes(&q_u, &q_v, q_by_v.is_made));
}

// Adds the reference face's corners, in the order +u+v, -u+v, -u-v, +u-v, where they are under the
// incident face.
static void clip_add_reference(const clip_face *face, const clip_patch *patch, const float (*r)[4],
                               clip_candidates *list) {
    const float *h = face->reference->half_extents;
    float f = h[face->k1], g = h[face->k2];
    clip_end corner = {{f4_make(f, -f, -f, f), f4_make(g, g, -g, -g), f4_zero()}};
    float e = face->tolerance;
    tni_f4 outward = f4_make(e, e, -e, -e);
    float turn = patch->side_1[0] * patch->side_2[1] - patch->side_1[1] * patch->side_2[0];
    float sense = turn < 0.0f ? -1.0f : 1.0f;
    float u[4], v[4], du[4], dv[4];
    f4_store(u, patch->p.x[0]);
    f4_store(v, patch->p.x[1]);
    f4_store(du, f4_mul(f4_splat(sense), f4_sub(patch->q.x[0], patch->p.x[0])));
    f4_store(dv, f4_mul(f4_splat(sense), f4_sub(patch->q.x[1], patch->p.x[1])));
    tni_f4 least = f4_splat(FLT_MAX);
    for (uint32_t c = 0; c < 4; ++c) {
        tni_f4 along = f4_splat(du[c]);
        tni_f4 inside = f4_sub(f4_mul(along, f4_sub(corner.x[1], f4_splat(v[c]))),
                               f4_mul(f4_splat(dv[c]), f4_sub(corner.x[0], f4_splat(u[c]))));
        least = f4_min(least, f4_min(inside, f4_add_product(inside, along, outward)));
    }
    // The point is on the incident face's plane, whose outward normal looks down: that is its
    // largest part.
    float inverse = maths_inverse_or_zero(fabsf(r[face->k][face->m]));
    inverse = face->incident_is_plus ? inverse : -inverse;
    float slope_u = r[face->k1][face->m] * inverse, slope_v = r[face->k2][face->m] * inverse;
    corner.x[2] = f4_add_product(f4_splat(patch->center[2]), f4_splat(slope_u),
                                 f4_sub(corner.x[0], f4_splat(patch->center[0])));
    corner.x[2] = f4_add_product(corner.x[2], f4_splat(slope_v),
                                 f4_sub(corner.x[1], f4_splat(patch->center[1])));
    clip_store(list, CLIP_REFERENCE, &corner, f4_less(f4_zero(), least), face->margin);
}

// ---- points --------------------------------------------------------------------------------

// Returns the corner of the reference box at the plus or minus ends along u and v of its face.
static uint32_t clip_reference_corner(const clip_face *face, bool is_plus_u, bool is_plus_v) {
    return (face->is_plus ? 1u : 0u) << face->k | (is_plus_u ? 1u : 0u) << face->k1 |
           (is_plus_v ? 1u : 0u) << face->k2;
}

static uint32_t clip_feature(const clip_face *face, const clip_candidates *list, uint32_t c) {
    uint32_t lane = c % 4;
    if (c >= CLIP_REFERENCE) {
        uint32_t corner = clip_reference_corner(face, lane == 0 || lane == 3, lane < 2);
        return feature_of_vertex(face->reference_is_a, corner);
    }
    uint32_t corner = (face->incident_is_plus ? 1u : 0u) << face->m |
                      (lane == 1 || lane == 2 ? 1u : 0u) << face->m1 | lane / 2 << face->m2;
    if (c < CLIP_ENTRIES) {
        return feature_of_vertex(!face->reference_is_a, corner);
    }
    uint32_t incident = box_edge_number(lane % 2 == 0 ? face->m1 : face->m2, corner);
    uint32_t plane = (uint32_t)list->plane[c];
    uint32_t at = clip_reference_corner(face, plane == 0, plane == 1);
    uint32_t reference = box_edge_number(plane % 2 == 0 ? face->k2 : face->k1, at);
    return face->reference_is_a ? feature_of_edges(reference, incident)
                                : feature_of_edges(incident, reference);
}

// Lists the candidates that are there.
static uint32_t clip_list(uint32_t bits, uint8_t *out) {
    static const uint8_t lanes[16][4] = {
        {0}, {0},    {1},    {0, 1},    {2},    {0, 2},    {1, 2},    {0, 1, 2},
        {3}, {0, 3}, {1, 3}, {0, 1, 3}, {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3}};
    static const uint8_t counts[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    uint32_t count = 0;
    for (uint32_t first = 0; first < CLIP_CANDIDATES; first += 4) {
        const uint8_t *four = lanes[bits >> first & 15u];
        for (uint32_t i = 0; i < 4; ++i) {
            out[count + i] = (uint8_t)(first + four[i]);
        }
        count += counts[bits >> first & 15u];
    }
    return count;
}

// Turns (u, v, w / 2) on the face into the axes that both boxes are given in.
static void clip_place(const clip_face *face, vec3s center, tni_manifold *manifold) {
    const tni_oriented_box *box = face->reference;
    tni_f4 u = f4_load(box->axes[face->k1]), v = f4_load(box->axes[face->k2]);
    tni_f4 sign = f4_splat(face->is_plus ? 1.0f : -1.0f);
    tni_f4 w = f4_mul(sign, f4_load(box->axes[face->k]));
    tni_f4 middle = f4_make(center.x, center.y, center.z, 0.0f);
    middle = f4_add_product(middle, f4_splat(box->half_extents[face->k]), w);
    float numbers[4];
    for (uint32_t i = 0; i < manifold->point_count; ++i) {
        vec3s *position = &manifold->points[i].position;
        tni_f4 x = f4_add_product(middle, f4_splat(position->x), u);
        x = f4_add_product(x, f4_splat(position->y), v);
        f4_store(numbers, f4_add_product(x, f4_splat(position->z), w));
        *position = maths_vec3(numbers[0], numbers[1], numbers[2]);
    }
    f4_store(numbers, w);
    manifold->normal = maths_vec3(numbers[0], numbers[1], numbers[2]);
}

static void clip_fill(const clip_face *face, const clip_candidates *list, tni_manifold *manifold) {
    uint8_t order[CLIP_CANDIDATES + 4];
    tni_manifold_point points[CLIP_MAX_POINTS];
    uint32_t count = clip_list(list->bits, order);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t c = order[i];
        points[i].position = maths_vec3(list->x[0][c], list->x[1][c], 0.5f * list->x[2][c]);
        points[i].separation = list->x[2][c];
        points[i].feature = clip_feature(face, list, c);
    }
    tni_manifold_reduce(points, count, maths_vec3(0.0f, 0.0f, 1.0f), manifold);
}

static clip_face clip_get_face(const tni_box_pair *pair, bool is_face_of_a, uint32_t k) {
    clip_face face = {.reference = is_face_of_a ? pair->a : pair->b,
                      .incident = is_face_of_a ? pair->b : pair->a,
                      .k = k,
                      .k1 = box_after(k),
                      .k2 = box_after(box_after(k)),
                      .reference_is_a = is_face_of_a,
                      .margin = pair->margin};
    face.is_plus = is_face_of_a ? pair->t_a[k] > 0.0f : pair->t_b[k] < 0.0f;
    face.tolerance = narrow_clip_tolerance(box_smallest(pair->h_a), box_smallest(pair->h_b));
    // The incident face looks most against the reference normal.
    const float *row = is_face_of_a ? pair->r[k] : pair->r_t[k];
    const float *size = is_face_of_a ? pair->abs_r[k] : pair->abs_r_t[k];
    face.m = size[1] > size[0] ? 1 : 0;
    face.m = size[2] > size[face.m] ? 2 : face.m;
    face.m1 = box_after(face.m);
    face.m2 = box_after(face.m1);
    face.incident_is_plus = (row[face.m] > 0.0f) != face.is_plus;
    return face;
}

void tni_box_clip(const tni_box_pair *pair, bool is_face_of_a, uint32_t k, tni_manifold *manifold) {
    clip_face face = clip_get_face(pair, is_face_of_a, k);
    const float(*r)[4] = is_face_of_a ? pair->r : pair->r_t;
    clip_patch patch;
    clip_set_patch(&face, r, is_face_of_a ? pair->t_a : pair->t_b, is_face_of_a ? 1.0f : -1.0f,
                   &patch);
    clip_candidates list;
    list.bits = 0;
    const float *h = face.reference->half_extents;
    tni_m4 are_over = clip_is_over(&patch.p, h[face.k1], h[face.k2]);
    clip_store(&list, CLIP_CORNERS, &patch.p, are_over, face.margin);
    if (m4_bits(are_over) != 15u) {
        clip_add_cuts(&face, &patch, &list);
        clip_add_reference(&face, &patch, r, &list);
    }
    clip_fill(&face, &list, manifold);
    clip_place(&face, is_face_of_a ? maths_vec3_zero() : pair->d, manifold);
    if (!is_face_of_a) {
        manifold->normal = glms_vec3_negate(manifold->normal);
    }
}
