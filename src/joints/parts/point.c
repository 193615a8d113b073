// joints/parts/point.c: rows that hold two anchors together.
//
// Symbols: x_a, x_b centres of mass; r_a, r_b from them to the anchors; p = x + r the anchors;
// v, w velocity and angular velocity; d = p_b - p_a. All in world axes.
//
// All three axes:      C = d
//                      C' = v_b + w_b x r_b - v_a - w_a x r_a
//                      row i, e the i-th axis of the world:
//                      lin_a = -e   ang_a = -(r_a x e)   lin_b = e   ang_b = r_b x e
//                      Jdot v = e . (w_b x (w_b x r_b) - w_a x (w_a x r_a))
//                      K = (1/m_a + 1/m_b) 1 - [r_a] I_a^-1 [r_a] - [r_b] I_b^-1 [r_b], the
//                      inverse of the effective mass, [r] the matrix of r x
//                      Curvature: a force on b at r_b and its opposite on a at r_a, see curvature.h
// Along n fixed to a:  C = n . d,   n' = w_a x n
//                      C' = n . d' + (w_a x n) . d = n . d' + w_a . (n x d)
//                      lin_a = -n   ang_a = -((r_a + d) x n)   lin_b = n   ang_b = r_b x n
//                      Jdot v = n . d'' + 2 (w_a x n) . d' + (w_a x (w_a x n)) . d = n . g
//                      g = d'' + 2 d' x w_a + w_a x (w_a x d)
// Signs: C grows when b moves along the axis.
// Sources: A. Witkin, "Constrained dynamics", SIGGRAPH course notes, 1997, section 3 (C, its two
// derivatives, J W J^T); D. Baraff, "Rigid body simulation", the same notes, section 2 (velocity of
// a point of a body).
// Test: tests/joints/test_rows.c
#include "joints/parts/point.h"

tni_dvec3 tni_point_get_rate(const tni_point *point, const tni_body_motion *a,
                             const tni_body_motion *b) {
    tni_dvec3 of_a = dvec3_add(a->velocity, dvec3_cross(a->angular_velocity, point->r_a));
    tni_dvec3 of_b = dvec3_add(b->velocity, dvec3_cross(b->angular_velocity, point->r_b));
    return dvec3_sub(of_b, of_a);
}

// Returns w x (w x r) = w (w . r) - r |w|^2 of b less that of a, computed side by side.
tni_dvec3 tni_point_get_centripetal(const tni_point *point, const tni_body_motion *a,
                                    const tni_body_motion *b) {
    tni_pair w = pair_make(a->angular_velocity, b->angular_velocity);
    tni_pair r = pair_make(point->r_a, point->r_b);
    tni_d2 along = pair_dot(&w, &r), square = pair_dot(&w, &w);
    tni_pair g = {d2_sub(d2_mul(w.x, along), d2_mul(r.x, square)),
                  d2_sub(d2_mul(w.y, along), d2_mul(r.y, square)),
                  d2_sub(d2_mul(w.z, along), d2_mul(r.z, square))};
    return dvec3_sub(pair_second(&g), pair_first(&g));
}

// Writes a row: e of length 1 along an axis of the world, with the turns of both bodies.
static void point_set_row(tni_exact_row *row, tni_dvec3 e, tni_dvec3 ang_a, tni_dvec3 ang_b) {
    row->lin_a = dvec3_make(-e.x, -e.y, -e.z);
    row->ang_a = ang_a;
    row->lin_b = e;
    row->ang_b = ang_b;
}

static void point_set_rows(const tni_point *point, tni_exact_row *rows) {
    tni_dvec3 p = point->r_a, q = point->r_b;
    point_set_row(&rows[0], dvec3_make(1.0, 0.0, 0.0), dvec3_make(0.0, -p.z, p.y),
                  dvec3_make(0.0, q.z, -q.y));
    point_set_row(&rows[1], dvec3_make(0.0, 1.0, 0.0), dvec3_make(p.z, 0.0, -p.x),
                  dvec3_make(-q.z, 0.0, q.x));
    point_set_row(&rows[2], dvec3_make(0.0, 0.0, 1.0), dvec3_make(-p.y, p.x, 0.0),
                  dvec3_make(q.y, -q.x, 0.0));
    rows[0].error = point->d.x;
    rows[1].error = point->d.y;
    rows[2].error = point->d.z;
}

// Writes what is asked for of rows r to r + 2, except their errors.
void tni_point_write(const tni_point *point, tni_rows *out, uint32_t r) {
    if (out->curvature != NULL) {
        tni_curvature_add_point(point, out->strengths + r, out->curvature);
        return;
    }
    if (out->exact != NULL) {
        point_set_rows(point, out->exact + r);
    }
    if (out->terms != NULL) {
        tni_dvec3 g = tni_point_get_centripetal(point, out->ends[0], out->ends[1]);
        out->terms[r] = g.x;
        out->terms[r + 1] = g.y;
        out->terms[r + 2] = g.z;
    }
    if (out->pin != NULL) {
        out->pin->r_a = tni_pin_vector(point->r_a);
        out->pin->r_b = tni_pin_vector(point->r_b);
    }
}
