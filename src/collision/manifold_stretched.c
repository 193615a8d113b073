// collision/manifold_stretched.c: deformed balls and capsules against every shape.
//
// Symbols: n the unit normal from a to b; p(n) the point of an ellipsoid farthest along its outward
// normal, from its centre c (stretch.h); rho its least radius of curvature.
//
// The ball of radius rho about c + p(n) - rho n lies inside of the ellipsoid and touches it at p(n)
// with the normal n. With it in place of the ellipsoid, and a capsule's segment moved along, the
// pair is one that the other files know; it has a normal t(n) of its own. Where t(n) = n the two
// touch as the deformed ones do: their normals at the nearest points are opposite. So n is wanted
// with
//     t(n) - n = 0
// Against a face t does not depend on n, and the second look finds it. Against a corner at the
// distance D from the middle of the ball, dt/dn = -(K - rho) / D, with K the radii of curvature,
// up to b^2 / c for half axes a, c, and where that is above 1 plain iteration swings ever farther.
// It is Anderson's method of depth 2 therefore, two differences for the two freedoms of n, begun
// with the damping that the greatest radius asks for. Counts are fixed, and so is every order.
// Source: D. G. Anderson, "Iterative procedures for nonlinear integral equations", Journal of the
// ACM 12(4), 1965. Test: tests/collision/test_manifold_stretched.c
#include "collision/narrow.h"
#include "collision/stretch.h"

#define STRETCHED_MOST_LOOKS 32
// Of the normal, against round-off of a float.
#define STRETCHED_TOLERANCE 1e-6
// How far n goes at once.
#define STRETCHED_MOST_STEP 0.5

typedef struct stretched_side {
    const tni_geometry *geometry;
    const tni_frame *frame;
    tni_geometry inner; // with the ball that touches from inside
    tni_frame place;
} stretched_side;

typedef struct stretched_pair {
    stretched_side a, b;
    float margin;
    tni_manifold_cache *cache;
} stretched_pair;

// n points out of it, in the pair's axes.
static void stretched_shrink(stretched_side *side, tni_dvec3 n) {
    const tni_stretch *stretch = side->geometry->stretch;
    side->inner = *side->geometry;
    side->place = *side->frame;
    if (stretch == NULL) {
        return;
    }
    tni_dquat rotation = dquat_renormalize(dquat_from_float(side->frame->rotation));
    tni_dvec3 local = dquat_rotate_inverse(rotation, n);
    tni_dvec3 shift =
        dvec3_add_scaled(tni_stretch_get_point(stretch, local), -stretch->least_curve, local);
    side->place.position = dvec3_to_float(
        dvec3_add(dvec3_from_float(side->frame->position), dquat_rotate(rotation, shift)));
    side->inner.stretch = NULL;
    if (side->inner.type == TNI_GEOMETRY_CAPSULE) {
        side->inner.capsule.radius = (float)stretch->least_curve;
    } else {
        side->inner.sphere.radius = (float)stretch->least_curve;
    }
}

// t(n), with the manifold it comes from. False when they are farther apart than the margin.
static bool stretched_look(stretched_pair *pair, tni_dvec3 n, float margin, tni_manifold *manifold,
                           tni_dvec3 *out_t) {
    stretched_shrink(&pair->a, n);
    stretched_shrink(&pair->b, dvec3_scale(n, -1.0));
    tni_manifold_compute(&pair->a.inner, &pair->a.place, &pair->b.inner, &pair->b.place, margin,
                         pair->cache, manifold);
    tni_dvec3 t = dvec3_from_float(manifold->normal);
    *out_t = dvec3_scale(t, maths_inverse_or_zero_d(dvec3_length(t)));
    return manifold->point_count > 0;
}

static double stretched_get_size(const stretched_side *side) {
    return side->geometry->stretch != NULL ? side->geometry->stretch->greatest_axis : 0.0;
}

// K - rho at most.
static double stretched_get_spread(const stretched_side *side) {
    const tni_stretch *stretch = side->geometry->stretch;
    return stretch != NULL ? stretch->greatest_curve - stretch->least_curve : 0.0;
}

// Radius of what stands in its place about its core.
static double stretched_get_radius(const stretched_side *side) {
    bool is_ball = side->inner.type == TNI_GEOMETRY_SPHERE;
    bool is_capsule = side->inner.type == TNI_GEOMETRY_CAPSULE;
    return is_ball      ? (double)side->inner.sphere.radius
           : is_capsule ? (double)side->inner.capsule.radius
                        : 0.0;
}

