// collision/manifold/manifold_stretched.c: deformed balls and capsules against every shape.
//
// Symbols: n the unit normal from a to b; Q = r^2 A A^T of an ellipsoid, so that it reaches
// h(n) = sqrt(n . Q n) from its centre, at p(n) = Q n / h (stretch.h); the core of a shape is the
// shape without its ellipsoid: a point, a segment, or the corners of a polyhedron, which has none;
// s(n) the separation of the two along n, and s the greatest, which is that of the nearest points.
//
// With a ball of the radius s about it, one of two separate ellipsoids touches the other. Then the
// difference of the cores and the sum of the three round things touch from outside, in a point x
// with the normal n. That sum is no ellipsoid, but of all ellipsoids that hold it
//     S = Q_a / h_a + Q_b / h_b + s 1        times h_a + h_b + s
// touches it along n. So n is the normal there of the smallest multiple of S that reaches the
// cores:
//     x nearest to the origin in the metric S^-1,    n = S^-1 x / |S^-1 x|
// which in coordinates L^-1 x, L L^T = S, is the distance between two sets of points (gjk.h). S and
// s both depend on n; they are set by the n before, and few rounds make them agree: against a
// polyhedron that touches, the first has it. Shapes that overlap have s < 0, and are no different
// until s 1 leaves S without a length in some direction; then the ball is only as small as it may
// be, and the ellipsoids shrink for what remains. s(n) says which n was the best. Source of the
// ellipsoids: A. Kurzhanski and I. Valyi, "Ellipsoidal Calculus for Estimation and Control", 1997,
// part 2; of distance by growth: C. J. Ong and E. G. Gilbert, "Growth distances: new measures for
// object separation and penetration", IEEE Transactions on Robotics and Automation 12(6), 1996.
// Test: tests/collision/manifold/test_manifold_stretched.c
#include "collision/gjk.h"
#include "collision/stretch.h"
#include "core/dmat3.h"

#define STRETCHED_MOST_ROUNDS 32
// The normal has converged when it changes by less than this, against round-off of a float.
#define STRETCHED_TOLERANCE 1e-6
// A separation below this share of the least radius of curvature is round-off.
#define STRETCHED_ROUND_OFF 1e-6
// The ball of radius s may take this share from the least radius of curvature.
#define STRETCHED_MOST_SHRINK 0.9

typedef struct stretched_side {
    const tni_geometry *geometry;
    const tni_frame *frame;
    tni_dmat3 q;        // Q, in the pair's axes; zero of a polyhedron
    double least_curve; // m
    uint32_t core_count;
    tni_dvec3 core[TNI_HULL_MAX_VERTICES]; // in the pair's axes, from a's centre
    vec3s mapped[TNI_HULL_MAX_VERTICES];   // L^-1 core
} stretched_side;

// An answer is a normal with the points of the cores that it belongs to.
typedef struct stretched_answer {
    tni_dvec3 n, core_a, core_b;
    double separation;
    bool is_first_end; // of a capsule
} stretched_answer;

// ---- the two shapes ------------------------------------------------------------------------

static void stretched_set_core(stretched_side *side, tni_dvec3 from) {
    const tni_geometry *g = side->geometry;
    tni_dquat rotation = dquat_renormalize(dquat_from_float(side->frame->rotation));
    tni_dvec3 center = dvec3_sub(dvec3_from_float(side->frame->position), from);
    vec3s ends[2] = {maths_vec3_zero(), maths_vec3_zero()};
    const vec3s *points = ends;
    tni_box_hull box;
    side->core_count = 1;
    if (g->type == TNI_GEOMETRY_CAPSULE) {
        side->core_count = 2;
        ends[0].y = -g->capsule.half_length;
        ends[1].y = g->capsule.half_length;
    } else if (g->type == TNI_GEOMETRY_BOX) {
        tni_box_hull_set(&box, g->box.half_extents);
        side->core_count = box.hull.vertex_count;
        points = box.vertices;
    } else if (g->type == TNI_GEOMETRY_HULL) {
        side->core_count = g->hull.hull->vertex_count;
        points = g->hull.hull->vertices;
    }
    for (uint32_t i = 0; i < side->core_count; ++i) {
        side->core[i] = dvec3_add(center, dquat_rotate(rotation, dvec3_from_float(points[i])));
    }
}

