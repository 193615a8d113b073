// collision/gjk.c: the distance between two convex sets of points.
//
// Gilbert, Johnson, Keerthi, "A Fast Procedure for Computing the Distance Between Complex Objects
// in Three-Dimensional Space", 1988: the difference a - b of two convex sets is convex; its point v
// nearest the origin is found by growing a simplex of support points and keeping, each time, the
// face of it that is nearest. It ends when the support point in direction -v is no nearer:
// |v|^2 - v . w is a bound on the error. The nearest face is found by regions, as in Christer
// Ericson, "Real-Time Collision Detection", 2005, section 5.1. The few sums of the simplex are in
// double: near the end they cancel, and float would stall at a distance of 1e-4 of the size.
// Test: tests/collision/test_gjk.c
#include "collision/gjk.h"

#include "core/lanes.h"

#define GJK_MAX_ITERATIONS 40
// The search ends at this bound on the error, relative to |v|^2.
#define GJK_TOLERANCE 1e-7
// Curved sets have no last corner. Their bound is as low as the normal needs, whose error is the
// root of it, and each round of the search brings it down by a factor.
#define GJK_MAX_CURVED_ITERATIONS 120
#define GJK_CURVED_TOLERANCE      1e-12
// Nearer than this fraction of the simplex's size counts as overlapping.
#define GJK_OVERLAP 1e-6

typedef struct gjk_vertex {
    tni_dvec3 w; // a - b
    vec3s a, b;  // in a's frame
    uint16_t index_a, index_b;
    double weight;
} gjk_vertex;

typedef struct gjk_simplex {
    gjk_vertex vertex[4];
    uint32_t count;
    bool is_curved; // of sets of which one is
} gjk_simplex;

// Returns the first of the points that lie farthest along the direction, four at once.
static uint32_t gjk_scan_lanes(const tni_gjk_set *set, vec3s direction) {
    const float *x = set->lanes, *y = x + set->lane_count, *z = y + set->lane_count;
    tni_f4 u = f4_splat(direction.x), v = f4_splat(direction.y), w = f4_splat(direction.z);
    tni_f4 most = f4_splat(-FLT_MAX), best = f4_zero();
    tni_f4 at = f4_make(0.0f, 1.0f, 2.0f, 3.0f), four = f4_splat(4.0f);
    for (uint32_t i = 0; i < set->lane_count; i += 4) {
        tni_f4 height = f4_add_product(f4_mul(f4_load(x + i), u), f4_load(y + i), v);
        height = f4_add_product(height, f4_load(z + i), w);
        best = f4_pick(f4_less(most, height), at, best);
        most = f4_max(most, height);
        at = f4_add(at, four);
    }
    tni_f4 top = f4_max(most, f4_swap_inner(most));
    top = f4_max(top, f4_swap_outer(top));
    best = f4_pick(f4_at_most(top, most), best, f4_splat((float)(set->count - 1)));
    best = f4_min(best, f4_swap_inner(best));
    return (uint32_t)f4_first(f4_min(best, f4_swap_outer(best)));
}

static uint32_t gjk_scan(const tni_gjk_set *set, vec3s direction) {
    uint32_t best = 0;
    float best_dot = narrow_dot(set->points[0], direction);
    for (uint32_t i = 1; i < set->count; ++i) {
        float d = narrow_dot(set->points[i], direction);
        if (d > best_dot) {
            best_dot = d;
            best = i;
        }
    }
    return best;
}

static uint32_t gjk_support(const tni_gjk_set *set, vec3s direction) {
    return set->lanes != NULL ? gjk_scan_lanes(set, direction) : gjk_scan(set, direction);
}

// A face of the simplex has its corners, and the weights with which they make its nearest point.
typedef struct gjk_face {
    uint32_t count;
    uint8_t which[3];
    double weight[3];
} gjk_face;

static void gjk_keep(gjk_simplex *s, const gjk_face *face) {
    gjk_vertex kept[3];
    for (uint32_t i = 0; i < face->count; ++i) {
        kept[i] = s->vertex[face->which[i]];
        kept[i].weight = face->weight[i];
    }
    for (uint32_t i = 0; i < face->count; ++i) {
        s->vertex[i] = kept[i];
    }
    s->count = face->count;
}

