// world/contact_ghosts.c: contacts with edges that lie behind another contact's plane.
//
// A shape R that slides or rolls over neighbours that lie level meets the edges of the next one, as
// far as its pair with that one knows. But a contact j of R with the face of a shape Q keeps R on
// one side of a plane, and a shape P that lies wholly on the other side cannot be met: it is a
// ghost. With m the normal of that face, from Q to R, h_j its height along m, d_j how deep R lies
// in it, and q a tolerance, contact k between R and P is a ghost when
//
//     max over P of m.x <= h_j + q              P lies behind the plane
//     min over R of m.x >= h_j - d_j - q        R lies before it
//     neither comes to the other by more than q within the step, once j is heeded
//     the normal of k is not m itself.
//
// It asks for no mesh, no shared corners and no common body, and it is exact up to q. A ghost of
// boxes and hulls is dropped. That of a round shape is turned, for P may be what carries it next:
// its normal becomes m, and its points those of all the shape's cores, each with its height over
// the top of P. That plane is right from the step's start on, whatever blows bend the way until
// then. Contacts of a capsule that rolls are turned even if their normal is m already, so that
// their points follow its axis (solver/contact_follow.c). Test: tests/world/test_contact_ghosts.c
#include "world/contact_ghosts.h"

#include <math.h>
#include <string.h>

#include "collision/narrow.h"
#include "collision/stretch.h"
#include "solver/contact_follow.h"
#include "world/contact_path.h"

// The tolerance q: this share of the inner radius of R, and no more than so much. m
#define GHOST_SHARE 0.02
#define GHOST_MOST  2e-3
// rad: how far a normal may be off that of a face, which is then taken for it.
#define GHOST_FACE 8e-4f
// Normals closer than this are the plane's own: squares of rad. Boxes and hulls, round shapes.
#define GHOST_PARALLEL2       2e-4
#define GHOST_ROUND_PARALLEL2 1e-11

// One shape of a contact.
typedef struct ghost_shape {
    uint32_t index;
    const tni_geometry *geometry;
    const tni_shape_motion *motion;
    tni_shape_motion own;
} ghost_shape;

typedef struct ghost_trial {
    tn_world *world;
    tni_contact *contact; // k
    ghost_shape moving;   // R
    ghost_shape other;    // P
    tni_dvec3 normal;     // of k, from P to R
    double dt, tolerance;
    bool rolls; // R does
} ghost_trial;

// Contact j, where it carries R on a face.
typedef struct ghost_plane {
    tni_dvec3 normal; // m
    double height;    // h_j, from the middle of R
    double depth;     // d_j
    double sink;      // m/s: how fast R comes to it where they touch, which it will not allow
    tni_dvec3 velocity;
} ghost_plane;

static void ghost_set_shape(tn_world *world, uint32_t index, double dt, ghost_shape *out) {
    out->index = index;
    out->geometry = tni_shape_get_geometry(tni_shape_at(world, index));
    out->motion = tni_shape_get_motion(world, index, dt, &out->own);
}

// ---- extents ----------------------------------------------------------------------------------

static tni_dvec3 ghost_get_axis(const ghost_shape *shape, int i) {
    const float *axis = shape->motion->box.axes[i];
    return dvec3_make((double)axis[0], (double)axis[1], (double)axis[2]);
}

// A direction in the shape's own frame.
static vec3s ghost_turn_back(const ghost_shape *shape, tni_dvec3 m) {
    return maths_vec3((float)dvec3_dot(ghost_get_axis(shape, 0), m),
                      (float)dvec3_dot(ghost_get_axis(shape, 1), m),
                      (float)dvec3_dot(ghost_get_axis(shape, 2), m));
}

// From a core of a round shape to its surface, farthest along n.
static tni_dvec3 ghost_get_rim(const ghost_shape *round, tni_dvec3 n) {
    const tni_stretch *stretch = round->geometry->stretch;
    if (stretch == NULL) {
        return dvec3_scale(n, (double)tni_geometry_roundness(round->geometry));
    }
    tni_dquat rotation = dquat_renormalize(dquat_from_float(round->motion->rotation));
    tni_dvec3 rim = tni_stretch_get_point(stretch, dquat_rotate_inverse(rotation, n));
    return dquat_rotate(rotation, rim);
}

