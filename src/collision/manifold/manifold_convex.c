// collision/manifold/manifold_convex.c: cylinders, tapered capsules and ellipsoids against each
// other and every other shape but a half-space.
//
// The normal n is that of the greatest separation (support.h). Where a face of one of the shapes
// has the same separation up to round-off, n is that face's, exactly. Each shape meets the other
// with the facet that looks along n (facet.h). The facets are laid on a plane square to n, and
// points are taken where they cover each other: a segment is cut to a face, the corners of a
// polygon and the rim of a disc are kept within the other one, and their sides are crossed. The
// separation of a point is the difference of the two facets' heights there along n, so that a cap
// that leans has its own at each point. Where nothing covers anything, or nothing is as near as the
// shapes are, the nearest points are the contact. A triangle, which is always the first shape,
// pushes along a normal of its surface alone (triangle.h), as it does boxes and capsules. Test:
// tests/collision/manifold/test_manifold_convex.c
#include "collision/concave/triangle.h"
#include "collision/manifold/facet.h"

// A face has the normal when its separation is within this share of the sizes.
#define CONVEX_SAME 1e-6
// Two segments lie alongside below this sine squared, as capsules do (3 degrees).
#define CONVEX_ALONGSIDE_SINE2 2.7e-3
// Points within this share of a disc's radius beyond its rim are inside, and discs whose middles
// are nearer than that are one upon the other.
#define CONVEX_RIM 0.002
// The least length of a stretch that has two points, as a share of the sizes.
#define CONVEX_SHORT 1e-3
// m: the nearest point has been found if one is within this, or this share of the sizes.
#define CONVEX_FOUND       1e-4
#define CONVEX_FOUND_SHARE 1e-4

// A polygon's corners, both crossings of each of its sides with a rim, and the rim's points.
#define CONVEX_MOST_POINTS (3 * TNI_HULL_MAX_VERTICES + 8)

typedef struct convex_pair {
    tni_convex a, b;
    const tni_relative *relative;
    double margin, size;
    const tni_hull *triangle; // the first shape, if its face was taken in place of another, or null
    tni_convex_gap gap;
    tni_dvec3 n, u, v;          // n, and the plane square to it
    tni_facet facet_a, facet_b; // in a's frame
    uint32_t count;
    tni_manifold_point points[CONVEX_MOST_POINTS];
} convex_pair;

// ---- frames --------------------------------------------------------------------------------

static void convex_turn_facet(const tni_relative *r, tni_facet *facet) {
    tni_dvec3 at = dvec3_from_float(r->position);
    for (uint32_t i = 0; i < facet->count; ++i) {
        facet->points[i] = dvec3_add(at, basis_mul_d(&r->basis, facet->points[i]));
    }
    facet->normal = basis_mul_d(&r->basis, facet->normal);
    facet->center = dvec3_add(at, basis_mul_d(&r->basis, facet->center));
}

static void convex_find_facets(convex_pair *pair) {
    tni_facet_find(&pair->a, pair->n, &pair->facet_a);
    tni_facet_find(&pair->b,
                   basis_mul_transposed_d(&pair->relative->basis, dvec3_scale(pair->n, -1.0)),
                   &pair->facet_b);
    convex_turn_facet(pair->relative, &pair->facet_b);
}

static bool convex_is_face(const tni_facet *facet) {
    return facet->kind == TNI_FACET_POLYGON || facet->kind == TNI_FACET_DISC;
}

// Takes the normal of a face for n if that is no worse.
static void convex_snap(convex_pair *pair) {
    const tni_dvec3 normals[2] = {pair->facet_a.normal, dvec3_scale(pair->facet_b.normal, -1.0)};
    const bool are_faces[2] = {convex_is_face(&pair->facet_a), convex_is_face(&pair->facet_b)};
    double best = pair->gap.separation - CONVEX_SAME * pair->size;
    bool is_new = false;
    for (int e = 0; e < 2; ++e) {
        if (are_faces[e]) {
            tni_dvec3 n = normals[e];
            double s = tni_convex_get_separation(&pair->a, &pair->b, pair->relative, n);
            if (s > best) {
                best = s;
                pair->n = n;
                is_new = true;
            }
        }
    }
    if (is_new) {
        pair->gap.separation = best;
        convex_find_facets(pair);
    }
}

