// collision/support.c: see support.h.
//
// Cores that are apart are measured by GJK (gjk.h). Cores that overlap have the least depth along
// the n at which the separation
//     s(n) = n.p_b(-n) - n.p_a(n)        p_a, p_b the support points
// is greatest, and s has several maxima. The search begins at the best few of many directions: the
// axes of both shapes and the normals of their faces, and directions all round if the overlap is
// deep. It climbs from
// there by pushing b along n until the cores are d apart, which takes t = d - s(n). With n' the
// normal that GJK finds for the pushed cores, their distance along it is at least d, so
//     s(n') >= d - t n.n' >= d - t = s(n):
// a step never goes down, and it stands still only at a maximum. For curved cores the error falls
// by (t)/(t + R) in a step, with R the radius of curvature: at once where an overlap is shallow.
// Polyhedra with few edges need no search: s is greatest along a normal of a face or along the
// cross product of two edges (S. Gottschalk, M. Lin, D. Manocha, "OBBTree", 1996), and all are
// tried. Otherwise this is the convex-concave procedure (A. Yuille and A. Rangarajan, Neural
// Computation 15, 2003) for s, which is a convex function less another. Test:
// tests/collision/test_support.c
#include "collision/support.h"

#include "collision/stretch.h"

#define SUPPORT_STARTS     8
#define SUPPORT_MOST_STEPS 40
// An overlap of less than this share of the smaller inner radius has the normal to which the best
// of the axes and sides leads: these are near it.
#define SUPPORT_SHALLOW 0.1
// An overlap of less than this share keeps the normal that it had.
#define SUPPORT_NEAR_DEPTH 0.02
// All axes of two polyhedra are tried if they have at most so many pairs of edges.
#define SUPPORT_EDGE_PAIRS 36
// The directions all round, and the cosine of the angle between starts.
#define SUPPORT_AROUND 160
#define SUPPORT_NEAR   0.94
// b is pushed to this distance, as a share of the smaller inner radius, and of the sizes at least.
#define SUPPORT_PUSH       0.01
#define SUPPORT_LEAST_PUSH 1e-4
// Stands for the edges of a curved core; and the least sine of two edges with a cross product.
#define SUPPORT_CURVED      1000u
#define SUPPORT_LEAST_CROSS 1e-6
// A climb ends when it gains less than this share of the size.
#define SUPPORT_GAIN 1e-10
// The ratio of the golden section, less 1: the turn from one direction to the next.
#define SUPPORT_GOLDEN 0.6180339887498949

// ---- support points ------------------------------------------------------------------------

static tni_dvec3 support_of_box(const void *shape, tni_dvec3 d) {
    tni_dvec3 h = dvec3_from_float(((const tni_geometry *)shape)->box.half_extents);
    return dvec3_make(d.x < 0.0 ? -h.x : h.x, d.y < 0.0 ? -h.y : h.y, d.z < 0.0 ? -h.z : h.z);
}

static tni_dvec3 support_of_cylinder(const void *shape, tni_dvec3 d) {
    const tni_geometry *g = shape;
    double h = (double)g->cylinder.half_length, bottom = (double)g->cylinder.radius_bottom;
    double top = (double)g->cylinder.radius_top, off = sqrt(d.x * d.x + d.z * d.z);
    bool is_top = h * d.y + top * off > -h * d.y + bottom * off;
    double scale = (is_top ? top : bottom) * maths_inverse_or_zero_d(off);
    return dvec3_make(scale * d.x, is_top ? h : -h, scale * d.z);
}

// Takes the two balls without the smaller one's radius.
static tni_dvec3 support_of_tapered_capsule(const void *shape, tni_dvec3 d) {
    const tni_geometry *g = shape;
    double h = (double)g->tapered_capsule.half_length, length = dvec3_length(d);
    double bottom = (double)g->tapered_capsule.radius_bottom;
    double top = (double)g->tapered_capsule.radius_top, least = maths_min_d(bottom, top);
    bool is_top = h * d.y + top * length > -h * d.y + bottom * length;
    double radius = (is_top ? top : bottom) - least;
    tni_dvec3 p = dvec3_scale(d, radius * maths_inverse_or_zero_d(length));
    return dvec3_make(p.x, p.y + (is_top ? h : -h), p.z);
}