// max m.x over the shape, from `origin`.
static double ghost_get_top(const ghost_shape *shape, tni_dvec3 m, tni_dvec3 origin) {
    double middle = dvec3_dot(m, dvec3_sub(shape->motion->center, origin));
    vec3s n = ghost_turn_back(shape, m);
    const tni_geometry *geometry = shape->geometry;
    if (geometry->stretch == NULL || !tni_geometry_is_round(geometry)) {
        return middle + (double)tni_geometry_extent(geometry, n);
    }
    bool is_capsule = geometry->type == TNI_GEOMETRY_CAPSULE;
    double core = is_capsule ? (double)(fabsf(n.y) * geometry->capsule.half_length) : 0.0;
    return middle + core + dvec3_dot(m, ghost_get_rim(shape, m));
}

static tni_dvec3 ghost_turn_out(const ghost_shape *shape, vec3s n) {
    tni_dvec3 sum = dvec3_scale(ghost_get_axis(shape, 0), (double)n.x);
    sum = dvec3_add_scaled(sum, (double)n.y, ghost_get_axis(shape, 1));
    return dvec3_add_scaled(sum, (double)n.z, ghost_get_axis(shape, 2));
}

// The normal of the face that m, in the shape's frame, is nearly that of: false if there is none.
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

// Is m that normal to round-off?
static bool ghost_is_face(const tni_geometry *geometry, vec3s m) {
    vec3s face;
    if (!ghost_find_face(geometry, m, &face)) {
        return false;
    }
    vec3s off = glms_vec3_sub(face, m);
    return (double)narrow_dot(off, off) < GHOST_ROUND_PARALLEL2;
}

// ---- suspects ---------------------------------------------------------------------------------

// A body that gives way and has one shape seldom has level neighbours: boxes and hulls in a heap
// have none.
static bool ghost_may_have_neighbours(const tn_world *world, uint32_t body) {
    const tni_body *record = tni_body_at(world, body);
    return record->type != TN_BODY_TYPE_DYNAMIC || record->shape_count > 1;
}

static bool ghost_is_suspect_of(const tn_world *world, const tni_contact *contact,
                                const tni_shape_motion *motions[2], double dt, int r) {
    const uint32_t bodies[2] = {contact->body_a, contact->body_b};
    const uint32_t shapes[2] = {contact->shape_a, contact->shape_b};
    int p = 1 - r;
    if (!motions[r]->is_dynamic) {
        return false;
    }
    const tni_geometry *moving = tni_shape_get_geometry(tni_shape_at(world, shapes[r]));
    bool is_round = tni_geometry_is_round(moving);
    if (!is_round && !ghost_may_have_neighbours(world, bodies[p])) {
        return false;
    }
    const tni_geometry *other = tni_shape_get_geometry(tni_shape_at(world, shapes[p]));
    if (!tni_geometry_is_polyhedron(other)) {
        return false;
    }
    if (!is_round) {
        return contact->is_walked || (contact->is_touching && !contact->is_confirmed);
    }
    if (contact->is_walked && tni_shape_rolls(moving, motions[r], dt)) {
        return true; // its axis goes on while the planes stay
    }
    vec3s n = contact->manifold.normal;
    ghost_shape shape = {.motion = motions[p]};
    vec3s m = ghost_turn_back(&shape, dvec3_from_float(r == 0 ? glms_vec3_negate(n) : n));
    return !ghost_is_face(other, m);
}

bool tni_contact_is_suspect(const tn_world *world, const tni_contact *contact,
                            const tni_shape_motion *a, const tni_shape_motion *b, double dt) {
    if (contact->manifold.point_count == 0 || (contact->is_confirmed && !contact->is_walked)) {
        return false;
    }
    if (contact->follows != TNI_FOLLOWS_NOTHING) {
        return true;
    }
    const tni_shape_motion *motions[2] = {a, b};
    return ghost_is_suspect_of(world, contact, motions, dt, 0) ||
           ghost_is_suspect_of(world, contact, motions, dt, 1);
}

// The velocity of a shape's core, or of a polyhedron at the first point of a contact.
static tni_dvec3 ghost_get_velocity(const ghost_shape *shape, const tni_contact *contact) {
    const tni_shape_motion *motion = shape->motion;
    tni_dvec3 point = motion->center;
    if (!tni_geometry_is_round(shape->geometry)) {
        point = dvec3_add(contact->origin, dvec3_from_float(contact->manifold.points[0].position));
    }
    tni_dvec3 arm = dvec3_sub(point, motion->position);
    return dvec3_add(motion->velocity, dvec3_cross(motion->angular_velocity, arm));
}