// ---- the plane -----------------------------------------------------------------------------

// A place on the plane square to n.
typedef struct convex_place {
    double x, y;
} convex_place;

static convex_place convex_lay(const convex_pair *pair, tni_dvec3 p) {
    return (convex_place){dvec3_dot(pair->u, p), dvec3_dot(pair->v, p)};
}

static double convex_get_height(const convex_pair *pair, tni_dvec3 p) {
    return dvec3_dot(pair->n, p);
}

static double convex_get_turn(convex_place from, convex_place to, convex_place p) {
    return (to.x - from.x) * (p.y - from.y) - (to.y - from.y) * (p.x - from.x);
}

static double convex_get_square(convex_place p, convex_place q) {
    return (p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y);
}

// Returns how high a face lies along n at a place.
static double convex_get_face_height(const convex_pair *pair, const tni_facet *face,
                                     convex_place p) {
    tni_dvec3 across = dvec3_add_scaled(dvec3_scale(pair->u, p.x), p.y, pair->v);
    tni_dvec3 some = face->kind == TNI_FACET_DISC ? face->center : face->points[0];
    double along = dvec3_dot(face->normal, pair->n);
    return dvec3_dot(face->normal, dvec3_sub(some, across)) / along;
}

// Adds the point between two heights at a place.
static void convex_add(convex_pair *pair, convex_place p, double low, double high,
                       uint32_t number_a, uint32_t number_b) {
    double separation = high - low - pair->a.radius - pair->b.radius;
    if (separation > pair->margin || pair->count == CONVEX_MOST_POINTS) {
        return;
    }
    double middle = 0.5 * (low + pair->a.radius + high - pair->b.radius);
    tni_dvec3 at = dvec3_add_scaled(dvec3_scale(pair->u, p.x), p.y, pair->v);
    tni_manifold_point *point = &pair->points[pair->count++];
    point->position = dvec3_to_float(dvec3_add_scaled(at, middle, pair->n));
    point->separation = (float)separation;
    point->feature = feature_of_other(number_a << 12 | number_b);
}

// Adds a point where both facets are faces.
static void convex_add_on_faces(convex_pair *pair, convex_place p, uint32_t number_a,
                                uint32_t number_b) {
    convex_add(pair, p, convex_get_face_height(pair, &pair->facet_a, p),
               convex_get_face_height(pair, &pair->facet_b, p), number_a, number_b);
}

// ---- segments ------------------------------------------------------------------------------

// Returns the point of a face above a place, from a disc's middle.
static tni_dvec3 convex_lift(const convex_pair *pair, const tni_facet *disc, convex_place p) {
    tni_dvec3 across = dvec3_add_scaled(dvec3_scale(pair->u, p.x), p.y, pair->v);
    double height = convex_get_face_height(pair, disc, p);
    return dvec3_sub(dvec3_add_scaled(across, height, pair->n), disc->center);
}

// The same as convex_cut(), for a disc: on its own plane, where it is round.
static bool convex_cut_to_disc(const convex_pair *pair, convex_place from, convex_place to,
                               const tni_facet *disc, double t[2]) {
    tni_dvec3 start = convex_lift(pair, disc, from);
    tni_dvec3 way = dvec3_sub(convex_lift(pair, disc, to), start);
    double inverse = maths_inverse_or_zero_d(dvec3_dot(way, way));
    double along = -dvec3_dot(start, way) * inverse;
    tni_dvec3 near = dvec3_add_scaled(start, along, way);
    double left = disc->radius * disc->radius - dvec3_dot(near, near);
    if (left < 0.0) {
        return false;
    }
    double half = sqrt(left * inverse);
    t[0] = maths_max_d(t[0], along - half);
    t[1] = maths_min_d(t[1], along + half);
    return t[0] <= t[1];
}

