// world/step_contacts.c: manifolds into contact blocks, and back: impulses and hits.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "world/narrow.h"
#include "world/step_internal.h"

// Bytes of a contact from its impulses on: what a step writes back.
#define CONTACTS_STORED (sizeof(tni_contact) - offsetof(tni_contact, normal_impulses))

static uint32_t contacts_solver_body(const tn_world *world, uint32_t body) {
    const tni_body *record = &world->bodies[body];
    return record->awake_index != TNI_NONE ? record->solver_index : 0;
}

static void contacts_set_arm(tni_contact_lanes *arm, uint32_t lane, vec3s origin, vec3s position) {
    arm->x[lane] = origin.x + position.x;
    arm->y[lane] = origin.y + position.y;
    arm->z[lane] = origin.z + position.z;
}

// The contact's origin from the centre of mass, in double: far out both are large numbers.
static vec3s contacts_get_origin(const tn_world *world, const tni_contact *contact, uint32_t body) {
    return dvec3_to_float(dvec3_sub(contact->origin, world->bodies[body].position));
}

static void contacts_fill(const tn_world *world, uint32_t index, float scale,
                          tni_contact_record *record) {
    const tni_contact *contact = &world->contacts[index];
    const tni_manifold *manifold = &contact->manifold;
    memset(record, 0, offsetof(tni_contact_record, tangent));
    record->contact = index;
    record->body_a = contacts_solver_body(world, contact->body_a);
    record->body_b = contacts_solver_body(world, contact->body_b);
    record->point_count = (uint16_t)manifold->point_count;
    record->friction = contact->friction;
    record->restitution = contact->restitution;
    record->rolling_resistance = contact->rolling_resistance;
    record->twisting_resistance = contact->twisting_resistance;
    record->is_touching = contact->is_touching;
    record->normal = manifold->normal;
    record->friction_impulse = glms_vec3_scale(contact->friction_impulse, scale);
    record->rolling_impulse = glms_vec3_scale(contact->rolling_impulse, scale);
    vec3s from_a = contacts_get_origin(world, contact, contact->body_a);
    vec3s from_b = contacts_get_origin(world, contact, contact->body_b);
    for (uint32_t p = 0; p < manifold->point_count; ++p) {
        const tni_manifold_point *point = &manifold->points[p];
        contacts_set_arm(&record->arm_a, p, from_a, point->position);
        contacts_set_arm(&record->arm_b, p, from_b, point->position);
        record->separation[p] = point->separation;
        record->impulse[p] = scale * contact->normal_impulses[p];
    }
}

// The contacts with points, those with static bodies last: *out_static of them. Null when memory
// cannot be had.
static uint32_t *contacts_sort(tn_world *world, uint32_t *out_count, uint32_t *out_static) {
    uint32_t most = world->awake_contacts.count, moving = 0, fixed = 0;
    uint32_t *sorted = tni_arena_alloc(&world->arena, (size_t)most * sizeof *sorted);
    uint32_t *last = tni_arena_alloc(&world->arena, (size_t)most * sizeof *last);
    if (sorted == NULL || last == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < most; ++i) {
        const tni_awake_contact *entry = &world->awake_contacts.items[i];
        if (!entry->has_points || world->contacts[entry->contact].is_disabled) {
            continue;
        }
        if (entry->has_static) {
            last[fixed++] = entry->contact;
        } else {
            sorted[moving++] = entry->contact;
        }
    }
    memcpy(sorted + moving, last, (size_t)fixed * sizeof *last);
    *out_count = moving + fixed;
    *out_static = fixed;
    return sorted;
}

TNI_FORCE_INLINE void contacts_fetch(const tn_world *world, const uint32_t *sorted, uint32_t at,
                                     uint32_t count) {
    if (at + TNI_NARROW_AHEAD < count) {
        tni_narrow_fetch(&world->contacts[sorted[at + TNI_NARROW_AHEAD]], sizeof(tni_contact));
    }
    if (at + TNI_NARROW_AHEAD / 2 < count) {
        const tni_contact *contact = &world->contacts[sorted[at + TNI_NARROW_AHEAD / 2]];
        const uint32_t ends[2] = {contact->body_a, contact->body_b};
        for (int e = 0; e < 2; ++e) {
            TNI_PREFETCH(&world->bodies[ends[e]].position);
            TNI_PREFETCH(&world->bodies[ends[e]].solver_index);
        }
    }
}

static bool contacts_allocate(tn_world *world, tni_solver *solver, uint32_t count) {
    tni_arena *arena = &world->arena;
    size_t n = count, bodies = solver->body_count;
    solver->contact_gates = tni_arena_alloc(arena, n * sizeof(tni_contact_gate));
    solver->contact_blocks = tni_arena_alloc(arena, n * sizeof(tni_contact_block));
    solver->contact_records = tni_arena_alloc(arena, n * sizeof(tni_contact_record));
    solver->bouncing = tni_arena_alloc(arena, n * sizeof(uint32_t));
    solver->contact_pushes = tni_arena_alloc_zeroed(arena, bodies * sizeof(tni_contact_push));
    solver->contact_bodies = tni_arena_alloc(arena, bodies * sizeof(uint32_t));
    solver->contact_inertias = tni_arena_alloc(arena, bodies * sizeof(tni_sym3));
    solver->has_new_inertia = tni_arena_alloc_zeroed(arena, bodies * sizeof(bool));
    return solver->contact_gates != NULL && solver->contact_blocks != NULL &&
           solver->contact_records != NULL && solver->bouncing != NULL &&
           solver->contact_pushes != NULL && solver->contact_inertias != NULL &&
           solver->contact_bodies != NULL && solver->has_new_inertia != NULL;
}

