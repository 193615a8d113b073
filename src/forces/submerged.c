// forces/submerged.c: how much of a shape is under a plane, and the centre of that.
//
// A ball's cap of height h has the volume pi h^2 (3 r - h) / 3 and its centre 3 (2 r - h)^2 /
// (4 (3 r - h)) from the ball's. Each face of a box or a hull is cut by the plane and makes, with a
// point of the plane, a cone; the cut itself, which lies in the plane, makes none, so that it need
// not be found (E. Catto, "Exact buoyancy for polyhedra", Game Programming Gems 6, 2006). A shape
// of revolution is summed over discs along its axis, each cut exactly: a segment's half angle t has
// the area r^2 (t - sin t cos t), and its centre 2 r^3 sin^3 t / (3 area) from the middle. An
// ellipsoid is a ball whose axes are stretched, and so is the part of it that a plane cuts off. The
// triangles of a closed mesh are cut as faces are, and the children of a compound one by one.
// Rounded boxes, hulls and ellipsoids are cut as the triangles between points of their surfaces,
// and are under by the same share as these. Test: tests/forces/test_submerged.c
#include "collision/concave/concave.h"
#include "collision/hull.h"
#include "collision/support.h"
#include "forces/force.h"

// A cut face has one more corner, or up to two for each edge if it nearly lies in the plane.
#define SUBMERGED_MOST_CORNERS (2 * TNI_HULL_MAX_VERTICES)
// A cap has this many slices, and so has the cylinder between two caps. Each has two Gauss points.
#define SUBMERGED_SLICES 16
// A rounded surface has this many bands from pole to pole, and sectors. No normal of its points is
// square to an axis: those of a box are as many on all sides.
#define SUBMERGED_RINGS   17
#define SUBMERGED_SECTORS 16
#define SUBMERGED_GAUSS   0.57735026918962576 // of half a slice

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

// ---- shapes of revolution ----------------------------------------------------------------------

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

// The profile is two arcs, about points on the axis or off it, and the line that touches both.
typedef struct submerged_profile {
    tni_dpose pose;
    double half_length;
    double rims[2], radii[2]; // where the arcs have their middles, off the axis, and how large
    double sine, cosine;      // of the line's normal, up the axis and out
    tni_dvec3 axis, across;   // `across` is the direction of up's part across the axis
    double rise;              // the length of that part
    tni_dvec3 up;
    double level;
} submerged_profile;

// Returns the radius of the disc at y.
static double submerged_get_radius(const submerged_profile *profile, double y) {
    double l = profile->half_length, s = profile->sine, c = profile->cosine;
    double low = -l + profile->radii[0] * s, high = l + profile->radii[1] * s;
    if (y > low && y < high) {
        double t = (y - low) / (high - low);
        return (1.0 - t) * (profile->rims[0] + profile->radii[0] * c) +
               t * (profile->rims[1] + profile->radii[1] * c);
    }
    int end = y < low ? 0 : 1;
    double off = y - (end == 0 ? -l : l), square = profile->radii[end] * profile->radii[end];
    return profile->rims[end] + sqrt(maths_max_d(square - off * off, 0.0));
}

// Adds the section from y to y + width along the axis.
static void submerged_add_section(tni_submerged *sum, const submerged_profile *profile, double y,
                                  double width) {
    double half = 0.5 * width / SUBMERGED_SLICES;
    for (uint32_t i = 0; i < 2 * SUBMERGED_SLICES; ++i) {
        uint32_t slice = i / 2;
        double middle = y + half * (2.0 * slice + 1.0);
        double at = middle + (i % 2 == 0 ? -SUBMERGED_GAUSS : SUBMERGED_GAUSS) * half;
        tni_dvec3 center = dvec3_add_scaled(profile->pose.position, at, profile->axis);
        double depth = profile->level - dvec3_dot(profile->up, center);
        submerged_add_disc(sum, center, submerged_get_radius(profile, at), profile->across,
                           profile->rise, depth, half);
    }
}

// Sets the profile of a capsule, which has no rims, or of a cylinder, whose arcs are its rounding.
static void submerged_set_profile(submerged_profile *profile, const tni_geometry *geometry) {
    double *rims = profile->rims, *radii = profile->radii;
    rims[0] = rims[1] = 0.0;
    if (geometry->type == TNI_GEOMETRY_CAPSULE) {
        profile->half_length = (double)geometry->capsule.half_length;
        radii[0] = radii[1] = (double)geometry->capsule.radius;
    } else if (geometry->type == TNI_GEOMETRY_TAPERED_CAPSULE) {
        profile->half_length = (double)geometry->tapered_capsule.half_length;
        radii[0] = (double)geometry->tapered_capsule.radius_bottom;
        radii[1] = (double)geometry->tapered_capsule.radius_top;
    } else {
        profile->half_length = (double)geometry->cylinder.half_length;
        rims[0] = (double)geometry->cylinder.radius_bottom;
        rims[1] = (double)geometry->cylinder.radius_top;
        radii[0] = radii[1] = (double)geometry->rounding;
    }
    double length = 2.0 * profile->half_length, slant = rims[0] - rims[1];
    profile->sine = geometry->type == TNI_GEOMETRY_CYLINDER
                        ? slant / sqrt(length * length + slant * slant)
                        : (radii[0] - radii[1]) / length;
    profile->cosine = sqrt(maths_max_d(1.0 - profile->sine * profile->sine, 0.0));
}

