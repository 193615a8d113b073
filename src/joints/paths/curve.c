// joints/paths/curve.c: the curve of a curve joint: a spline by arc length, with a frame along it.
//
// Symbols: c(u) the spline, s its arc length, t = c' / |c'|, k = dt/ds; n_1, n_2 perpendicular to
// t; p the point that is led, d = p - c at the nearest u.
//
// Parameter:  u grows by the distance from point to point, so that |c'| is near 1 however unevenly
//             they lie.
// Length:     s = integral of |c'| du, by Gauss-Legendre with 5 points on each part of a segment.
// Frame:      n_1 is carried from node to node by the shortest turn of t, which hardly turns it
//             about t; from a node (t_0, n_0) to u
//                 n_1 = n_0 - (n_0 . t) / (1 + t_0 . t) (t_0 + t)
//                 dn_1/ds . n_2 = -t_0 . (t x k) / (1 + t_0 . t)
//             The turn that remains after a round of a closed curve is spread over its length.
// Nearest:    d . c' = 0, by Newton on |d|^2 / 2, whose second derivative is c' . c' - d . c''.
// Differentiating d . t = 0 gives ds/dp = t / (1 - d . k).
// Source: M. S. Floater, "Chordal cubic spline interpolation is fourth-order accurate", IMA Journal
// of Numerical Analysis 26, 2006; R. L. Bishop, "There is more than one way to frame a curve",
// American Mathematical Monthly 82, 1975 (frames that do not turn about the tangent).
// Test: tests/joints/paths/test_curve.c
#include "joints/paths/curve.h"

#include <string.h>

#define CURVE_MOST_STEPS   32
#define CURVE_PRECISION    1e-14  // share of the curve's parameter: a shorter Newton step ends it
#define CURVE_LEAST_SPEED  1e-3   // of |c'|: below it the curve turns back
#define CURVE_LEAST_COSINE (-0.9) // of the turn from node to node
#define CURVE_LEAST_SHARE  0.25   // least share of c' . c' that Newton divides by, and of 1 - d . k
#define CURVE_GAUSS_POINTS 5
#define CURVE_LEAST_NORMAL 1e-3 // of a direction across the first tangent

// Points and weights of Gauss-Legendre on [-1, 1].
static const double curve_gauss_at[CURVE_GAUSS_POINTS] = {
    -0.90617984593866399280, -0.53846931010568309104, 0.0, 0.53846931010568309104,
    0.90617984593866399280};
static const double curve_gauss_weight[CURVE_GAUSS_POINTS] = {
    0.23692688505618908751, 0.47862867049936646804, 0.56888888888888888889, 0.47862867049936646804,
    0.23692688505618908751};

// ---- pieces ------------------------------------------------------------------------------------

static double curve_get_part(const tni_curve *curve, uint32_t segment, uint32_t part) {
    const tni_knot *from = &curve->spline.knots[segment];
    return from->u + (from[1].u - from->u) * ((double)part / TNI_CURVE_PARTS);
}

static double curve_measure_way(const tni_spline *spline, uint32_t segment, double from,
                                double to) {
    double half = 0.5 * (to - from), middle = 0.5 * (from + to), sum = 0.0;
    for (int i = 0; i < CURVE_GAUSS_POINTS; ++i) {
        double u = middle + half * curve_gauss_at[i];
        sum += curve_gauss_weight[i] * dvec3_length(tni_spline_get_point(spline, segment, u).first);
    }
    return half * sum;
}

// Returns n carried from t_0 to t by the shortest turn.
static tni_dvec3 curve_carry(tni_dvec3 n, tni_dvec3 t_0, tni_dvec3 t) {
    double share = dvec3_dot(n, t) * maths_inverse_or_zero_d(1.0 + dvec3_dot(t_0, t));
    return dvec3_add_scaled(n, -share, dvec3_add(t_0, t));
}

static tni_dvec3 curve_turn_about(tni_dvec3 t, tni_dvec3 n, double angle) {
    return dvec3_add_scaled(dvec3_scale(n, tni_maths_cos(angle)), tni_maths_sin(angle),
                            dvec3_cross(t, n));
}

// ---- making ------------------------------------------------------------------------------------

static void curve_set_knots(tni_curve *curve) {
    double u = 0.0;
    for (uint32_t i = 0; i < curve->spline.count; ++i) {
        const tn_vec3 *at = &curve->points[i % curve->def.point_count];
        tni_knot *knot = &curve->spline.knots[i];
        knot->point = dvec3_from_plain(*at);
        u += i > 0 ? dvec3_length(dvec3_sub(knot->point, knot[-1].point)) : 0.0;
        knot->u = u;
    }
}

static tni_spline_point curve_get_node(const tni_curve *curve, uint32_t node) {
    uint32_t last = curve->spline.count - 2, segment = node / TNI_CURVE_PARTS;
    segment = segment > last ? last : segment; // the last node ends a segment
    double u = curve_get_part(curve, segment, node - segment * TNI_CURVE_PARTS);
    return tni_spline_get_point(&curve->spline, segment, u);
}