bool tni_step_gather_contacts(tn_world *world, tni_step *step) {
    tni_solver *solver = &step->solver;
    uint32_t count = 0, fixed = 0;
    const uint32_t *sorted = contacts_sort(world, &count, &fixed);
    if (sorted == NULL || !contacts_allocate(world, solver, count)) {
        return false;
    }
    float scale = world->previous_h > 0.0 ? (float)(solver->dh / world->previous_h) : 1.0f;
    for (uint32_t i = 0; i < count; ++i) {
        tni_contact_record *record = &solver->contact_records[i];
        contacts_fetch(world, sorted, i, count);
        contacts_fill(world, sorted[i], scale, record);
        record->is_static = i >= count - fixed;
        tni_contact_gate_make(record, &solver->contact_gates[i]);
        if (record->restitution > 0.0f) {
            solver->bouncing[solver->bouncing_count++] = i;
        }
    }
    solver->contact_count = count;
    return true;
}

// ---- back -------------------------------------------------------------------------------------

static void contacts_store(tni_contact *contact, const tni_contact_block *block,
                           const tni_contact_record *record) {
    for (uint32_t p = 0; p < record->point_count; ++p) {
        contact->normal_impulses[p] = block->impulse[p];
        contact->step_impulses[p] = record->sums.step[p];
        contact->approach_speeds[p] = -record->approach_speed[p];
    }
    const vec3s *tangent = record->tangent;
    vec3s friction = glms_vec3_scale(tangent[0], block->tangent_impulse[0]);
    contact->friction_impulse =
        maths_vec3_add_scaled(friction, block->tangent_impulse[1], tangent[1]);
    contact->rolling_impulse =
        maths_vec3_add_scaled(block->rolling_impulse, block->tangent_impulse[2], record->normal);
    vec3s total = glms_vec3_scale(tangent[0], record->sums.step_tangent[0]);
    contact->step_friction_impulse =
        maths_vec3_add_scaled(total, record->sums.step_tangent[1], tangent[1]);
}

// One event per contact: its fastest point that was pushed.
static void contacts_note_hit(tn_world *world, const tni_contact *contact,
                              const tni_contact_record *record) {
    float speed = world->def.hit_event_threshold;
    uint32_t fastest = TNI_NONE;
    float impulse = 0.0f;
    for (uint32_t p = 0; p < record->point_count; ++p) {
        impulse += record->sums.step[p];
        if (record->sums.step[p] > 0.0f && -record->approach_speed[p] > speed) {
            speed = -record->approach_speed[p];
            fastest = p;
        }
    }
    const tni_shape *shape_a = &world->shapes[contact->shape_a];
    const tni_shape *shape_b = &world->shapes[contact->shape_b];
    if (fastest == TNI_NONE || !shape_a->enable_hit_events || !shape_b->enable_hit_events) {
        return;
    }
    tni_dvec3 point =
        dvec3_add(contact->origin, dvec3_from_float(contact->manifold.points[fastest].position));
    tn_hit_event event = {{shape_a->handle},
                          {shape_b->handle},
                          {point.x, point.y, point.z},
                          {record->normal.x, record->normal.y, record->normal.z},
                          speed,
                          impulse};
    tni_events_add_hit(world, &event);
}

void tni_step_scatter_contacts(tn_world *world, const tni_step *step) {
    const tni_solver *solver = &step->solver;
    uint32_t points = 0;
    double deepest = 0.0;
    for (uint32_t i = 0; i < solver->contact_count; ++i) {
        const tni_contact_record *record = &solver->contact_records[i];
        if (i + TNI_NARROW_AHEAD < solver->contact_count &&
            solver->contact_gates[i + TNI_NARROW_AHEAD].is_shut) {
            uint32_t next = solver->contact_records[i + TNI_NARROW_AHEAD].contact;
            tni_narrow_fetch(world->contacts[next].normal_impulses, CONTACTS_STORED);
        }
        points += record->point_count;
        if (!solver->contact_gates[i].is_shut) {
            continue; // nothing came of it
        }
        const tni_contact_block *block = &solver->contact_blocks[i];
        tni_contact *contact = &world->contacts[record->contact];
        contacts_store(contact, block, record);
        contacts_note_hit(world, contact, record);
        deepest = fmax(deepest, -(double)tni_contact_get_least(solver, i));
    }
    world->telemetry.contacts = world->awake_contacts.count;
    world->telemetry.manifolds = solver->contact_count;
    world->telemetry.points = points;
    world->telemetry.rows = points + 2 * solver->contact_count;
    world->telemetry.deepest_penetration = deepest;
}
