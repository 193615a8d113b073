// joints/transmissions/profile.c: a closed curve in polar coordinates through radii at equal
// angles.
//
// Symbols: N radii r_k at the angles k h, h = 2 pi / N; b the cubic B-spline, c_k its weights;
// e = (cos a, sin a), e' = (-sin a, cos a).
//
//   r(a) = sum_k c_k b(a / h - k),   b(0) = 2/3, b(1) = b(-1) = 1/6
//   P = r e,   P' = r' e + r e',   P'' = (r'' - r) e + 2 r' e'
//
// The weights that pass through the radii have c_(k-1) + 4 c_k + c_(k+1) = 6 r_k. The filter
// 6 / (s + 4 + 1/s) is two filters of the first order, one forward and one backward, with the pole
// z = sqrt(3) - 2:
//   f_k = r_k + z f_(k-1),   g_k = z (g_(k+1) - f_k),   c_k = 6 g_k
// and each begins with the sum over the whole circle.
//
// The point nearest to q has the least |q - P|^2, the point farthest along u the greatest u . P:
// both maximise q . P - w |P|^2 / 2, with w = 1 or 0. The best corner of a polygon in the curve
// brackets the point, and Newton's method on (q - w P) . P' = 0 finds it between the two neighbours
// of that corner. Only corners near the direction of q can be best: if the corner toward q is at
// the distance D, points of the circle of that radius about q lie within asin(D / |q|); if it
// reaches R = u . P, points no farther out than the farthest lie within acos(R / r_max).
// Source: M. Unser, "Splines: a perfect fit for signal and image processing", IEEE Signal
// Processing Magazine 16(6), 1999 (the filters of cubic interpolation).
// Test: tests/joints/transmissions/test_profile.c
#include "joints/transmissions/profile.h"

#include <string.h>

#define PROFILE_POLE (-0.26794919243112270647)
// The polygon has at least this many corners.
#define PROFILE_LEAST_CORNERS 256
#define PROFILE_ITERATIONS    60
// rad: Newton's method ends with a step shorter than this, whose square is round-off.
#define PROFILE_CLOSE 1e-12

static uint32_t profile_count_corners(uint32_t count) {
    return count * ((PROFILE_LEAST_CORNERS + count - 1) / count);
}

size_t tni_profile_get_size(uint32_t count) {
    return sizeof(tni_profile) +
           (2 * (size_t)count + 2 * (size_t)profile_count_corners(count)) * sizeof(double);
}

// ---- the spline --------------------------------------------------------------------------------

// Returns the sum of x_k z^j over the circle, k from `first` on, forward or backward, over 1 - z^N.
static double profile_sum_circle(const double *x, uint32_t count, uint32_t first, bool is_forward) {
    double sum = 0.0, power = 1.0;
    for (uint32_t j = 0; j < count; ++j) {
        uint32_t k = is_forward ? (first + j) % count : (first + count - j) % count;
        sum += power * x[k];
        power *= PROFILE_POLE;
    }
    return sum / (1.0 - power);
}

static void profile_weigh(const double *radii, uint32_t count, double *weights) {
    weights[0] = profile_sum_circle(radii, count, 0, false);
    for (uint32_t k = 1; k < count; ++k) {
        weights[k] = radii[k] + PROFILE_POLE * weights[k - 1];
    }
    double next = -PROFILE_POLE * profile_sum_circle(weights, count, count - 1, true);
    weights[count - 1] = 6.0 * next;
    for (uint32_t k = count - 1; k-- > 0;) {
        next = PROFILE_POLE * (next - weights[k]);
        weights[k] = 6.0 * next;
    }
}

// Writes r and its derivatives by the angle.
static void profile_get_radii(const tni_profile *profile, double angle, double out_r[3]) {
    double inv_h = (double)profile->count / (2.0 * MATHS_PI), place = angle * inv_h;
    double begin = floor(place), t = place - begin, s = 1.0 - t;
    double turns = floor(begin / (double)profile->count);
    uint32_t k = (uint32_t)(begin - turns * (double)profile->count) % profile->count;
    const double b[3][4] = {
        {s * s * s / 6.0, (t * t * (3.0 * t - 6.0) + 4.0) / 6.0,
         (s * s * (3.0 * s - 6.0) + 4.0) / 6.0, t * t * t / 6.0},
        {-0.5 * s * s, 0.5 * t * (3.0 * t - 4.0), -0.5 * s * (3.0 * s - 4.0), 0.5 * t * t},
        {s, 3.0 * t - 2.0, 3.0 * s - 2.0, t}};
    double scale = 1.0;
    for (int d = 0; d < 3; ++d) {
        out_r[d] = 0.0;
        for (uint32_t i = 0; i < 4; ++i) {
            out_r[d] += b[d][i] * profile->weights[(k + profile->count + i - 1) % profile->count];
        }
        out_r[d] *= scale;
        scale *= inv_h;
    }
}

double tni_profile_get_radius(const tni_profile *profile, double angle) {
    double r[3];
    profile_get_radii(profile, angle, r);
    return r[0];
}

