// collision/quickhull.c: the convex hull of points on an integer grid, as triangles.
//
// Quickhull (Barber, Dobkin, Huhdanpaa, "The Quickhull Algorithm for Convex Hulls", 1996): start
// from a tetrahedron; take the point farthest outside a face; the faces it sees form one patch;
// replace the patch by a fan from its rim to the point; hand the patch's points to the fan.
//
// Round-off in the question "does this point see this face" breaks quickhull. Here the points are
// first rounded to a grid of 2^20 steps along the largest side. The question is then the sign of an
// integer determinant of differences below 2^20, which fits in 63 bits: it is answered exactly, so
// the patch is always one disk and the rim one loop, whatever the cloud. (The other way, floating
// point with tolerances and repair of the topology, was rejected: it needs a case for every way in
// which it can go wrong.) The rounding moves a point by half a step, a millionth of the size; a
// point that lies outside by less than QUICKHULL_ACCEPT steps is not worth a corner. Test:
// tests/collision/test_hull.c
#include "collision/quickhull.h"

#include <string.h>

// A point must be this far outside of a face to become a corner, in grid units: ten millionths of
// the largest side.
#define QUICKHULL_ACCEPT 10.0
// A point that is less far outside becomes one where two faces meet in a sharp rim, if it is this
// far beyond that: a ten-thousandth of the largest side. Normals have at most this cosine there.
#define QUICKHULL_BEYOND 105.0
#define QUICKHULL_SHARP  (-0.9)
// A walk to such a rim takes no more steps.
#define QUICKHULL_WALK 64
// A cloud thinner than a ten-thousandth of its largest side has no inside.
#define QUICKHULL_FLAT 105.0
// m: clouds outside of this range have no volume that a float can hold.
#define QUICKHULL_MIN_EXTENT 1e-5
#define QUICKHULL_MAX_EXTENT 1e9
// There may be this many corners on the way, which is far above what a hull may have in the end.
#define QUICKHULL_MAX_CORNERS 2048u

typedef struct quickhull_vec {
    int64_t x, y, z;
} quickhull_vec;

static quickhull_vec quickhull_difference(const tni_quickhull_point *a,
                                          const tni_quickhull_point *b) {
    quickhull_vec d = {(int64_t)a->x - b->x, (int64_t)a->y - b->y, (int64_t)a->z - b->z};
    return d;
}

static quickhull_vec quickhull_cross(quickhull_vec a, quickhull_vec b) {
    quickhull_vec c = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return c;
}

static double quickhull_length(quickhull_vec v) {
    double x = (double)v.x, y = (double)v.y, z = (double)v.z;
    return sqrt(x * x + y * y + z * z);
}

// Returns an exact number, positive when the point is strictly outside the face's plane.
static int64_t quickhull_side(const tni_quickhull *hull, const tni_quickhull_face *face,
                              uint32_t point) {
    quickhull_vec d = quickhull_difference(&hull->points[point], &hull->points[face->vertex[0]]);
    return face->normal[0] * d.x + face->normal[1] * d.y + face->normal[2] * d.z;
}

// Orders points so that the last of several equally far ones is always a true corner.
static bool quickhull_is_after(const tni_quickhull_point *a, const tni_quickhull_point *b) {
    if (a->x != b->x) {
        return a->x > b->x;
    }
    return a->y != b->y ? a->y > b->y : a->z > b->z;
}

// ---- the grid ------------------------------------------------------------------------------

