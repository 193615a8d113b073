// joints/parts/ellipse.c: the distance of a point of a plane from an ellipse.
//
// Symbols: a >= b > 0 the half axes; p = (p_0, p_1) the point, by symmetry with p_0, p_1 >= 0;
// x the nearest point of the ellipse; t the multiplier.
//
// The line from x to p is along the normal there: p - x = t (x_0 / a^2, x_1 / b^2), so that
//     x_0 = a^2 p_0 / (t + a^2),   x_1 = b^2 p_1 / (t + b^2),   t > -b^2
// and since x is on the ellipse, t is a root of
//     G(t) = (a p_0 / (t + a^2))^2 + (b p_1 / (t + b^2))^2 - 1
// which falls and is convex on that range: Newton's method from the left reaches the root without
// passing it. It starts where one of the terms alone is 1, which is near. On the axes of the
// ellipse the root is known. The distance is continuous everywhere, and its slope has length 1
// wherever it is differentiable. It is not on that segment of the long axis from which two points
// of the ellipse are equally near; there one of the two is taken.
// Source: D. Eberly, "Distance from a point to an ellipse, an ellipsoid, or a hyperellipsoid",
// Geometric Tools, 2013 (the equation of t and the cases).
// Test: tests/joints/test_ellipse.c
#include "joints/parts/ellipse.h"

#include "core/maths.h"

// A coordinate below this share of the long axis counts as zero.
#define ELLIPSE_ON_AXIS 1e-12
// Digits double from step to step; six steps are enough.
#define ELLIPSE_STEPS 16

// A point in the first quadrant.
typedef struct ellipse_point {
    double x_0, x_1;
} ellipse_point;

// Solves with w = (t + b^2) / b^2, which keeps its digits near the pole, and (a / b)^2 = 1 + e.
static ellipse_point ellipse_solve(double a, double b, double p_0, double p_1) {
    double e = (a - b) / b * ((a + b) / b), z_0 = p_0 / a, z_1 = p_1 / b;
    double w = maths_max_d(z_1, (1.0 + e) * z_0 - e);
    for (int i = 0; i < ELLIPSE_STEPS; ++i) {
        double u = (1.0 + e) * z_0 / (w + e), v = z_1 / w;
        double g = u * u + v * v - 1.0;
        double slope = -2.0 * (u * u / (w + e) + v * v / w);
        double next = w - g / slope;
        if (!(next > w)) {
            break;
        }
        w = next;
    }
    return (ellipse_point){(1.0 + e) * p_0 / (w + e), p_1 / w};
}

static ellipse_point ellipse_find_nearest(double a, double b, double p_0, double p_1) {
    double least = ELLIPSE_ON_AXIS * a;
    if (p_1 > least && p_0 > least) {
        return ellipse_solve(a, b, p_0, p_1);
    }
    if (p_1 > least) {
        return (ellipse_point){0.0, b};
    }
    // If p is on the long axis, between the centres of curvature of its ends, the nearest point is
    // beside it.
    double focal = a * a - b * b;
    if (a * p_0 < focal) {
        double share = a * p_0 / focal;
        return (ellipse_point){a * share, b * sqrt(1.0 - share * share)};
    }
    return p_0 > least ? (ellipse_point){a, 0.0} : (ellipse_point){0.0, b};
}

tni_ellipse_distance tni_ellipse_measure(double half_y, double half_z, double y, double z) {
    bool is_y_long = half_y >= half_z;
    double a = is_y_long ? half_y : half_z, b = is_y_long ? half_z : half_y;
    double p_0 = fabs(is_y_long ? y : z), p_1 = fabs(is_y_long ? z : y);
    ellipse_point x = ellipse_find_nearest(a, b, p_0, p_1);
    double n_0 = x.x_0 / (a * a), n_1 = x.x_1 / (b * b);
    double scale = 1.0 / sqrt(n_0 * n_0 + n_1 * n_1);
    n_0 *= scale;
    n_1 *= scale;
    double n_y = is_y_long ? n_0 : n_1, n_z = is_y_long ? n_1 : n_0;
    return (tni_ellipse_distance){(x.x_0 - p_0) * n_0 + (x.x_1 - p_1) * n_1, y < 0.0 ? -n_y : n_y,
                                  z < 0.0 ? -n_z : n_z};
}
