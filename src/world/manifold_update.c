// world/manifold_update.c: the narrow phase of all awake contacts, once per step.
//
// Each contact is computed by itself, on any worker, and writes only itself. Then one thread walks
// them in order: begin and end events, waking, and the end of contacts whose boxes parted.
//
// A pair is computed relative to an origin near it (the middle of the moving shape), so that floats
// are as good far from the world's origin as near it. With n from a to b and r_a, r_b the arms of a
// point, the gap there closes at
//
//     -s' = n . (v_a + w_a x r_a - v_b - w_b x r_b)
//
// and the surfaces meet within the step when s + s' dt <= 0, where no arm reaches farther than it
// is long. Points are looked for as far ahead as the bodies can go, so that a fast body is stopped
// at the surface and not behind it.
// Test: tests/world/test_manifold_update.c
#include <string.h>

#include "world/world_internal.h"

// Contacts per piece of parallel work.
#define UPDATE_MIN_RANGE 32u
// m: what touches already may open by this much, so that a contact at rest does not flicker.
#define UPDATE_OPEN_GAP 0.0005

typedef struct update_pass {
    tn_world *world;
    double dt;
    uint32_t first; // in awake_contacts
} update_pass;

// ---- geometry ---------------------------------------------------------------------------------

static tni_dvec3 update_shape_center(const tni_shape *shape, const tni_body *body) {
    tni_dvec3 local = dvec3_sub(dvec3_from_float(shape->geometry.position), body->local_center);
    return dvec3_add(body->position, dquat_rotate(body->rotation, local));
}

static tni_frame update_frame(const tni_shape *shape, const tni_body *body, tni_dvec3 origin) {
    tni_dquat rotation = dquat_mul(body->rotation, dquat_from_float(shape->geometry.rotation));
    tni_frame frame;
    frame.position = dvec3_to_float(dvec3_sub(update_shape_center(shape, body), origin));
    frame.rotation = maths_quat_normalize(dquat_to_float(rotation));
    return frame;
}

// How far apart the shapes may be and still meet within dt.
static float update_margin(const tn_world *world, const tni_contact *contact, double dt) {
    const tni_body *a = &world->bodies[contact->body_a], *b = &world->bodies[contact->body_b];
    double way = dvec3_length(dvec3_sub(b->velocity, a->velocity)) * dt;
    float turn = tni_shape_turn_way(world, &world->shapes[contact->shape_a], dt) +
                 tni_shape_turn_way(world, &world->shapes[contact->shape_b], dt);
    return maths_max(world->def.contact_margin, (float)way + turn);
}

// How far turning can carry a point of a body along `direction` within dt: not beyond the circle it
// moves on.
static double update_turn_limit(const tni_body *body, tni_dvec3 point, tni_dvec3 direction,
                                double dt) {
    tni_dvec3 arm = dvec3_sub(point, body->position);
    double length = dvec3_length(arm);
    double way = tni_body_turn_ahead(body, dt) * length;
    return fmax(fmin(way, length - dvec3_dot(arm, direction)), 0.0);
}

// And how far it does at the present speed.
static double update_turn_way(const tni_body *body, tni_dvec3 point, tni_dvec3 direction,
                              double dt) {
    tni_dvec3 arm = dvec3_sub(point, body->position);
    double speed = dvec3_dot(direction, dvec3_cross(body->angular_velocity, arm));
    return fmin(speed * dt, update_turn_limit(body, point, direction, dt));
}

// How far the surfaces of a and b come together at a point within dt.
static double update_closing(const tn_world *world, const tni_contact *contact,
                             const tni_manifold_point *p, double dt) {
    const tni_body *a = &world->bodies[contact->body_a], *b = &world->bodies[contact->body_b];
    tni_dvec3 normal = dvec3_from_float(contact->manifold.normal);
    tni_dvec3 middle = dvec3_add(contact->origin, dvec3_from_float(p->position));
    double half = 0.5 * (double)p->separation;
    double way = dvec3_dot(normal, dvec3_sub(a->velocity, b->velocity)) * dt;
    way += update_turn_way(a, dvec3_add_scaled(middle, -half, normal), normal, dt);
    tni_dvec3 opposite = dvec3_scale(normal, -1.0);
    way += update_turn_way(b, dvec3_add_scaled(middle, half, normal), opposite, dt);
    return fmax(way, 0.0);
}