static tn_result quickhull_snap(tni_quickhull *hull, const vec3s *points, uint32_t count) {
    vec3s lower = points[0], upper = points[0];
    for (uint32_t i = 0; i < count; ++i) {
        if (!maths_vec3_is_finite(points[i])) {
            return TN_RESULT_NOT_FINITE;
        }
        lower = maths_vec3(maths_min(lower.x, points[i].x), maths_min(lower.y, points[i].y),
                           maths_min(lower.z, points[i].z));
        upper = maths_vec3(maths_max(upper.x, points[i].x), maths_max(upper.y, points[i].y),
                           maths_max(upper.z, points[i].z));
    }
    tni_dvec3 middle =
        dvec3_scale(dvec3_add(dvec3_from_float(lower), dvec3_from_float(upper)), 0.5);
    tni_dvec3 size = dvec3_sub(dvec3_from_float(upper), dvec3_from_float(lower));
    double extent = maths_max_d(size.x, maths_max_d(size.y, size.z));
    if (extent < QUICKHULL_MIN_EXTENT) {
        return TN_RESULT_DEGENERATE_HULL;
    }
    if (extent > QUICKHULL_MAX_EXTENT) {
        return TN_RESULT_TOO_LARGE;
    }
    hull->unit = extent / TNI_QUICKHULL_GRID;
    for (uint32_t i = 0; i < count; ++i) {
        tni_dvec3 p = dvec3_scale(dvec3_sub(dvec3_from_float(points[i]), middle), 1.0 / hull->unit);
        tni_quickhull_point snapped = {(int32_t)floor(p.x + 0.5), (int32_t)floor(p.y + 0.5),
                                       (int32_t)floor(p.z + 0.5), TNI_NONE, TNI_NONE};
        hull->points[i] = snapped;
    }
    return TN_RESULT_OK;
}

// ---- faces ---------------------------------------------------------------------------------

static uint32_t quickhull_add_face(tni_quickhull *hull, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t index;
    if (hull->free_count > 0) {
        index = hull->free_faces[--hull->free_count];
    } else {
        TN_ASSERT(hull->face_count < hull->face_capacity);
        index = hull->face_count++;
    }
    tni_quickhull_face *face = &hull->faces[index];
    memset(face, 0, sizeof *face);
    quickhull_vec n = quickhull_cross(quickhull_difference(&hull->points[b], &hull->points[a]),
                                      quickhull_difference(&hull->points[c], &hull->points[a]));
    face->vertex[0] = a;
    face->vertex[1] = b;
    face->vertex[2] = c;
    face->normal[0] = n.x;
    face->normal[1] = n.y;
    face->normal[2] = n.z;
    face->length = quickhull_length(n);
    face->outside = TNI_NONE;
    face->farthest = TNI_NONE;
    face->is_live = true;
    return index;
}

static void quickhull_remove_face(tni_quickhull *hull, uint32_t face) {
    hull->faces[face].is_live = false;
    hull->free_faces[hull->free_count++] = face;
}

static tni_dvec3 quickhull_to_double(quickhull_vec v) {
    return dvec3_make((double)v.x, (double)v.y, (double)v.z);
}

static tni_dvec3 quickhull_get_normal(const tni_quickhull_face *face) {
    return quickhull_to_double((quickhull_vec){face->normal[0], face->normal[1], face->normal[2]});
}

static double quickhull_get_cosine(const tni_quickhull_face *a, const tni_quickhull_face *b) {
    return dvec3_dot(quickhull_get_normal(a), quickhull_get_normal(b)) / (a->length * b->length);
}

// Finds the edge of a face that a point is farthest beyond, in the face's plane, and how far, in
// grid units.
static uint32_t quickhull_find_edge(const tni_quickhull *hull, const tni_quickhull_face *face,
                                    uint32_t point, double *out_beyond) {
    tni_dvec3 n = quickhull_get_normal(face);
    uint32_t best = 0;
    *out_beyond = -1.0;
    for (uint32_t k = 0; k < 3; ++k) {
        const tni_quickhull_point *from = &hull->points[face->vertex[k]];
        const tni_quickhull_point *to = &hull->points[face->vertex[(k + 1) % 3]];
        tni_dvec3 out = dvec3_cross(quickhull_to_double(quickhull_difference(to, from)), n);
        tni_dvec3 d = quickhull_to_double(quickhull_difference(&hull->points[point], from));
        double beyond = dvec3_dot(out, d) * maths_inverse_or_zero_d(dvec3_length(out));
        best = beyond > *out_beyond ? k : best;
        *out_beyond = maths_max_d(beyond, *out_beyond);
    }
    return best;
}

static double quickhull_get_distance(const tni_quickhull *hull, uint32_t face, uint32_t point) {
    return (double)quickhull_side(hull, &hull->faces[face], point) / hull->faces[face].length;
}