// ---- planes -----------------------------------------------------------------------------------

// The plane of contact j, if it carries R on a face.
static bool ghost_find_plane(const ghost_trial *trial, const tni_contact *contact,
                             ghost_plane *plane) {
    uint32_t index = trial->moving.index;
    bool is_a = contact->shape_a == index;
    if (contact == trial->contact || (!is_a && contact->shape_b != index) ||
        contact->manifold.point_count == 0 || contact->awake_index == TNI_NONE) {
        return false;
    }
    double gap = (double)tni_manifold_get_least(&contact->manifold);
    if (!contact->is_touching && gap > trial->tolerance) {
        return false;
    }
    ghost_shape carrier;
    ghost_set_shape(trial->world, is_a ? contact->shape_b : contact->shape_a, trial->dt, &carrier);
    tni_dvec3 n = dvec3_from_float(contact->manifold.normal);
    plane->normal = is_a ? dvec3_scale(n, -1.0) : n;
    vec3s face;
    if (!ghost_find_face(carrier.geometry, ghost_turn_back(&carrier, plane->normal), &face)) {
        return false;
    }
    plane->normal = ghost_turn_out(&carrier, face);
    plane->height = ghost_get_top(&carrier, plane->normal, trial->moving.motion->center);
    plane->depth = fmax(-gap, 0.0);
    plane->velocity = carrier.motion->velocity;
    tni_dvec3 speed = ghost_get_velocity(&trial->moving, contact);
    plane->sink = fmax(dvec3_dot(plane->normal, dvec3_sub(plane->velocity, speed)), 0.0);
    return true;
}

// ---- the rule ---------------------------------------------------------------------------------

static bool ghost_is_parallel(const ghost_trial *trial, tni_dvec3 m) {
    tni_dvec3 off = dvec3_cross(trial->normal, m);
    double sine2 = dvec3_dot(off, off);
    double least =
        tni_geometry_is_round(trial->moving.geometry) ? GHOST_ROUND_PARALLEL2 : GHOST_PARALLEL2;
    return sine2 < least && dvec3_dot(trial->normal, m) > 0.0;
}

// Can R not come to P for the plane?
static bool ghost_lies_behind(const ghost_trial *trial, const ghost_plane *plane) {
    tni_dvec3 m = plane->normal, middle = trial->moving.motion->center;
    double q = trial->tolerance;
    bool is_carried = trial->contact->follows != TNI_FOLLOWS_NOTHING || trial->rolls;
    if ((ghost_is_parallel(trial, m) && !is_carried) ||
        ghost_get_top(&trial->other, m, middle) > plane->height + q) {
        return false;
    }
    double low = -ghost_get_top(&trial->moving, dvec3_scale(m, -1.0), middle);
    if (low < plane->height - plane->depth - q) {
        return false;
    }
    tni_dvec3 rise = dvec3_sub(ghost_get_velocity(&trial->other, trial->contact), plane->velocity);
    tni_dvec3 sink = dvec3_sub(plane->velocity, ghost_get_velocity(&trial->moving, trial->contact));
    double more = dvec3_dot(m, sink) - plane->sink;
    return dvec3_dot(m, rise) * trial->dt <= q && more * trial->dt <= q;
}

// ---- what becomes of a ghost ------------------------------------------------------------------

static void ghost_drop(tni_contact *contact) {
    contact->manifold.point_count = 0;
    contact->is_walked = contact->is_confirmed = contact->is_touching = false;
}

// The cores of a round shape, from its body's centre of mass: a ball's middle, a capsule's ends.
static uint32_t ghost_get_cores(const ghost_shape *round, tni_dvec3 cores[2]) {
    const tni_shape_motion *motion = round->motion;
    tni_dvec3 middle = dvec3_sub(motion->center, motion->position);
    cores[0] = middle;
    if (round->geometry->type != TNI_GEOMETRY_CAPSULE) {
        return 1;
    }
    tni_dvec3 axis = dquat_axis_y(dquat_from_float(motion->rotation));
    double half = (double)round->geometry->capsule.half_length;
    cores[0] = dvec3_add_scaled(middle, -half, axis);
    cores[1] = dvec3_add_scaled(middle, half, axis);
    return 2;
}

// What a contact pushes with at a feature.
static float ghost_get_impulse(const tni_contact *contact, uint32_t feature) {
    float impulse = 0.0f;
    for (uint32_t p = 0; p < contact->manifold.point_count; ++p) {
        bool is_same = contact->manifold.points[p].feature == feature;
        impulse = is_same ? contact->normal_impulses[p] : impulse;
    }
    return impulse;
}