// The surfaces meet now or will within dt.
static bool update_is_touching(const tn_world *world, const tni_contact *contact, double dt) {
    double tolerance = contact->was_touching ? UPDATE_OPEN_GAP : 0.0;
    for (uint32_t i = 0; i < contact->manifold.point_count; ++i) {
        const tni_manifold_point *p = &contact->manifold.points[i];
        if ((double)p->separation - update_closing(world, contact, p, dt) <= tolerance) {
            return true;
        }
    }
    return false;
}

// Takes out the points that cannot close within dt, whatever direction the bodies are sent in: the
// margin of the search was that of the whole shapes.
static void update_drop_unreachable(const tn_world *world, tni_contact *contact, double dt) {
    const tni_body *a = &world->bodies[contact->body_a], *b = &world->bodies[contact->body_b];
    tni_manifold *manifold = &contact->manifold;
    tni_dvec3 normal = dvec3_from_float(manifold->normal), opposite = dvec3_scale(normal, -1.0);
    double way = dvec3_length(dvec3_sub(b->velocity, a->velocity)) * dt;
    uint32_t count = 0;
    for (uint32_t i = 0; i < manifold->point_count; ++i) {
        tni_manifold_point p = manifold->points[i];
        tni_dvec3 middle = dvec3_add(contact->origin, dvec3_from_float(p.position));
        double half = 0.5 * (double)p.separation;
        tni_dvec3 point_a = dvec3_add_scaled(middle, -half, normal);
        tni_dvec3 point_b = dvec3_add_scaled(middle, half, normal);
        double reach = way + update_turn_limit(a, point_a, normal, dt) +
                       update_turn_limit(b, point_b, opposite, dt);
        if (p.separation <= maths_max(world->def.contact_margin, (float)reach)) {
            manifold->points[count] = p;
            count += 1;
        }
    }
    manifold->point_count = count;
}

// ---- what is carried over ---------------------------------------------------------------------

static void update_match_impulses(tni_contact *contact, const tni_manifold *old) {
    float old_impulses[TNI_MANIFOLD_MAX_POINTS];
    memcpy(old_impulses, contact->normal_impulses, sizeof old_impulses);
    memset(contact->normal_impulses, 0, sizeof contact->normal_impulses);
    memset(contact->step_impulses, 0, sizeof contact->step_impulses);
    memset(contact->approach_speeds, 0, sizeof contact->approach_speeds);
    bool has_match = false;
    for (uint32_t i = 0; i < contact->manifold.point_count; ++i) {
        for (uint32_t j = 0; j < old->point_count; ++j) {
            if (contact->manifold.points[i].feature == old->points[j].feature) {
                contact->normal_impulses[i] = old_impulses[j];
                has_match = true;
                break;
            }
        }
    }
    if (!has_match) {
        contact->friction_impulse = maths_vec3_zero();
        contact->rolling_impulse = maths_vec3_zero();
    }
    contact->step_friction_impulse = maths_vec3_zero();
}

static void update_mix_materials(const tn_world *world, tni_contact *contact) {
    const tn_material *a = &world->shapes[contact->shape_a].material;
    const tn_material *b = &world->shapes[contact->shape_b].material;
    contact->friction = sqrtf(a->friction * b->friction);
    contact->restitution = maths_max(a->restitution, b->restitution);
    contact->rolling_resistance = maths_max(a->rolling_resistance, b->rolling_resistance);
    contact->twisting_resistance = maths_max(a->twisting_resistance, b->twisting_resistance);
}

// ---- one contact ------------------------------------------------------------------------------

