// joints/parts/line.c: the line between two points of a joint's bodies or of the world.
//
// Symbols: d from the first point to the second, L = |d|, n = d / L; r_a, r_b their arms from the
// centres of mass; v, w velocity and angular velocity, zero for the ground; all in world axes.
//
//   L' = n . d',   d' = v_b + w_b x r_b - v_a - w_a x r_a
//   lin_a = -n   ang_a = -(r_a x n)   lin_b = n   ang_b = r_b x n
//   L'' at zero acceleration = Jdot v = n . (w_b x (w_b x r_b) - w_a x (w_a x r_a))
//                                       + (|d'|^2 - (n . d')^2) / L
// Curvature: P^T (1 - n n^T) P x(-1) / L for each body, P = [1, -[r]], and the turns of the points
// under the force x n on b, -x n on a (curvature.h). A line that pulls between two bodies may give
// the first part as two sways (joints/exact_row.h). If the points coincide n has no direction: it
// is then the x axis of the world, and the last term of L'' is left out.
// Source: A. Witkin, "Constrained dynamics", SIGGRAPH course notes, 1997, section 3 (the distance
// constraint); the angular parts are those of point.c.
// Test: tests/joints/test_rows.c, tests/joints/test_exact_rows.c
#include "joints/parts/line.h"

#include "joints/parts/limit.h"

// m: below this length the direction between the points is not trusted.
#define LINE_COINCIDENT 1e-9

tni_line tni_line_make(const tni_point *point, uint32_t from, uint32_t to) {
    tni_line line = {*point, from, to, {1.0, 0.0, 0.0}, dvec3_length(point->d)};
    if (line.length > LINE_COINCIDENT) {
        line.n = dvec3_scale(point->d, 1.0 / line.length);
    }
    return line;
}

static const tni_body_motion *line_get_body(uint32_t end, const tni_body_motion *a,
                                            const tni_body_motion *b) {
    static const tni_body_motion ground = {.rotation = {0.0, 0.0, 0.0, 1.0}};
    return end == TNI_LINE_GROUND ? &ground : (end == 0 ? a : b);
}

double tni_line_get_rate(const tni_line *line, const tni_body_motion *a, const tni_body_motion *b) {
    return dvec3_dot(line->n, tni_point_get_rate(&line->point, line_get_body(line->from, a, b),
                                                 line_get_body(line->to, a, b)));
}

double tni_line_get_term(const tni_line *line, const tni_body_motion *a, const tni_body_motion *b,
                         double least_length) {
    const tni_body_motion *from = line_get_body(line->from, a, b);
    const tni_body_motion *to = line_get_body(line->to, a, b);
    // The line turns by the part of d' that is perpendicular to it.
    tni_dvec3 rate = tni_point_get_rate(&line->point, from, to);
    tni_dvec3 across = dvec3_add_scaled(rate, -dvec3_dot(line->n, rate), line->n);
    double length = line->length > least_length ? line->length : least_length;
    double inverse_length = length > LINE_COINCIDENT ? 1.0 / length : 0.0;
    return dvec3_dot(line->n, tni_point_get_centripetal(&line->point, from, to)) +
           dvec3_dot(across, across) * inverse_length;
}

tni_scalar tni_line_make_scalar(const tni_line *line) {
    tni_f4 lin = tni_pin_vector(line->n), zero = f4_splat(0.0f);
    tni_f4 turns[2] = {tni_pin_vector(dvec3_cross(line->n, line->point.r_a)),
                       tni_pin_vector(dvec3_cross(line->point.r_b, line->n))};
    tni_scalar scalar = {zero, zero, zero, zero, .value = line->length};
    tni_f4 *linear[2] = {&scalar.lin_a, &scalar.lin_b},
           *angular[2] = {&scalar.ang_a, &scalar.ang_b};
    if (line->from != TNI_LINE_GROUND) {
        *linear[line->from] = tni_scalar_turn(lin);
        *angular[line->from] = turns[0];
    }
    if (line->to != TNI_LINE_GROUND) {
        *linear[line->to] = lin;
        *angular[line->to] = turns[1];
    }
    return scalar;
}

// ---- curvature ---------------------------------------------------------------------------------

