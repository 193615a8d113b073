// collision/placed.c: see placed.h.
//
// The cast is conservative advancement (B. Mirtich, "Impulse-based dynamic simulation of rigid
// body systems", 1996, chapter 2). The distance f of two convex shapes is a convex function of the
// fraction s on a straight way, and -n . t is its slope, with n the normal of the present gap and t
// the translation. So s + f / (n . -t) never passes the first touch: it is Newton's method for a
// convex function from the side where f > 0. It doubles the digits in a step, or, where the shapes
// only graze each other, halves the distance. A slope of 0 or more means that they never meet.
// Near the end GJK's normal is lost: so steps end half of CAST_TOUCH of the sizes apart, and the
// last slope takes s from there to the touch. The fraction is therefore right to some 1e-6 of the
// sizes across the surface, and to that over the cosine along the way. Test:
// tests/collision/test_placed.c
#include "collision/placed.h"

#include "core/dmat3.h"

#define CAST_MOST_STEPS 64
// The gap, as a share of the sizes, from which on the shapes touch.
#define CAST_TOUCH 2e-6

// ---- placing ----------------------------------------------------------------------------------

void tni_placed_set(tni_placed *placed, const tni_geometry *geometry, tni_dvec3 position,
                    tni_dquat rotation) {
    placed->position = position;
    placed->rotation = dquat_normalize(rotation);
    placed->is_half_space = geometry->type == TNI_GEOMETRY_HALF_SPACE;
    if (!placed->is_half_space) {
        tni_convex_set(&placed->convex, geometry);
    }
}

// A map M takes the point farthest along M^T d to the one farthest along d.
static tni_dvec3 placed_get_mapped_point(const void *shape, tni_dvec3 direction) {
    const tni_placed *placed = shape;
    tni_dvec3 back = dmat3_mul_transposed_vec(&placed->map, direction);
    return dmat3_mul_vec(&placed->map, tni_convex_get_point(&placed->rest, back));
}

void tni_placed_set_mapped(tni_placed *placed, const tni_geometry *geometry, tni_dvec3 position,
                           const tni_dmat3 *map) {
    double most = 0.0;
    tni_convex_set(&placed->rest, geometry);
    placed->map = *map;
    placed->position = position;
    placed->rotation = dquat_identity();
    placed->is_half_space = false;
    placed->convex = (tni_convex){.geometry = geometry};
    placed->convex.set = gjk_set_of_support(placed_get_mapped_point, placed);
    for (uint32_t i = 0; i < 3; ++i) {
        most += dvec3_dot(dmat3_get_column(map, i), dmat3_get_column(map, i));
    }
    placed->convex.size = placed->rest.size * sqrt(most);
}

tni_dvec3 tni_placed_get_point(const tni_placed *placed, tni_dvec3 direction) {
    tni_dvec3 local = dquat_rotate_inverse(placed->rotation, direction);
    return dvec3_add(placed->position,
                     dquat_rotate(placed->rotation, tni_convex_get_point(&placed->convex, local)));
}

// ---- gaps -------------------------------------------------------------------------------------

static void placed_measure_over_plane(const tni_placed *plane, const tni_placed *b, tni_dvec3 way,
                                      tni_placed_gap *gap) {
    gap->normal = dquat_rotate(plane->rotation, dvec3_make(0.0, 1.0, 0.0));
    tni_dvec3 lowest = tni_placed_get_point(b, dvec3_scale(gap->normal, -1.0));
    lowest = dvec3_add(lowest, way);
    gap->separation = dvec3_dot(gap->normal, dvec3_sub(lowest, plane->position));
    gap->point_a = dvec3_add_scaled(lowest, -gap->separation, gap->normal);
}

