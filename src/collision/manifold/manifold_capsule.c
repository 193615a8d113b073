// collision/manifold/manifold_capsule.c: a sphere or a capsule against a hull.
//
// The round shape is a core (a point or a segment) with a radius. While the core is outside, GJK
// gives the nearest point and the normal. A capsule that lies on a face or along an edge gets two
// points: the segment is cut to the sides of the face, or to the stretch beside the edge. When the
// core dips into the hull the normal comes from the separating axes of a segment: the faces, and
// the edges whose arc on the Gauss map crosses the great circle square to the segment.
// Test: tests/collision/manifold/test_manifold_capsule.c
#include "collision/concave/triangle.h"
#include "collision/gjk.h"
#include "collision/narrow.h"

// A capsule touches along an edge when the sine squared between them is below this (3 degrees).
#define CAPSULE_ALONGSIDE_SINE2 2.7e-3f
// A face carries the capsule when its normal is this close to the one that GJK found (cosine; 3
// degrees), and the face's own gap is no worse than the distance by more than the tolerance.
#define CAPSULE_FACE_COSINE 0.9986f

// A task is in the hull's frame; normals point from the hull to the capsule.
typedef struct capsule_task {
    const tni_hull *hull;
    uint32_t side;    // of a triangle: the face on the capsule's side; TNI_NONE for solids
    vec3s start, end; // of the core
    float radius, margin, tolerance;
    bool is_sphere;
    tni_manifold *manifold;
} capsule_task;

// Adds a point of the core at distance `gap` from the hull's surface along the normal.
static void capsule_add(const capsule_task *task, float along, float gap, uint32_t feature) {
    if (gap - task->radius > task->margin) {
        return;
    }
    vec3s core = maths_vec3_add_scaled(task->start, along, glms_vec3_sub(task->end, task->start));
    tni_manifold_point *p = &task->manifold->points[task->manifold->point_count++];
    p->separation = gap - task->radius;
    p->position = maths_vec3_add_scaled(core, -0.5f * (gap + task->radius), task->manifold->normal);
    p->feature = feature_of_other(feature);
}

// Adds the two ends of a stretch of the core, or its middle when it is short.
static void capsule_add_stretch(const capsule_task *task, const float along[2],
                                const float gap[2]) {
    float length = glms_vec3_distance(task->start, task->end);
    if ((along[1] - along[0]) * length < 0.1f * task->radius) {
        bool is_first = gap[0] <= gap[1];
        float middle = 0.5f * (along[0] + along[1]);
        capsule_add(task, is_first ? along[0] : along[1], is_first ? gap[0] : gap[1],
                    middle <= 0.5f ? 1 : 2);
        return;
    }
    capsule_add(task, along[0], gap[0], 1);
    capsule_add(task, along[1], gap[1], 2);
}

static float capsule_plane_gap(const capsule_task *task, const tni_plane *plane, float along) {
    float p = narrow_dot(plane->normal, task->start) - plane->offset;
    float q = narrow_dot(plane->normal, task->end) - plane->offset;
    return p + along * (q - p);
}

// Cuts the core to the prism over the face. Returns false when nothing is left.
static bool capsule_cut(const capsule_task *task, uint32_t face, float along[2]) {
    const tni_hull *hull = task->hull;
    vec3s normal = hull->planes[face].normal;
    along[0] = 0.0f;
    along[1] = 1.0f;
    uint32_t first = hull->face_edges[face], e = first;
    do {
        vec3s outward = glms_vec3_cross(hull->edge_directions[e / 2], normal);
        outward = (e & 1u) != 0 ? glms_vec3_negate(outward) : outward;
        float offset = narrow_dot(outward, hull->vertices[hull->half_edges[e].origin]);
        float p = narrow_dot(outward, task->start) - offset;
        float q = narrow_dot(outward, task->end) - offset;
        if (p > 0.0f && q > 0.0f) {
            return false;
        }
        if (p > 0.0f) {
            along[0] = maths_max(along[0], p / (p - q));
        } else if (q > 0.0f) {
            along[1] = maths_min(along[1], p / (p - q));
        }
        e = hull->half_edges[e].next;
    } while (e != first);
    return along[0] <= along[1];
}

