// forces/submerged.c: how much of a shape is under a plane, and the centre of that.
//
// A ball's cap of height h has the volume pi h^2 (3 r - h) / 3 and its centre 3 (2 r - h)^2 /
// (4 (3 r - h)) from the ball's. Each face of a box or a hull is cut by the plane and makes, with a
// point of the plane, a cone; the cut itself, which lies in the plane, makes none, so that it need
// not be found (E. Catto, "Exact buoyancy for polyhedra", Game Programming Gems 6, 2006). A capsule
// is summed over discs along its axis, each cut exactly: a segment's half angle t has the area r^2
// (t - sin t cos t), and its centre 2 r^3 sin^3 t / (3 area) from the middle.
// Test: tests/forces/test_submerged.c
#include "collision/hull.h"
#include "forces/force.h"

// A cut face has one more corner, or up to two for each edge if it nearly lies in the plane.
#define SUBMERGED_MOST_CORNERS (2 * TNI_HULL_MAX_VERTICES)
// A cap has this many slices, and so has the cylinder between two caps. Each has two Gauss points.
#define SUBMERGED_SLICES 16
#define SUBMERGED_GAUSS  0.57735026918962576 // of half a slice

static void submerged_add_part(tni_submerged *sum, double volume, tni_dvec3 center) {
    sum->volume += volume;
    sum->moment = dvec3_add_scaled(sum->moment, volume, center);
}

// `depth` is that of the centre under the plane.
static void submerged_add_ball(tni_submerged *sum, tni_dvec3 center, double r, tni_dvec3 up,
                               double depth) {
    double h = maths_min_d(maths_max_d(r + depth, 0.0), 2.0 * r);
    double volume = MATHS_PI * h * h * (3.0 * r - h) / 3.0, rest = 2.0 * r - h;
    double below = 0.75 * rest * rest / (3.0 * r - h);
    submerged_add_part(sum, volume, dvec3_add_scaled(center, -below, up));
}

// ---- boxes and hulls ---------------------------------------------------------------------------

typedef struct submerged_cut {
    tni_dvec3 up;
    double level;
    tni_dvec3 apex; // in the plane
    uint32_t count;
    tni_dvec3 corners[SUBMERGED_MOST_CORNERS];
} submerged_cut;

// Follows the edge from a corner to the next: its part under water begins or ends in the plane.
static void submerged_cut_edge(submerged_cut *cut, tni_dvec3 p, tni_dvec3 q) {
    double of_p = dvec3_dot(cut->up, p) - cut->level, of_q = dvec3_dot(cut->up, q) - cut->level;
    if (of_p <= 0.0) {
        cut->corners[cut->count++] = p;
    }
    if ((of_p < 0.0 && of_q > 0.0) || (of_p > 0.0 && of_q < 0.0)) {
        double share = of_p / (of_p - of_q);
        cut->corners[cut->count++] = dvec3_add_scaled(p, share, dvec3_sub(q, p));
    }
}

// Adds the cones of one face, as a fan.
static void submerged_add_fan(tni_submerged *sum, const submerged_cut *cut) {
    for (uint32_t i = 2; i < cut->count; ++i) {
        tni_dvec3 a = dvec3_sub(cut->corners[0], cut->apex);
        tni_dvec3 b = dvec3_sub(cut->corners[i - 1], cut->apex);
        tni_dvec3 c = dvec3_sub(cut->corners[i], cut->apex);
        double volume = dvec3_dot(a, dvec3_cross(b, c)) / 6.0;
        tni_dvec3 middle = dvec3_scale(dvec3_add(a, dvec3_add(b, c)), 0.25);
        submerged_add_part(sum, volume, dvec3_add(cut->apex, middle));
    }
}

static void submerged_add_hull(tni_submerged *sum, const tni_hull *hull, const tni_dpose *pose,
                               tni_dvec3 up, double level) {
    submerged_cut cut = {.up = up, .level = level};
    tni_dvec3 at = pose->position;
    cut.apex = dvec3_add_scaled(at, level - dvec3_dot(up, at), up);
    for (uint32_t f = 0; f < hull->face_count; ++f) {
        uint16_t first = hull->face_edges[f], edge = first;
        cut.count = 0;
        do {
            const tni_half_edge *half = &hull->half_edges[edge];
            tni_dvec3 p = dvec3_from_float(hull->vertices[half->origin]);
            tni_dvec3 q = dvec3_from_float(hull->vertices[hull->half_edges[half->next].origin]);
            submerged_cut_edge(&cut, dvec3_add(at, dquat_rotate(pose->rotation, p)),
                               dvec3_add(at, dquat_rotate(pose->rotation, q)));
            edge = half->next;
        } while (edge != first);
        submerged_add_fan(sum, &cut);
    }
}