// Cuts the part of a segment from t[0] to t[1] to a face. Returns false when nothing is left.
static bool convex_cut(const convex_pair *pair, convex_place from, convex_place to,
                       const tni_facet *face, double t[2]) {
    if (face->kind == TNI_FACET_DISC) {
        return convex_cut_to_disc(pair, from, to, face, t);
    }
    double sign = 0.0; // of the polygon, as seen along n
    for (uint32_t i = 0; i < face->count; ++i) {
        convex_place p = convex_lay(pair, face->points[i]);
        convex_place q = convex_lay(pair, face->points[(i + 1) % face->count]);
        if (i == 0) {
            sign = dvec3_dot(face->normal, pair->n) > 0.0 ? 1.0 : -1.0;
        }
        double first = sign * convex_get_turn(p, q, from), last = sign * convex_get_turn(p, q, to);
        if (first < 0.0 && last < 0.0) {
            return false;
        }
        if (first < 0.0) {
            t[0] = maths_max_d(t[0], first / (first - last));
        } else if (last < 0.0) {
            t[1] = maths_min_d(t[1], first / (first - last));
        }
    }
    return t[0] <= t[1];
}

// Points where a segment covers a face.
static void convex_meet_segment(convex_pair *pair, bool is_of_a) {
    const tni_facet *segment = is_of_a ? &pair->facet_a : &pair->facet_b;
    const tni_facet *face = is_of_a ? &pair->facet_b : &pair->facet_a;
    convex_place from = convex_lay(pair, segment->points[0]);
    convex_place to = convex_lay(pair, segment->points[1]);
    double t[2] = {0.0, 1.0};
    if (!convex_cut(pair, from, to, face, t) ||
        (t[1] - t[0]) * sqrt(convex_get_square(from, to)) < CONVEX_SHORT * pair->size) {
        return;
    }
    double start = convex_get_height(pair, segment->points[0]);
    double end = convex_get_height(pair, segment->points[1]);
    for (int i = 0; i < 2; ++i) {
        convex_place p = {from.x + t[i] * (to.x - from.x), from.y + t[i] * (to.y - from.y)};
        double own = start + t[i] * (end - start), of_face = convex_get_face_height(pair, face, p);
        uint32_t number = segment->numbers[i];
        convex_add(pair, p, is_of_a ? own : of_face, is_of_a ? of_face : own, is_of_a ? number : 0,
                   is_of_a ? 0 : number);
    }
}

// Points where two segments lie alongside.
static void convex_meet_segments(convex_pair *pair) {
    const tni_facet *a = &pair->facet_a, *b = &pair->facet_b;
    convex_place from = convex_lay(pair, a->points[0]), to = convex_lay(pair, a->points[1]);
    convex_place start = convex_lay(pair, b->points[0]), end = convex_lay(pair, b->points[1]);
    double length = sqrt(convex_get_square(from, to)), other = sqrt(convex_get_square(start, end));
    double inverse = maths_inverse_or_zero_d(length);
    convex_place d = {(to.x - from.x) * inverse, (to.y - from.y) * inverse};
    double s = (start.x - from.x) * d.x + (start.y - from.y) * d.y;
    double e = (end.x - from.x) * d.x + (end.y - from.y) * d.y;
    double across = d.x * (end.y - start.y) - d.y * (end.x - start.x);
    double low = maths_max_d(0.0, maths_min_d(s, e)), high = maths_min_d(length, maths_max_d(s, e));
    if (across * across > CONVEX_ALONGSIDE_SINE2 * other * other ||
        high - low < CONVEX_SHORT * pair->size) {
        return;
    }
    double from_height = convex_get_height(pair, a->points[0]);
    double slope = (convex_get_height(pair, a->points[1]) - from_height) * inverse;
    double start_height = convex_get_height(pair, b->points[0]);
    double rise = (convex_get_height(pair, b->points[1]) - start_height) / (e - s);
    const double at[2] = {low, high};
    for (uint32_t i = 0; i < 2; ++i) {
        convex_place p = {from.x + at[i] * d.x, from.y + at[i] * d.y};
        convex_add(pair, p, from_height + slope * at[i], start_height + rise * (at[i] - s),
                   a->numbers[i], 0);
    }
}