// Returns the face that the whole core stands farthest off, or is least deep behind.
static uint32_t capsule_best_face(const capsule_task *task, float *out_gap) {
    const tni_hull *hull = task->hull;
    uint32_t best = 0;
    *out_gap = -FLT_MAX;
    uint32_t begin = task->side == TNI_NONE ? 0 : task->side;
    uint32_t end = task->side == TNI_NONE ? hull->face_count : task->side + 1;
    for (uint32_t f = begin; f < end; ++f) {
        const tni_plane *plane = &hull->planes[f];
        float p = narrow_dot(plane->normal, task->start);
        float gap = maths_min(p, narrow_dot(plane->normal, task->end)) - plane->offset;
        if (gap > *out_gap) {
            *out_gap = gap;
            best = f;
        }
    }
    return best;
}

// ---- the core outside ----------------------------------------------------------------------

static bool capsule_on_face(const capsule_task *task, vec3s normal, float distance) {
    const tni_hull *hull = task->hull;
    uint32_t best = 0;
    float best_dot = -FLT_MAX;
    for (uint32_t f = 0; f < hull->face_count; ++f) {
        float d = narrow_dot(hull->planes[f].normal, normal);
        if (d > best_dot) {
            best_dot = d;
            best = f;
        }
    }
    float along[2];
    if (best_dot < CAPSULE_FACE_COSINE || !capsule_cut(task, best, along)) {
        return false;
    }
    const tni_plane *plane = &hull->planes[best];
    const float gap[2] = {capsule_plane_gap(task, plane, along[0]),
                          capsule_plane_gap(task, plane, along[1])};
    float least = maths_min(gap[0], gap[1]);
    if (least > distance + task->tolerance || least < distance - task->tolerance) {
        return false;
    }
    task->manifold->normal = plane->normal;
    capsule_add_stretch(task, along, gap);
    return true;
}

// Finds, among the edges that leave one of the nearest corners, one that runs along the core and is
// square to the normal. Returns TNI_NONE when there is none.
static uint32_t capsule_find_edge(const capsule_task *task, const tni_gjk_result *gjk) {
    const tni_hull *hull = task->hull;
    vec3s core = glms_vec3_sub(task->end, task->start);
    float core2 = glms_vec3_norm2(core);
    for (uint32_t i = 0; i < gjk->count; ++i) {
        uint32_t first = hull->vertex_edges[gjk->index_a[i]], e = first;
        do {
            vec3s along = hull->edge_directions[e / 2];
            float sine2 = glms_vec3_norm2(glms_vec3_cross(along, core));
            float slope = narrow_dot(along, gjk->normal);
            if (sine2 < CAPSULE_ALONGSIDE_SINE2 * core2 &&
                slope * slope < CAPSULE_ALONGSIDE_SINE2) {
                return e;
            }
            e = hull->half_edges[e ^ 1u].next;
        } while (e != first);
    }
    return TNI_NONE;
}

static bool capsule_on_edge(const capsule_task *task, const tni_gjk_result *gjk) {
    const tni_hull *hull = task->hull;
    uint32_t e = capsule_find_edge(task, gjk);
    if (e == TNI_NONE) {
        return false;
    }
    vec3s origin = hull->vertices[hull->half_edges[e].origin];
    vec3s edge = glms_vec3_sub(hull->vertices[hull->half_edges[e ^ 1u].origin], origin);
    vec3s core = glms_vec3_sub(task->end, task->start);
    float edge2 = glms_vec3_norm2(edge), core2 = glms_vec3_norm2(core);
    float dot = narrow_dot(edge, core);
    // Finds where the edge's two ends lie along the core.
    float p = narrow_dot(glms_vec3_sub(origin, task->start), core) / core2;
    float q = p + dot / core2;
    const float along[2] = {maths_clamp(maths_min(p, q), 0.0f, 1.0f),
                            maths_clamp(maths_max(p, q), 0.0f, 1.0f)};
    float gap[2];
    for (uint32_t i = 0; i < 2; ++i) {
        vec3s on_core = maths_vec3_add_scaled(task->start, along[i], core);
        float on_edge =
            maths_clamp(narrow_dot(glms_vec3_sub(on_core, origin), edge) / edge2, 0.0f, 1.0f);
        vec3s nearest = maths_vec3_add_scaled(origin, on_edge, edge);
        gap[i] = narrow_dot(gjk->normal, glms_vec3_sub(on_core, nearest));
    }
    task->manifold->normal = gjk->normal;
    capsule_add_stretch(task, along, gap);
    return true;
}

