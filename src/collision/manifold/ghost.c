// collision/manifold/ghost.c: contacts with shapes that lie behind the plane of another.
//
// A shape R that slides or rolls over level neighbours meets the edges of the next one, as their
// pair finds. But a contact j of R with the face of a shape Q keeps R on one side of a plane, and a
// shape P that lies wholly on the other side cannot be met: it is a ghost. With m the normal of
// that face, from Q to R, h_j its height along m, d_j how deep R lies in it, and q a tolerance,
// contact k between R and P is a ghost when
//
//     max over P of m.x <= h_j + q              P lies behind the plane
//     min over R of m.x >= h_j - d_j - q        R lies before it
//     neither comes to the other by more than q within dt, once j is heeded
//     the normal of k is not m itself.
//
// The rule needs no mesh, no shared corners and no common body, and it is exact up to q. The world
// applies it to the contacts of a step (world/collide/contact_ghosts.c), mechanisms apply it to
// their touches in each substep (solver/touches/touch_ghosts.c). Test:
// tests/collision/manifold/test_ghost.c
#include "collision/manifold/ghost.h"

#include <math.h>

#include "collision/narrow.h"
#include "collision/stretch.h"

// The tolerance q is this share of the inner radius of R, and no more than MOST, m.
#define GHOST_SHARE 0.02
#define GHOST_MOST  2e-3
// rad: a normal that is off that of a face by no more than this is taken for it.
#define GHOST_FACE 8e-4f
// Normals closer than this are the plane's own: squares of rad. The first is for shapes with sharp
// edges, the second for others.
#define GHOST_PARALLEL2       2e-4
#define GHOST_ROUND_PARALLEL2 1e-11

double tni_ghost_get_tolerance(const tni_geometry *moving) {
    return maths_min_d(GHOST_SHARE * (double)tni_geometry_inner_radius(moving), GHOST_MOST);
}

// ---- extents ----------------------------------------------------------------------------------

// These turn a direction to the shape's own frame, and back.
static vec3s ghost_turn_back(const tni_path_end *shape, tni_dvec3 m) {
    return maths_rotate_inverse(shape->rotation, dvec3_to_float(m));
}

static tni_dvec3 ghost_turn_out(const tni_path_end *shape, vec3s m) {
    tni_dquat rotation = dquat_renormalize(dquat_from_float(shape->rotation));
    return dquat_rotate(rotation, dvec3_from_float(m));
}

tni_dvec3 tni_ghost_get_rim(const tni_path_end *round, tni_dvec3 m) {
    const tni_stretch *stretch = round->geometry->stretch;
    if (stretch == NULL) {
        return dvec3_scale(m, (double)tni_geometry_roundness(round->geometry));
    }
    tni_dquat rotation = dquat_renormalize(dquat_from_float(round->rotation));
    tni_dvec3 rim = tni_stretch_get_point(stretch, dquat_rotate_inverse(rotation, m));
    return dquat_rotate(rotation, rim);
}

double tni_ghost_get_top(const tni_path_end *shape, tni_dvec3 m, tni_dvec3 origin) {
    const tni_geometry *geometry = shape->geometry;
    double middle = dvec3_dot(m, dvec3_sub(shape->center, origin));
    vec3s n = ghost_turn_back(shape, m);
    if (geometry->stretch == NULL || !tni_geometry_is_round(geometry)) {
        return middle + (double)tni_geometry_extent(geometry, n);
    }
    bool is_capsule = geometry->type == TNI_GEOMETRY_CAPSULE;
    double core = is_capsule ? (double)(fabsf(n.y) * geometry->capsule.half_length) : 0.0;
    return middle + core + dvec3_dot(m, tni_ghost_get_rim(shape, m));
}