// ---- capsules ----------------------------------------------------------------------------------

// Adds a disc of radius r and a thickness, whose centre is at `depth` under the plane. `across` is
// the unit vector along the disc that rises most, by `rise`.
static void submerged_add_disc(tni_submerged *sum, tni_dvec3 center, double r, tni_dvec3 across,
                               double rise, double depth, double thickness) {
    double area = MATHS_PI * r * r, below = 0.0;
    double way = depth >= r * rise ? r : depth <= -r * rise ? -r : depth / rise; // to the chord
    if (way < r) {
        double half_chord = sqrt(r * r - way * way);
        double angle = tni_maths_atan2(half_chord, -way); // of the part below, from straight down
        area = r * r * angle + way * half_chord;
        below = area > 0.0 ? 2.0 * half_chord * half_chord * half_chord / (3.0 * area) : 0.0;
    }
    submerged_add_part(sum, area * thickness, dvec3_add_scaled(center, -below, across));
}

typedef struct submerged_capsule {
    tni_dpose pose;
    double half_length, r;
    tni_dvec3 axis, across; // `across` is the direction of up's part across the axis
    double rise;            // the length of that part
    tni_dvec3 up;
    double level;
} submerged_capsule;

// Adds the section from y to y + width along the axis.
static void submerged_add_section(tni_submerged *sum, const submerged_capsule *capsule, double y,
                                  double width) {
    double half = 0.5 * width / SUBMERGED_SLICES;
    for (uint32_t i = 0; i < 2 * SUBMERGED_SLICES; ++i) {
        uint32_t slice = i / 2;
        double middle = y + half * (2.0 * slice + 1.0);
        double at = middle + (i % 2 == 0 ? -SUBMERGED_GAUSS : SUBMERGED_GAUSS) * half;
        double cap = maths_max_d(fabs(at) - capsule->half_length, 0.0);
        double square = maths_max_d(capsule->r * capsule->r - cap * cap, 0.0);
        tni_dvec3 center = dvec3_add_scaled(capsule->pose.position, at, capsule->axis);
        double depth = capsule->level - dvec3_dot(capsule->up, center);
        submerged_add_disc(sum, center, sqrt(square), capsule->across, capsule->rise, depth, half);
    }
}

static void submerged_add_capsule(tni_submerged *sum, const tni_geometry *geometry,
                                  const tni_dpose *pose, tni_dvec3 up, double level) {
    submerged_capsule capsule = {.pose = *pose, .up = up, .level = level};
    double r = capsule.r = (double)geometry->capsule.radius;
    double l = capsule.half_length = (double)geometry->capsule.half_length;
    capsule.axis = dquat_axis_y(pose->rotation);
    capsule.across = dvec3_add_scaled(up, -dvec3_dot(up, capsule.axis), capsule.axis);
    capsule.rise = dvec3_length(capsule.across);
    capsule.across = dvec3_scale(capsule.across, maths_inverse_or_zero_d(capsule.rise));
    submerged_add_section(sum, &capsule, -l - r, r);
    submerged_add_section(sum, &capsule, -l, 2.0 * l);
    submerged_add_section(sum, &capsule, l, r);
}

// ---- any ---------------------------------------------------------------------------------------

void tni_submerged_add(const tni_geometry *geometry, const tni_dpose *frame, tni_dvec3 up,
                       double level, tni_submerged *sum) {
    tni_dpose pose;
    pose.rotation = dquat_normalize(
        dquat_mul(frame->rotation, dquat_normalize(dquat_from_float(geometry->rotation))));
    pose.position = dvec3_add(frame->position,
                              dquat_rotate(frame->rotation, dvec3_from_float(geometry->position)));
    switch (geometry->type) {
    case TNI_GEOMETRY_SPHERE:
        submerged_add_ball(sum, pose.position, (double)geometry->sphere.radius, up,
                           level - dvec3_dot(up, pose.position));
        break;
    case TNI_GEOMETRY_CAPSULE:
        submerged_add_capsule(sum, geometry, &pose, up, level);
        break;
    case TNI_GEOMETRY_BOX: {
        tni_box_hull box;
        tni_box_hull_set(&box, geometry->box.half_extents);
        submerged_add_hull(sum, &box.hull, &pose, up, level);
        break;
    }
    case TNI_GEOMETRY_HULL:
        submerged_add_hull(sum, geometry->hull.hull, &pose, up, level);
        break;
    default:
        break;
    }
    sum->whole += tni_geometry_mass_properties(geometry).volume;
}