// 1 / (1 + (K - rho) / D).
static double stretched_get_damping(const stretched_pair *pair, const tni_manifold *manifold) {
    double radii = stretched_get_radius(&pair->a) + stretched_get_radius(&pair->b);
    double distance = fmax((double)manifold->points[0].separation + radii, 0.25 * radii);
    double spread = stretched_get_spread(&pair->a) + stretched_get_spread(&pair->b);
    return distance / (distance + spread);
}

// What the looks before this one were: differences of n and of t - n.
typedef struct stretched_history {
    tni_dvec3 n, rest;
    tni_dvec3 ways[2], changes[2];
    uint32_t count;
} stretched_history;

static void stretched_remember(stretched_history *history, tni_dvec3 n, tni_dvec3 rest,
                               bool is_first) {
    if (!is_first) {
        history->ways[1] = history->ways[0];
        history->changes[1] = history->changes[0];
        history->ways[0] = dvec3_sub(n, history->n);
        history->changes[0] = dvec3_sub(rest, history->rest);
        history->count = history->count < 2 ? history->count + 1 : 2;
    }
    history->n = n;
    history->rest = rest;
}

// The combination of changes that is nearest to the rest, in the sense of least squares.
static void stretched_combine(const stretched_history *history, double out[2]) {
    const tni_dvec3 *c = history->changes;
    double aa = dvec3_dot(c[0], c[0]), p = dvec3_dot(c[0], history->rest);
    out[0] = p * maths_inverse_or_zero_d(aa);
    out[1] = 0.0;
    if (history->count < 2) {
        return;
    }
    double ab = dvec3_dot(c[0], c[1]), bb = dvec3_dot(c[1], c[1]);
    double q = dvec3_dot(c[1], history->rest), det = aa * bb - ab * ab;
    if (det > 1e-6 * aa * bb) {
        out[0] = (bb * p - ab * q) / det;
        out[1] = (aa * q - ab * p) / det;
    }
}

static tni_dvec3 stretched_step(const stretched_history *history, double damping) {
    double share[2];
    tni_dvec3 step = dvec3_scale(history->rest, damping);
    stretched_combine(history, share);
    for (uint32_t i = 0; i < history->count; ++i) {
        step = dvec3_add_scaled(step, -share[i], history->ways[i]);
        step = dvec3_add_scaled(step, -share[i] * damping, history->changes[i]);
    }
    double length = dvec3_length(step);
    double most = length > STRETCHED_MOST_STEP ? STRETCHED_MOST_STEP / length : 1.0;
    tni_dvec3 n = dvec3_add_scaled(history->n, most, step);
    return dvec3_scale(n, maths_inverse_or_zero_d(dvec3_length(n)));
}

static tni_dvec3 stretched_begin(const stretched_pair *pair) {
    tni_dvec3 d = dvec3_sub(dvec3_from_float(pair->b.frame->position),
                            dvec3_from_float(pair->a.frame->position));
    double length = dvec3_length(d);
    return length > 0.0 ? dvec3_scale(d, 1.0 / length) : dvec3_make(0.0, 1.0, 0.0);
}

// n where t(n) = n, or the best that was seen. False when they are apart.
static bool stretched_find(stretched_pair *pair, float margin, tni_manifold *manifold,
                           tni_dvec3 *out_n) {
    stretched_history history = {.count = 0};
    tni_dvec3 n = stretched_begin(pair), t;
    double best = HUGE_VAL;
    for (uint32_t look = 0; look < STRETCHED_MOST_LOOKS; ++look) {
        if (!stretched_look(pair, n, margin, manifold, &t)) {
            return false;
        }
        tni_dvec3 rest = dvec3_sub(t, n);
        double size = dvec3_dot(rest, rest);
        if (size < best) {
            best = size;
            *out_n = n;
        }
        if (!(size > STRETCHED_TOLERANCE * STRETCHED_TOLERANCE)) {
            break;
        }
        stretched_remember(&history, n, rest, look == 0);
        n = look == 0 ? t : stretched_step(&history, stretched_get_damping(pair, manifold));
    }
    return true;
}

void tni_manifold_compute_stretched(const tni_geometry *a, const tni_frame *frame_a,
                                    const tni_geometry *b, const tni_frame *frame_b, float margin,
                                    tni_manifold_cache *cache, tni_manifold *manifold) {
    stretched_pair pair = {.a = {.geometry = a, .frame = frame_a},
                           .b = {.geometry = b, .frame = frame_b},
                           .cache = cache};
    double reach = 2.0 * (stretched_get_size(&pair.a) + stretched_get_size(&pair.b));
    tni_dvec3 n, t;
    if (!stretched_find(&pair, margin + (float)reach, manifold, &n)) {
        return;
    }
    stretched_look(&pair, n, margin, manifold, &t);
}
