// collision/overlap.c: decides whether two shapes have a point in common.
//
// Two boxes, the most frequent pair, are apart if one of fifteen axes parts them; any other pair is
// placed and measured as convex shapes.
// Source: S. Gottschalk, M. Lin, D. Manocha, "OBBTree", 1996 (the fifteen axes).
// Test: tests/collision/test_overlap.c
#include "collision/overlap.h"

#include "collision/placed.h"
#include "core/dmat3.h"

// The cross product of two nearly parallel edges is round-off, and parts nothing.
#define OVERLAP_ROUND_OFF 1e-12

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

bool tni_geometry_overlaps(const tni_geometry *a, const tni_dpose *pose_a, const tni_geometry *b,
                           const tni_dpose *pose_b) {
    if (b->type == TNI_GEOMETRY_HALF_SPACE) {
        return a->type != TNI_GEOMETRY_HALF_SPACE && tni_geometry_overlaps(b, pose_b, a, pose_a);
    }
    bool is_sharp = a->rounding + b->rounding == 0.0f;
    if (a->type == TNI_GEOMETRY_BOX && b->type == TNI_GEOMETRY_BOX && is_sharp) {
        return overlap_of_boxes(a, pose_a, b, pose_b);
    }
    tni_placed placed_a, placed_b;
    tni_placed_set(&placed_a, a, pose_a->position, pose_a->rotation);
    tni_placed_set(&placed_b, b, pose_b->position, pose_b->rotation);
    return tni_placed_overlap(&placed_a, &placed_b);
}