static void capsule_outside(const capsule_task *task, const tni_gjk_result *gjk) {
    vec3s core = glms_vec3_sub(task->end, task->start);
    float core2 = glms_vec3_norm2(core);
    if (core2 > 0.0f &&
        (capsule_on_face(task, gjk->normal, gjk->distance) || capsule_on_edge(task, gjk))) {
        return;
    }
    task->manifold->normal = gjk->normal;
    float along =
        narrow_dot(glms_vec3_sub(gjk->point_b, task->start), core) * maths_inverse_or_zero(core2);
    along = maths_clamp(along, 0.0f, 1.0f);
    capsule_add(task, along, gjk->distance, along <= 0.5f ? 1 : 2);
}

// ---- the core inside -----------------------------------------------------------------------

// Returns the best edge axis, if it beats `best`: (edge x core), where the edge's arc crosses the
// circle of directions square to the core.
static uint32_t capsule_query_edges(const capsule_task *task, float *best, vec3s *out_normal,
                                    float *out_barred) {
    const tni_hull *hull = task->hull;
    vec3s core = glms_vec3_sub(task->end, task->start);
    float core2 = glms_vec3_norm2(core);
    uint32_t found = TNI_NONE;
    for (uint32_t e = 0; e < hull->half_edge_count; e += 2) {
        vec3s left = hull->planes[hull->half_edges[e].face].normal;
        vec3s right = hull->planes[hull->half_edges[e + 1].face].normal;
        if (!(narrow_dot(left, core) * narrow_dot(right, core) < 0.0f)) {
            continue;
        }
        vec3s axis = glms_vec3_cross(hull->edge_directions[e / 2], core);
        float length2 = glms_vec3_norm2(axis);
        if (length2 < NARROW_PARALLEL_SINE2 * core2) {
            continue;
        }
        vec3s outward = hull->sides == 0 ? glms_vec3_add(left, right)
                                         : glms_vec3_cross(hull->edge_directions[e / 2], left);
        float sense = narrow_dot(axis, outward) < 0.0f ? -1.0f : 1.0f;
        axis = glms_vec3_scale(axis, sense / sqrtf(length2));
        vec3s origin = hull->vertices[hull->half_edges[e].origin];
        float separation = narrow_dot(axis, glms_vec3_sub(task->start, origin));
        if (separation > *best) {
            if (hull->sides != 0 && !tni_triangle_allows(hull, task->side, axis)) {
                *out_barred = maths_max(*out_barred, separation);
                continue;
            }
            *best = separation;
            *out_normal = axis;
            found = e;
        }
    }
    return found;
}

