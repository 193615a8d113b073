// collision/overlap.c: decides whether two shapes have a point in common.
//
// Spheres, capsules, boxes and hulls are the convex hull of a few points, with a radius around it:
// two of them overlap if the distance of these hulls is at most the sum of the radii. A half-space
// asks how far the other shape reaches against its normal. Any other pair overlaps if its manifold
// has a point that is not apart. Two boxes, the most frequent pair, are apart if one of fifteen
// axes parts them. Source: S. Gottschalk, M. Lin, D. Manocha, "OBBTree", 1996 (the fifteen axes).
// Test: tests/collision/test_overlap.c
#include "collision/overlap.h"

#include "collision/gjk.h"
#include "collision/manifold.h"
#include "core/dmat3.h"

// The cross product of two nearly parallel edges is round-off, and parts nothing.
#define OVERLAP_ROUND_OFF 1e-12

typedef struct overlap_core {
    tni_gjk_set set;
    float radius;
    vec3s points[8];
} overlap_core;

static void overlap_set_box(overlap_core *core, vec3s h) {
    for (uint32_t i = 0; i < 8; ++i) {
        core->points[i] = maths_vec3((i & 1) != 0 ? h.x : -h.x, (i & 2) != 0 ? h.y : -h.y,
                                     (i & 4) != 0 ? h.z : -h.z);
    }
    core->set = gjk_set_of_points(core->points, 8);
}

// Fills in the points of a shape. Returns false if it has no such points.
static bool overlap_set_core(overlap_core *core, const tni_geometry *geometry) {
    core->radius =
        tni_geometry_is_round(geometry) ? tni_geometry_roundness(geometry) : geometry->rounding;
    if (geometry->stretch != NULL) {
        return false;
    }
    switch (geometry->type) {
    case TNI_GEOMETRY_SPHERE:
        core->points[0] = maths_vec3_zero();
        core->set = gjk_set_of_points(core->points, 1);
        return true;
    case TNI_GEOMETRY_CAPSULE:
        core->points[0] = maths_vec3(0.0f, -geometry->capsule.half_length, 0.0f);
        core->points[1] = maths_vec3(0.0f, geometry->capsule.half_length, 0.0f);
        core->set = gjk_set_of_points(core->points, 2);
        return true;
    case TNI_GEOMETRY_BOX:
        overlap_set_box(core, geometry->box.half_extents);
        return true;
    case TNI_GEOMETRY_HULL:
        core->set = gjk_set_of_hull(geometry->hull.hull);
        return true;
    default:
        return false;
    }
}

static bool overlap_is_near(const overlap_core *a, const tni_dpose *pose_a, const overlap_core *b,
                            const tni_dpose *pose_b) {
    tni_dvec3 d = dvec3_sub(pose_b->position, pose_a->position);
    tni_dquat turn = dquat_mul(dquat_conjugate(pose_a->rotation), pose_b->rotation);
    tni_relative relative;
    relative.position = dvec3_to_float(dquat_rotate_inverse(pose_a->rotation, d));
    relative.basis = basis_from_quat(maths_quat_normalize(dquat_to_float(turn)));
    tni_gjk_result result;
    tni_gjk_distance(&a->set, &b->set, &relative, &result);
    return result.is_overlapping || result.distance <= a->radius + b->radius;
}

// ---- boxes ------------------------------------------------------------------------------------

// Two boxes seen from a's frame: b's middle, b's axes as columns, and what both reach.
typedef struct overlap_boxes {
    double d[3], r[3][3], abs_r[3][3], a[3], b[3];
} overlap_boxes;

static void overlap_set_boxes(overlap_boxes *boxes, const tni_geometry *a, const tni_dpose *pose_a,
                              const tni_geometry *b, const tni_dpose *pose_b) {
    tni_dvec3 d =
        dquat_rotate_inverse(pose_a->rotation, dvec3_sub(pose_b->position, pose_a->position));
    tni_dquat turn = dquat_mul(dquat_conjugate(pose_a->rotation), pose_b->rotation);
    tni_dmat3 r = dmat3_from_quat(dquat_normalize(turn));
    const double middle[3] = {d.x, d.y, d.z};
    for (int i = 0; i < 3; ++i) {
        boxes->d[i] = middle[i];
        boxes->a[i] = (double)a->box.half_extents.raw[i];
        boxes->b[i] = (double)b->box.half_extents.raw[i];
        for (int j = 0; j < 3; ++j) {
            boxes->r[i][j] = r.m[i][j];
            boxes->abs_r[i][j] = fabs(r.m[i][j]);
        }
    }
}