// Finds the normal of the face that m, in the shape's frame, is nearly that of: returns false if
// there is none.
static bool ghost_find_face(const tni_geometry *geometry, vec3s m, vec3s *out) {
    if (geometry->type == TNI_GEOMETRY_HALF_SPACE) {
        *out = m;
        return true;
    }
    if (geometry->type == TNI_GEOMETRY_BOX) {
        for (uint32_t i = 0; i < 3; ++i) {
            *out = maths_vec3_zero();
            out->raw[i] = m.raw[i] < 0.0f ? -1.0f : 1.0f;
            vec3s off = glms_vec3_sub(*out, m);
            if (narrow_dot(off, off) < GHOST_FACE * GHOST_FACE) {
                return true;
            }
        }
        return false;
    }
    if (geometry->type != TNI_GEOMETRY_HULL) {
        return false;
    }
    const tni_hull *hull = geometry->hull.hull;
    for (uint32_t i = 0; i < hull->face_count; ++i) {
        *out = hull->planes[i].normal;
        vec3s off = glms_vec3_sub(*out, m);
        if (narrow_dot(off, off) < GHOST_FACE * GHOST_FACE) {
            return true;
        }
    }
    return false;
}

bool tni_ghost_is_face(const tni_path_end *shape, tni_dvec3 m) {
    vec3s own = ghost_turn_back(shape, m), face;
    if (!ghost_find_face(shape->geometry, own, &face)) {
        return false;
    }
    vec3s off = glms_vec3_sub(face, own);
    return (double)narrow_dot(off, off) < GHOST_ROUND_PARALLEL2;
}

// ---- the rule ---------------------------------------------------------------------------------

// Returns the velocity of a round shape's core, or of a polyhedron at a point.
static tni_dvec3 ghost_get_velocity(const tni_path_end *shape, tni_dvec3 point) {
    tni_dvec3 at = tni_geometry_may_roll(shape->geometry) ? shape->center : point;
    tni_dvec3 arm = dvec3_sub(at, shape->position);
    return dvec3_add(shape->velocity, dvec3_cross(shape->angular_velocity, arm));
}

bool tni_ghost_find_plane(const tni_path_end *moving, const tni_path_end *carrier, tni_dvec3 normal,
                          double gap, tni_dvec3 point, tni_ghost_plane *out_plane) {
    vec3s face;
    if (!ghost_find_face(carrier->geometry, ghost_turn_back(carrier, normal), &face)) {
        return false;
    }
    tni_dvec3 speed = ghost_get_velocity(moving, point), m = ghost_turn_out(carrier, face);
    out_plane->normal = m;
    out_plane->height = tni_ghost_get_top(carrier, m, moving->center);
    out_plane->depth = maths_max_d(-gap, 0.0);
    out_plane->velocity = carrier->velocity;
    out_plane->sink = maths_max_d(dvec3_dot(m, dvec3_sub(carrier->velocity, speed)), 0.0);
    return true;
}

static bool ghost_is_parallel(const tni_ghost_trial *trial, tni_dvec3 m, double most2) {
    tni_dvec3 off = dvec3_cross(trial->normal, m);
    return dvec3_dot(off, off) < most2 && dvec3_dot(trial->normal, m) > 0.0;
}

bool tni_ghost_is_level(const tni_ghost_trial *trial, const tni_ghost_plane *plane) {
    return ghost_is_parallel(trial, plane->normal, GHOST_PARALLEL2);
}

bool tni_ghost_lies_behind(const tni_ghost_trial *trial, const tni_ghost_plane *plane) {
    tni_dvec3 m = plane->normal, middle = trial->moving.center;
    double q = tni_ghost_get_tolerance(trial->moving.geometry);
    bool is_sharp = tni_geometry_is_sharp(trial->moving.geometry);
    double most2 = is_sharp ? GHOST_PARALLEL2 : GHOST_ROUND_PARALLEL2;
    if ((ghost_is_parallel(trial, m, most2) && !trial->follows) ||
        tni_ghost_get_top(&trial->other, m, middle) > plane->height + q) {
        return false;
    }
    double low = -tni_ghost_get_top(&trial->moving, dvec3_scale(m, -1.0), middle);
    if (low < plane->height - plane->depth - q) {
        return false;
    }
    tni_dvec3 of_other = ghost_get_velocity(&trial->other, trial->point);
    tni_dvec3 of_moving = ghost_get_velocity(&trial->moving, trial->point);
    double rise = dvec3_dot(m, dvec3_sub(of_other, plane->velocity));
    double sink = dvec3_dot(m, dvec3_sub(plane->velocity, of_moving)) - plane->sink;
    return rise * trial->dt <= q && sink * trial->dt <= q;
}