// Returns the face that a point is to be outside of, which is just outside of the given one, or
// TNI_NONE. The planes of a thin sheet leave a point far beyond its rim just outside of both: then
// it is the given one. A point in the plane of a base sees the base by round-off, and is clearly
// outside of a side beyond its edges. Walks from face to face toward the point, until there is one
// under it.
static uint32_t quickhull_find_beyond(const tni_quickhull *hull, uint32_t given, uint32_t point) {
    uint32_t face = given;
    for (uint32_t i = 0; i < QUICKHULL_WALK; ++i) {
        double beyond;
        uint32_t edge = quickhull_find_edge(hull, &hull->faces[face], point, &beyond);
        if (!(beyond > QUICKHULL_BEYOND)) {
            return TNI_NONE;
        }
        uint32_t next = hull->faces[face].neighbor[edge];
        if (quickhull_get_distance(hull, next, point) > QUICKHULL_ACCEPT) {
            return next;
        }
        if (quickhull_get_cosine(&hull->faces[face], &hull->faces[next]) < QUICKHULL_SHARP) {
            return given;
        }
        face = next;
    }
    return TNI_NONE;
}

static void quickhull_give(tni_quickhull *hull, uint32_t point, uint32_t to, double distance) {
    tni_quickhull_face *face = &hull->faces[to];
    hull->points[point].next = face->outside;
    face->outside = point;
    bool is_farther = distance > face->distance ||
                      (distance == face->distance &&
                       quickhull_is_after(&hull->points[point], &hull->points[face->farthest]));
    if (face->farthest == TNI_NONE || is_farther) {
        face->distance = distance;
        face->farthest = point;
    }
}

// Gives the point to the first of the faces that it lies clearly outside of, or to one beyond them.
// A point that is outside of none is lost.
static void quickhull_assign(tni_quickhull *hull, uint32_t point, const uint32_t *faces,
                             uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        double distance = quickhull_get_distance(hull, faces[i], point);
        uint32_t to = distance > QUICKHULL_ACCEPT ? faces[i]
                      : distance > 0.0            ? quickhull_find_beyond(hull, faces[i], point)
                                                  : TNI_NONE;
        if (to != TNI_NONE) {
            quickhull_give(hull, point, to, quickhull_get_distance(hull, to, point));
            return;
        }
    }
}

// ---- the first tetrahedron -----------------------------------------------------------------

// Finds four points far apart: an end, the point farthest from it, from their line, from their
// plane.
static bool quickhull_find_tetrahedron(const tni_quickhull *hull, uint32_t corner[4]) {
    const tni_quickhull_point *points = hull->points;
    for (uint32_t k = 0; k < 4; ++k) {
        corner[k] = 0;
    }
    for (uint32_t i = 1; i < hull->point_count; ++i) {
        if (quickhull_is_after(&points[i], &points[corner[0]])) {
            corner[0] = i;
        }
    }
    double best = -1.0;
    for (uint32_t i = 0; i < hull->point_count; ++i) {
        double d = quickhull_length(quickhull_difference(&points[i], &points[corner[0]]));
        if (d > best || (d == best && quickhull_is_after(&points[i], &points[corner[1]]))) {
            best = d;
            corner[1] = i;
        }
    }
    quickhull_vec u = quickhull_difference(&points[corner[1]], &points[corner[0]]);
    best = -1.0;
    for (uint32_t i = 0; i < hull->point_count; ++i) {
        quickhull_vec d = quickhull_difference(&points[i], &points[corner[0]]);
        double distance = quickhull_length(quickhull_cross(u, d)) / quickhull_length(u);
        if (distance > best ||
            (distance == best && quickhull_is_after(&points[i], &points[corner[2]]))) {
            best = distance;
            corner[2] = i;
        }
    }
    if (best < QUICKHULL_FLAT) {
        return false;
    }
    quickhull_vec n =
        quickhull_cross(u, quickhull_difference(&points[corner[2]], &points[corner[0]]));
    double length = quickhull_length(n);
    best = -1.0;
    bool is_above = false;
    for (uint32_t i = 0; i < hull->point_count; ++i) {
        quickhull_vec d = quickhull_difference(&points[i], &points[corner[0]]);
        int64_t side = n.x * d.x + n.y * d.y + n.z * d.z;
        double distance = fabs((double)side) / length;
        if (distance > best ||
            (distance == best && quickhull_is_after(&points[i], &points[corner[3]]))) {
            best = distance;
            corner[3] = i;
            is_above = side > 0;
        }
    }
    // They go counter-clockwise seen from outside: the fourth point is below the plane of the first
    // three.
    if (is_above) {
        uint32_t swapped = corner[1];
        corner[1] = corner[2];
        corner[2] = swapped;
    }
    return best >= QUICKHULL_FLAT;
}