tni_dvec3 tni_curve_get_node(const tni_curve *curve, uint32_t node) {
    return curve_get_node(curve, node).c;
}

static tni_curve_node curve_make_node(const tni_curve *curve, uint32_t node, double way) {
    tni_dvec3 first = curve_get_node(curve, node).first;
    tni_curve_node made = {.way = way};
    made.tangent = dvec3_scale(first, maths_inverse_or_zero_d(dvec3_length(first)));
    return made;
}

// Returns the part of the z axis across the first tangent, or that of the y axis.
static tni_dvec3 curve_get_first_normal(tni_dvec3 t) {
    tni_dvec3 n = dvec3_add_scaled(dvec3_make(0.0, 0.0, 1.0), -t.z, t);
    if (dvec3_length(n) < CURVE_LEAST_NORMAL) {
        n = dvec3_add_scaled(dvec3_make(0.0, 1.0, 0.0), -t.y, t);
    }
    return dvec3_scale(n, 1.0 / dvec3_length(n));
}

static void curve_set_nodes(tni_curve *curve) {
    double way = 0.0;
    for (uint32_t i = 0; i < curve->node_count; ++i) {
        if (i > 0) {
            uint32_t segment = (i - 1) / TNI_CURVE_PARTS, part = (i - 1) % TNI_CURVE_PARTS;
            way += curve_measure_way(&curve->spline, segment, curve_get_part(curve, segment, part),
                                     curve_get_part(curve, segment, part + 1));
        }
        tni_curve_node *node = &curve->nodes[i];
        *node = curve_make_node(curve, i, way);
        node->normal = i > 0 ? curve_carry(node[-1].normal, node[-1].tangent, node->tangent)
                             : curve_get_first_normal(node->tangent);
    }
    curve->length = way;
}

// Turns the carried frame evenly so that it closes.
static void curve_close_frame(tni_curve *curve) {
    const tni_curve_node *first = &curve->nodes[0], *last = &curve->nodes[curve->node_count - 1];
    tni_dvec3 second = dvec3_cross(first->tangent, first->normal);
    curve->twist =
        -tni_maths_atan2(dvec3_dot(last->normal, second), dvec3_dot(last->normal, first->normal));
    for (uint32_t i = 0; i < curve->node_count; ++i) {
        tni_curve_node *node = &curve->nodes[i];
        double angle = curve->twist * node->way / curve->length;
        node->normal = curve_turn_about(node->tangent, node->normal, angle);
    }
}

// Returns whether the curve has a direction everywhere: it is nowhere too slow, nor too sharp
// between two nodes.
static bool curve_find_smooth(const tni_curve *curve) {
    bool is_smooth = true;
    for (uint32_t i = 0; i < curve->node_count; ++i) {
        const tni_curve_node *node = &curve->nodes[i];
        double speed = dvec3_length(curve_get_node(curve, i).first);
        double cosine = i > 0 ? dvec3_dot(node->tangent, node[-1].tangent) : 1.0;
        is_smooth = is_smooth && speed > CURVE_LEAST_SPEED && cosine > CURVE_LEAST_COSINE;
    }
    return is_smooth;
}

static void curve_fill(tni_curve *curve, double *scratch) {
    curve_set_knots(curve);
    tni_spline_solve(&curve->spline, scratch);
    curve_set_nodes(curve);
    curve->is_smooth = curve_find_smooth(curve);
    if (tni_spline_is_closed(&curve->spline) && curve->is_smooth) {
        curve_close_frame(curve);
    }
}

// The arrays lie behind the record in memory; all are of doubles, so that each is aligned.
static tni_curve *curve_allocate(tni_allocator *allocator, const tn_curve_joint_def *def) {
    uint32_t knots = def->point_count + (def->is_closed ? 1 : 0);
    uint32_t nodes = (knots - 1) * TNI_CURVE_PARTS + 1;
    size_t size = sizeof(tni_curve) + knots * sizeof(tni_knot) + nodes * sizeof(tni_curve_node) +
                  def->point_count * sizeof(tn_vec3);
    tni_curve *curve = tni_alloc_zeroed(allocator, size);
    if (curve != NULL) {
        curve->size = size;
        curve->spline.knots = (tni_knot *)(curve + 1);
        curve->spline.count = knots;
        curve->spline.ends = def->is_closed ? TNI_SPLINE_CLOSED : TNI_SPLINE_NATURAL;
        curve->nodes = (tni_curve_node *)(curve->spline.knots + knots);
        curve->node_count = nodes;
        curve->points = (tn_vec3 *)(curve->nodes + nodes);
    }
    return curve;
}

tni_curve *tni_curve_make(tni_allocator *allocator, const tn_curve_joint_def *def) {
    tni_curve *curve = curve_allocate(allocator, def);
    if (curve == NULL) {
        return NULL;
    }
    size_t scratch_size = TNI_SPLINE_SCRATCH * curve->spline.count * sizeof(double);
    double *scratch = tni_alloc_zeroed(allocator, scratch_size);
    if (scratch == NULL) {
        tni_free(allocator, curve, curve->size);
        return NULL;
    }
    memcpy(curve->points, def->points, def->point_count * sizeof *curve->points);
    curve->def = *def;
    curve->def.points = curve->points;
    curve_fill(curve, scratch);
    tni_free(allocator, scratch, scratch_size);
    return curve;
}

