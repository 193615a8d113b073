// world/contact_ghosts.c: contacts with edges that lie behind another contact's plane.
//
// The rule is that of collision/ghost.c. A ghost of boxes and hulls is dropped. That of a round
// shape is turned: its normal becomes m, its gap the height of the round shape's core over the top
// of P less the radius, for P may be what carries it next. Test: tests/world/test_contact_ghosts.c
#include "world/contact_ghosts.h"

#include "collision/ghost.h"

// A contact k, and its shapes R and P.
typedef struct ghost_pair {
    tn_world *world;
    tni_contact *contact;
    uint32_t moving; // of the shapes: R
    tni_ghost_trial trial;
} ghost_pair;

static tni_path_end ghost_get_end(const tn_world *world, uint32_t index, double dt) {
    tni_shape_motion own;
    const tni_shape_motion *motion = tni_shape_get_motion(world, index, dt, &own);
    tni_path_end end = {.geometry = tni_shape_get_geometry(tni_shape_at(world, index)),
                        .center = motion->center,
                        .rotation = motion->rotation,
                        .position = motion->position,
                        .velocity = motion->velocity,
                        .angular_velocity = motion->angular_velocity};
    return end;
}

// The first point, world.
static tni_dvec3 ghost_get_point(const tni_contact *contact) {
    return dvec3_add(contact->origin, dvec3_from_float(contact->manifold.points[0].position));
}

// ---- suspects ---------------------------------------------------------------------------------

static bool ghost_is_suspect_of(const tn_world *world, const tni_contact *contact,
                                const tni_shape_motion *motions[2], int r) {
    const uint32_t bodies[2] = {contact->body_a, contact->body_b};
    const uint32_t shapes[2] = {contact->shape_a, contact->shape_b};
    int p = 1 - r;
    if (!motions[r]->is_dynamic) {
        return false;
    }
    const tni_geometry *moving = tni_shape_get_geometry(tni_shape_at(world, shapes[r]));
    bool is_round = tni_geometry_is_round(moving);
    if (!is_round && !tni_body_may_have_neighbours(tni_body_at(world, bodies[p]))) {
        return false;
    }
    const tni_geometry *other = tni_shape_get_geometry(tni_shape_at(world, shapes[p]));
    if (!tni_geometry_is_polyhedron(other) || moving->stretch != NULL) {
        return false;
    }
    if (!is_round) {
        return contact->is_walked || (contact->is_touching && !contact->is_confirmed);
    }
    vec3s n = contact->manifold.normal;
    tni_path_end shape = {.geometry = other, .rotation = motions[p]->rotation};
    return !tni_ghost_is_face(&shape, dvec3_from_float(r == 0 ? glms_vec3_negate(n) : n));
}

bool tni_contact_is_suspect(const tn_world *world, const tni_contact *contact,
                            const tni_shape_motion *a, const tni_shape_motion *b) {
    if (contact->manifold.point_count == 0 || (contact->is_confirmed && !contact->is_walked)) {
        return false;
    }
    if (contact->follows) {
        return true;
    }
    bool is_new = contact->is_walked || contact->is_touching;
    if (!is_new && a->is_box && b->is_box) {
        return false; // as ghost_is_suspect_of would say
    }
    const tni_shape_motion *motions[2] = {a, b};
    return ghost_is_suspect_of(world, contact, motions, 0) ||
           ghost_is_suspect_of(world, contact, motions, 1);
}

// ---- planes -----------------------------------------------------------------------------------

// The plane of contact j, if it carries R on a face.
static bool ghost_find_plane(const ghost_pair *pair, const tni_contact *contact,
                             tni_ghost_plane *plane) {
    bool is_a = contact->shape_a == pair->moving;
    if (contact == pair->contact || (!is_a && contact->shape_b != pair->moving) ||
        contact->manifold.point_count == 0 || contact->awake_index == TNI_NONE) {
        return false;
    }
    const tni_path_end *moving = &pair->trial.moving;
    double gap = (double)tni_manifold_get_least(&contact->manifold);
    if (!contact->is_touching && gap > tni_ghost_get_tolerance(moving->geometry)) {
        return false;
    }
    uint32_t other = is_a ? contact->shape_b : contact->shape_a;
    tni_path_end carrier = ghost_get_end(pair->world, other, pair->trial.dt);
    tni_dvec3 n = dvec3_from_float(contact->manifold.normal);
    n = is_a ? dvec3_scale(n, -1.0) : n;
    return tni_ghost_find_plane(moving, &carrier, n, gap, ghost_get_point(contact), plane);
}

// ---- what becomes of a ghost ------------------------------------------------------------------

static void ghost_drop(tni_contact *contact) {
    contact->manifold.point_count = 0;
    contact->is_walked = contact->is_confirmed = contact->is_touching = false;
}

