// Distances of every pair of convex shapes carry their proof: points of both shapes that far apart,
// and a normal along which nothing is nearer. Depths are compared with many directions.
#include <criterion/criterion.h>

#include "collision/support.h"
#include "tests/collision/convex_probe.h"
#include "tests/support/long_test.h"

TestSuite(support, .timeout = 120);

enum {
    POSES = 1000,
    DEEP_POSES = 40
};

typedef struct support_case {
    tni_geometry a, b;
    tni_frame frame_a, frame_b;
    tni_relative relative;
    float size;
} support_case;

static support_case make_case(probe_random *random, int kind_a, int kind_b, const tni_hull *hull,
                              float size, float nearest, float farthest) {
    support_case c = {.size = size};
    c.a = convex_make(kind_a, size, hull);
    c.b = convex_make(kind_b, size, hull);
    c.frame_a = probe_frame(0.0f, 0.0f, 0.0f);
    c.frame_b.position =
        glms_vec3_scale(probe_direction(random), size * probe_between(random, nearest, farthest));
    c.frame_b.rotation = probe_rotation(random);
    c.relative = (tni_relative){basis_from_quat(c.frame_b.rotation), c.frame_b.position};
    return c;
}

static tni_convex_gap measure(const support_case *c) {
    tni_convex a, b;
    tni_convex_set(&a, &c->a);
    tni_convex_set(&b, &c->b);
    tni_convex_gap gap;
    tni_convex_measure(&a, &b, &c->relative, &gap);
    return gap;
}

static tni_dvec3 to_b(const support_case *c, tni_dvec3 p) {
    tni_dvec3 d = dvec3_sub(p, dvec3_from_float(c->frame_b.position));
    return dquat_rotate_inverse(dquat_renormalize(dquat_from_float(c->frame_b.rotation)), d);
}

// Points of surfaces lie their rounding from the core.
static double get_outside(const tni_geometry *g, tni_dvec3 p, tni_dvec3 outward) {
    return convex_get_outside(g, dvec3_add_scaled(p, -(double)g->rounding, outward));
}

// Points of shapes that overlap deeply may lie `beside` the normal.
static void check_proof(const support_case *c, const tni_convex_gap *gap, double tolerance,
                        double beside, const char *name_a, const char *name_b) {
    tni_dvec3 n = gap->normal, back = dvec3_scale(n, -1.0);
    tni_dvec3 back_b =
        dquat_rotate_inverse(dquat_renormalize(dquat_from_float(c->frame_b.rotation)), back);
    double along = probe_separation(&c->a, &c->frame_a, &c->b, &c->frame_b, n);
    cr_assert_float_eq(dvec3_length(n), 1.0, 1e-6);
    cr_assert(fabs(along - gap->separation) < tolerance, "%s, %s: %g along the normal, not %g",
              name_a, name_b, along, gap->separation);
    tni_dvec3 off = dvec3_sub(gap->point_b, dvec3_add_scaled(gap->point_a, gap->separation, n));
    cr_assert(dvec3_length(off) < beside, "%s, %s: points %g beside the normal", name_a, name_b,
              dvec3_length(off));
    double out_a = get_outside(&c->a, gap->point_a, n);
    double out_b = get_outside(&c->b, to_b(c, gap->point_b), back_b);
    cr_assert(out_a < tolerance && out_b < tolerance, "%s, %s: points %g and %g outside", name_a,
              name_b, out_a, out_b);
}

LONG_TEST(support, distances_of_every_pair_carry_their_proof) {
    probe_random random = {17};
    tni_hull *hull = NULL;
    for (int i = 0; i < CONVEX_KINDS; ++i) {
        for (int j = 0; j < CONVEX_KINDS; ++j) {
            for (int k = 0; k < long_test_count(POSES); ++k) {
                if (k % 100 == 0) {
                    convex_free_hull(hull);
                    hull = convex_make_hull(&random, 1.0f);
                }
                support_case c = make_case(&random, i, j, hull, 1.0f, 0.3f, 3.0f);
                tni_convex_gap gap = measure(&c);
                if (!gap.is_deep) {
                    check_proof(&c, &gap, 1e-6, 5e-6, convex_names[i], convex_names[j]);
                }
            }
        }
    }
    convex_free_hull(hull);
}