static tni_dvec3 support_of_ellipsoid(const void *shape, tni_dvec3 d) {
    tni_dvec3 r = dvec3_from_float(((const tni_geometry *)shape)->ellipsoid.radii);
    tni_dvec3 scaled = dvec3_make(r.x * d.x, r.y * d.y, r.z * d.z);
    double inverse = maths_inverse_or_zero_d(dvec3_length(scaled));
    return dvec3_make(r.x * scaled.x * inverse, r.y * scaled.y * inverse, r.z * scaled.z * inverse);
}

static tni_dvec3 support_of_stretched(const void *shape, tni_dvec3 d) {
    const tni_geometry *g = shape;
    tni_dvec3 p = tni_stretch_get_point(g->stretch, d);
    double half = g->type == TNI_GEOMETRY_CAPSULE ? (double)g->capsule.half_length : 0.0;
    return dvec3_make(p.x, p.y + (d.y < 0.0 ? -half : half), p.z);
}

static void support_set_core(tni_convex *convex) {
    const tni_geometry *g = convex->geometry;
    uint32_t count = 1;
    convex->points[0] = convex->points[1] = maths_vec3_zero();
    switch (g->type) {
    case TNI_GEOMETRY_CAPSULE:
        convex->points[0].y = -g->capsule.half_length;
        convex->points[1].y = g->capsule.half_length;
        convex->radius = (double)g->capsule.radius;
        count = 2;
        break;
    case TNI_GEOMETRY_BOX:
        convex->set = gjk_set_of_support(support_of_box, g);
        return;
    case TNI_GEOMETRY_HULL:
        convex->set = gjk_set_of_hull(g->hull.hull);
        return;
    case TNI_GEOMETRY_CYLINDER:
        convex->set = gjk_set_of_support(support_of_cylinder, g);
        return;
    case TNI_GEOMETRY_TAPERED_CAPSULE:
        convex->set = gjk_set_of_support(support_of_tapered_capsule, g);
        convex->radius =
            (double)maths_min(g->tapered_capsule.radius_bottom, g->tapered_capsule.radius_top);
        return;
    case TNI_GEOMETRY_ELLIPSOID:
        convex->set = gjk_set_of_support(support_of_ellipsoid, g);
        return;
    case TNI_GEOMETRY_SPHERE:
    default:
        convex->radius = (double)g->sphere.radius;
        break;
    }
    convex->set = gjk_set_of_points(convex->points, count);
}

void tni_convex_set(tni_convex *convex, const tni_geometry *geometry) {
    convex->geometry = geometry;
    convex->radius = (double)geometry->rounding;
    if (geometry->stretch != NULL) {
        convex->set = gjk_set_of_support(support_of_stretched, geometry);
    } else {
        support_set_core(convex);
    }
    convex->size = (double)tni_geometry_reach(geometry, geometry->position);
}

tni_dvec3 tni_convex_get_core_point(const tni_convex *convex, tni_dvec3 direction) {
    uint16_t index;
    return tni_gjk_find_support(&convex->set, direction, &index);
}

tni_dvec3 tni_convex_get_point(const tni_convex *convex, tni_dvec3 direction) {
    double inverse = maths_inverse_or_zero_d(dvec3_length(direction));
    return dvec3_add_scaled(tni_convex_get_core_point(convex, direction), convex->radius * inverse,
                            direction);
}

// ---- separation ----------------------------------------------------------------------------