static void stretched_set_round(stretched_side *side) {
    const tni_geometry *g = side->geometry;
    const tni_stretch *stretch = g->stretch;
    side->q = (tni_dmat3){{{0.0}}};
    side->least_curve = 0.0;
    if (stretch != NULL) {
        tni_dquat rotation = dquat_renormalize(dquat_from_float(side->frame->rotation));
        tni_dmat3 r = dmat3_from_quat(rotation), map = dmat3_mul(&r, &stretch->map);
        tni_dmat3 back = dmat3_transpose(&map), square = dmat3_mul(&map, &back);
        side->q = dmat3_add_scaled(&side->q, stretch->radius * stretch->radius, &square);
        side->least_curve = stretch->least_curve;
    } else if (g->type == TNI_GEOMETRY_SPHERE || g->type == TNI_GEOMETRY_CAPSULE) {
        bool is_capsule = g->type == TNI_GEOMETRY_CAPSULE;
        side->least_curve = (double)(is_capsule ? g->capsule.radius : g->sphere.radius);
        for (int i = 0; i < 3; ++i) {
            side->q.m[i][i] = side->least_curve * side->least_curve;
        }
    }
}

// Returns h(n) of the ellipsoid.
static double stretched_get_height(const stretched_side *side, tni_dvec3 n) {
    return sqrt(dvec3_dot(n, dmat3_mul_vec(&side->q, n)));
}

// Returns p(n).
static tni_dvec3 stretched_get_point(const stretched_side *side, tni_dvec3 n) {
    double height = stretched_get_height(side, n);
    return dvec3_scale(dmat3_mul_vec(&side->q, n), maths_inverse_or_zero_d(height));
}

// Returns how far the whole shape reaches along n, from a's centre.
static double stretched_get_reach(const stretched_side *side, tni_dvec3 n) {
    double reach = dvec3_dot(n, side->core[0]);
    for (uint32_t i = 1; i < side->core_count; ++i) {
        reach = maths_max_d(reach, dvec3_dot(n, side->core[i]));
    }
    return reach + stretched_get_height(side, n);
}

// Returns s(n).
static double stretched_get_separation(const stretched_side *a, const stretched_side *b,
                                       tni_dvec3 n) {
    return -stretched_get_reach(a, n) - stretched_get_reach(b, dvec3_scale(n, -1.0));
}

// ---- the metric ----------------------------------------------------------------------------

static tni_dmat3 stretched_get_metric(const stretched_side *a, const stretched_side *b, tni_dvec3 n,
                                      double separation) {
    double shrink = -STRETCHED_MOST_SHRINK * (a->least_curve + b->least_curve);
    double ball = maths_max_d(separation, shrink);
    tni_dmat3 s = {{{ball, 0.0, 0.0}, {0.0, ball, 0.0}, {0.0, 0.0, ball}}};
    double inverse_a = maths_inverse_or_zero_d(stretched_get_height(a, n));
    double inverse_b = maths_inverse_or_zero_d(stretched_get_height(b, n));
    s = dmat3_add_scaled(&s, inverse_a, &a->q);
    return dmat3_add_scaled(&s, inverse_b, &b->q);
}

// Returns L of L L^T = S, below the diagonal.
static tni_dmat3 stretched_factor(const tni_dmat3 *s) {
    tni_dmat3 l = {{{0.0}}};
    for (int j = 0; j < 3; ++j) {
        for (int i = j; i < 3; ++i) {
            double sum = s->m[i][j];
            for (int k = 0; k < j; ++k) {
                sum -= l.m[i][k] * l.m[j][k];
            }
            l.m[i][j] =
                i == j ? sqrt(maths_max_d(sum, 0.0)) : sum * maths_inverse_or_zero_d(l.m[j][j]);
        }
    }
    return l;
}

static tni_dmat3 stretched_invert_factor(const tni_dmat3 *l) {
    double x = maths_inverse_or_zero_d(l->m[0][0]), y = maths_inverse_or_zero_d(l->m[1][1]);
    double z = maths_inverse_or_zero_d(l->m[2][2]);
    double yx = -l->m[1][0] * x * y, zy = -l->m[2][1] * y * z;
    double zx = -(l->m[2][0] * x + l->m[2][1] * yx) * z;
    return (tni_dmat3){{{x, 0.0, 0.0}, {yx, y, 0.0}, {zx, zy, z}}};
}

static void stretched_map(stretched_side *side, const tni_dmat3 *inverse) {
    for (uint32_t i = 0; i < side->core_count; ++i) {
        side->mapped[i] = dvec3_to_float(dmat3_mul_vec(inverse, side->core[i]));
    }
}

static bool stretched_is_nearer_first(const stretched_side *side, vec3s point) {
    return side->core_count != 2 || glms_vec3_distance2(point, side->mapped[0]) <=
                                        glms_vec3_distance2(point, side->mapped[1]);
}

// ---- the search ----------------------------------------------------------------------------