static void capsule_inside(const capsule_task *task, uint32_t face, float best) {
    const tni_hull *hull = task->hull;
    float edge_best = best + task->tolerance;
    vec3s normal;
    float barred = -FLT_MAX;
    uint32_t e = capsule_query_edges(task, &edge_best, &normal, &barred);
    if (e == TNI_NONE && best < TNI_TRIANGLE_BESIDE * barred - task->tolerance) {
        vec3s middle = glms_vec3_scale(glms_vec3_add(task->start, task->end), 0.5f);
        if (!tni_triangle_is_under(hull, middle)) {
            return; // beside a triangle: see hull_hull.c
        }
    }
    if (e != TNI_NONE) {
        vec3s core = glms_vec3_sub(task->end, task->start);
        vec3s origin = hull->vertices[hull->half_edges[e].origin];
        // Finds where the core crosses the plane of the edge and the normal.
        vec3s across = glms_vec3_cross(hull->edge_directions[e / 2], normal);
        float slope = narrow_dot(across, core);
        float offset = narrow_dot(across, glms_vec3_sub(origin, task->start));
        float along = fabsf(slope) > FLT_MIN ? maths_clamp(offset / slope, 0.0f, 1.0f) : 0.5f;
        task->manifold->normal = normal;
        capsule_add(task, along, edge_best, along <= 0.5f ? 1 : 2);
        return;
    }
    const tni_plane *plane = &hull->planes[face];
    task->manifold->normal = plane->normal;
    float along[2];
    if (!capsule_cut(task, face, along)) {
        along[0] = 0.0f;
        along[1] = 1.0f;
    }
    const float gap[2] = {capsule_plane_gap(task, plane, along[0]),
                          capsule_plane_gap(task, plane, along[1])};
    capsule_add_stretch(task, along, gap);
}

// ---- the pairs -----------------------------------------------------------------------------

// Handles a sphere that is inside, or lies over the face that it stands farthest off, and so needs
// no search. Returns false for others.
static bool capsule_is_plain_sphere(const capsule_task *task, uint32_t face, float gap) {
    float along[2];
    if (!task->is_sphere || (gap >= 0.0f && !capsule_cut(task, face, along))) {
        return false;
    }
    task->manifold->normal = task->hull->planes[face].normal;
    capsule_add(task, 0.0f, gap, 1);
    return true;
}

static void capsule_search(const capsule_task *task, uint32_t face, float gap) {
    static const tni_relative same = {
        {{{1.0f, 0.0f, 0.0f}}, {{0.0f, 1.0f, 0.0f}}, {{0.0f, 0.0f, 1.0f}}}, {{0.0f, 0.0f, 0.0f}}};
    const tni_hull *hull = task->hull;
    const vec3s core[2] = {task->start, task->end};
    tni_gjk_result gjk;
    tni_gjk_set set = gjk_set_of_hull(hull);
    tni_gjk_set set_core = gjk_set_of_points(core, task->is_sphere ? 1 : 2);
    tni_gjk_distance(&set, &set_core, &same, &gjk);
    // Closer than this the direction between core and hull is round-off.
    float touching = 1e-3f * maths_min(hull->inner_radius, task->radius);
    if (gjk.is_overlapping || gjk.distance < touching) {
        capsule_inside(task, face, gap);
    } else {
        capsule_outside(task, &gjk);
    }
}

void tni_collide_capsule_hull(float half_length, float radius, const tni_hull *hull,
                              const tni_relative *relative, float margin, tni_manifold *manifold) {
    vec3s core[2] = {relative_point_inverse(relative, maths_vec3(0.0f, -half_length, 0.0f)),
                     relative_point_inverse(relative, maths_vec3(0.0f, half_length, 0.0f))};
    float tolerance = narrow_axis_tolerance(hull->inner_radius, radius);
    bool is_sphere = !(half_length > 0.0f);
    uint32_t side = TNI_NONE;
    if (hull->sides != 0) {
        side = triangle_get_side(hull, relative_point_inverse(relative, maths_vec3_zero()));
        if (side == TNI_NONE) {
            return;
        }
    }
    capsule_task task = {hull,   side,      core[0],   core[1], radius,
                         margin, tolerance, is_sphere, manifold};
    float gap;
    uint32_t face = capsule_best_face(&task, &gap);
    if (gap > radius + margin) {
        return;
    }
    if (!capsule_is_plain_sphere(&task, face, gap)) {
        capsule_search(&task, face, gap);
    }
    if (side != TNI_NONE && !triangle_faces(hull, side, manifold->normal)) {
        manifold->point_count = 0;
        return;
    }
    relative_manifold(relative, manifold);
    manifold->normal = glms_vec3_negate(manifold->normal);
}

void tni_collide_sphere_hull(float radius, const tni_hull *hull, const tni_relative *relative,
                             float margin, tni_manifold *manifold) {
    tni_collide_capsule_hull(0.0f, radius, hull, relative, margin, manifold);
}