// A round shape's contact with the top of P: its normal is m, at all of its cores, and that is
// right from the start on.
static void ghost_turn(const ghost_trial *trial, const ghost_plane *plane) {
    tni_contact *contact = trial->contact;
    const ghost_shape *moving = &trial->moving, *other = &trial->other;
    tni_dvec3 m = plane->normal, x = moving->motion->position, cores[2];
    tni_dvec3 rim = ghost_get_rim(moving, dvec3_scale(m, -1.0));
    double top = ghost_get_top(other, m, x);
    double sink = dvec3_dot(m, dvec3_sub(other->motion->velocity, moving->motion->velocity));
    bool touches = false;
    tni_manifold manifold = {.point_count = ghost_get_cores(moving, cores)};
    float impulses[2];
    for (uint32_t i = 0; i < manifold.point_count; ++i) {
        tni_dvec3 lowest = dvec3_add(cores[i], rim);
        double gap = dvec3_dot(m, lowest) - top;
        double turns = dvec3_dot(m, dvec3_cross(moving->motion->angular_velocity, cores[i]));
        touches |= gap <= (sink - turns) * trial->dt;
        tni_dvec3 point = dvec3_add_scaled(dvec3_add(x, lowest), -0.5 * gap, m);
        tni_manifold_point *p = &manifold.points[i];
        p->position = dvec3_to_float(dvec3_sub(point, contact->origin));
        p->separation = (float)gap;
        p->feature = feature_of_other(1 + i);
        impulses[i] = ghost_get_impulse(contact, p->feature);
    }
    memset(contact->normal_impulses, 0, sizeof contact->normal_impulses);
    memcpy(contact->normal_impulses, impulses, manifold.point_count * sizeof *impulses);
    manifold.normal = dvec3_to_float(contact->shape_a == moving->index ? dvec3_scale(m, -1.0) : m);
    contact->manifold = manifold;
    contact->is_walked = false;
    // Over the top of P and not just level with it.
    contact->is_touching = contact->is_touching && touches;
}

static bool ghost_try(tn_world *world, tni_contact *contact, double dt, bool moving_is_a) {
    ghost_trial trial = {.world = world, .contact = contact, .dt = dt};
    uint32_t body = moving_is_a ? contact->body_a : contact->body_b;
    ghost_set_shape(world, moving_is_a ? contact->shape_a : contact->shape_b, dt, &trial.moving);
    ghost_set_shape(world, moving_is_a ? contact->shape_b : contact->shape_a, dt, &trial.other);
    const tni_shape_motion *motions[2] = {
        moving_is_a ? trial.moving.motion : trial.other.motion,
        moving_is_a ? trial.other.motion : trial.moving.motion,
    };
    bool is_suspect = ghost_is_suspect_of(world, contact, motions, dt, moving_is_a ? 0 : 1);
    if (!is_suspect && contact->follows == TNI_FOLLOWS_NOTHING) {
        return false;
    }
    trial.rolls = tni_shape_rolls(trial.moving.geometry, trial.moving.motion, dt);
    tni_dvec3 n = dvec3_from_float(contact->manifold.normal);
    trial.normal = moving_is_a ? dvec3_scale(n, -1.0) : n;
    trial.tolerance =
        fmin(GHOST_SHARE * (double)tni_geometry_inner_radius(trial.moving.geometry), GHOST_MOST);
    uint32_t key = tni_body_at(world, body)->contact_head;
    for (; key != TNI_NONE; key = tni_contact_edge_next(world, key)) {
        ghost_plane plane;
        if (ghost_find_plane(&trial, tni_contact_at(world, key >> 1), &plane) &&
            ghost_lies_behind(&trial, &plane)) {
            // It carries on its face, and another beside it.
            contact->follows = trial.rolls ? TNI_FOLLOWS_PLANE : TNI_FOLLOWS_NOTHING;
            if (!is_suspect) {
                return false;
            }
            if (tni_geometry_is_round(trial.moving.geometry)) {
                ghost_turn(&trial, &plane);
            } else {
                ghost_drop(contact);
            }
            return true;
        }
    }
    return false;
}

bool tni_contact_lay_ghost(tn_world *world, uint32_t index, double dt) {
    tni_contact *contact = tni_contact_at(world, index);
    return ghost_try(world, contact, dt, true) || ghost_try(world, contact, dt, false);
}