// Finds the next n. Returns false when the cores meet: then there is none.
static bool stretched_advance(stretched_side *a, stretched_side *b, stretched_answer *answer) {
    static const tni_relative same = {
        {{{1.0f, 0.0f, 0.0f}}, {{0.0f, 1.0f, 0.0f}}, {{0.0f, 0.0f, 1.0f}}}, {{0.0f, 0.0f, 0.0f}}};
    tni_dmat3 s = stretched_get_metric(a, b, answer->n, answer->separation);
    tni_dmat3 l = stretched_factor(&s), inverse = stretched_invert_factor(&l);
    stretched_map(a, &inverse);
    stretched_map(b, &inverse);
    tni_gjk_result gjk;
    tni_gjk_set set_a = gjk_set_of_points(a->mapped, a->core_count);
    tni_gjk_set set_b = gjk_set_of_points(b->mapped, b->core_count);
    tni_gjk_distance(&set_a, &set_b, &same, &gjk);
    tni_dvec3 n = dmat3_mul_transposed_vec(&inverse, dvec3_from_float(gjk.normal));
    double length = dvec3_length(n);
    if (gjk.is_overlapping || !(length > 0.0)) {
        return false;
    }
    answer->n = dvec3_scale(n, 1.0 / length);
    answer->core_a = dmat3_mul_vec(&l, dvec3_from_float(gjk.point_a));
    answer->core_b = dmat3_mul_vec(&l, dvec3_from_float(gjk.point_b));
    answer->separation = stretched_get_separation(a, b, answer->n);
    answer->is_first_end =
        stretched_is_nearer_first(a, gjk.point_a) && stretched_is_nearer_first(b, gjk.point_b);
    return true;
}

static tni_dvec3 stretched_begin(const stretched_side *a, const stretched_side *b) {
    tni_dvec3 d =
        dvec3_sub(dvec3_from_float(b->frame->position), dvec3_from_float(a->frame->position));
    double length = dvec3_length(d);
    return length > 0.0 ? dvec3_scale(d, 1.0 / length) : dvec3_make(0.0, 1.0, 0.0);
}

static bool stretched_find(stretched_side *a, stretched_side *b, stretched_answer *best) {
    stretched_answer answer = {.n = stretched_begin(a, b)};
    answer.separation = stretched_get_separation(a, b, answer.n);
    *best = (stretched_answer){.separation = -HUGE_VAL};
    double round_off = STRETCHED_ROUND_OFF * (a->least_curve + b->least_curve);
    for (uint32_t i = 0; i < STRETCHED_MOST_ROUNDS; ++i) {
        tni_dvec3 last = answer.n;
        if (!stretched_advance(a, b, &answer)) {
            return false;
        }
        // Among equally good n the last one wins.
        if (answer.separation >= best->separation - round_off) {
            *best = answer;
        }
        tni_dvec3 change = dvec3_sub(answer.n, last);
        if (dvec3_dot(change, change) < STRETCHED_TOLERANCE * STRETCHED_TOLERANCE) {
            break;
        }
    }
    return best->separation > -HUGE_VAL;
}

// ---- the manifold --------------------------------------------------------------------------

// A ball of the greatest half axis that touches the ellipsoid at p(n), from inside or outside,
// stands in its place; a capsule of that radius stands for a capsule.
typedef struct stretched_stand_in {
    tni_geometry geometry;
    tni_frame frame;
} stretched_stand_in;

static stretched_stand_in stretched_replace(const stretched_side *side, tni_dvec3 shift,
                                            double radius) {
    stretched_stand_in s = {*side->geometry, *side->frame};
    if (s.geometry.stretch != NULL) {
        s.frame.position =
            dvec3_to_float(dvec3_add(dvec3_from_float(side->frame->position), shift));
        s.geometry.stretch = NULL;
        if (s.geometry.type == TNI_GEOMETRY_CAPSULE) {
            s.geometry.capsule.radius = (float)radius;
        } else {
            s.geometry.sphere.radius = (float)radius;
        }
    }
    return s;
}

// Replaces a shape by its stand-in that touches at p(n). n points out of the shape.
static stretched_stand_in stretched_touch(const stretched_side *side, tni_dvec3 n) {
    double radius = side->geometry->stretch != NULL ? side->geometry->stretch->greatest_axis : 0.0;
    return stretched_replace(side, dvec3_add_scaled(stretched_get_point(side, n), -radius, n),
                             radius);
}

// Computes the manifold of the two stand-ins.
static void stretched_compute(const stretched_stand_in *a, const stretched_stand_in *b,
                              float margin, tni_manifold_cache *cache, tni_manifold *manifold) {
    tni_manifold_compute(&a->geometry, &a->frame, &b->geometry, &b->frame, margin, cache, manifold);
}