// Returns s(n) of the cores.
static double support_get_core_separation(const tni_convex *a, const tni_convex *b,
                                          const tni_relative *relative, tni_dvec3 n) {
    tni_dvec3 back = basis_mul_transposed_d(&relative->basis, dvec3_scale(n, -1.0));
    tni_dvec3 of_a = tni_convex_get_core_point(a, n);
    tni_dvec3 of_b = basis_mul_d(&relative->basis, tni_convex_get_core_point(b, back));
    of_b = dvec3_add(of_b, dvec3_from_float(relative->position));
    return dvec3_dot(n, dvec3_sub(of_b, of_a));
}

double tni_convex_get_separation(const tni_convex *a, const tni_convex *b,
                                 const tni_relative *relative, tni_dvec3 n) {
    return support_get_core_separation(a, b, relative, n) - a->radius - b->radius;
}

// Takes the surfaces' points from those of the cores. The normal is unit.
static void support_finish(const tni_convex *a, const tni_convex *b, tni_convex_gap *gap) {
    gap->point_a = dvec3_add_scaled(gap->point_a, a->radius, gap->normal);
    gap->point_b = dvec3_add_scaled(gap->point_b, -b->radius, gap->normal);
    gap->separation -= a->radius + b->radius;
}

static tni_dvec3 support_get_unit(vec3s normal) {
    tni_dvec3 n = dvec3_from_float(normal);
    return dvec3_scale(n, maths_inverse_or_zero_d(dvec3_length(n)));
}

// ---- cores that overlap --------------------------------------------------------------------

typedef struct support_search {
    const tni_convex *a, *b;
    const tni_relative *relative;
    double size, inner, push;         // m
    tni_dvec3 starts[SUPPORT_STARTS]; // the best first
    double values[SUPPORT_STARTS];
    uint32_t count;
} support_search;

// Drops start `at`.
static void support_drop(support_search *search, uint32_t at) {
    search->count -= 1;
    for (uint32_t i = at; i < search->count; ++i) {
        search->starts[i] = search->starts[i + 1];
        search->values[i] = search->values[i + 1];
    }
}

// Offers a unit direction, in a's frame. Of starts that are near each other the best is kept, so
// that they are those of several maxima.
static void support_offer_one(support_search *search, tni_dvec3 n) {
    double s = support_get_core_separation(search->a, search->b, search->relative, n);
    for (uint32_t i = 0; i < search->count;) {
        bool is_near = dvec3_dot(n, search->starts[i]) > SUPPORT_NEAR;
        if (is_near && search->values[i] >= s) {
            return;
        }
        if (is_near) {
            support_drop(search, i);
        } else {
            i += 1;
        }
    }
    if (search->count == SUPPORT_STARTS && s <= search->values[SUPPORT_STARTS - 1]) {
        return;
    }
    uint32_t at = search->count < SUPPORT_STARTS ? search->count++ : SUPPORT_STARTS - 1;
    for (; at > 0 && s > search->values[at - 1]; --at) {
        search->starts[at] = search->starts[at - 1];
        search->values[at] = search->values[at - 1];
    }
    search->starts[at] = n;
    search->values[at] = s;
}

static void support_offer(support_search *search, tni_dvec3 d) {
    double length = dvec3_length(d);
    if (length > 0.0) {
        tni_dvec3 n = dvec3_scale(d, 1.0 / length);
        support_offer_one(search, n);
        support_offer_one(search, dvec3_scale(n, -1.0));
    }
}

static tni_dvec3 support_get_axis(uint32_t axis) {
    return dvec3_make(axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0);
}

// Calls `take` with the normals of a shape's faces, or with its axes, in a's frame.
typedef void (*support_take_fn)(support_search *search, tni_dvec3 direction);
static void support_visit_faces(support_search *search, const tni_geometry *geometry, bool is_b,
                                support_take_fn take) {
    bool is_hull = geometry->type == TNI_GEOMETRY_HULL;
    uint32_t count = is_hull ? geometry->hull.hull->face_count : 3;
    for (uint32_t i = 0; i < count; ++i) {
        tni_dvec3 n =
            is_hull ? dvec3_from_float(geometry->hull.hull->planes[i].normal) : support_get_axis(i);
        take(search, is_b ? basis_mul_d(&search->relative->basis, n) : n);
    }
}

