// collision/path/path_step.c: how long a plane parts two shapes on their way.
//
// Along a fixed normal n the gap of two shapes is that of their supports. A point r of a body turns
// by w dt to r + dt w x r, but for |w|² |r| dt² / 2, and n.(r + dt w x r) = r.(n + dt n x w). So
// with h(d) the support of a shape, max d.r, in its pose at t, and R the reach of a shape about its
// centre of mass, the gap dt later is at least
//
//     L = n.(x_b + dt v_b - x_a - dt v_a) - h_b(-(n + dt n x w_b)) - h_a(n + dt n x w_a)
//         - (|w_a|² R_a + |w_b|² R_b) dt² / 2
//
// which needs only the pose at t. Supports are convex, so L is concave: where it is above a limit
// at one time and below it at a later one, the chord is below the limit from some time on at which
// L is not yet. A few chords come close to where L goes below. A round shape adds its radius along
// n, however it turns. Test: tests/collision/path/test_path_step.c
#include "collision/path/path_step.h"

#include <math.h>

#include "collision/narrow.h"

// There are this many chords at most, and a chord that is within this share of the depth is near
// enough.
#define STEP_CHORDS 4
#define STEP_NEAR   0.125

// This is the pair at t, and the plane.
typedef struct step_pair {
    tni_path_end a, b;
    tni_dvec3 normal, bend_a, bend_b; // n x w
    double closing;                   // n.(v_a - v_b), m/s
    double apart;                     // n.(x_b - x_a), m
    double round_off;                 // of L, by dt²: m/s²
} step_pair;

static bool step_is_known(const tni_geometry *geometry) {
    return geometry->type != TNI_GEOMETRY_HALF_SPACE && geometry->stretch == NULL;
}

// Returns h(d) from the centre of mass: that of the core of a round shape, and its radius.
static double step_get_support(const tni_path_end *end, tni_dvec3 d) {
    const tni_geometry *geometry = end->geometry;
    double middle = dvec3_dot(d, dvec3_sub(end->center, end->position));
    vec3s m = maths_rotate_inverse(end->rotation, dvec3_to_float(d));
    if (!tni_geometry_is_round(geometry)) {
        return middle + (double)tni_geometry_extent(geometry, m);
    }
    bool is_capsule = geometry->type == TNI_GEOMETRY_CAPSULE;
    float core = is_capsule ? fabsf(m.y) * geometry->capsule.half_length : 0.0f;
    return middle + (double)(core + tni_geometry_roundness(geometry));
}

// Returns L.
static double step_get_gap(const step_pair *pair, double time) {
    tni_dvec3 d_a = dvec3_add_scaled(pair->normal, time, pair->bend_a);
    tni_dvec3 d_b = dvec3_add_scaled(pair->normal, time, pair->bend_b);
    return pair->apart - pair->closing * time - pair->round_off * time * time -
           step_get_support(&pair->a, d_a) - step_get_support(&pair->b, dvec3_scale(d_b, -1.0));
}

double tni_path_get_step(const tni_path *path, double t, vec3s normal, double depth) {
    if (!step_is_known(path->a.geometry) || !step_is_known(path->b.geometry)) {
        return 0.0;
    }
    step_pair pair = {.a = tni_path_end_move(&path->a, t), .b = tni_path_end_move(&path->b, t)};
    tni_dvec3 n = pair.normal = dvec3_from_float(normal);
    tni_dvec3 w_a = path->a.angular_velocity, w_b = path->b.angular_velocity;
    pair.bend_a = dvec3_cross(n, w_a);
    pair.bend_b = dvec3_cross(n, w_b);
    pair.closing = dvec3_dot(n, dvec3_sub(path->a.velocity, path->b.velocity));
    pair.apart = dvec3_dot(n, dvec3_sub(pair.b.position, pair.a.position));
    pair.round_off = 0.5 * maths_max_d(dvec3_length(w_a), dvec3_length(w_b)) * path->reach_speed;
    double early = 0.0, late = path->dt - t, limit = -depth;
    double early_gap = step_get_gap(&pair, early), late_gap = step_get_gap(&pair, late);
    if (early_gap > limit && late_gap >= limit) {
        return late;
    }
    for (int i = 0; i < STEP_CHORDS && early_gap > limit + STEP_NEAR * depth; ++i) {
        early += (late - early) * (early_gap - limit) / (early_gap - late_gap);
        early_gap = step_get_gap(&pair, early);
    }
    return early;
}