// ---- discs ---------------------------------------------------------------------------------

static bool convex_is_in_disc(const convex_pair *pair, const tni_facet *disc, convex_place p) {
    return dvec3_length(convex_lift(pair, disc, p)) <= (1.0 + CONVEX_RIM) * disc->radius;
}

static bool convex_is_in_polygon(const convex_pair *pair, const tni_facet *face, convex_place p,
                                 double slack) {
    double sign = dvec3_dot(face->normal, pair->n) > 0.0 ? 1.0 : -1.0;
    for (uint32_t i = 0; i < face->count; ++i) {
        convex_place from = convex_lay(pair, face->points[i]);
        convex_place to = convex_lay(pair, face->points[(i + 1) % face->count]);
        double beyond = -sign * convex_get_turn(from, to, p);
        if (beyond > slack * sqrt(convex_get_square(from, to))) {
            return false;
        }
    }
    return true;
}

// Adds the points of a disc's rim that lie within the other face.
static void convex_add_rim(convex_pair *pair, const tni_facet *disc, const tni_facet *other,
                           bool is_of_a) {
    double slack = CONVEX_RIM * disc->radius;
    for (uint32_t i = 0; i < disc->count; ++i) {
        convex_place p = convex_lay(pair, disc->points[i]);
        bool is_in = other->kind == TNI_FACET_DISC ? convex_is_in_disc(pair, other, p)
                                                   : convex_is_in_polygon(pair, other, p, slack);
        if (is_in) {
            uint32_t number = disc->numbers[i];
            convex_add_on_faces(pair, p, is_of_a ? number : 0, is_of_a ? 0 : number);
        }
    }
}

static void convex_meet_polygon(convex_pair *pair, bool disc_is_a) {
    const tni_facet *disc = disc_is_a ? &pair->facet_a : &pair->facet_b;
    const tni_facet *face = disc_is_a ? &pair->facet_b : &pair->facet_a;
    convex_add_rim(pair, disc, face, disc_is_a);
    for (uint32_t i = 0; i < face->count; ++i) {
        uint32_t next = (i + 1) % face->count, number = face->numbers[i];
        convex_place p = convex_lay(pair, face->points[i]);
        convex_place q = convex_lay(pair, face->points[next]);
        if (dvec3_length(convex_lift(pair, disc, p)) < disc->radius) {
            convex_add_on_faces(pair, p, disc_is_a ? 0 : number, disc_is_a ? number : 0);
        }
        double t[2] = {-1.0, 2.0};
        if (!convex_cut(pair, p, q, disc, t)) {
            continue;
        }
        for (uint32_t k = 0; k < 2; ++k) { // where the side crosses the rim
            if (t[k] > 0.0 && t[k] < 1.0) {
                convex_place at = {p.x + t[k] * (q.x - p.x), p.y + t[k] * (q.y - p.y)};
                uint32_t side = 1u << 10 | k << 9 | number;
                convex_add_on_faces(pair, at, disc_is_a ? 1u << 10 : side,
                                    disc_is_a ? side : 1u << 10);
            }
        }
    }
}

// The two points where the rims cross, and the points of either rim that look to the other one's
// middle.
static void convex_meet_lens(convex_pair *pair, convex_place a, convex_place b, double distance) {
    double r = pair->facet_a.radius, s = pair->facet_b.radius;
    convex_place to = {(b.x - a.x) / distance, (b.y - a.y) / distance};
    double along = 0.5 * (distance + (r * r - s * s) / distance);
    double across = sqrt(maths_max_d(r * r - along * along, 0.0));
    const double places[4][2] = {{along, across}, {along, -across}, {r, 0.0}, {distance - s, 0.0}};
    for (uint32_t i = 0; i < 4; ++i) {
        convex_place p = {a.x + places[i][0] * to.x - places[i][1] * to.y,
                          a.y + places[i][0] * to.y + places[i][1] * to.x};
        if (convex_is_in_disc(pair, &pair->facet_a, p) &&
            convex_is_in_disc(pair, &pair->facet_b, p)) { // neither leans much
            convex_add_on_faces(pair, p, 1u << 10 | i, 1u << 10);
        }
    }
}