void tni_curve_forget(tni_allocator *allocator, tni_curve *curve) {
    tni_free(allocator, curve, curve->size);
}

// ---- nearest -----------------------------------------------------------------------------------

// Returns the last node at or before a wrapped u.
static uint32_t curve_find_node(const tni_curve *curve, uint32_t segment, double u) {
    const tni_knot *from = &curve->spline.knots[segment];
    double part = floor((u - from->u) / (from[1].u - from->u) * TNI_CURVE_PARTS);
    part = part > 0.0 ? part : 0.0;
    part = part < TNI_CURVE_PARTS - 1 ? part : TNI_CURVE_PARTS - 1;
    return segment * TNI_CURVE_PARTS + (uint32_t)part;
}

static void curve_measure_frame(const tni_curve *curve, const tni_curve_node *node,
                                const tni_spline_point *at, tni_curve_place *place) {
    tni_dvec3 t = dvec3_scale(at->first, maths_inverse_or_zero_d(place->speed));
    double inverse_square = maths_inverse_or_zero_d(place->speed * place->speed);
    place->tangent = t;
    place->bend =
        dvec3_scale(dvec3_add_scaled(at->second, -dvec3_dot(at->second, t), t), inverse_square);
    double cosine = dvec3_dot(node->tangent, t);
    double rate = curve->twist / curve->length;
    tni_dvec3 n = curve_carry(node->normal, node->tangent, t);
    place->normals[0] =
        curve->twist != 0.0 ? curve_turn_about(t, n, rate * (place->way - node->way)) : n;
    place->normals[1] = dvec3_cross(t, place->normals[0]);
    place->turning = rate - dvec3_dot(node->tangent, dvec3_cross(t, place->bend)) *
                                maths_inverse_or_zero_d(1.0 + cosine);
    double ahead = 1.0 - dvec3_dot(place->off, place->bend);
    place->stretch = ahead > CURVE_LEAST_SHARE ? 1.0 / ahead : 0.0;
}

static tni_curve_place curve_measure_place(const tni_curve *curve, double u, tni_dvec3 p) {
    tni_curve_place place = {.u = tni_spline_wrap(&curve->spline, u)};
    uint32_t segment = tni_spline_find(&curve->spline, place.u);
    uint32_t node = curve_find_node(curve, segment, place.u);
    double from = curve_get_part(curve, segment, node % TNI_CURVE_PARTS);
    tni_spline_point at = tni_spline_get_point(&curve->spline, segment, place.u);
    place.off = dvec3_sub(p, at.c);
    place.speed = dvec3_length(at.first);
    place.way = curve->nodes[node].way + curve_measure_way(&curve->spline, segment, from, place.u);
    curve_measure_frame(curve, &curve->nodes[node], &at, &place);
    return place;
}

// Returns Newton's step on |d|^2 / 2, with a least curvature and a greatest length.
static double curve_get_step(const tni_spline *spline, double u, tni_dvec3 p) {
    tni_spline_point at = tni_spline_get_point(spline, tni_spline_find(spline, u), u);
    tni_dvec3 d = dvec3_sub(p, at.c);
    double square = dvec3_dot(at.first, at.first), second = square - dvec3_dot(d, at.second);
    double least = CURVE_LEAST_SHARE * square;
    double step = dvec3_dot(d, at.first) * maths_inverse_or_zero_d(second > least ? second : least);
    double most = CURVE_LEAST_SHARE * tni_spline_get_end(spline);
    bool is_straight = !tni_spline_is_closed(spline) && (u < 0.0 || u > tni_spline_get_end(spline));
    return is_straight ? step : (step > most ? most : (step < -most ? -most : step));
}

tni_curve_place tni_curve_find_near(const tni_curve *curve, double u, tni_dvec3 p) {
    double least = CURVE_PRECISION * tni_spline_get_end(&curve->spline);
    double at = tni_spline_wrap(&curve->spline, u);
    for (int i = 0; i < CURVE_MOST_STEPS; ++i) {
        double step = curve_get_step(&curve->spline, at, p);
        at = tni_spline_wrap(&curve->spline, at + step);
        if (!(fabs(step) > least)) {
            break;
        }
    }
    return curve_measure_place(curve, at, p);
}

tni_curve_place tni_curve_find_anywhere(const tni_curve *curve, tni_dvec3 p) {
    double nearest = (double)INFINITY, at = 0.0;
    for (uint32_t i = 0; i + 1 < curve->node_count; ++i) {
        double u = curve_get_part(curve, i / TNI_CURVE_PARTS, i % TNI_CURVE_PARTS);
        tni_dvec3 d = dvec3_sub(p, tni_curve_get_node(curve, i));
        double square = dvec3_dot(d, d);
        at = square < nearest ? u : at;
        nearest = square < nearest ? square : nearest;
    }
    return tni_curve_find_near(curve, at, p);
}