static void stretched_look(const stretched_side *a, const stretched_side *b, tni_dvec3 n,
                           float margin, tni_manifold_cache *cache, tni_manifold *manifold) {
    stretched_stand_in at_a = stretched_touch(a, n);
    stretched_stand_in at_b = stretched_touch(b, dvec3_scale(n, -1.0));
    stretched_compute(&at_a, &at_b, margin, cache, manifold);
}

// Looks at the balls within both ellipsoids, where the cores meet.
static void stretched_look_inside(const stretched_side *a, const stretched_side *b,
                                  tni_manifold_cache *cache, tni_manifold *manifold) {
    const stretched_side *sides[2] = {a, b};
    stretched_stand_in at[2];
    for (int e = 0; e < 2; ++e) {
        const tni_stretch *stretch = sides[e]->geometry->stretch;
        at[e] = stretched_replace(sides[e], dvec3_make(0.0, 0.0, 0.0),
                                  stretch != NULL ? stretch->least_axis : 0.0);
    }
    stretched_compute(&at[0], &at[1], 0.0f, cache, manifold);
}

static bool stretched_is_capsule(const stretched_side *side) {
    return side->geometry->type == TNI_GEOMETRY_CAPSULE;
}

// Finds the two points of a capsule that lies along a face, an edge or another capsule. Returns
// false when it does not. The normal is that of the surface along which it lies.
static bool stretched_lie_alongside(const stretched_side *a, const stretched_side *b, tni_dvec3 n,
                                    float margin, tni_manifold_cache *cache,
                                    tni_manifold *manifold) {
    if (!stretched_is_capsule(a) && !stretched_is_capsule(b)) {
        return false;
    }
    stretched_look(a, b, n, margin, cache, manifold);
    if (manifold->point_count > 1) {
        stretched_look(a, b, dvec3_from_float(manifold->normal), margin, cache, manifold);
    }
    return manifold->point_count > 1;
}

static void stretched_set_point(const stretched_side *a, const stretched_side *b,
                                const stretched_answer *answer, float margin,
                                tni_manifold *manifold) {
    manifold->point_count = 0;
    if (answer->separation > (double)margin) {
        return;
    }
    tni_dvec3 p = dvec3_add(answer->core_a, stretched_get_point(a, answer->n));
    tni_dvec3 q = dvec3_sub(answer->core_b, stretched_get_point(b, answer->n));
    tni_dvec3 middle = dvec3_scale(dvec3_add(p, q), 0.5);
    tni_dvec3 from = dvec3_from_float(a->frame->position);
    manifold->normal = dvec3_to_float(answer->n);
    manifold->point_count = 1;
    manifold->points[0] =
        (tni_manifold_point){.position = dvec3_to_float(dvec3_add(from, middle)),
                             .separation = (float)answer->separation,
                             .feature = feature_of_other(answer->is_first_end ? 1 : 2)};
}

static tni_dvec3 stretched_get_up(const tni_frame *frame) {
    return dquat_rotate(dquat_renormalize(dquat_from_float(frame->rotation)),
                        dvec3_make(0.0, 1.0, 0.0));
}

void tni_manifold_compute_stretched(const tni_geometry *a, const tni_frame *frame_a,
                                    const tni_geometry *b, const tni_frame *frame_b, float margin,
                                    tni_manifold_cache *cache, tni_manifold *manifold) {
    stretched_side at_a, at_b;
    at_a.geometry = a, at_a.frame = frame_a;
    at_b.geometry = b, at_b.frame = frame_b;
    stretched_set_round(&at_a);
    stretched_set_round(&at_b);
    if (a->type == TNI_GEOMETRY_HALF_SPACE) {
        stretched_look(&at_a, &at_b, stretched_get_up(frame_a), margin, cache, manifold);
        return;
    }
    if (b->type == TNI_GEOMETRY_HALF_SPACE) {
        tni_dvec3 n = dvec3_scale(stretched_get_up(frame_b), -1.0);
        stretched_look(&at_a, &at_b, n, margin, cache, manifold);
        return;
    }
    stretched_set_core(&at_a, dvec3_from_float(frame_a->position));
    stretched_set_core(&at_b, dvec3_from_float(frame_a->position));
    stretched_answer answer;
    if (!stretched_find(&at_a, &at_b, &answer)) {
        stretched_look_inside(&at_a, &at_b, cache, manifold);
        if (manifold->point_count > 0) {
            stretched_look(&at_a, &at_b, dvec3_from_float(manifold->normal), margin, cache,
                           manifold);
        }
        return;
    }
    if (!stretched_lie_alongside(&at_a, &at_b, answer.n, margin, cache, manifold)) {
        stretched_set_point(&at_a, &at_b, &answer, margin, manifold);
    }
}
