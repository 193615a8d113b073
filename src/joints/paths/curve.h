// joints/paths/curve.h: the curve of a curve joint: a spline by arc length, with a frame along it.
#ifndef TNI_JOINTS_PATHS_CURVE_H
#define TNI_JOINTS_PATHS_CURVE_H

#include "core/memory/alloc.h"
#include "joints/paths/spline.h"
#include "tenon/curve_joint.h"

// Each segment has this many parts for lengths and frames.
#define TNI_CURVE_PARTS 8

// The beginning of a part.
typedef struct tni_curve_node {
    double way; // m from the first point
    tni_dvec3 tangent, normal;
} tni_curve_node;

// A curve, in one block of memory with everything that it points to.
typedef struct tni_curve {
    tn_curve_joint_def def; // its points are the copy below
    tni_spline spline;
    tni_curve_node *nodes; // one for each part, and one at the end
    uint32_t node_count;
    tn_vec3 *points;
    double length; // m
    double twist;  // rad by which the frame is turned back in one round so that it closes
    bool is_smooth;
    size_t size; // bytes of the block
} tni_curve;

// Copies a sound definition's points and makes the curve; null without memory.
tni_curve *tni_curve_make(tni_allocator *allocator, const tn_curve_joint_def *def);
void tni_curve_forget(tni_allocator *allocator, tni_curve *curve);

// Returns where the curve passes a node, in its own axes.
tni_dvec3 tni_curve_get_node(const tni_curve *curve, uint32_t node);

// The point of the curve that is nearest to p, in the axes of the curve.
typedef struct tni_curve_place {
    double u;             // the parameter, wrapped
    double way;           // m from the first point; on a closed curve 0 to its length
    double speed;         // |dc/du|
    tni_dvec3 off;        // p - c
    tni_dvec3 tangent;    // t
    tni_dvec3 normals[2]; // perpendicular to it: t, n_1, n_2 are a right-handed frame
    tni_dvec3 bend;       // dt/ds, 1/m
    double turning;       // dn_1/ds . n_2, rad/m
    double stretch;       // ds per dp along t: 1 on the curve, 0 too far off it
} tni_curve_place;

// Find the nearest point downhill from parameter u, and on the whole curve.
tni_curve_place tni_curve_find_near(const tni_curve *curve, double u, tni_dvec3 p);
tni_curve_place tni_curve_find_anywhere(const tni_curve *curve, tni_dvec3 p);

#endif