static void submerged_add_revolution(tni_submerged *sum, const tni_geometry *geometry,
                                     const tni_dpose *pose, tni_dvec3 up, double level) {
    submerged_profile profile = {.pose = *pose, .up = up, .level = level};
    submerged_set_profile(&profile, geometry);
    profile.axis = dquat_axis_y(pose->rotation);
    profile.across = dvec3_add_scaled(up, -dvec3_dot(up, profile.axis), profile.axis);
    profile.rise = dvec3_length(profile.across);
    profile.across = dvec3_scale(profile.across, maths_inverse_or_zero_d(profile.rise));
    double l = profile.half_length, *radii = profile.radii;
    double low = -l + radii[0] * profile.sine, high = l + radii[1] * profile.sine;
    submerged_add_section(sum, &profile, -l - radii[0], low + l + radii[0]);
    submerged_add_section(sum, &profile, low, high - low);
    submerged_add_section(sum, &profile, high, l + radii[1] - high);
}

// ---- ellipsoids and rounded shapes -------------------------------------------------------------

// The plane's normal in the space where the ellipsoid is a ball of radius 1 has the length that the
// ellipsoid reaches along it.
static void submerged_add_ellipsoid(tni_submerged *sum, vec3s radii, const tni_dpose *pose,
                                    tni_dvec3 up, double level) {
    tni_dvec3 r = dvec3_from_float(radii), own = dquat_rotate_inverse(pose->rotation, up);
    tni_dvec3 scaled = dvec3_make(own.x * r.x, own.y * r.y, own.z * r.z);
    double reach = dvec3_length(scaled), depth = (level - dvec3_dot(up, pose->position)) / reach;
    tni_submerged ball = {0};
    submerged_add_ball(&ball, dvec3_make(0.0, 0.0, 0.0), 1.0, dvec3_scale(scaled, 1.0 / reach),
                       depth);
    double product = r.x * r.y * r.z;
    tni_dvec3 moment = dvec3_make(ball.moment.x * r.x, ball.moment.y * r.y, ball.moment.z * r.z);
    moment = dvec3_scale(dquat_rotate(pose->rotation, moment), product);
    sum->volume += product * ball.volume;
    sum->moment =
        dvec3_add(sum->moment, dvec3_add_scaled(moment, product * ball.volume, pose->position));
}

// Returns the point of the surface whose normal stands at a ring and a sector, world.
static tni_dvec3 submerged_get_surface(const tni_convex *convex, const tni_dpose *pose, int ring,
                                       int sector) {
    double up = MATHS_PI * ((double)ring / SUBMERGED_RINGS - 0.5);
    double off = ring == 0 || ring == SUBMERGED_RINGS ? 0.0 : tni_maths_cos(up); // one point
    double around = 2.0 * MATHS_PI * (sector + 0.5) / SUBMERGED_SECTORS;
    tni_dvec3 n =
        dvec3_make(off * tni_maths_cos(around), tni_maths_sin(up), off * tni_maths_sin(around));
    tni_dvec3 p = tni_convex_get_point(convex, n);
    return dvec3_add(pose->position, dquat_rotate(pose->rotation, p));
}

static void submerged_add_triangle(tni_submerged *sum, submerged_cut *cut, tni_dvec3 a, tni_dvec3 b,
                                   tni_dvec3 c) {
    cut->count = 0;
    submerged_cut_edge(cut, a, b);
    submerged_cut_edge(cut, b, c);
    submerged_cut_edge(cut, c, a);
    submerged_add_fan(sum, cut);
}

