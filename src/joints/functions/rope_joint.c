// joints/functions/rope_joint.c: the pieces of a rope over sheaves, and the angles that it covers
// on them.
//
// Symbols: p_k the points, r_k = p_k - x_k their arms from the centres of mass, piece i from p_i to
// p_{i+1}; g_i = |p_{i+1} - p_i| its length, n_i its direction; v_k = v + w x r_k.
//
//   g_i' = n_i . (v_{i+1} - v_i)
//   on the body of p_{i+1}:  lin = n_i   ang = r_{i+1} x n_i;  on that of p_i the opposite
//   Jdot v = n . (w x (w x r))_{i+1} - n . (w x (w x r))_i + |v_{i+1} - v_i - g_i' n_i|^2 / g_i
//
// as in a distance between two points. An affine body has p = c + A X and v = c' + A' X; its row
// has n by c and n_i X_j by A_ij, and only the last term of Jdot v remains. Rope is counted from
// the first point: the mark m_i is its length up to the end of piece i, so that piece i has m_i -
// m_{i-1}, and the last mark is the rope's length. A rope that does not stretch has
//
//   C = sum_i g_i - m_last <= 0,    and if sheave i lets nothing pass, sum_{k <= i} g_k = m_i.
//
// The wrap on a sheave is the angle between the directions of the pieces beside it, plus whole
// turns. parts/capstan.h says what a sheave holds. A piece without length has the x axis of the
// world as its direction.
// Source: A. Witkin, "Constrained dynamics", SIGGRAPH course notes, 1997, section 3 (the distance
// constraint).
// Test: tests/joints/functions/test_rope_joint.c
#include "joints/functions/rope_joint.h"

#include "joints/parts/capstan.h"

// m: below this length the direction of a piece is not trusted.
#define ROPE_COINCIDENT 1e-9

tni_dvec3 tni_rope_get_local(const tni_rope *rope, uint32_t point, const tni_graph_body *bodies) {
    const tn_vec3 *at = &rope->settings.points[point].position;
    return dvec3_sub(dvec3_from_plain(*at), bodies[rope->slots[point]].center);
}

void tni_rope_measure(const tni_rope *rope, const tni_graph_body *bodies,
                      tni_rope_shape *out_shape) {
    for (uint32_t k = 0; k <= rope->piece_count; ++k) {
        const tni_graph_body *body = &bodies[rope->slots[k]];
        tni_dvec3 local = tni_rope_get_local(rope, k, bodies);
        out_shape->arms[k] = body->affine != NULL ? dmat3_mul_vec(&body->affine->gradient, local)
                                                  : dquat_rotate(body->motion->rotation, local);
        out_shape->points[k] = dvec3_add(body->motion->position, out_shape->arms[k]);
    }
    for (uint32_t i = 0; i < rope->piece_count; ++i) {
        tni_dvec3 line = dvec3_sub(out_shape->points[i + 1], out_shape->points[i]);
        double length = dvec3_length(line);
        out_shape->lengths[i] = length;
        out_shape->directions[i] =
            length > ROPE_COINCIDENT ? dvec3_scale(line, 1.0 / length) : dvec3_make(1.0, 0.0, 0.0);
    }
}

static tni_dvec3 rope_get_velocity(const tni_rope *rope, const tni_rope_shape *shape,
                                   uint32_t point, const tni_graph_body *bodies) {
    const tni_graph_body *body = &bodies[rope->slots[point]];
    if (body->affine != NULL) {
        tni_dvec3 local = tni_rope_get_local(rope, point, bodies);
        return dvec3_add(body->motion->velocity, dmat3_mul_vec(&body->affine->rate, local));
    }
    return dvec3_add(body->motion->velocity,
                     dvec3_cross(body->motion->angular_velocity, shape->arms[point]));
}

// Returns w x (w x r).
static tni_dvec3 rope_get_turning(const tni_rope *rope, const tni_rope_shape *shape, uint32_t point,
                                  const tni_graph_body *bodies) {
    const tni_graph_body *body = &bodies[rope->slots[point]];
    tni_dvec3 w = body->motion->angular_velocity;
    return body->affine != NULL ? dvec3_make(0.0, 0.0, 0.0)
                                : dvec3_cross(w, dvec3_cross(w, shape->arms[point]));
}

double tni_rope_get_term(const tni_rope *rope, const tni_rope_shape *shape, uint32_t piece,
                         const tni_graph_body *bodies) {
    tni_dvec3 n = shape->directions[piece];
    tni_dvec3 v = dvec3_sub(rope_get_velocity(rope, shape, piece + 1, bodies),
                            rope_get_velocity(rope, shape, piece, bodies));
    tni_dvec3 across = dvec3_add_scaled(v, -dvec3_dot(n, v), n);
    tni_dvec3 turning = dvec3_sub(rope_get_turning(rope, shape, piece + 1, bodies),
                                  rope_get_turning(rope, shape, piece, bodies));
    double length = shape->lengths[piece];
    return dvec3_dot(n, turning) +
           dvec3_dot(across, across) * (length > ROPE_COINCIDENT ? 1.0 / length : 0.0);
}

double tni_rope_get_wrap(const tni_rope *rope, const tni_rope_shape *shape, uint32_t sheave) {
    tni_dvec3 before = shape->directions[sheave], after = shape->directions[sheave + 1];
    double sine = dvec3_length(dvec3_cross(before, after));
    double bend = tni_maths_atan2(sine, dvec3_dot(before, after));
    return bend + 2.0 * MATHS_PI * (double)rope->settings.points[sheave + 1].turns;
}

double tni_rope_get_ratio(const tni_rope *rope, const tni_rope_shape *shape, uint32_t sheave) {
    double friction = (double)rope->settings.points[sheave + 1].friction;
    return friction > 0.0 ? tni_capstan_get_ratio(friction, tni_rope_get_wrap(rope, shape, sheave))
                          : 1.0;
}

double tni_rope_get_extent(const tni_rope *rope, const tni_rope_shape *shape) {
    double sum = 0.0;
    for (uint32_t i = 0; i < rope->piece_count; ++i) {
        sum += shape->lengths[i];
    }
    return sum;
}