// Offers the normals of the side of a shape of revolution towards the other one, `center` in its
// own frame.
static void support_offer_side(support_search *search, const tni_geometry *geometry,
                               tni_dvec3 center, bool is_b) {
    double half, bottom, top, off = sqrt(center.x * center.x + center.z * center.z);
    if (geometry->type == TNI_GEOMETRY_CYLINDER) {
        half = (double)geometry->cylinder.half_length;
        bottom = (double)geometry->cylinder.radius_bottom;
        top = (double)geometry->cylinder.radius_top;
    } else if (geometry->type == TNI_GEOMETRY_TAPERED_CAPSULE) {
        double slant = (double)geometry->tapered_capsule.radius_bottom -
                       (double)geometry->tapered_capsule.radius_top;
        double length = 2.0 * (double)geometry->tapered_capsule.half_length;
        half = 0.5 * sqrt(length * length - slant * slant); // the tangent's rise over `length`
        bottom = slant;
        top = 0.0;
    } else {
        return;
    }
    double x = off > 0.0 ? center.x / off : 1.0, z = off > 0.0 ? center.z / off : 0.0;
    for (int sign = -1; sign <= 1; sign += 2) {
        tni_dvec3 n = dvec3_make(2.0 * sign * half * x, bottom - top, 2.0 * sign * half * z);
        support_offer(search, is_b ? basis_mul_d(&search->relative->basis, n) : n);
    }
}

// ---- polyhedra with few edges ----

// Returns the number of directions of a core's edges, or a large one if it is curved. A point has
// none.
static uint32_t support_count_edges(const tni_geometry *geometry) {
    bool is_curved = geometry->stretch != NULL;
    switch (geometry->type) {
    case TNI_GEOMETRY_SPHERE:
        return is_curved ? SUPPORT_CURVED : 0;
    case TNI_GEOMETRY_CAPSULE:
        return is_curved ? SUPPORT_CURVED : 1;
    case TNI_GEOMETRY_BOX:
        return 3;
    case TNI_GEOMETRY_HULL:
        return geometry->hull.hull->half_edge_count / 2;
    default:
        return SUPPORT_CURVED;
    }
}

static bool support_has_few_edges(const support_search *search) {
    uint32_t of_a = support_count_edges(search->a->geometry);
    uint32_t of_b = support_count_edges(search->b->geometry);
    return of_a < SUPPORT_CURVED && of_b < SUPPORT_CURVED && of_a * of_b <= SUPPORT_EDGE_PAIRS;
}

static tni_dvec3 support_get_edge(const tni_geometry *geometry, uint32_t edge) {
    if (geometry->type == TNI_GEOMETRY_HULL) {
        return dvec3_from_float(geometry->hull.hull->edge_directions[edge]);
    }
    return support_get_axis(geometry->type == TNI_GEOMETRY_CAPSULE ? 1 : edge);
}

// Tries a direction and its opposite, in a's frame. The best of all is the first start.
static void support_try(support_search *search, tni_dvec3 d) {
    double length = dvec3_length(d);
    for (double sign = 1.0; sign >= -1.0 && length > SUPPORT_LEAST_CROSS; sign -= 2.0) {
        tni_dvec3 n = dvec3_scale(d, sign / length);
        double s = support_get_core_separation(search->a, search->b, search->relative, n);
        if (s > search->values[0]) {
            search->values[0] = s;
            search->starts[0] = n;
        }
    }
}