// Returns whether the normal of a face parts the boxes.
static bool overlap_face_parts(const overlap_boxes *x) {
    for (int i = 0; i < 3; ++i) {
        double of_b =
            x->abs_r[i][0] * x->b[0] + x->abs_r[i][1] * x->b[1] + x->abs_r[i][2] * x->b[2];
        double of_a =
            x->abs_r[0][i] * x->a[0] + x->abs_r[1][i] * x->a[1] + x->abs_r[2][i] * x->a[2];
        double along = x->d[0] * x->r[0][i] + x->d[1] * x->r[1][i] + x->d[2] * x->r[2][i];
        if (fabs(x->d[i]) > x->a[i] + of_b || fabs(along) > x->b[i] + of_a) {
            return true;
        }
    }
    return false;
}

// Returns whether the cross product of two edges, along a's axis i and b's axis j, parts them. If
// these are parallel it is nearly zero, and so are both sides.
static bool overlap_edges_part(const overlap_boxes *x) {
    for (int i = 0; i < 3; ++i) {
        int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
            int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            double along = x->d[i2] * x->r[i1][j] - x->d[i1] * x->r[i2][j];
            double reach = x->a[i1] * x->abs_r[i2][j] + x->a[i2] * x->abs_r[i1][j] +
                           x->b[j1] * x->abs_r[i][j2] + x->b[j2] * x->abs_r[i][j1];
            if (fabs(along) >
                reach + OVERLAP_ROUND_OFF * (x->a[i1] + x->a[i2] + x->b[j1] + x->b[j2])) {
                return true;
            }
        }
    }
    return false;
}

static bool overlap_of_boxes(const tni_geometry *a, const tni_dpose *pose_a, const tni_geometry *b,
                             const tni_dpose *pose_b) {
    overlap_boxes boxes;
    overlap_set_boxes(&boxes, a, pose_a, b, pose_b);
    return !overlap_face_parts(&boxes) && !overlap_edges_part(&boxes);
}

// ---- any --------------------------------------------------------------------------------------

static bool overlap_is_below(const tni_dpose *plane, const tni_geometry *geometry,
                             const tni_dpose *pose) {
    tni_dvec3 normal = dquat_rotate(plane->rotation, dvec3_make(0.0, 1.0, 0.0));
    tni_dvec3 down = dquat_rotate_inverse(pose->rotation, dvec3_scale(normal, -1.0));
    double height = dvec3_dot(normal, dvec3_sub(pose->position, plane->position));
    return height <= (double)tni_geometry_extent(geometry, dvec3_to_float(down));
}

// Compares by the manifold, about an origin in the middle of the second shape.
static bool overlap_has_point(const tni_geometry *a, const tni_dpose *pose_a, const tni_geometry *b,
                              const tni_dpose *pose_b) {
    tni_frame frame_a = {dvec3_to_float(dvec3_sub(pose_a->position, pose_b->position)),
                         maths_quat_normalize(dquat_to_float(pose_a->rotation))};
    tni_frame frame_b = {maths_vec3_zero(), maths_quat_normalize(dquat_to_float(pose_b->rotation))};
    tni_manifold_cache cache = {0};
    tni_manifold manifold;
    tni_manifold_compute(a, &frame_a, b, &frame_b, 0.0f, &cache, &manifold);
    return tni_manifold_get_least(&manifold) <= 0.0f;
}

bool tni_geometry_overlaps(const tni_geometry *a, const tni_dpose *pose_a, const tni_geometry *b,
                           const tni_dpose *pose_b) {
    bool is_a_plane = a->type == TNI_GEOMETRY_HALF_SPACE;
    bool is_b_plane = b->type == TNI_GEOMETRY_HALF_SPACE;
    overlap_core core_a, core_b;
    bool is_sharp = a->rounding + b->rounding == 0.0f;
    if (a->type == TNI_GEOMETRY_BOX && b->type == TNI_GEOMETRY_BOX && is_sharp) {
        return overlap_of_boxes(a, pose_a, b, pose_b);
    }
    bool has_a = overlap_set_core(&core_a, a), has_b = overlap_set_core(&core_b, b);
    if (has_a && has_b) {
        return overlap_is_near(&core_a, pose_a, &core_b, pose_b);
    }
    if (is_a_plane && has_b) {
        return overlap_is_below(pose_a, b, pose_b);
    }
    if (is_b_plane && has_a) {
        return overlap_is_below(pose_b, a, pose_a);
    }
    return overlap_has_point(a, pose_a, b, pose_b);
}