// k += s P^T (1 - n n^T) P for a point at r.
static void line_add_sway(double k[6][6], tni_dvec3 r, tni_dvec3 n, double s) {
    tni_dmat3 cross = curvature_cross_matrix(r);
    double p[3][6], along[6];
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            p[i][j] = i == j ? 1.0 : 0.0;
            p[i][3 + j] = -cross.m[i][j];
        }
    }
    for (int j = 0; j < 6; ++j) {
        along[j] = n.x * p[0][j] + n.y * p[1][j] + n.z * p[2][j];
    }
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) {
            double dot = p[0][i] * p[0][j] + p[1][i] * p[1][j] + p[2][i] * p[2][j];
            k[i][j] += s * (dot - along[i] * along[j]);
        }
    }
}

static void line_set_row(const tni_line *line, tni_dvec3 n, tni_exact_row *row) {
    row->lin_b = n;
    row->lin_a = dvec3_scale(n, -1.0);
    row->ang_a = dvec3_cross(n, line->point.r_a);
    row->ang_b = dvec3_cross(line->point.r_b, n);
    row->error = 0.0;
}

// Makes rows between its points of the two directions across the line, scaled to the length
// sqrt(s).
static void line_make_sways(const tni_line *line, double s, tni_curvature *k) {
    tni_dvec3 n = line->n;
    bool is_along_x = fabs(n.x) > 0.7;
    tni_dvec3 first = is_along_x ? dvec3_make(-n.z, 0.0, n.x) : dvec3_make(0.0, n.z, -n.y);
    first = dvec3_scale(first, sqrt(s / dvec3_dot(first, first)));
    line_set_row(line, first, &k->sways[0]);
    line_set_row(line, dvec3_cross(n, first), &k->sways[1]);
    k->sway_count = TNI_MOST_SWAYS;
}

static void line_add_end(const tni_line *line, uint32_t end, tni_dvec3 r, double x, double s,
                         tni_curvature *curvature) {
    if (end != TNI_LINE_GROUND) {
        double(*k)[6] = curvature_get_end(curvature, end, s != 0.0);
        curvature_add_turns(k, x, line->n, r);
        if (s != 0.0) {
            line_add_sway(k, r, line->n, s);
        }
    }
}

static void line_add_curvature(const tni_line *line, double x, tni_curvature *k) {
    double s = -x * maths_inverse_or_zero_d(line->length);
    bool is_between = line->from + line->to == 1;
    if (is_between && k->sways != NULL && s > 0.0) {
        line_make_sways(line, s, k);
        s = 0.0;
    }
    line_add_end(line, line->to, line->point.r_b, x, s, k);
    line_add_end(line, line->from, line->point.r_a, -x, s, k);
}

// ---- rows --------------------------------------------------------------------------------------

static void line_put_end(tni_exact_row *row, uint32_t end, tni_dvec3 force, tni_dvec3 arm) {
    if (end != TNI_LINE_GROUND) {
        row->ends[end].linear = dvec3_add(row->ends[end].linear, force);
        row->ends[end].angular = dvec3_add(row->ends[end].angular, dvec3_cross(arm, force));
    }
}

void tni_rows_put_line(const tni_rows *out, uint32_t r, const tni_line *line, double factor) {
    if (out->exact != NULL) {
        line_put_end(&out->exact[r], line->from, dvec3_scale(line->n, -factor), line->point.r_a);
        line_put_end(&out->exact[r], line->to, dvec3_scale(line->n, factor), line->point.r_b);
    }
    if (out->terms != NULL) {
        out->terms[r] += factor * tni_line_get_term(line, out->ends[0], out->ends[1], 0.0);
    }
    if (out->curvature != NULL) {
        line_add_curvature(line, factor * out->strengths[r], out->curvature);
    }
}

static bool line_has_lower(const tn_limit *limit) {
    return limit->is_enabled && limit->lower > 0.0f;
}

uint32_t tni_line_count_limit(const tn_limit *limit) {
    return (line_has_lower(limit) ? 1u : 0u) + (limit->is_enabled ? 1u : 0u);
}

uint32_t tni_line_emit_limit(const tni_line *line, const tn_limit *limit, const tni_rows *out,
                             tni_row *rows) {
    uint32_t count = 0;
    if (!limit->is_enabled) {
        return 0;
    }
    tni_scalar scalar = tni_line_make_scalar(line);
    for (int upper = line_has_lower(limit) ? 0 : 1; upper < 2; ++upper) {
        double at = upper != 0 ? (double)limit->upper : (double)limit->lower;
        scalar.acceleration =
            out->is_still ? 0.0 : tni_line_get_term(line, out->ends[0], out->ends[1], at);
        if (upper != 0) {
            tni_limit_emit_upper(&scalar, limit, &rows[count++]);
        } else {
            tni_limit_emit_lower(&scalar, limit, &rows[count++]);
        }
    }
    return count;
}