static void update_manifold(const tn_world *world, tni_contact *contact, double dt) {
    const tni_shape *a = &world->shapes[contact->shape_a], *b = &world->shapes[contact->shape_b];
    const tni_body *body_a = &world->bodies[contact->body_a];
    const tni_body *body_b = &world->bodies[contact->body_b];
    contact->origin = body_a->type == TN_BODY_TYPE_DYNAMIC ? update_shape_center(a, body_a)
                                                           : update_shape_center(b, body_b);
    tni_frame frame_a = update_frame(a, body_a, contact->origin);
    tni_frame frame_b = update_frame(b, body_b, contact->origin);
    tni_manifold_compute(&a->geometry, &frame_a, &b->geometry, &frame_b,
                         update_margin(world, contact, dt), &contact->cache, &contact->manifold);
}

static void update_contact(const tn_world *world, tni_contact *contact, double dt) {
    contact->was_touching = contact->is_touching;
    contact->is_disabled = false;
    bool may_meet = tni_shapes_may_meet(world, contact->shape_a, contact->shape_b);
    contact->is_apart =
        !may_meet && !tni_shapes_are_near(world, contact->shape_a, contact->shape_b);
    if (!may_meet && contact->manifold.point_count == 0) {
        contact->is_touching = false;
        return;
    }
    tni_manifold old = contact->manifold;
    contact->manifold.point_count = 0;
    if (may_meet) {
        update_manifold(world, contact, dt);
        update_drop_unreachable(world, contact, dt);
    }
    update_match_impulses(contact, &old);
    update_mix_materials(world, contact);
    contact->is_touching = update_is_touching(world, contact, dt);
}

static void update_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const update_pass *pass = context;
    tn_world *world = pass->world;
    for (uint32_t i = first; i < last; ++i) {
        uint32_t index = world->awake_contacts.items[pass->first + i];
        update_contact(world, &world->contacts[index], pass->dt);
    }
}

static void update_run(update_pass *pass, uint32_t count) {
    const tn_world_def *def = &pass->world->def;
    if (!def->enqueue || def->worker_count < 2 || count <= UPDATE_MIN_RANGE) {
        update_range(0, count, 0, pass);
        return;
    }
    void *task = def->enqueue(update_range, count, UPDATE_MIN_RANGE, pass, def->task_user_data);
    if (task) {
        def->finish(task, def->task_user_data);
    }
}

// ---- what follows, in order -------------------------------------------------------------------

// A sleeping body wakes when something comes to touch it. A kinematic body that stays in touch lets
// it sleep.
static void update_wake(tn_world *world, const tni_contact *contact) {
    const tni_body *a = &world->bodies[contact->body_a], *b = &world->bodies[contact->body_b];
    bool is_a_awake = a->awake_index != TNI_NONE, is_b_awake = b->awake_index != TNI_NONE;
    if (!contact->is_touching || is_a_awake == is_b_awake) {
        return;
    }
    const tni_body *waker = is_a_awake ? a : b;
    if (waker->type == TN_BODY_TYPE_DYNAMIC || !contact->was_touching) {
        tni_body_wake(world, is_a_awake ? contact->body_b : contact->body_a);
    }
}

static void update_finish(tn_world *world, uint32_t first, uint32_t last) {
    for (uint32_t i = first; i < last; ++i) {
        const tni_contact *contact = &world->contacts[world->awake_contacts.items[i]];
        if (contact->is_touching && !contact->was_touching) {
            tni_events_add_begin(world, contact);
        } else if (!contact->is_touching && contact->was_touching) {
            tni_events_add_end(world, contact);
        }
        update_wake(world, contact);
    }
}

void tni_world_update_manifolds(tn_world *world, double dt) {
    // Waking appends contacts to the list; they are computed in a further round.
    update_pass pass = {world, dt, 0};
    while (pass.first < world->awake_contacts.count) {
        uint32_t last = world->awake_contacts.count;
        update_run(&pass, last - pass.first);
        update_finish(world, pass.first, last);
        pass.first = last;
    }
    // Backward, because the last of the list moves into the gap.
    for (uint32_t i = world->awake_contacts.count; i-- > 0;) {
        uint32_t index = world->awake_contacts.items[i];
        if (world->contacts[index].is_apart) {
            tni_contact_destroy(world, index);
        }
    }
    tni_world_call_pre_solve(world);
}