// Adds a shape of the volume `whole`.
static void submerged_add_rounded(tni_submerged *sum, const tni_geometry *geometry,
                                  const tni_dpose *pose, tni_dvec3 up, double level, double whole) {
    tni_convex convex;
    tni_convex_set(&convex, geometry);
    tni_dvec3 at = pose->position;
    submerged_cut cut = {.up = up, .level = level};
    cut.apex = dvec3_add_scaled(at, level - dvec3_dot(up, at), up);
    submerged_cut all = {.up = up, .level = HUGE_VAL, .apex = cut.apex};
    tni_submerged part = {0}, full = {0};
    for (int ring = 0; ring < SUBMERGED_RINGS; ++ring) {
        for (int sector = 0; sector < SUBMERGED_SECTORS; ++sector) {
            tni_dvec3 a = submerged_get_surface(&convex, pose, ring, sector);
            tni_dvec3 b = submerged_get_surface(&convex, pose, ring + 1, sector);
            tni_dvec3 c = submerged_get_surface(&convex, pose, ring + 1, sector + 1);
            tni_dvec3 d = submerged_get_surface(&convex, pose, ring, sector + 1);
            submerged_add_triangle(&part, &cut, a, b, c);
            submerged_add_triangle(&part, &cut, a, c, d);
            submerged_add_triangle(&full, &all, a, b, c);
            submerged_add_triangle(&full, &all, a, c, d);
        }
    }
    double scale = whole * maths_inverse_or_zero_d(full.volume);
    sum->volume += scale * part.volume;
    sum->moment = dvec3_add_scaled(sum->moment, scale, part.moment);
}

// ---- many children -----------------------------------------------------------------------------

typedef struct submerged_children {
    const tni_concave *concave;
    tni_dpose pose;
    submerged_cut cut;
    tni_submerged *sum;
} submerged_children;

static void submerged_add_part_of_mesh(submerged_children *children,
                                       const tni_part_geometry *part) {
    tni_dvec3 corners[3];
    for (uint32_t i = 0; i < 3; ++i) {
        corners[i] = dvec3_add(children->pose.position,
                               dquat_rotate(children->pose.rotation, part_get_corner(part, i)));
    }
    submerged_add_triangle(children->sum, &children->cut, corners[0], corners[1], corners[2]);
}

static bool submerged_add_child(uint32_t child, void *context) {
    submerged_children *children = context;
    tni_part_geometry part;
    children->concave->kind->get_part(children->concave, child, &part);
    if (tni_geometry_is_triangle(&part.geometry)) {
        submerged_add_part_of_mesh(children, &part);
    } else {
        tni_submerged_add(&part.geometry, &children->pose, children->cut.up, children->cut.level,
                          children->sum);
    }
    return true;
}

// Adds what encloses a volume: an open surface has no inside that could be dry.
static void submerged_add_concave(tni_submerged *sum, const tni_geometry *geometry,
                                  const tni_dpose *pose, tni_dvec3 up, double level) {
    const tni_concave *concave = geometry->concave;
    bool is_compound = geometry->type == TNI_GEOMETRY_COMPOUND;
    if (!is_compound && !concave->is_closed) {
        return;
    }
    sum->whole += is_compound ? 0.0 : concave->mass.volume;
    submerged_children children = {concave, *pose, {.up = up, .level = level}, sum};
    tni_dvec3 at = pose->position;
    children.cut.apex = dvec3_add_scaled(at, level - dvec3_dot(up, at), up);
    tni_bounds everywhere = tni_bounds_everywhere();
    concave->kind->find(concave, &everywhere, submerged_add_child, &children);
}

// ---- any ---------------------------------------------------------------------------------------

void tni_submerged_add(const tni_geometry *geometry, const tni_dpose *frame, tni_dvec3 up,
                       double level, tni_submerged *sum) {
    tni_dpose pose;
    pose.rotation = dquat_normalize(
        dquat_mul(frame->rotation, dquat_normalize(dquat_from_float(geometry->rotation))));
    pose.position = dvec3_add(frame->position,
                              dquat_rotate(frame->rotation, dvec3_from_float(geometry->position)));
    if (tni_geometry_is_concave(geometry->type)) {
        submerged_add_concave(sum, geometry, &pose, up, level);
        return;
    }
    double whole = tni_geometry_mass_properties(geometry).volume;
    sum->whole += whole;
    if (geometry->rounding > 0.0f && geometry->type != TNI_GEOMETRY_CYLINDER) {
        submerged_add_rounded(sum, geometry, &pose, up, level, whole);
        return;
    }
    switch (geometry->type) {
    case TNI_GEOMETRY_SPHERE:
        submerged_add_ball(sum, pose.position, (double)geometry->sphere.radius, up,
                           level - dvec3_dot(up, pose.position));
        break;
    case TNI_GEOMETRY_CAPSULE:
    case TNI_GEOMETRY_CYLINDER:
    case TNI_GEOMETRY_TAPERED_CAPSULE:
        submerged_add_revolution(sum, geometry, &pose, up, level);
        break;
    case TNI_GEOMETRY_ELLIPSOID:
        submerged_add_ellipsoid(sum, geometry->ellipsoid.radii, &pose, up, level);
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
}
