// joints/paths/spline.c: a cubic spline through points, with continuous second derivatives.
//
// Symbols: u the parameter, p_i the points at u_i, m_i = c''(u_i), h_i = u_(i+1) - u_i;
// a = (u_(i+1) - u) / h, b = (u - u_i) / h in segment i.
//
//   c  = a p_i + b p_(i+1) + ((a^3 - a) m_i + (b^3 - b) m_(i+1)) h^2 / 6
//   c' = (p_(i+1) - p_i) / h + ((3 b^2 - 1) m_(i+1) - (3 a^2 - 1) m_i) h / 6
//   c'' = a m_i + b m_(i+1)      c''' = (m_(i+1) - m_i) / h
// Since c' is continuous, each knot between two segments gives
//   h_(i-1) m_(i-1) + 2 (h_(i-1) + h_i) m_i + h_i m_(i+1)
//       = 6 ((p_(i+1) - p_i) / h_i - (p_i - p_(i-1)) / h_(i-1))
// Natural: m = 0 at both ends, beyond which the spline goes on straight with c'' continuous. At
// rest: c' = 0. The system is tridiagonal. Closed: it wraps; all unknowns but the last are y + z
// m_last, which two tridiagonal solutions give, and the last equation then gives m_last. The system
// is diagonally dominant and needs no pivots.
// Source: C. de Boor, "A practical guide to splines", 1978, chapter IV.
// Test: tests/joints/paths/test_curve.c
#include "joints/paths/spline.h"

static double spline_get_step(const tni_spline *spline, uint32_t segment) {
    return spline->knots[segment + 1].u - spline->knots[segment].u;
}

static tni_dvec3 spline_get_slope(const tni_spline *spline, uint32_t segment) {
    const tni_knot *from = &spline->knots[segment], *to = from + 1;
    return dvec3_scale(dvec3_sub(to->point, from->point), 1.0 / spline_get_step(spline, segment));
}

// The equation of the knot after segment `before`, which begins segment `after`.
typedef struct spline_equation {
    double before, middle, after;
    tni_dvec3 right;
} spline_equation;

static spline_equation spline_get_equation(const tni_spline *spline, uint32_t before,
                                           uint32_t after) {
    double h_before = spline_get_step(spline, before), h_after = spline_get_step(spline, after);
    tni_dvec3 bend = dvec3_sub(spline_get_slope(spline, after), spline_get_slope(spline, before));
    spline_equation equation = {h_before, 2.0 * (h_before + h_after), h_after,
                                dvec3_scale(bend, 6.0)};
    return equation;
}

// An end with c' = 0 has 2 m_0 + m_1 = 6 (p_1 - p_0) / h^2, and the other end the same in reverse.
static tni_dvec3 spline_get_end_right(const tni_spline *spline, uint32_t segment, double sign) {
    double h = spline_get_step(spline, segment);
    return dvec3_scale(spline_get_slope(spline, segment), sign * 6.0 / h);
}

static void spline_end_at_rest(const tni_spline *spline, const double *above) {
    uint32_t last = spline->count - 1;
    tni_knot *knots = spline->knots;
    tni_dvec3 right = spline_get_end_right(spline, last - 1, -1.0);
    right = dvec3_sub(right, knots[last - 1].second);
    knots[last].second = dvec3_scale(right, 1.0 / (2.0 - above[last - 1]));
}

// Sets knots 0 and count - 1 to 0, or as they need to be at rest; `above` holds each equation's
// reduced last coefficient.
static void spline_solve_open(const tni_spline *spline, double *above) {
    uint32_t last = spline->count - 1;
    bool rests = spline->ends == TNI_SPLINE_AT_REST;
    tni_knot *knots = spline->knots;
    knots[0].second = knots[last].second = dvec3_make(0.0, 0.0, 0.0);
    above[0] = 0.0;
    if (rests) {
        knots[0].second = dvec3_scale(spline_get_end_right(spline, 0, 1.0), 0.5);
        above[0] = 0.5;
    }
    for (uint32_t i = 1; i < last; ++i) {
        spline_equation e = spline_get_equation(spline, i - 1, i);
        double inverse = 1.0 / (e.middle - e.before * above[i - 1]);
        above[i] = e.after * inverse;
        knots[i].second =
            dvec3_scale(dvec3_add_scaled(e.right, -e.before, knots[i - 1].second), inverse);
    }
    if (rests) {
        spline_end_at_rest(spline, above);
    }
    for (uint32_t i = last; i-- > (rests ? 0u : 1u);) {
        knots[i].second = dvec3_add_scaled(knots[i].second, -above[i], knots[i + 1].second);
    }
}