static void convex_meet_discs(convex_pair *pair) {
    const tni_facet *a = &pair->facet_a, *b = &pair->facet_b;
    convex_place at_a = convex_lay(pair, a->center), at_b = convex_lay(pair, b->center);
    double distance = sqrt(convex_get_square(at_a, at_b)),
           least = maths_min_d(a->radius, b->radius);
    if (distance >= a->radius + b->radius) {
        return;
    }
    if (distance > fabs(a->radius - b->radius) + CONVEX_RIM * least) {
        convex_meet_lens(pair, at_a, at_b, distance);
    } else if (a->radius <= b->radius) {
        convex_add_rim(pair, a, b, true);
    } else {
        convex_add_rim(pair, b, a, false);
    }
}

// ---- the manifold --------------------------------------------------------------------------

static void convex_meet(convex_pair *pair) {
    tni_facet_kind a = pair->facet_a.kind, b = pair->facet_b.kind;
    bool is_face_a = convex_is_face(&pair->facet_a), is_face_b = convex_is_face(&pair->facet_b);
    if (a == TNI_FACET_DISC && b == TNI_FACET_DISC) {
        convex_meet_discs(pair);
    } else if (is_face_a && is_face_b) { // one of them is a disc
        convex_meet_polygon(pair, a == TNI_FACET_DISC);
    } else if (a == TNI_FACET_SEGMENT && b == TNI_FACET_SEGMENT) {
        convex_meet_segments(pair);
    } else if (a == TNI_FACET_SEGMENT && is_face_b) {
        convex_meet_segment(pair, true);
    } else if (b == TNI_FACET_SEGMENT && is_face_a) {
        convex_meet_segment(pair, false);
    }
}

// Adds the nearest points. A facet that is a point is where they are, exactly.
static void convex_add_nearest(convex_pair *pair) {
    const tni_facet *a = &pair->facet_a, *b = &pair->facet_b;
    double apart = pair->gap.separation + pair->a.radius + pair->b.radius;
    tni_dvec3 at = dvec3_add_scaled(pair->gap.point_a, -pair->a.radius, pair->gap.normal);
    uint32_t number_a = 0, number_b = 0;
    if (b->kind == TNI_FACET_POINT) {
        at = dvec3_add_scaled(b->points[0], -apart, pair->n);
        number_b = b->numbers[0];
    }
    if (a->kind == TNI_FACET_POINT) {
        at = a->points[0];
        number_a = a->numbers[0];
    }
    convex_place place = convex_lay(pair, at);
    if (pair->triangle != NULL && a->kind == TNI_FACET_POLYGON &&
        !convex_is_in_polygon(pair, a, place, CONVEX_RIM * (double)pair->triangle->inner_radius)) {
        return; // it is over the next triangle, or beside the surface
    }
    double low = convex_get_height(pair, at);
    if (pair->count > TNI_MANIFOLD_MAX_POINTS - 1) {
        pair->count = TNI_MANIFOLD_MAX_POINTS - 1;
    }
    bool is_named = number_a != 0 || number_b != 0;
    convex_add(pair, place, low, low + apart, is_named ? number_a : 1u << 11, number_b);
}

static bool convex_has_nearest(const convex_pair *pair) {
    double found = maths_min_d(CONVEX_FOUND, CONVEX_FOUND_SHARE * pair->size);
    for (uint32_t i = 0; i < pair->count; ++i) {
        if ((double)pair->points[i].separation <= pair->gap.separation + found) {
            return true;
        }
    }
    return false;
}