tni_profile_point tni_profile_get_point(const tni_profile *profile, double angle) {
    double r[3], cosine = tni_maths_cos(angle), sine = tni_maths_sin(angle);
    profile_get_radii(profile, angle, r);
    tni_profile_point point = {
        .p = {r[0] * cosine, r[0] * sine},
        .first = {r[1] * cosine - r[0] * sine, r[1] * sine + r[0] * cosine},
        .second = {(r[2] - r[0]) * cosine - 2.0 * r[1] * sine,
                   (r[2] - r[0]) * sine + 2.0 * r[1] * cosine},
    };
    return point;
}

tni_profile *tni_profile_make(void *memory, const double *radii, uint32_t count) {
    tni_profile *profile = memory;
    profile->count = count;
    profile->corner_count = profile_count_corners(count);
    profile->radii = (double *)(profile + 1);
    profile->weights = profile->radii + count;
    profile->corners = (double(*)[2])(void *)(profile->weights + count);
    memcpy(profile->radii, radii, count * sizeof *radii);
    profile_weigh(profile->radii, count, profile->weights);
    profile->least = (double)INFINITY;
    profile->greatest = 0.0;
    for (uint32_t i = 0; i < profile->corner_count; ++i) {
        double angle = 2.0 * MATHS_PI * i / profile->corner_count;
        double r = tni_profile_get_radius(profile, angle);
        profile->corners[i][0] = r * tni_maths_cos(angle);
        profile->corners[i][1] = r * tni_maths_sin(angle);
        profile->least = maths_min_d(profile->least, r);
        profile->greatest = maths_max_d(profile->greatest, r);
    }
    return profile;
}

// ---- the best point ----------------------------------------------------------------------------

static double planar_dot(tni_planar a, tni_planar b) {
    return a.y * b.y + a.z * b.z;
}

// Returns the cosine beyond which no corner can be better than one of this score: see above.
static double profile_get_least_cosine(const tni_profile *profile, tni_planar q, double w,
                                       double length, double score) {
    if (w == 0.0) {
        return score / (profile->greatest * length);
    }
    double square = (length * length - 2.0 * score) / (length * length); // (D / |q|)^2
    return square < 1.0 && planar_dot(q, q) > 0.0 ? sqrt(1.0 - maths_max_d(square, 0.0)) : -1.0;
}

static double profile_get_score(const tni_profile *profile, uint32_t i, tni_planar q, double w) {
    tni_planar p = {profile->corners[i][0], profile->corners[i][1]};
    return planar_dot(q, p) - 0.5 * w * planar_dot(p, p);
}

static uint32_t profile_find_corner(const tni_profile *profile, tni_planar q, double w) {
    uint32_t count = profile->corner_count;
    double step = 2.0 * MATHS_PI / count, length = sqrt(planar_dot(q, q));
    double place = floor(tni_maths_atan2(q.z, q.y) / step + 0.5) + count;
    uint32_t middle = place >= 0.0 ? (uint32_t)place % count : 0; // 0 for a NaN
    uint32_t best = middle;
    double most = profile_get_score(profile, middle, q, w), reach = MATHS_PI;
    double cosine = length > 0.0 ? profile_get_least_cosine(profile, q, w, length, most) : -1.0;
    if (cosine > -1.0 && cosine <= 1.0) {
        reach = tni_maths_atan2(sqrt(1.0 - cosine * cosine), cosine);
    }
    uint32_t side = (uint32_t)maths_min_d(floor(reach / step) + 2.0, 0.5 * count);
    for (uint32_t k = 1; k <= side; ++k) {
        const uint32_t pair[2] = {(middle + k) % count, (middle + count - k) % count};
        for (int i = 0; i < 2; ++i) {
            double score = profile_get_score(profile, pair[i], q, w);
            best = score > most ? pair[i] : best;
            most = score > most ? score : most;
        }
    }
    return best;
}

static tni_profile_point profile_find(const tni_profile *profile, tni_planar q, double w) {
    double step = 2.0 * MATHS_PI / profile->corner_count;
    double angle = step * profile_find_corner(profile, q, w);
    double lower = angle - step, upper = angle + step;
    tni_profile_point point = tni_profile_get_point(profile, angle);
    for (int i = 0; i < PROFILE_ITERATIONS; ++i) {
        tni_planar way = {q.y - w * point.p.y, q.z - w * point.p.z};
        double slope = planar_dot(way, point.first);
        double bend = planar_dot(way, point.second) - w * planar_dot(point.first, point.first);
        lower = slope > 0.0 ? angle : lower;
        upper = slope > 0.0 ? upper : angle;
        double next = bend < 0.0 ? angle - slope / bend : upper;
        next = next > lower && next < upper ? next : 0.5 * (lower + upper);
        bool is_close = fabs(next - angle) < PROFILE_CLOSE;
        angle = next;
        point = tni_profile_get_point(profile, angle);
        if (is_close) {
            break;
        }
    }
    return point;
}

tni_profile_point tni_profile_find_nearest(const tni_profile *profile, tni_planar q) {
    return profile_find(profile, q, 1.0);
}

tni_profile_point tni_profile_find_farthest(const tni_profile *profile, tni_planar u) {
    return profile_find(profile, u, 0.0);
}