// The unknowns are those of knots 0 to count - 2, of which the last is `last`.
static void spline_solve_closed(const tni_spline *spline, double *above, double *z) {
    uint32_t last = spline->count - 2;
    tni_knot *knots = spline->knots;
    for (uint32_t i = 0; i < last; ++i) {
        spline_equation e = spline_get_equation(spline, i > 0 ? i - 1 : last, i);
        double before = i > 0 ? e.before : 0.0;
        double inverse = 1.0 / (e.middle - (i > 0 ? before * above[i - 1] : 0.0));
        bool meets_last = i + 1 == last;
        above[i] = meets_last ? 0.0 : e.after * inverse;
        double right = (i == 0 ? -e.before : 0.0) - (meets_last ? e.after : 0.0);
        z[i] = (right - (i > 0 ? before * z[i - 1] : 0.0)) * inverse;
        tni_dvec3 y = i > 0 ? dvec3_add_scaled(e.right, -before, knots[i - 1].second) : e.right;
        knots[i].second = dvec3_scale(y, inverse);
    }
    for (uint32_t i = last - 1; i-- > 0;) {
        z[i] -= above[i] * z[i + 1];
        knots[i].second = dvec3_add_scaled(knots[i].second, -above[i], knots[i + 1].second);
    }
    spline_equation e = spline_get_equation(spline, last - 1, last);
    double own = e.middle + e.before * z[last - 1] + e.after * z[0];
    tni_dvec3 right = dvec3_add_scaled(e.right, -e.before, knots[last - 1].second);
    right = dvec3_add_scaled(right, -e.after, knots[0].second);
    knots[last].second = dvec3_scale(right, 1.0 / own);
    for (uint32_t i = 0; i < last; ++i) {
        knots[i].second = dvec3_add_scaled(knots[i].second, z[i], knots[last].second);
    }
    knots[last + 1].second = knots[0].second;
}

void tni_spline_solve(const tni_spline *spline, double *scratch) {
    if (tni_spline_is_closed(spline)) {
        spline_solve_closed(spline, scratch, scratch + spline->count);
    } else {
        spline_solve_open(spline, scratch);
    }
}

double tni_spline_wrap(const tni_spline *spline, double u) {
    double end = tni_spline_get_end(spline);
    if (!tni_spline_is_closed(spline) || (u >= 0.0 && u < end)) {
        return u;
    }
    double rest = u - end * floor(u / end);
    return rest >= 0.0 && rest < end ? rest : 0.0; // rounded up to the end, or NaN
}

uint32_t tni_spline_find(const tni_spline *spline, double u) {
    uint32_t low = 0, high = spline->count - 1; // in [low, high)
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (u >= spline->knots[middle].u) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static tni_spline_point spline_get_inside(const tni_spline *spline, uint32_t segment, double u) {
    const tni_knot *from = &spline->knots[segment], *to = from + 1;
    double h = to->u - from->u, a = (to->u - u) / h, b = (u - from->u) / h;
    tni_spline_point point;
    point.c = dvec3_add_scaled(dvec3_scale(from->point, a), b, to->point);
    point.c = dvec3_add_scaled(point.c, (a * a * a - a) * h * h / 6.0, from->second);
    point.c = dvec3_add_scaled(point.c, (b * b * b - b) * h * h / 6.0, to->second);
    point.first = dvec3_scale(dvec3_sub(to->point, from->point), 1.0 / h);
    point.first = dvec3_add_scaled(point.first, (1.0 - 3.0 * a * a) * h / 6.0, from->second);
    point.first = dvec3_add_scaled(point.first, (3.0 * b * b - 1.0) * h / 6.0, to->second);
    point.second = dvec3_add_scaled(dvec3_scale(from->second, a), b, to->second);
    point.third = dvec3_scale(dvec3_sub(to->second, from->second), 1.0 / h);
    return point;
}

tni_spline_point tni_spline_get_point(const tni_spline *spline, uint32_t segment, double u) {
    double end = tni_spline_get_end(spline), inside = u < 0.0 ? 0.0 : (u > end ? end : u);
    tni_spline_point point = spline_get_inside(spline, segment, inside);
    if (u < 0.0 || u > end) {
        point.c = dvec3_add_scaled(point.c, u - inside, point.first);
        point.second = point.third = dvec3_make(0.0, 0.0, 0.0);
    }
    return point;
}