// A round shape's contact with the top of P: its normal is m, at the cores that it has.
static void ghost_turn(const ghost_pair *pair, const tni_ghost_plane *plane) {
    tni_contact *contact = pair->contact;
    const tni_path_end *moving = &pair->trial.moving, *other = &pair->trial.other;
    bool is_a = contact->shape_a == pair->moving;
    const tni_path_end *a = is_a ? moving : other, *b = is_a ? other : moving;
    tni_contact_memory *memory =
        tni_contact_memory_at(pair->world, contact->handle & TNI_POOL_INDEX_MASK);
    double t = contact->is_walked ? (double)memory->time : 0.0;
    double radius = (double)tni_geometry_roundness(moving->geometry);
    tni_dvec3 m = plane->normal, n = dvec3_from_float(contact->manifold.normal);
    tni_dvec3 origin = dvec3_add_scaled(contact->origin, t, a->velocity); // of points at t
    tni_dvec3 x_r = dvec3_add_scaled(moving->position, t, moving->velocity);
    double top = tni_ghost_get_top(other, m, moving->center);
    top += dvec3_dot(m, dvec3_sub(moving->center, x_r)) + t * dvec3_dot(m, other->velocity);
    bool touches = false;
    for (uint32_t i = 0; i < contact->manifold.point_count; ++i) {
        tni_manifold_point *p = &contact->manifold.points[i];
        tni_dvec3 at = dvec3_add(origin, dvec3_from_float(p->position));
        tni_dvec3 r_a = dvec3_sub(at, dvec3_add_scaled(a->position, t, a->velocity));
        tni_dvec3 r_b = dvec3_sub(at, dvec3_add_scaled(b->position, t, b->velocity));
        tni_dvec3 u = dvec3_sub(a->velocity, b->velocity);
        u = dvec3_add(u, dvec3_cross(a->angular_velocity, r_a));
        u = dvec3_sub(u, dvec3_cross(b->angular_velocity, r_b));
        double gap = (double)p->separation - dvec3_dot(n, u) * t; // at t
        tni_dvec3 core = is_a ? r_a : r_b;                        // from R's centre of mass
        core = dvec3_add_scaled(core, (is_a ? -1.0 : 1.0) * (0.5 * gap + radius), n);
        tni_dvec3 of_core = dvec3_cross(moving->angular_velocity, core);
        double sink =
            dvec3_dot(m, dvec3_sub(other->velocity, dvec3_add(moving->velocity, of_core)));
        gap = dvec3_dot(m, core) - top - radius;
        memory->gaps[i] = (float)gap;
        p->separation = (float)(gap + sink * t);
        touches |= gap - sink * (pair->trial.dt - t) <= 0.0;
        tni_dvec3 point = dvec3_add_scaled(dvec3_add(x_r, core), -(radius + 0.5 * gap), m);
        p->position = dvec3_to_float(dvec3_sub(point, origin));
    }
    contact->manifold.normal = dvec3_to_float(is_a ? dvec3_scale(m, -1.0) : m);
    // Over the top of P and not just level with it.
    contact->is_touching = contact->is_touching && touches;
}

static bool ghost_try(tn_world *world, tni_contact *contact, double dt, bool moving_is_a) {
    tni_shape_motion own[2];
    const tni_shape_motion *motions[2] = {
        tni_shape_get_motion(world, contact->shape_a, dt, &own[0]),
        tni_shape_get_motion(world, contact->shape_b, dt, &own[1])};
    bool is_suspect = ghost_is_suspect_of(world, contact, motions, moving_is_a ? 0 : 1);
    if (!is_suspect && !contact->follows) {
        return false;
    }
    uint32_t body = moving_is_a ? contact->body_a : contact->body_b;
    ghost_pair pair = {.world = world, .contact = contact};
    pair.moving = moving_is_a ? contact->shape_a : contact->shape_b;
    uint32_t other = moving_is_a ? contact->shape_b : contact->shape_a;
    tni_dvec3 n = dvec3_from_float(contact->manifold.normal);
    pair.trial = (tni_ghost_trial){.moving = ghost_get_end(world, pair.moving, dt),
                                   .other = ghost_get_end(world, other, dt),
                                   .normal = moving_is_a ? dvec3_scale(n, -1.0) : n,
                                   .point = ghost_get_point(contact),
                                   .dt = dt,
                                   .follows = contact->follows};
    uint32_t key = tni_body_at(world, body)->contact_head;
    for (; key != TNI_NONE; key = tni_contact_edge_next(world, key)) {
        tni_ghost_plane plane;
        if (ghost_find_plane(&pair, tni_contact_at(world, key >> 1), &plane) &&
            tni_ghost_lies_behind(&pair.trial, &plane)) {
            contact->follows = false;
            if (!is_suspect) {
                return false; // it carries on its face, and another beside it
            }
            if (tni_geometry_is_round(pair.trial.moving.geometry)) {
                ghost_turn(&pair, &plane);
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