// Measures the pair, from the normal of the step before if there is one.
static void convex_measure(convex_pair *pair, const tni_manifold_cache *cache) {
    if (cache->axis_kind == NARROW_AXIS_FREE) {
        tni_dvec3 near = dvec3_from_float(narrow_cache_free(cache));
        near = dvec3_scale(near, maths_inverse_or_zero_d(dvec3_length(near)));
        if (tni_convex_measure_near(&pair->a, &pair->b, pair->relative, near, &pair->gap)) {
            return;
        }
    }
    tni_convex_measure(&pair->a, &pair->b, pair->relative, &pair->gap);
}

// Has a triangle of the first shape push along a normal that its surface has. Returns false where
// it does not meet the other shape, or a neighbour meets it. The least overlap of a shape that is
// deep in may be out of its back.
static bool convex_take_surface(convex_pair *pair, const tni_hull *triangle) {
    vec3s middle = relative_point(pair->relative, tni_geometry_get_centroid(pair->b.geometry));
    uint32_t side = triangle_get_side(triangle, middle);
    vec3s n = dvec3_to_float(pair->gap.normal);
    bool overlaps = pair->gap.separation <= 0.0;
    bool is_faced = side != TNI_NONE && triangle_faces(triangle, side, n);
    if (side == TNI_NONE || (!overlaps && !is_faced)) {
        return false;
    }
    if (!overlaps || (is_faced && tni_triangle_allows(triangle, side, n))) {
        return true;
    }
    tni_dvec3 face = dvec3_from_float(triangle->planes[side].normal);
    double s = tni_convex_get_separation(&pair->a, &pair->b, pair->relative, face);
    float inner = tni_geometry_inner_radius(pair->b.geometry);
    double tolerance = (double)narrow_axis_tolerance(triangle->inner_radius, inner);
    if (is_faced && s < (double)TNI_TRIANGLE_BESIDE * pair->gap.separation - tolerance &&
        !tni_triangle_is_under(triangle, middle)) {
        return false;
    }
    pair->triangle = triangle;
    tni_dvec3 back = basis_mul_transposed_d(&pair->relative->basis, dvec3_scale(face, -1.0));
    tni_dvec3 point = basis_mul_d(&pair->relative->basis, tni_convex_get_point(&pair->b, back));
    pair->gap.normal = face;
    pair->gap.separation = s;
    pair->gap.point_b = dvec3_add(dvec3_from_float(pair->relative->position), point);
    pair->gap.point_a = dvec3_add_scaled(pair->gap.point_b, -s, face);
    return true;
}

void tni_collide_convex(const tni_geometry *a, const tni_geometry *b, const tni_relative *relative,
                        float margin, tni_manifold_cache *cache, tni_manifold *manifold) {
    convex_pair pair;
    pair.relative = relative;
    pair.margin = (double)margin;
    pair.count = 0;
    pair.triangle = NULL;
    tni_convex_set(&pair.a, a);
    tni_convex_set(&pair.b, b);
    pair.size = pair.a.size + pair.b.size;
    convex_measure(&pair, cache);
    if (!(pair.gap.separation <= pair.margin)) {
        return;
    }
    if (tni_geometry_is_triangle(a) && !convex_take_surface(&pair, a->hull.hull)) {
        return;
    }
    narrow_cache_set_free(cache, dvec3_to_float(pair.gap.normal));
    pair.n = pair.gap.normal;
    convex_find_facets(&pair);
    convex_snap(&pair);
    vec3s normal = dvec3_to_float(pair.n);
    pair.u = dvec3_from_float(maths_vec3_perpendicular(normal));
    pair.u = dvec3_add_scaled(pair.u, -dvec3_dot(pair.u, pair.n), pair.n);
    pair.u = dvec3_scale(pair.u, maths_inverse_or_zero_d(dvec3_length(pair.u)));
    pair.v = dvec3_cross(pair.n, pair.u);
    convex_meet(&pair);
    tni_manifold_reduce(pair.points, pair.count, normal, manifold);
    if (!convex_has_nearest(&pair)) {
        pair.count = manifold->point_count;
        for (uint32_t i = 0; i < pair.count; ++i) {
            pair.points[i] = manifold->points[i];
        }
        convex_add_nearest(&pair);
        tni_manifold_reduce(pair.points, pair.count, normal, manifold);
    }
}