static void support_try_all(support_search *search) {
    const tni_geometry *a = search->a->geometry, *b = search->b->geometry;
    uint32_t edges_a = support_count_edges(a), edges_b = support_count_edges(b);
    support_visit_faces(search, a, false, support_try);
    support_visit_faces(search, b, true, support_try);
    for (uint32_t j = 0; j < edges_b; ++j) {
        tni_dvec3 edge = basis_mul_d(&search->relative->basis, support_get_edge(b, j));
        for (uint32_t i = 0; i < edges_a; ++i) {
            support_try(search, dvec3_cross(support_get_edge(a, i), edge));
        }
    }
}

// ---- other shapes ----

static void support_offer_around(support_search *search) {
    for (int i = 0; i < SUPPORT_AROUND / 2; ++i) {
        double y = (i + 0.5) / (SUPPORT_AROUND / 2), r = sqrt(1.0 - y * y);
        double angle = 2.0 * MATHS_PI * SUPPORT_GOLDEN * i;
        support_offer(search, dvec3_make(r * tni_maths_cos(angle), y, r * tni_maths_sin(angle)));
    }
}

// Measures the cores with b pushed along n, from where the separation is s, to the distance
// `push`. Returns how far that was.
static double support_push(const support_search *search, tni_dvec3 n, double s,
                           tni_gjk_result *gjk) {
    tni_relative pushed = *search->relative;
    double way = maths_max_d(search->push - s, 0.0);
    pushed.position = glms_vec3_add(pushed.position, dvec3_to_float(dvec3_scale(n, way)));
    tni_gjk_distance(&search->a->set, &search->b->set, &pushed, gjk);
    return way;
}

// Takes the points where cores touch that were pushed apart.
static void support_set_points(const support_search *search, const tni_gjk_result *gjk, double way,
                               tni_convex_gap *gap) {
    gap->point_a = dvec3_from_float(gjk->point_a);
    gap->point_b = dvec3_add_scaled(dvec3_from_float(gjk->point_b), -way, gap->normal);
    if (gjk->is_overlapping) { // the numbers leave no room to push
        gap->point_a = tni_convex_get_core_point(search->a, gap->normal);
        gap->point_b = dvec3_add_scaled(gap->point_a, gap->separation, gap->normal);
    }
}

static void support_set_best(const support_search *search, tni_dvec3 n, double s,
                             const tni_gjk_result *gjk, double way, tni_convex_gap *best) {
    best->separation = s;
    best->normal = n;
    support_set_points(search, gjk, way, best);
}

// Climbs from a start: see the head of the file.
static void support_climb(const support_search *search, tni_dvec3 n, double s,
                          tni_convex_gap *best) {
    for (int i = 0; i < SUPPORT_MOST_STEPS; ++i) {
        tni_gjk_result gjk;
        double way = support_push(search, n, s, &gjk);
        if (s > best->separation) {
            support_set_best(search, n, s, &gjk, way, best);
        }
        tni_dvec3 next = support_get_unit(gjk.normal);
        double higher = gjk.is_overlapping ? s
                                           : support_get_core_separation(search->a, search->b,
                                                                         search->relative, next);
        if (way == 0.0 && higher > best->separation) { // the cores are apart: there is no other
            support_set_best(search, next, higher, &gjk, way, best);
            return;
        }
        if (!(higher > s + SUPPORT_GAIN * search->size)) {
            return;
        }
        n = next;
        s = higher;
    }
}

// Returns whether the shapes are apart along a direction, or its opposite, from a to b.
static bool support_parts(const tni_convex *a, const tni_convex *b, const tni_relative *relative,
                          tni_dvec3 d) {
    double length = dvec3_length(d);
    double sign = dvec3_dot(d, dvec3_from_float(relative->position)) < 0.0 ? -1.0 : 1.0;
    tni_dvec3 n = dvec3_scale(d, sign * maths_inverse_or_zero_d(length));
    return length > 0.0 && tni_convex_get_separation(a, b, relative, n) > 0.0;
}