static bool quickhull_start(tni_quickhull *hull) {
    uint32_t c[4];
    if (!quickhull_find_tetrahedron(hull, c)) {
        return false;
    }
    static const uint8_t corners[4][3] = {{0, 1, 2}, {1, 0, 3}, {2, 1, 3}, {0, 2, 3}};
    static const uint8_t neighbors[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    uint32_t faces[4];
    for (uint32_t f = 0; f < 4; ++f) {
        faces[f] = quickhull_add_face(hull, c[corners[f][0]], c[corners[f][1]], c[corners[f][2]]);
        for (uint32_t k = 0; k < 3; ++k) {
            hull->faces[faces[f]].neighbor[k] = neighbors[f][k];
        }
    }
    for (uint32_t i = 0; i < hull->point_count; ++i) {
        quickhull_assign(hull, i, faces, 4);
    }
    return true;
}

// ---- one corner ----------------------------------------------------------------------------

// Marks the faces that the point sees, from the first on; returns how many the stack now lists.
static uint32_t quickhull_mark_visible(tni_quickhull *hull, uint32_t first, uint32_t point) {
    uint32_t count = 0;
    hull->stack[count++] = first;
    hull->faces[first].is_visible = true;
    for (uint32_t i = 0; i < count; ++i) {
        const tni_quickhull_face *face = &hull->faces[hull->stack[i]];
        for (uint32_t k = 0; k < 3; ++k) {
            tni_quickhull_face *neighbor = &hull->faces[face->neighbor[k]];
            if (!neighbor->is_visible && quickhull_side(hull, neighbor, point) > 0) {
                neighbor->is_visible = true;
                hull->stack[count++] = face->neighbor[k];
            }
        }
    }
    return count;
}

// Takes the patch away and collects its points in one list and its rim as (from, to, beyond).
typedef struct quickhull_rim {
    uint32_t from, to, beyond;
} quickhull_rim;

static uint32_t quickhull_cut(tni_quickhull *hull, uint32_t visible_count, quickhull_rim *rim,
                              uint32_t *out_points) {
    uint32_t rim_count = 0;
    uint32_t list = TNI_NONE;
    for (uint32_t i = 0; i < visible_count; ++i) {
        const tni_quickhull_face *face = &hull->faces[hull->stack[i]];
        for (uint32_t k = 0; k < 3; ++k) {
            if (!hull->faces[face->neighbor[k]].is_visible) {
                quickhull_rim edge = {face->vertex[k], face->vertex[(k + 1) % 3],
                                      face->neighbor[k]};
                rim[rim_count++] = edge;
            }
        }
        for (uint32_t p = face->outside; p != TNI_NONE;) {
            uint32_t next = hull->points[p].next;
            hull->points[p].next = list;
            list = p;
            p = next;
        }
    }
    for (uint32_t i = 0; i < visible_count; ++i) {
        quickhull_remove_face(hull, hull->stack[i]);
    }
    *out_points = list;
    return rim_count;
}

// Makes a triangle from every edge of the rim to the point. The new faces are listed in the stack.
static void quickhull_fan(tni_quickhull *hull, const quickhull_rim *rim, uint32_t rim_count,
                          uint32_t point) {
    for (uint32_t i = 0; i < rim_count; ++i) {
        uint32_t face = quickhull_add_face(hull, rim[i].from, rim[i].to, point);
        hull->stack[i] = face;
        hull->points[rim[i].from].fan = face;
        hull->faces[face].neighbor[0] = rim[i].beyond;
        tni_quickhull_face *beyond = &hull->faces[rim[i].beyond];
        for (uint32_t k = 0; k < 3; ++k) {
            if (beyond->vertex[k] == rim[i].to && beyond->vertex[(k + 1) % 3] == rim[i].from) {
                beyond->neighbor[k] = face;
            }
        }
    }
    for (uint32_t i = 0; i < rim_count; ++i) {
        uint32_t face = hull->stack[i];
        uint32_t next = hull->points[rim[i].to].fan;
        hull->faces[face].neighbor[1] = next;
        hull->faces[next].neighbor[2] = face;
    }
}

static void quickhull_add_corner(tni_quickhull *hull, uint32_t first, quickhull_rim *rim) {
    uint32_t point = hull->faces[first].farthest;
    uint32_t visible_count = quickhull_mark_visible(hull, first, point);
    uint32_t list;
    uint32_t rim_count = quickhull_cut(hull, visible_count, rim, &list);
    quickhull_fan(hull, rim, rim_count, point);
    for (uint32_t p = list; p != TNI_NONE;) {
        uint32_t next = hull->points[p].next;
        if (p != point) {
            quickhull_assign(hull, p, hull->stack, rim_count);
        }
        p = next;
    }
}

// ---- all of it -----------------------------------------------------------------------------

static tn_result quickhull_grow(tni_quickhull *hull) {
    quickhull_rim *rim = tni_alloc(hull->allocator, hull->face_capacity * sizeof *rim);
    if (rim == NULL) {
        return TN_RESULT_OUT_OF_MEMORY;
    }
    uint32_t corners = 4;
    tn_result result = TN_RESULT_OK;
    // A face that is taken away leaves a slot that a new one may fill: go round until none has
    // points outside.
    for (bool is_done = false; !is_done && result == TN_RESULT_OK;) {
        is_done = true;
        for (uint32_t f = 0; f < hull->face_count; ++f) {
            if (!hull->faces[f].is_live || hull->faces[f].farthest == TNI_NONE) {
                continue;
            }
            if (++corners > QUICKHULL_MAX_CORNERS) {
                result = TN_RESULT_TOO_LARGE;
                break;
            }
            quickhull_add_corner(hull, f, rim);
            is_done = false;
        }
    }
    tni_free(hull->allocator, rim, hull->face_capacity * sizeof *rim);
    return result;
}

tn_result tni_quickhull_run(tni_quickhull *hull, tni_allocator *allocator, const vec3s *points,
                            uint32_t count) {
    memset(hull, 0, sizeof *hull);
    hull->allocator = allocator;
    hull->point_count = count;
    // A hull of n corners has 2 n - 4 triangles.
    hull->face_capacity = 2 * (count < QUICKHULL_MAX_CORNERS ? count : QUICKHULL_MAX_CORNERS);
    hull->points = tni_alloc(allocator, (size_t)count * sizeof *hull->points);
    hull->faces = tni_alloc(allocator, hull->face_capacity * sizeof *hull->faces);
    hull->stack = tni_alloc(allocator, hull->face_capacity * sizeof *hull->stack);
    hull->free_faces = tni_alloc(allocator, hull->face_capacity * sizeof *hull->free_faces);
    if (!hull->points || !hull->faces || !hull->stack || !hull->free_faces) {
        return TN_RESULT_OUT_OF_MEMORY;
    }
    tn_result result = quickhull_snap(hull, points, count);
    if (result != TN_RESULT_OK) {
        return result;
    }
    return quickhull_start(hull) ? quickhull_grow(hull) : TN_RESULT_DEGENERATE_HULL;
}

void tni_quickhull_destroy(tni_quickhull *hull) {
    tni_free(hull->allocator, hull->points, (size_t)hull->point_count * sizeof *hull->points);
    tni_free(hull->allocator, hull->faces, hull->face_capacity * sizeof *hull->faces);
    tni_free(hull->allocator, hull->stack, hull->face_capacity * sizeof *hull->stack);
    tni_free(hull->allocator, hull->free_faces, hull->face_capacity * sizeof *hull->free_faces);
    memset(hull, 0, sizeof *hull);
}