// Returns the frame of b, moved by `way`, seen from a.
static tni_relative placed_relate(const tni_placed *a, const tni_placed *b, tni_dvec3 way) {
    tni_dvec3 between = dvec3_add(dvec3_sub(b->position, a->position), way);
    tni_dquat turn = dquat_mul(dquat_conjugate(a->rotation), b->rotation);
    tni_relative relative = {basis_from_quat(maths_quat_normalize(dquat_to_float(turn))),
                             dvec3_to_float(dquat_rotate_inverse(a->rotation, between))};
    return relative;
}

static void placed_measure_related(const tni_placed *a, const tni_placed *b,
                                   const tni_relative *relative, tni_placed_gap *gap) {
    tni_convex_gap local;
    tni_convex_measure(&a->convex, &b->convex, relative, &local);
    gap->separation = local.separation;
    gap->normal = dquat_rotate(a->rotation, local.normal);
    gap->point_a = dvec3_add(a->position, dquat_rotate(a->rotation, local.point_a));
}

static void placed_measure_at(const tni_placed *a, const tni_placed *b, tni_dvec3 way,
                              tni_placed_gap *gap) {
    if (a->is_half_space) {
        placed_measure_over_plane(a, b, way, gap);
        return;
    }
    tni_relative relative = placed_relate(a, b, way);
    placed_measure_related(a, b, &relative, gap);
}

bool tni_placed_measure_overlap(const tni_placed *a, const tni_placed *b, tni_placed_gap *out_gap) {
    const tni_dvec3 nowhere = {0.0, 0.0, 0.0};
    if (a->is_half_space) {
        placed_measure_over_plane(a, b, nowhere, out_gap);
        return out_gap->separation <= 0.0;
    }
    tni_relative relative = placed_relate(a, b, nowhere);
    if (tni_convex_are_parted(&a->convex, &b->convex, &relative)) {
        return false;
    }
    placed_measure_related(a, b, &relative, out_gap);
    return out_gap->separation <= 0.0;
}

void tni_placed_measure(const tni_placed *a, const tni_placed *b, tni_placed_gap *out_gap) {
    placed_measure_at(a, b, dvec3_make(0.0, 0.0, 0.0), out_gap);
}

bool tni_placed_overlap(const tni_placed *a, const tni_placed *b) {
    if (a->is_half_space) {
        tni_placed_gap gap;
        placed_measure_over_plane(a, b, dvec3_make(0.0, 0.0, 0.0), &gap);
        return gap.separation <= 0.0;
    }
    tni_relative relative = placed_relate(a, b, dvec3_make(0.0, 0.0, 0.0));
    tni_gjk_result gjk;
    tni_gjk_distance(&a->convex.set, &b->convex.set, &relative, &gjk);
    return gjk.is_overlapping || (double)gjk.distance <= a->convex.radius + b->convex.radius;
}

// ---- casts ------------------------------------------------------------------------------------

bool tni_placed_cast(const tni_placed *a, const tni_placed *b, tni_dvec3 translation, double limit,
                     double *out_fraction, tni_placed_gap *out_gap) {
    double size = b->convex.size + b->convex.radius;
    size += a->is_half_space ? 0.0 : a->convex.size + a->convex.radius;
    double touch = CAST_TOUCH * size, s = 0.0;
    for (uint32_t step = 0; step < CAST_MOST_STEPS; ++step) {
        tni_placed_gap gap;
        placed_measure_at(a, b, dvec3_scale(translation, s), &gap);
        bool is_met = gap.separation <= 0.0;
        if (step == 0 && is_met) {
            *out_fraction = 0.0;
            *out_gap = gap;
            return true;
        }
        if (is_met) { // by a rounding: the last gap is that of the touch
            break;
        }
        double slope = dvec3_dot(gap.normal, translation);
        if (slope >= 0.0) {
            return false;
        }
        bool is_near = gap.separation <= touch;
        *out_gap = gap;
        s -= (is_near ? gap.separation : gap.separation - 0.5 * touch) / slope;
        if (s > limit) {
            return false;
        }
        if (is_near) {
            break;
        }
    }
    *out_fraction = s;
    out_gap->separation = 0.0;
    return true;
}