static void gjk_copy(const gjk_simplex *from, gjk_simplex *to) {
    for (uint32_t i = 0; i < from->count; ++i) {
        to->vertex[i] = from->vertex[i];
    }
    to->count = from->count;
}

static tni_dvec3 gjk_closest(const gjk_simplex *s) {
    tni_dvec3 v = dvec3_make(0.0, 0.0, 0.0);
    for (uint32_t i = 0; i < s->count; ++i) {
        v = dvec3_add_scaled(v, s->vertex[i].weight, s->vertex[i].w);
    }
    return v;
}

static tni_dvec3 gjk_closest_of(const gjk_simplex *s, const gjk_face *face) {
    tni_dvec3 v = dvec3_make(0.0, 0.0, 0.0);
    for (uint32_t i = 0; i < face->count; ++i) {
        v = dvec3_add_scaled(v, face->weight[i], s->vertex[face->which[i]].w);
    }
    return v;
}

static gjk_face gjk_one(uint8_t i) {
    return (gjk_face){1, {i}, {1.0}};
}

static gjk_face gjk_two(uint8_t i, uint8_t j, double t) {
    return (gjk_face){2, {i, j}, {1.0 - t, t}};
}

static gjk_face gjk_solve_segment(const gjk_simplex *s) {
    tni_dvec3 a = s->vertex[0].w;
    tni_dvec3 ab = dvec3_sub(s->vertex[1].w, a);
    double t = -dvec3_dot(a, ab), length = dvec3_dot(ab, ab);
    if (t <= 0.0) {
        return gjk_one(0);
    }
    return t >= length ? gjk_one(1) : gjk_two(0, 1, t / length);
}

// Returns the areas of the triangle's parts across from its corners, times its own, from the normal
// and the sides: what is left of them in a sliver, which the corners of curved sets make in the
// end.
static tni_dvec3 gjk_get_areas(tni_dvec3 a, tni_dvec3 b, tni_dvec3 c) {
    tni_dvec3 ab = dvec3_sub(b, a), ac = dvec3_sub(c, a), bc = dvec3_sub(c, b);
    tni_dvec3 n = dvec3_cross(ab, ac);
    return dvec3_make(dvec3_dot(n, dvec3_cross(b, bc)), -dvec3_dot(n, dvec3_cross(a, ac)),
                      dvec3_dot(n, dvec3_cross(a, ab)));
}

// Returns the nearest face of the triangle (i, j, k) of the simplex, by the regions of its corners,
// edges and inside.
static gjk_face gjk_solve_triangle(const gjk_simplex *s, uint8_t i, uint8_t j, uint8_t k) {
    tni_dvec3 a = s->vertex[i].w, b = s->vertex[j].w, c = s->vertex[k].w;
    tni_dvec3 ab = dvec3_sub(b, a), ac = dvec3_sub(c, a);
    double d1 = -dvec3_dot(ab, a), d2 = -dvec3_dot(ac, a);
    double d3 = -dvec3_dot(ab, b), d4 = -dvec3_dot(ac, b);
    double d5 = -dvec3_dot(ab, c), d6 = -dvec3_dot(ac, c);
    double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    if (s->is_curved) {
        tni_dvec3 areas = gjk_get_areas(a, b, c);
        va = areas.x, vb = areas.y, vc = areas.z;
    }
    double sum = va + vb + vc;
    if (d1 <= 0.0 && d2 <= 0.0) {
        return gjk_one(i);
    }
    if (d3 >= 0.0 && d4 <= d3) {
        return gjk_one(j);
    }
    if (d6 >= 0.0 && d5 <= d6) {
        return gjk_one(k);
    }
    if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
        return gjk_two(i, j, d1 * maths_inverse_or_zero_d(d1 - d3));
    }
    if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
        return gjk_two(i, k, d2 * maths_inverse_or_zero_d(d2 - d6));
    }
    if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
        return gjk_two(j, k, (d4 - d3) * maths_inverse_or_zero_d((d4 - d3) + (d5 - d6)));
    }
    if (sum > DBL_MIN) {
        return (gjk_face){3, {i, j, k}, {va / sum, vb / sum, vc / sum}};
    }
    return gjk_one(i);
}