// A depth is a local minimum: of 5,000 poses at most one in a hundred has a lesser one.
LONG_TEST(support, depths_of_every_pair_are_the_least) {
    probe_random random = {19};
    tni_hull *hull = convex_make_hull(&random, 1.0f);
    double worst = 0.0;
    int missed = 0, count = 0;
    for (int i = 0; i < CONVEX_KINDS; ++i) {
        for (int j = i; j < CONVEX_KINDS; ++j) {
            for (int k = 0; k < long_test_count(DEEP_POSES); ++k) {
                support_case c = make_case(&random, i, j, hull, 1.0f, 0.0f, 0.6f);
                tni_convex_gap gap = measure(&c);
                double best = probe_best_separation(&random, &c.a, &c.frame_a, &c.b, &c.frame_b);
                check_proof(&c, &gap, 2e-6, 2e-4, convex_names[i], convex_names[j]);
                worst = fmax(worst, best - gap.separation);
                missed += best < gap.separation + 2e-6 ? 0 : 1;
                count += 1;
            }
        }
    }
    cr_assert(missed * 100 < count, "%d of %d", missed, count);
    convex_free_hull(hull);
    cr_assert(worst < 0.05, "%g m", worst);
}

// The other order has the same answer, from the other side.
Test(support, order_of_the_shapes_does_not_matter) {
    probe_random random = {23};
    tni_hull *hull = convex_make_hull(&random, 1.0f);
    for (int i = 0; i < CONVEX_KINDS; ++i) {
        for (int j = 0; j < CONVEX_KINDS; ++j) {
            for (int k = 0; k < POSES / 10; ++k) {
                support_case c = make_case(&random, i, j, hull, 1.0f, 0.8f, 3.0f);
                tni_convex a, b;
                tni_convex_set(&a, &c.a);
                tni_convex_set(&b, &c.b);
                tni_relative back = relative_invert(&c.relative);
                tni_convex_gap gap = measure(&c), other;
                tni_convex_measure(&b, &a, &back, &other);
                cr_assert(gap.is_deep || fabs(gap.separation - other.separation) < 3e-6,
                          "%s, %s: %g and %g", convex_names[i], convex_names[j], gap.separation,
                          other.separation);
            }
        }
    }
    convex_free_hull(hull);
}

// From a tenth of a millimetre to ten kilometres, needles and coins, coincident centres.
Test(support, degenerate_shapes_have_an_answer) {
    probe_random random = {29};
    const float sizes[] = {1e-4f, 1e-2f, 1.0f, 1e2f, 1e4f};
    for (int k = 0; k < 4000; ++k) {
        float size = sizes[k % 5], other = sizes[k / 5 % 5], s = size, t = other;
        const tni_geometry shapes[] = {probe_cylinder(1e-3f * s, s, s),
                                       probe_cylinder(s, 1e-3f * s, 1e-3f * s),
                                       probe_cylinder(s, 0.0f, s),
                                       probe_ellipsoid(s, 1e-3f * s, 0.1f * s),
                                       probe_tapered_capsule(s, 1e-3f * s, s),
                                       probe_box(s, 1e-3f * s, 1e-3f * s),
                                       probe_sphere(s)};
        const tni_geometry others[] = {probe_cylinder(1e-3f * t, t, t),
                                       probe_cylinder(t, 1e-3f * t, 1e-3f * t),
                                       probe_cylinder(t, t, 0.0f),
                                       probe_ellipsoid(t, 1e-3f * t, 0.1f * t),
                                       probe_tapered_capsule(t, t, 1e-3f * t),
                                       probe_box(t, 1e-3f * t, 1e-3f * t),
                                       probe_sphere(t)};
        support_case c = {.a = shapes[probe_below(&random, 7)],
                          .b = others[probe_below(&random, 7)]};
        c.frame_a = probe_frame(0.0f, 0.0f, 0.0f);
        float reach = k % 4 == 0 ? 0.0f : (s + t) * probe_between(&random, 0.0f, 3.0f);
        c.frame_b.position = glms_vec3_scale(probe_direction(&random), reach);
        c.frame_b.rotation = k % 8 == 0 ? maths_quat_identity() : probe_rotation(&random);
        c.relative = (tni_relative){basis_from_quat(c.frame_b.rotation), c.frame_b.position};
        tni_convex_gap gap = measure(&c);
        double along = probe_separation(&c.a, &c.frame_a, &c.b, &c.frame_b, gap.normal);
        cr_assert(dvec3_is_finite(gap.point_a) && dvec3_is_finite(gap.point_b));
        cr_assert_float_eq(dvec3_length(gap.normal), 1.0, 1e-6);
        cr_assert(fabs(along - gap.separation) < 1e-6 * (double)(s + t), "%g, not %g", along,
                  gap.separation);
    }
}