bool tni_convex_are_parted(const tni_convex *a, const tni_convex *b, const tni_relative *relative) {
    bool are_parted = support_parts(a, b, relative, dvec3_from_float(relative->position));
    for (uint32_t i = 0; i < 3 && a->geometry->type == TNI_GEOMETRY_BOX && !are_parted; ++i) {
        are_parted = support_parts(a, b, relative, support_get_axis(i));
    }
    for (uint32_t i = 0; i < 3 && b->geometry->type == TNI_GEOMETRY_BOX && !are_parted; ++i) {
        are_parted =
            support_parts(a, b, relative, basis_mul_d(&relative->basis, support_get_axis(i)));
    }
    return are_parted;
}

static support_search support_begin(const tni_convex *a, const tni_convex *b,
                                    const tni_relative *relative) {
    support_search search = {.a = a, .b = b, .relative = relative, .size = a->size + b->size};
    search.inner = (double)maths_min(tni_geometry_inner_radius(a->geometry),
                                     tni_geometry_inner_radius(b->geometry));
    search.push = maths_max_d(SUPPORT_PUSH * search.inner, SUPPORT_LEAST_PUSH * search.size);
    return search;
}

bool tni_convex_measure_near(const tni_convex *a, const tni_convex *b, const tni_relative *relative,
                             tni_dvec3 normal, tni_convex_gap *out_gap) {
    support_search search = support_begin(a, b, relative);
    out_gap->separation = -DBL_MAX;
    support_climb(&search, normal, support_get_core_separation(a, b, relative, normal), out_gap);
    out_gap->is_deep = out_gap->separation <= 0.0;
    bool is_near = out_gap->separation > -SUPPORT_NEAR_DEPTH * search.inner;
    support_finish(a, b, out_gap);
    return is_near;
}

// `looked` is the direction in which GJK found the overlap: near the normal of a shallow one.
static void support_measure_deep(const tni_convex *a, const tni_convex *b,
                                 const tni_relative *relative, vec3s looked, tni_convex_gap *gap) {
    support_search search = support_begin(a, b, relative);
    gap->is_deep = true;
    gap->separation = -DBL_MAX;
    if (support_has_few_edges(&search)) {
        search.values[0] = -DBL_MAX;
        support_try_all(&search);
        support_climb(&search, search.starts[0], search.values[0], gap);
        return;
    }
    tni_dvec3 axis_b = dvec3_from_float(relative->basis.y);
    support_offer(&search, dvec3_from_float(looked));
    support_offer(&search, dvec3_from_float(relative->position));
    support_visit_faces(&search, a->geometry, false, support_offer);
    support_visit_faces(&search, b->geometry, true, support_offer);
    support_offer(&search, dvec3_cross(dvec3_make(0.0, 1.0, 0.0), axis_b));
    tni_dvec3 between = dvec3_from_float(relative->position);
    support_offer_side(&search, a->geometry, between, false);
    support_offer_side(&search, b->geometry,
                       basis_mul_transposed_d(&relative->basis, dvec3_scale(between, -1.0)), true);
    support_climb(&search, search.starts[0], search.values[0], gap);
    if (gap->separation < -SUPPORT_SHALLOW * search.inner) {
        support_offer_around(&search);
        for (uint32_t i = 0; i < search.count; ++i) {
            support_climb(&search, search.starts[i], search.values[i], gap);
        }
    }
}

void tni_convex_measure(const tni_convex *a, const tni_convex *b, const tni_relative *relative,
                        tni_convex_gap *out_gap) {
    tni_gjk_result gjk;
    tni_gjk_distance(&a->set, &b->set, relative, &gjk);
    if (gjk.is_overlapping) {
        support_measure_deep(a, b, relative, gjk.looked, out_gap);
    } else {
        out_gap->is_deep = false;
        out_gap->normal = support_get_unit(gjk.normal);
        out_gap->separation = support_get_core_separation(a, b, relative, out_gap->normal);
        out_gap->point_a = dvec3_from_float(gjk.point_a);
        out_gap->point_b = dvec3_from_float(gjk.point_b);
    }
    support_finish(a, b, out_gap);
}