// Returns true when the origin is inside; else keeps the nearest of the faces that it lies outside
// of, or of all of them when it is known to be outside.
static bool gjk_solve_tetrahedron(gjk_simplex *s, bool is_outside) {
    static const uint8_t faces[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
    gjk_face best = {0};
    double best_distance = DBL_MAX;
    for (uint32_t f = 0; f < 4; ++f) {
        tni_dvec3 p = s->vertex[faces[f][0]].w;
        tni_dvec3 n = dvec3_cross(dvec3_sub(s->vertex[faces[f][1]].w, p),
                                  dvec3_sub(s->vertex[faces[f][2]].w, p));
        double origin = -dvec3_dot(n, p);
        double opposite = dvec3_dot(n, dvec3_sub(s->vertex[faces[f][3]].w, p));
        // The origin is outside of this face, or the tetrahedron is flat and has no inside.
        if (origin * opposite > 0.0 && !is_outside) {
            continue;
        }
        gjk_face face = gjk_solve_triangle(s, faces[f][0], faces[f][1], faces[f][2]);
        tni_dvec3 v = gjk_closest_of(s, &face);
        double distance = dvec3_dot(v, v);
        if (distance < best_distance) {
            best_distance = distance;
            best = face;
        }
    }
    if (best_distance == DBL_MAX) {
        return true;
    }
    gjk_keep(s, &best);
    return false;
}

static bool gjk_solve(gjk_simplex *s, bool is_outside) {
    if (s->count == 1) {
        s->vertex[0].weight = 1.0;
        return false;
    }
    if (s->count == 4) {
        return gjk_solve_tetrahedron(s, is_outside);
    }
    gjk_face face = s->count == 2 ? gjk_solve_segment(s) : gjk_solve_triangle(s, 0, 1, 2);
    gjk_keep(s, &face);
    return false;
}

static bool gjk_has_vertex(const gjk_simplex *s, const gjk_vertex *v) {
    for (uint32_t i = 0; i < s->count; ++i) {
        const gjk_vertex *u = &s->vertex[i]; // indices of curved sets are all the same
        if (u->index_a == v->index_a && u->index_b == v->index_b && u->w.x == v->w.x &&
            u->w.y == v->w.y && u->w.z == v->w.z) {
            return true;
        }
    }
    return false;
}

static void gjk_report(const gjk_simplex *s, bool is_overlapping, tni_gjk_result *result) {
    vec3s a = maths_vec3_zero(), b = maths_vec3_zero();
    for (uint32_t i = 0; i < s->count; ++i) {
        a = maths_vec3_add_scaled(a, (float)s->vertex[i].weight, s->vertex[i].a);
        b = maths_vec3_add_scaled(b, (float)s->vertex[i].weight, s->vertex[i].b);
        result->index_a[i] = s->vertex[i].index_a;
        result->index_b[i] = s->vertex[i].index_b;
    }
    tni_dvec3 v = gjk_closest(s);
    double distance = dvec3_length(v);
    result->count = s->count;
    result->point_a = a;
    result->point_b = b;
    result->is_overlapping = is_overlapping;
    result->distance = is_overlapping ? 0.0f : (float)distance;
    result->normal = is_overlapping
                         ? maths_vec3_zero()
                         : dvec3_to_float(dvec3_scale(v, -maths_inverse_or_zero_d(distance)));
}

tni_dvec3 tni_gjk_find_support(const tni_gjk_set *set, tni_dvec3 direction, uint16_t *out_index) {
    *out_index = 0;
    if (set->support != NULL) {
        return set->support(set->shape, direction);
    }
    *out_index = (uint16_t)gjk_support(set, dvec3_to_float(direction));
    return dvec3_from_float(set->points[*out_index]);
}

// Sets a vertex of sets of which one is curved, in double: the points of a curved set differ by
// less than a float in the end.
static void gjk_set_curved_vertex(const tni_gjk_set *a, const tni_gjk_set *b,
                                  const tni_relative *relative, tni_dvec3 direction,
                                  gjk_vertex *vertex) {
    tni_dvec3 back = dvec3_scale(basis_mul_transposed_d(&relative->basis, direction), -1.0);
    tni_dvec3 of_a = tni_gjk_find_support(a, direction, &vertex->index_a);
    tni_dvec3 of_b = tni_gjk_find_support(b, back, &vertex->index_b);
    of_b = dvec3_add(basis_mul_d(&relative->basis, of_b), dvec3_from_float(relative->position));
    vertex->a = dvec3_to_float(of_a);
    vertex->b = dvec3_to_float(of_b);
    vertex->w = dvec3_sub(of_a, of_b);
}

static void gjk_set_vertex(const tni_gjk_set *a, const tni_gjk_set *b, const tni_relative *relative,
                           vec3s direction, gjk_vertex *vertex) {
    vec3s back = glms_vec3_negate(basis_mul_transposed(&relative->basis, direction));
    vertex->index_a = (uint16_t)gjk_support(a, direction);
    vertex->index_b = (uint16_t)gjk_support(b, back);
    vertex->a = a->points[vertex->index_a];
    vertex->b = relative_point(relative, b->points[vertex->index_b]);
    vertex->w = dvec3_sub(dvec3_from_float(vertex->a), dvec3_from_float(vertex->b));
}

void tni_gjk_distance(const tni_gjk_set *a, const tni_gjk_set *b, const tni_relative *relative,
                      tni_gjk_result *result) {
    gjk_simplex s;
    bool is_curved = a->support != NULL || b->support != NULL;
    s.count = 0;
    s.is_curved = is_curved;
    double tolerance = is_curved ? GJK_CURVED_TOLERANCE : GJK_TOLERANCE;
    uint32_t most = is_curved ? GJK_MAX_CURVED_ITERATIONS : GJK_MAX_ITERATIONS;
    tni_dvec3 direction = dvec3_from_float(relative->position); // from a toward b
    double size = 0.0;
    bool is_overlapping = false;
    double last = DBL_MAX;
    tni_dvec3 nearest = dvec3_make(0.0, 0.0, 0.0); // of `good`
    gjk_simplex good;
    good.count = 0;
    for (uint32_t iteration = 0; iteration < most; ++iteration) {
        gjk_vertex *vertex = &s.vertex[s.count];
        if (is_curved) {
            gjk_set_curved_vertex(a, b, relative, direction, vertex);
        } else {
            gjk_set_vertex(a, b, relative, dvec3_to_float(direction), vertex);
        }
        size = maths_max_d(size, dvec3_dot(vertex->w, vertex->w));
        bool is_outside = false;
        if (iteration > 0) {
            // A plane between the sets is a proof, which a sliver's round-off is not.
            is_outside = is_curved && dvec3_dot(nearest, vertex->w) > 0.0;
            bool is_close = last - dvec3_dot(nearest, vertex->w) <= tolerance * last;
            if (is_close || gjk_has_vertex(&s, vertex)) {
                break;
            }
        }
        s.count += 1;
        if (gjk_solve(&s, is_outside)) {
            is_overlapping = true;
            break;
        }
        tni_dvec3 v = gjk_closest(&s);
        double distance = dvec3_dot(v, v);
        if (distance <= GJK_OVERLAP * GJK_OVERLAP * size) {
            is_overlapping = true;
            break;
        }
        if (!(distance < last)) {
            break;
        }
        last = distance;
        nearest = v;
        gjk_copy(&s, &good);
        double inverse = 1.0 / sqrt(distance);
        direction = dvec3_scale(v, -inverse);
    }
    result->looked = dvec3_to_float(direction);
    gjk_report(is_overlapping || good.count == 0 ? &s : &good, is_overlapping, result);
}
